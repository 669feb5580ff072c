package widgets

import (
	"fmt"
	"math"
	"strings"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
)

// Number is the state of a number that is dragged or typed.
//
// Dragging 8 dp to the side changes it by one Step, finer with Shift, in whole
// Steps with Ctrl. With Log, 200 dp are a factor of ten and Ctrl snaps to 1,
// 2 and 5 times a power of ten. A click lets the user type; Enter commits, Esc
// cancels, and text that is no number inside the range is refused. What is typed
// may be a sum or tell what to do to the value, see ParseEntry. With the
// keyboard: Tab comes to the number, then a digit types over it, the arrows
// change by one Step, and Enter types too, but for in dialogs, where it is for
// the default button.
//
// A Mixed number stands for several values that differ. Dragging it and the arrow
// keys report what to add or, with Log, to multiply by, and leave Value alone;
// Change.Of tells what becomes of each value.
type Number struct {
	Value float64
	// Mixed shows a dash in place of Value. Setting one value for all clears it.
	Mixed bool
	// Min and Max bound the value; both zero means no bounds.
	Min, Max float64
	// Step is the size of one step, 0 for 1.
	Step float64
	// Log makes equal distances equal factors. Values must be positive then.
	Log bool
	// Decimals is the most digits shown after the point, 0 for 3; for none
	// make the number Integer.
	Decimals int
	// Integer allows whole numbers only.
	Integer bool

	sense
	tip      tipState
	unit     string
	disabled bool

	own   bool // the number itself asked for the keyboard
	keyed bool // the keyboard came by Tab
	modal bool // in a dialog

	down, dragging bool
	pid            pointer.ID
	start, last    f32.Point
	before, raw    float64
	relative       bool    // the drag changes several values
	operand        float64 // … by this

	editing bool
	was     string // what typing began with
	field   Field
	problem string
}

// Dragging reports whether the user is dragging the number.
func (n *Number) Dragging() bool { return n.dragging }

// Editing reports whether the user is typing.
func (n *Number) Editing() bool { return n.editing }

func (n *Number) step() float64 {
	if n.Step > 0 {
		return n.Step
	}
	return 1
}

func (n *Number) decimals() int {
	switch {
	case n.Integer:
		return 0
	case n.Decimals > 0:
		return n.Decimals
	}
	return 3
}

func (n *Number) bounded() bool { return n.Min != 0 || n.Max != 0 }

func (n *Number) limits() limits {
	return limits{min: n.Min, max: n.Max, bounded: n.bounded(), integer: n.Integer, positive: n.Log}
}

func (n *Number) clamp(v float64) float64 { return n.limits().fit(v, n.Value) }

// accept checks what was typed. Refusing says more than silently clamping.
func (n *Number) accept(s string) (Change, error) {
	c := Change{Phase: Commit, limits: n.limits()}
	var err error
	if c.Op, c.Operand, err = ParseEntry(s, n.unit); err != nil {
		return c, err
	}
	if c.Op != OpSet && n.Mixed {
		c.Value = c.Of(n.Value)
		return c, nil
	}
	v := c.Op.apply(n.Value, c.Operand)
	switch {
	case math.IsInf(v, 0):
		return c, notANumber(s)
	case n.Integer && v != math.Trunc(v):
		return c, fmt.Errorf("a whole number is expected")
	case n.bounded() && !(v >= n.Min && v <= n.Max):
		return c, fmt.Errorf("%s is outside %s", FormatNumber(v, n.decimals()), n.rangeText())
	case n.Log && !(v > 0):
		return c, fmt.Errorf("a number above 0 is expected")
	}
	c.Value = v
	return c, nil
}

func (n *Number) rangeText() string {
	s := FormatNumber(n.Min, n.decimals()) + " to " + FormatNumber(n.Max, n.decimals())
	if n.unit != "" {
		s += " " + n.unit
	}
	return s
}

// Update returns the next change.
func (n *Number) Update(gtx layout.Context) (Change, bool) {
	if n.editing {
		if c, ok := n.updateField(gtx); ok {
			return c, true
		}
	}
	filters := [...]event.Filter{
		pointer.Filter{Target: n, Kinds: pointerKinds},
		key.FocusFilter{Target: n},
		key.Filter{Focus: n, Name: key.NameUpArrow, Optional: key.ModShift},
		key.Filter{Focus: n, Name: key.NameDownArrow, Optional: key.ModShift},
		key.Filter{Focus: n, Name: key.NameEscape},
		key.Filter{Focus: n, Name: key.NameReturn},
		key.Filter{Focus: n, Name: key.NameEnter},
	}
	heard := filters[:]
	if n.modal && !n.dragging {
		heard = filters[:4]
	}
	for {
		ev, ok := gtx.Event(heard...)
		if !ok {
			return Change{}, false
		}
		var (
			c   Change
			got bool
		)
		switch e := ev.(type) {
		case pointer.Event:
			n.note(e)
			c, got = n.pointer(gtx, e)
		case key.Event:
			if e.State == key.Press {
				c, got = n.key(e)
			}
		case key.FocusEvent:
			n.keyed, n.own = e.Focus && !n.own, n.own && !e.Focus
		case key.EditEvent:
			n.typeOver(gtx, e.Text)
		}
		if got {
			return c, true
		}
	}
}

