package session

import (
	"context"
	"errors"
	"fmt"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/export/lods"
)

// Simpler draws all objects of one asset with fewer triangles, as an export with levels of
// detail would have them, to see how few do. It changes nothing in the level.
type Simpler struct {
	s     *Session
	asset string // empty: nothing is previewed
	share float64

	levels  *lods.Levels // of the asset's model; nil while they are made
	making  *Task        // makes levels
	cutting *Task        // cuts a level of a share
	cut     float64      // the share that subset is of
	level   lods.Level
	subset  scene.Subset
	failed  error
}

// LeastShare is the smallest part of the triangles that can be asked for.
const LeastShare = 0.001

// Show draws an asset with a part of its triangles, LeastShare to 1; 1 ends it.
func (p *Simpler) Show(asset string, share float64) {
	if share >= 1 || asset == "" {
		p.End()
		return
	}
	if asset != p.asset {
		p.End()
	}
	p.asset, p.share = asset, share
	p.follow()
}

// End draws everything as it is again.
func (p *Simpler) End() {
	for _, t := range []*Task{p.making, p.cutting} {
		if t != nil {
			t.Cancel()
		}
	}
	*p = Simpler{s: p.s}
	p.s.View.touch()
	p.s.invalidate()
}

// Of is the asset that is drawn simpler and how much of it; empty and 1 when none is.
func (p *Simpler) Of() (asset string, share float64) {
	if p.asset == "" {
		return "", 1
	}
	return p.asset, p.share
}

// Level is what is drawn; ok is false until there is something. err is why there is
// nothing.
func (p *Simpler) Level() (triangles int, metres float64, ok bool, err error) {
	return p.level.Triangles, p.level.Error, p.cut > 0, p.failed
}

// Progress is the part of the work on the levels that is done, 0–1; ok is false when
// nothing is being made.
func (p *Simpler) Progress() (done float64, ok bool) {
	if p.making == nil {
		return 0, false
	}
	done, _ = p.making.Progress()
	return done, true
}

// Subset is what of a model is drawn in place of all; nil for all of it.
func (p *Simpler) Subset(m *mesh.Model) *scene.Subset {
	if p.cut == 0 || p.levels == nil || p.levels.Model() != m {
		return nil
	}
	return &p.subset
}

// follow makes what is missing: the levels of the model as it is now, and the one of the
// share.
func (p *Simpler) follow() {
	s := p.s
	if p.asset == "" {
		return
	}
	info, ok := s.Asset(p.asset)
	if !ok {
		p.End()
		return
	}
	if info.Model == nil {
		return // it is being read, or cannot be
	}
	m := info.Model.Model
	switch {
	case p.levels != nil && p.levels.Model() != m: // the file has changed
		asset, share := p.asset, p.share
		p.End()
		p.asset, p.share = asset, share
	case p.levels != nil:
		p.recut()
		return
	case p.making != nil || p.failed != nil:
		return
	}
	t := &Task{Title: "Simplifying " + p.asset, Began: s.now()}
	p.making = t
	s.start(t, func(ctx context.Context, progress func(float64)) (func() error, error) {
		all, err := lods.Of(ctx, m, 0, progress)
		return func() error {
			if p.making == t {
				p.levels = all
			}
			return nil
		}, err
	}, func(err error) {
		if p.making != t {
			return
		}
		p.making = nil
		switch {
		case errors.Is(err, context.Canceled): // by the user
			p.End()
		case err != nil:
			p.failed = err
		default:
			p.recut()
		}
	})
}

// recut cuts the level of the share, one at a time.
func (p *Simpler) recut() {
	if p.cutting != nil || p.cut == p.share {
		return
	}
	s, all, share := p.s, p.levels, p.share
	t := &Task{Title: "Simplifying", Began: s.now(), hidden: true}
	p.cutting = t
	s.start(t, func(context.Context, func(float64)) (func() error, error) {
		l := all.Share(share)
		var sub scene.Subset
		for k, list := range l.Indices {
			if len(list) > 0 {
				sub.Parts = append(sub.Parts, mesh.Part{First: len(sub.Indices), Count: len(list), Material: k})
				sub.Indices = append(sub.Indices, list...)
			}
		}
		return func() error {
			if p.cutting == t {
				p.level, p.subset, p.cut = l, sub, share
				s.View.touch()
			}
			return nil
		}, nil
	}, func(error) {
		if p.cutting == t {
			p.cutting = nil
			p.follow()
		}
		s.invalidate()
	})
}

func simplerCommands(s *Session) []command.Command {
	return []command.Command{{
		ID: "view.simpler", Title: "Preview a simpler mesh", Class: command.View,
		Help: "Draws all objects of an asset with a part of its triangles, as an export with levels of detail would, until the part is 1 again. The level stays as it is.",
		Params: []command.Param{
			{Name: "share", Help: "the part of the triangles", Kind: command.Number, Min: LeastShare, Max: 1, Required: true, Positional: true},
			{Name: "asset", Help: "the asset; without it that of the object that is selected", Kind: command.Asset},
		},
		Run: func(_ context.Context, _ *command.Env, a command.Args) error {
			name := a.Text("asset")
			if !a.Given("asset") {
				var ok bool
				if name, ok = s.oneAsset(); !ok {
					return fmt.Errorf("select an object with a mesh, or name its asset")
				}
			}
			s.Simpler.Show(name, a.Number("share"))
			return nil
		},
	}}
}

// oneAsset is the one that all selected objects with meshes have.
func (s *Session) oneAsset() (name string, ok bool) {
	for _, e := range s.Entities() {
		o, is := document.ObjectOf(e)
		if !is || o.Asset == "" || name != "" && name != o.Asset {
			return "", false
		}
		name = o.Asset
	}
	return name, name != ""
}
