package cull_test

import (
	"math/rand/v2"
	"testing"

	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/portal"
)

// In these worlds a cell of several pieces lies around a narrow corner, so that parts
// of it are nearer to a portal from behind than from before. The portal must not be
// turned around for it: that once removed what can be seen.
func TestPortalsInCorners(t *testing.T) {
	views := 1500
	if raceEnabled || testing.Short() {
		views = 50
	}
	var p prover
	for _, seed := range []uint64{1468, 1478, 8153, 9348, 16113} {
		r := rand.New(rand.NewPCG(seed, 11))
		w, err := culltest.New(r, culltest.House)
		if err != nil {
			t.Fatal(err)
		}
		s, found, err := w.Scene()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Reason == portal.WrongWay {
				t.Errorf("world %d: %v", seed, f)
			}
		}
		for range views {
			if err := p.try(r, w, s, w.RandomCamera(r, culltest.RandomLens(r)), 250); err != nil {
				t.Errorf("world %d: %v", seed, err)
				break
			}
		}
	}
}
