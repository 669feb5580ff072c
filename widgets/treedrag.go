package widgets

import (
	"image"
	"time"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
)

// treeSweep is a press on a toggle that is drawn over others.
type treeSweep struct {
	on       bool
	column   int
	set      bool // what the toggles become
	from, to int  // the row that was pressed, and the one under the pointer
}

// holds reports whether a row is in the sweep.
func (s *treeSweep) holds(row int) bool {
	return s.on && row >= min(s.from, s.to) && row <= max(s.from, s.to)
}

// treeDrag is the dragging of rows.
type treeDrag struct {
	on      bool
	at      f32.Point
	ok      bool // there is a place to drop
	row     int
	where   DropWhere
	resting time.Time // since when the pointer has been over this row
	ticked  time.Time // the last frame that scrolled
}

// springOpen is how long a drag rests on a closed row until it opens.
const springOpen = 700 * time.Millisecond

func (t *Tree) events(gtx layout.Context) {
	t.renameEvents(gtx)
	filters := [...]event.Filter{
		pointer.Filter{Target: t, Kinds: pointerKinds},
		key.FocusFilter{Target: t},
		key.Filter{Focus: t, Name: key.NameUpArrow, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NameDownArrow, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NamePageUp, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NamePageDown, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NameHome, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NameEnd, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NameLeftArrow, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NameRightArrow, Optional: key.ModShift},
		key.Filter{Focus: t, Name: key.NameReturn},
		key.Filter{Focus: t, Name: key.NameEnter},
		key.Filter{Focus: t, Name: key.NameF2},
		key.Filter{Focus: t, Name: key.NameEscape},
	}
	heard := filters[:]
	if !t.drag.on && !t.sweep.on { // Esc is the window's but for drags
		heard = filters[:len(filters)-1]
	}
	for {
		ev, ok := gtx.Event(heard...)
		if !ok {
			return
		}
		switch e := ev.(type) {
		case pointer.Event:
			t.note(e)
			t.pointer(gtx, e)
		case key.Event:
			if e.State == key.Press {
				t.key(gtx, e)
			}
		}
	}
}

// rowAt is the row at a height of the tree's frame.
func (t *Tree) rowAt(y int) (int, bool) {
	if t.rowH == 0 || y < 0 || y >= t.view {
		return 0, false
	}
	row := (y + int(t.pos+0.5)) / t.rowH
	return row, row < t.n
}

// hit finds what is at a place of the tree's frame.
func (t *Tree) hit(p image.Point) treeHit {
	row, ok := t.rowAt(p.Y)
	if !ok || p.X < 0 || p.X >= t.width {
		return treeHit{}
	}
	h := treeHit{part: partRow, row: row}
	r := t.row(row)
	if x0 := t.indent * r.Depth; r.Expandable && p.X >= x0 && p.X < x0+t.arrow {
		h.part = partArrow
		return h
	}
	c := len(t.spec.Toggles) - 1 - (t.width-1-p.X)/max(1, t.column)
	switch {
	case c >= 0 && r.Toggles[c] != ToggleAbsent:
		h.part, h.column = partToggle, c
	case c == -1 && r.Badge != "":
		h.part = partBadge
	}
	return h
}

func (t *Tree) pointer(gtx layout.Context, e pointer.Event) {
	switch e.Kind {
	case pointer.Press:
		t.press(gtx, e)
	case pointer.Drag:
		if e.PointerID == t.by {
			t.move(gtx, e)
		}
	case pointer.Release:
		if e.PointerID == t.by {
			t.release()
		}
	case pointer.Cancel:
		t.letGo()
	}
}

func (t *Tree) press(gtx layout.Context, e pointer.Event) {
	if t.drag.on || t.sweep.on {
		return // another button
	}
	t.tip.hush()
	gtx.Execute(key.FocusCmd{Tag: t})
	if t.sense.th != nil {
		t.sense.th.win.claimed = true
	}
	h := t.hit(e.Position.Round())
	if e.Buttons == pointer.ButtonSecondary {
		row := -1
		if h.part != partNone {
			row = h.row
			if !t.row(row).Selected {
				t.selectRow(row, SelectOnly)
			}
		}
		t.emit(TreeEvent{Kind: TreeContext, Row: row, Pos: e.Position.Round()})
		return
	}
	if e.Source == pointer.Mouse && e.Buttons != pointer.ButtonPrimary {
		return
	}
	t.by = e.PointerID
	switch h.part {
	case partNone:
		if e.Modifiers == 0 {
			t.emit(TreeEvent{Kind: TreeSelect, Row: -1, First: -1, Last: -1})
		}
	case partArrow:
		t.emit(TreeEvent{Kind: TreeExpand, Row: h.row, Open: !t.row(h.row).Expanded, All: e.Modifiers.Contain(key.ModShift)})
	case partToggle:
		on := t.row(h.row).Toggles[h.column] == ToggleOn
		t.sweep = treeSweep{on: true, column: h.column, set: !on, from: h.row, to: h.row}
		t.drag.at, t.drag.ticked = e.Position, gtx.Now
	default:
		t.pressRow(h.row, e)
	}
}

func (t *Tree) pressRow(row int, e pointer.Event) {
	m := mark{row, t.id(row)}
	switch mode, now, double := t.grip.press(e, m, t.row(row).Selected); {
	case double:
		t.emit(TreeEvent{Kind: TreeActivate, Row: row})
	case now:
		t.selectRow(row, mode)
	default:
		t.cur, t.anchor = m, m
	}
}

