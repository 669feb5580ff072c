package tool

import (
	"errors"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/terrain"
	"ridgeline/terrain/brush"
)

const (
	dabsPerSecond = 20

	// DabTime is the time between the dabs of a pointer that rests.
	DabTime = time.Second / dabsPerSecond

	// holdDelay is how long a pointer must have placed no dab by moving until it
	// counts as resting, from the beginning of that time on. It must be longer than
	// the gaps between the events of a pointer that moves.
	holdDelay = 2 * DabTime

	// maxCatchUp bounds the dabs of a single call: when the host was stuck, the
	// rest of the time is forgotten.
	maxCatchUp = dabsPerSecond
)

// errMeddled is what a stroke ends with when the ground is changed under it.
var errMeddled = errors.New("the ground was changed by something else while the stroke was made")

// hover is the ring of a brush where the ray meets the ground.
func hover(l *document.Level, in Input, b *Brush) Preview {
	hit, ok := l.Terrain.Raycast(in.Ray)
	if !ok {
		return Preview{}
	}
	return Preview{OK: true, Center: hit.Point, Radius: b.Radius, Inner: b.Radius * b.Hardness}
}

// drag is a brush stroke in the making.
type drag struct {
	doc   *document.Document
	open  *document.Open
	draft *terrain.Draft
	brush brush.Brush

	ground *terrain.Field // as it was at the press, for picking
	shown  *terrain.Field // what the document has of the stroke
	stale  bool           // the draft has more

	stroke *brush.Stroke // nil while the pointer is off the ground
	at     mgl64.Vec3    // the last point, on the ground as it was
	reach  float64       // from the eye to there
	rest   time.Duration // when the last dab of the movement was placed
	held   int           // dabs since then
}

// press begins a stroke where the ray meets the ground, and shows its first dab.
func press(env *command.Env, in Input, name string, b brush.Brush) (Drag, error) {
	ground := env.Doc.Level().Terrain
	hit, ok := ground.Raycast(in.Ray)
	if !ok {
		return nil, nil
	}
	if b.Op == brush.Flatten {
		// Said here, so that a stroke that leaves the ground and comes back still
		// aims at its beginning.
		b.Level, b.UseLevel = min(max(hit.Point[1], -terrain.MaxHeight), terrain.MaxHeight), true
	}
	d := &drag{doc: env.Doc, draft: ground.Draft(), brush: b, ground: ground, shown: ground}
	if err := d.begin(hit, in); err != nil {
		return nil, err
	}
	d.open = env.Doc.Begin(name)
	if err := d.publish(); err != nil {
		return nil, err
	}
	return d, nil
}

// begin puts the brush down.
func (d *drag) begin(hit terrain.Hit, in Input) error {
	s, err := brush.Begin(d.draft, d.brush, hit.Point[0], hit.Point[2])
	if err != nil {
		return err
	}
	d.stroke, d.stale = s, true
	d.goTo(hit.Point, in)
	d.rest, d.held = in.Time, 0
	return nil
}

func (d *drag) goTo(p mgl64.Vec3, in Input) {
	d.at, d.reach = p, p.Sub(in.Ray.Origin).Len()
}

// Move implements Drag.
func (d *drag) Move(in Input) error { return d.unless(d.move(in)) }

func (d *drag) move(in Input) error {
	if err := d.hold(in.Time); err != nil {
		return err
	}
	hit, ok := d.ground.Raycast(in.Ray)
	switch {
	case ok && d.stroke == nil:
		return d.begin(hit, in)
	case ok:
		return d.line(hit.Point, in)
	case d.stroke == nil:
		return nil
	}
	if p, ok := d.beyond(in); ok {
		if err := d.line(p, in); err != nil {
			return err
		}
	}
	d.stroke = nil
	return nil
}

// line draws on to a point.
func (d *drag) line(p mgl64.Vec3, in Input) error {
	changed, err := d.stroke.To(p[0], p[2])
	if err != nil {
		return err
	}
	d.goTo(p, in)
	if !changed.Empty() {
		d.stale = true
		d.rest, d.held = in.Time, 0
	}
	return nil
}

// beyond is the point off the terrain's edge to which a stroke leaves it, so that
// a fast one does not end short of the edge. It lies at the height of the last
// point. A ray that passes over a ridge into the distance is not such: it goes on
// much farther than the last point was.
func (d *drag) beyond(in Input) (mgl64.Vec3, bool) {
	t := (d.at[1] - in.Ray.Origin[1]) / in.Ray.Dir[1]
	p := in.Ray.At(t)
	if !(t > 0 && p.Sub(in.Ray.Origin).Len() <= 2*d.reach) {
		return p, false
	}
	_, _, _, _, inside := d.ground.Cell(p[0], p[2])
	return p, !inside
}

// hold places the dabs of a pointer that rests until now.
func (d *drag) hold(now time.Duration) error {
	rested := now - d.rest
	if d.stroke == nil || rested < holdDelay {
		return nil
	}
	due := int(rested / DabTime)
	n := min(due-d.held, maxCatchUp)
	d.held = max(d.held, due)
	if n <= 0 {
		return nil
	}
	changed, err := d.stroke.Hold(n)
	if !changed.Empty() {
		d.stale = true
	}
	return err
}

// GoesOn implements Lasting: a brush that is held over the ground works on.
func (d *drag) GoesOn() bool { return d.stroke != nil }

// Tick implements Drag.
func (d *drag) Tick(now time.Duration) error {
	err := d.hold(now)
	if err == nil {
		err = d.publish()
	}
	return d.unless(err)
}

// publish shows what the draft has.
func (d *drag) publish() error {
	if !d.stale {
		return nil
	}
	err := d.open.Step(func(tx *document.Tx) error {
		if tx.Level().Terrain != d.shown {
			return errMeddled
		}
		f, _ := d.draft.Field()
		if err := tx.SetTerrain(f); err != nil {
			return err
		}
		d.shown, d.stale = f, false
		return nil
	})
	return d.unless(err)
}

// unless cancels the stroke if there is an error, and gives it.
func (d *drag) unless(err error) error {
	if err != nil && d.open != nil {
		d.open.Cancel()
	}
	return err
}

// Preview implements Drag.
func (d *drag) Preview() Preview {
	if d.stroke == nil {
		return Preview{}
	}
	p := Preview{OK: true, Center: d.at, Radius: d.brush.Radius, Inner: d.brush.Radius * d.brush.Hardness}
	if y, ok := d.shown.Height(p.Center[0], p.Center[2]); ok {
		p.Center[1] = y
	}
	return p
}

// End implements Drag.
func (d *drag) End(now time.Duration) error {
	if err := d.Tick(now); err != nil {
		return err
	}
	return d.open.Commit()
}

// Cancel implements Drag.
func (d *drag) Cancel() { d.open.Cancel() }
