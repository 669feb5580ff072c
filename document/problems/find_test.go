package problems

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// shelf is a library of models by the names of assets.
type shelf map[string]*scene.Model

func (s shelf) Model(a *document.Asset) *scene.Model { return s[a.Name] }

// build makes a model of boxes, each min and max.
func build(boxes ...geom.Box) *scene.Model {
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

func box(x0, y0, z0, x1, y1, z1 float64) geom.Box {
	return geom.BoxOf(geom.Vec3{x0, y0, z0}, geom.Vec3{x1, y1, z1})
}

// hall is a room of 10 × 4 × 8 m inside walls of half a metre, with a door of 2 × 3 m
// in the wall at z = 8.5.
func hall() *scene.Model {
	return build(
		box(-5.5, -0.5, -0.5, 5.5, 0, 8.5), box(-5.5, 4, -0.5, 5.5, 4.5, 8.5), // floor and ceiling
		box(-5.5, 0, -0.5, -5, 4, 8.5), box(5, 0, -0.5, 5.5, 4, 8.5), box(-5.5, 0, -0.5, 5.5, 4, 0),
		box(-5.5, 0, 8, -1, 4, 8.5), box(1, 0, 8, 5.5, 4, 8.5), box(-1, 3, 8, 1, 4, 8.5), // around the door
	)
}

func models() shelf {
	return shelf{"hall": hall(), "rock": build(box(-2, -2, -2, 2, 2, 2)), "lamp": build(box(-0.2, -0.2, -0.2, 0.2, 0.2, 0.2)), "post": build(box(-1, 0, -1, 1, 1, 1))}
}

// place is a level with the shelf's assets and no ground, or with flat ground.
func level(t testing.TB, ground bool) *document.Document {
	t.Helper()
	f, err := document.NoTerrain()
	if ground {
		f, err = terrain.Flat(129, 129, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	doc := document.New(document.NewLevel(f), document.Options{})
	edit(t, doc, func(tx *document.Tx) error {
		var list []document.Asset
		for _, name := range []string{"hall", "lamp", "post", "rock"} {
			list = append(list, document.Asset{Name: name, File: "asset:" + name + ".glb"})
		}
		return tx.SetAssets(list)
	})
	return doc
}

func edit(t testing.TB, doc *document.Document, fn func(*document.Tx) error) {
	t.Helper()
	if err := doc.Do("edit", fn); err != nil {
		t.Fatal(err)
	}
}

// put adds things and gives their ids.
func put(t testing.TB, doc *document.Document, list ...document.Entity) (ids []document.ID) {
	t.Helper()
	edit(t, doc, func(tx *document.Tx) error {
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

func stage(l *document.Level, lib scene.Library) *scene.Scene {
	s := scene.New(lib)
	s.Update(l, nil)
	return s
}

func find(t testing.TB, doc *document.Document) []Problem {
	t.Helper()
	list, err := Find(context.Background(), stage(doc.Level(), models()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// kinds are those of problems, sorted.
func kinds(list []Problem) (out []Kind) {
	for _, p := range list {
		out = append(out, p.Kind)
	}
	return out
}

func corners(b geom.Box) (out []mgl64.Vec3) {
	for i := range 8 {
		out = append(out, b.Corner(i))
	}
	return out
}

// quad is the polygon of a door at z that faces +z.
func quad(x0, y0, x1, y1, z float64) []mgl64.Vec3 {
	return []mgl64.Vec3{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}
}

// house puts a hall with its cell and door; others change them.
func house() []document.Entity {
	return []document.Entity{
		{Name: "Hall mesh", Data: document.Object{Asset: "hall"}},
		{Name: "Hall", Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(box(-5, 0, 0, 5, 4, 8))}}},
		{Name: "Door", Data: document.Portal{Points: quad(-1, 0, 1, 3, 8)}},
	}
}

// Each kind has a level in which it is the only problem, and near which there is one
// without any.
func TestKinds(t *testing.T) {
	cell := func(b geom.Box) document.Entity {
		return document.Entity{Name: "Second", Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(b)}}}
	}
	wall := func(points ...mgl64.Vec3) document.Entity {
		return document.Entity{Name: "Wall", Data: document.Occluder{Points: points}}
	}
	// Something for occluders to hide.
	rocks := []document.Entity{
		{Name: "Rock", Translation: mgl64.Vec3{40, 0, 40}, Data: document.Object{Asset: "rock"}},
		{Name: "Lamp", Translation: mgl64.Vec3{40, 0, 34}, Data: document.Object{Asset: "lamp"}},
		{Name: "Lamp", Translation: mgl64.Vec3{40, 0, 46}, Data: document.Object{Asset: "lamp"}},
	}
	at := func(b geom.Box) []mgl64.Vec3 { return corners(b.Translate(mgl64.Vec3{40, 0, 40})) }
	for name, c := range map[string]struct {
		list []document.Entity
		want []Kind
		text string
	}{
		"nothing":             {},
		"a house":             {list: house()},
		"a good hull":         {list: append(rocks, wall(at(box(-2, -2, -2, 2, 2, 2))...))},
		"a flat hull":         {list: append(rocks, wall(at(box(-1, -1, 0, 1, 1, 0))...)), want: []Kind{Degenerate}, text: "Occluder “Wall” hides nothing: all points lie in a plane."},
		"a dented hull":       {list: append(rocks, wall(append(at(box(-2, -2, -2, 2, 2, 2)), mgl64.Vec3{40, 0, 41})...)), want: []Kind{NotConvex}},
		"a bent polygon":      {list: append(rocks, document.Entity{Data: document.Occluder{Polygon: true, Points: []mgl64.Vec3{{39, -1, 40}, {41, -1, 40}, {41, 1, 40.4}, {39, 1, 40}}}}), want: []Kind{Bent}},
		"a big hull":          {list: append(rocks, wall(at(box(-2, -2, -2, 2, 5, 2))...)), want: []Kind{TooBig}, text: "Occluder “Wall” hides what can be seen: nothing solid stands around it"},
		"a polygon in a rock": {list: append(rocks, document.Entity{Data: document.Occluder{Polygon: true, Points: []mgl64.Vec3{{38, -2, 40}, {42, -2, 40}, {42, 2, 40}, {38, 2, 40}}}})},
		"a big polygon":       {list: append(rocks, document.Entity{Data: document.Occluder{Polygon: true, Points: []mgl64.Vec3{{38, -2, 40}, {42, -2, 40}, {42, 4, 40}, {38, 4, 40}}}}), want: []Kind{TooBig}},
		"useless":             {list: append(rocks[:1:1], wall(at(box(-1, -1, -1, 1, 1, 1))...)), want: []Kind{Useless}, text: "Occluder “Wall” never removes anything"},
		"a crossed wall":      {list: append(house(), wall(corners(box(-5.5, 0, 7.9, 5.5, 4, 8.5))...)), want: []Kind{TooBig, CrossedByDoor}, text: "hides nothing while portal “Door” is open"},
		"no door":             {list: house()[:2], want: []Kind{Leak}, text: "Cell “Hall” leaks at"},
		"a short cell":        {list: append(house()[:1:1], cell(box(-5, 0, 0, 5, 4, 6)), document.Entity{Data: document.Portal{Points: quad(-5, 0, 5, 4, 6)}})},
		"two halves":          {list: append(house(), cell(box(-5, 0, 8.5, 5, 4, 12)), document.Entity{Name: "Rug", Translation: mgl64.Vec3{0, 0, 12.2}, Data: document.Object{Asset: "post"}}), want: []Kind{Leak}},
		"cells without a wall between": {list: []document.Entity{house()[0],
			{Name: "A", Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(box(-5, 0, 4, 5, 4, 8))}}}, house()[2],
			{Name: "B", Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(box(-5, 0, 0, 5, 4, 4))}}}}, want: []Kind{Leak, Leak}, text: "into cell “A”"},
		"overlapping":  {list: append(house(), cell(box(-5, 0, 0, 5, 4, 1))), want: []Kind{Overlap}, text: "Cell “Hall” and cell “Second” overlap"},
		"a flat piece": {list: append(house(), document.Entity{Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(box(0, 0, 0, 1, 1, 0))}}}), want: []Kind{Degenerate}},
		"a lamp in the gap": {list: append(house(),
			document.Entity{Name: "Rock", Translation: mgl64.Vec3{30, 0, 0}, Data: document.Object{Asset: "rock"}})},
		"a lamp over the cell": {list: append(house()[:1:1],
			document.Entity{Name: "Low", Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(box(-5, 0, 0, 5, 3.4, 8))}}}, house()[2],
			document.Entity{Name: "Lamp", Translation: mgl64.Vec3{0, 3.7, 4}, Data: document.Object{Asset: "lamp"}}), want: []Kind{Unseen}, text: "Object “Lamp” can be seen from cell “Low” but does not touch it"},
		"a portal that is off": {list: append(house()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: quad(-1, 0, 1, 3, 8.25)}}), want: []Kind{OffFace}, text: "Portal “Door” is 25 cm off the face of its cell."},
		"a portal far away":    {list: append(house(), document.Entity{Name: "Lost", Data: document.Portal{Points: quad(-1, 0, 1, 3, 20)}}), want: []Kind{Unlinked}, text: "no cell within its reach of 1 m"},
		"a portal inside":      {list: append(house(), document.Entity{Name: "In", Data: document.Portal{Points: quad(-1, 0, 1, 3, 4)}}), want: []Kind{Unlinked}, text: "both its sides are in cell “Hall”"},
		"twins":                {list: append(house(), document.Entity{Name: "Twin", Data: document.Portal{Points: quad(-1, 0, 1, 3, 8)}}), want: []Kind{Duplicate}, text: "Portal “Twin” stands in the place of portal “Door”."},
		"opposed twins": {list: append(house()[:2:2],
			document.Entity{Name: "In", Data: document.Portal{Points: quad(-1, 0, 1, 3, 8), State: document.PortalOneWay}},
			document.Entity{Name: "Out", Rotation: mgl64.QuatRotate(math.Pi, mgl64.Vec3{0, 1, 0}), Data: document.Portal{Points: quad(-1, 0, 1, 3, -8), State: document.PortalOneWay}}),
			want: []Kind{Opposed}},
		"a bent portal":   {list: append(house()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: []mgl64.Vec3{{-1, 0, 8}, {1, 0, 8}, {1, 3, 8.2}, {-1, 3, 8}}}}), want: []Kind{Bent}},
		"a dented portal": {list: append(house()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: []mgl64.Vec3{{-1, 0, 8}, {1, 0, 8}, {1, 3, 8}, {0, 2.8, 8}, {-1, 3, 8}}}}), want: []Kind{NotConvex}},
		"a thin portal":   {list: append(house()[:2:2], document.Entity{Name: "Door", Data: document.Portal{Points: []mgl64.Vec3{{-1, 0, 8}, {1, 0, 8}, {0, 0, 8}}}}), want: []Kind{Leak, Degenerate}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := level(t, false)
			put(t, doc, c.list...)
			list := find(t, doc)
			if got := kinds(list); !slices.Equal(got, c.want) {
				t.Errorf("problems %v, expected %v", got, c.want)
				for _, p := range list {
					t.Log(p.Severity, p.Text, p.At, p.Fix)
				}
			}
			if c.text != "" && !slices.ContainsFunc(list, func(p Problem) bool { return strings.Contains(p.Text, c.text) }) {
				t.Errorf("nothing says %q: %v", c.text, list)
			}
		})
	}
}

