package portal

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// A portal finds the cells that it was drawn between, whatever the wall's thickness.
func TestLinkFindsTheCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		w := newWorld(r, plan{
			nx: 3, ny: 2, nz: 3, missing: 0.3, joined: []float64{0, 0.3}[r.IntN(2)],
			wall: []float64{0, 0.001, 0.3}[rapid.IntRange(0, 2).Draw(t, "wall")], doors: 0.6, place: drawPlace(t, r),
		})
		cells, portals := w.cells(), w.portals()
		for _, f := range w.graph.Faults {
			if f.Reason != Doubled {
				t.Fatalf("a sound portal has a fault: %v", f)
			}
		}
		for i, p := range portals {
			from, to, ok := Link(cells, p.Polygon, 0.4)
			if !ok || from != p.From || to != p.To {
				t.Fatalf("portal %d links %d and %d (%v), was drawn between %d and %d", i, from, to, ok, p.From, p.To)
			}
			// Cells out of reach change nothing.
			s, _ := shapeOf(p.Polygon)
			g, _ := bare(cells, p.Polygon)
			for _, reach := range []float64{0, 0.1, 0.4, 2, 1e9} {
				from, to, ok := Link(cells, p.Polygon, reach)
				if from2, to2, ok2 := between(g, &s, reach); from != from2 || to != to2 || ok != ok2 {
					t.Fatalf("portal %d within %g links %d and %d (%v), among all cells %d and %d (%v)", i, reach, from, to, ok, from2, to2, ok2)
				}
			}
			slices.Reverse(p.Polygon)
			if from, to, ok := Link(cells, p.Polygon, 0.4); !ok || from != p.To || to != p.From {
				t.Fatalf("turned portal %d links %d and %d (%v)", i, from, to, ok)
			}
			slices.Reverse(p.Polygon)
		}
		// Without reach a thick wall parts it from one cell at least.
		if o := w.openings; len(o) > 0 && o[0].hi-o[0].lo > 0.1 {
			from, to, _ := Link(cells, portals[0].Polygon, 0)
			if from != Outside && to != Outside {
				t.Fatalf("no reach, yet %d and %d", from, to)
			}
		}
	})
}

func TestLinkOffTheFace(t *testing.T) {
	for _, by := range []float64{-0.3, -0.05, 0, 0.05, 0.3} {
		p := door(0)
		for i := range p.Polygon {
			p.Polygon[i][0] += by
		}
		if from, to, ok := Link(row(), p.Polygon, 0.5); !ok || from != 0 || to != 1 {
			t.Errorf("off by %v: %d and %d, %v", by, from, to, ok)
		}
		p.Polygon = []Vec3{{by, 0, 1}, {by, 0, 2}, {by, 2, 2}, {by, 2, 1}}
		if from, to, ok := Link(row(), p.Polygon, 0.5); !ok || from != Outside || to != 0 {
			t.Errorf("outer wall, off by %v: %d and %d, %v", by, from, to, ok)
		}
	}
	for _, bad := range [][]Vec3{nil, {{0, 0, 0}}, {{4, 0, 1}, {4, 1, 1}, {4, 2, 1}}, {{50, 0, 0}, {50, 0, 1}, {50, 1, 0}}, {{2, 0, 1}, {2, 0, 2}, {2, 2, 1}}} {
		if _, _, ok := Link(row(), bad, 0.5); ok {
			t.Errorf("%v links something", bad)
		}
	}
	if _, _, ok := Link(row(), door(0).Polygon, math.NaN()); ok {
		t.Error("a reach that is no number links something")
	}
}

