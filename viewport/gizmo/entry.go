package gizmo

import (
	"math"
	"strconv"
	"strings"
)

// free is the slot of numbers that belong to no axis: even scale, or turning about
// the line of sight.
const free = 3

// maxDigits bounds the length of a typed number.
const maxDigits = 12

// entry is what has been typed during a drag: a number for each axis, and one for
// none.
type entry struct {
	text   [4]string
	active int
}

// slotOf is where typing begins for a handle.
func slotOf(mode Mode, h Handle) int {
	kind, axis := h.axis()
	switch {
	case kind == AxisX || kind == RingX:
		return axis
	case mode == Move && kind == PlaneX:
		return min((axis+1)%3, (axis+2)%3)
	case mode == Move:
		return 0
	}
	return free
}

// any tells whether something is typed.
func (e *entry) any() bool { return e.text != [4]string{} }

// number is what a slot says. What is not a number yet, such as a sign, is none.
func (e *entry) number(slot int) (v float64, ok bool) {
	v, err := strconv.ParseFloat(e.text[slot], 64)
	return v, err == nil
}

func (e *entry) value(slot int) float64 {
	v, _ := e.number(slot)
	return v
}

// factor is the scale of an axis; moved tells whether the handle scales it.
func (e *entry) factor(axis int, moved bool) float64 {
	f, ok := e.number(axis)
	if !ok && moved && e.text[axis] == "" {
		f, ok = e.number(free)
	}
	if !ok {
		return 1
	}
	return math.Copysign(min(max(math.Abs(f), MinFactor), MaxFactor), f)
}

// put edits the active number.
func (e *entry) put(r rune) bool {
	t := &e.text[e.active]
	sign, digits := "", *t
	if strings.HasPrefix(*t, "-") {
		sign, digits = "-", (*t)[1:]
	}
	switch {
	case r == '-' && sign == "":
		sign = "-"
	case r == '-' || r == '+':
		sign = ""
	case r == ',' || r == '.':
		if strings.Contains(digits, ".") {
			return true
		}
		digits += "."
	case r >= '0' && r <= '9':
		digits += string(r)
	default:
		return false
	}
	if len(digits) <= maxDigits {
		*t = sign + digits
	}
	return true
}

// Type takes a key during the drag and tells whether it has a use: digits, a point or
// comma, a sign, which minus turns round and plus takes away, and X, Y or Z, which
// choose the axis, or give the choice back. A typed number counts instead of the
// pointer: metres, degrees or a factor.
func (d *Drag) Type(r rune) bool {
	axis := strings.IndexRune("xyzXYZ", r)
	if axis >= 0 {
		return d.choose(axis % 3)
	}
	if !d.entry.put(r) {
		return false
	}
	d.update()
	return true
}

// Backspace takes back the last key of the number and tells whether there was one.
func (d *Drag) Backspace() bool {
	t := &d.entry.text[d.entry.active]
	if *t == "" {
		return false
	}
	*t = (*t)[:len(*t)-1]
	d.update()
	return true
}

// Tab goes on to the next axis that the drag may change. Moving and scaling keep the
// numbers of the others; turning goes about one axis, so it takes its number along.
func (d *Drag) Tab() {
	turning := d.gizmo.Mode == Rotate
	next := d.entry.active
	for range len(d.entry.text) {
		next = (next + 1) % len(d.entry.text)
		h := AxisX + Handle(next)
		switch {
		case next == free && turning:
			h = d.taken
		case next == free:
			h = d.handle
		case turning:
			h = RingX + Handle(next)
		}
		if !d.gizmo.offers(h) || next == free && slotOf(d.gizmo.Mode, h) != free {
			continue
		}
		if turning {
			d.change(h)
		} else {
			d.entry.active = next
		}
		return
	}
}

// choose makes the drag go along or about one axis, or as it began, when it does
// already.
func (d *Drag) choose(axis int) bool {
	h := AxisX + Handle(axis)
	if d.gizmo.Mode == Rotate {
		h = RingX + Handle(axis)
	}
	if h == d.handle {
		h = d.taken
	}
	if !d.gizmo.offers(h) {
		return false
	}
	d.change(h)
	return true
}

// change goes on with another handle. The number that is being typed goes with it.
func (d *Drag) change(h Handle) {
	typed := d.entry.text[d.entry.active]
	d.entry = entry{active: slotOf(d.gizmo.Mode, h)}
	d.entry.text[d.entry.active] = typed
	d.hold(h)
	d.update()
}
