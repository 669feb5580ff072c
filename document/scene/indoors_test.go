package scene

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
)

// site is a place made by hand.
type site struct {
	*trial
	t      *testing.T
	things map[string]int32
}

// newSite makes a level of ground, rooms and things of a metre.
func newSite(t *testing.T, f *terrain.Field, rooms *culltest.Rooms, things map[string]geom.Vec3) *site {
	t.Helper()
	b := &builder{}
	b.rooms(rooms, 0, 0)
	ids := map[string]document.ID{}
	for name, at := range things {
		ids[name] = b.add(document.Entity{Kind: document.KindObject, Translation: at, Scale: mgl64.Vec3{0.3, 0.3, 0.3}, Data: document.Object{Asset: "box"}})
	}
	l := document.NewLevel(f)
	l.Assets = []document.Asset{{Name: "box", File: "asset:d.glb"}}
	l, err := l.WithEntities(b.list)
	must(t, err)
	p := &place{World: culltest.NewWorld(), scene: New(newShelf()), field: f}
	p.scene.Update(l, nil)
	v := p.scene.Complete()
	p.chunks = p.scene.cols * p.scene.rows
	for e := range p.scene.tree.Len() {
		p.AddBox(p.scene.tree.Box(e))
	}
	must(t, p.AddRooms(rooms, mgl64.Ident4()))
	for i, q := range v.Portals {
		if q.From != rooms.Portals[i].From || q.To != rooms.Portals[i].To {
			t.Fatalf("portal %d leads from %d to %d, expected %+v", i, q.From, q.To, rooms.Portals[i])
		}
	}
	if g := v.Scene.Portals; g != nil && len(g.Faults) > 0 {
		t.Fatal(g.Faults)
	}
	p.snap.Update(f, nil)
	p.full = newSkin(f, wholePatches(f))
	s := &site{trial: &trial{place: p}, t: t, things: map[string]int32{}}
	for name, id := range ids {
		s.things[name] = int32(p.chunks) + p.scene.Of(id)[0]
	}
	return s
}

// sees runs a view and compares the verdicts of things; what was removed must not be
// seen.
func (s *site) sees(eye, at geom.Vec3, tests cull.Tests, want map[string]cull.Verdict) *cull.Report {
	s.t.Helper()
	l := culltest.Lens{Half: math.Tan(math.Pi / 5), Near: 0.1, Far: 4000, Size: image.Pt(1280, 720)}
	c := l.Look(eye, at.Sub(eye), geom.Vec3{0, 1, 0})
	s.run(c)
	rays := 4000
	if few() {
		rays = 400
	}
	if err := s.prove(rand.New(rand.NewPCG(1, 1)), c, s.full, rays); err != nil {
		s.t.Errorf("from %v: %v", eye, err)
	}
	r := s.scene.Cull(&s.culler, c.View, c.Size, tests)
	for name, v := range want {
		if got := r.Verdicts[s.things[name]]; got != v {
			s.t.Errorf("from %v at %v: %s is %v, expected %v (%+v)", eye, at, name, got, v, s.culler.Explain(s.things[name]))
		}
	}
	return r
}