func TestSnapToFace(t *testing.T) {
	tilted := func(by, turn float64) []Vec3 {
		p := door(0).Polygon
		m := mgl64.Rotate3DY(turn)
		for i := range p {
			p[i] = m.Mul3x1(p[i].Sub(Vec3{4, 1, 1.5})).Add(Vec3{4 + by, 1, 1.5})
		}
		return p
	}
	for _, by := range []float64{-0.3, 0, 1e-9, 0.2} {
		for _, turn := range []float64{0, 0.1, -0.3} {
			p := tilted(by, turn)
			was := slices.Clone(p)
			got, moved, ok := SnapToFace(row(), p, 1)
			if !ok || !slices.Equal(p, was) {
				t.Fatalf("off by %v, turned by %v: %v, polygon now %v", by, turn, ok, p)
			}
			far := 0.0
			for i, q := range got {
				far = max(far, q.Sub(p[i]).Len())
				if math.Abs(q[0]-4) > 1e-12 {
					t.Errorf("%v is not on the face", q)
				}
			}
			if math.Abs(far-moved) > 1e-12 {
				t.Errorf("moved %v, said %v", far, moved)
			}
		}
	}
	for name, p := range map[string][]Vec3{"far": tilted(-1.9, 0), "beside": {{4, 0, 9}, {4, 0, 10}, {4, 2, 10}}, "none": nil} {
		if got, moved, ok := SnapToFace(row(), p, 1); ok || moved != 0 || len(got) != len(p) {
			t.Errorf("%s: snapped by %v to %v", name, moved, got)
		}
	}
}

func TestCheckPortal(t *testing.T) {
	off := door(0)
	for i := range off.Polygon {
		off.Polygon[i][0] += 0.25
	}
	wrong := door(0)
	slices.Reverse(wrong.Polygon)
	astray := door(0)
	astray.To = 2
	check := func(name string, want Report, reason Reason, p Portal) {
		t.Helper()
		got := CheckPortal(row(), &p)
		var r Reason
		if len(got.Faults) > 0 {
			r = got.Faults[0].Reason
		}
		if r != reason || math.Abs(got.Off-want.Off) > 1e-9 || math.Abs(got.Gap-want.Gap) > 1e-9 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	check("sound", Report{}, 0, door(0))
	check("off", Report{Off: 0.25, Gap: 0.25}, 0, off)
	check("faces the wrong way", Report{}, WrongWay, wrong)
	check("to a room far away", Report{}, Adrift, astray)
	if r := CheckPortal(row(), &Portal{From: 0, To: 1}); !math.IsInf(r.Off, 1) || r.Faults[0].Reason != Degenerate {
		t.Errorf("no polygon: %+v", r)
	}
}

func TestCheckCells(t *testing.T) {
	id := place{turn: mgl64.Ident3()}
	cells := row() // they touch
	if got, whole, err := CheckCells(t.Context(), cells, 9); len(got) != 0 || !whole || err != nil {
		t.Errorf("rooms that touch overlap: %v, %v, %v", got, whole, err)
	}
	cells = append(cells, []*hull.Hull{
		boxHull(geom.Box{Min: Vec3{3.9, 1, 1}, Max: Vec3{4.1, 2, 2}}, id),
		boxHull(geom.Box{Min: Vec3{4, 1, 1}, Max: Vec3{4.2, 2, 2}}, id),
		nil,
	})
	if got, whole, err := CheckCells(t.Context(), cells, 9); !slices.Equal(got, []Overlap{{0, 3}, {1, 3}}) || !whole || err != nil {
		t.Errorf("overlaps %v, %v, %v", got, whole, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got, _, err := CheckCells(gone, cells, 9); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", got, err)
	}
}

// However many cells overlap, no more pairs are found than asked for, but for those
// that tell of each cell that does.
func TestCheckCellsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := make([][]*hull.Hull, rapid.IntRange(0, 24).Draw(t, "cells"))
		num := func() float64 { return float64(rapid.IntRange(0, 12).Draw(t, "x")) }
		for i := range cells {
			for range rapid.IntRange(0, 2).Draw(t, "pieces") {
				p := Vec3{num(), num(), num()}
				cells[i] = append(cells[i], boxHull(geom.Box{Min: p, Max: p.Add(Vec3{3, 3, 3})}, place{turn: mgl64.Ident3()}))
			}
		}
		all, whole, err := CheckCells(context.Background(), cells, 1<<20)
		if !whole || err != nil {
			t.Fatal(whole, err)
		}
		var want []Overlap
		for a := range cells {
			for b := a + 1; b < len(cells); b++ {
				if slices.ContainsFunc(cells[a], func(h *hull.Hull) bool { return slices.ContainsFunc(cells[b], h.Overlaps) }) {
					want = append(want, Overlap{a, b})
				}
			}
		}
		if !slices.Equal(all, want) {
			t.Fatalf("%v, expected %v", all, want)
		}
		most := rapid.IntRange(0, 30).Draw(t, "most")
		some, whole, err := CheckCells(context.Background(), cells, most)
		if err != nil || len(some) > most+len(cells) || whole && !slices.Equal(some, all) {
			t.Fatalf("at most %d: %v of %v, %v, %v", most, some, all, whole, err)
		}
		of := func(list []Overlap) map[int]bool {
			out := map[int]bool{}
			for _, o := range list {
				out[o.A], out[o.B] = true, true
			}
			return out
		}
		if !maps.Equal(of(some), of(all)) {
			t.Fatalf("at most %d: %v do not tell of all in %v", most, some, all)
		}
		for _, o := range some {
			if !slices.Contains(all, o) {
				t.Fatalf("%v does not overlap", o)
			}
		}
	})
}

