package cull_test

import (
	"image"
	"math"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
)

var size = image.Pt(1280, 720)

// look is a view of 60° from an eye along a direction.
func look(eye, dir geom.Vec3) cull.View {
	m := mgl64.Perspective(math.Pi/3, 16.0/9, 0.1, 5000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, dir, mgl64.Vec3{0, 1, 0}))
	return cull.ViewOf(eye, m)
}

func cube(center geom.Vec3, half float64) geom.Box {
	d := geom.Vec3{half, half, half}
	return geom.Box{Min: center.Sub(d), Max: center.Add(d)}
}

func hullOf(t testing.TB, b geom.Box) *hull.Hull {
	t.Helper()
	h, err := hull.OfBox(b)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ground hides all boxes below a height and farther than 100 m along −Z.
type ground struct{ under float64 }

func (g ground) Begin(v *cull.View, old cull.HorizonTest) cull.HorizonTest { return g }
func (g ground) Hidden(b geom.Box) bool                                    { return b.Max[1] < g.under && b.Max[2] < -100 }
func (g ground) Where(b geom.Box) (geom.Vec3, bool)                        { return geom.Vec3{1, 2, 3}, g.Hidden(b) }

// things is a scene with something for each test:
//
//	0 in the open            1 behind the eye         2 ground that turns its back
//	3 in a shut room         4 behind a hill          5 behind the wall
//	6 nothing
func things(t testing.TB) *cull.Scene {
	boxes := []geom.Box{
		cube(geom.Vec3{0, 5, -20}, 1), cube(geom.Vec3{0, 0, 50}, 1), cube(geom.Vec3{30, 1, -60}, 2),
		cube(geom.Vec3{-30, 2, -60}, 1), cube(geom.Vec3{60, -3, -150}, 1), cube(geom.Vec3{5, 1, -30}, 0.5),
		geom.EmptyBox(),
	}
	g, err := portal.Build([][]*hull.Hull{{hullOf(t, cube(geom.Vec3{-30, 2, -60}, 4))}}, []portal.Portal{{
		Polygon: []geom.Vec3{{-31, 1, -56}, {-29, 1, -56}, {-29, 3, -56}, {-31, 3, -56}}, From: portal.Outside, To: 0, State: portal.Closed,
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := &cull.Scene{
		Tree: nodetree.Build(boxes, nodetree.Options{}), Portals: g, Horizon: ground{0},
		Occluders: []cull.Shape{{Hull: hullOf(t, cube(geom.Vec3{5, 1, -26}, 2))}, {}},
		Slopes:    make([]cull.Slopes, 3),
		Above:     func(geom.Vec3) bool { return true },
	}
	// It falls away from the eye by 45°.
	away := cull.Slopes{Min: [2]float64{-0.1, 0.9}, Max: [2]float64{0.1, 1.1}, Reach: 64, At: [2]float64{30, -60}}
	for k, g := range away.Corners() {
		away.Low[k] = 1 - 2*(math.Abs(g[0])+math.Abs(g[1]))
	}
	s.Slopes[2] = away
	for _, b := range boxes {
		s.Cells = append(s.Cells, g.AppendCells(nil, b))
	}
	return s
}

func TestEachTestRemovesItsOwn(t *testing.T) {
	s := things(t)
	var c cull.Culler
	v := look(geom.Vec3{0, 3, 0}, geom.Vec3{0, 0, -1})
	want := []cull.Verdict{cull.Drawn, cull.ByFrustum, cull.ByBackface, cull.ByPortal, cull.ByTerrain, cull.ByOccluder, cull.Absent}
	r := c.Run(s, v, size, cull.All)
	for i, w := range want {
		if r.Verdicts[i] != w {
			t.Errorf("entry %d is %v, expected %v", i, r.Verdicts[i], w)
		}
	}
	if len(r.Drawn) != 1 || r.Drawn[0] != 0 || r.Entries != 6 || r.Count(cull.Absent) != 1 {
		t.Errorf("drawn %v of %d", r.Drawn, r.Entries)
	}
	for i, st := range r.Stats {
		if st.Removed != 1 || st.Tried != 6-i {
			t.Errorf("%v tried %d and removed %d", cull.Test(i), st.Tried, st.Removed)
		}
	}
	if e := c.Explain(1); e.Plane < 0 {
		t.Errorf("no side of the view explains what is behind the eye: %+v", e)
	}
	if e := c.Explain(3); len(e.Portals) != 1 || e.Portals[0] != 0 || len(e.Cells) != 1 {
		t.Errorf("the shut room: %+v", e)
	}
	if e := c.Explain(4); e.Ground != (geom.Vec3{1, 2, 3}) {
		t.Errorf("behind the hill: %+v", e)
	}
	if e := c.Explain(5); len(e.Occluders) != 1 || e.Occluders[0] != 0 {
		t.Errorf("behind the wall: %+v", e)
	}
	if h := c.Hides(nil); len(h) != 2 || h[0] != 1 || h[1] != 0 {
		t.Errorf("the occluders hide %v", h)
	}
	// Each test switched off leaves what it alone removes.
	for test := range cull.Test(cull.NumTests) {
		r := c.Run(s, v, size, cull.All.With(test, false))
		if got := r.Verdicts[1+test]; got != cull.Drawn && test != cull.Frustum {
			t.Errorf("without %v entry %d is %v", test, 1+test, got)
		}
		if r.Stats[test] != (cull.Stat{}) {
			t.Errorf("%v ran although it is off", test)
		}
		if r = c.Run(s, v, size, cull.Only(test)); r.Verdicts[1+test] != cull.By(test) || len(r.Drawn) != 5 {
			t.Errorf("%v alone: %v, drawn %d", test, r.Verdicts[1+test], len(r.Drawn))
		}
	}
}

// What its own occluder would hide, as that reaches out of it, is not removed.
func TestExempt(t *testing.T) {
	s := things(t)
	s.Exempt.Add(5)
	var c cull.Culler
	r := c.Run(s, look(geom.Vec3{0, 3, 0}, geom.Vec3{0, 0, -1}), size, cull.All)
	if r.Verdicts[5] != cull.Drawn {
		t.Errorf("it is %v", r.Verdicts[5])
	}
}

func TestJudge(t *testing.T) {
	s := things(t)
	var c cull.Culler
	c.Run(s, look(geom.Vec3{0, 3, 0}, geom.Vec3{0, 0, -1}), size, cull.All.With(cull.Terrain, false))
	j := c.Judge(func(e int32) bool { return e == 0 || e == 5 })
	if len(j.False) != 1 || j.False[0] != 5 || j.Hidden != 3 || j.Removed[cull.Portal] != 1 {
		t.Errorf("%+v", j)
	}
	if e := j.Efficiency(); math.Abs(e-2.0/3) > 1e-9 {
		t.Errorf("efficiency %g", e)
	}
}

func TestClockAndNoAllocations(t *testing.T) {
	s := things(t)
	var now time.Duration
	c := cull.Culler{Clock: func() time.Duration { now += time.Microsecond; return now }}
	v := look(geom.Vec3{0, 3, 0}, geom.Vec3{0, 0, -1})
	for range 3 {
		c.Run(s, v, size, cull.All)
	}
	if r := c.Run(s, v, size, cull.All); r.Stats[cull.Portal].Time != time.Microsecond {
		t.Errorf("a test took %v on a clock that ticks once", r.Stats[cull.Portal].Time)
	}
	if raceEnabled {
		return
	}
	if n := testing.AllocsPerRun(20, func() { c.Run(s, v, size, cull.All) }); n > 0 {
		t.Errorf("a run allocates %g times", n)
	}
}

func TestNames(t *testing.T) {
	for test := range cull.Test(cull.NumTests) {
		if got, ok := cull.ParseTest(test.String()); !ok || got != test || cull.By(test).String() != test.String() {
			t.Errorf("%d is called %q", test, test)
		}
	}
	if _, ok := cull.ParseTest("none"); ok || cull.Only(cull.Portal, cull.Occluder).String() != "portal occluder" {
		t.Error("names of no test")
	}
}
