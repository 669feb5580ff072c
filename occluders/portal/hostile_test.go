package portal

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// row is three rooms beside each other along x, the sound part of a hostile level.
func row() [][]*hull.Hull {
	var out [][]*hull.Hull
	for i := range 3 {
		x := float64(4 * i)
		out = append(out, []*hull.Hull{boxHull(geom.Box{Min: Vec3{x, 0, 0}, Max: Vec3{x + 4, 3, 4}}, place{turn: mgl64.Ident3()})})
	}
	return out
}

// door is a sound portal between room i and the next, its normal into room i.
func door(i int) Portal {
	x := float64(4*i + 4)
	return Portal{From: i, To: i + 1, Polygon: []Vec3{{x, 0, 1}, {x, 0, 2}, {x, 2, 2}, {x, 2, 1}}}
}

func looking(g *Graph, eye, look Vec3) *Tracer {
	w := &world{place: place{turn: mgl64.Ident3()}}
	var t Tracer
	t.Trace(g, &w.camera(eye, look, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false).View)
	return &t
}

// A broken portal is told and lets more be seen than a sound one.
func TestBrokenPortals(t *testing.T) {
	nan := math.NaN()
	moved := func(d Vec3) Portal {
		p := door(0)
		for i := range p.Polygon {
			p.Polygon[i] = p.Polygon[i].Add(d)
		}
		return p
	}
	change := func(f func(*Portal)) Portal {
		p := door(0)
		f(&p)
		return p
	}
	for _, c := range []struct {
		name string
		p    Portal
		want Reason
		open bool // room 1 is seen wherever one looks
	}{
		{"sound", door(0), 0, false},
		{"to nothing", change(func(p *Portal) { p.To = 7 }), NoCell, true},
		{"from nothing", change(func(p *Portal) { p.From = -5 }), NoCell, true},
		{"to itself", change(func(p *Portal) { p.To = 0 }), SameCell, false},
		{"NaN", change(func(p *Portal) { p.Polygon[1][2] = nan }), NotFinite, true},
		{"infinite", change(func(p *Portal) { p.Polygon[1][2] = math.Inf(1) }), NotFinite, true},
		{"no points", change(func(p *Portal) { p.Polygon = nil }), Degenerate, true},
		{"two points", change(func(p *Portal) { p.Polygon = p.Polygon[:2] }), Degenerate, true},
		{"a line", change(func(p *Portal) { p.Polygon = []Vec3{{4, 0, 1}, {4, 1, 1}, {4, 2, 1}} }), Degenerate, true},
		{"bent", change(func(p *Portal) { p.Polygon[0][0] += 0.5 }), Bent, true},
		{"not convex", change(func(p *Portal) {
			p.Polygon = []Vec3{{4, 0, 1}, {4, 0.5, 1.5}, {4, 0, 2}, {4, 2, 2}, {4, 2, 1}}
		}), NotConvex, false},
		{"wrong way", change(func(p *Portal) { p.From, p.To = 1, 0 }), WrongWay, false},
		{"adrift", moved(Vec3{-30, 0, 0}), Adrift, true},
		{"aside", moved(Vec3{0, 0, 50}), Adrift, true},
		{"state", change(func(p *Portal) { p.State = 9 }), BadState, false},
		{"not between", change(func(p *Portal) { p.From, p.To = 2, 0 }), Adrift, false},
	} {
		g, err := Build(row(), []Portal{c.p, door(1)})
		if err != nil {
			t.Fatal(err)
		}
		var got Reason
		if len(g.Faults) > 0 {
			got = g.Faults[0].Reason
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, g.Faults, c.want)
		}
		// Towards the door, and away from it.
		if tr := looking(g, Vec3{2, 1, 1.5}, Vec3{1, 0, 0}); c.want != SameCell && c.name != "not between" && !tr.Reached(1) {
			t.Errorf("%s: the next room is not seen through its door", c.name)
		}
		if tr := looking(g, Vec3{2, 1, 1.5}, Vec3{-1, 0, 0}); tr.Reached(1) != c.open {
			t.Errorf("%s: looking away, the next room is reached: %v", c.name, tr.Reached(1))
		}
		if c.want == SameCell || c.name == "not between" {
			continue
		}
		// A shut door stops the light even so.
		if tr := looking(g.SetState(0, Closed), Vec3{2, 1, 1.5}, Vec3{1, 0, 0}); tr.Reached(1) {
			t.Errorf("%s: light passes a closed portal", c.name)
		}
	}
}