// The cells of a box are those of all its points, and no others than its neighbours'.
func TestCellsOfBoxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		w := newWorld(r, plan{
			nx: rapid.IntRange(1, 6).Draw(t, "nx"), ny: 2, nz: 4, missing: 0.2, joined: 0.2,
			wall: []float64{0, 0.3}[r.IntN(2)], doors: 0.4, place: drawPlace(t, r),
		})
		if len(w.rooms) == 0 {
			return
		}
		for range 50 {
			p := inBox(r, grow(w.box, 2))
			if r.IntN(3) == 0 { // on a wall
				a := r.IntN(3)
				p[a] = w.rooms[r.IntN(len(w.rooms))].Max[a]
			}
			size := math.Exp(r.Float64()*8-6) / 2
			box := grow(geom.BoxOf(w.out(p)), size)
			cells := w.graph.AppendCells(nil, box)
			if !slices.IsSorted(cells) || len(slices.Compact(slices.Clone(cells))) != len(cells) {
				t.Fatalf("cells %v", cells)
			}
			for range 20 {
				q := inBox(r, box)
				c, ok := w.graph.Cell(q)
				want := Outside
				for i, b := range w.rooms {
					if b.Contains(w.in(q)) {
						want = w.cell[i]
						break
					}
				}
				if ok != (c != Outside) || c != want && !grow(geom.BoxOf(q), 1e-6).Contains(q) {
					t.Fatalf("point %v in cell %d, want %d", q, c, want)
				}
				if !slices.Contains(cells, int32(c)) {
					t.Fatalf("box %v is in %v, its point %v in %d", box, cells, q, c)
				}
			}
			// No cell that is far from it.
			for i, b := range w.rooms {
				near := b.DistanceTo(p) <= 3*size+2.5 // seen turned, and as deep as a wall, in an opening
				if slices.Contains(cells, int32(w.cell[i])) || near {
					cells = slices.DeleteFunc(cells, func(c int32) bool { return near && c == int32(w.cell[i]) })
				}
			}
			if len(cells) > 0 && (len(cells) > 1 || cells[0] != Outside) {
				t.Fatalf("box around %v, %v wide, is in %v too", p, 2*size, cells)
			}
		}
	})
}

func TestNeighbours(t *testing.T) {
	g, _ := Build(row(), []Portal{door(1), door(0), {From: 0, To: Outside, Polygon: []Vec3{{0, 0, 1}, {0, 2, 1}, {0, 2, 2}, {0, 0, 2}}}, door(0)})
	if got := g.AppendNeighbours([]int32{9}, 0); !slices.Equal(got, []int32{9, Outside, 1}) {
		t.Errorf("neighbours %v", got)
	}
	if got := g.AppendPortals(nil, Outside); !slices.Equal(got, []int32{2}) {
		t.Errorf("portals of outside %v", got)
	}
	if got := g.AppendNeighbours(nil, 3); got != nil {
		t.Errorf("neighbours of no cell %v", got)
	}
	if g.State(2) != Open || g.State(9) != Closed || g.SetState(9, Open) != g || g.SetState(1, 77).State(1) != Open {
		t.Error("states")
	}
	if _, err := Build(make([][]*hull.Hull, MaxCount+1), nil); err != ErrTooMany {
		t.Errorf("too many cells: %v", err)
	}
}
