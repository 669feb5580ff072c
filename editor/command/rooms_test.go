package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// cellHulls are the pieces of a cell in the world.
func cellHulls(t *testing.T, e *Env, x *document.Entity) (out []*hull.Hull) {
	t.Helper()
	for _, p := range x.Data.(document.Cell).Pieces {
		h, err := hull.Of(inWorld(e.Doc.Level(), x.ID, p))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	return out
}

func TestCells(t *testing.T) {
	for _, far := range []float64{0, 100_000} {
		e, out := flatEnv(t, far)
		at := func(x, y, z float64) string { return spot(mgl64.Vec3{x + far, y, z - far}) }
		must(t, e, "cell.box min="+at(0, 0, 0)+" max="+at(4, 3, 5)+" name=hall yaw=90")
		x := last(e)
		if out.String() != itoa(int(x.ID))+"\n" || x.Kind != document.KindCell || x.Name != "hall" {
			t.Errorf("%+v, printed %q", x, out)
		}
		want := geom.Box{Min: mgl64.Vec3{-0.5 + far, 0, 0.5 - far}, Max: mgl64.Vec3{4.5 + far, 3, 4.5 - far}}
		if b := cellHulls(t, e, x)[0].Bounds(); !sameBox(b, want, 1e-9) {
			t.Errorf("box %v", b)
		}
		must(t, e, "cell.add points='"+strings.Join([]string{at(4, 0, 0), at(6, 0, 0), at(6, 0, 2), at(6, 3, 2), at(5.5, 0.75, 1)}, ";")+"'")
		if x = named(t, e, "hall"); len(cellHulls(t, e, x)) != 2 || math.Abs(cellHulls(t, e, x)[1].Volume()-2) > 1e-6 {
			t.Errorf("%+v", x)
		}
		must(t, e, "cell.hull points='"+strings.Join([]string{at(4, 0, 0), at(6, 0, 0), at(6, 0, 2), at(6, 3, 2)}, ";")+"'")
		if x = last(e); x.Name != "Cell" || math.Abs(cellHulls(t, e, x)[0].Volume()-2) > 1e-6 {
			t.Errorf("%+v", x)
		}
	}
}

func TestPortals(t *testing.T) {
	for _, far := range []float64{0, 100_000} {
		e, out := flatEnv(t, far)
		at := func(x, y, z float64) string { return spot(mgl64.Vec3{x + far, y, z - far}) }
		points := func(list ...string) string { return " points='" + strings.Join(list, ";") + "'" }
		door := points(at(1, 0, 10.1), at(2, 0, 10.1), at(2, 2, 10.1), at(1, 2, 10.1))
		must(t, e, "cell.box min="+at(0, 0, 0)+" max="+at(4, 3, 10)+" name=hall")
		out.Reset()
		must(t, e, "portal.add name=door state=oneway reach=0.5"+door)
		x := named(t, e, "door")
		id := itoa(int(x.ID))
		if want := id + "\n\"door\" (" + id + ") joins the outside, in front, and \"hall\" (" + itoa(int(named(t, e, "hall").ID)) + ").\n"; out.String() != want {
			t.Errorf("printed %q, expected %q", out, want)
		}
		if p := x.Data.(document.Portal); p.State != document.PortalOneWay || p.Reach != 0.5 || x.Kind != document.KindPortal {
			t.Errorf("%+v", x)
		}
		normal := func() mgl64.Vec3 {
			polygon, _, _ := polygonOf(e.Doc.Level(), named(t, e, "door"))
			p, ok := hull.PolygonPlane(polygon)
			if !ok {
				t.Fatal("no plane")
			}
			return p.N
		}
		if n := normal(); !near(n, mgl64.Vec3{0, 0, 1}, 1e-6) {
			t.Errorf("its front looks along %v", n)
		}
		must(t, e, "portal.flip id=door")
		if n := normal(); !near(n, mgl64.Vec3{0, 0, -1}, 1e-6) {
			t.Errorf("flipped its front looks along %v", n)
		}
		// In a mirrored space, what is given in the world still is what comes out.
		must(t, e, "object.set id=one scale=-1,1,2 yaw=90; object.set id=door parent=one; portal.set id=door"+door)
		if n := normal(); !near(n, mgl64.Vec3{0, 0, 1}, 1e-6) {
			t.Errorf("mirrored its front looks along %v", n)
		}
		out.Reset()
		must(t, e, "portal.snap id=door")
		polygon, _, _ := polygonOf(e.Doc.Level(), named(t, e, "door"))
		for _, p := range polygon {
			if math.Abs(p[2]+far-10) > 1e-6 {
				t.Errorf("snapped to %v", p)
			}
		}
		if n := normal(); !near(n, mgl64.Vec3{0, 0, 1}, 1e-6) || !strings.Contains(out.String(), "joins the outside") {
			t.Errorf("snapped its front looks along %v, printed %q", n, out)
		}
		must(t, e, "portal.set id=door state=closed reach=1 name=gate layer=doors")
		x = named(t, e, "gate")
		if p := x.Data.(document.Portal); p.State != document.PortalClosed || p.Reach != 0 || x.Layer != "doors" || len(p.Points) != 4 {
			t.Errorf("%+v", x)
		}
		out.Reset()
		must(t, e, "portal.add"+points(at(50, 0, 10), at(52, 0, 10), at(52, 2, 10)))
		if !strings.Contains(out.String(), "joins nothing yet: there is no cell within 1 m.") || last(e).Name != "Portal" {
			t.Errorf("printed %q", out)
		}
		fails(t, e, "portal.snap", "which has no face of a cell along it within 1 m")
		must(t, e, "portal.add name=inside"+points(at(1, 1, 5), at(2, 1, 5), at(2, 2, 5)))
		if !strings.Contains(out.String(), "joins nothing yet: both its sides are in \"hall\"") {
			t.Errorf("printed %q", out)
		}
	}
}

func TestCullSet(t *testing.T) {
	e, _ := flatEnv(t, 0)
	told := 0
	e.View.Changed = func() { told++ }
	must(t, e, "cull.set portal=no occluder=off frustum=on")
	if e.View.Off != cull.Only(cull.Portal, cull.Occluder) || told != 1 {
		t.Errorf("off are %v", e.View.Off)
	}
	before := e.Doc.Position()
	must(t, e, "cull.set portal=on")
	if e.View.Off != cull.Only(cull.Occluder) || e.Doc.Position() != before {
		t.Errorf("off are %v", e.View.Off)
	}
}

func TestRoles(t *testing.T) {
	for name, want := range map[string]role{
		"room": roomRole, "Room 12": roomRole, "room_kitchen.001": roomRole, "kitchen-cell": roomRole, "kitchen-CELL.003": roomRole,
		"room-portal": portalRole, "portal": portalRole, "Portal.004": portalRole, "door-portal 2": portalRole, "portal-cell": roomRole,
		"": noRole, "bedroom": noRole, "cell": noRole, "teleportal": noRole, "kitchen-cells": noRole, "a.b-cell": roomRole,
	} {
		if got, _ := roleOf(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// objMesh reads a mesh from the text of an OBJ.
func objMesh(t testing.TB, text string) *mesh.Model {
	t.Helper()
	m, err := mesh.LoadBytes(t.Context(), []byte(text), ".obj")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// prism writes an upright prism over an outline on the ground, x and z in turn, as one
// object of an OBJ. Some of its walls may be left out.
type objText struct {
	strings.Builder
	vertices int
}

func (o *objText) prism(name string, height float64, outline [][2]float64, without ...int) {
	fmt.Fprintf(o, "o %s\n", name)
	n := len(outline)
	for _, y := range []float64{0, height} {
		for _, p := range outline {
			fmt.Fprintf(o, "v %g %g %g\n", p[0], y, p[1])
		}
	}
	v := func(i int) int { return o.vertices + 1 + i }
	fmt.Fprint(o, "f")
	for i := range n {
		fmt.Fprintf(o, " %d", v(i))
	}
	fmt.Fprint(o, "\nf")
	for i := range n {
		fmt.Fprintf(o, " %d", v(2*n-1-i))
	}
	fmt.Fprintln(o)
	for i := range n {
		if k := (i + 1) % n; !slices.Contains(without, i) {
			fmt.Fprintf(o, "f %d %d %d %d\n", v(i), v(i+n), v(k+n), v(k))
		}
	}
	o.vertices += 2 * n
}

func (o *objText) pane(name string, corners ...mgl64.Vec3) {
	fmt.Fprintf(o, "o %s\n", name)
	for _, p := range corners {
		fmt.Fprintf(o, "v %g %g %g\n", p[0], p[1], p[2])
	}
	fmt.Fprint(o, "f")
	for i := range corners {
		fmt.Fprintf(o, " %d", o.vertices+1+i)
	}
	fmt.Fprintln(o)
	o.vertices += len(corners)
}

var ell = [][2]float64{{0, 0}, {6, 0}, {6, 3}, {2, 3}, {2, 8}, {0, 8}}

// A model of rooms and doors, as it comes from Blender, becomes cells and portals.
func TestRoomsFromMeshes(t *testing.T) {
	for _, far := range []float64{0, 100_000} {
		for _, turn := range []string{"yaw=0", "yaw=37", "yaw=20 scale=-1,1,1"} {
			var o objText
			o.prism("room_hall", 3, [][2]float64{{-6, 0}, {0, 0}, {0, 8}, {-6, 8}}, 1)
			o.prism("kitchen-cell.001", 3, ell, 5)
			o.pane("door-portal", mgl64.Vec3{0, 0, 1}, mgl64.Vec3{0, 2, 1}, mgl64.Vec3{0, 2, 2}, mgl64.Vec3{0, 0, 2})
			o.prism("table", 1, [][2]float64{{3, 1}, {4, 1}, {4, 2}, {3, 2}})
			house := objMesh(t, o.String())
			e, out := flatEnv(t, far)
			e.Files.Model = func(context.Context, *document.Asset) (*mesh.Model, error) { return house, nil }
			must(t, e, "object.place asset=Tree at="+spot(mgl64.Vec3{100 + far, 0, 100 - far})+" name=house "+turn)
			out.Reset()
			must(t, e, "cell.rooms ids=house")
			hall, kitchen, door := named(t, e, "room_hall"), named(t, e, "kitchen"), named(t, e, "door")
			if !slices.Equal(e.View.Selection, []document.ID{hall.ID, kitchen.ID, door.ID}) {
				t.Errorf("selected %v", e.View.Selection)
			}
			if !strings.Contains(out.String(), "2 cells and 1 portal made.") || !strings.Contains(out.String(), "joins \"") || strings.Contains(out.String(), "outside") {
				t.Errorf("%s: printed %q", turn, out)
			}
			volume := func(x *document.Entity) (v float64) {
				for _, h := range cellHulls(t, e, x) {
					v += h.Volume()
				}
				return v
			}
			if n := len(hall.Data.(document.Cell).Pieces); n != 1 || math.Abs(volume(hall)-(144-48*topInset)) > 1e-2 {
				t.Errorf("%s: the hall has %d pieces of %v m³", turn, n, volume(hall))
			}
			if n := len(kitchen.Data.(document.Cell).Pieces); n != 2 || math.Abs(volume(kitchen)-84) > 1e-2 {
				t.Errorf("%s: the kitchen has %d pieces of %v m³", turn, n, volume(kitchen))
			}
			if p, _, _ := polygonOf(e.Doc.Level(), door); len(p) != 4 || math.Abs(hull.PolygonArea(p)-2) > 1e-3 {
				t.Errorf("%s: the door is %v", turn, p)
			}
			out.Reset()
			must(t, e, "cell.rooms ids=house; problem.list")
			if !strings.Contains(out.String(), "All 3 cells and portals are there already.") || strings.Contains(out.String(), "from outside") {
				t.Errorf("%s: again it printed %q", turn, out)
			}
			must(t, e, "object.delete id=door")
			out.Reset()
			must(t, e, "cell.rooms ids=house")
			if !strings.Contains(out.String(), "were there already are as they were") {
				t.Errorf("printed %q", out)
			}
		}
	}
}

func TestRoomErrors(t *testing.T) {
	var models map[string]string
	e, _ := flatEnv(t, 0)
	e.Files.Model = func(_ context.Context, a *document.Asset) (*mesh.Model, error) {
		if text, ok := models[a.Name]; ok {
			return objMesh(t, text), nil
		}
		return nil, errors.New("the file is gone")
	}
	must(t, e, "object.place asset=Box at=10,0,10 name='room 1'; object.place asset=Tree at=20,0,10 name=door-portal; object.set id=locked,frame,inner,one,tree locked=no; object.delete id=locked,frame,inner,one,tree")
	try := func(room, portal, want string) {
		t.Helper()
		models = map[string]string{}
		if room != "" {
			models["Box"] = room
		}
		if portal != "" {
			models["Tree"] = portal
		}
		fails(t, e, "cell.rooms", want)
	}
	box, star, pane, bent := new(objText), new(objText), new(objText), new(objText)
	box.prism("a", 2, [][2]float64{{0, 0}, {2, 0}, {2, 2}, {0, 2}})
	star.prism("a", 2, [][2]float64{{0, 0}, {4, 0}, {2, 1}, {1, 4}})
	pane.pane("a", mgl64.Vec3{0, 0, 0}, mgl64.Vec3{1, 0, 0}, mgl64.Vec3{1, 2, 0}, mgl64.Vec3{0, 2, 0})
	bent.pane("a", mgl64.Vec3{0, 0, 0}, mgl64.Vec3{1, 0, 1}, mgl64.Vec3{1, 2, 0}, mgl64.Vec3{0, 2, 0})
	try("", pane.String(), `whose asset "Box" cannot be read: the file is gone`)
	try(star.String(), pane.String(), `ids: found "room 1" (6), which is not convex, expected a mesh that is convex`)
	try(pane.String(), pane.String(), `"room 1" (6), which has no volume`)
	try(box.String(), bent.String(), `"door-portal" (7), which is not flat, expected a flat polygon`)
	try(box.String(), box.String(), `"door-portal" (7), which is not flat`)
	models = map[string]string{"Box": box.String(), "Tree": pane.String()}
	must(t, e, "cell.rooms")
	if c := named(t, e, "room 1 cell"); len(c.Data.(document.Cell).Pieces) != 1 {
		t.Errorf("%+v", c)
	}
	if p := named(t, e, "door portal"); p.Kind != document.KindPortal {
		t.Errorf("%+v", p)
	}
	must(t, e, "object.set id='room 1' name=hall; object.set id=door-portal name=door; marker.add kind=point points=0,0 name=m")
	fails(t, e, "cell.rooms", "no object and no node of a mesh that is named so")
	fails(t, e, "cell.rooms ids=m", "nothing that has a mesh")
}

// Two parts that share no corner are two pieces.
func TestRoomOfParts(t *testing.T) {
	var o objText
	for _, x := range []float64{0, 10} {
		o.prism("room", 2, [][2]float64{{x, 0}, {x + 4, 0}, {x + 1, 3}})
	}
	m := objMesh(t, o.String())
	g := gathered{}
	g.add(m, affine{m: mgl64.Ident3()}, func(*mesh.Part) bool { return true })
	list, why := pieces(&g)
	if len(list) != 2 || why != "" || math.Abs(list[0].Volume()-12) > 1e-4 {
		t.Errorf("%d pieces, %s", len(list), why)
	}
}

// Whatever boxes on a grid a room is made of, its pieces fill them and nothing else.
func TestRoomBoxesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 4
		var full [n][n][n]bool
		count := 0
		for i := range n * n * n {
			if full[i%n][i/n%n][i/n/n] = rapid.IntRange(0, 2).Draw(t, "full") > 0; full[i%n][i/n%n][i/n/n] {
				count++
			}
		}
		if count == 0 {
			return
		}
		// The surface, a square where full and empty meet, with triangles cut either way.
		q := mgl64.QuatRotate(rapid.Float64Range(-3, 3).Draw(t, "turn"), mgl64.Vec3{0.6, 0, 0.8})
		var m mesh.Model
		is := func(p [3]int) bool {
			for _, v := range p {
				if v < 0 || v >= n {
					return false
				}
			}
			return full[p[0]][p[1]][p[2]]
		}
		for axis := range 3 {
			u, v := (axis+1)%3, (axis+2)%3
			for i := range (n + 1) * (n + 1) * (n + 1) {
				p := [3]int{i % (n + 1), i / (n + 1) % (n + 1), i / (n + 1) / (n + 1)}
				before := p
				before[axis]--
				if p[u] == n || p[v] == n || is(p) == is(before) {
					continue
				}
				var corner [4]uint32
				for k, d := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
					at := mgl64.Vec3{float64(p[0]), float64(p[1]) * 0.7, float64(p[2]) * 1.5}
					at[u] += float64(d[0]) * []float64{1, 0.7, 1.5}[u]
					at[v] += float64(d[1]) * []float64{1, 0.7, 1.5}[v]
					corner[k] = uint32(len(m.Positions))
					at = q.Rotate(at)
					m.Positions = append(m.Positions, [3]float32{float32(at[0]), float32(at[1]), float32(at[2])})
				}
				if rapid.Bool().Draw(t, "diagonal") {
					corner = [4]uint32{corner[1], corner[2], corner[3], corner[0]}
				}
				m.Indices = append(m.Indices, corner[0], corner[1], corner[2], corner[0], corner[2], corner[3])
			}
		}
		m.Parts = []mesh.Part{{Count: len(m.Indices)}}
		g := gathered{}
		g.add(&m, affine{m: mgl64.Ident3()}, func(*mesh.Part) bool { return true })
		list := g.boxes()
		volume := 0.0
		for _, h := range list {
			volume += h.Volume()
		}
		if want := float64(count) * 0.7 * 1.5; math.Abs(volume-want) > 1e-2*want {
			t.Fatalf("%d boxes of %v m³, expected %v", len(list), volume, want)
		}
		for i := range n * n * n {
			p := [3]int{i % n, i / n % n, i / n / n}
			at := q.Rotate(mgl64.Vec3{float64(p[0]) + 0.5, (float64(p[1]) + 0.5) * 0.7, (float64(p[2]) + 0.5) * 1.5})
			in := 0
			for _, h := range list {
				if h.Contains(at, 0) {
					in++
				}
			}
			if want := 0; is(p) {
				want = 1
				if in != want {
					t.Fatalf("%v is in %d boxes", p, in)
				}
			} else if in != want {
				t.Fatalf("%v is in %d boxes", p, in)
			}
		}
	})
}
