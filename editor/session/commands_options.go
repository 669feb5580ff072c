package session

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/settings"
	"ridgeline/editor/tool"
	"ridgeline/terrain/scatter"
	"ridgeline/terrain/shade"
)

// optionCommands set the options of the tools for things, and of walking.
func optionCommands(s *Session) []command.Command {
	number := func(name, help, unit string, least, most float64) command.Param {
		return command.Param{Name: name, Help: help, Unit: unit, Kind: command.Number, Min: least, Max: most}
	}
	span := func(name, help, unit string, least, most float64) command.Param {
		return command.Param{Name: name, Help: help + ", as least,most", Unit: unit, Kind: command.Numbers, Counts: []int{2}, Min: least, Max: most}
	}
	toggle := func(name, help string) command.Param {
		return command.Param{Name: name, Help: help, Kind: command.Bool}
	}
	asset := command.Param{Name: "name", Help: "name of the asset", Kind: command.Text, Required: true, Positional: true}
	do := func(fn func(command.Args) error) func(context.Context, *command.Env, command.Args) error {
		return func(_ context.Context, _ *command.Env, a command.Args) error {
			if err := fn(a); err != nil {
				return err
			}
			s.View.touch()
			return nil
		}
	}
	return []command.Command{
		{
			ID: "place.with", Title: "Choose how objects are placed", Class: command.View,
			Help:   "Chooses whether the mode object places one by one or scatters with a brush, and changes to it.",
			Params: []command.Param{{Name: "name", Help: "how", Kind: command.Choice, Choices: []string{"click", "brush"}, Required: true, Positional: true}},
			Run: do(func(a command.Args) error {
				s.EndDrag()
				s.Strewing = a.Text("name") == "brush"
				if s.Strewing && len(s.Strew.Assets) == 0 && s.Place.Asset != "" {
					s.Strew.Assets = []string{s.Place.Asset}
				}
				return s.SetMode(ModeObject)
			}),
		},
		{
			ID: "place.set", Title: "Set how objects are placed", Class: command.View,
			Help: "Sets how the mode object stands what it places. What is left out stays.",
			Params: []command.Param{
				number("align", "how far they lean with the surface (0 upright, 1 along its normal)", "", 0, 1),
				number("yaw", "turn about the vertical", "°", -360, 360), toggle("random", "each is turned at random instead"),
				span("scale", "size as a factor, at random between", "", scatter.MinScale, scatter.MaxScale),
				toggle("geometry", "they are the level's own geometry, as rooms and corridors are"),
			},
			Run: do(func(a command.Args) error { return s.setPlace(a) }),
		},
		{
			ID: "strew.asset", Title: "Choose an asset to scatter", Class: command.View,
			Help:   "Takes an asset among those that the mode object scatters, or out of them.",
			Params: []command.Param{asset, toggle("on", "whether it is scattered; without it the other way round than now")},
			Run:    do(func(a command.Args) error { return s.strewAsset(a) }),
		},
		{
			ID: "strew.set", Title: "Set the scatter brush", Class: command.View,
			Help: "Sets what the mode object scatters. What is left out stays.",
			Params: []command.Param{
				number("density", "points per 100 square metres", "", 0, 100*scatter.MaxDensity),
				number("spacing", "least distance between two points", "m", 0, scatter.MaxSpacing),
				span("slope", "steepness of the ground", "°", 0, 90), toggle("steepness", "whether the steepness counts"),
				span("height", "height of the ground", "m", -1e6, 1e6), toggle("heights", "whether the height counts"),
				span("scale", "size as a factor, at random between", "", scatter.MinScale, scatter.MaxScale),
				number("align", "how far they lean with the ground (0 upright, 1 along its normal)", "", 0, 1),
				toggle("turn", "whether each is turned at random"),
				{Name: "seed", Help: "number of the pattern", Kind: command.Int, Min: 0, Max: math.MaxInt32},
				number("billboard", "distance beyond which pictures stand for the meshes; 0 is never", "m", 0, document.MaxDistance),
				{Name: "into", Help: "the scatter to add to, whose rules the brush takes over; 0 for a new one", Kind: command.Entity},
			},
			Run: do(func(a command.Args) error { return s.setStrew(a) }),
		},
		{
			ID: "marker.look", Title: "Set the look of new markers", Class: command.View,
			Help: "Sets the colour and the layer of the markers that the mode marker makes. What is left out stays.",
			Params: []command.Param{
				{Name: "color", Help: "what they are drawn in; black (#000000) stands for the editor's own colour", Kind: command.Color},
				{Name: "layer", Help: "layer of the outliner; empty for none", Kind: command.Text},
			},
			Run: do(func(a command.Args) error {
				if a.Given("color") {
					c := a.Color("color")
					s.Marking.Color = mgl64.Vec3{float64(shade.Linear(c.R)), float64(shade.Linear(c.G)), float64(shade.Linear(c.B))}
				}
				if a.Given("layer") {
					s.Marking.Layer = a.Text("layer")
				}
				return nil
			}),
		},
		{
			ID: "marker.giveup", Title: "Give up the marker", Class: command.View, Help: "Gives up the corners that were clicked.",
			Enabled: func(*command.Env) error { return s.pendingCorners() },
			Run:     do(func(command.Args) error { s.marker.Abandon(); return nil }),
		},
		{
			ID: "measure.clear", Title: "Clear the measurement", Class: command.View, Help: "Takes the measured line away.",
			Run: do(func(command.Args) error { s.Measure.On = false; return nil }),
		},
		{
			ID: "walk.set", Title: "Set how one walks", Class: command.View,
			Help: "Sets the walker, and keeps it in the settings file. What is left out stays.",
			Params: []command.Param{
				number("speed", "of walking", "m/s", 0.1, 100), number("step", "highest step that is climbed", "m", 0, 5),
				number("eye", "height of the eye above the feet", "m", 0.2, 10), number("gravity", "how fast one falls", "m/s²", 0.1, 100),
				number("jump", "speed with which a jump begins", "m/s", 0, 50),
			},
			Run: do(func(a command.Args) error {
				w := s.Settings.Walk
				for name, to := range map[string]*float64{"speed": &w.Speed, "step": &w.StepUp, "eye": &w.EyeHeight, "gravity": &w.Gravity, "jump": &w.Jump} {
					if a.Given(name) {
						*to = a.Number(name)
					}
				}
				if err := s.SetWalk(w); err != nil {
					return err
				}
				s.KeepWalk()
				return nil
			}),
		},
		{
			ID: "nodes.pin", Title: "Keep the node under the pointer", Class: command.View,
			Help:    "Keeps the node that the overlay of the node tree tells of, or follows the pointer again.",
			Enabled: func(*command.Env) error { return s.canPin() },
			Run:     do(func(command.Args) error { s.Nodes.Pinned = !s.Nodes.Pinned; return nil }),
		},
		{
			ID: "select.asset", Title: "Select all that show an asset", Class: command.View,
			Help:   "Selects the things that show an asset and are neither hidden nor locked.",
			Params: []command.Param{asset},
			Run: do(func(a command.Args) error {
				ids := s.Showing(a.Text("name"))
				if len(ids) == 0 {
					return fmt.Errorf("nothing shows the asset %q, or it is hidden or locked", a.Text("name"))
				}
				s.Select(ids...)
				return nil
			}),
		},
	}
}

