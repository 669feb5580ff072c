package horizon

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// A box of which only the utmost edge shows through a notch of a ridge is not hidden,
// wherever that edge is.
func TestEdgeInANotch(t *testing.T) {
	const n = 129
	h := make([]float32, n*n)
	for col := range n {
		for row := 40; row < 44; row++ {
			if col < 80 || col > 90 {
				h[row*n+col] = 5000 // its ends are all but upright
			}
		}
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	eye := geom.Vec3{64, 3, 10}
	v := cull.ViewOf(eye, mgl64.Perspective(1.5, 1, 0.1, 1000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, 1, 0})))
	test := Of(f).Begin(&v, nil)
	hidden, shown := 0, 0
	for right := 70.0; right < 120; right += 0.01 {
		b := geom.Box{Min: geom.Vec3{66, 1, 80}, Max: geom.Vec3{right, 5, 82}}
		isHidden := test.Hidden(b)
		if isHidden {
			hidden++
		}
		p := geom.Vec3{right, 5, 80}
		if d := p.Sub(eye); !f.Blocked(geom.Ray{Origin: eye, Dir: d}, 1) {
			shown++
			if isHidden {
				t.Fatalf("a box is hidden whose edge at x = %g can be seen", right)
			}
		}
	}
	if hidden < 500 || shown < 100 {
		t.Errorf("%d hidden and %d seen: the test shows little", hidden, shown)
	}
}
