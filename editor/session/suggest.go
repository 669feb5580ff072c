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
)

// Suggestions are occluders that the editor proposes.
type Suggestions struct {
	s    *Session
	list []problems.Suggestion
	task *Task
}

// List are the proposals that were not accepted yet, the most useful first. It must not
// be changed.
func (g *Suggestions) List() []problems.Suggestion { return g.list }

// Busy reports whether proposals are being looked for.
func (g *Suggestions) Busy() bool { return g.task != nil }

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
	g.list = list
	if len(list) == 0 {
		g.s.Print(Info, "No mesh without an occluder hides anything from the cameras.")
	}
	for i := range list {
		g.s.Print(Info, fmt.Sprintf("%d %s", i+1, list[i].Text(l)))
	}
}

// errNoSuggestion is why nothing can be accepted.
var errNoSuggestion = errors.New("no occluder is proposed; occluder.suggest looks for some")

func suggestCommands(s *Session) []command.Command {
	return []command.Command{
		{
			ID: "occluder.suggest", Title: "Suggest occluders", Class: command.View,
			Help: "Looks in the background for hulls inside the biggest meshes, and measures from the bookmarks, or from the camera, how much each would remove. " +
				"It prints the proposals, numbered; occluder.accept adds one.",
			Params: []command.Param{{Name: "count", Help: "how many at most", Kind: command.Int, Min: 1, Max: 100, Default: "10", Positional: true}},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				s.Suggestions.Start(a.Int("count"))
				return nil
			},
		},
		{
			ID: "occluder.accept", Title: "Accept a suggested occluder", Class: command.Edit,
			Help:   "Adds an occluder that was proposed, as part of its object.",
			Params: []command.Param{{Name: "number", Help: "which one of the list, from 1", Kind: command.Int, Min: 1, Max: 100, Required: true, Positional: true}},
			Enabled: func(*command.Env) error {
				if len(s.Suggestions.list) == 0 {
					return errNoSuggestion
				}
				return nil
			},
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				g := &s.Suggestions
				n := a.Int("number")
				if n > len(g.list) {
					return fmt.Errorf("number: found %d, expected 1 to %d", n, len(g.list))
				}
				if err := s.Execute(g.list[n-1].Script); err != nil {
					return err
				}
				g.list = slices.Delete(slices.Clone(g.list), n-1, n)
				return nil
			},
		},
	}
}
