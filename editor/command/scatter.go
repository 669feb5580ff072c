package command

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain/brush"
	"ridgeline/terrain/fault"
	"ridgeline/terrain/scatter"
)

func scatterCommands() []Command {
	at := Param{Name: "at", Help: "where the stroke begins", Kind: Ground, Required: true}
	to := Param{Name: "to", Help: "the points that it goes on to", Kind: Points}
	radius := Param{Name: "radius", Help: "radius of the brush", Unit: "m", Kind: Number, Min: brush.MinRadius, Max: brush.MaxRadius, Required: true}
	hardness := Param{Name: "hardness", Help: "part of the radius that has the full density", Kind: Number, Min: 0, Max: 1, Default: "1"}
	span := func(name, help, unit string, lo, hi float64) Param {
		return Param{Name: name, Help: help + ", as least,most", Unit: unit, Kind: Numbers, Counts: []int{2}, Min: lo, Max: hi}
	}
	return []Command{
		{
			ID: "object.scatter", Title: "Scatter along a stroke", Class: Edit,
			Help: "Strews meshes over the ground along a stroke, as one thing with many points, and prints its id and the number of points. " +
				"With `into` it adds to one, whose assets and rules stand for the arguments that are not given. " +
				"A seed is one pattern for the whole world: the same stroke twice adds nothing.",
			Params: []Param{
				{Name: "assets", Help: "the meshes, each as often as the others", Kind: Assets},
				at, to, radius,
				{Name: "density", Help: "points per square metre of the map; needed for new ones", Kind: Number, Min: 0, Max: scatter.MaxDensity},
				{Name: "spacing", Help: "least distance between two points on the map; 0 is 1 cm", Unit: "m", Kind: Number, Min: 0, Max: scatter.MaxSpacing},
				span("slope", "steepness of the ground", "°", 0, 90),
				span("height", "height of the ground", "m", -1e6, 1e6),
				span("scale", "size as a factor, at random between", "", scatter.MinScale, scatter.MaxScale),
				alignParam("how far they lean with the ground"),
				{Name: "turn", Help: "whether each is turned about its vertical at random; yes unless told", Kind: Bool},
				{Name: "seed", Help: "number of the pattern; 0 unless told", Kind: Int, Min: 0, Max: math.MaxInt32},
				{Name: "billboard", Help: "distance beyond which pictures stand for the meshes; 0 is never", Unit: "m", Kind: Number, Min: 0, Max: document.MaxDistance},
				{Name: "into", Help: "the scatter to add to, 0 for a new one", Kind: Entity},
				{Name: "name", Help: "name of a new one; without it that of the first asset, numbered", Kind: Text},
				{Name: "layer", Help: "layer of the outliner, of a new one", Kind: Text},
				hardness,
			},
			Run: scatterObjects,
		},
		{
			ID: "scatter.erase", Title: "Erase along a stroke", Class: Edit,
			Help: "Takes the points of scatters along a stroke away; at a soft rim only some. The same stroke twice takes no more.",
			Params: []Param{
				idsParam("id"), at, to, radius, hardness,
			},
			Run: eraseScatter,
		},
		{
			ID: "scatter.ground", Title: "Drop scatters to the ground", Class: Edit,
			Help:   "Puts the points of scatters on the ground, which may have been shaped since, to lean with it as when they were strewn. Points without ground are taken away.",
			Params: []Param{idsParam("id")},
			Run:    groundScatter,
		},
	}
}

// ScatterRules are how a brush strews, as they are kept in document.Scatter.Rules.
// The zero value of a field stands for no limit, or for what its comment says.
type ScatterRules struct {
	Density float64     `json:"density"` // points per square metre
	Spacing float64     `json:"spacing,omitempty"`
	Slope   *[2]float64 `json:"slope,omitempty"` // radians
	Height  *[2]float64 `json:"height,omitempty"`
	Scale   *[2]float64 `json:"scale,omitempty"` // nil for 1
	Align   float64     `json:"align,omitempty"`
	Upright bool        `json:"unturned,omitempty"` // all have the same direction
	Seed    uint64      `json:"seed,omitempty"`
}

// RulesOf gives the rules of a scatter, as far as they can be read.
func RulesOf(s document.Scatter) ScatterRules {
	var r ScatterRules
	if s.Rules != nil && json.Unmarshal(s.Rules, &r) != nil {
		return ScatterRules{} // of another program
	}
	return r
}

