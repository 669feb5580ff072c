package cull_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// Holes keep ground that faces away only where a line of sight may come through them.
func TestOpeningsBetween(t *testing.T) {
	s := things(t)
	eye := geom.Vec3{0, 3, 0} // entry 2 is around (30, 1, −60), half as wide as 4
	box := func(x0, y0, z0, x1, y1, z1 float64) geom.Box {
		return geom.Box{Min: geom.Vec3{x0, y0, z0}, Max: geom.Vec3{x1, y1, z1}}
	}
	for _, test := range []struct {
		name  string
		holes []geom.Box
		kept  bool
	}{
		{"none", nil, false},
		{"half way", []geom.Box{box(14, 0, -31, 16, 2, -29)}, true},
		{"half way, the second of two", []geom.Box{box(-40, 0, 40, -38, 2, 42), box(14, 0, -31, 16, 2, -29)}, true},
		{"half way, at the edge", []geom.Box{box(16, 0, -31, 18, 2, -29)}, true},
		{"beside on the right", []geom.Box{box(18, 0, -31, 20, 2, -29)}, false},
		{"beside on the left", []geom.Box{box(10, 0, -31, 12, 2, -29)}, false},
		{"behind the eye", []geom.Box{box(-3, 0, 1, -1, 2, 3)}, false},
		{"behind the ground", []geom.Box{box(32.5, 0, -70, 36, 2, -63)}, false},
		{"at the eye", []geom.Box{box(-1, 0, -1, 1, 2, 1)}, true},
		{"in the ground", []geom.Box{box(29, 0, -61, 31, 2, -59)}, true},
		{"below all lines of sight", []geom.Box{box(14, -9, -31, 16, -2, -29)}, false},
		{"above all lines of sight", []geom.Box{box(14, 4, -31, 16, 9, -29)}, false},
		{"around everything", []geom.Box{box(-99, -99, -99, 99, 99, 99)}, true},
	} {
		s.Openings = test.holes
		want := cull.ByBackface
		if test.kept {
			want = cull.Drawn
		}
		var c cull.Culler
		if v := c.Run(s, look(eye, geom.Vec3{0, 0, -1}), size, cull.Only(cull.Backface, cull.Frustum)).Verdicts[2]; v != want {
			t.Errorf("a hole %s: it is %v, expected %v", test.name, v, want)
		}
	}
	// As far as drawn ground may be off, holes below all lines of sight count.
	s.Openings = []geom.Box{box(14, -9, -31, 16, -1.05, -29)}
	for slack, want := range map[float64]cull.Verdict{0: cull.ByBackface, 1e-3: cull.Drawn} {
		v := look(eye, geom.Vec3{0, 0, -1})
		v.Slack = slack
		var c cull.Culler
		if got := c.Run(s, v, size, cull.Only(cull.Backface, cull.Frustum)).Verdicts[2]; got != want {
			t.Errorf("a hole below, slack %g: it is %v, expected %v", slack, got, want)
		}
	}
}

// Ground that faces away is kept in orthographic pictures, which show it from both
// sides, and for an eye that is not above the ground.
func TestBacksThatShow(t *testing.T) {
	s := things(t)
	eye := geom.Vec3{0, 3, 0}
	m := mgl64.Ortho(-100, 100, -60, 60, 0.1, 5000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, 0, -1}, mgl64.Vec3{0, 1, 0}))
	flat := cull.ViewOf(eye, m)
	if !flat.Ortho {
		t.Fatal("the view is not orthographic")
	}
	var c cull.Culler
	if v := c.Run(s, flat, size, cull.Only(cull.Backface, cull.Frustum)).Verdicts[2]; v != cull.Drawn {
		t.Errorf("in an orthographic view it is %v", v)
	}
	s.Above = func(geom.Vec3) bool { return false }
	if v := c.Run(s, look(eye, geom.Vec3{0, 0, -1}), size, cull.Only(cull.Backface, cull.Frustum)).Verdicts[2]; v != cull.Drawn {
		t.Errorf("from below the ground it is %v", v)
	}
}
