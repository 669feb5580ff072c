package command

import (
	"context"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// The arguments that several commands of objects have.
func yawParam(help string) Param {
	return Param{Name: "yaw", Help: help, Unit: "°", Kind: Number, Min: -360, Max: 360}
}

func alignParam(help string) Param {
	return Param{Name: "align", Help: help + " (0 upright, 1 along its normal)", Kind: Number, Min: 0, Max: 1}
}

func objectCommands() []Command {
	collisions := make([]string, len(document.Collisions))
	for i, c := range document.Collisions {
		collisions[i] = string(c)
	}
	return []Command{
		{
			ID: "object.place", Title: "Place an object", Class: Edit,
			Help: "Places a mesh, prints its id and selects it. A point without a height lies on the ground. " +
				"Below a parent, `at` still is a place in the world; the rotation and the scale are relative to the parent.",
			Params: []Param{
				{Name: "asset", Help: "the mesh", Kind: Asset, Required: true},
				{Name: "at", Help: "where it stands", Kind: Ground, Required: true},
				yawParam("turn about the vertical, counter-clockwise seen from above"),
				scaleParam("scale", "size as a factor, or factors along x, y and z; negative ones mirror"),
				{Name: "name", Help: "its name; without one that of the asset, numbered", Kind: Text},
				{Name: "parent", Help: "what it is part of", Kind: Entity},
				alignParam("how far it leans with the ground"),
				{Name: "layer", Help: "layer of the outliner", Kind: Text},
				{Name: "geometry", Help: "whether it is part of the level's own geometry, as rooms and corridors are", Kind: Bool, Default: "no"},
			},
			Run: placeObject,
		},
		{
			ID: "object.set", Title: "Change objects", Class: Edit,
			Help: "Changes what is given of some things, and leaves the rest. Places are in the world; rotation and scale are relative to the parent. " +
				"What is locked can only be unlocked.",
			Params: []Param{
				idsParam("id"),
				{Name: "name", Help: "name", Kind: Text},
				{Name: "at", Help: "place; without a height on the ground", Kind: Ground},
				{Name: "x", Help: "one coordinate of the place", Unit: "m", Kind: Number},
				{Name: "y", Help: "one coordinate of the place", Unit: "m", Kind: Number},
				{Name: "z", Help: "one coordinate of the place", Unit: "m", Kind: Number},
				yawParam("turn about Y, made after the others"),
				{Name: "pitch", Help: "turn about X, made after roll", Unit: "°", Kind: Number, Min: -360, Max: 360},
				{Name: "roll", Help: "turn about Z, made first", Unit: "°", Kind: Number, Min: -360, Max: 360},
				{Name: "quat", Help: "rotation as a quaternion x,y,z,w instead of angles", Kind: Numbers, Counts: []int{4}, Min: -maxScale, Max: maxScale},
				scaleParam("scale", "size as a factor, or factors along x, y and z; negative ones mirror"),
				{Name: "layer", Help: "layer of the outliner; empty for none", Kind: Text},
				{Name: "hidden", Help: "whether it is hidden", Kind: Bool},
				{Name: "locked", Help: "whether it is locked", Kind: Bool},
				{Name: "parent", Help: "what it is part of, 0 for nothing; it stays where it is in the world", Kind: Entity},
				{Name: "asset", Help: "the mesh of objects", Kind: Asset},
				{Name: "geometry", Help: "whether objects are part of the level's own geometry", Kind: Bool},
				{Name: "collision", Help: "what of objects stops who walks", Kind: Choice, Choices: collisions},
				{Name: "radius", Help: "radius of the collision sphere of objects, before their scale; 0 takes it from the mesh", Unit: "m", Kind: Number, Min: 0, Max: document.MaxDistance},
				{Name: "billboard", Help: "distance beyond which a picture stands for the mesh of objects and scatters; 0 is never", Unit: "m", Kind: Number, Min: 0, Max: document.MaxDistance},
			},
			Run: setObjects,
		},
		{
			ID: "object.delete", Title: "Delete", Class: Edit,
			Help: "Deletes things. What stands below them is deleted too, or lifted to their parent and left where it is in the world; " +
				"there, of a turn within an uneven scale, the shear is lost.",
			Params: []Param{
				idsParam("id"),
				{Name: "children", Help: "what becomes of what stands below", Kind: Choice, Choices: []string{"take", "lift"}, Default: "take"},
			},
			Run: deleteObjects,
		},
	}
}

func placeObject(_ context.Context, env *Env, a Args) error {
	l := env.Doc.Level()
	scale := mgl64.Vec3{1, 1, 1}
	if a.Given("scale") {
		var err error
		if scale, err = a.scale("scale"); err != nil {
			return err
		}
	}
	parent := a.Entity("parent")
	if err := unlocked(l, "parent", []document.ID{parent}); err != nil {
		return err
	}
	frame := frameOf(l, parent)
	e := document.Entity{
		Kind: document.KindObject, Name: a.Text("name"), Parent: parent, Layer: a.Text("layer"), Scale: scale,
		Rotation: Angles{Yaw: mgl64.DegToRad(a.Number("yaw"))}.Quat(),
		Data:     document.Object{Asset: a.Text("asset"), Geometry: a.Bool("geometry")},
	}
	if !a.Given("name") {
		e.Name = env.namer().fresh(a.Text("asset"))
	}
	at := env.ground(a.Point("at"))
	place(&e, frame, at)
	if part := a.Number("align"); part > 0 {
		n, _ := groundNormal(l.Terrain, at[0], at[2])
		turned(&e, frame, shortestTurn(mgl64.Vec3{0, 1, 0}, leaning(n, part)))
	}
	err := env.Doc.Do("Place "+a.Text("asset"), func(tx *document.Tx) error {
		e.ID = tx.NewID()
		return put(tx, "at", []document.Entity{e})
	})
	if err == nil {
		env.made([]document.ID{e.ID})
		env.tellBeside(a.Point("at"))
	}
	return err
}

// tellBeside says where points have height 0 for want of ground, in a level that has
// some elsewhere.
func (e *Env) tellBeside(points ...Point) {
	l := e.Doc.Level()
	var beside []Point
	for _, p := range points {
		if _, ok := l.Terrain.Height(p[0], p[2]); p.OnGround() && !ok && l.HasTerrain() {
			beside = append(beside, p)
		}
	}
	switch n := len(beside); n {
	case 0:
	case 1:
		e.Warnf("There is no ground at %s: height 0 was taken.", beside[0])
	default:
		e.Warnf("There is no ground at %s and %s: height 0 was taken.", beside[0], plural(n-1, "other point"))
	}
}

// setFields are the arguments of object.set but for the ids.
var setFields = []string{
	"name", "at", "x", "y", "z", "yaw", "pitch", "roll", "quat", "scale", "layer", "hidden", "locked",
	"parent", "asset", "geometry", "collision", "radius", "billboard",
}

func setObjects(_ context.Context, env *Env, a Args) error {
	if !a.givenAny(setFields...) {
		return bad("", "nothing to change", strings.Join(setFields[:len(setFields)-1], "=, ")+"= or billboard=")
	}
	l := env.Doc.Level()
	ids, err := env.chosen(a, "id")
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(setFields), func(f string) bool { return f == "locked" })
	if a.givenAny(others...) {
		if err := unlocked(l, "id", ids); err != nil {
			return err
		}
	}
	s, err := env.setting(a, ids)
	if err != nil {
		return err
	}
	return env.Doc.Do(stepName("Change", l, ids), func(tx *document.Tx) error {
		// Those above go first, as the others stand in their frames.
		for _, id := range fromTop(l, ids) {
			now := tx.Level()
			e, _ := now.Entity(id)
			c, err := s.of(now, e)
			if err != nil {
				return err
			}
			if err := put(tx, s.placeArg, []document.Entity{c}); err != nil {
				return err
			}
		}
		return nil
	})
}

