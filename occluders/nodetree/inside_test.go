package nodetree

import (
	"slices"
	"testing"

	"ridgeline/occluders/geom"
)

// What lies in nodes wholly inside a frustum is taken without a look at it, and what
// lies in nodes outside is left without one: so the items may say what they like.
func TestNodesSpeakForTheirItems(t *testing.T) {
	for _, split := range []Split{Quad, Oct} {
		var boxes []geom.Box
		for i := range 400 {
			p := geom.Vec3{float64(i % 20), 0, float64(i / 20)}
			boxes = append(boxes, geom.Box{Min: p, Max: p.Add(geom.Vec3{0.5, 0.5, 0.5})})
		}
		tree := Build(boxes, Options{Split: split, MinSize: 1, MaxItems: 4})
		view := func(low, high float64) *geom.Frustum {
			f := &geom.Frustum{}
			for a := range 3 {
				f.Planes[2*a].N[a], f.Planes[2*a].D = 1, -low
				f.Planes[2*a+1].N[a], f.Planes[2*a+1].D = -1, high
			}
			return f
		}
		all := tree.AppendVisible(nil, view(-100, 100))
		if len(all) != len(boxes) {
			t.Fatalf("%d items, expected %d", len(all), len(boxes))
		}
		far := geom.Vec3{1e6, 1e6, 1e6}
		for i := range tree.items.boxes {
			b := &tree.items.boxes[i]
			b.Min, b.Max = b.Min.Add(far), b.Max.Add(far)
		}
		if got := tree.AppendVisible(nil, view(-100, 100)); !slices.Equal(got, all) {
			t.Errorf("split %d: of nodes inside %d items are taken, expected %d", split, len(got), len(all))
		}
		if got := tree.AppendVisible(nil, view(9e5, 2e6)); len(got) != 0 {
			t.Errorf("split %d: of nodes outside %d items are taken", split, len(got))
		}
	}
}
