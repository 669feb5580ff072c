package scanline

import "testing"

// One surface more makes the bands hardly coarser, and never finer.
func TestFineness(t *testing.T) {
	step, ends := fineness(0)
	if step != 4 || ends != 128 {
		t.Errorf("with none: %g, %d", step, ends)
	}
	for n := 1; n < 1000; n++ {
		s, e := fineness(n)
		if s < step || s > step*1.02 || e > ends || e < ends-3 {
			t.Errorf("%d surfaces: %g, %d after %g, %d", n, s, e, step, ends)
		}
		step, ends = s, e
	}
	if step != 8 || ends != 32 {
		t.Errorf("with many: %g, %d", step, ends)
	}
}