// rules are those that the points are made by.
func (r *ScatterRules) rules() scatter.Rules {
	between := func(v *[2]float64) scatter.Range {
		switch {
		case v == nil:
			return scatter.Range{}
		case *v == [2]float64{}:
			// Exactly 0, which would stand for no limit.
			return scatter.Range{Max: math.SmallestNonzeroFloat64}
		}
		return scatter.Range{Min: v[0], Max: v[1]}
	}
	return scatter.Rules{
		Density: r.Density, Spacing: r.Spacing, Seed: r.Seed, Slope: between(r.Slope), Height: between(r.Height),
		Scale: between(r.Scale), RandomYaw: !r.Upright, AlignToSurface: r.Align,
	}
}

// read takes over what is given of the rules.
func (r *ScatterRules) read(a Args) error {
	for name, to := range map[string]*float64{"density": &r.Density, "align": &r.Align} {
		if a.Given(name) {
			*to = a.Number(name)
		}
	}
	if a.Given("spacing") {
		r.Spacing = a.Number("spacing")
		if r.Spacing != 0 && r.Spacing < scatter.MinSpacing {
			return bad("spacing", ftoa(r.Spacing), "0, or "+ftoa(scatter.MinSpacing)+" to "+ftoa(scatter.MaxSpacing)+" m")
		}
	}
	for _, name := range []string{"slope", "height", "scale"} {
		if !a.Given(name) {
			continue
		}
		v := [2]float64(a.Numbers(name))
		if v[0] > v[1] {
			return bad(name, ftoa(v[0])+","+ftoa(v[1]), "the least number first")
		}
		switch name {
		case "slope":
			r.Slope = &[2]float64{mgl64.DegToRad(v[0]), min(mgl64.DegToRad(v[1]), math.Pi/2)}
		case "height":
			r.Height = &v
		case "scale":
			r.Scale = &v
		}
	}
	if a.Given("turn") {
		r.Upright = !a.Bool("turn")
	}
	if a.Given("seed") {
		r.Seed = uint64(a.Int("seed"))
	}
	return nil
}

// strokeArea is the ground under a stroke.
func strokeArea(a Args) scatter.Stroke {
	s := scatter.Stroke{Radius: a.Number("radius"), Hardness: a.Number("hardness")}
	for _, p := range append([]Point{a.Point("at")}, a.Points("to")...) {
		s.Path = append(s.Path, mgl64.Vec2{p[0], p[2]})
	}
	return s
}

// sown gives the points of a scatter in the world. Pick is the index of each.
func sown(s document.Scatter, frame affine) []scatter.Point {
	out := make([]scatter.Point, len(s.Points))
	for i := range s.Points {
		out[i] = scatter.Point{Position: frame.point(s.Points[i].Position), Pick: uint32(i)}
	}
	return out
}

func scatterObjects(ctx context.Context, env *Env, a Args) error {
	l := env.Doc.Level()
	into := a.Entity("into")
	e := document.Entity{Kind: document.KindScatter, Name: a.Text("name"), Layer: a.Text("layer"), Translation: env.ground(a.Point("at")), Data: document.Scatter{}}
	if into != 0 {
		ids := []document.ID{into}
		if err := cmp.Or(onlyOf(l, "into", document.KindScatter, ids), unlocked(l, "into", ids)); err != nil {
			return err
		}
		if a.givenAny("name", "layer") {
			return bad("into", "a scatter, and a name or layer for a new one", "one of them")
		}
		old, _ := l.Entity(into)
		e = *old
	}
	s, ok := e.Data.(document.Scatter)
	r := RulesOf(s)
	if err := r.read(a); err != nil {
		return err
	}
	chosen := s.Assets
	if a.Given("assets") {
		chosen = a.Assets("assets")
	}
	switch {
	case !ok && e.Data != nil:
		return bad("into", label(&e)+", whose points cannot be read", "another scatter")
	case len(chosen) == 0:
		return bad("assets", "no value", "names of assets")
	case !a.Given("density") && r.Density == 0:
		return bad("density", "no value", "a number from 0 to "+ftoa(scatter.MaxDensity))
	}
	if into == 0 && !a.Given("name") {
		e.Name = env.namer().fresh(chosen[0])
	}
	frame := frameOf(l, e.Parent).mul(affine{scaled(rotation(&e), scaleOf(&e)), e.Translation})
	index := scatter.Index{Cell: max(r.Spacing, scatter.MinSpacing)}
	index.Add(sown(s, frame)...)
	points, err := scatter.Append(ctx, nil, l.Terrain, strokeArea(a), r.rules(), &index)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &fault.Error{Place: "radius", Err: err}
	case len(points) == 0 && into == 0:
		return bad("at", "no place that the rules allow", "ground with the slope and height that they ask for")
	}
	s = strewn(s, chosen, points, frame)
	if a.Given("billboard") {
		s.Billboard = a.Number("billboard")
	}
	if s.Rules, err = document.Compact(r); err != nil {
		return err
	}
	e.Data = s
	err = env.Doc.Do("Scatter "+e.Name, func(tx *document.Tx) error {
		if into == 0 {
			e.ID = tx.NewID()
		}
		return put(tx, "at", []document.Entity{e})
	})
	if err != nil {
		return err
	}
	env.made([]document.ID{e.ID})
	env.Printf("%d points added, %d in all", len(points), len(s.Points))
	return nil
}

