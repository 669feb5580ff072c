package widgets

import "math"

// Phase is how far a change has come.
type Phase uint8

const (
	// Preview: the user is still dragging. More will follow.
	Preview Phase = iota
	// Commit: the value is final.
	Commit
	// Cancel: the user gave up; Value is the one from before.
	Cancel
)

// Change is one step of changing a value. Any number of Previews is followed
// by one Commit or Cancel.
type Change struct {
	Phase Phase
	Value float64
	// Op and Operand tell what is done to the value from before the gesture, when
	// several values are changed at once. Of does it.
	Op      Op
	Operand float64

	limits limits
}

// Of is what becomes of one of several values that are changed at once; v is the
// value from before the gesture.
func (c Change) Of(v float64) float64 {
	if c.Phase == Cancel {
		return v
	}
	return c.limits.fit(c.Op.apply(v, c.Operand), v)
}

// limits are the values that a number can have.
type limits struct {
	min, max          float64
	bounded           bool
	integer, positive bool
}

// fit moves v to the nearest value that is allowed; old is what stays when there
// is none.
func (l limits) fit(v, old float64) float64 {
	if l.integer {
		v = math.Round(v)
	}
	if l.bounded {
		v = min(max(v, l.min), l.max)
	}
	if l.positive && !(v > 0) || math.IsNaN(v) || math.IsInf(v, 0) {
		return old
	}
	return v
}

// Op is what a change does to a value.
type Op uint8

const (
	// OpSet replaces the value by the operand.
	OpSet Op = iota
	// OpAdd adds the operand.
	OpAdd
	// OpMultiply multiplies by the operand.
	OpMultiply
)

// apply does the operation to a value.
func (o Op) apply(v, operand float64) float64 {
	switch o {
	case OpAdd:
		return v + operand
	case OpMultiply:
		return v * operand
	}
	return operand
}