// setting is what object.set makes of a thing.
type setting struct {
	Args
	at       mgl64.Vec3
	scale    mgl64.Vec3
	quat     mgl64.Quat
	placeArg string
}

// setting reads the arguments that need more than reading.
func (e *Env) setting(a Args, ids []document.ID) (s setting, err error) {
	l := e.Doc.Level()
	s = setting{Args: a, placeArg: "at"}
	if a.Given("at") && a.givenAny("x", "y", "z") {
		return s, bad("at", "a place and single coordinates", "one of them")
	}
	for _, c := range []string{"x", "y", "z"} {
		if a.Given(c) {
			s.placeArg = c
		}
	}
	if a.Given("quat") {
		if a.givenAny("yaw", "pitch", "roll") {
			return s, bad("quat", "a quaternion and angles", "one of them")
		}
		v := a.Numbers("quat")
		s.quat = mgl64.Quat{W: v[3], V: mgl64.Vec3(v)}
		if s.quat.Len() < minScale {
			return s, bad("quat", "a quaternion of length "+ftoa(s.quat.Len()), "one of length 1")
		}
		s.quat = unit(s.quat)
	}
	if a.Given("scale") {
		if s.scale, err = a.scale("scale"); err != nil {
			return s, err
		}
	}
	if a.Given("at") {
		s.at = e.ground(a.Point("at"))
	}
	if a.Given("parent") {
		if err := notBelow(l, "parent", a.Entity("parent"), ids); err != nil {
			return s, err
		}
	}
	return s, nil
}

