package panel

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/widgets"
)

// gesture is a change that goes on: a number or a colour that is dragged. It shows
// at once and is one step of the history.
type gesture struct {
	open     *document.Open
	start    *document.Level // before it
	dragging func() bool     // the widget still drags
}

// edit is what changing a number does.
type edit struct {
	verb string // "Move", in the name of the step
	ids  []document.ID
	// line sets the value for all of ids; "" when no command does.
	line func(v float64) string
	// to is an entity after the change. now is the level that it is in, which things
	// above it have already changed, and start the one from before the gesture.
	to func(now, start *document.Level, id document.ID, c widgets.Change) (document.Entity, bool)
	// mixed says that ids have several values.
	mixed bool
	// dragging reports whether the widget still drags.
	dragging func() bool
}

// stepName is what the history calls a change of some things.
func stepName(verb string, l *document.Level, ids []document.ID) string {
	if len(ids) == 1 {
		if e, ok := l.Entity(ids[0]); ok {
			return verb + " " + titleOf(e)
		}
	}
	return verb + " " + fmt.Sprintf(sThings, len(ids))
}

// change takes one change of a number. Setting a value for all is a command; what
// adds to each, or multiplies each, is one edit, and so is a drag.
func (ip *inspector) change(c widgets.Change, e edit) {
	sh := ip.sh
	sh.again = true
	if c.Phase == widgets.Cancel {
		ip.cancel()
		return
	}
	apply := func(start *document.Level) func(tx *document.Tx) error {
		return func(tx *document.Tx) error {
			for _, id := range sh.s.FromTop(e.ids) {
				if next, ok := e.to(tx.Level(), start, id, c); ok {
					if err := tx.Put(next); err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	l := sh.s.Level()
	if c.Phase == widgets.Commit && ip.gesture.open == nil { // typed, or by the arrow keys
		if line := e.line(c.Value); line != "" && (c.Op == widgets.OpSet || !e.mixed) {
			sh.run(line)
			return
		}
		sh.s.Fail(sh.s.Document().Do(stepName(e.verb, l, e.ids), apply(l)))
		return
	}
	if ip.gesture.open == nil {
		ip.gesture = gesture{open: sh.s.Document().Begin(stepName(e.verb, l, e.ids)), start: l, dragging: e.dragging}
	}
	if !ip.step(apply(ip.gesture.start)) {
		return
	}
	if c.Phase == widgets.Commit {
		ip.commit()
	}
}

// step shows a change of the gesture; false when undo has taken the gesture back.
func (ip *inspector) step(fn func(tx *document.Tx) error) bool {
	switch err := ip.gesture.open.Step(fn); err {
	case nil:
		return true
	case document.ErrClosed:
		ip.gesture = gesture{}
		return false
	default: // what the step before showed stays
		return true
	}
}

// commit keeps what the gesture did as one step.
func (ip *inspector) commit() {
	if ip.gesture.open == nil {
		return
	}
	err := ip.gesture.open.Commit()
	ip.gesture = gesture{}
	if err != document.ErrClosed {
		ip.sh.s.Fail(err)
	}
}

func (ip *inspector) cancel() {
	if ip.gesture.open != nil {
		ip.gesture.open.Cancel()
		ip.gesture = gesture{}
	}
}

// settle ends a gesture whose widget went away in the middle of a drag.
func (ip *inspector) settle() {
	if ip.gesture.open != nil && !ip.gesture.dragging() {
		ip.commit()
	}
}

// axes names what the numbers of a vector set in object.set.
var (
	placeArgs = [3]string{"x", "y", "z"}
	turnArgs  = [3]string{"pitch", "yaw", "roll"}
)

// setLine is object.set for some things.
func setLine(ids []document.ID, args ...string) string {
	return callLine("object.set", append([]string{"id", idWords(ids...)}, args...)...)
}

// placeEdit changes one coordinate of the places in the world.
func (ip *inspector) placeEdit(p *picked, axis int) edit {
	return edit{
		verb: "Move", ids: p.ids, mixed: p.place[axis].mixed, dragging: ip.place.Dragging,
		line: func(v float64) string { return setLine(p.ids, placeArgs[axis], number(v)) },
		to: func(now, start *document.Level, id document.ID, c widgets.Change) (document.Entity, bool) {
			world, ok := start.World(id)
			if !ok {
				return document.Entity{}, false
			}
			return session.PlacedAt(now, id, axis, c.Of(world[12+axis]))
		},
	}
}

// turnEdit changes one angle of the rotations.
func (ip *inspector) turnEdit(p *picked, axis int) edit {
	return edit{
		verb: "Rotate", ids: p.ids, mixed: p.turn[axis].mixed, dragging: ip.turn.Dragging,
		// A command would set the angle beside those that it finds out from the
		// rotation, which may be others than are shown.
		line: func(v float64) string {
			for _, e := range p.entities {
				if set, ok := ip.angles[e.ID]; ok && set.of == e.Rotation {
					return ""
				}
			}
			if axis == 0 && math.Abs(v) > 90 {
				return ""
			}
			return setLine(p.ids, turnArgs[axis], number(v))
		},
		to: func(now, start *document.Level, id document.ID, c widgets.Change) (document.Entity, bool) {
			was, ok := start.Entity(id)
			e, has := now.Entity(id)
			if !ok || !has {
				return document.Entity{}, false
			}
			next := *e
			d := ip.anglesOf(was)
			d[axis] = c.Of(d[axis])
			next.Rotation = command.Angles{Pitch: radians(d[0]), Yaw: radians(d[1]), Roll: radians(d[2])}.Quat()
			ip.noteAngles(id, next.Rotation, d)
			return next, true
		},
	}
}

func radians(deg float64) float64 { return deg * math.Pi / 180 }

// noteAngles keeps the angles that were set for a thing.
func (ip *inspector) noteAngles(id document.ID, of mgl64.Quat, d [3]float64) {
	if ip.angles == nil {
		ip.angles = map[document.ID]setAngles{}
	}
	ip.angles[id] = setAngles{of: of, degrees: d}
}

// leastScale is the smallest factor that things can have.
const leastScale = 1e-6

// scaleEdit changes one factor of the scales, and with the others as much.
func (ip *inspector) scaleEdit(p *picked, axis int) edit {
	to := func(now, start *document.Level, id document.ID, c widgets.Change) (document.Entity, bool) {
		was, ok := start.Entity(id)
		e, has := now.Entity(id)
		if !ok || !has {
			return document.Entity{}, false
		}
		v := c.Of(was.Scale[axis])
		if math.Abs(v) < leastScale {
			return document.Entity{}, false // on the way to the other side
		}
		next := *e
		next.Scale = was.Scale
		if ip.even {
			for i := range next.Scale {
				next.Scale[i] = was.Scale[i] * v / was.Scale[axis]
			}
		}
		next.Scale[axis] = v
		return next, true
	}
	return edit{
		verb: "Scale", ids: p.ids, mixed: p.scale[axis].mixed, dragging: ip.scale.Dragging, to: to,
		line: func(v float64) string {
			if math.Abs(v) < leastScale {
				return setLine(p.ids, "scale", number(v)) // which says what is expected
			}
			l := ip.sh.s.Level()
			var all common[mgl64.Vec3]
			for _, id := range p.ids {
				if e, ok := to(l, l, id, widgets.Change{Value: v, Operand: v}); ok {
					all.add(e.Scale)
				}
			}
			if all.mixed || all.n == 0 {
				return ""
			}
			s := all.value
			if s[0] == s[1] && s[1] == s[2] {
				return setLine(p.ids, "scale", number(s[0]))
			}
			return setLine(p.ids, "scale", number(s[0])+","+number(s[1])+","+number(s[2]))
		},
	}
}

// dataEdit changes a number that only some kinds have. arg is its name in
// object.set.
func (ip *inspector) dataEdit(ids []document.ID, arg string, n *widgets.Number, mixed bool, set func(e *document.Entity, of func(float64) float64)) edit {
	return edit{
		verb: "Change", ids: ids, mixed: mixed, dragging: n.Dragging,
		line: func(v float64) string { return setLine(ids, arg, number(v)) },
		to: func(now, start *document.Level, id document.ID, c widgets.Change) (document.Entity, bool) {
			was, ok := start.Entity(id)
			e, has := now.Entity(id)
			if !ok || !has {
				return document.Entity{}, false
			}
			next := *e
			next.Data = was.Data
			set(&next, c.Of)
			return next, true
		},
	}
}
