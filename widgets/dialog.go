package widgets

import (
	"image"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/unit"
)

// DialogButton is one answer of a dialog.
type DialogButton struct {
	ID         string
	Title      string
	Importance Importance
	Default    bool   // Enter
	Cancel     bool   // Esc
	Reason     string // why it cannot be pressed now
}

// Dialog is the state of a modal dialog. While it is open it keeps all input
// from what lies below, and the Tab key goes round inside it.
//
// Enter and Esc are the dialog's, unless a number is being typed. Call Update
// after the Update of text fields in the body, so that what was typed before
// Enter counts, and hand their Enter and Esc on with Accept and Cancel.
type Dialog struct {
	open    bool
	fresh   bool
	buttons []Button
	spec    []DialogButton
	tags    []event.Tag // what can have the keyboard, in order
	block   int         // its address is the tag of the area around
	shield  int         // … and of the dialog's own ground
	picked  string
	got     bool
	wish    string // a button that was pressed while the last frame had a Reason against it
	th      *Theme
}

// Open shows the dialog.
func (d *Dialog) Open() { d.open, d.fresh, d.wish = true, true, "" }

// Close hides the dialog.
func (d *Dialog) Close() { d.open = false }

// IsOpen reports whether the dialog is on screen.
func (d *Dialog) IsOpen() bool { return d.open }

// Accept presses the default button, as for Enter in a text field of the body.
func (d *Dialog) Accept() { d.press(func(b DialogButton) bool { return b.Default }) }

// Cancel presses the button of Esc, as for Esc in a text field of the body.
func (d *Dialog) Cancel() { d.press(func(b DialogButton) bool { return b.Cancel }) }

// Update returns the ID of the button that the user has pressed. The dialog
// has closed then; open it again to keep it.
func (d *Dialog) Update(gtx layout.Context) (id string, ok bool) {
	d.events(gtx)
	id, ok = d.picked, d.got
	d.picked, d.got = "", false
	return id, ok
}

func (d *Dialog) press(which func(DialogButton) bool) {
	for _, b := range d.spec {
		switch {
		case !which(b):
		case b.Reason == "":
			d.picked, d.got, d.open = b.ID, true, false
			return
		default:
			d.wish = b.ID
		}
	}
}

// grant presses the button that was wished for if what was typed before has done
// away with the reason.
func (d *Dialog) grant(gtx layout.Context) {
	if id := d.wish; id != "" {
		d.press(func(b DialogButton) bool { return b.ID == id })
		gtx.Execute(op.InvalidateCmd{})
	}
	d.wish = ""
}

func (d *Dialog) events(gtx layout.Context) {
	if !d.open {
		return
	}
	for i := range d.buttons {
		if d.buttons[i].Clicked(gtx) && i < len(d.spec) {
			id := d.spec[i].ID
			d.press(func(b DialogButton) bool { return b.ID == id })
		}
	}
	inner := d.th != nil && (d.th.win.inner || d.th.win.innerNow)
	var filters [6]event.Filter
	filters[0] = key.FocusFilter{Target: d}
	filters[1] = key.Filter{Name: key.NameTab}
	filters[2] = key.Filter{Name: key.NameTab, Required: key.ModShift}
	n := 3
	if !inner {
		filters[3] = key.Filter{Name: key.NameReturn}
		filters[4] = key.Filter{Name: key.NameEnter}
		filters[5] = key.Filter{Name: key.NameEscape}
		n = 6
	}
	for d.open {
		ev, ok := gtx.Event(filters[:n]...)
		if !ok {
			break
		}
		e, ok := ev.(key.Event)
		if !ok || e.State != key.Press {
			continue
		}
		switch e.Name {
		case key.NameTab:
			turnFocus(gtx, d.tags, e.Modifiers.Contain(key.ModShift))
		case key.NameEscape:
			d.Cancel()
		default:
			i := -1
			for k := range d.buttons {
				if gtx.Focused(&d.buttons[k].pressable) {
					i = k
				}
			}
			if i >= 0 && i < len(d.spec) {
				id := d.spec[i].ID
				d.press(func(b DialogButton) bool { return b.ID == id })
				break
			}
			d.Accept()
		}
	}
	pressedOn(gtx, &d.block)
	pressedOn(gtx, &d.shield)
	if !d.open {
		gtx.Execute(key.FocusCmd{})
	}
}