func (s *Session) setPlace(a command.Args) error {
	p := &s.Place
	if a.Given("align") {
		p.Align = a.Number("align")
	}
	if a.Given("yaw") {
		p.Yaw, p.RandomYaw = a.Number("yaw")*math.Pi/180, false
	}
	if a.Given("random") {
		p.RandomYaw = a.Bool("random")
	}
	if a.Given("scale") {
		v := a.Numbers("scale")
		p.ScaleMin, p.ScaleMax = min(v[0], v[1]), max(v[0], v[1])
	}
	if a.Given("geometry") {
		p.Geometry = a.Bool("geometry")
	}
	return nil
}

func (s *Session) strewAsset(a command.Args) error {
	name := a.Text("name")
	if _, ok := s.Level().Asset(name); !ok {
		return fmt.Errorf("the level has no asset %q", name)
	}
	i := slices.Index(s.Strew.Assets, name)
	on := i < 0
	if a.Given("on") {
		on = a.Bool("on")
	}
	switch {
	case on && i < 0:
		s.Strew.Assets = append(slices.Clone(s.Strew.Assets), name)
	case !on && i >= 0:
		s.Strew.Assets = slices.Delete(slices.Clone(s.Strew.Assets), i, i+1)
	}
	return nil
}

func (s *Session) setStrew(a command.Args) error {
	w := s.Strew
	if a.Given("into") {
		id := a.Entity("into")
		e, ok := s.Level().Entity(id)
		switch {
		case id == 0:
		case !ok || e.Kind != document.KindScatter:
			return fmt.Errorf("into: %d is no scatter", id)
		case id != w.Into:
			s.strewLike(&w, e)
		}
		w.Into = id
	}
	set := func(name string, to *float64, factor float64) {
		if a.Given(name) {
			*to = a.Number(name) * factor
		}
	}
	set("density", &w.Density, 0.01)
	set("spacing", &w.Spacing, 1)
	set("align", &w.Align, 1)
	set("billboard", &w.Billboard, 1)
	pair := func(name string, to *[2]float64, factor float64) bool {
		if !a.Given(name) {
			return false
		}
		v := a.Numbers(name)
		*to = [2]float64{min(v[0], v[1]) * factor, max(v[0], v[1]) * factor}
		return true
	}
	w.Limits.Slope = pair("slope", &w.Slope, math.Pi/180) || w.Limits.Slope
	w.Limits.Height = pair("height", &w.Height, 1) || w.Limits.Height
	pair("scale", &w.Scale, 1)
	for name, to := range map[string]*bool{"steepness": &w.Limits.Slope, "heights": &w.Limits.Height, "turn": &w.Turn} {
		if a.Given(name) {
			*to = a.Bool(name)
		}
	}
	if a.Given("seed") {
		w.Seed = a.Int("seed")
	}
	s.Strew = w
	return nil
}

