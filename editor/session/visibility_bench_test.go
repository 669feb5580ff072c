package session

import (
	"fmt"
	"testing"

	"ridgeline/viewport/overlay"
)

// BenchmarkVisibilityShapes draws a thousand occluders and asks what is under the
// pointer, as each frame in the mode occluder does.
func BenchmarkVisibilityShapes(b *testing.B) {
	p := drafting(b, "mode name=occluder")
	open := p.Document().Begin("boxes")
	for i := range 1000 {
		x, z := float64(i%40)*3, float64(i/40)*4
		p.Run(fmt.Sprintf("occluder.box min=%g,0,%g max=%g,2,%g name=B%d", x, z, x+2, z+2, i))
	}
	if err := open.Commit(); err != nil {
		b.Fatal(err)
	}
	p.Select(500)
	p.move(64, 0, 64)
	var s overlay.Shapes
	f := p.View.Rig.Camera.Frustum(p.View.sizeVec())
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		p.AppendShapes(&s, &f)
		p.Ring()
	}
}
