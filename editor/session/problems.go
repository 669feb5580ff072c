package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
)

// Problems are those of the level's visibility. They are looked for in the background
// once edits have settled.
type Problems struct {
	s    *Session
	list []problems.Problem
	of   problemsOf // what list is of
	now  problemsOf // that is being looked at
	task *Task

	waits problemsOf    // what is to be looked at
	since time.Duration // since when nothing has changed
}

// problemsOf is what problems were looked for in.
type problemsOf struct {
	level  *document.Level
	models int // that were there
}

// settleProblems is how long nothing must have changed before a level is looked at.
const settleProblems = 400 * time.Millisecond

// List are the problems that are known, the worst first. Those of things that are gone
// by now are left out. It must not be changed.
func (p *Problems) List() []problems.Problem { return p.list }

// Busy reports whether the level is being looked at, or is about to be.
func (p *Problems) Busy() bool { return p.of != p.current() }

func (p *Problems) current() problemsOf {
	n := 0
	for _, st := range p.s.library.models {
		if st.model != nil {
			n++
		}
	}
	return problemsOf{p.s.Level(), n}
}

// tick looks at a level that has settled. A session without a loop looks at once, if
// somebody wants to see what came of it.
func (p *Problems) tick(now time.Duration) {
	at := p.current()
	switch {
	case p.of == at || p.task != nil && p.now == at:
		return
	case p.s.late != nil:
		if p.s.Shown("problems") {
			p.start(at)
		}
		return
	case p.waits != at:
		p.waits, p.since = at, now
		if p.task != nil {
			p.task.Cancel()
		}
		time.AfterFunc(settleProblems+50*time.Millisecond, p.s.invalidate)
		return
	case now-p.since < settleProblems || p.s.drag != nil || p.s.Document().Editing():
		return
	}
	p.start(at)
}

// models is a library of the models that there are, to be used elsewhere: models do not
// change.
type models map[string]*scene.Model

// Model implements scene.Library.
func (m models) Model(a *document.Asset) *scene.Model { return m[a.File] }

func (s *Session) sharedModels() models {
	out := make(models, len(s.library.models))
	for file, st := range s.library.models {
		if st.model != nil {
			out[file] = st.model
		}
	}
	return out
}

// hasVisibility reports whether there is anything that problems may be with.
func hasVisibility(ctx context.Context, l *document.Level) bool {
	for e := range l.Entities() {
		switch e.Kind {
		case document.KindOccluder, document.KindCell, document.KindPortal:
			return true
		}
		if ctx.Err() != nil {
			return false
		}
	}
	return false
}

// start looks at the level in the background.
func (p *Problems) start(at problemsOf) {
	s := p.s
	if p.task != nil {
		p.task.Cancel()
	}
	lib, camera := s.sharedModels(), s.Env.View.Camera
	t := &Task{Title: "Looking for problems", Began: s.now(), hidden: true}
	p.now, p.task = at, t
	s.start(t, func(ctx context.Context, progress func(float64)) (func() error, error) {
		var list []problems.Problem
		if hasVisibility(ctx, at.level) {
			stage := scene.New(lib)
			stage.Update(at.level, nil)
			var err error
			list, err = problems.Find(ctx, stage, problems.Options{Cameras: []document.Camera{camera}, Progress: progress})
			if err != nil {
				return nil, err
			}
		}
		return func() error {
			if p.task == t {
				p.list, p.of = list, at
			}
			return nil
		}, ctx.Err()
	}, func(err error) {
		if p.task == t {
			p.task = nil
			if err != nil {
				p.of = at // it would fail again
			}
		}
		s.invalidate()
	})
}

// take takes up the problems of a level that a command has looked for.
func (p *Problems) take(of *document.Level, list []problems.Problem) {
	at := p.current()
	if at.level != of {
		return
	}
	if p.task != nil {
		p.task.Cancel()
	}
	p.list, p.of = list, at
}

// Show selects what a problem is about, as far as it is still there, and frames it.
func (p *Problems) Show(i int) {
	if i < 0 || i >= len(p.list) {
		return
	}
	ids := slices.DeleteFunc(slices.Clone(p.list[i].Entities), func(id document.ID) bool {
		_, ok := p.s.Level().Entity(id)
		return !ok
	})
	p.s.Select(ids...)
	if len(ids) > 0 {
		p.s.FrameSelection()
	}
}

// Fix puts a problem right, as one step.
func (p *Problems) Fix(i int) bool {
	if i < 0 || i >= len(p.list) || !p.list[i].Fix.Exists() {
		return false
	}
	f := p.list[i].Fix
	return p.s.RunAll(f.Title, strings.Split(f.Script, "\n")...)
}

// problemCommands look for problems and put them right.
func problemCommands(s *Session) []command.Command {
	number := []command.Param{{Name: "number", Help: "which one of the list, from 1", Kind: command.Int, Min: 1, Max: 1 << 30, Required: true, Positional: true}}
	known := func(a command.Args) (int, error) {
		n := a.Int("number")
		if n > len(s.Problems.list) {
			return 0, fmt.Errorf("number: found %d, expected 1 to %d, the problems that are known; problem.list looks for them", n, len(s.Problems.list))
		}
		return n - 1, nil
	}
	return []command.Command{
		{
			ID: "problem.show", Title: "Show a problem", Class: command.View, Params: number,
			Help: "Selects what a problem is about and frames it.",
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				i, err := known(a)
				if err == nil {
					s.Problems.Show(i)
				}
				return err
			},
		},
		{
			ID: "problem.fix", Title: "Fix a problem", Class: command.Edit, Params: number,
			Help: "Does what is proposed against a problem, as one step.",
			Run: func(_ context.Context, _ *command.Env, a command.Args) error {
				i, err := known(a)
				if err != nil {
					return err
				}
				if !s.Problems.list[i].Fix.Exists() {
					return fmt.Errorf("number: found %d, for which nothing is proposed, expected one with a fix", i+1)
				}
				s.Problems.Fix(i)
				return nil
			},
		},
	}
}
