package portal

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// Most of what no light reaches is removed, so that seeing all would not pass.
func TestMostOfWhatIsHiddenIsRemoved(t *testing.T) {
	r := random(21)
	for _, c := range []struct {
		name string
		plan plan
		want float64
	}{
		{"rooms with doors", plan{nx: 8, ny: 1, nz: 8, doors: 0.4}, 0.9},
		{"thick walls", plan{nx: 8, ny: 1, nz: 8, doors: 0.4, wall: 0.3}, 0.9},
		{"houses apart", plan{nx: 8, ny: 1, nz: 8, doors: 0.3, missing: 0.5}, 0.85},
		{"open everywhere", plan{nx: 6, ny: 2, nz: 6, doors: 0.9}, 0.6},
	} {
		c.plan.place = place{turn: mgl64.Rotate3DY(0.4), at: Vec3{1e5, 0, 2e4}}
		var tr Tracer
		var scratch []stretch
		removed, hidden := 0, 0
		for range 4 {
			w := newWorld(r, c.plan)
			room := w.rooms[r.IntN(len(w.rooms))]
			for turn := range 3 {
				look := mgl64.Rotate3DY(float64(turn) * 2).Mul3x1(Vec3{1, 0, 0})
				cam := w.camera(room.Center(), look, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false)
				tr.Trace(w.graph, &cam.View)
				for range 150 {
					p := inBox(r, w.rooms[r.IntN(len(w.rooms))])
					box := geom.BoxOf(w.out(p)).Add(w.out(p.Add(Vec3{0.3, 0.3, 0.3})))
					if cam.Frustum.Box(box) == geom.Outside {
						continue
					}
					seen := false
					for range 40 {
						q := inBox(r, geom.BoxOf(p, p.Add(Vec3{0.3, 0.3, 0.3})))
						if s, ok := w.begins(cam, q); ok && w.lit(s, q, &scratch) {
							seen = true
							break
						}
					}
					if seen {
						continue
					}
					hidden++
					if !tr.Sees(w.graph.AppendCells(nil, box), box) {
						removed++
					}
				}
			}
		}
		share := float64(removed) / float64(hidden)
		t.Logf("%s: %d of %d hidden things removed, %.0f %%", c.name, removed, hidden, share*100)
		if hidden < 100 || share < c.want {
			t.Errorf("%s: only %.0f %% removed", c.name, share*100)
		}
	}
}

// A door shut hides the room behind it, and the tracer says which door it was.
func TestClosedPortalIsNamed(t *testing.T) {
	w := &world{place: place{turn: mgl64.Ident3()}, count: 3, cell: []int{0, 1, 2}}
	for i := range 3 {
		x := float64(4 * i)
		w.rooms = append(w.rooms, geom.Box{Min: Vec3{x, 0, 0}, Max: Vec3{x + 4, 3, 4}})
	}
	for i := range 2 {
		x := float64(4*i + 4)
		w.openings = append(w.openings, opening{Portal: Portal{From: i, To: i + 1, // the normal points against x
			Polygon: []Vec3{{x, 0, 1}, {x, 0, 2}, {x, 2, 2}, {x, 2, 1}}}})
	}
	w.build()
	if len(w.graph.Faults) > 0 {
		t.Fatal(w.graph.Faults)
	}
	east := w.camera(Vec3{2, 1, 1.5}, Vec3{1, 0, 0}, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false)
	var tr Tracer
	closed := func(g *Graph, cell int, want ...int32) {
		t.Helper()
		tr.Trace(g, &east.View)
		got := tr.AppendClosed(nil, cell)
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("portals that hide cell %d: %v, want %v", cell, got, want)
		}
		if tr.Reached(cell) == (len(want) > 0) {
			t.Errorf("cell %d reached: %v", cell, tr.Reached(cell))
		}
	}
	g := w.graph
	closed(g, 1)
	closed(g, 2)
	closed(g.SetState(0, Closed), 2, 0)
	closed(g.SetState(1, Closed), 2, 1)
	closed(g.SetState(1, Closed), 1)
	closed(g.SetState(0, OneWay), 1)
	closed(g, 2) // the graph itself is as it was
	if n, ok := tr.Depth(2); !ok || n != 2 {
		t.Errorf("depth of the third room: %d, %v", n, ok)
	}
	// The other way a one-way door stops the light.
	west := w.camera(Vec3{10, 1, 1.5}, Vec3{-1, 0, 0}, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false)
	tr.Trace(g.SetState(1, OneWay), &west.View)
	if got := tr.AppendClosed(nil, 0); tr.Reached(1) || len(got) != 1 || got[0] != 1 {
		t.Errorf("a one-way door from behind: reached %v, closed %v", tr.Reached(1), got)
	}
	// Looking away, no closed door is to blame.
	away := w.camera(Vec3{2, 1, 1.5}, Vec3{-1, 0, 0}, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false)
	tr.Trace(g.SetState(0, Closed), &away.View)
	if got := tr.AppendClosed(nil, 2); len(got) > 0 {
		t.Errorf("doors behind the eye are said to hide: %v", got)
	}
}

