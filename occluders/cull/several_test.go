package cull_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
)

// Several cameras look at one scene at once, each with its own Culler, and each gets the
// verdicts that it gets alone.
func TestSeveralCameras(t *testing.T) {
	const cameras, rounds = 4, 6
	for kind := range culltest.NumKinds {
		r := rand.New(rand.NewPCG(uint64(kind), 5))
		w, err := culltest.New(r, kind)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := w.Scene()
		if err != nil {
			t.Fatal(err)
		}
		var views [cameras][rounds]*culltest.Camera
		var alone [cameras][rounds][]cull.Verdict
		for i := range views {
			for k := range views[i] {
				var c cull.Culler
				views[i][k] = w.RandomCamera(r, culltest.RandomLens(r))
				alone[i][k] = slices.Clone(c.Run(s, views[i][k].View, views[i][k].Size, cull.All).Verdicts)
			}
		}
		var wait sync.WaitGroup
		for i := range views {
			wait.Go(func() {
				var c cull.Culler
				for k, v := range views[i] {
					if got := c.Run(s, v.View, v.Size, cull.All).Verdicts; !slices.Equal(got, alone[i][k]) {
						t.Errorf("%v: camera %d gets other verdicts in round %d", kind, i, k)
					}
				}
			})
		}
		wait.Wait()
	}
}
