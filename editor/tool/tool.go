package tool

import (
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/camera"
	"ridgeline/viewport/overlay"
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

	Pixel  mgl64.Vec2    // of the viewport, from its top left corner
	Camera camera.Camera // that the viewport looks through
	Size   mgl64.Vec2    // of the viewport, pixels
	Scale  float64       // pixels per dp
	Scene  *scene.Scene  // what stands in the level
	Shown  Kinds         // what of visibility is drawn, and can be clicked
}

// Preview is what to show under the pointer: a ring on the ground, a thing that
// would be placed, what a press would take hold of. Two that are equal look the
// same.
type Preview struct {
	OK     bool // there is something to show
	Center mgl64.Vec3
	Radius float64 // of the brush
	Inner  float64 // up to here it has its full strength

	Entity document.ID // the thing under the pointer, that a click would take; 0 for none
	Handle int         // of the gizmo, that a press would drag; 0 for none
	Grip   int         // a corner, an edge or a face that a press would take; 0 for none
	Pull   float64     // metres that something is pulled to
	Ghost  Ghost
}

// Ghost is a thing that a click would place.
type Ghost struct {
	Asset string // "" for none
	World mgl64.Mat4
}

// Marquee is a rectangle of pixels that is being drawn to select what is in it.
type Marquee struct{ From, To mgl64.Vec2 }

// Shaper is a tool or drag that draws more than its preview.
type Shaper interface {
	// AppendShapes draws what belongs to the tool, as seen by in.
	AppendShapes(dst *overlay.Shapes, l *document.Level, in Input)
}

// Lasting is a drag that may go on by itself while the pointer rests, so that frames are
// needed although nothing happens.
type Lasting interface {
	// GoesOn reports whether it does now.
	GoesOn() bool
}

// Noter is a drag that has something to say of how it began.
type Noter interface {
	// Note is a sentence, or "".
	Note() string
}

// Teller is a drag that has something to say of how it ended.
type Teller interface {
	// Told is a sentence, or "", once the drag has ended.
	Told() string
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