// of is an entity with the fields that were given.
func (s *setting) of(l *document.Level, e *document.Entity) (document.Entity, error) {
	c := *e
	if s.Given("parent") {
		sheared := false
		if c, sheared = under(l, e, s.Entity("parent")); sheared {
			return c, shearError("parent", e)
		}
	}
	if s.Given("name") {
		c.Name = s.Text("name")
	}
	if s.Given("layer") {
		c.Layer = s.Text("layer")
	}
	if s.Given("hidden") {
		c.Hidden = s.Bool("hidden")
	}
	if s.Given("locked") {
		c.Locked = s.Bool("locked")
	}
	if s.Given("quat") {
		c.Rotation = s.quat
	}
	if s.givenAny("yaw", "pitch", "roll") {
		t := AnglesOf(c.Rotation)
		for name, to := range map[string]*float64{"yaw": &t.Yaw, "pitch": &t.Pitch, "roll": &t.Roll} {
			if s.Given(name) {
				*to = mgl64.DegToRad(s.Number(name))
			}
		}
		c.Rotation = t.Quat()
	}
	if s.Given("scale") {
		c.Scale = s.scale
	}
	if s.givenAny("at", "x", "y", "z") {
		frame := frameOf(l, c.Parent)
		at := s.at
		if !s.Given("at") {
			at = frame.point(c.Translation)
			for i, name := range []string{"x", "y", "z"} {
				if s.Given(name) {
					at[i] = s.Number(name)
				}
			}
		}
		place(&c, frame, at)
	}
	return c, s.data(&c)
}

// data sets what only some kinds have.
func (s *setting) data(e *document.Entity) error {
	if w, ok := e.Data.(document.Scatter); ok && s.Given("billboard") {
		w.Billboard = s.Number("billboard")
		e.Data = w
	}
	for _, name := range []string{"asset", "geometry", "collision", "radius", "billboard"} {
		if !s.Given(name) || name == "billboard" && e.Kind == document.KindScatter {
			continue
		}
		o, ok := document.ObjectOf(e)
		if !ok {
			return bad(name, "the "+kindWord(e)+" "+label(e), "objects, which alone have it")
		}
		switch name {
		case "asset":
			o.Asset = s.Text(name)
		case "geometry":
			o.Geometry = s.Bool(name)
		case "collision":
			o.Collision = document.Collision(s.Text(name))
		case "radius":
			o.CollisionRadius = s.Number(name)
		case "billboard":
			o.Billboard = s.Number(name)
		}
		e.Data = o
	}
	return nil
}

// fromTop orders entities so that none comes before one that it stands below.
func fromTop(l *document.Level, ids []document.ID) []document.ID {
	depth := make(map[document.ID]int, len(ids))
	for _, id := range ids {
		e, ok := l.Entity(id)
		for ok && e.Parent != 0 {
			depth[id]++
			e, ok = l.Entity(e.Parent)
		}
	}
	out := slices.Clone(ids)
	slices.SortStableFunc(out, func(a, b document.ID) int { return depth[a] - depth[b] })
	return out
}

// notBelow refuses a parent that is locked, or one of ids, or stands below one.
func notBelow(l *document.Level, arg string, parent document.ID, ids []document.ID) error {
	if err := unlocked(l, arg, []document.ID{parent}); err != nil {
		return err
	}
	for at, ok := l.Entity(parent); ok; at, ok = l.Entity(at.Parent) {
		if slices.Contains(ids, at.ID) {
			e, _ := l.Entity(parent)
			what := "which stands below " + label(at)
			if at.ID == parent {
				what = "which would be its own parent"
			}
			return bad(arg, label(e)+", "+what, "something outside what is moved")
		}
	}
	return nil
}

// shearError is why something cannot change its parent.
func shearError(arg string, e *document.Entity) error {
	return bad(arg, "an uneven scale that would shear "+label(e), "even scales, or nothing turned within uneven ones")
}

func deleteObjects(_ context.Context, env *Env, a Args) error {
	l := env.Doc.Level()
	ids, err := env.editable(a, "id")
	if err != nil {
		return err
	}
	policy := document.TakeChildren
	if a.Text("children") == "lift" {
		policy = document.LiftChildren
	}
	for _, id := range ids {
		if err := unlocked(l, "id", below(l, id, policy == document.TakeChildren)); err != nil {
			return err
		}
	}
	err = env.Doc.Do(stepName("Delete", l, ids), func(tx *document.Tx) error {
		for _, id := range ids {
			if _, ok := tx.Level().Entity(id); !ok {
				continue // it went with one above it
			}
			if err := tx.Delete(id, policy); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		env.dropSelection()
	}
	return err
}

// dropSelection takes out of the selection what the level does not have any more.
func (e *Env) dropSelection() {
	left := slices.DeleteFunc(slices.Clone(e.View.Selection), func(id document.ID) bool {
		_, ok := e.Doc.Level().Entity(id)
		return !ok
	})
	if len(left) < len(e.View.Selection) {
		e.selectOnly(left)
	}
}

// below lists the children of an entity, and with deep what stands below them.
func below(l *document.Level, id document.ID, deep bool) []document.ID {
	var out []document.ID
	for c := range l.Children(id) {
		out = append(out, c.ID)
	}
	for i := 0; deep && i < len(out); i++ {
		for c := range l.Children(out[i]) {
			out = append(out, c.ID)
		}
	}
	return out
}
