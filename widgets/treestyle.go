package widgets

import (
	"image"
	"image/color"
	"strings"

	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/text"
	"gioui.org/unit"

	"ridgeline/icons"
)

// TreeStyle draws a Tree.
type TreeStyle struct {
	// Label names the tree for semantics.
	Label string
	// Toggles are the columns at the right end, from left to right.
	Toggles []TreeToggle
	// Renames lets F2 edit the name of the row that the keyboard is on.
	Renames bool
	// Drop tells whether what is selected may be dropped at a place: beside or
	// into a row, or in empty space with row -1. Nothing is ever dropped into
	// itself. With nil, rows cannot be dragged.
	Drop func(row int, where DropWhere) bool
	// Dragged names what is dragged, beside the pointer; "" for the row's label.
	Dragged string
	// Empty is shown when there are no rows.
	Empty   string
	RowSize unit.Dp
	Indent  unit.Dp

	state *Tree
	th    *Theme
}

// Tree draws t.
func (th *Theme) Tree(t *Tree, label string) TreeStyle {
	return TreeStyle{Label: label, RowSize: th.Size.Row, Indent: 14, state: t, th: th}
}

// Layout draws n rows over the whole of the constraints. row tells what a row
// shows. It is kept until the next Layout and called for the rows in view, and for
// others when the keyboard or a drag comes to them.
func (s TreeStyle) Layout(gtx layout.Context, n int, row func(i int) TreeRow) layout.Dimensions {
	th, t := s.th, s.state
	size := gtx.Constraints.Max
	if len(s.Toggles) > MaxTreeToggles {
		s.Toggles = s.Toggles[:MaxTreeToggles]
	}
	t.sense.th, t.spec, t.view, t.width = th, s, size.Y, size.X
	t.rowH, t.indent, t.arrow, t.column = gtx.Dp(s.RowSize), gtx.Dp(s.Indent), gtx.Dp(18), gtx.Dp(22)
	t.total = n * t.rowH
	t.settle(n, row)
	th.focusable(t)
	if t.renaming {
		th.win.innerNow = true
	}
	t.events(gtx)
	t.scroller.update(gtx)
	if t.show {
		t.show = false
		t.reveal(t.cur.at*t.rowH, (t.cur.at+1)*t.rowH)
		t.clamp()
	}
	if t.total > t.view {
		t.width -= gtx.Dp(scrollbarWidth)
	}
	t.advance(gtx)

	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	t.gesture.Add(gtx.Ops)
	if s.Label != "" {
		semantic.LabelOp(s.Label).Add(gtx.Ops)
	}
	under := clip.Rect{Max: size}.Push(gtx.Ops)
	event.Op(gtx.Ops, t)
	switch {
	case t.drag.on && t.drag.ok:
		pointer.CursorGrabbing.Add(gtx.Ops)
	case t.drag.on:
		pointer.CursorNotAllowed.Add(gtx.Ops)
	}
	under.Pop()
	if n == 0 && s.Empty != "" {
		th.emptyText(gtx, s.Empty)
	}
	s.rows(gtx)
	if t.drag.on {
		s.ghost(gtx)
	}
	t.drawBar(gtx, th, size.X)
	return layout.Dimensions{Size: size}
}

// emptyText says in the middle of an area why there is nothing in it.
func (th *Theme) emptyText(gtx layout.Context, s string) {
	l := th.Body(s)
	l.Color, l.Align = th.Color.Hint, text.Middle
	pad := gtx.Dp(16)
	size := gtx.Constraints.Max
	gtx.Constraints = layout.Constraints{Max: image.Pt(max(0, size.X-2*pad), size.Y)}
	gtx.Constraints.Min.X = gtx.Constraints.Max.X
	m := record(gtx, l.Layout)
	m.add(gtx, image.Pt(pad, max(0, (size.Y-m.size.Y)/3)))
}

func (s TreeStyle) rows(gtx layout.Context) {
	t := s.state
	off := int(t.pos + 0.5)
	focused := gtx.Focused(t)
	var over treeHit
	if t.hovered && gtx.Enabled() && !t.drag.on && !t.sweep.on {
		over = t.hit(t.local)
	}
	s.tooltip(gtx, over, off)
	for i := off / max(1, t.rowH); i < t.n && i*t.rowH-off < gtx.Constraints.Max.Y; i++ {
		h := over
		if h.row != i {
			h = treeHit{}
		}
		r := t.row(i)
		if t.sweep.holds(i) && r.Toggles[t.sweep.column] != ToggleAbsent {
			r.Toggles[t.sweep.column] = ToggleOff
			if t.sweep.set {
				r.Toggles[t.sweep.column] = ToggleOn
			}
		}
		at(gtx, image.Pt(0, i*t.rowH-off), func(gtx layout.Context) layout.Dimensions {
			return s.drawRow(gtx, i, &r, h, focused && i == t.cur.at)
		})
	}
	s.dropMark(gtx, off)
}

