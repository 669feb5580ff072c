package collide

import (
	"testing"
)

// However low the step that may be climbed, the round end of the capsule does not roll
// over what is higher.
func TestLowStepsHold(t *testing.T) {
	for _, c := range []struct {
		limit, rise float64
		over        bool
	}{{0, 0.05, false}, {0.03, 0.1, false}, {0.05, 0.12, false}, {0.05, 0.04, true}, {0.2, 0.12, true}} {
		o := DefaultWalk()
		o.StepUp = c.limit
		w := newWorld(t, plain(0), boxBody(Vec3{2, -1, -20}, Vec3{30, c.rise, 20}))
		k := newWalker(t, w, o, Vec3{0, 0, 0})
		for range 120 {
			k.Update(w, Input{X: 1}, tick)
		}
		if over := k.Feet()[0] > 3; over != c.over {
			t.Errorf("with steps of %g m, at a rise of %g m it came to %v", c.limit, c.rise, k.Feet())
		}
	}
}
