package widgets

import (
	"image"
	"image/color"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
)

// ColorChange is one step of changing a colour. Any number of Previews is
// followed by one Commit or Cancel, whose Value is the one from before.
type ColorChange struct {
	Phase Phase
	Value color.NRGBA
}

// ColorField is the state of an opaque colour that is picked in a pop-up: on a
// field of saturation and value, on a strip of hues, as hexadecimal digits, or as
// red, green and blue. Each drag is a gesture of its own, and Esc cancels it.
// Without a drag Esc closes the pop-up, as does a press beside it.
type ColorField struct {
	Value color.NRGBA
	// Mixed stands for several colours that differ. Picking one clears it.
	Mixed bool

	pressable
	open    bool
	focus   int             // its address has the keyboard when nothing in the pop-up has it
	around  int             // its address is the tag of the whole window while the pop-up is there
	box     image.Rectangle // of the pop-up, in the field's frame
	tags    []event.Tag
	pending []ColorChange

	at       hsv         // what the pop-up shows
	shown    color.NRGBA // the colour that stands for; no alpha before the first
	opened   color.NRGBA // the colour when the pop-up came
	field    colorArea   // saturation to the right, value upwards
	strip    colorArea   // hue to the right
	dragging *colorArea
	before   color.NRGBA
	beforeAt hsv
	hex      Entry
	rgb      [3]Number

	plane    paint.ImageOp
	planeHue float64
	hues     paint.ImageOp
}

// colorArea is a part of the pop-up that is dragged on.
type colorArea struct {
	sense
	size image.Point
}

// IsOpen reports whether the pop-up is on screen.
func (c *ColorField) IsOpen() bool { return c.open }

// Close closes the pop-up; a drag is cancelled.
func (c *ColorField) Close() {
	c.giveUp()
	c.open = false
}

// Dragging reports whether a change is going on that will end with a Commit or a
// Cancel.
func (c *ColorField) Dragging() bool {
	return c.dragging != nil || c.rgb[0].Dragging() || c.rgb[1].Dragging() || c.rgb[2].Dragging()
}

// Update returns the next change, and changes Value.
func (c *ColorField) Update(gtx layout.Context) (ColorChange, bool) {
	c.events(gtx)
	if len(c.pending) == 0 {
		return ColorChange{}, false
	}
	ch := c.pending[0]
	c.pending = c.pending[:copy(c.pending, c.pending[1:])]
	return ch, true
}

func (c *ColorField) emit(p Phase, v color.NRGBA) {
	v.A = 255
	c.Value = v
	if p == Commit {
		c.Mixed = false
	}
	c.pending = append(c.pending, ColorChange{p, v})
}

// follow takes in a value that was set from outside.
func (c *ColorField) follow() {
	v := c.Value
	if v.A = 255; v == c.shown {
		return
	}
	c.shown = v
	c.at = hsvOf(v, c.at)
}

func (c *ColorField) events(gtx layout.Context) {
	for {
		if _, ok := c.update(gtx); !ok {
			break
		}
		c.open, c.opened = true, c.Value
		c.opened.A = 255
		gtx.Execute(key.FocusCmd{Tag: &c.focus})
	}
	if !c.open {
		return
	}
	c.follow()
	c.keys(gtx)
	if c.beside(gtx) {
		c.Close()
		gtx.Execute(key.FocusCmd{})
		return
	}
	for _, a := range [...]*colorArea{&c.field, &c.strip} {
		for {
			e, ok := a.next(gtx, a)
			if !ok {
				break
			}
			c.drag(gtx, a, e)
		}
	}
	for i := range c.rgb {
		for {
			ch, ok := c.rgb[i].Update(gtx)
			if !ok {
				break
			}
			v := c.Value
			*[...]*uint8{&v.R, &v.G, &v.B}[i] = uint8(ch.Value)
			c.emit(ch.Phase, v)
			c.follow()
		}
	}
	if s, ok := c.hex.Update(gtx); ok {
		if v, err := ParseColor(s); err == nil {
			c.emit(Commit, v)
			c.follow()
		}
	}
	focused := gtx.Focused(&c.focus)
	for _, t := range c.tags {
		focused = focused || gtx.Focused(t)
	}
	for i := range c.rgb { // whose field is no part of the last frame when typing begins
		focused = focused || c.rgb[i].Editing()
	}
	if !focused {
		gtx.Execute(key.FocusCmd{Tag: &c.focus})
	}
}

// beside reports whether the user has pressed beside the pop-up. What it hears of
// the pointer tells the widgets in the pop-up where they are, as the window cannot:
// pop-ups lie over it.
func (c *ColorField) beside(gtx layout.Context) bool {
	pressed := false
	for {
		ev, ok := gtx.Event(pointer.Filter{
			Target:  &c.around,
			Kinds:   pointerKinds | pointer.Scroll,
			ScrollX: pointer.ScrollRange{Min: -1e6, Max: 1e6},
			ScrollY: pointer.ScrollRange{Min: -1e6, Max: 1e6},
		})
		if !ok {
			return pressed
		}
		e, ok := ev.(pointer.Event)
		if !ok || e.Kind == pointer.Cancel {
			continue
		}
		if c.placed && c.th != nil {
			c.th.win.pos, c.th.win.posTime = e.Position.Add(f32.Pt(float32(c.origin.X), float32(c.origin.Y))), e.Time
		}
		pressed = pressed || e.Kind == pointer.Press && !e.Position.Round().In(c.box)
	}
}

