package portal

import (
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// After any edits a graph that was made of the one before is the one that is made anew:
// the same traces, the same faults.
func TestRebuild(t *testing.T) {
	id := place{turn: mgl64.Ident3()}
	kept, faults := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 { return 4 * float64(rapid.IntRange(0, 4).Draw(t, name)) }
		cell := func() []*hull.Hull {
			x, z := num("x"), num("z")
			b := boxHull(geom.Box{Min: Vec3{x, 0, z}, Max: Vec3{x + 4, 3, z + 4}}, id)
			return [][]*hull.Hull{{b}, {b}, {b}, {b, boxHull(geom.Box{Min: Vec3{x, 3, z}, Max: Vec3{x + 4, 6, z + 4}}, id)}, nil}[rapid.IntRange(0, 4).Draw(t, "pieces")]
		}
		polygon := func() []Vec3 {
			x, z := num("x"), num("z")
			p := []Vec3{{x, 0, z + 1}, {x, 2, z + 1}, {x, 2, z + 3}, {x, 0, z + 3}}
			switch rapid.IntRange(0, 9).Draw(t, "shape") {
			case 0:
				p = p[:2]
			case 1:
				p[2][0] += 1
			case 2, 3:
				slices.Reverse(p)
			case 4:
				for i := range p {
					p[i][1] += 100
				}
			}
			return p
		}
		var cells [][]*hull.Hull
		var portals []Portal
		index := func(n int, name string) int { return rapid.IntRange(-1, n).Draw(t, name) }
		g, err := Build(cells, portals)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 20).Draw(t, "edits") {
			was := make([]int, len(portals))
			for i := range was {
				was[i] = i
			}
			cells, portals = slices.Clone(cells), slices.Clone(portals)
			lose := func(c int) { // portals of a cell are others now
				for i := range portals {
					if portals[i].From == c || portals[i].To == c {
						was[i] = -1
					}
				}
			}
			switch what := rapid.IntRange(0, 7).Draw(t, "what"); {
			case what <= 1 || len(cells) == 0:
				at := rapid.IntRange(0, len(cells)).Draw(t, "at")
				for i := range portals {
					for _, c := range [2]*int{&portals[i].From, &portals[i].To} {
						if *c >= len(cells) {
							was[i] = -1 // it leads to a cell that did not exist
						}
						if *c >= at {
							*c++
						}
					}
				}
				cells = slices.Insert(cells, at, cell())
			case what <= 3 || len(portals) == 0:
				at := rapid.IntRange(0, len(portals)).Draw(t, "at")
				portals = slices.Insert(portals, at, Portal{Polygon: polygon(), From: index(len(cells), "from"), To: index(len(cells), "to"), State: State(rapid.IntRange(0, 3).Draw(t, "state"))})
				was = slices.Insert(was, at, -1)
			case what == 4:
				c := rapid.IntRange(0, len(cells)-1).Draw(t, "cell")
				cells[c] = cell()
				lose(c)
			case what == 5:
				i := rapid.IntRange(0, len(portals)-1).Draw(t, "portal")
				portals, was = slices.Delete(portals, i, i+1), slices.Delete(was, i, i+1)
			case what == 6:
				i := rapid.IntRange(0, len(portals)-1).Draw(t, "portal")
				portals[i].Polygon, was[i] = polygon(), -1
			default:
				i := rapid.IntRange(0, len(portals)-1).Draw(t, "portal")
				portals[i].State = State(rapid.IntRange(0, 3).Draw(t, "state"))
			}
			before := *g
			before.items, before.gates = slices.Clone(g.items), slices.Clone(g.gates)
			got, err := g.Rebuild(cells, portals, was)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Build(cells, portals)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("made of the one before\n%+v\nmade anew\n%+v", got, want)
			}
			if !reflect.DeepEqual(g, &before) {
				t.Fatal("the graph before has changed")
			}
			g = got
			for i := range was {
				if was[i] >= 0 && g.gates[i].used {
					kept++
				}
			}
			faults += len(g.Faults)
		}
	})
	if kept == 0 || faults == 0 {
		t.Errorf("%d portals were kept, %d faults", kept, faults)
	}
}