// The hull of a house seals its door; a smaller one inside a wall does not. What is
// attached is checked against its own mesh.
func TestAttached(t *testing.T) {
	doc := level(t, true)
	ids := put(t, doc, document.Entity{Name: "House", Translation: mgl64.Vec3{60, 1, 60}, Data: document.Object{Asset: "hall"}})
	own := put(t, doc, document.Entity{Parent: ids[0], Name: "Sealed", Data: document.Occluder{Points: corners(box(-5.5, -0.5, -0.5, 5.5, 4.5, 8.5))}})
	put(t, doc, document.Entity{Name: "Behind", Translation: mgl64.Vec3{57, 2, 62}, Data: document.Object{Asset: "lamp"}})
	list := find(t, doc)
	if len(list) != 1 || list[0].Kind != TooBig || !slices.Equal(list[0].Entities, []document.ID{own[0], ids[0]}) || list[0].Severity != Error {
		t.Fatalf("the sealed house: %v", list)
	}
	e, _ := doc.Level().Entity(own[0])
	c := e.Clone()
	c.Data = document.Occluder{Points: corners(box(-5.5, 0, 0, -5, 4, 8))} // in the wall
	edit(t, doc, func(tx *document.Tx) error { return tx.Put(c) })
	if list := find(t, doc); len(list) != 0 {
		t.Fatalf("the wall: %v", list)
	}
}

