package command

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// axisNames are the choices of an axis; the index is that of the coordinate.
var axisNames = []string{"x", "y", "z"}

func axisOf(name string) int { return int(name[0] - 'x') }

func arrangeCommands() []Command {
	about := Param{Name: "about", Help: "the point that stays; without it the middle of the box around their places", Kind: Ground}
	by := Param{Name: "by", Help: "x,y,z", Unit: "m", Kind: Numbers, Counts: []int{3}}
	return []Command{
		{
			ID: "object.move", Title: "Move", Class: Edit,
			Help:   "Moves things by a vector of the world, with what stands below them.",
			Params: []Param{idsParam("ids"), required(by, "how far along "+by.Help)},
			Run: func(_ context.Context, env *Env, a Args) error {
				ids, err := env.editable(a, "ids")
				if err != nil {
					return err
				}
				return env.replace("Move", "by", ids, Moved(env.Doc.Level(), ids, a.vector("by")))
			},
		},
		{
			ID: "object.rotate", Title: "Rotate", Class: Edit,
			Help: "Turns things in the world about their common middle: about the vertical, about an axis, or by a quaternion. " +
				"Below an uneven scale, where a turn is a shear as well, the shear is left out.",
			Params: []Param{
				idsParam("ids"),
				yawParam("turn about the vertical, counter-clockwise seen from above"),
				{Name: "axis", Help: "axis of the world to turn about by `angle`", Kind: Choice, Choices: axisNames},
				{Name: "angle", Help: "turn about `axis`, counter-clockwise seen from its tip", Unit: "°", Kind: Number, Min: -360, Max: 360},
				{Name: "quat", Help: "turn as a quaternion x,y,z,w", Kind: Numbers, Counts: []int{4}, Min: -maxScale, Max: maxScale},
				about,
			},
			Run: rotateObjects,
		},
		{
			ID: "object.scale", Title: "Scale", Class: Edit,
			Help: "Scales things: each along its own axes, and their distances from their common middle along the world's.",
			Params: []Param{
				idsParam("ids"),
				required(scaleParam("by", "a factor, or factors along x, y and z; negative ones mirror"), ""),
				about,
			},
			Run: scaleObjects,
		},
		{
			ID: "object.mirror", Title: "Mirror", Class: Edit,
			Help: "Makes things their mirror images in a plane across an axis of the world. Scales get a negative factor, and surfaces stay closed and outward.",
			Params: []Param{
				idsParam("ids"),
				{Name: "axis", Help: "axis that the plane stands across", Kind: Choice, Choices: axisNames, Required: true},
				{Name: "at", Help: "a point of the plane; without it the middle of the box around their places", Kind: Ground},
				{Name: "copy", Help: "whether to keep them and mirror copies, whose ids are printed and which are selected", Kind: Bool, Default: "no"},
			},
			Run: mirrorObjects,
		},
		{
			ID: "object.ground", Title: "Drop to the ground", Class: Edit,
			Help: "Puts things on the ground above or below them. What has no ground there stays.",
			Params: []Param{
				idsParam("ids"),
				alignParam("how far to lean their Y with the ground; without it they are not turned"),
			},
			Run: groundObjects,
		},
		{
			ID: "object.snap", Title: "Snap to the grid", Class: Edit,
			Help: "Moves the places of things to the nearest points of a grid in the world.",
			Params: []Param{
				idsParam("ids"),
				{Name: "grid", Help: "distance between the points of the grid", Unit: "m", Kind: Number, Min: 1e-4, Max: maxScale, Required: true},
				{Name: "axes", Help: "the coordinates to snap", Kind: Choice, Choices: []string{"xyz", "xz", "x", "y", "z"}, Default: "xyz"},
			},
			Run: snapObjects,
		},
	}
}

// required is a parameter that must be given; help, if not empty, is its own.
func required(p Param, help string) Param {
	p.Required = true
	if help != "" {
		p.Help = help
	}
	return p
}

// about is the point that an argument gives, or else the pivot of what is changed.
func (e *Env) about(a Args, name string, ids []document.ID) mgl64.Vec3 {
	if a.Given(name) {
		return e.ground(a.Point(name))
	}
	return Pivot(e.Doc.Level(), ids)
}

func rotateObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	if a.Given("axis") != a.Given("angle") {
		return bad("", "only one of axis= and angle=", "both or neither")
	}
	var turn mgl64.Quat
	n, arg := 0, ""
	for _, name := range []string{"yaw", "axis", "quat"} {
		if !a.Given(name) {
			continue
		}
		n, arg = n+1, name
		switch name {
		case "yaw":
			turn = mgl64.QuatRotate(mgl64.DegToRad(a.Number("yaw")), mgl64.Vec3{0, 1, 0})
		case "axis":
			var axis mgl64.Vec3
			axis[axisOf(a.Text("axis"))] = 1
			turn = mgl64.QuatRotate(mgl64.DegToRad(a.Number("angle")), axis)
		case "quat":
			v := a.Numbers("quat")
			turn = mgl64.Quat{W: v[3], V: mgl64.Vec3(v)}
			if turn.Len() < minScale {
				return bad("quat", "a quaternion of length "+ftoa(turn.Len()), "one of length 1")
			}
		}
	}
	if n != 1 {
		return bad("", itoa(n)+" ways to turn", "one of yaw=, axis= with angle=, and quat=")
	}
	return env.replace("Rotate", arg, ids, Rotated(env.Doc.Level(), ids, turn, env.about(a, "about", ids)))
}

func scaleObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	by, err := a.scale("by")
	if err != nil {
		return err
	}
	list := Scaled(env.Doc.Level(), ids, by, env.about(a, "about", ids))
	for i := range list {
		for _, s := range list[i].Scale {
			if m := math.Abs(s); !(m >= minScale && m <= maxScale) {
				return bad("by", label(&list[i])+" scaled to "+ftoa(s), "scales from "+ftoa(minScale)+" to "+ftoa(maxScale))
			}
		}
	}
	return env.replace("Scale", "by", ids, list)
}

func mirrorObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	at, axis := env.about(a, "at", ids), axisOf(a.Text("axis"))
	l := env.Doc.Level()
	ids = Roots(l, ids)
	list, shear := mirrored(l, ids, axis, at)
	if e, ok := l.Entity(shear); ok {
		return shearError("ids", e)
	}
	if !a.Bool("copy") {
		return env.replace("Mirror", "at", ids, list)
	}
	if err := fewEnough(l, "ids", ids, 1); err != nil {
		return err
	}
	var fresh []document.ID
	err = env.Doc.Do(stepName("Mirror", l, ids), func(tx *document.Tx) error {
		c := copier{tx: tx, level: l, names: env.namer(), arg: "at"}
		for i := range list {
			id, err := c.copy(&list[i], list[i].Parent)
			if err != nil {
				return err
			}
			fresh = append(fresh, id)
		}
		return nil
	})
	if err == nil {
		env.made(fresh)
	}
	return err
}

func groundObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	found := false
	list := each(l, ids, func(e *document.Entity, frame affine) {
		at := frame.point(e.Translation)
		y, ok := l.Terrain.Height(at[0], at[2])
		if !ok {
			return
		}
		found = true
		at[1] = y
		place(e, frame, at)
		if !a.Given("align") {
			return
		}
		n, _ := groundNormal(l.Terrain, at[0], at[2])
		up := frame.m.Mul3x1(e.Rotation.Rotate(mgl64.Vec3{0, 1, 0}))
		turned(e, frame, shortestTurn(up.Mul(1/up.Len()), leaning(n, a.Number("align"))))
	})
	if !found {
		return bad("ids", "no ground above or below", "something over the terrain, and not over a hole")
	}
	return env.replace("Ground", "ids", ids, list)
}

func snapObjects(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "ids")
	if err != nil {
		return err
	}
	grid := a.Number("grid")
	return env.replace("Snap", "grid", ids, each(env.Doc.Level(), ids, func(e *document.Entity, frame affine) {
		at := frame.point(e.Translation)
		for _, axis := range a.Text("axes") {
			i := int(axis - 'x')
			at[i] = math.Round(at[i]/grid) * grid
		}
		place(e, frame, at)
	}))
}
