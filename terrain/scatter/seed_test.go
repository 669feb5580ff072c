package scatter

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// Another seed is another pattern; the same seed is the same one.
func TestSeeds(t *testing.T) {
	f, err := terrain.Flat(65, 65, 1)
	if err != nil {
		t.Fatal(err)
	}
	area := Rect{Min: mgl64.Vec2{0, 0}, Max: mgl64.Vec2{64, 64}}
	sow := func(seed uint64) []Point {
		points, err := Append(t.Context(), nil, f, area, Rules{Density: 0.1, Spacing: 1, Seed: seed}, nil)
		if err != nil || len(points) < 100 {
			t.Fatalf("%d points, %v", len(points), err)
		}
		return points
	}
	at := func(p Point, q Point) bool { return p.Position == q.Position }
	first := sow(1)
	if !slices.EqualFunc(first, sow(1), at) {
		t.Error("the same seed is another pattern")
	}
	for _, p := range sow(2) {
		if slices.ContainsFunc(first, func(q Point) bool { return at(p, q) }) {
			t.Fatalf("two seeds have a point at %v in common", p.Position)
		}
	}
}
