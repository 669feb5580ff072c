package command

import (
	"context"
	"errors"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/scene"
)

// Finder is how a window shows what commands look for.
type Finder struct {
	// Found takes up the problems of a level that problem.list has looked for. May be nil.
	Found func(of *document.Level, list []problems.Problem)
	// Suggest begins to look for at most count occluders; the host prints them. nil: it is
	// done here, at once.
	Suggest func(ctx context.Context, count int) error
}

func problemCommands() []Command {
	return []Command{
		{
			ID: "problem.list", Title: "List the problems", Class: View,
			Help: "Looks for problems with occluders, cells and portals, and prints them, numbered.",
			Run:  listProblems,
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

func listProblems(ctx context.Context, env *Env, _ Args) error {
	l, camera := env.Doc.Level(), env.View.Camera
	return env.away(ctx, "Looking for problems", func(ctx context.Context, models Models, progress func(float64)) (func() error, error) {
		stage, err := stageOf(ctx, l, models)
		if err != nil {
			return nil, err
		}
		list, err := problems.Find(ctx, stage, problems.Options{Cameras: []document.Camera{camera}, Progress: progress})
		return func() error {
			env.tellProblems(l, list)
			return nil
		}, err
	})
}

func (e *Env) tellProblems(l *document.Level, list []problems.Problem) {
	if e.Find.Found != nil {
		e.Find.Found(l, list)
	}
	if len(list) == 0 {
		e.Printf("No problems found.")
	}
	for i := range list {
		e.Printf("%d %s: %s", i+1, list[i].Severity, list[i].Text)
	}
}

func suggestOccluders(ctx context.Context, env *Env, a Args) error {
	if env.Find.Suggest != nil {
		return env.Find.Suggest(ctx, a.Int("count"))
	}
	stage, err := stageOf(ctx, env.Doc.Level(), env.Files.Model)
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

// stageOf is a scene of a level with the meshes that can be read; models may be nil.
// Without the others it shows placeholders, as the window does.
func stageOf(ctx context.Context, l *document.Level, models Models) (*scene.Scene, error) {
	read := shelf{}
	for i := range l.Assets {
		a := &l.Assets[i]
		if models == nil {
			break
		}
		m, err := models(ctx, a)
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
