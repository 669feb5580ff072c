package tool

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/terrain/fault"
)

// Strew is the options of the scatter brush.
type Strew struct {
	Assets    []string // chosen from evenly
	Density   float64  // points per square metre
	Spacing   float64  // metres; 0 is the least
	Slope     [2]float64
	Height    [2]float64 // metres
	Limits    struct{ Slope, Height bool }
	Scale     [2]float64
	Align     float64 // 0 stands upright, 1 along the ground's normal
	Turn      bool    // each is turned at random
	Seed      int
	Billboard float64     // metres; 0 is never
	Into      document.ID // the scatter that is added to; 0 begins one
}

// Limits that all ground keeps: they take the place of those that a scatter has.
var (
	AnySlope  = [2]float64{0, math.Pi / 2}
	AnyHeight = [2]float64{-1e6, 1e6} // metres
)

// DefaultStrew is a thin wood on slopes up to 35°.
func DefaultStrew() Strew {
	s := Strew{Density: 0.02, Spacing: 3, Slope: [2]float64{0, 35 * math.Pi / 180}, Height: [2]float64{0, 1000}, Scale: [2]float64{0.8, 1.2}, Turn: true, Billboard: 150}
	s.Limits.Slope = true
	return s
}

// Scatter strews meshes over the ground with a brush. Ctrl takes them away.
type Scatter struct {
	Options *Strew
	Brush   *Brush // radius and hardness
}

// ID implements Tool.
func (*Scatter) ID() string { return "scatter" }

// Hover implements Tool.
func (s *Scatter) Hover(l *document.Level, in Input) Preview { return hover(l, in, s.Brush) }

// Press implements Tool.
func (s *Scatter) Press(env *command.Env, in Input) (Drag, error) {
	erase := in.Modifiers&Ctrl != 0
	if len(s.Options.Assets) == 0 && !erase {
		return nil, fmt.Errorf("no asset is chosen to scatter; choose some in the panel Assets")
	}
	hit, ok := env.Doc.Level().Terrain.Raycast(in.Ray)
	if !ok {
		return nil, nil
	}
	name := "Scatter"
	if erase {
		name = "Erase from scatters"
	}
	d := &strewing{tool: s, env: env, erase: erase, before: env.View.Selection, open: env.Doc.Begin(name), path: []mgl64.Vec3{hit.Point}, at: hit.Point}
	if e, ok := env.Doc.Level().Entity(s.Options.Into); ok && e.Kind == document.KindScatter {
		d.into = e.ID
	}
	if err := d.Tick(in.Time); err != nil {
		return nil, err
	}
	return d, nil
}

// strewing is a stroke of the scatter brush.
type strewing struct {
	tool   *Scatter
	env    *command.Env
	erase  bool
	open   *document.Open
	before []document.ID
	into   document.ID
	path   []mgl64.Vec3 // not strewn yet; the first point was the last of what is
	at     mgl64.Vec3
	done   bool // the path's first point is strewn
}

// Move implements Drag.
func (d *strewing) Move(in Input) error {
	if hit, ok := d.env.Doc.Level().Terrain.Raycast(in.Ray); ok {
		d.at = hit.Point
		if last := d.path[len(d.path)-1]; last.Sub(hit.Point).Len() > d.tool.Brush.Radius/8 {
			d.path = append(d.path, hit.Point)
		}
	}
	return nil
}

// Tick implements Drag.
func (d *strewing) Tick(time.Duration) error {
	if d.done && len(d.path) < 2 {
		return nil
	}
	call := d.call()
	d.path, d.done = d.path[len(d.path)-1:], true
	err := d.env.Registry.Run(context.Background(), d.env, call)
	var f *fault.Error
	switch {
	case err == nil && !d.erase && d.into == 0:
		if sel := d.env.View.Selection; len(sel) == 1 {
			d.into = sel[0]
			d.tool.Options.Into = d.into
		}
	case err != nil && d.into == 0 && errors.As(err, &f) && f.Place == "at":
		return nil // nothing grows here; the stroke goes on
	case err != nil:
		d.open.Cancel()
		return err
	}
	return nil
}

// call is the command for the path so far.
func (d *strewing) call() command.Call {
	o, b := d.tool.Options, d.tool.Brush
	call := command.Call{ID: "object.scatter"}
	if d.erase {
		call.ID = "scatter.erase"
	}
	with(&call, "at", number(d.path[0][0])+","+number(d.path[0][2]))
	if len(d.path) > 1 {
		to := make([]string, 0, len(d.path)-1)
		for _, p := range d.path[1:] {
			to = append(to, number(p[0])+","+number(p[2]))
		}
		with(&call, "to", strings.Join(to, ";"))
	}
	with(&call, "radius", number(b.Radius))
	with(&call, "hardness", number(b.Hardness))
	if d.erase {
		with(&call, "id", d.erased())
		return call
	}
	pair := func(v [2]float64, factor float64) string { return number(v[0]*factor) + "," + number(v[1]*factor) }
	with(&call, "assets", strings.Join(o.Assets, ","))
	with(&call, "density", number(o.Density))
	with(&call, "spacing", number(o.Spacing))
	slope, height := o.Slope, o.Height
	if !o.Limits.Slope {
		slope = AnySlope
	}
	if !o.Limits.Height {
		height = AnyHeight
	}
	if o.Limits.Slope || d.into != 0 { // what is left out stays as the scatter has it
		with(&call, "slope", pair(slope, 180/math.Pi))
	}
	if o.Limits.Height || d.into != 0 {
		with(&call, "height", pair(height, 1))
	}
	with(&call, "scale", pair(o.Scale, 1))
	with(&call, "align", number(o.Align))
	with(&call, "turn", strconv.FormatBool(o.Turn))
	with(&call, "seed", strconv.Itoa(o.Seed))
	with(&call, "billboard", number(o.Billboard))
	if d.into != 0 {
		with(&call, "into", strconv.FormatUint(uint64(d.into), 10))
	}
	return call
}

// erased are the scatters that are erased from: the one that is added to, or all
// that can be edited.
func (d *strewing) erased() string {
	var ids []string
	l := d.env.Doc.Level()
	for e := range l.Entities() {
		if _, locked := l.Effective(e); e.Kind == document.KindScatter && !locked && (d.into == 0 || e.ID == d.into) {
			ids = append(ids, strconv.FormatUint(uint64(e.ID), 10))
		}
	}
	return strings.Join(ids, ",")
}

// Preview implements Drag.
func (d *strewing) Preview() Preview {
	b := d.tool.Brush
	return Preview{OK: true, Center: d.at, Radius: b.Radius, Inner: b.Radius * b.Hardness}
}

// End implements Drag.
func (d *strewing) End(now time.Duration) error {
	if err := d.Tick(now); err != nil {
		return err
	}
	return d.open.Commit()
}

// Cancel implements Drag.
func (d *strewing) Cancel() {
	d.open.Cancel()
	if _, ok := d.env.Doc.Level().Entity(d.into); !ok {
		d.tool.Options.Into = 0
	}
	setSelection(d.env, d.before)
}
