package widgettest

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/f32"
	"gioui.org/io/input"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
)

// Start is the time that a Harness begins at.
var Start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// Node is one labelled part of the last frame.
type Node = input.SemanticDesc

// Harness holds a widget under test.
type Harness struct {
	T     testing.TB
	Size  image.Point
	Scale float32
	Now   time.Time
	// Root is laid out in every frame with exact constraints of Size.
	Root layout.Widget
	// Ops is the operation list of the last frame, to draw a picture of.
	Ops op.Ops
	// Router receives the events.
	Router input.Router

	stamp time.Duration
	pos   f32.Point
	mods  key.Modifiers
}

// New makes a harness with a window of w × h pixels and lays root out once.
func New(t testing.TB, w, h int, scale float32, root layout.Widget) *Harness {
	hs := &Harness{T: t, Size: image.Pt(w, h), Scale: scale, Now: Start, Root: root, stamp: time.Second}
	hs.Frame()
	return hs
}

// Frame lays the widget out until it asks for no further frame at once, at
// most eight times.
func (h *Harness) Frame() {
	h.T.Helper()
	for range 8 {
		h.Ops.Reset()
		gtx := layout.Context{
			Constraints: layout.Exact(h.Size),
			Metric:      unit.Metric{PxPerDp: h.Scale, PxPerSp: h.Scale},
			Now:         h.Now,
			Source:      h.Router.Source(),
			Ops:         &h.Ops,
		}
		h.Root(gtx)
		h.Router.Frame(&h.Ops)
		if at, ok := h.Router.WakeupTime(); !ok || at.After(h.Now) {
			return
		}
	}
}

// Wait moves the time forward and lays out.
func (h *Harness) Wait(d time.Duration) {
	h.Now = h.Now.Add(d)
	h.stamp += d
	h.Frame()
}