// drawRow draws one row with its corner at the origin.
func (s TreeStyle) drawRow(gtx layout.Context, i int, r *TreeRow, over treeHit, focused bool) layout.Dimensions {
	th, t := s.th, s.state
	box := image.Rect(0, 0, t.width, t.rowH)
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	semantic.LabelOp(r.Label).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	semantic.SelectedOp(r.Selected).Add(gtx.Ops)
	state := ""
	if r.Expandable {
		if state = "closed"; r.Expanded {
			state = "open"
		}
	}
	if said := strings.Join(filled(state, r.Detail, r.BadgeTip), ", "); said != "" {
		semantic.DescriptionOp(said).Add(gtx.Ops)
	}
	switch {
	case r.Selected:
		fillRect(gtx.Ops, th.Color.AccentLow, box)
	case over.part != partNone:
		fillRect(gtx.Ops, mix(th.Color.Panel, th.Color.Hover, 0.5), box)
	}
	if focused {
		fillRect(gtx.Ops, th.Color.AccentHigh, image.Rect(0, 0, gtx.Dp(2), box.Max.Y))
	}
	line := hairline(gtx)
	for d := range r.Depth {
		x := d*t.indent + t.arrow/2
		fillRect(gtx.Ops, th.Color.Border, image.Rect(x, 0, x+line, box.Max.Y))
	}
	x := r.Depth * t.indent
	if r.Expandable {
		s.arrow(gtx, r, image.Rect(x, 0, x+t.arrow, box.Max.Y), over.part == partArrow)
	}
	x += t.arrow + gtx.Dp(2)
	right := s.toggles(gtx, r, over)
	px := gtx.Dp(th.Size.IconSize)
	if r.Badge != "" {
		right -= t.column
		th.drawIconIn(gtx, r.Badge, th.Color.Warn, image.Rect(right, 0, right+t.column, box.Max.Y), px)
	}
	fg, ic := th.Color.Text, th.Color.Dim
	if r.IconColor != (color.NRGBA{}) {
		ic = r.IconColor
	}
	if r.Dim && !r.Selected {
		fg, ic = th.Color.Dim, th.Color.Disabled
	}
	if r.Icon != icons.None {
		th.drawIconIn(gtx, r.Icon, ic, image.Rect(x, 0, x+px, box.Max.Y), px)
		x += px + gtx.Dp(6)
	}
	if t.renaming && t.rename.at == i {
		fg := gtx
		fg.Constraints = layout.Exact(image.Pt(max(0, right-x), box.Max.Y))
		at(fg, image.Pt(x-gtx.Dp(4), 0), th.Field(&t.name, "Rename "+r.Label).Layout)
		return layout.Dimensions{Size: box.Max}
	}
	if r.Detail != "" {
		d := th.Dim(r.Detail)
		d.Size = th.Size.Small
		// The label matters more: the detail goes where it would leave too little.
		if w := d.width(gtx); right-w-x > gtx.Dp(60) {
			right -= w + gtx.Dp(6)
			d.drawIn(gtx, image.Rect(right, 0, right+w+1, box.Max.Y))
		}
	}
	l := th.Label(r.Label)
	l.Color = fg
	l.drawIn(gtx, image.Rect(x, 0, right-gtx.Dp(4), box.Max.Y))
	return layout.Dimensions{Size: box.Max}
}

func (s TreeStyle) arrow(gtx layout.Context, r *TreeRow, box image.Rectangle, over bool) {
	th := s.th
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	icon, title, c := icons.ChevronRight, "Open ", th.Color.Dim
	if r.Expanded {
		icon, title = icons.ChevronDown, "Close "
	}
	if over {
		c = th.Color.Text
	}
	semantic.LabelOp(title + r.Label).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	th.drawIconIn(gtx, icon, c, box, gtx.Dp(14))
}

