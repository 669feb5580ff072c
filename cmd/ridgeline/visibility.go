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

// checkVisibility looks for problems with occluders, cells and portals. None of them is
// damage.
func checkVisibility(ctx context.Context, path string, l *document.Level, models modelShelf) ([]store.Problem, error) {
	any := false
	for e := range l.Entities() {
		any = any || e.Kind == document.KindOccluder || e.Kind == document.KindCell || e.Kind == document.KindPortal
	}
	if !any {
		return nil, ctx.Err()
	}
	s := scene.New(models)
	s.Update(l, nil)
	list, err := problems.Find(ctx, s, problems.Options{})
	if err != nil {
		return nil, err
	}
	var out []store.Problem
	for _, p := range list {
		if p.Severity != problems.Note { // which only says what does nothing
			out = append(out, store.Problem{Severity: warning, File: path, Place: fmt.Sprintf("entity %d", p.Entities[0]), Text: p.Text})
		}
	}
	return out, nil
}

// warning is what has a level drawn wrongly or slowly, and is no damage.
const warning store.Severity = "warning"
