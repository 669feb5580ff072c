package command

import (
	"context"

	"ridgeline/document"
	"ridgeline/document/mesh"
)

// Models gives the mesh of an asset of a level. The error says why there is none.
type Models func(context.Context, *document.Asset) (*mesh.Model, error)

// Work is the part of a command that may take long. It changes nothing, looks only at
// levels that were taken before, which never change, and gets meshes only from models,
// so that it may run on any goroutine. progress is told the part done, 0–1. take puts its result into the document as it is
// by then.
type Work func(ctx context.Context, models Models, progress func(done float64)) (take func() error, err error)

// Away has the long part of a command done elsewhere, under a title such as "Making
// rooms", and calls take when nothing else is being done. What goes wrong it tells the
// user.
type Away func(title string, work Work)

// away does the long part of a command where the host wants it, or else here.
func (e *Env) away(ctx context.Context, title string, work Work) error {
	if e.Away != nil {
		e.Away(title, work)
		return nil
	}
	take, err := work(ctx, e.Files.Model, func(float64) {})
	if err != nil {
		return err
	}
	return take()
}

// stillThere refuses what was found out about objects of a level if they have gone,
// moved or changed their meshes since.
func (e *Env) stillThere(arg string, was *document.Level, objects []*document.Entity) error {
	is := e.Doc.Level()
	if is == was {
		return nil
	}
	for _, at := range objects {
		now, ok := is.Entity(at.ID)
		if !ok {
			return gone(arg, at)
		}
		before, _ := was.World(at.ID)
		after, _ := is.World(at.ID)
		o, _ := document.ObjectOf(at)
		n, _ := document.ObjectOf(now)
		if before != after || o.Asset != n.Asset {
			return bad(arg, label(at)+", which has changed meanwhile", "objects that stay as they are until it is done")
		}
	}
	return nil
}

// gone is the error about an object that was deleted while it was looked at.
func gone(arg string, at *document.Entity) error {
	return bad(arg, label(at)+", which was deleted meanwhile", "objects that stay as they are until it is done")
}