// strewn adds points of the world, which choose among some assets, to a scatter in
// a frame. Directions are turned with the frame; what is turned about its vertical
// at random stays as it is.
func strewn(s document.Scatter, chosen []string, points []scatter.Point, frame affine) document.Scatter {
	s.Assets = slices.Clone(s.Assets)
	picks := make([]int, len(chosen))
	for i, name := range chosen {
		picks[i] = slices.Index(s.Assets, name)
		if picks[i] < 0 {
			picks[i] = len(s.Assets)
			s.Assets = append(s.Assets, name)
		}
	}
	inverse, size := frame.inverse(), math.Cbrt(math.Abs(frame.m.Col(0).Dot(frame.m.Col(1).Cross(frame.m.Col(2)))))
	list := make([]document.ScatterPoint, len(s.Points), len(s.Points)+len(points))
	copy(list, s.Points)
	for _, p := range points {
		list = append(list, document.ScatterPoint{
			Asset: picks[int(p.Pick%uint32(len(picks)))], Position: inverse.point(p.Position),
			Yaw: p.Yaw, Scale: p.Scale / size, Up: upOf(inverse.m.Mul3x1(p.Up)),
		})
	}
	s.Points = list
	return s
}

// upOf is the direction of a ScatterPoint: unit, and zero for upright.
func upOf(v mgl64.Vec3) mgl64.Vec3 {
	v = v.Mul(1 / v.Len())
	if v[1] > 1-1e-12 {
		return mgl64.Vec3{}
	}
	return v
}

// rotation and scaleOf give what an entity that no level holds yet stands for.
func rotation(e *document.Entity) mgl64.Quat {
	if e.Rotation == (mgl64.Quat{}) {
		return mgl64.QuatIdent()
	}
	return e.Rotation
}

func scaleOf(e *document.Entity) mgl64.Vec3 {
	if e.Scale == (mgl64.Vec3{}) {
		return mgl64.Vec3{1, 1, 1}
	}
	return e.Scale
}

// scatters gives the scatters of an argument, with their data.
func (e *Env) scatters(a Args, name string) (list []document.Entity, err error) {
	ids, err := e.editable(a, name)
	if err != nil {
		return nil, err
	}
	l := e.Doc.Level()
	if err := onlyOf(l, name, document.KindScatter, ids); err != nil {
		return nil, err
	}
	for _, id := range ids {
		t, _ := l.Entity(id)
		if _, ok := t.Data.(document.Scatter); ok {
			list = append(list, *t)
		}
	}
	return list, nil
}

func eraseScatter(_ context.Context, env *Env, a Args) error {
	list, err := env.scatters(a, "id")
	if err != nil {
		return err
	}
	l, gone := env.Doc.Level(), 0
	for i := range list {
		s := list[i].Data.(document.Scatter)
		left, err := scatter.Erase(nil, sown(s, frameOf(l, list[i].ID)), strokeArea(a))
		if err != nil {
			return &fault.Error{Place: "radius", Err: err}
		}
		gone += len(s.Points) - len(left)
		kept := make([]document.ScatterPoint, len(left))
		for k, p := range left {
			kept[k] = s.Points[p.Pick]
		}
		s.Points = kept
		list[i].Data = s
	}
	if gone > 0 {
		if err := env.replace("Erase from", "at", idsOf(list), list); err != nil {
			return err
		}
	}
	env.Printf("%d points taken away", gone)
	return nil
}

func groundScatter(_ context.Context, env *Env, a Args) error {
	list, err := env.scatters(a, "id")
	if err != nil {
		return err
	}
	l, found := env.Doc.Level(), false
	for i := range list {
		s := list[i].Data.(document.Scatter)
		frame := frameOf(l, list[i].ID)
		inverse := frame.inverse()
		down := scatter.Reproject(nil, sown(s, frame), l.Terrain, RulesOf(s).Align)
		found = found || len(down) > 0
		points := make([]document.ScatterPoint, len(down))
		for k, p := range down {
			points[k] = s.Points[p.Pick]
			points[k].Position, points[k].Up = inverse.point(p.Position), upOf(inverse.m.Mul3x1(p.Up))
		}
		s.Points = points
		list[i].Data = s
	}
	if !found {
		return bad("id", "no ground above or below", "something over the terrain, and not over a hole")
	}
	return env.replace("Ground", "id", idsOf(list), list)
}

func idsOf(list []document.Entity) []document.ID {
	ids := make([]document.ID, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}