// keys are Esc, and Tab, which goes round inside the pop-up.
func (c *ColorField) keys(gtx layout.Context) {
	filters := []event.Filter{
		key.FocusFilter{Target: &c.focus},
		key.Filter{Focus: &c.focus, Name: key.NameEscape},
		key.Filter{Focus: &c.focus, Name: key.NameTab, Optional: key.ModShift},
	}
	for i := range c.rgb {
		if n := &c.rgb[i]; !n.Dragging() {
			filters = append(filters, key.Filter{Focus: n, Name: key.NameEscape})
		}
	}
	for _, t := range c.tags {
		filters = append(filters, key.Filter{Focus: t, Name: key.NameTab, Optional: key.ModShift})
	}
	for {
		ev, ok := gtx.Event(filters...)
		if !ok {
			return
		}
		e, ok := ev.(key.Event)
		switch {
		case !ok || e.State != key.Press:
		case e.Name == key.NameTab:
			turnFocus(gtx, c.tags, e.Modifiers.Contain(key.ModShift))
		case c.dragging != nil:
			c.giveUp()
		default:
			c.open = false
			gtx.Execute(key.FocusCmd{})
		}
	}
}

func (c *ColorField) drag(gtx layout.Context, a *colorArea, e pointer.Event) {
	switch e.Kind {
	case pointer.Press:
		if e.Source == pointer.Mouse && e.Buttons != pointer.ButtonPrimary || c.dragging != nil {
			return
		}
		c.dragging, c.before, c.beforeAt = a, c.Value, c.at
		gtx.Execute(key.FocusCmd{Tag: &c.focus})
		gtx.Execute(pointer.GrabCmd{Tag: a, ID: e.PointerID})
		c.pick(a, e)
	case pointer.Drag:
		if c.dragging == a {
			c.pick(a, e)
		}
	case pointer.Release:
		if c.dragging == a {
			c.dragging = nil
			c.emit(Commit, c.shown)
		}
	case pointer.Cancel:
		if c.dragging == a {
			c.giveUp()
		}
	}
}

// pick takes the colour under the pointer.
func (c *ColorField) pick(a *colorArea, e pointer.Event) {
	x := min(max(float64(e.Position.X)/float64(max(1, a.size.X-1)), 0), 1)
	y := min(max(float64(e.Position.Y)/float64(max(1, a.size.Y-1)), 0), 1)
	if a == &c.strip {
		c.at.h = x
	} else {
		c.at.s, c.at.v = x, 1-y
	}
	if v := c.at.rgb(); v != c.shown {
		c.shown = v
		c.emit(Preview, v)
	}
}

// giveUp cancels a drag.
func (c *ColorField) giveUp() {
	if c.dragging == nil {
		return
	}
	c.dragging = nil
	c.at = c.beforeAt
	c.emit(Cancel, c.before)
	c.shown = c.Value
}

// ColorFieldStyle draws a ColorField.
type ColorFieldStyle struct {
	Label string // semantic label and title of the pop-up
	// Compact draws only a patch of the colour.
	Compact bool
	Tip     Tip
	Reason  string // disables the field when it isn't empty

	state *ColorField
	th    *Theme
}

// ColorField draws c as a patch of its colour with the hexadecimal digits.
func (th *Theme) ColorField(c *ColorField, label string) ColorFieldStyle {
	return ColorFieldStyle{Label: label, state: c, th: th}
}

// Layout draws the field over the width of the constraints, or as a square.
func (s ColorFieldStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, c := s.th, s.state
	c.events(gtx)
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	if s.Compact {
		size.X = size.Y
	}
	box := image.Rectangle{Max: size}
	area := clip.Rect(box).Push(gtx.Ops)
	c.add(gtx, th, s.Label, semantic.Button, s.Reason != "")
	text, mixed := FormatColor(c.Value), c.Mixed && !c.Dragging()
	if mixed {
		text = mixedText
	}
	semantic.DescriptionOp(said(text)).Add(gtx.Ops)
	lk := c.look(gtx)
	lk.focused = lk.focused || c.open
	th.fieldBox(gtx, box, lk, false)
	in := box.Inset(hairline(gtx) + gtx.Dp(2))
	if !s.Compact {
		in.Max.X = in.Min.X + gtx.Dp(36)
	}
	patch := clip.UniformRRect(in, gtx.Dp(2)).Push(gtx.Ops)
	if mixed {
		th.chequer(gtx, in)
	} else {
		v := c.Value
		if v.A = 255; !lk.enabled {
			v = mix(v, th.Color.Panel, 0.5)
		}
		fillRect(gtx.Ops, v, in)
	}
	patch.Pop()
	if !s.Compact {
		l := th.MonoLabel(text)
		if !lk.enabled {
			l.Color = th.Color.Disabled
		}
		l.drawIn(gtx, image.Rect(in.Max.X+gtx.Dp(8), 0, size.X-gtx.Dp(4), size.Y))
	}
	tip := s.Tip
	tip.Title = firstOf(tip.Title, s.Label)
	th.tooltip(gtx, &c.sense, &c.tip, tip, s.Reason, box)
	area.Pop()
	if s.Reason != "" && c.open {
		c.Close()
	}
	if c.open {
		s.popup(gtx, box)
	}
	return layout.Dimensions{Size: size}
}