// Nodes lists the labelled parts of the last frame, in the order they were
// laid out.
func (h *Harness) Nodes() []Node {
	var out []Node
	var walk func(n input.SemanticNode)
	walk = func(n input.SemanticNode) {
		if n.Desc.Label != "" || n.Desc.Class != semantic.Unknown {
			out = append(out, n.Desc)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	if tree := h.Router.AppendSemantics(nil); len(tree) > 0 {
		walk(tree[0])
	}
	return out
}

// Labels lists the labels of the last frame.
func (h *Harness) Labels() []string {
	var out []string
	for _, n := range h.Nodes() {
		if n.Label != "" {
			out = append(out, n.Label)
		}
	}
	return out
}

// Lookup finds the part with a label. Of several, one with a class (a button,
// a field) comes before plain text, and the topmost before those below.
func (h *Harness) Lookup(label string) (Node, bool) {
	var best Node
	found := false
	for _, n := range h.Nodes() {
		if n.Label == label && (!found || n.Class != semantic.Unknown || best.Class == semantic.Unknown) {
			best, found = n, true
		}
	}
	return best, found
}

// Find is Lookup that fails the test when there is no such part.
func (h *Harness) Find(label string) Node {
	h.T.Helper()
	n, ok := h.Lookup(label)
	if !ok {
		h.T.Fatalf("no %q among: %s", label, strings.Join(h.Labels(), " | "))
	}
	return n
}

// Has reports whether a label is on screen.
func (h *Harness) Has(label string) bool { return slices.Contains(h.Labels(), label) }

// Centre is the middle of a part.
func (h *Harness) Centre(label string) f32.Point {
	h.T.Helper()
	b := h.Find(label).Bounds
	return f32.Pt(float32(b.Min.X+b.Max.X)/2, float32(b.Min.Y+b.Max.Y)/2)
}

// Hold sets the modifiers of all later events.
func (h *Harness) Hold(m key.Modifiers) { h.mods = m }

func (h *Harness) pointer(k pointer.Kind, p f32.Point, b pointer.Buttons) {
	h.stamp += 10 * time.Millisecond
	h.pos = p
	h.Router.Queue(pointer.Event{
		Kind: k, Source: pointer.Mouse, Position: p, Buttons: b, Time: h.stamp, Modifiers: h.mods,
	})
	h.Frame()
}

// MoveTo moves the pointer with no button down.
func (h *Harness) MoveTo(x, y float32) { h.pointer(pointer.Move, f32.Pt(x, y), 0) }

// Hover moves the pointer onto a part.
func (h *Harness) Hover(label string) {
	h.T.Helper()
	p := h.Centre(label)
	h.MoveTo(p.X, p.Y)
}

// ClickAt clicks the primary button at a place.
func (h *Harness) ClickAt(x, y float32) { h.press(f32.Pt(x, y), pointer.ButtonPrimary) }

func (h *Harness) press(p f32.Point, b pointer.Buttons) {
	h.stamp += time.Second // never a double click by accident
	h.pointer(pointer.Move, p, 0)
	h.pointer(pointer.Press, p, b)
	h.pointer(pointer.Release, p, 0)
}

// ClickAtOnce clicks the middle of a part with no frame between the events.
func (h *Harness) ClickAtOnce(label string) {
	h.T.Helper()
	p := h.Centre(label)
	h.stamp += time.Second // never a double click by accident
	h.pos = p
	for i, k := range [...]pointer.Kind{pointer.Move, pointer.Press, pointer.Release} {
		h.stamp += time.Millisecond
		e := pointer.Event{Kind: k, Source: pointer.Mouse, Position: p, Time: h.stamp, Modifiers: h.mods}
		if i == 1 {
			e.Buttons = pointer.ButtonPrimary
		}
		h.Router.Queue(e)
	}
	h.Frame()
}

// Click clicks the middle of a part.
func (h *Harness) Click(label string) {
	h.T.Helper()
	h.press(h.Centre(label), pointer.ButtonPrimary)
}

// RightClick clicks the secondary button in the middle of a part.
func (h *Harness) RightClick(label string) {
	h.T.Helper()
	h.press(h.Centre(label), pointer.ButtonSecondary)
}

// DoubleClick clicks twice.
func (h *Harness) DoubleClick(label string) {
	h.T.Helper()
	p := h.Centre(label)
	h.press(p, pointer.ButtonPrimary)
	h.pointer(pointer.Press, p, pointer.ButtonPrimary)
	h.pointer(pointer.Release, p, 0)
}

// Press holds the primary button down on a part.
func (h *Harness) Press(label string) {
	h.T.Helper()
	p := h.Centre(label)
	h.PressAt(p.X, p.Y)
}

// PressAt holds the primary button down at a place.
func (h *Harness) PressAt(x, y float32) {
	h.stamp += time.Second // never a double click by accident
	p := f32.Pt(x, y)
	h.pointer(pointer.Move, p, 0)
	h.pointer(pointer.Press, p, pointer.ButtonPrimary)
}

// DragBy moves the pointer with the primary button down, in four steps.
func (h *Harness) DragBy(dx, dy float32) {
	from := h.pos
	for i := float32(1); i <= 4; i++ {
		h.pointer(pointer.Move, from.Add(f32.Pt(dx*i/4, dy*i/4)), pointer.ButtonPrimary)
	}
}

// Release lets the button go where the pointer is.
func (h *Harness) Release() { h.pointer(pointer.Release, h.pos, 0) }

// Drag presses on a part, moves and releases.
func (h *Harness) Drag(label string, dx, dy float32) {
	h.T.Helper()
	h.Press(label)
	h.DragBy(dx, dy)
	h.Release()
}

// Scroll turns the wheel over a part by dy pixels.
func (h *Harness) Scroll(label string, dy float32) {
	h.T.Helper()
	p := h.Centre(label)
	h.Router.Queue(pointer.Event{
		Kind: pointer.Scroll, Source: pointer.Mouse, Position: p,
		Scroll: f32.Pt(0, dy), Time: h.stamp, Modifiers: h.mods,
	})
	h.Frame()
}

// Key presses and releases a key with modifiers.
func (h *Harness) Key(name key.Name, mods key.Modifiers) {
	h.Router.Queue(key.Event{Name: name, Modifiers: mods, State: key.Press})
	h.Frame()
	h.Router.Queue(key.Event{Name: name, Modifiers: mods, State: key.Release})
	h.Frame()
}

// Tab moves the keyboard focus forward, as a window does when nothing takes
// the key.
func (h *Harness) Tab() {
	h.Router.MoveFocus(key.FocusForward)
	h.Frame()
}

// Type enters text into what has the focus, replacing its selection.
func (h *Harness) Type(s string) {
	for _, r := range s {
		sel := h.Router.EditorState().Selection.Range
		if sel.Start > sel.End {
			sel.Start, sel.End = sel.End, sel.Start
		}
		h.Router.Queue(key.EditEvent{Range: sel, Text: string(r)})
		// A window reports the new selection after an edit.
		h.Router.Queue(key.SelectionEvent{Start: sel.Start + 1, End: sel.Start + 1})
		h.Frame()
	}
}

// Cursor is the shape of the pointer.
func (h *Harness) Cursor() pointer.Cursor { return h.Router.Cursor() }
