package widgets

import (
	"math"
	"time"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
)

// SelectMode tells how a click or a key changes what is selected in a widget of
// many items.
type SelectMode uint8

const (
	// SelectOnly selects the item alone; without an item, nothing.
	SelectOnly SelectMode = iota
	// SelectToggle takes the item in or out: Ctrl.
	SelectToggle
	// SelectRange selects the items of a range alone: Shift.
	SelectRange
	// SelectMore takes the items of a range in: Ctrl+Shift.
	SelectMore
)

// selectMode is what the modifiers of a click ask for.
func selectMode(m key.Modifiers) SelectMode {
	switch ctrl := m.Contain(key.ModCtrl); {
	case m.Contain(key.ModShift) && ctrl:
		return SelectMore
	case m.Contain(key.ModShift):
		return SelectRange
	case ctrl:
		return SelectToggle
	}
	return SelectOnly
}

// mark is an item of many that is followed when others come and go before it.
type mark struct {
	at int
	id uint64
}

// put sets the mark on an item; id is 0 for none.
func (m *mark) put(i int, id func(int) uint64) { m.at, m.id = i, id(i) }

// follow finds the item among n again. Items rarely go far, so the search begins
// where it was. A mark whose item is gone stays at its place, and ok is false.
func (m *mark) follow(n int, id func(int) uint64) (ok bool) {
	for d := 0; m.at-d >= 0 || m.at+d < n; d++ {
		for _, i := range [...]int{m.at + d, m.at - d} {
			if i >= 0 && i < n && id(i) == m.id {
				m.at = i
				return true
			}
		}
	}
	m.at = max(0, min(m.at, n-1))
	return false
}

// dragSlop is how far the pointer goes before a press becomes a drag, in dp.
const dragSlop = 4

// grip follows a press of the primary button on one of many items.
type grip struct {
	down    bool
	late    bool // a selected item was pressed: without a drag, it is selected alone on release
	pressed mark
	from    f32.Point
	by      pointer.ID

	last     mark // item of the last press, and when it was
	lastTime time.Duration
}

// press takes in a press on an item. now tells that the selection changes at once;
// double, that it was the second press of a double click, which is no grip.
func (g *grip) press(e pointer.Event, m mark, selected bool) (mode SelectMode, now, double bool) {
	mode = selectMode(e.Modifiers)
	double = mode == SelectOnly && g.last == m && g.lastTime != 0 && e.Time-g.lastTime < doubleClick
	g.last, g.lastTime = m, e.Time
	if double {
		g.lastTime = 0
		return mode, false, true
	}
	g.down, g.pressed, g.from, g.by = true, m, e.Position, e.PointerID
	g.late = mode == SelectOnly && selected
	return mode, !g.late, false
}

// far reports whether a press has become a drag.
func (g *grip) far(gtx layout.Context, e pointer.Event) bool {
	d := e.Position.Sub(g.from)
	return g.down && math.Hypot(float64(d.X), float64(d.Y)) > float64(gtx.Dp(dragSlop))
}

// let ends the press.
func (g *grip) let() { g.down, g.late = false, false }