// toggles draws the toggles and returns where they begin.
func (s TreeStyle) toggles(gtx layout.Context, r *TreeRow, over treeHit) int {
	th, t := s.th, s.state
	first := t.width - len(s.Toggles)*t.column
	for c, spec := range s.Toggles {
		st := r.Toggles[c]
		if st == ToggleAbsent {
			continue
		}
		hot := over.part == partToggle && over.column == c
		icon, title, fg := spec.Off, spec.Title, th.Color.Disabled
		switch {
		case st == ToggleOn:
			icon, title, fg = spec.On, spec.TitleOn, th.Color.Text
		case st == ToggleInherited:
			icon = spec.On
		case spec.Quiet && over.part == partNone:
			icon = icons.None
		}
		if hot {
			fg = th.Color.Text
		} else if r.Selected && fg == th.Color.Disabled {
			fg = th.Color.Dim
		}
		box := image.Rect(first+c*t.column, 0, first+(c+1)*t.column, t.rowH)
		area := clip.Rect(box).Push(gtx.Ops)
		semantic.LabelOp(title + " " + r.Label).Add(gtx.Ops)
		semantic.Button.Add(gtx.Ops)
		semantic.SelectedOp(st == ToggleOn).Add(gtx.Ops)
		if icon != icons.None {
			th.drawIconIn(gtx, icon, fg, box, gtx.Dp(th.Size.IconSize))
		}
		area.Pop()
	}
	return first
}

// tooltip tells what the toggle or badge under the pointer is.
func (s TreeStyle) tooltip(gtx layout.Context, over treeHit, off int) {
	th, t := s.th, s.state
	if over != t.tipPart {
		t.tipPart = over
		t.tip = tipState{}
		if th.win.tipOwner == &t.tip {
			th.win.tipOwner = nil
		}
	}
	var tip Tip
	reason := ""
	x := t.width - len(s.Toggles)*t.column
	switch over.part {
	case partToggle:
		x += over.column * t.column
		spec := s.Toggles[over.column]
		if tip.Title = spec.Title; t.row(over.row).Toggles[over.column] == ToggleOn {
			tip.Title = spec.TitleOn
		}
	case partBadge:
		x -= t.column
		reason = t.row(over.row).BadgeTip
	}
	y := over.row*t.rowH - off
	th.tooltip(gtx, &t.sense, &t.tip, tip, reason, image.Rect(x, y, x+t.column, y+t.rowH))
}

// dropMark shows where a drag would drop.
func (s TreeStyle) dropMark(gtx layout.Context, off int) {
	th, t := s.th, s.state
	if !t.drag.on || !t.drag.ok {
		return
	}
	thick := gtx.Dp(2)
	y, x := t.n*t.rowH-off, 0
	switch t.drag.where {
	case DropInto:
		y = t.drag.row*t.rowH - off
		th.focusRing(gtx, image.Rect(0, y, t.width, y+t.rowH).Inset(hairline(gtx)), gtx.Dp(th.Size.Radius))
		return
	case DropBefore:
		y, x = t.drag.row*t.rowH-off, t.row(t.drag.row).Depth*t.indent
	case DropAfter:
		// Below all children, if there are any.
		last := t.drag.row
		depth := t.row(last).Depth
		for last+1 < t.n && t.row(last+1).Depth > depth && (last+1)*t.rowH-off < t.view {
			last++
		}
		y, x = (last+1)*t.rowH-off, depth*t.indent
	}
	y = min(max(y-thick/2, 0), t.view-thick)
	side := 3 * thick
	dot := centred(image.Rect(x+side/2, y, x+side/2, y+thick), side)
	fillRect(gtx.Ops, th.Color.AccentHigh, image.Rect(x+side/2, y, t.width, y+thick))
	fillRound(gtx.Ops, th.Color.AccentHigh, dot, side)
}

// ghost draws what is dragged beside the pointer.
func (s TreeStyle) ghost(gtx layout.Context) {
	t := s.state
	r := t.row(t.pressed.at)
	icon, title := r.Icon, s.Dragged
	if title == "" {
		title = r.Label
	}
	s.th.ghost(gtx, t.drag.at.Round(), icon, title)
}

// ghost draws an icon and a title beside the pointer at p.
func (th *Theme) ghost(gtx layout.Context, p image.Point, icon icons.Name, title string) {
	popup(gtx, p.Add(image.Pt(gtx.Dp(14), gtx.Dp(6))), func(gtx layout.Context) layout.Dimensions {
		l := th.Label(title)
		pad, px := gtx.Dp(8), gtx.Dp(th.Size.IconSize)
		x := pad
		if icon != icons.None {
			x += px + gtx.Dp(6)
		}
		box := image.Rect(0, 0, x+min(l.width(gtx), gtx.Dp(240))+pad, gtx.Dp(th.Size.Row))
		th.popupBox(gtx, box)
		if icon != icons.None {
			th.drawIconIn(gtx, icon, th.Color.Dim, image.Rect(pad, 0, pad+px, box.Max.Y), px)
		}
		l.drawIn(gtx, image.Rect(x, 0, box.Max.X-pad+1, box.Max.Y))
		return layout.Dimensions{Size: box.Max}
	})
}
