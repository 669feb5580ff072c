package mesh

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

// areas cuts a polygon and gives the sum of its triangles' areas, and of those turned
// against the polygon.
func areas(t interface{ Fatal(...any) }, p []mgl64.Vec3) (right, wrong float64) {
	n := newell(p)
	var c cutter
	cut, err := c.cut(testContext, nil, p, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(cut) != 3*(len(p)-2) {
		t.Fatal(len(cut), "indices for", len(p), "corners")
	}
	u := n.Normalize()
	for i := 0; i < len(cut); i += 3 {
		a := p[cut[i+1]].Sub(p[cut[i]]).Cross(p[cut[i+2]].Sub(p[cut[i]])).Dot(u) / 2
		if a >= 0 {
			right += a
		} else {
			wrong -= a
		}
	}
	return right, wrong
}

// star draws a simple polygon round the origin, with any corners reflex, in a plane
// that is turned at random.
func star(t *rapid.T) []mgl64.Vec3 {
	n := rapid.IntRange(4, 40).Draw(t, "corners")
	x := mgl64.Vec3{rapid.Float64Range(-1, 1).Draw(t, "x"), rapid.Float64Range(-1, 1).Draw(t, "y"), 2}.Normalize()
	y := x.Cross(mgl64.Vec3{1, 0.3, 0}).Normalize()
	var p []mgl64.Vec3
	for i := range n {
		r := rapid.Float64Range(0.1, 1).Draw(t, "radius")
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p = append(p, x.Mul(r*cos).Add(y.Mul(r*sin)))
	}
	return p
}

// TestCutsCoverThePolygon: no triangle of a simple polygon is turned round, and their
// areas are the polygon's. Were some to overlap, others would have to be missing.
func TestCutsCoverThePolygon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := star(t)
		want := newell(p).Len() / 2
		right, wrong := areas(t, p)
		if !(math.Abs(right-want) <= 1e-9) || !(wrong <= 1e-12) {
			t.Fatalf("triangles of %v and %v turned round, the polygon has %v", right, wrong, want)
		}
	})
}

func TestCutsOfSpecialPolygons(t *testing.T) {
	for _, c := range []struct {
		name string
		p    []mgl64.Vec3
		area float64 // 0 for those that cross themselves: any triangles will do
	}{
		{"arrow", []mgl64.Vec3{{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}}, 1},
		{"arrow from behind", []mgl64.Vec3{{0, 2, 0}, {0.5, 0.5, 0}, {2, 0, 0}, {0, 0, 0}}, 1},
		{"corner in a straight side", []mgl64.Vec3{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, 4},
		{"square with a hole", []mgl64.Vec3{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0}, {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}}, 12},
		{"bow tie", []mgl64.Vec3{{0, 0, 0}, {2, 1, 0}, {2, 0, 0}, {0, 2, 0}, {-1, 1, 0}}, 0},
		{"pentagram", []mgl64.Vec3{{1, 0, 0}, {-0.81, 0.59, 0}, {0.31, -0.95, 0}, {0.31, 0.95, 0}, {-0.81, -0.59, 0}}, 0},
		{"line", []mgl64.Vec3{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}}, 0},
		{"point", []mgl64.Vec3{{}, {}, {}, {}, {}}, 0},
	} {
		right, wrong := areas(t, c.p)
		if c.area > 0 && (!(math.Abs(right-c.area) < 1e-12) || wrong != 0) {
			t.Errorf("%s: triangles of %v and %v turned round, expected %v", c.name, right, wrong, c.area)
		}
	}
}

func TestCutsAreBounded(t *testing.T) {
	// A spiral, in which nearly no corner is an ear.
	var p []mgl64.Vec3
	const turns, steps = 200, 50
	for side := range 2 {
		for i := range turns * steps {
			k := i
			if side == 1 {
				k = turns*steps - 1 - i
			}
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
			r := 1 + float64(k)/steps + 0.3*float64(side)
			p = append(p, mgl64.Vec3{r * cos, r * sin, 0})
		}
	}
	c := cutter{cuts: maxCuts - 1_000_000}
	if _, err := c.cut(t.Context(), nil, p, newell(p)); !errors.Is(err, errIntricate) {
		t.Errorf("error %v", err)
	}
}
