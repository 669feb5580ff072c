package main

import (
	"context"
	"fmt"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/scene"
	"ridgeline/document/store"
)

// modelShelf has the models of a level by their files.
type modelShelf map[string]*scene.Model

// Model implements scene.Library.
func (m modelShelf) Model(a *document.Asset) *scene.Model { return m[a.File] }

// checkVisibility looks for problems with occluders, cells and portals, as the list of
// the window does. None of them is damage.
func checkVisibility(ctx context.Context, path string, l *document.Level, models modelShelf, progress func(done float64)) ([]store.Problem, error) {
	any := false
	for e := range l.Entities() {
		any = any || e.Kind == document.KindOccluder || e.Kind == document.KindCell || e.Kind == document.KindPortal
	}
	if !any {
		return nil, ctx.Err()
	}
	s := scene.New(models)
	s.Update(l, nil)
	list, err := problems.Find(ctx, s, problems.Options{Progress: progress})
	if err != nil {
		return nil, err
	}
	var out []store.Problem
	for _, p := range list {
		out = append(out, store.Problem{
			Severity: store.Severity(p.Severity.String()), File: path, Place: fmt.Sprintf("entity %d", p.Entities[0]), Text: p.Text,
		})
	}
	return out, nil
}

// severities are those of what check tells, the worst first: what may be wrong with the
// files, and with visibility, as the list of problems in the window names it.
var severities = []store.Severity{
	store.Damage, store.Severity(problems.Error.String()), store.Severity(problems.Warning.String()), store.Note,
}

// fails reports whether a level with a problem of this severity does not pass.
func fails(s store.Severity) bool {
	return s == store.Damage || s == store.Severity(problems.Error.String())
}
