package session

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/editor/tool"
)

// resize changes the brush's size by moving the pointer while a key is held. The
// same key, tapped, frames the level, so it matters whether the pointer moved.
type resize struct {
	state  resizeState
	from   mgl64.Vec2 // the pointer when the key went down
	radius float64    // then
	at     tool.Preview
}

type resizeState uint8

const (
	resizeOff       resizeState = iota
	resizeReady                 // the key is down, there is a brush
	resizeIdle                  // the key is down, there is none
	resizeMoved                 // the brush has been resized
	resizeCancelled             // and put back
)

// doubling is how many dp to the right double the brush.
const doubling = 100

func (r *resize) on() bool { return r.state == resizeReady || r.state == resizeMoved }

func (r *resize) begin(s *Session) {
	v := &s.View
	r.state = resizeIdle
	if s.drag != nil || !s.Brushing() || !v.over {
		return
	}
	r.state, r.from, r.radius = resizeReady, v.pointer, s.Brush.Radius
	r.at = s.Tool().Hover(s.Level(), s.hoverInput())
}

func (r *resize) move(s *Session, p Pointer) {
	d := (p.X - r.from[0]) / (doubling * float64(s.View.scale))
	if math.Abs(d) > 0.02 {
		r.state = resizeMoved
	}
	if r.state == resizeMoved {
		s.Brush.Set(tool.Radius, tool.Readable(r.radius*math.Exp2(d)))
	}
}

func (r *resize) preview(s *Session) tool.Preview {
	p := r.at
	p.Radius, p.Inner = s.Brush.Radius, s.Brush.Radius*s.Brush.Hardness
	return p
}

// end is the release of the key. It reports whether it was only tapped.
func (r *resize) end() (tapped bool) {
	tapped = r.state == resizeReady || r.state == resizeIdle
	r.state = resizeOff
	return tapped
}

// stop keeps the size, as the brush is put away. The release of the key is no tap
// then.
func (r *resize) stop() {
	if r.on() {
		r.state = resizeCancelled
	}
}

// cancel takes the old size back. It reports whether there was a new one.
func (r *resize) cancel(s *Session) bool {
	if !r.on() {
		return false
	}
	s.Brush.Radius = r.radius
	r.state = resizeCancelled
	return true
}
