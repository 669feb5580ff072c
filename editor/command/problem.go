package command

import (
	"context"
	"errors"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/scene"
)

// Finder looks for problems and for occluders to propose, where the host has its own way
// to: a window shows what was found, and looks in the background. What is nil is done
// here, at once.
type Finder struct {
	Problems func(context.Context) ([]problems.Problem, error)
	// Suggest begins to look for at most count occluders; the host prints them.
	Suggest func(ctx context.Context, count int) error
}

func problemCommands() []Command {
	return []Command{
		{
			ID: "problem.list", Title: "List the problems", Class: View,
			Help: "Looks for problems with occluders, cells and portals, and prints them, numbered.",
			Run: func(ctx context.Context, env *Env, _ Args) error {
				list, err := env.problems(ctx)
				if err != nil {
					return err
				}
				if len(list) == 0 {
					env.Printf("No problems found.")
				}
				for i := range list {
					env.Printf("%d %s: %s", i+1, list[i].Severity, list[i].Text)
				}
				return nil
			},
		},
		{
			ID: "occluder.suggest", Title: "Suggest occluders", Class: View,
			Help: "Looks for hulls inside the biggest meshes, and measures from the bookmarks, or from the camera, how much each would remove. " +
				"It prints the proposals, numbered; in a window, where it looks in the background, occluder.accept adds one. Elsewhere it prints the command that adds it below each.",
			Params: []Param{{Name: "count", Help: "how many at most", Kind: Int, Min: 1, Max: 100, Default: "10", Positional: true}},
			Run:    suggestOccluders,
		},
	}
}

func (e *Env) problems(ctx context.Context) ([]problems.Problem, error) {
	if e.Find.Problems != nil {
		return e.Find.Problems(ctx)
	}
	stage, err := e.stage(ctx)
	if err != nil {
		return nil, err
	}
	return problems.Find(ctx, stage, problems.Options{Cameras: []document.Camera{e.View.Camera}})
}

func suggestOccluders(ctx context.Context, env *Env, a Args) error {
	if env.Find.Suggest != nil {
		return env.Find.Suggest(ctx, a.Int("count"))
	}
	stage, err := env.stage(ctx)
	if err != nil {
		return err
	}
	list, err := problems.Suggest(ctx, stage, problems.SuggestOptions{Cameras: []document.Camera{env.View.Camera}, Count: a.Int("count")})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		env.Printf("No mesh without an occluder hides anything from the cameras.")
	}
	for i := range list {
		env.Printf("%d %s", i+1, list[i].Text(env.Doc.Level()))
		env.Printf("  %s", list[i].Script)
	}
	return nil
}

// stage is a scene of the level with the meshes that can be read. Without the others it
// shows placeholders, as the window does.
func (e *Env) stage(ctx context.Context) (*scene.Scene, error) {
	l := e.Doc.Level()
	read := shelf{}
	for i := range l.Assets {
		a := &l.Assets[i]
		if e.Files.Model == nil {
			break
		}
		m, err := e.Files.Model(ctx, a)
		switch {
		case err == nil:
			read[a.File] = scene.NewModel(m)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return nil, err
		}
	}
	s := scene.New(read)
	s.Update(l, nil)
	return s, nil
}

// shelf has the models of a level by their files.
type shelf map[string]*scene.Model

// Model implements scene.Library.
func (m shelf) Model(a *document.Asset) *scene.Model { return m[a.File] }