// A portal that stands a little off its wall works, and so does one within it.
func TestPortalOffItsWall(t *testing.T) {
	for _, by := range []float64{-0.6, -0.2, -0.001, 0.001, 0.2, 0.6} {
		p := door(0)
		for i := range p.Polygon {
			p.Polygon[i][0] += by
		}
		g, err := Build(row(), []Portal{p})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range g.Faults {
			t.Errorf("off by %v: %v", by, f)
		}
		if tr := looking(g, Vec3{2, 1, 1.5}, Vec3{1, 0, 0}); !tr.Reached(1) {
			t.Errorf("off by %v: not seen through", by)
		}
		if tr := looking(g, Vec3{6, 1, 1.5}, Vec3{-1, 0, 0}); !tr.Reached(0) {
			t.Errorf("off by %v: not seen through from behind", by)
		}
		// Between the face and the portal, aside of it.
		at, room := Vec3{4 + by/2, 1, 3.2}, 0
		if by < 0 {
			room = 1
		}
		if tr := looking(g, at, Vec3{-by, 0, -2}); !tr.Reached(room) {
			t.Errorf("off by %v: not seen from between", by)
		}
	}
}

// A doubled door between the same rooms is told, and opens when one of the two does.
func TestDoubledPortal(t *testing.T) {
	shut := door(0)
	shut.State = Closed
	for _, ps := range [][]Portal{{door(0), shut}, {shut, door(0)}} {
		g, _ := Build(row(), ps)
		if len(g.Faults) != 1 || g.Faults[0] != (Fault{1, -2, Doubled}) {
			t.Errorf("faults %v", g.Faults)
		}
		if !looking(g, Vec3{2, 1, 1.5}, Vec3{1, 0, 0}).Reached(1) {
			t.Error("the open one of two doors lets no light through")
		}
	}
}

// Whatever cannot be measured shows all.
func TestViewsThatAreNone(t *testing.T) {
	g, _ := Build(row(), []Portal{door(0)})
	w := &world{place: place{turn: mgl64.Ident3()}}
	good := w.camera(Vec3{2, 1, 1.5}, Vec3{-1, 0, 0}, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false).View
	nan := math.NaN()
	views := map[string]View{"zero": {}}
	v := good
	v.Eye[1] = nan
	views["eye"] = v
	v = good
	v.Frustum.Planes[2].N[0] = nan
	views["side"] = v
	v = good
	v.Frustum.Planes[4].D = math.Inf(1)
	views["near plane"] = v
	var tr Tracer
	for name, v := range views {
		tr.Trace(g, &v)
		for c := Outside; c < 3; c++ {
			if !tr.Reached(c) {
				t.Errorf("%s: cell %d is not seen", name, c)
			}
		}
		if len(tr.AppendFound(nil)) != 4 || !tr.Sees([]int32{2}, geom.Box{}) {
			t.Errorf("%s: not all is seen", name)
		}
	}
	v = good
	v.Near = nan
	tr.Trace(g, &v)
	if !tr.Reached(0) {
		t.Error("with no near distance the eye's own room is not seen")
	}
	if tr.Sees(nil, geom.EmptyBox()) || !tr.Sees(nil, geom.Box{}) || !tr.Sees([]int32{99}, geom.Box{}) {
		t.Error("an empty box is seen, or a thing in no cell or an unknown one is not")
	}
}

func TestBadPieces(t *testing.T) {
	cells := row()
	cells[1] = []*hull.Hull{nil}
	broken := *cells[2][0]
	broken.Vertices = append([]Vec3{{math.NaN(), 0, 0}}, broken.Vertices...)
	cells[2] = []*hull.Hull{&broken}
	g, _ := Build(cells, []Portal{door(0)})
	if len(g.Faults) != 3 || g.Faults[0] != (Fault{-1, 1, BadCell}) || g.Faults[1] != (Fault{-1, 2, BadCell}) || g.Faults[2].Reason != Adrift {
		t.Errorf("faults %v", g.Faults)
	}
	// The cell that cannot be measured is everywhere.
	if got := g.AppendCells(nil, geom.Box{Min: Vec3{50, 0, 0}, Max: Vec3{51, 1, 1}}); len(got) != 1 || got[0] != 2 {
		t.Errorf("cells of a box far off: %v", got)
	}
	if !looking(g, Vec3{2, 1, 1.5}, Vec3{-1, 0, 0}).Reached(2) {
		t.Error("it is not seen from elsewhere")
	}
}