// DialogStyle draws a Dialog.
type DialogStyle struct {
	Title   string
	Text    string // a sentence or two above the body
	Buttons []DialogButton
	Width   unit.Dp

	state *Dialog
	th    *Theme
}

// Dialog draws d while it is open. It is a layer of Theme.Window.
func (th *Theme) Dialog(d *Dialog, title, text string, buttons ...DialogButton) DialogStyle {
	return DialogStyle{Title: title, Text: text, Buttons: buttons, Width: 420, state: d, th: th}
}

// Layout draws the dialog in the middle of the window. body may be nil; it is
// laid out with a fixed width and any height that fits.
func (s DialogStyle) Layout(gtx layout.Context, body layout.Widget) layout.Dimensions {
	th, d := s.th, s.state
	d.th, d.spec = th, s.Buttons
	if len(d.buttons) != len(s.Buttons) {
		d.buttons = make([]Button, len(s.Buttons))
	}
	if d.fresh && d.open {
		d.fresh = false
		gtx.Execute(key.FocusCmd{Tag: d})
	}
	d.events(gtx)
	d.grant(gtx)
	win := gtx.Constraints.Max
	if !d.open {
		return layout.Dimensions{}
	}
	th.win.modalNow = true
	block(gtx, &d.block)
	fillRect(gtx.Ops, th.Color.Scrim, image.Rectangle{Max: win})

	d.tags = d.tags[:0]
	outer := th.win.trap
	th.win.trap = &d.tags
	defer func() { th.win.trap = outer }()

	w := min(gtx.Dp(s.Width), win.X-gtx.Dp(32))
	dg := gtx
	dg.Constraints = layout.Constraints{Min: image.Pt(w, 0), Max: image.Pt(w, win.Y-gtx.Dp(32))}
	m := record(dg, func(gtx layout.Context) layout.Dimensions { return s.content(gtx, body) })
	pos := image.Pt((win.X-w)/2, max(gtx.Dp(16), (win.Y-m.size.Y)*2/5))
	defer op.Offset(pos).Push(gtx.Ops).Pop()
	box := image.Rectangle{Max: m.size}
	th.popupBox(gtx, box)
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, &d.shield)
	event.Op(gtx.Ops, d)
	semantic.LabelOp("Dialog: " + s.Title).Add(gtx.Ops)
	m.call.Add(gtx.Ops)
	return layout.Dimensions{Size: win}
}

func (s DialogStyle) content(gtx layout.Context, body layout.Widget) layout.Dimensions {
	th, d := s.th, s.state
	pad := gtx.Dp(16)
	w := gtx.Constraints.Max.X
	row := gtx.Dp(th.Size.Row)
	y := pad
	title := th.Heading(s.Title)
	title.Size = th.Size.Title
	title.drawIn(gtx, image.Rect(pad, y, w-pad, y+gtx.Dp(20)))
	y += gtx.Dp(20) + gtx.Dp(8)
	in := gtx
	in.Constraints = layout.Constraints{
		Min: image.Pt(w-2*pad, 0),
		Max: image.Pt(w-2*pad, max(0, gtx.Constraints.Max.Y-y-row-2*pad)),
	}
	if s.Text != "" {
		l := th.Body(s.Text)
		l.Color = th.Color.Dim
		y += at(in, image.Pt(pad, y), l.Layout).Size.Y + gtx.Dp(8)
		in.Constraints.Max.Y = max(0, gtx.Constraints.Max.Y-y-row-2*pad)
	}
	if body != nil {
		y += at(in, image.Pt(pad, y), body).Size.Y
	}
	y += pad
	// From left to right as they were given, at the right end; laid out in
	// that order so that Tab follows it.
	total := 0
	gap := gtx.Dp(8)
	for _, b := range s.Buttons {
		total += s.buttonWidth(gtx, b) + gap
	}
	x := w - pad - total + gap
	for i, b := range s.Buttons {
		bs := th.Button(&d.buttons[i], b.Title)
		bs.Importance, bs.Reason = b.Importance, b.Reason
		bg := gtx
		bw := s.buttonWidth(gtx, b)
		bg.Constraints = layout.Exact(image.Pt(bw, row))
		at(bg, image.Pt(x, y), bs.Layout)
		x += bw + gap
	}
	return layout.Dimensions{Size: image.Pt(w, y+row+pad)}
}

func (s DialogStyle) buttonWidth(gtx layout.Context, b DialogButton) int {
	return max(gtx.Dp(80), s.th.Label(b.Title).width(gtx)+gtx.Dp(24))
}