// Nothing is told of what a missing model may hide.
func TestMissingModels(t *testing.T) {
	doc := level(t, false)
	put(t, doc, house()[:2]...)
	s := stage(doc.Level(), shelf{})
	list, err := Find(context.Background(), s, Options{})
	if err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
}

// Fixes of what is locked are not offered.
func TestLocked(t *testing.T) {
	doc := level(t, false)
	e := house()
	e[2].Data = document.Portal{Points: quad(-1, 0, 1, 3, 8.25)}
	e[2].Locked = true
	put(t, doc, e...)
	list := find(t, doc)
	if len(list) != 1 || list[0].Kind != OffFace || list[0].Fix.Exists() {
		t.Fatal(list)
	}
}

func TestCancelled(t *testing.T) {
	doc := level(t, true)
	put(t, doc, house()...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if list, err := Find(ctx, stage(doc.Level(), models()), Options{}); !errors.Is(err, context.Canceled) || list != nil {
		t.Fatal(list, err)
	}
	n := 0
	stop, halt := context.WithCancel(context.Background())
	_, err := Find(stop, stage(doc.Level(), models()), Options{Progress: func(float64) {
		if n++; n == 2 {
			halt()
		}
	}})
	if !errors.Is(err, context.Canceled) || n != 2 {
		t.Fatal(n, err)
	}
}

// Whatever a level holds, the search ends, tells of things that exist, says the same
// again, and has sentences.
func TestAnyLevel(t *testing.T) {
	lib := models()
	rapid.Check(t, func(t *rapid.T) {
		nowhere, err := document.NoTerrain()
		if err != nil {
			t.Fatal(err)
		}
		doc := document.New(document.NewLevel(nowhere), document.Options{})
		num := func(lo, hi float64) float64 {
			if rapid.Bool().Draw(t, "whole") {
				return float64(rapid.IntRange(int(lo), int(hi)).Draw(t, "n"))
			}
			return rapid.Float64Range(lo, hi).Draw(t, "x")
		}
		point := func(r float64) mgl64.Vec3 { return mgl64.Vec3{num(-r, r), num(-r, r), num(-r, r)} }
		points := func(least int, r float64) (out []mgl64.Vec3) {
			for range rapid.IntRange(least, least+4).Draw(t, "points") {
				out = append(out, point(r))
			}
			return out
		}
		err = doc.Do("all", func(tx *document.Tx) error {
			if err := tx.SetAssets([]document.Asset{{Name: "hall", File: "asset:a.glb"}, {Name: "rock", File: "asset:b.glb"}}); err != nil {
				return err
			}
			var ids []document.ID
			for range rapid.IntRange(0, 8).Draw(t, "things") {
				e := document.Entity{ID: tx.NewID(), Translation: point(9), Rotation: mgl64.QuatRotate(num(-3, 3), mgl64.Vec3{0.6, 0.8, 0}), Scale: mgl64.Vec3{num(1, 2), num(1, 2), -num(1, 2)}, Locked: rapid.IntRange(0, 5).Draw(t, "locked") == 0}
				if rapid.Bool().Draw(t, "straight") {
					e.Rotation, e.Scale = mgl64.QuatIdent(), mgl64.Vec3{1, 1, 1}
				}
				switch rapid.IntRange(0, 5).Draw(t, "kind") {
				case 0:
					e.Data = document.Object{Asset: rapid.SampledFrom([]string{"hall", "rock", "gone"}).Draw(t, "asset")}
				case 1:
					e.Data = document.Occluder{Points: points(4, 4)}
				case 2:
					e.Data = document.Occluder{Points: points(3, 4), Polygon: true, Hole: points(3, 1)}
				case 3:
					e.Data = document.Cell{Pieces: [][]mgl64.Vec3{points(4, 6), points(4, 6)}}
				case 4:
					e.Data = document.Cell{Pieces: [][]mgl64.Vec3{corners(box(-5, 0, 0, 5, 4, 8))}}
				case 5:
					e.Data = document.Portal{Points: points(3, 3), Reach: num(0, 4)}
				}
				e.Kind = e.Data.Kind()
				if len(ids) > 0 && rapid.IntRange(0, 2).Draw(t, "child") == 0 {
					e.Parent = rapid.SampledFrom(ids).Draw(t, "parent")
				}
				ids = append(ids, e.ID)
				if err := tx.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var first []Problem
		for turn := range 2 {
			list, err := Find(context.Background(), stage(doc.Level(), lib), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				if len(p.Entities) == 0 || !strings.HasSuffix(p.Text, ".") || strings.Contains(p.Text, "%!") || p.Fix.Exists() != (p.Fix.Title != "") {
					t.Fatalf("%+v", p)
				}
				for _, id := range p.Entities {
					if _, ok := doc.Level().Entity(id); !ok {
						t.Fatalf("%+v is about nothing", p)
					}
				}
			}
			if turn == 0 {
				first = list
			} else if !slices.EqualFunc(first, list, func(a, b Problem) bool {
				return a.Kind == b.Kind && a.Text == b.Text && a.At == b.At && a.Fix == b.Fix && slices.Equal(a.Entities, b.Entities)
			}) {
				t.Fatalf("first %v, then %v", first, list)
			}
		}
	})
}
