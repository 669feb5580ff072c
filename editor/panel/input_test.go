package panel

import (
	"math"
	"testing"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/io/pointer"

	"ridgeline/editor/command"
	"ridgeline/editor/keymap"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
)

func TestKeysOfTheTableRunCommands(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	m, err := keymap.Parse("keys.toml", keymap.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range m.Actions() {
		call, err := command.Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if _, err := r.s.Env.Registry.Check(call); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, c := range m.Controls() {
		if controlTitles[c] == "" {
			t.Errorf("the list of keys has no words for the control %q", c)
		}
	}
}

func TestKeysReachTheLevelOnlyFromTheLevel(t *testing.T) {
	r := openRig(t, 1280, 720, 1)
	r.s.Run(stroke)
	r.Frame()
	r.Click(sLayers)
	r.DoubleClick("Rock") // renames: a text field has the keyboard
	r.Type("x")
	r.Key("Z", key.ModCtrl)
	if r.s.Document().Position() != 1 {
		t.Error("Ctrl+Z in a text field undid the level")
	}
	r.Key(key.NameEscape, 0)
	r.Key("Z", key.ModCtrl)
	if r.s.Document().Position() != 0 {
		t.Error("Ctrl+Z does not undo")
	}
	r.Key("Z", key.ModCtrl|key.ModShift)
	if r.s.Document().Position() != 1 {
		t.Error("Ctrl+Shift+Z does not redo")
	}
	was := r.s.Brush.Hardness
	r.Key("}", key.ModShift)
	if r.s.Brush.Hardness <= was {
		t.Error("} does not harden the brush")
	}
}

// A click on the level takes the keyboard from the console, and a key that arrives
// with it is the level's already.
func TestKeyWithTheClickThatLeavesTheConsole(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("`", 0)
	r.Type("sun")
	r.Frame()
	v := r.shell.Viewport()
	at := f32.Pt(float32(v.Min.X)+200, float32(v.Min.Y)+100)
	r.Router.Queue(
		key.Event{Name: "N", State: key.Press}, key.Event{Name: "N", State: key.Release}, // still the console's
		pointer.Event{Kind: pointer.Move, Source: pointer.Mouse, Position: at},
		pointer.Event{Kind: pointer.Press, Source: pointer.Mouse, Buttons: pointer.ButtonPrimary, Position: at},
		pointer.Event{Kind: pointer.Release, Source: pointer.Mouse, Position: at},
		key.Event{Name: "B", State: key.Press}, key.Event{Name: "B", State: key.Release},
	)
	r.Frame()
	r.Frame()
	if r.s.Mode != session.ModeSculpt {
		t.Errorf("the mode is %s, expected that of the key", r.s.Mode)
	}
	r.noErrors()
}

func TestChords(t *testing.T) {
	for _, c := range []struct {
		name key.Name
		mods key.Modifiers
		want string
	}{
		{"Z", key.ModCtrl | key.ModShift, "Ctrl+Shift+Z"},
		{"{", key.ModShift, "{"},
		{"~", key.ModShift, "~"},
		{"`", 0, "`"},
		{"1", key.ModCtrl, "Ctrl+1"},
		{"+", key.ModShift, "Plus"},
		{key.NameEscape, 0, "Esc"},
		{key.NameF3, 0, "F3"},
		{key.NameSpace, 0, "Space"},
		{"é", 0, "É"},
	} {
		got, ok := chord(key.Event{Name: c.name, Modifiers: c.mods})
		if !ok || got.String() != c.want {
			t.Errorf("%q with %v is %v, expected %s", c.name, c.mods, got, c.want)
		}
		if back, err := keymap.ParseChord(got.String()); err != nil || back != got {
			t.Errorf("%v parses back to %v, %v", got, back, err)
		}
	}
	if _, ok := chord(key.Event{Name: key.NameShift}); ok {
		t.Error("Shift alone is a chord")
	}
}

func (r *rig) pointerAt(k pointer.Kind, x, y float32, b pointer.Buttons, scroll float32) {
	v := r.shell.Viewport()
	r.Router.Queue(pointer.Event{
		Kind: k, Source: pointer.Mouse, Buttons: b, Scroll: f32.Pt(0, scroll),
		Position: f32.Pt(float32(v.Min.X)+x, float32(v.Min.Y)+y),
	})
	r.Frame()
}

func TestStrokeInTheViewport(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.Key("B", 0)
	v := r.shell.Viewport()
	x, y := float32(v.Dx())/2, float32(v.Dy())/2
	before := r.s.Level()
	r.pointerAt(pointer.Move, x, y, 0, 0)
	if _, _, ok := r.s.Under(); !ok {
		t.Fatal("the middle of the viewport is not over the ground")
	}
	r.pointerAt(pointer.Press, x, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+60, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+60, float32(v.Dy())+400, pointer.ButtonPrimary, 0) // outside: the drag goes on
	r.pointerAt(pointer.Release, x+60, y, 0, 0)
	if got := r.s.Document().Position(); got != 1 {
		t.Errorf("%d steps, expected 1", got)
	}
	if r.s.Level() == before {
		t.Error("the stroke changed nothing")
	}

	// Esc takes an open stroke back.
	r.pointerAt(pointer.Press, x, y, pointer.ButtonPrimary, 0)
	r.pointerAt(pointer.Move, x+40, y, pointer.ButtonPrimary, 0)
	r.Key(key.NameEscape, 0)
	r.pointerAt(pointer.Release, x+40, y, 0, 0)
	if got := len(r.s.Document().History()); got != 1 {
		t.Errorf("%d steps after Esc, expected 1", got)
	}
	r.noErrors()
}

func TestCameraInTheViewport(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	yaw := r.s.View.Rig.Yaw
	r.pointerAt(pointer.Move, 300, 300, 0, 0)
	r.pointerAt(pointer.Press, 300, 300, pointer.ButtonSecondary, 0)
	r.pointerAt(pointer.Move, 380, 300, pointer.ButtonSecondary, 0)
	if r.s.View.Rig.Yaw == yaw {
		t.Error("right drag does not look around")
	}
	if r.Cursor() == pointer.CursorDefault {
		t.Error("the pointer does not show the drag")
	}
	eye := r.s.View.Rig.Eye
	r.Router.Queue(key.Event{Name: "W", State: key.Press})
	for range 10 {
		r.Wait(30e6)
	}
	if r.s.View.Rig.Eye == eye {
		t.Error("W does not fly")
	}
	// The window loses the focus: nothing is held any more.
	r.Router.Queue(key.FocusEvent{Focus: false})
	for range 60 {
		r.Wait(50e6)
	}
	eye = r.s.View.Rig.Eye
	r.Wait(100e6)
	if r.s.View.Rig.Eye != eye {
		t.Error("it flies on after the window lost the focus")
	}
	r.pointerAt(pointer.Release, 380, 300, 0, 0)
	far := r.s.View.Rig.Eye
	// A step of the wheel, as X11 and Wayland tell it.
	var went [2]float64
	for i, step := range [...]float32{10, 100} {
		r.s.View.Rig.Eye = far
		r.shell.th.WheelStep = step
		r.pointerAt(pointer.Scroll, 380, 300, 0, -step)
		for range 30 {
			r.Wait(50e6)
		}
		went[i] = r.s.View.Rig.Eye.Sub(far).Len()
	}
	if !(went[0] > 0) || math.Abs(went[0]/went[1]-1) > 1e-3 {
		t.Errorf("a step of the wheel moves the camera by %g m and %g m", went[0], went[1])
	}
	r.pointerAt(pointer.Move, -20, 300, 0, 0)
	if _, _, ok := r.s.Under(); ok {
		t.Error("there is ground under a pointer that has left")
	}
}

func TestButtonsAndModifiers(t *testing.T) {
	if got := buttons(pointer.ButtonPrimary | pointer.ButtonTertiary); got != session.Left|session.Middle {
		t.Errorf("buttons %b", got)
	}
	if got := modifiers(key.ModCtrl | key.ModAlt); got != tool.Ctrl|tool.Alt {
		t.Errorf("modifiers %b", got)
	}
}
