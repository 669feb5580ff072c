package tool

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
)

// Placing stands objects where the user clicks, on the ground or on other things.
// A drag after the press turns what was placed.
type Placing struct {
	Options  *Place
	Snapping *Snapping

	placed uint64 // how many were, which the random draws follow from
}

// ID implements Tool.
func (*Placing) ID() string { return "object" }

// spot is where something is placed.
type spot struct {
	at     mgl64.Vec3
	normal mgl64.Vec3
	beside bool // there is a terrain, and neither that nor anything else is here
}

// spot finds where the ray meets the level; without anything there, at the height
// of the level's origin, so that a level can begin with nothing.
func (p *Placing) spot(in Input) (spot, bool) {
	s, ok := spot{normal: mgl64.Vec3{0, 1, 0}}, false
	if hit, found := in.Scene.Pick(in.Ray, nil); found {
		s, ok = spot{at: hit.Point, normal: hit.Normal}, true
		if s.normal.Dot(in.Ray.Dir) > 0 {
			s.normal = s.normal.Mul(-1) // the inside of a room: away from its wall
		}
	} else if d := in.Ray.Dir[1]; d < -1e-6 {
		if t := -in.Ray.Origin[1] / d; t > 0 && t*in.Ray.Dir.Len() < emptyReach {
			s.at, ok = in.Ray.At(t), true
			s.beside = in.Scene.Level().HasTerrain()
		}
	}
	if ok && p.Snapping.On && p.Snapping.Grid > 0 {
		g := p.Snapping.Grid
		for _, i := range [2]int{0, 2} {
			s.at[i] = math.Round(s.at[i]/g) * g
		}
		// Snapped sideways, it stands on what is there.
		top := in.Ray.Origin[1]
		ray := in.Ray
		ray.Origin, ray.Dir = mgl64.Vec3{s.at[0], max(top, s.at[1]+emptyReach), s.at[2]}, mgl64.Vec3{0, -1, 0}
		if hit, found := in.Scene.Pick(ray, func(it *scene.Item) bool { return it.Box.Min[1] > s.at[1]+g }); found && math.Abs(hit.Point[1]-s.at[1]) < 4*g {
			s.at[1], s.beside = hit.Point[1], false
		}
	}
	return s, ok
}

// emptyReach is how far away, in metres, things are placed where nothing is.
const emptyReach = 10_000

// drawn is a number from 0 to 1 that follows from the count of what was placed.
func (p *Placing) drawn(salt uint64) float64 {
	h := (p.placed+1)*0x9e3779b97f4a7c15 + salt*0xbf58476d1ce4e5b9
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return float64((h^h>>31)>>11) / (1 << 53)
}

// turnAndScale are those of the next object.
func (p *Placing) turnAndScale() (yaw, scale float64) {
	o := p.Options
	yaw = o.Yaw
	if o.RandomYaw {
		yaw = 2 * math.Pi * p.drawn(1)
	}
	return yaw, o.ScaleMin + (o.ScaleMax-o.ScaleMin)*p.drawn(2)
}

// standing is the rotation of something that is turned by yaw and leans with a
// surface.
func (p *Placing) standing(normal mgl64.Vec3, yaw float64) mgl64.Quat {
	q := mgl64.QuatRotate(yaw, mgl64.Vec3{0, 1, 0})
	if p.Options.Align <= 0 {
		return q
	}
	up := mgl64.Vec3{0, 1, 0}
	axis := up.Cross(normal)
	if l := axis.Len(); l > 1e-9 {
		q = mgl64.QuatRotate(math.Atan2(l, normal[1])*p.Options.Align, axis.Mul(1/l)).Mul(q)
	} else if normal[1] < 0 {
		q = mgl64.QuatRotate(math.Pi*p.Options.Align, mgl64.Vec3{1, 0, 0}).Mul(q)
	}
	return q.Normalize()
}

// Hover implements Tool.
func (p *Placing) Hover(l *document.Level, in Input) Preview {
	if p.Options.Asset == "" {
		return Preview{}
	}
	s, ok := p.spot(in)
	if !ok {
		return Preview{}
	}
	yaw, scale := p.turnAndScale()
	e := document.Entity{Translation: s.at, Rotation: p.standing(s.normal, yaw), Scale: mgl64.Vec3{scale, scale, scale}}
	return Preview{Ghost: Ghost{Asset: p.Options.Asset, World: e.Local()}}
}

// Press implements Tool.
func (p *Placing) Press(env *command.Env, in Input) (Drag, error) {
	if p.Options.Asset == "" {
		return nil, fmt.Errorf("no asset is chosen; choose one in the panel Assets, or import a mesh")
	}
	s, ok := p.spot(in)
	if !ok {
		return nil, nil
	}
	yaw, scale := p.turnAndScale()
	d := &placement{tool: p, env: env, spot: s, yaw: yaw, from: in, before: env.View.Selection, open: env.Doc.Begin("Place " + p.Options.Asset)}
	if err := d.place(scale); err != nil {
		d.Cancel()
		return nil, err
	}
	p.placed++
	return d, nil
}

// placement is an object that was just placed and is still being turned.
type placement struct {
	tool   *Placing
	env    *command.Env
	spot   spot
	yaw    float64
	from   Input
	open   *document.Open
	id     document.ID
	before []document.ID // selected
}

func (d *placement) place(scale float64) error {
	o := d.tool.Options
	call := command.Call{ID: "object.place"}
	with(&call, "asset", o.Asset)
	with(&call, "at", number(d.spot.at[0])+","+number(d.spot.at[1])+","+number(d.spot.at[2]))
	with(&call, "scale", number(scale))
	if o.Geometry {
		with(&call, "geometry", "yes")
	}
	if err := d.env.Registry.Run(context.Background(), d.env, call); err != nil {
		return err
	}
	if len(d.env.View.Selection) != 1 {
		return fmt.Errorf("placing %s selected %d things, expected the new one", o.Asset, len(d.env.View.Selection))
	}
	d.id = d.env.View.Selection[0]
	return d.turn(d.yaw)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (d *placement) turn(yaw float64) error {
	return d.open.Step(func(tx *document.Tx) error {
		e, ok := tx.Level().Entity(d.id)
		if !ok {
			return fmt.Errorf("the object that is being placed is gone")
		}
		c := e.Clone()
		c.Rotation = d.tool.standing(d.spot.normal, yaw)
		return tx.Put(c)
	})
}

// turnSpeed is how many radians a dp of a drag turns.
const turnSpeed = math.Pi / 180

// Move implements Drag.
func (d *placement) Move(in Input) error {
	by := (in.Pixel[0] - d.from.Pixel[0]) / in.Scale
	if math.Abs(by) < dragDistance {
		return nil
	}
	yaw := d.yaw + by*turnSpeed
	if s := d.tool.Snapping; s.On && s.Angle > 0 {
		yaw = math.Round(yaw/s.Angle) * s.Angle
	}
	return d.turn(yaw)
}

// Tick implements Drag.
func (d *placement) Tick(time.Duration) error { return nil }

// Note implements Noter.
func (d *placement) Note() string {
	if !d.spot.beside {
		return ""
	}
	return "There is no ground there, so " + d.tool.Options.Asset + " was placed at height 0."
}

// Preview implements Drag.
func (d *placement) Preview() Preview { return Preview{} }

// End implements Drag.
func (d *placement) End(time.Duration) error { return d.open.Commit() }

// Cancel implements Drag.
func (d *placement) Cancel() {
	d.open.Cancel()
	setSelection(d.env, d.before)
}
