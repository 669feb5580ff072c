package problemtest

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/problems"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// Shelf is a library of models by the names of assets.
type Shelf map[string]*scene.Model

// Model implements scene.Library.
func (s Shelf) Model(a *document.Asset) *scene.Model { return s[a.Name] }

// Build makes a model of boxes, each min and max.
func Build(boxes ...geom.Box) *scene.Model {
	m := &mesh.Model{Materials: []mesh.Material{{Image: -1}}, Nodes: []mesh.Node{{Parent: -1}}, Bounds: geom.EmptyBox()}
	for _, b := range boxes {
		from := uint32(len(m.Positions))
		for i := range 8 {
			p := b.Corner(i)
			m.Positions = append(m.Positions, mgl32.Vec3{float32(p[0]), float32(p[1]), float32(p[2])})
			m.Normals = append(m.Normals, mgl32.Vec3{0, 1, 0})
		}
		for _, q := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}} {
			for _, k := range []uint32{q[0], q[1], q[2], q[0], q[2], q[3]} {
				m.Indices = append(m.Indices, from+k)
			}
		}
		m.Bounds = m.Bounds.Union(b)
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	return scene.NewModel(m)
}

// Box is the box between two corners.
func Box(x0, y0, z0, x1, y1, z1 float64) geom.Box {
	return geom.BoxOf(geom.Vec3{x0, y0, z0}, geom.Vec3{x1, y1, z1})
}

// hall is a room of 10 × 4 × 8 m inside walls of half a metre, with a door of 2 × 3 m
// in the wall at z = 8.5.
func hall() *scene.Model {
	return Build(
		Box(-5.5, -0.5, -0.5, 5.5, 0, 8.5), Box(-5.5, 4, -0.5, 5.5, 4.5, 8.5), // floor and ceiling
		Box(-5.5, 0, -0.5, -5, 4, 8.5), Box(5, 0, -0.5, 5.5, 4, 8.5), Box(-5.5, 0, -0.5, 5.5, 4, 0),
		Box(-5.5, 0, 8, -1, 4, 8.5), Box(1, 0, 8, 5.5, 4, 8.5), Box(-1, 3, 8, 1, 4, 8.5), // around the door
	)
}

// Models are those that the cases show.
func Models() Shelf {
	return Shelf{"hall": hall(), "rock": Build(Box(-2, -2, -2, 2, 2, 2)), "lamp": Build(Box(-0.2, -0.2, -0.2, 0.2, 0.2, 0.2)), "post": Build(Box(-1, 0, -1, 1, 1, 1))}
}

// Level is a level with the shelf's assets and no ground, or with flat ground.
func Level(t testing.TB, ground bool) *document.Document {
	t.Helper()
	f, err := document.NoTerrain()
	if ground {
		f, err = terrain.Flat(129, 129, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	doc := document.New(document.NewLevel(f), document.Options{})
	Edit(t, doc, func(tx *document.Tx) error {
		var list []document.Asset
		for _, name := range []string{"hall", "lamp", "post", "rock"} {
			list = append(list, document.Asset{Name: name, File: "asset:" + name + ".glb"})
		}
		return tx.SetAssets(list)
	})
	return doc
}

// Edit changes a level.
func Edit(t testing.TB, doc *document.Document, fn func(*document.Tx) error) {
	t.Helper()
	if err := doc.Do("edit", fn); err != nil {
		t.Fatal(err)
	}
}

// Put adds things and gives their ids.
func Put(t testing.TB, doc *document.Document, list ...document.Entity) (ids []document.ID) {
	t.Helper()
	Edit(t, doc, func(tx *document.Tx) error {
		for _, e := range list {
			e.ID = tx.NewID()
			if e.Kind == "" {
				e.Kind = e.Data.Kind()
			}
			if e.Rotation == (mgl64.Quat{}) {
				e.Rotation = mgl64.QuatIdent()
			}
			if e.Scale == (mgl64.Vec3{}) {
				e.Scale = mgl64.Vec3{1, 1, 1}
			}
			ids = append(ids, e.ID)
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	return ids
}

// Stage is a scene of a level.
func Stage(l *document.Level, lib scene.Library) *scene.Scene {
	s := scene.New(lib)
	s.Update(l, nil)
	return s
}

// Corners are those of a box.
func Corners(b geom.Box) (out []mgl64.Vec3) {
	for i := range 8 {
		out = append(out, b.Corner(i))
	}
	return out
}

// Quad is the polygon of a door at z that faces +z.
func Quad(x0, y0, x1, y1, z float64) []mgl64.Vec3 {
	return []mgl64.Vec3{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}
}

// shuffled begins with the third point.
func shuffled(points []mgl64.Vec3) []mgl64.Vec3 { return slices.Concat(points[2:], points[:2]) }

// turned is an outline the other way round.
func turned(points []mgl64.Vec3) []mgl64.Vec3 {
	slices.Reverse(points)
	return points
}

// House is a hall with its cell and its door.
func House() []document.Entity {
	return []document.Entity{
		{Name: "Hall mesh", Data: document.Object{Asset: "hall"}},
		{Name: "Hall", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-5, 0, 0, 5, 4, 8))}}},
		{Name: "Door", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 8)}},
	}
}