// Many rooms with many portals in rings end, and soon.
func TestRingsEnd(t *testing.T) {
	var ps []Portal
	cells := row()
	for range 40 {
		for a := range 3 {
			for b := range 3 {
				p := door(0)
				p.From, p.To = a, b
				ps = append(ps, p)
				p.Polygon = nil
				ps = append(ps, p)
			}
		}
	}
	g, _ := Build(cells, ps)
	tr := looking(g, Vec3{2, 1, 1.5}, Vec3{1, 0, 0})
	if tr.steps > maxSteps || !tr.Reached(1) || !tr.Reached(2) {
		t.Errorf("%d looks", tr.steps)
	}
}

// FuzzLinks builds levels of three rooms out of bytes: a portal is its two cells, its
// state and a shape. Traces end, and what a sound subset of the portals shows is seen.
func FuzzLinks(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 1, 2, 0, 0}, uint8(0))
	f.Add([]byte{0, 0, 0, 0, 1, 9, 0, 3, 2, 0, 2, 5, 0, 1, 0, 0, 0, 1, 0, 0}, uint8(3))
	f.Add(binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN())), uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, seed uint8) {
		var ps []Portal
		for ; len(data) >= 4 && len(ps) < 200; data = data[4:] {
			p := Portal{From: int(int8(data[0])) % 6, To: int(int8(data[1])) % 6, State: State(data[2] % 5)}
			q := door(int(data[3]) % 2)
			p.Polygon = q.Polygon
			switch data[3] / 2 % 10 {
			case 0:
				p.Polygon = p.Polygon[:data[2]%5%4]
			case 1:
				p.Polygon[0][int(data[1])%3] = math.NaN()
			case 2:
				p.Polygon[1][int(data[1])%3] += float64(int8(data[2]))
			case 3:
				for i := range p.Polygon {
					p.Polygon[i] = p.Polygon[i].Add(Vec3{float64(data[1]), float64(data[2]), 0})
				}
			case 4:
				p.Polygon = []Vec3{p.Polygon[0], p.Polygon[2], p.Polygon[1], p.Polygon[3]}
			case 5:
				p.Polygon = []Vec3{p.Polygon[3], p.Polygon[2], p.Polygon[1], p.Polygon[0]}
			}
			ps = append(ps, p)
		}
		sound := -1
		for i := range ps { // the links of one door that is beyond doubt
			if i == int(seed)%16 {
				ps[i], sound = door(0), i
			}
		}
		g, err := Build(row(), ps)
		if err != nil {
			t.Fatal(err)
		}
		if n := g.Cells(); n != 3 || g.Portals() != len(ps) {
			t.Fatal("counts")
		}
		r := random(uint64(seed))
		eyes := []Vec3{{2, 1, 1.5}, {4, 1, 1.5}, {4 + 1e-6, 1, 1.5}, {20, 1, 1}, inBox(r, geom.Box{Max: Vec3{12, 3, 4}})}
		for _, eye := range eyes {
			tr := looking(g, eye, vec(r, 1).Add(Vec3{1e-3, 0, 0}))
			for i := range tr.nodes {
				if n := tr.nodes[i].n; n > MaxPlanes {
					t.Fatalf("%d planes", n)
				}
			}
			tr.AppendFound(nil)
			for c := Outside; c < 3; c++ {
				tr.AppendClosed(nil, c)
			}
		}
		tr := looking(g, eyes[0], Vec3{1, 0, 0})
		if sound >= 0 && !tr.Reached(1) {
			t.Fatalf("sound door %d shows nothing among %v", sound, g.Faults)
		}
		for _, f := range g.Faults {
			if f.String() == "" {
				t.Fatal("a fault without words")
			}
		}
	})
}

// Nearer to a portal's plane than the near plane's corners, the eye sees through it
// without a cut, from both sides; a little further off it is cut.
func TestNearPortalDoesNotClip(t *testing.T) {
	g, _ := Build(row(), []Portal{door(0)})
	w := &world{place: place{turn: mgl64.Ident3()}}
	var tr Tracer
	for _, c := range []struct {
		off   float64
		whole bool
	}{{0.05, true}, {0.1, true}, {0.2, false}, {0, true}, {-1e-6, true}, {-0.05, true}, {-0.2, false}} {
		cam := w.camera(Vec3{4 - c.off, 1, 0.5}, Vec3{0, 0, 1}, mgl64.Perspective(0.6, 1, 0.1, 500), 0.1, false)
		other := int32(1)
		if c.off < 0 {
			other = 0
		}
		found := false
		for _, win := range tr.AppendWindows(nil, g, &cam.View) {
			if win.Cell == other {
				found = true
				if (len(win.Planes) == 0) != c.whole {
					t.Errorf("%v m off: %d planes", c.off, len(win.Planes))
				}
			}
		}
		if !found {
			t.Errorf("%v m off: the other room is not seen", c.off)
		}
	}
}
