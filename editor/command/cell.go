package command

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

func cellCommands() []Command {
	points := Param{Name: "points", Help: "points in the world, in any order; those without a height lie on the ground", Kind: Points, Required: true}
	return []Command{
		{
			ID: "cell.box", Title: "Add a box-shaped cell", Class: Edit,
			Help: "Adds a cell, which is a room for portals to look into, prints its id and selects it. " +
				"Let it end at the inner faces of the walls; its portals may be as far from it as their reach.",
			Params: append(boxParams(), nameParam(), layerParam()),
			Run:    addCellBox,
		},
		{
			ID: "cell.hull", Title: "Add a cell", Class: Edit,
			Help:   "Adds the convex hull of points as a cell, prints its id and selects it. Points inside the hull are left out.",
			Params: []Param{points, nameParam(), layerParam()},
			Run:    addCellHull,
		},
		{
			ID: "cell.add", Title: "Add a piece to a cell", Class: Edit,
			Help: "Adds the convex hull of points to a cell as a further piece: a room that is not convex is made of several. " +
				"Pieces may overlap; what is in any of them is in the cell.",
			Params: []Param{
				{Name: "id", Help: "id or name; without it what is selected", Kind: Entity}, points,
			},
			Run: addCellPiece,
		},
		cellSet(),
	}
}

// newCell begins a cell.
func (e *Env) newCell(a Args) document.Entity {
	return document.Entity{Kind: document.KindCell, Name: e.nameOr(a, "Cell"), Layer: a.Text("layer"), Rotation: mgl64.QuatIdent()}
}

func (e *Env) addCell(arg string, c document.Entity, pieces ...[]mgl64.Vec3) error {
	if err := storable(arg, pieces...); err != nil {
		return err
	}
	c.Data = document.Cell{Pieces: pieces}
	return e.addOne("Add cell "+c.Name, arg, c)
}

func addCellBox(_ context.Context, env *Env, a Args) error {
	at, corners, err := env.boxOf(a)
	if err != nil {
		return err
	}
	c := env.newCell(a)
	points := env.standBox(&c, a, at, corners)
	if err := env.addCell("min", c, points); err != nil {
		return err
	}
	env.tellBeside(a.Point("min"), a.Point("max"))
	return nil
}

func addCellHull(_ context.Context, env *Env, a Args) error {
	h, err := solid("points", env.corners(a, "points"))
	if err != nil {
		return err
	}
	c := env.newCell(a)
	piece := standHull(env.Doc.Level(), &c, h)
	if err := env.addCell("points", c, piece); err != nil {
		return err
	}
	env.tellBeside(a.Points("points")...)
	return nil
}

// one is the entity of a kind that an Entity argument names, or else the one selected.
func (e *Env) one(a Args, name string, kind document.Kind) (*document.Entity, error) {
	l := e.Doc.Level()
	ids := []document.ID{a.Entity(name)}
	if !a.Given(name) {
		var err error
		if ids, err = e.chosen(a, name); err != nil {
			return nil, err
		}
	}
	if len(ids) != 1 || ids[0] == 0 {
		found := plural(len(ids), "thing")
		if len(ids) == 1 {
			found = "0"
		}
		return nil, bad(name, found, "one "+string(kind))
	}
	if err := onlyOf(l, name, kind, ids); err != nil {
		return nil, err
	}
	at, _ := l.Entity(ids[0])
	return at, unlocked(l, name, ids)
}

func addCellPiece(_ context.Context, env *Env, a Args) error {
	e, err := env.one(a, "id", document.KindCell)
	if err != nil {
		return err
	}
	h, err := solid("points", env.corners(a, "points"))
	if err != nil {
		return err
	}
	d, _ := e.Data.(document.Cell)
	if len(d.Pieces) >= document.MaxPieces {
		return bad("id", label(e)+" with "+itoa(len(d.Pieces))+" pieces", "cells of at most "+itoa(document.MaxPieces))
	}
	c := *e
	added := localTo(&c, frameOf(env.Doc.Level(), c.Parent), h.Vertices)
	if err := storable("points", added); err != nil {
		return err
	}
	d.Pieces = append(d.Pieces[:len(d.Pieces):len(d.Pieces)], added)
	c.Data = d
	if err := env.replace("Add a piece to", "points", []document.ID{c.ID}, []document.Entity{c}); err != nil {
		return err
	}
	env.tellBeside(a.Points("points")...)
	return nil
}
