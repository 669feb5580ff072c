package tool

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
)

// pointWords writes points as an argument.
func pointWords(points []mgl64.Vec3) string {
	words := make([]string, len(points))
	for i, p := range points {
		words[i] = placeWords(p)
	}
	return strings.Join(words, ";")
}

func placeWords(p mgl64.Vec3) string {
	return number(p[0]) + "," + number(p[1]) + "," + number(p[2])
}

// run runs a command of the tool.
func run(env *command.Env, call command.Call) error {
	return env.Registry.Run(context.Background(), env, call)
}

// tidy rounds what comes from a pointer to the tenth of a millimetre, so that commands
// can be read.
func tidy(points []mgl64.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	for i, p := range points {
		for k := range p {
			out[i][k] = tidyNumber(p[k])
		}
	}
	return out
}

func tidyNumber(v float64) float64 {
	if r := math.Round(v*1e4) / 1e4; r != 0 {
		return r
	}
	return 0 // no −0
}

// attach adds what an occluder belongs to.
func (d *Draft) attach(call *command.Call) {
	if d.Options.Attach && d.on.owner != 0 {
		with(call, "object", strconv.FormatUint(uint64(d.on.owner), 10))
	}
}

// makeFlat makes the polygon that was drawn: a portal, or a flat occluder.
func (d *Draft) makeFlat(env *command.Env) error {
	points := d.outline()
	if d.Options.holes() {
		call := command.Call{ID: "occluder.set"}
		with(&call, "id", strconv.FormatUint(uint64(d.on.owner), 10))
		with(&call, "hole", pointWords(tidy(points)))
		return run(env, call)
	}
	if d.Options.What == document.KindOccluder {
		call := command.Call{ID: "occluder.plane"}
		with(&call, "points", pointWords(tidy(points)))
		d.attach(&call)
		return run(env, call)
	}
	if points = d.on.within(points); len(points) < 3 {
		return errors.New("the portal does not lie on the face of the cell")
	}
	call := command.Call{ID: "portal.add"}
	with(&call, "points", pointWords(tidy(points)))
	if s := d.Options.State; s != "" && s != document.PortalOpen {
		with(&call, "state", string(s))
	}
	if r := d.Options.Reach; r > 0 && r != document.PortalReach {
		with(&call, "reach", number(r))
	}
	return run(env, call)
}

// makeSolid makes the solid that was pulled: a box with a command that says so, where
// it stands upright.
func (d *Draft) makeSolid(env *command.Env) error {
	if math.Abs(d.height) < MinHeight {
		return fmt.Errorf("it has no height yet; move the pointer along the line, and click then")
	}
	kind := "occluder"
	if d.Options.What == document.KindCell {
		kind = "cell"
		if id, ok := d.extended(env); ok {
			call := command.Call{ID: "cell.add"}
			with(&call, "id", strconv.FormatUint(uint64(id), 10))
			with(&call, "points", pointWords(tidy(d.corners())))
			return run(env, call)
		}
	}
	call := command.Call{ID: kind + ".hull"}
	if lo, hi, yaw, ok := d.box(); ok {
		call.ID = kind + ".box"
		with(&call, "min", placeWords(lo))
		with(&call, "max", placeWords(hi))
		if yaw != 0 {
			with(&call, "yaw", number(yaw))
		}
	} else {
		with(&call, "points", pointWords(tidy(d.corners())))
	}
	if kind == "occluder" {
		d.attach(&call)
	}
	return run(env, call)
}

// extended is the cell that gets what is drawn as a further piece, if there is to be one.
func (d *Draft) extended(env *command.Env) (document.ID, bool) {
	if s := env.View.Selection; d.Options.Piece && len(s) == 1 {
		e, ok := env.Doc.Level().Entity(s[0])
		return s[0], ok && e.Kind == document.KindCell
	}
	return 0, false
}

// corners are those of the solid as it is pulled now: those of the base, and as many
// of its top.
func (d *Draft) corners() []mgl64.Vec3 {
	up := d.on.plane.N.Mul(d.height)
	out := d.outline()
	for _, p := range out[:len(d.points)] {
		out = append(out, p.Add(up))
	}
	return out
}

// box gives a pulled rectangle as opposite corners of a box that is turned about the
// vertical through its middle, in degrees; ok is false when no side of it is upright.
func (d *Draft) box() (lo, hi mgl64.Vec3, yaw float64, ok bool) {
	if !d.rectangle {
		return lo, hi, 0, false
	}
	a, b, c := d.points[0], d.points[2], d.points[2].Add(d.on.plane.N.Mul(d.height))
	sides := [3]mgl64.Vec3{d.on.u, d.on.v, d.on.plane.N}
	var lengths [3]float64
	lengths[0] = math.Abs(b.Sub(a).Dot(d.on.u))
	lengths[1] = math.Abs(b.Sub(a).Dot(d.on.v))
	lengths[2] = math.Abs(d.height)
	upright := -1
	for i, s := range sides {
		if math.Abs(s[1]) > 1-1e-9 {
			upright = i
		}
	}
	if upright < 0 {
		return lo, hi, 0, false
	}
	x, z := (upright+1)%3, (upright+2)%3
	// The turn that takes the box's x to its side: the smallest of the four.
	yaw = math.Atan2(-sides[x][2], sides[x][0]) * 180 / math.Pi
	yaw = math.Mod(yaw+720, 180)
	if yaw > 90 {
		yaw -= 180
	}
	switch {
	case yaw > 45:
		yaw -= 90
		x, z = z, x
	case yaw < -45:
		yaw += 90
		x, z = z, x
	}
	if yaw = math.Round(yaw*1e6) / 1e6; yaw == 0 {
		yaw = 0
	}
	middle := a.Add(c).Mul(0.5)
	half := mgl64.Vec3{lengths[x] / 2, lengths[upright] / 2, lengths[z] / 2}
	list := tidy([]mgl64.Vec3{middle.Sub(half), middle.Add(half)})
	return list[0], list[1], yaw, true
}