func (n *Number) updateField(gtx layout.Context) (Change, bool) {
	for {
		ev, ok := n.field.Update(gtx)
		if !ok {
			return Change{}, false
		}
		switch ev.Kind {
		case FieldChanged:
			n.problem = ""
		case FieldSubmitted, FieldBlurred:
			same := ev.Text == n.was
			c, err := n.accept(ev.Text)
			if err != nil && !same && ev.Kind == FieldSubmitted {
				n.problem = err.Error()
				continue
			}
			n.editing, n.problem = false, ""
			if ev.Kind == FieldSubmitted {
				n.take(gtx)
			}
			// Leaving the field without having typed changes nothing: the
			// text may show fewer digits than the value has.
			if err == nil && !same {
				if c.Op == OpSet {
					n.Mixed = false
				}
				n.Value = c.Value
				return c, true
			}
		case FieldCancelled:
			n.editing, n.problem = false, ""
			n.take(gtx)
		}
	}
}

// take gives the keyboard to the number, where letters stay shortcuts.
func (n *Number) take(gtx layout.Context) {
	// No event tells of the keyboard when it is here already.
	n.own, n.keyed = !gtx.Focused(n), false
	gtx.Execute(key.FocusCmd{Tag: n})
}

// typeOver begins typing with a first letter.
func (n *Number) typeOver(gtx layout.Context, text string) {
	if !n.keyed || n.disabled || n.editing || strings.TrimSpace(text) == "" {
		return
	}
	n.editing, n.problem, n.was = true, "", n.editText()
	n.field.SetText(text)
	n.field.Focus()
	n.tip.hush()
	n.field.grab(gtx) // so that the next letter finds the field
}

// mixedText stands for values that differ.
const mixedText = "—"

// text is what the number shows.
func (n *Number) text() string {
	switch {
	case n.relative && n.Log:
		return "×" + FormatNumber(n.operand, n.decimals())
	case n.relative && n.operand >= 0:
		return "+" + FormatNumber(n.operand, n.decimals())
	case n.relative:
		return FormatNumber(n.operand, n.decimals())
	case n.Mixed && !n.dragging:
		return mixedText
	}
	return FormatNumber(n.Value, n.decimals())
}

// editText is what typing begins with.
func (n *Number) editText() string {
	if n.Mixed {
		return ""
	}
	return n.text()
}

func (n *Number) edit() {
	n.editing, n.problem, n.was = true, "", n.editText()
	n.field.SetText(n.was)
	n.field.SelectAll()
	n.tip.hush()
}

// grab begins following the pointer.
func (n *Number) grab(gtx layout.Context, tag event.Tag, e pointer.Event) {
	n.dragging = true
	n.before, n.raw = n.Value, n.Value
	gtx.Execute(pointer.GrabCmd{Tag: tag, ID: e.PointerID})
	n.take(gtx)
}

func (n *Number) pointer(gtx layout.Context, e pointer.Event) (Change, bool) {
	switch e.Kind {
	case pointer.Press:
		n.tip.hush()
		if n.keyed && n.th != nil {
			n.th.win.claimed = true
		}
		if e.Source == pointer.Mouse && e.Buttons != pointer.ButtonPrimary || n.editing || n.disabled {
			break
		}
		n.down, n.pid = true, e.PointerID
		n.start, n.last = e.Position, e.Position
	case pointer.Drag:
		if !n.down || e.PointerID != n.pid {
			break
		}
		if !n.dragging {
			if math.Abs(float64(e.Position.X-n.start.X)) <= float64(gtx.Dp(3)) {
				break
			}
			n.grab(gtx, n, e)
			if n.Mixed {
				n.relative = true
				n.raw, n.operand = n.identity(), n.identity()
			}
		}
		dp := float64(e.Position.X-n.last.X) / float64(gtx.Metric.PxPerDp)
		n.last = e.Position
		return n.preview(n.scrub(dp, e.Modifiers))
	case pointer.Release:
		if !n.down || e.PointerID != n.pid {
			break
		}
		n.down = false
		if n.dragging {
			return n.finish(), true
		}
		if n.hovered {
			n.edit()
		}
	case pointer.Cancel:
		n.down = false
		return n.giveUp()
	}
	return Change{}, false
}

