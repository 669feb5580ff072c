package cull_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
)

// views is how many random views are tried: 15 000, a million in soak, few under the
// race detector.
func views() int {
	switch {
	case os.Getenv("RIDGELINE_SOAK") != "":
		return 1_000_000
	case raceEnabled || testing.Short():
		return 600
	}
	return 15_000
}

const viewsOfWorld = 15

// tally counts what tests removed of what is surely hidden.
type tally struct{ hidden, removed int }

func (t *tally) add(removed bool) {
	t.hidden++
	if removed {
		t.removed++
	}
}

func (t tally) share() float64 {
	if t.hidden == 0 {
		return 0
	}
	return float64(t.removed) / float64(t.hidden)
}

// runs are the sets of tests that are tried: each alone, and all.
var runs = [...]cull.Tests{cull.Only(cull.Frustum), cull.Only(cull.Portal), cull.Only(cull.Occluder), cull.All}

// prover runs views of one world and compares them with lines of sight.
type prover struct {
	culler  cull.Culler
	removed []int32
	by      [len(runs)][]cull.Verdict
}

// try runs a view; it gives an entry that was removed and can be seen.
func (p *prover) try(r *rand.Rand, w *culltest.World, s *cull.Scene, c *culltest.Camera, rays int) error {
	for i, tests := range runs {
		p.by[i] = append(p.by[i][:0], p.culler.Run(s, c.View, c.Size, tests).Verdicts...)
	}
	p.removed = p.removed[:0]
	for e := range w.Boxes {
		for i := range runs {
			if p.by[i][e] != cull.Drawn {
				p.removed = append(p.removed, int32(e))
				break
			}
		}
	}
	f, found := w.Search(r, c, p.removed, rays)
	if !found {
		return nil
	}
	var by []cull.Verdict
	for i := range runs {
		by = append(by, p.by[i][f.Entry])
	}
	return fmt.Errorf("entry %d %v was removed (%v) and can be seen from %v along %v at depth %g; camera %q, ortho %v, half %g, near %g, forward %v",
		f.Entry, w.Boxes[f.Entry], by, f.Sight.From, f.Sight.Dir, f.Depth, c.Kind, c.View.Ortho, c.Half, c.Near, c.Forward)
}

// TestNothingSeenIsRemoved is the proof of the law: what any set of tests removes has no
// line of sight. And what has surely none is removed, most of it.
func TestNothingSeenIsRemoved(t *testing.T) {
	var p prover
	var byFrustum, byPortal, byOccluder, all tally
	failures, unsure, kinds := 0, 0, map[string]int{}
	for seed := range views() / viewsOfWorld {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		kind := culltest.Kind(seed % int(culltest.NumKinds))
		w, err := culltest.New(r, kind)
		if err != nil {
			t.Fatalf("%v %d: %v", kind, seed, err)
		}
		s, found, err := w.Scene()
		if err != nil {
			t.Fatalf("%v %d: %v", kind, seed, err)
		}
		for _, f := range found {
			switch f.Reason {
			case portal.Doubled:
			case portal.NotBetween, portal.Adrift: // then more is drawn
				unsure++
			default:
				t.Errorf("%v %d: the graph says: %v", kind, seed, f)
			}
		}
		for view := range viewsOfWorld {
			c := w.RandomCamera(r, culltest.RandomLens(r))
			kinds[c.Kind]++
			if err := p.try(r, w, s, c, 250); err != nil {
				t.Errorf("%v %d, view %d: %v", kind, seed, view, err)
				if failures++; failures > 10 {
					t.FailNow()
				}
				continue
			}
			if view%4 > 0 {
				continue
			}
			for e, b := range w.Boxes {
				if !c.Sees(b) {
					byFrustum.add(p.by[0][e] == cull.ByFrustum)
					continue
				}
				walls := w.InRoom(b) && !w.Seen(c, b, culltest.Walls, func(int) geom.Vec3 { return culltest.PointOf(r, b) }, 20)
				hull := w.Shadowed(c, b)
				if walls {
					byPortal.add(p.by[1][e] == cull.ByPortal)
				}
				if hull {
					byOccluder.add(p.by[2][e] == cull.ByOccluder)
				}
				if walls || hull {
					all.add(p.by[3][e] != cull.Drawn)
				}
			}
		}
	}
	t.Logf("cameras: %v", kinds)
	if unsure > 3+views()/2000 {
		t.Errorf("of %d portals the graph doesn't know where their cells are", unsure)
	}
	for _, c := range []struct {
		name  string
		tally tally
		want  float64
	}{{"frustum", byFrustum, 0.95}, {"portal", byPortal, 0.7}, {"occluder", byOccluder, 0.75}, {"all", all, 0.7}} {
		t.Logf("%s: %d of %d surely hidden are removed, %.1f %%", c.name, c.tally.removed, c.tally.hidden, 100*c.tally.share())
		if c.tally.share() < c.want {
			t.Errorf("%s removes %.1f %% of what is surely hidden, expected %.0f %%", c.name, 100*c.tally.share(), 100*c.want)
		}
	}
}
