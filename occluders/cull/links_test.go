package cull_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
)

// hostile is a portal as no editor would make it: to itself, to nothing, to anywhere,
// bent, turned, thin or of no numbers. Half of them stand where a good one does.
func hostile(r *rand.Rand, good []portal.Portal, cells int) portal.Portal {
	p := portal.Portal{From: r.IntN(cells+2) - 1, To: r.IntN(cells+2) - 1, State: portal.State(r.IntN(4))}
	if len(good) > 0 && r.IntN(4) > 0 {
		g := good[r.IntN(len(good))]
		p.Polygon = append(p.Polygon, g.Polygon...)
		switch r.IntN(4) {
		case 0:
			p.From, p.To = g.From, g.To
		case 1:
			p.From, p.To = g.To, g.From
		case 2:
			p.From, p.To = g.From, g.From
		}
	} else {
		for range r.IntN(7) {
			p.Polygon = append(p.Polygon, geom.Vec3{20 * r.Float64(), 5 * r.Float64(), 20 * r.Float64()})
		}
	}
	switch n := len(p.Polygon); r.IntN(9) {
	case 0:
		p.From = []int{-7, cells, math.MaxInt, math.MinInt}[r.IntN(4)]
	case 1:
		if n > 0 {
			p.Polygon[r.IntN(n)][r.IntN(3)] = []float64{math.NaN(), math.Inf(1), 1e300, -1e18}[r.IntN(4)]
		}
	case 2:
		if n > 0 {
			p.Polygon[r.IntN(n)][r.IntN(3)] += r.NormFloat64()
		}
	case 3:
		for i := range n / 2 {
			p.Polygon[i], p.Polygon[n-1-i] = p.Polygon[n-1-i], p.Polygon[i]
		}
	case 4:
		r.Shuffle(n, func(i, j int) { p.Polygon[i], p.Polygon[j] = p.Polygon[j], p.Polygon[i] })
	case 5:
		p.Polygon = p.Polygon[:r.IntN(n+1)]
	}
	return p
}

// Traces through portals of any kind end, and those that are added to good ones hide
// nothing that can be seen, whatever they are. They show more; what was drawn to be sure
// alone, as a window had too many planes, may go.
func tryLinks(t *testing.T, seed uint64, views int) (more int) {
	r := rand.New(rand.NewPCG(seed, 13))
	w, err := culltest.New(r, culltest.House)
	if err != nil {
		t.Fatal(err)
	}
	good, _, err := w.Scene()
	if err != nil {
		t.Fatal(err)
	}
	cells := len(w.Cells)
	doors := append([]portal.Portal(nil), w.Portals...)
	var extra []portal.Portal
	for range 1 + r.IntN(8) {
		extra = append(extra, hostile(r, doors, cells))
	}
	for range r.IntN(3) { // doubled, and in a circle
		extra = append(extra, extra[r.IntN(len(extra))])
	}
	for i := range r.IntN(cells + 1) {
		extra = append(extra, hostile(r, doors, cells))
		extra[len(extra)-1].From, extra[len(extra)-1].To = i, (i+1)%cells
	}
	w.Portals = append(append([]portal.Portal(nil), doors...), extra...)
	bad, _, err := w.Scene()
	if err != nil {
		t.Fatal(err)
	}
	w.Portals = doors
	var a, b cull.Culler
	var removed []int32
	for range views {
		c := w.RandomCamera(r, culltest.RandomLens(r))
		before := a.Run(good, c.View, c.Size, cull.Only(cull.Portal)).Verdicts
		after := b.Run(bad, c.View, c.Size, cull.Only(cull.Portal)).Verdicts
		removed = removed[:0]
		for e := range before {
			if after[e] != cull.Drawn {
				removed = append(removed, int32(e))
			} else if before[e] != cull.Drawn {
				more++
			}
		}
		if f, found := w.Search(r, c, removed, 100); found {
			t.Fatalf("seed %d: entry %d %v can be seen from %v along %v and is %v with %d portals more: %v",
				seed, f.Entry, w.Boxes[f.Entry], f.Sight.From, f.Sight.Dir, after[f.Entry], len(extra), extra)
		}
	}
	return more
}

func TestHostileLinksDrawMore(t *testing.T) {
	n := 300
	if raceEnabled || testing.Short() {
		n = 30
	}
	more := 0
	for seed := range n {
		more += tryLinks(t, uint64(seed), 10)
	}
	if more == 0 {
		t.Error("no portal shows anything more")
	}
}

func FuzzLinks(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { tryLinks(t, seed, 3) })
}
