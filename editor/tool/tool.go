package tool

import (
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/occluders/geom"
)

// Modifiers are the keys held with the mouse.
type Modifiers uint8

// The modifiers.
const (
	Ctrl Modifiers = 1 << iota
	Shift
	Alt
)

// Input is one event of the pointer.
type Input struct {
	Ray       geom.Ray // from the eye through the pointer, in the world
	Modifiers Modifiers
	Time      time.Duration // on a clock of the host's that never goes back
}

// Preview is what to show under the pointer: a ring on the ground.
type Preview struct {
	OK     bool // there is something to show
	Center mgl64.Vec3
	Radius float64 // of the brush
	Inner  float64 // up to here it has its full strength
}

// Tool is a mode of the mouse.
type Tool interface {
	// ID names the tool in settings and keys, such as "sculpt".
	ID() string
	// Hover tells what to show while no button is pressed.
	Hover(*document.Level, Input) Preview
	// Press begins a drag. It gives none, and no error, where there is nothing to
	// drag, as in the sky.
	Press(*command.Env, Input) (Drag, error)
}

// Drag is a gesture from press to release. After an error, End or Cancel it is
// over; an error has taken back what the drag did. The error is document.ErrClosed
// when somebody else ended it, as undo does.
type Drag interface {
	// Move follows the pointer. What it does shows from the next Tick on.
	Move(Input) error
	// Tick is called once before each frame with the time on the clock of Input.
	Tick(now time.Duration) error
	// Preview is what to show during the drag.
	Preview() Preview
	// End keeps what the drag did, as one step of history.
	End(now time.Duration) error
	// Cancel takes it back.
	Cancel()
}

// Select picks things. The ground cannot be selected, so for now a click with it
// does nothing.
type Select struct{}

// ID implements Tool.
func (Select) ID() string { return "select" }

// Hover implements Tool.
func (Select) Hover(*document.Level, Input) Preview { return Preview{} }

// Press implements Tool.
func (Select) Press(*command.Env, Input) (Drag, error) { return nil, nil }