// Case is a level with problems.
type Case struct {
	List []document.Entity
	Want []problems.Kind // all of them
	Text string          // a part of what one of them says
}

// Cases has for each kind a level in which it is the only problem, and others that have
// none.
func Cases() map[string]Case {
	cell := func(b geom.Box) document.Entity {
		return document.Entity{Name: "Second", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(b)}}}
	}
	wall := func(points ...mgl64.Vec3) document.Entity {
		return document.Entity{Name: "Wall", Data: document.Occluder{Points: points}}
	}
	twin := func(name string, points []mgl64.Vec3) document.Entity {
		return document.Entity{Name: name, Data: document.Portal{Points: points}}
	}
	// Something for occluders to hide.
	rocks := []document.Entity{
		{Name: "Rock", Translation: mgl64.Vec3{40, 0, 40}, Data: document.Object{Asset: "rock"}},
		{Name: "Lamp", Translation: mgl64.Vec3{40, 0, 34}, Data: document.Object{Asset: "lamp"}},
		{Name: "Lamp", Translation: mgl64.Vec3{40, 0, 46}, Data: document.Object{Asset: "lamp"}},
	}
	at := func(b geom.Box) []mgl64.Vec3 { return Corners(b.Translate(mgl64.Vec3{40, 0, 40})) }
	return map[string]Case{
		"nothing":             {},
		"a house":             {List: House()},
		"a good hull":         {List: append(rocks, wall(at(Box(-2, -2, -2, 2, 2, 2))...))},
		"a flat hull":         {List: append(rocks, wall(at(Box(-1, -1, 0, 1, 1, 0))...)), Want: []problems.Kind{problems.Degenerate}, Text: "Occluder “Wall” hides nothing: all points lie in a plane."},
		"a dented hull":       {List: append(rocks, wall(append(at(Box(-2, -2, -2, 2, 2, 2)), mgl64.Vec3{40, 0, 41})...)), Want: []problems.Kind{problems.NotConvex}},
		"a bent polygon":      {List: append(rocks, document.Entity{Data: document.Occluder{Polygon: true, Points: []mgl64.Vec3{{39, -1, 40}, {41, -1, 40}, {41, 1, 40.4}, {39, 1, 40}}}}), Want: []problems.Kind{problems.Bent}},
		"a big hull":          {List: append(rocks, wall(at(Box(-2, -2, -2, 2, 5, 2))...)), Want: []problems.Kind{problems.TooBig}, Text: "Occluder “Wall” hides what can be seen: nothing solid stands around it"},
		"a polygon in a rock": {List: append(rocks, document.Entity{Data: document.Occluder{Polygon: true, Points: []mgl64.Vec3{{38, -2, 40}, {42, -2, 40}, {42, 2, 40}, {38, 2, 40}}}})},
		"a big polygon":       {List: append(rocks, document.Entity{Data: document.Occluder{Polygon: true, Points: []mgl64.Vec3{{38, -2, 40}, {42, -2, 40}, {42, 4, 40}, {38, 4, 40}}}}), Want: []problems.Kind{problems.TooBig}},
		"useless":             {List: append(rocks[:1:1], wall(at(Box(-1, -1, -1, 1, 1, 1))...)), Want: []problems.Kind{problems.Useless}, Text: "Occluder “Wall” never removes anything"},
		"a huge hull": {List: append(rocks, wall(Corners(Box(-5e9, -5e9, 100, 5e9, 5e9, 200))...)), Want: []problems.Kind{problems.TooBig, problems.Huge, problems.Useless},
			Text: "Occluder “Wall” measures 10000000 km, more than the 10000 km up to which it is exact."},
		"a huge cell":    {List: append(rocks, cell(Box(100, -5e9, -5e9, 200, 5e9, 5e9))), Want: []problems.Kind{problems.Leak, problems.Huge}},
		"a huge portal":  {List: append(rocks, document.Entity{Data: document.Portal{Points: Quad(-5e9, 0, 5e9, 10, 100)}}), Want: []problems.Kind{problems.Huge, problems.Unlinked}},
		"a large hull":   {List: append(rocks, wall(Corners(Box(-4e6, -4e6, 100, 4e6, 4e6, 200))...)), Want: []problems.Kind{problems.TooBig, problems.Useless}},
		"a crossed wall": {List: append(House(), wall(Corners(Box(-5.5, 0, 7.9, 5.5, 4, 8.5))...)), Want: []problems.Kind{problems.TooBig, problems.CrossedByDoor}, Text: "hides nothing while portal “Door” is open"},
		"no door":        {List: House()[:2], Want: []problems.Kind{problems.Leak}, Text: "Cell “Hall” leaks at"},
		"a mesh that is the room": {List: []document.Entity{
			{Name: "Room", Data: document.Object{Asset: "rock"}}, {Name: "Cell", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-2, -2, -2, 2, 2, 2))}}},
			{Name: "Back", Translation: mgl64.Vec3{0, 0, 4}, Data: document.Object{Asset: "rock"}}, {Name: "Back cell", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-2, -2, 2, 2, 2, 6))}}},
			{Name: "Door", Data: document.Portal{Points: Quad(-1, -2, 1, 1, 2)}},
		}, Want: []problems.Kind{problems.Bare, problems.Bare}, Text: "Object “Room” can be seen from outside of cell “Cell” at"},
		"against the wall": {List: append(House(), document.Entity{Name: "Post", Translation: mgl64.Vec3{4, 0, 4}, Data: document.Object{Asset: "post"}})},
		"a short cell":     {List: append(House()[:1:1], cell(Box(-5, 0, 0, 5, 4, 6)), document.Entity{Data: document.Portal{Points: Quad(-5, 0, 5, 4, 6)}})},
		"two halves":       {List: append(House(), cell(Box(-5, 0, 8.5, 5, 4, 12)), document.Entity{Name: "Rug", Translation: mgl64.Vec3{0, 0, 12.2}, Data: document.Object{Asset: "post"}}), Want: []problems.Kind{problems.Leak}},
		"cells without a wall between": {List: []document.Entity{House()[0],
			{Name: "A", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-5, 0, 4, 5, 4, 8))}}}, House()[2],
			{Name: "B", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-5, 0, 0, 5, 4, 4))}}}}, Want: []problems.Kind{problems.Leak, problems.Leak}, Text: "into cell “A”"},
		"overlapping": {List: append(House(), cell(Box(-5, 0, 0, 5, 4, 1))), Want: []problems.Kind{problems.Overlap}, Text: "Cell “Hall” and cell “Second” overlap"},
		"one room thrice": {List: append(House(),
			cell(Box(-5, 0, 0, 5, 4, 8)), document.Entity{Name: "Third", Data: document.Cell{Pieces: [][]mgl64.Vec3{shuffled(Corners(Box(-5, 0, 0, 5, 4, 8)))}}}), Want: []problems.Kind{problems.Overlap},
			Text: "3 cells are one and the same room: cell “Hall”, cell “Second” and cell “Third”."},
		"one room twice": {List: append(House(), cell(Box(-5, 0, 0, 5, 4, 8))), Want: []problems.Kind{problems.Overlap}, Text: "Cell “Second” is the same room as cell “Hall”."},
		"overlapping two": {List: append(House(), cell(Box(-5, 0, 0, 5, 4, 1)),
			document.Entity{Name: "Third", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-5, 3, 1, 5, 4, 8))}}}), Want: []problems.Kind{problems.Overlap},
			Text: "Cell “Hall” overlaps 2 others: cell “Second” and cell “Third”. From inside"},
		"overlapping many": {List: append(House(), cell(Box(-5, 0, 0, 5, 4, 1)), cell(Box(-5, 0, 1, 5, 4, 2)), cell(Box(-5, 0, 2, 5, 0.5, 8)), cell(Box(-5, 3.5, 2, 5, 4, 8)),
			cell(Box(-5, 0.5, 2, -4, 3.5, 8))), Want: []problems.Kind{problems.Overlap}, Text: "cell “Second”, cell “Second”, cell “Second” and 2 more. From inside"},
		"a flat piece": {List: append(House(), document.Entity{Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(0, 0, 0, 1, 1, 0))}}}), Want: []problems.Kind{problems.Degenerate}},
		"a lamp in the gap": {List: append(House(),
			document.Entity{Name: "Rock", Translation: mgl64.Vec3{30, 0, 0}, Data: document.Object{Asset: "rock"}})},
		"a lamp over the cell": {List: append(House()[:1:1],
			document.Entity{Name: "Low", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-5, 0, 0, 5, 3.4, 8))}}}, House()[2],
			document.Entity{Name: "Lamp", Translation: mgl64.Vec3{0, 3.7, 4}, Data: document.Object{Asset: "lamp"}}), Want: []problems.Kind{problems.Unseen}, Text: "Object “Lamp” can be seen from cell “Low” but does not touch it"},
		"a lamp over two cells": {List: append(House()[:1:1],
			document.Entity{Name: "Left", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(-5, 0, 0, 0, 3.4, 8))}}},
			document.Entity{Name: "Right", Data: document.Cell{Pieces: [][]mgl64.Vec3{Corners(Box(0, 0, 0, 5, 3.4, 8))}}},
			document.Entity{Name: "Arch", Data: document.Portal{Points: []mgl64.Vec3{{0, 0, 0}, {0, 0, 8}, {0, 3.4, 8}, {0, 3.4, 0}}}},
			document.Entity{Name: "Left door", Data: document.Portal{Points: Quad(-1, 0, 0, 3, 8)}}, document.Entity{Name: "Right door", Data: document.Portal{Points: Quad(0, 0, 1, 3, 8)}},
			document.Entity{Name: "Lamp", Translation: mgl64.Vec3{0, 3.7, 4}, Data: document.Object{Asset: "lamp"}}), Want: []problems.Kind{problems.Unseen},
			Text: "Object “Lamp” can be seen from 2 cells but touches none of them, so that it vanishes when only the inside of one is drawn: cell “Left” and cell “Right”."},
		"a portal that is off": {List: append(House()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 8.25)}}), Want: []problems.Kind{problems.OffFace}, Text: "Portal “Door” is 25 cm off the face of its cell."},
		"a portal far away":    {List: append(House(), document.Entity{Name: "Lost", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 20)}}), Want: []problems.Kind{problems.Unlinked}, Text: "no cell within its reach of 1 m"},
		"a portal inside":      {List: append(House(), document.Entity{Name: "In", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 4)}}), Want: []problems.Kind{problems.Unlinked}, Text: "both its sides are in cell “Hall”"},
		"twins":                {List: append(House(), document.Entity{Name: "Twin", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 8)}}), Want: []problems.Kind{problems.Duplicate}, Text: "Portal “Twin” stands in the place of portal “Door”."},
		"many twins": {List: append(House(), twin("A", Quad(-1, 0, 1, 3, 8)), twin("B", shuffled(Quad(-1, 0, 1, 3, 8))), twin("C", Quad(-1, 0, 1, 3, 8)), twin("D", Quad(-1, 0, 1, 3, 8)),
			twin("E", Quad(-1, 0, 1, 3, 8))), Want: []problems.Kind{problems.Duplicate}, Text: "5 portals stand in the place of portal “Door”: portal “A”, portal “B”, portal “C” and 2 more."},
		"a turned twin": {List: append(House(), twin("Turned", turned(Quad(-1, 0, 1, 3, 8)))), Want: []problems.Kind{problems.Opposed}, Text: "Portal “Turned” stands in the place of portal “Door” and faces the other way."},
		"turned twins": {List: append(House(), twin("A", turned(Quad(-1, 0, 1, 3, 8))), twin("B", Quad(-1, 0, 1, 3, 8)), twin("C", turned(shuffled(Quad(-1, 0, 1, 3, 8))))),
			Want: []problems.Kind{problems.Duplicate, problems.Opposed}, Text: "2 portals stand in the place of portal “Door” and face the other way: portal “A” and portal “C”."},
		"twins that join nothing": {List: append(House(), twin("Lost", Quad(-1, 0, 1, 3, 20)), twin("Also lost", Quad(-1, 0, 1, 3, 20))),
			Want: []problems.Kind{problems.Duplicate, problems.Unlinked, problems.Unlinked}, Text: "Portal “Also lost” stands in the place of portal “Lost”."},
		"turned twins inside": {List: append(House(), twin("In", Quad(-1, 0, 1, 3, 4)), twin("Turned", turned(Quad(-1, 0, 1, 3, 4)))),
			Want: []problems.Kind{problems.Opposed, problems.Unlinked, problems.Unlinked}, Text: "Portal “Turned” stands in the place of portal “In” and faces the other way."},
		"crossed portals": {List: append(House(), twin("Lost", Quad(-1, 0, 1, 2, 20)), twin("Across", []mgl64.Vec3{{0, 0, 19}, {0, 0, 21}, {0, 2, 21}, {0, 2, 19}})),
			Want: []problems.Kind{problems.Unlinked, problems.Unlinked}},
		"a twin of another size": {List: append(House(), twin("Hatch", Quad(-1, 1, 1, 2, 8)))},
		"a twin with a longer reach": {List: []document.Entity{House()[0], House()[1], {Name: "Door", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 8.5), Reach: 0.1}},
			{Name: "Long", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 8.5)}}}, Want: []problems.Kind{problems.Duplicate, problems.Unlinked, problems.OffFace}},
		"opposed twins": {List: append(House()[:2:2],
			document.Entity{Name: "In", Data: document.Portal{Points: Quad(-1, 0, 1, 3, 8), State: document.PortalOneWay}},
			document.Entity{Name: "Out", Rotation: mgl64.QuatRotate(math.Pi, mgl64.Vec3{0, 1, 0}), Data: document.Portal{Points: Quad(-1, 0, 1, 3, -8), State: document.PortalOneWay}}),
			Want: []problems.Kind{problems.Opposed}},
		"a bent portal":   {List: append(House()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: []mgl64.Vec3{{-1, 0, 8}, {1, 0, 8}, {1, 3, 8.2}, {-1, 3, 8}}}}), Want: []problems.Kind{problems.Bent}},
		"a dented portal": {List: append(House()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: []mgl64.Vec3{{-1, 0, 8}, {1, 0, 8}, {1, 3, 8}, {0, 2.8, 8}, {-1, 3, 8}}}}), Want: []problems.Kind{problems.NotConvex}},
		"a thin portal":   {List: append(House()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: []mgl64.Vec3{{-1, 0, 8}, {1, 0, 8}, {0, 0, 8}}}}), Want: []problems.Kind{problems.Leak, problems.Degenerate}},
	}
}
