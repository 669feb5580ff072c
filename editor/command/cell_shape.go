package command

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/hull"
)

func cellShapeCommands() []Command {
	return []Command{
		{
			ID: "cell.cut", Title: "Cut a cell", Class: Edit,
			Help: "Cuts a cell, or one piece of it, by a plane, and keeps the part behind it: as a room that reaches into another one needs it.",
			Params: []Param{
				{Name: "id", Help: "id or name; without it what is selected", Kind: Entity},
				{Name: "point", Help: "a point of the plane; without a height on the ground", Kind: Ground, Required: true},
				{Name: "normal", Help: "direction x,y,z across the plane, towards what is cut away", Kind: Numbers, Counts: []int{3}, Min: -maxScale, Max: maxScale, Required: true},
				{Name: "piece", Help: "number of the piece; without it all", Kind: Int, Min: 1, Max: document.MaxPieces},
			},
			Run: cutCell,
		},
		{
			ID: "cell.mend", Title: "Mend cells", Class: Edit,
			Help:   "Removes pieces of cells that have no volume, and corners that lie inside the hull of their piece.",
			Params: []Param{idsParam("id")},
			Run:    mendCells,
		},
	}
}

// setPieces gives a cell other pieces, as corners in the world.
func setPieces(l *document.Level, c *document.Entity, arg string, pieces [][]mgl64.Vec3) error {
	d, _ := c.Data.(document.Cell)
	frame := frameOf(l, c.Parent)
	local := make([][]mgl64.Vec3, len(pieces))
	for i, p := range pieces {
		local[i] = localTo(c, frame, p)
	}
	d.Pieces = local
	c.Data = d
	return storable(arg, local...)
}

func cutCell(_ context.Context, env *Env, a Args) error {
	e, err := env.one(a, "id", document.KindCell)
	if err != nil {
		return err
	}
	plane, err := env.cutPlane(a)
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	d, _ := e.Data.(document.Cell)
	only := a.Int("piece") - 1 // −1: all
	if only >= len(d.Pieces) {
		return bad("piece", itoa(only+1), "a piece of "+label(e)+", 1 to "+itoa(len(d.Pieces)))
	}
	var pieces [][]mgl64.Vec3
	cut := false
	for i, p := range d.Pieces {
		points := inWorld(l, e.ID, p)
		if h, err := hull.Of(points); err == nil && (only < 0 || only == i) {
			behind, before, err := h.Cut(plane)
			if err != nil {
				return hullError("point", err)
			}
			if before != nil {
				cut = true
				if behind == nil {
					continue
				}
				points = behind.Vertices
			}
		}
		pieces = append(pieces, points)
	}
	switch {
	case !cut:
		return bad("point", "a plane that does not cut "+label(e), "one through it")
	case len(pieces) == 0:
		return bad("point", "a plane before which all of "+label(e)+" lies", "one through it; object.delete deletes")
	}
	c := *e
	if err := setPieces(l, &c, "point", pieces); err != nil {
		return err
	}
	if err := env.replace("Cut", "point", []document.ID{c.ID}, []document.Entity{c}); err != nil {
		return err
	}
	env.tellBeside(a.Point("point"))
	return nil
}

func mendCells(_ context.Context, env *Env, a Args) error {
	ids, err := env.editable(a, "id")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	if err := onlyOf(l, "id", document.KindCell, ids); err != nil {
		return err
	}
	list := make([]document.Entity, len(ids))
	for i, id := range ids {
		e, _ := l.Entity(id)
		d, _ := e.Data.(document.Cell)
		var pieces [][]mgl64.Vec3
		for _, p := range d.Pieces {
			if h, err := hull.Of(inWorld(l, id, p)); err == nil {
				pieces = append(pieces, h.Vertices)
			}
		}
		if len(pieces) == 0 {
			return bad("id", label(e)+", of which no piece has a volume", "cells with one that has; object.delete deletes")
		}
		list[i] = *e
		if err := setPieces(l, &list[i], "id", pieces); err != nil {
			return err
		}
	}
	return env.replace("Mend", "id", ids, list)
}