// strewLike has the brush strew what a scatter has, by its rules.
func (s *Session) strewLike(w *tool.Strew, e *document.Entity) {
	d, ok := e.Data.(document.Scatter)
	if !ok {
		return
	}
	w.Assets = slices.DeleteFunc(slices.Clone(d.Assets), func(name string) bool { _, ok := s.Level().Asset(name); return !ok })
	w.Billboard = d.Billboard
	r := command.RulesOf(d)
	if r.Density == 0 {
		return // it was not strewn by this program
	}
	w.Density, w.Spacing, w.Align, w.Turn, w.Seed = r.Density, r.Spacing, r.Align, !r.Upright, int(min(r.Seed, math.MaxInt32))
	w.Scale = [2]float64{1, 1}
	if r.Scale != nil {
		w.Scale = *r.Scale
	}
	if w.Limits.Slope = r.Slope != nil && *r.Slope != tool.AnySlope; w.Limits.Slope {
		w.Slope = *r.Slope
	}
	if w.Limits.Height = r.Height != nil && *r.Height != tool.AnyHeight; w.Limits.Height {
		w.Height = *r.Height
	}
}

// KeepWalk writes how one walks into the settings file.
func (s *Session) KeepWalk() {
	if !s.options.Temporary {
		s.Fail(settings.KeepWalk(s.options.Dirs.SettingsFile(), s.Settings.Walk))
	}
}

// SetWalk sets how one walks, until the editor is closed or KeepWalk makes it last.
func (s *Session) SetWalk(w settings.Walk) error {
	all := s.Settings
	all.Walk = w
	if err := all.Validate(); err != nil {
		return err
	}
	s.Settings = all
	return nil
}

// PendingCorners is how many corners of an unfinished marker there are.
func (s *Session) PendingCorners() int { return s.marker.Pending() }

func (s *Session) pendingCorners() error {
	if s.marker.Pending() == 0 {
		return fmt.Errorf("no corner was clicked")
	}
	return nil
}

func (s *Session) canPin() error {
	if !s.Shown("overlay nodes") {
		return fmt.Errorf("the node tree is not shown")
	}
	if _, ok := s.Nodes.Under(); !ok && !s.Nodes.Pinned {
		return fmt.Errorf("no node is under the pointer")
	}
	return nil
}

// Showing are the things that show an asset and are neither hidden nor locked,
// ascending.
func (s *Session) Showing(asset string) []document.ID {
	var out []document.ID
	l := s.Level()
	for e := range l.Entities() {
		shows := false
		switch d := e.Data.(type) {
		case document.Object:
			shows = d.Asset == asset
		case document.Scatter:
			shows = slices.Contains(d.Assets, asset)
		}
		if hidden, locked := l.Effective(e); shows && !hidden && !locked {
			out = append(out, e.ID)
		}
	}
	return out
}

// Doing is what the left button does at the moment.
type Doing uint8

// The things that it can do.
const (
	Idle      Doing = iota
	Pressing        // something that needs no words
	Framing         // a rectangle that selects
	Handling        // a handle is held
	Turning         // an object that was just placed
	Strewing        // the scatter brush
	Measuring       // a line that is measured
	Carrying        // an asset on its way to its place
)

// Doing tells what the left button does at the moment.
func (s *Session) Doing() Doing {
	if s.dropping.name != "" {
		return Carrying
	}
	if s.drag == nil {
		return Idle
	}
	if _, ok := s.drag.(tool.Typer); ok {
		return Handling
	}
	if _, ok := s.Marquee(); ok {
		return Framing
	}
	switch {
	case s.Mode == ModeObject && s.Strewing:
		return Strewing
	case s.Mode == ModeObject:
		return Turning
	case s.Mode == ModeMeasure:
		return Measuring
	}
	return Pressing
}