// scrub moves the exact position of the drag by dp and returns the value that
// it stands for. Keeping the exact position lets slow drags add up.
func (n *Number) scrub(dp float64, m key.Modifiers) float64 {
	fine := m.Contain(key.ModShift)
	if fine {
		dp /= 10
	}
	bounded := n.bounded() && !n.relative
	if n.Log {
		n.raw *= math.Pow(10, dp/200)
		if bounded {
			n.raw = min(max(n.raw, n.Min), n.Max)
		}
		switch {
		case m.Contain(key.ModCtrl):
			return snapDecade(n.raw)
		case fine:
			return roundSignificant(n.raw, 4)
		}
		return roundSignificant(n.raw, 3)
	}
	n.raw += dp / 8 * n.step()
	if bounded {
		n.raw = min(max(n.raw, n.Min), n.Max)
	}
	switch {
	case m.Contain(key.ModCtrl):
		return roundTo(n.raw, n.step())
	case fine:
		return roundTo(n.raw, n.step()/100)
	}
	return roundTo(n.raw, n.step()/10)
}

// identity is the operand that changes nothing.
func (n *Number) identity() float64 {
	if n.Log {
		return 1
	}
	return 0
}

// by is a change of several values.
func (n *Number) by(p Phase, operand float64) Change {
	c := Change{Phase: p, Op: OpAdd, Operand: operand, limits: n.limits()}
	if n.Log {
		c.Op = OpMultiply
	}
	c.Value = c.Of(n.Value)
	return c
}

// to is a change to one value.
func (n *Number) to(p Phase, v float64) Change {
	return Change{Phase: p, Value: v, Operand: v, limits: n.limits()}
}

func (n *Number) preview(v float64) (Change, bool) {
	if n.relative {
		if n.Integer && !n.Log {
			v = math.Round(v)
		}
		if v == n.operand {
			return Change{}, false
		}
		n.operand = v
		return n.by(Preview, v), true
	}
	if v = n.clamp(v); v == n.Value {
		return Change{}, false
	}
	n.Value = v
	return n.to(Preview, v), true
}

// finish ends a drag.
func (n *Number) finish() Change {
	n.dragging = false
	if n.relative {
		n.relative = false
		return n.by(Commit, n.operand)
	}
	n.Mixed = false
	return n.to(Commit, n.Value)
}

func (n *Number) giveUp() (Change, bool) {
	if !n.dragging {
		return Change{}, false
	}
	n.dragging, n.down, n.relative = false, false, false
	n.Value = n.before
	return n.to(Cancel, n.before), true
}

func (n *Number) key(e key.Event) (Change, bool) {
	if n.disabled {
		return Change{}, false
	}
	dir := 1.0
	switch e.Name {
	case key.NameEscape:
		return n.giveUp()
	case key.NameReturn, key.NameEnter:
		n.edit()
		return Change{}, false
	case key.NameDownArrow:
		dir = -1
	}
	if e.Modifiers.Contain(key.ModShift) && (n.Log || !n.Integer) {
		dir *= 0.1
	}
	var v float64
	switch {
	case n.Mixed && n.Log:
		return n.by(Commit, math.Pow(10, dir/10)), true
	case n.Mixed:
		return n.by(Commit, dir*n.step()), true
	case n.Log:
		v = roundSignificant(n.Value*math.Pow(10, dir/10), 3)
	default:
		v = roundTo(n.Value+dir*n.step(), n.step()/10)
	}
	if v = n.clamp(v); v == n.Value {
		return Change{}, false
	}
	n.Value = v
	return n.to(Commit, v), true
}

// fraction is where the value stands between Min and Max, from 0 to 1.
func (n *Number) fraction() float64 { return n.fractionOf(n.Value) }

func (n *Number) fractionOf(v float64) float64 {
	lo, hi := n.Min, n.Max
	if n.Log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	f := (v - lo) / (hi - lo)
	if !(f > 0) {
		return 0
	}
	return min(f, 1)
}

// at is the inverse of fractionOf.
func (n *Number) at(f float64) float64 {
	f = min(max(f, 0), 1)
	if n.Log {
		return math.Exp(math.Log(n.Min) + f*(math.Log(n.Max)-math.Log(n.Min)))
	}
	return n.Min + f*(n.Max-n.Min)
}
