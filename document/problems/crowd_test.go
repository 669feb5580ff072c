package problems_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/problems/problemtest"
)

// However many things are in one place, the list grows as the level does.
func TestCrowds(t *testing.T) {
	room := func(x float64) document.Entity {
		return document.Entity{Data: document.Cell{Pieces: [][]mgl64.Vec3{problemtest.Corners(problemtest.Box(-5+x, 0, 0, 5, 4, 8))}}}
	}
	door := document.Entity{Data: document.Portal{Points: problemtest.Quad(-1, 0, 1, 3, 8)}}
	turned := document.Entity{Data: document.Portal{Points: problemtest.Quad(1, 0, -1, 3, 8)}}
	for name, c := range map[string]struct {
		n    int
		of   func(i int) document.Entity
		want map[problems.Kind]int
		text string
	}{
		"rooms": {1000, func(int) document.Entity { return room(0) }, map[problems.Kind]int{problems.Overlap: 1}, "1001 cells are one and the same room: cell “Hall”, cell 4, cell 5 and 998 more."},
		"almost the same rooms": {200, func(i int) document.Entity { return room(float64(i+1) / 1e4) }, map[problems.Kind]int{problems.Overlap: 200},
			"Cell “Hall” overlaps 200 others: cell 4, cell 5, cell 6 and 197 more."},
		"doors": {1000, func(int) document.Entity { return door }, map[problems.Kind]int{problems.Duplicate: 1}, "1000 portals stand in the place of portal “Door”: portal 4, portal 5, portal 6 and 997 more."},
		"doors that face both ways": {1000, func(i int) document.Entity { return []document.Entity{door, turned}[i%2] },
			map[problems.Kind]int{problems.Duplicate: 1, problems.Opposed: 1}, "500 portals stand in the place of portal “Door” and face the other way: portal 5, portal 7, portal 9 and 497 more."},
	} {
		t.Run(name, func(t *testing.T) {
			doc := problemtest.Level(t, false)
			problemtest.Put(t, doc, problemtest.House()...)
			var list []document.Entity
			for i := range c.n {
				list = append(list, c.of(i))
			}
			problemtest.Put(t, doc, list...)
			got, ids := map[problems.Kind]int{}, 0
			said := false
			for _, p := range find(t, doc) {
				got[p.Kind]++
				ids += len(p.Entities)
				said = said || strings.HasPrefix(p.Text, c.text)
				if len(p.Text) > 300 || len(p.Fix.Script) > 8*c.n {
					t.Errorf("a problem of %d and a fix of %d letters", len(p.Text), len(p.Fix.Script))
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) || !said {
				t.Errorf("problems %v, expected %v and %q", got, c.want, c.text)
			}
			if ids > 20*c.n {
				t.Errorf("problems about %d things", ids)
			}
		})
	}
}

// Whatever stands in one place, there are few problems for each thing.
func TestAnyCrowd(t *testing.T) {
	lib := problemtest.Models()
	rapid.Check(t, func(t *rapid.T) {
		nowhere, err := document.NoTerrain()
		if err != nil {
			t.Fatal(err)
		}
		doc := document.New(document.NewLevel(nowhere), document.Options{})
		err = doc.Do("all", func(tx *document.Tx) error {
			if err := tx.SetAssets([]document.Asset{{Name: "hall", File: "asset:a.glb"}, {Name: "lamp", File: "asset:b.glb"}}); err != nil {
				return err
			}
			for range rapid.IntRange(1, 60).Draw(t, "things") {
				e := document.Entity{ID: tx.NewID(), Translation: mgl64.Vec3{float64(rapid.IntRange(0, 2).Draw(t, "x")) / 2}}
				switch rapid.IntRange(0, 5).Draw(t, "kind") {
				case 0:
					e.Data = document.Object{Asset: rapid.SampledFrom([]string{"hall", "lamp", "gone"}).Draw(t, "asset")}
				case 1:
					e.Data = document.Occluder{Points: problemtest.Corners(problemtest.Box(-1, 0, 7, 1, 3, 9))}
				case 2, 3:
					p := problemtest.Corners(problemtest.Box(-5, 0, 0, 5, 3.5, 8))
					e.Data = document.Cell{Pieces: [][]mgl64.Vec3{p, p}[:rapid.IntRange(1, 2).Draw(t, "pieces")]}
				default:
					p := problemtest.Quad(-1, 0, 1, 3, 8)
					if rapid.Bool().Draw(t, "turned") {
						slices.Reverse(p)
					}
					e.Data = document.Portal{Points: p, State: rapid.SampledFrom(document.PortalStates).Draw(t, "state")}
				}
				e.Kind = e.Data.Kind()
				if err := tx.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		list, err := problems.Find(context.Background(), problemtest.Stage(doc.Level(), lib), problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		about := 0
		for _, p := range list {
			about += len(p.Entities)
		}
		if n := doc.Level().Len(); len(list) > 3*n || about > 20*n {
			t.Fatalf("%d problems about %d things in a level of %d", len(list), about, n)
		}
	})
}

// Of portals in one place the fix leaves one through which the same is seen as through
// all, as far as they are not locked.
func TestTwinsKeepTheView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nowhere, err := document.NoTerrain()
		if err != nil {
			t.Fatal(err)
		}
		doc := document.New(document.NewLevel(nowhere), document.Options{})
		box := problemtest.Corners(problemtest.Box(-5, 0, 0, 5, 4, 8))
		err = doc.Do("all", func(tx *document.Tx) error {
			if err := tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindCell, Data: document.Cell{Pieces: [][]mgl64.Vec3{box}}}); err != nil {
				return err
			}
			for range rapid.IntRange(2, 6).Draw(t, "portals") {
				// The farthest is out of reach of the cell.
				p := problemtest.Quad(-1, 0, 1, 3, 8)
				d := document.Portal{State: rapid.SampledFrom(document.PortalStates).Draw(t, "state")}
				if rapid.Bool().Draw(t, "turned") {
					slices.Reverse(p)
				}
				d.Points = p
				if err := tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindPortal, Data: d, Locked: rapid.IntRange(0, 5).Draw(t, "locked") == 0}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		list, err := problems.Find(context.Background(), problemtest.Stage(doc.Level(), nil), problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if p.Kind != problems.Duplicate && p.Kind != problems.Opposed || !p.Fix.Exists() {
				continue
			}
			before := passes(doc.Level(), p.Entities)
			err := doc.Do("fix", func(tx *document.Tx) error {
				for line := range strings.Lines(p.Fix.Script) {
					command, rest, _ := strings.Cut(strings.TrimSpace(line), " id=")
					ids, _, _ := strings.Cut(rest, " ")
					for id := range strings.SplitSeq(ids, ",") {
						n, err := strconv.ParseUint(id, 10, 64)
						if err != nil {
							return err
						}
						e, ok := tx.Level().Entity(document.ID(n))
						if !ok || e.Locked {
							t.Fatalf("%q is about %d", line, n)
						}
						switch command {
						case "object.delete":
							err = tx.Delete(e.ID, document.LiftChildren)
						case "portal.set":
							c := e.Clone()
							c.Data = document.Portal{Points: e.Data.(document.Portal).Points}
							err = tx.Put(c)
						default:
							err = fmt.Errorf("an unknown command %q", line)
						}
						if err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if after := passes(doc.Level(), p.Entities); after != before {
				t.Fatalf("light went %v, and after %q %v", before, p.Fix.Script, after)
			}
			left := slices.DeleteFunc(slices.Clone(p.Entities), func(id document.ID) bool {
				e, ok := doc.Level().Entity(id)
				return !ok || e.Locked
			})
			if len(left) > 1 {
				t.Fatalf("after %q there are %v", p.Fix.Script, left)
			}
			doc.Undo()
		}
	})
}

// passes tells for each of the two ways whether one of the portals that there are lets
// light through.
func passes(l *document.Level, ids []document.ID) (ways [2]bool) {
	for _, id := range ids {
		e, ok := l.Entity(id)
		if !ok {
			continue
		}
		d := e.Data.(document.Portal)
		front := 0
		if d.Points[0][1] > 0 { // the outline runs the other way round
			front = 1
		}
		switch d.State {
		case "", document.PortalOpen:
			ways = [2]bool{true, true}
		case document.PortalOneWay:
			ways[front] = true
		}
	}
	return ways
}