// The eye outside sees all that is outside, and rooms only through their openings.
func TestOutsideIsNeverRemoved(t *testing.T) {
	w := newWorld(random(4), plan{nx: 5, ny: 1, nz: 5, missing: 0.3, doors: 0.2, place: place{turn: mgl64.Ident3()}})
	eye := Vec3{-10, 1.5, w.box.Max[2] / 2}
	c := w.camera(eye, Vec3{1, 0, 0}, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false)
	var tr Tracer
	tr.Trace(w.graph, &c.View)
	reached := 0
	for i := range w.count {
		if tr.Reached(i) {
			reached++
		}
	}
	if reached == 0 || reached == w.count {
		t.Errorf("%d of %d rooms reached", reached, w.count)
	}
	r := random(9)
	for range 500 {
		p := vec(r, 100)
		box := geom.Box{Min: p, Max: p.Add(Vec3{1, 1, 1})}
		cells := w.graph.AppendCells(nil, box)
		if cells[0] == Outside && !tr.Sees(cells, box) {
			t.Fatalf("%v is outside and not seen", box)
		}
	}
}

// Windows fit what the tracer answers, and their cones what they show.
func TestWindowsTellTheSame(t *testing.T) {
	for _, far := range []float64{0, 1e5} {
		p := place{turn: mgl64.Rotate3DY(0.7), at: Vec3{far, 0, -far}}
		w := newWorld(random(8), plan{nx: 6, ny: 1, nz: 6, doors: 0.5, missing: 0.1, place: p})
		var tr Tracer
		var dst []Window
		r := random(2)
		clipped := 0
		for _, c := range w.around(40) {
			dst = tr.AppendWindows(dst[:0], w.graph, &c.View)
			depth := int32(0)
			for i := range dst {
				win := &dst[i]
				if int(win.Depth) != len(win.Through) || win.Depth < depth {
					t.Fatalf("window %d: depth %d, through %v, after depth %d", i, win.Depth, win.Through, depth)
				}
				depth = win.Depth
				if len(win.Planes) != len(win.Corners) || len(win.Planes) > MaxPlanes {
					t.Fatalf("%d planes, %d corners", len(win.Planes), len(win.Corners))
				}
				used := map[int32]bool{}
				for _, q := range win.Through {
					if used[q] {
						t.Fatalf("a portal twice on one path: %v", win.Through)
					}
					used[q] = true
				}
				for _, q := range win.Planes {
					if !(q.Distance(c.Eye) < 1e-9*(1+far) && q.Distance(c.Eye) > -1e-9*(1+far)) {
						t.Fatalf("a plane %g m from the eye", q.Distance(c.Eye))
					}
					for _, k := range win.Corners {
						clipped++
						if !(q.Distance(k) > -1e-7*(1+far/1e3)) {
							t.Fatalf("a corner %g m out of its own cone", q.Distance(k))
						}
					}
				}
			}
			for range 100 {
				q := w.out(inBox(r, w.box))
				box := geom.Box{Min: q, Max: q.Add(Vec3{0.4, 0.4, 0.4})}
				cells := w.graph.AppendCells(nil, box)
				want := false
				for i := range dst {
					for _, k := range cells {
						want = want || dst[i].Cell == k && dst[i].Box(box) != geom.Outside
					}
				}
				if got := tr.Sees(cells, box); got != want {
					t.Fatalf("Sees %v, windows %v", got, want)
				}
			}
		}
		if clipped == 0 {
			t.Error("no window was clipped")
		}
	}
}

func TestWarmTracesTakeNoMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	w := grid(10, 0.7)
	views := w.around(32)
	var tr Tracer
	var dst []Window
	var cells []int32
	box := geom.Box{Min: w.box.Center(), Max: w.box.Center().Add(Vec3{1, 1, 1})}
	i := 0
	do := func() {
		dst = tr.AppendWindows(dst[:0], w.graph, &views[i%len(views)].View)
		cells = w.graph.AppendCells(cells[:0], box)
		tr.Sees(cells, box)
		i++
	}
	for range 100 {
		do()
	}
	if n := testing.AllocsPerRun(100, do); n > 0 {
		t.Errorf("a trace takes memory %v times", n)
	}
}