// around proves views from everywhere.
func (s *site) around(n int) {
	s.t.Helper()
	if few() {
		n /= 10
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range n {
		s.maxError = []float64{0, 2}[r.IntN(2)]
		c := s.stand(r)
		s.run(c)
		s.draw(c)
		if err := s.prove(r, c, &s.drawn, 300); err != nil {
			s.t.Fatal(err)
		}
	}
}

func flat(t *testing.T, cols, rows int, height func(x, z int) float64) *terrain.Field {
	t.Helper()
	h := make([]float32, cols*rows)
	for z := range rows {
		for x := range cols {
			h[z*cols+x] = float32(height(x, z))
		}
	}
	f, err := terrain.FromHeights(cols, rows, 1, h)
	must(t, err)
	return f
}

func box3(x0, y0, z0, x1, y1, z1 float64) geom.Box {
	return geom.Box{Min: geom.Vec3{x0, y0, z0}, Max: geom.Vec3{x1, y1, z1}}
}

const inOrOut = portal.Outside

// Buildings of a single room: into one through its door, out of it, and out of one into
// the next.
func TestBuildingsOfOneRoom(t *testing.T) {
	rooms := culltest.Boxes([]geom.Box{
		box3(20, 0, 20, 26, 3, 26), // its door looks along +x
		box3(40, 0, 20, 46, 3, 26), // opposite to it
		box3(40, 0, 40, 46, 3, 46), // its door looks away
		box3(60, 0, 20, 64, 3, 24), // without any
	}, []culltest.Door{
		{From: inOrOut, To: 0, Rect: box3(26, 0, 22, 26, 2, 24)},
		{From: inOrOut, To: 1, Rect: box3(40, 0, 22, 40, 2, 24)},
		{From: inOrOut, To: 2, Rect: box3(46, 0, 42, 46, 2, 44)},
	})
	s := newSite(t, flat(t, 90, 90, func(x, z int) float64 { return 0 }), rooms, map[string]geom.Vec3{
		"in the first": {23, 0.5, 23}, "in its corner": {21, 0.5, 25.5}, "in the second": {43, 0.5, 23}, "in the third": {43, 0.5, 43},
		"shut in": {62, 0.5, 22}, "between": {33, 0.5, 23}, "behind": {10, 0.5, 23}, "beyond": {80, 0.5, 23},
	})
	out := geom.Vec3{35, 1, 23}
	s.sees(out, geom.Vec3{20, 1, 23}, cull.All, map[string]cull.Verdict{
		"in the first": cull.Drawn, "in its corner": cull.ByPortal, "behind": cull.Drawn, // outside seen from outside
	})
	s.sees(out, geom.Vec3{80, 1, 23}, cull.All, map[string]cull.Verdict{
		"in the second": cull.Drawn, "shut in": cull.ByPortal, "beyond": cull.Drawn, "in the first": cull.ByFrustum,
	})
	s.sees(geom.Vec3{21, 1, 23}, geom.Vec3{80, 1, 23}, cull.All, map[string]cull.Verdict{
		"in the first": cull.Drawn, "between": cull.Drawn, "in the second": cull.Drawn, "in the third": cull.ByPortal, "shut in": cull.ByPortal,
	})
	s.sees(geom.Vec3{25, 1, 23}, geom.Vec3{0, 1, 23}, cull.All, map[string]cull.Verdict{
		"in the first": cull.Drawn, "behind": cull.ByPortal,
	})
	s.sees(geom.Vec3{63.5, 1, 22}, geom.Vec3{0, 1, 22}, cull.All, map[string]cull.Verdict{
		"shut in": cull.Drawn, "in the second": cull.ByPortal, "between": cull.ByPortal,
	})
	s.around(200)
}

// Indoors and underground: ground hides nothing from below, a room without a way out
// shows nothing else, and a stair shows what stands at its end.
func TestIndoorsUnderground(t *testing.T) {
	hills := func(x, z int) float64 { return 6 * math.Abs(math.Sin(float64(x)/8)) }
	f := pierce(flat(t, 130, 130, hills), func(d *terrain.Draft) { // over the shaft
		for z := 50; z < 54; z++ {
			for x := 60; x < 64; x++ {
				d.Flags(x/terrain.TileSize, z/terrain.TileSize)[z%terrain.TileSize*terrain.TileSize+x%terrain.TileSize] |= terrain.Hole
			}
		}
	})
	rooms := culltest.Boxes([]geom.Box{
		box3(56, -20, 48, 68, -17, 58), // a hall
		box3(60, -17, 50, 64, 9, 54),   // a shaft up to the outside, higher than the hills
		box3(20, -20, 20, 28, -17, 28), // a room by itself
	}, []culltest.Door{
		{From: 0, To: 1, Rect: box3(60, -17, 50, 64, -17, 54)},
		{From: 1, To: inOrOut, Rect: box3(60, 9, 50, 64, 9, 54)},
	})
	s := newSite(t, f, rooms, map[string]geom.Vec3{
		"in the hall": {66, -19.5, 49}, "in the shaft": {61, 0, 51}, "over it": {62, 40, 52}, "beside it": {70, 12, 52},
		"behind hills": {125.6, 0.5, 52}, "by itself": {24, -19.5, 24}, "buried": {90, -18, 90},
	})
	hall := geom.Vec3{62, -18.5, 52}
	s.sees(hall, geom.Vec3{66, -19.5, 49}, cull.All, map[string]cull.Verdict{"in the hall": cull.Drawn, "by itself": cull.ByFrustum})
	s.sees(hall, geom.Vec3{62.5, 40, 52.5}, cull.All, map[string]cull.Verdict{"in the shaft": cull.Drawn, "over it": cull.Drawn})
	s.sees(hall, geom.Vec3{120, -10, 60}, cull.All, map[string]cull.Verdict{"behind hills": cull.ByPortal, "buried": cull.ByPortal})
	// Nothing hides behind ground that is seen from below.
	for _, eye := range []geom.Vec3{hall, {24, -18, 24}, {100, -1, 100}} {
		r := s.sees(eye, geom.Vec3{65, 4, 65}, cull.Only(cull.Frustum, cull.Backface, cull.Terrain), nil)
		if n := r.Stats[cull.Terrain].Removed + r.Stats[cull.Backface].Removed; n > 0 {
			t.Errorf("ground hides %d things from an eye below it at %v", n, eye)
		}
	}
	alone := s.sees(geom.Vec3{21, -18, 21}, geom.Vec3{27, -18, 27}, cull.All, map[string]cull.Verdict{"by itself": cull.Drawn, "buried": cull.ByPortal})
	if alone.Verdicts[0] == cull.Drawn || len(alone.Drawn) != 1 {
		t.Errorf("a room without doors shows %d things", len(alone.Drawn))
	}
	// From above, the hills hide what is behind them, and what is below the ground.
	s.sees(geom.Vec3{50, 2, 30}, geom.Vec3{125.6, 0.5, 52}, cull.All, map[string]cull.Verdict{"behind hills": cull.ByTerrain})
	s.around(200)
}

// Caves: holes in a hillside with a room behind the mouth.
func TestCaves(t *testing.T) {
	// A cliff along x = 60, 12 m high, with a mouth in it: a hole in the steep cells.
	cliff := func(x, z int) float64 {
		if x < 60 {
			return 0
		}
		return 12
	}
	f := pierce(flat(t, 130, 100, cliff), func(d *terrain.Draft) {
		for z := 40; z < 44; z++ {
			d.Flags(59/terrain.TileSize, z/terrain.TileSize)[z%terrain.TileSize*terrain.TileSize+59%terrain.TileSize] |= terrain.Hole
		}
	})
	rooms := culltest.Boxes([]geom.Box{
		box3(60, 0.5, 40, 80, 4.5, 44), // the cave
		box3(76, 0.5, 44, 80, 4.5, 60), // goes round a corner
	}, []culltest.Door{
		{From: inOrOut, To: 0, Rect: box3(60, 0.5, 40, 60, 4.5, 44)},
		{From: 0, To: 1, Rect: box3(76, 0.5, 44, 80, 4.5, 44)},
	})
	s := newSite(t, f, rooms, map[string]geom.Vec3{
		"in the cave": {70, 2, 42}, "round the corner": {78, 2, 58}, "before it": {40, 1, 42}, "on the hill": {90, 13, 60}, "beside the mouth": {50, 1, 60},
	})
	before := geom.Vec3{30, 2.5, 42}
	s.sees(before, geom.Vec3{70, 2, 42}, cull.All, map[string]cull.Verdict{
		"in the cave": cull.Drawn, "before it": cull.Drawn, "round the corner": cull.ByPortal, "on the hill": cull.ByTerrain,
	})
	// From aside the mouth shows nothing of the depth.
	s.sees(geom.Vec3{50, 2, 70}, geom.Vec3{78, 2, 58}, cull.All, map[string]cull.Verdict{"round the corner": cull.ByPortal})
	// From within: out of the mouth, where the ground above hides nothing.
	r := s.sees(geom.Vec3{75, 2.5, 42}, geom.Vec3{40, 2, 42}, cull.All, map[string]cull.Verdict{
		"in the cave": cull.Drawn, "before it": cull.Drawn, "beside the mouth": cull.ByPortal,
	})
	if r.Stats[cull.Terrain].Removed > 0 {
		t.Error("ground hides things from a cave")
	}
	s.sees(geom.Vec3{78, 2.5, 56}, geom.Vec3{40, 1, 42}, cull.All, map[string]cull.Verdict{"before it": cull.ByPortal})
	s.around(200)
}