func (t *Tree) move(gtx layout.Context, e pointer.Event) {
	switch {
	case t.sweep.on:
		t.drag.at = e.Position
		t.aimSweep()
	case t.drag.on:
		t.drag.at = e.Position
		t.aim(gtx)
	case t.far(gtx, e) && t.spec.Drop != nil && !t.row(t.pressed.at).Fixed:
		t.drag = treeDrag{on: true, at: e.Position, ticked: gtx.Now}
		t.late = false
		gtx.Execute(pointer.GrabCmd{Tag: t, ID: e.PointerID})
		t.aim(gtx)
	}
}

func (t *Tree) release() {
	switch {
	case t.sweep.on:
		s := t.sweep
		e := TreeEvent{Kind: TreeToggled, Row: s.from, Column: s.column, On: s.set}
		for i := min(s.from, s.to); i <= max(s.from, s.to) && i < t.n; i++ {
			r := t.row(i)
			if st := r.Toggles[s.column]; st != ToggleAbsent && (st == ToggleOn) != s.set {
				e.Rows, e.IDs = append(e.Rows, i), append(e.IDs, r.ID)
			}
		}
		if len(e.Rows) > 0 {
			t.emit(e)
		}
	case t.drag.on && t.drag.ok:
		t.emit(TreeEvent{Kind: TreeDrop, Row: t.drag.row, Where: t.drag.where})
	case t.late && !t.drag.on && t.hit(t.local).row == t.pressed.at:
		t.selectRow(t.pressed.at, SelectOnly)
	}
	t.letGo()
}

// letGo ends a drag or sweep without an effect.
func (t *Tree) letGo() {
	t.let()
	t.sweep, t.drag = treeSweep{}, treeDrag{}
}

// aimSweep finds the row up to which a sweep goes.
func (t *Tree) aimSweep() {
	y := min(max(int(t.drag.at.Y), 0), t.view-1)
	row, ok := t.rowAt(y)
	if !ok {
		row = t.n - 1
	}
	t.sweep.to = row
}

// aim finds the place that a drag would drop at.
func (t *Tree) aim(gtx layout.Context) {
	d := &t.drag
	before := *d
	d.row, d.where, d.ok = t.place()
	if !d.ok || !before.ok || d.row != before.row || d.where != before.where {
		d.resting = gtx.Now
	}
}

func (t *Tree) place() (row int, where DropWhere, ok bool) {
	p := t.drag.at.Round()
	if p.X < 0 || p.X >= t.width || p.Y < 0 || p.Y >= t.view {
		return 0, 0, false
	}
	row, over := t.rowAt(p.Y)
	if !over {
		return -1, DropEmpty, t.spec.Drop(-1, DropEmpty)
	}
	where = DropInto
	switch in := (p.Y + int(t.pos+0.5)) % t.rowH; {
	case in < t.rowH/4:
		where = DropBefore
	case in >= t.rowH-t.rowH/4:
		where = DropAfter
		// Behind an open row is before its first child.
		if r := t.row(row); r.Expanded && row+1 < t.n && t.row(row+1).Depth > r.Depth && t.mayDrop(row+1, DropBefore) {
			return row + 1, DropBefore, true
		}
	}
	if where != DropInto && !t.mayDrop(row, where) {
		where = DropInto
	}
	return row, where, t.mayDrop(row, where)
}

// mayDrop reports whether the dragged rows may go to a place: nothing goes into
// itself.
func (t *Tree) mayDrop(row int, where DropWhere) bool {
	if !t.spec.Drop(row, where) {
		return false
	}
	i, ok := row, true
	if where != DropInto {
		i, ok = t.parent(row)
	}
	for ok {
		if i == t.pressed.at || t.row(i).Selected {
			return false
		}
		i, ok = t.parent(i)
	}
	return true
}

// advance scrolls at the edges and opens closed rows while something is dragged.
func (t *Tree) advance(gtx layout.Context) {
	if !t.drag.on && !t.sweep.on {
		return
	}
	d := &t.drag
	zone := float32(gtx.Dp(24))
	lo, hi := zone, float32(t.view)-zone
	if t.sweep.on { // it begins in any row, so only beyond the edge
		lo, hi = 0, float32(t.view)
	}
	speed := (max(0, d.at.Y-hi) - max(0, lo-d.at.Y)) / zone
	if speed = min(max(speed, -3), 3); speed != 0 && t.total > t.view {
		dt := min(max(gtx.Now.Sub(d.ticked), 0), 50*time.Millisecond)
		t.pos += speed * float32(dt.Seconds()) * 12 * float32(t.rowH)
		t.clamp()
		gtx.Execute(op.InvalidateCmd{})
	}
	d.ticked = gtx.Now
	if t.sweep.on {
		if speed != 0 {
			t.aimSweep()
		}
		return
	}
	t.aim(gtx)
	if d.ok && d.where == DropInto {
		if r := t.row(d.row); r.Expandable && !r.Expanded {
			at := d.resting.Add(springOpen)
			if gtx.Now.Before(at) {
				gtx.Execute(op.InvalidateCmd{At: at})
				return
			}
			d.resting = gtx.Now
			t.emit(TreeEvent{Kind: TreeExpand, Row: d.row, Open: true})
			gtx.Execute(op.InvalidateCmd{})
		}
	}
}
