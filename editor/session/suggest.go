package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// Suggestions are occluders that the editor proposes.
type Suggestions struct {
	s    *Session
	all  []problems.Suggestion // that were found and not dismissed
	made *document.Level       // that they were found in
	had  map[document.ID]bool  // its occluders
	list []int                 // of all those that are proposed …
	out  []problems.Suggestion // … and the same
	of   *document.Level       // that list is true of
	task *Task
	none bool // the last search found nothing

	shown   int // the proposal of all + 1 that was chosen
	pointed int // that + 1 under the pointer
}

// List are the proposals that were not dismissed, the most useful first. Those are left out
// whose object is gone or has moved, and those in whose place an occluder stands that was
// not there when they were found: as long as that is so. It must not be changed.
func (g *Suggestions) List() []problems.Suggestion {
	l := g.s.Level()
	if g.of == l {
		return g.out
	}
	g.of, g.list, g.out = l, nil, nil
	for i := range g.all {
		p := &g.all[i]
		was, _ := g.made.World(p.Object)
		is, ok := l.World(p.Object)
		if ok && was == is && !g.taken(p) {
			g.list, g.out = append(g.list, i), append(g.out, *p)
		}
	}
	return g.out
}

// taken reports whether a new occluder stands in the place of a proposal.
func (g *Suggestions) taken(p *problems.Suggestion) bool {
	v := g.s.scene.Visibility()
	for i := range v.Occluders {
		if o := &v.Occluders[i]; o.Hides() && !g.had[o.ID] && o.Box.Contains(p.Hull.Center()) {
			return true
		}
	}
	return false
}

// Busy reports whether proposals are being looked for.
func (g *Suggestions) Busy() bool { return g.task != nil }

// Cancel stops the search. What was proposed before stays.
func (g *Suggestions) Cancel() {
	if g.task != nil {
		g.task.Cancel()
	}
}

// None reports whether the last search found nothing to propose.
func (g *Suggestions) None() bool { return g.none }

// Progress is the part of the search that is done, 0–1; ok is false while nothing is known
// or nothing is looked for.
func (g *Suggestions) Progress() (done float64, ok bool) {
	if g.task == nil {
		return 0, false
	}
	return g.task.Progress()
}

// number is the place in all of a proposal of the list, counted from 0, +1; 0 is none.
func (g *Suggestions) number(i int) int {
	if list := g.List(); i < 0 || i >= len(list) {
		return 0
	}
	return g.list[i] + 1
}

// Preview chooses the proposal that is drawn, counted from 0; -1 is none.
func (g *Suggestions) Preview(i int) {
	g.shown = g.number(i)
	g.s.View.touch()
	g.s.invalidate()
}

// Previewed is the chosen proposal, -1 if there is none.
func (g *Suggestions) Previewed() int {
	g.List()
	return slices.Index(g.list, g.shown-1)
}

// Point draws one more proposal, that under the pointer; -1 is none.
func (g *Suggestions) Point(i int) {
	if n := g.number(i); g.pointed != n {
		g.pointed = n
		g.s.View.touch()
		g.s.invalidate()
	}
}

// drop takes a proposal from the list for good.
func (g *Suggestions) drop(i int) {
	n := g.list[i]
	g.all = slices.Delete(slices.Clone(g.all), n, n+1)
	g.pointed = 0
	switch {
	case g.shown == n+1:
		g.shown = 0
	case g.shown > n+1:
		g.shown--
	}
	g.of = nil
	g.s.View.touch()
	g.s.invalidate()
}

// append draws the proposals that are looked at.
func (g *Suggestions) append(dst *overlay.Shapes, f *geom.Frustum) {
	g.List()
	for _, i := range g.list {
		h := g.all[i].Hull
		if i != g.shown-1 && i != g.pointed-1 || f.Box(geom.BoxOf(h.Vertices...)) == geom.Outside {
			continue
		}
		g.s.appendHull(dst, h, overlay.Pen{Colour: OccluderColour, Width: 2.5, Depth: overlay.Faint}, true)
	}
}

// Start looks for proposals in the background.
func (g *Suggestions) Start(count int) {
	s := g.s
	if g.task != nil {
		g.task.Cancel()
	}
	l, lib, camera := s.Level(), s.sharedModels(), s.Env.View.Camera
	t := &Task{Title: "Looking for occluders", Began: s.now()}
	g.task = t
	s.start(t, func(ctx context.Context, progress func(float64)) (func() error, error) {
		stage := scene.New(lib)
		stage.Update(l, nil)
		list, err := problems.Suggest(ctx, stage, problems.SuggestOptions{Cameras: []document.Camera{camera}, Count: count, Progress: progress})
		return func() error {
			if g.task == t {
				g.tell(l, list)
			}
			return nil
		}, err
	}, func(error) {
		if g.task == t {
			g.task = nil
		}
		s.invalidate()
	})
}

// tell takes up what was found.
func (g *Suggestions) tell(l *document.Level, list []problems.Suggestion) {
	g.all, g.made, g.of, g.none = list, l, nil, len(list) == 0
	g.shown, g.pointed = 0, 0
	g.had = map[document.ID]bool{}
	for e := range l.Entities() {
		if e.Kind == document.KindOccluder {
			g.had[e.ID] = true
		}
	}
	g.s.View.touch()
	if len(list) == 0 {
		g.s.Env.Printf("No mesh without an occluder hides anything from the cameras.")
	}
	for i := range list {
		g.s.Env.Printf("%d %s", i+1, list[i].Text(l))
	}
}

// errNoSuggestion is why nothing can be accepted.
var errNoSuggestion = errors.New("no occluder is proposed; occluder.suggest looks for some")

func suggestCommands(s *Session) []command.Command {
	g := &s.Suggestions
	some := func(*command.Env) error {
		if len(g.List()) == 0 {
			return errNoSuggestion
		}
		return nil
	}
	known := func(n int) error {
		if n > len(g.List()) {
			return fmt.Errorf("number: found %d, expected at most %d, the proposals there are", n, len(g.List()))
		}
		return nil
	}
	return []command.Command{
		{
			ID: "occluder.accept", Title: "Accept a suggested occluder", Class: command.Edit,
			Help:    "Adds an occluder that was proposed, as part of its object.",
			Params:  []command.Param{{Name: "number", Help: "which one of the list, from 1", Kind: command.Int, Min: 1, Max: 100, Required: true, Positional: true}},
			Enabled: some,
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				n := a.Int("number")
				if err := known(n); err != nil {
					return err
				}
				g.s.View.touch()
				return s.Execute(g.List()[n-1].Script) // which takes it from the list, as undo brings it back
			},
		},
		{
			ID: "occluder.dismiss", Title: "Dismiss a suggested occluder", Class: command.View,
			Help:    "Takes an occluder that was proposed from the list.",
			Params:  []command.Param{{Name: "number", Help: "which one of the list, from 1", Kind: command.Int, Min: 1, Max: 100, Required: true, Positional: true}},
			Enabled: some,
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				err := known(a.Int("number"))
				if err == nil {
					g.drop(a.Int("number") - 1)
				}
				return err
			},
		},
		{
			ID: "occluder.preview", Title: "Preview a suggested occluder", Class: command.View,
			Help:    "Draws an occluder that was proposed, in dashes.",
			Params:  []command.Param{{Name: "number", Help: "which one of the list, from 1; 0 is none", Kind: command.Int, Min: 0, Max: 100, Required: true, Positional: true}},
			Enabled: some,
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				err := known(a.Int("number"))
				if err == nil {
					g.Preview(a.Int("number") - 1)
				}
				return err
			},
		},
	}
}
