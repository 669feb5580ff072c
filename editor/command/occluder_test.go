package command

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/terrain"
)

// flatEnv is an environment with a flat level of 200 m and some objects in it: a Box
// called one, another called frame that is turned, scaled unevenly and mirrored, with a
// Box called inner below it, a Box that is locked, and a Tree.
func flatEnv(t testing.TB, far float64) (*Env, *strings.Builder) {
	t.Helper()
	var out strings.Builder
	f, err := terrain.Flat(201, 201, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := document.NewLevel(f)
	l.Assets = level(t).Assets
	e := NewEnv(Standard(), document.New(l, document.Options{}), &out)
	e.Files.Model = xlevel.Model
	at := func(x, y, z float64) string { return spot(mgl64.Vec3{x + far, y, z - far}) }
	must(t, e, strings.Join([]string{
		"object.place asset=Box at=" + at(10, 0, 10) + " name=one",
		"object.place asset=Box at=" + at(30, 5, 40) + " yaw=30 scale=-2,1,0.5 name=frame",
		"object.place asset=Box at=" + at(33, 5, 40) + " yaw=50 parent=frame name=inner",
		"object.place asset=Box at=" + at(60, 1, 60) + " name=locked",
		"object.set id=locked locked=yes",
		"object.place asset=Tree at=" + at(80, 1, 80) + " name=tree",
	}, "; "))
	out.Reset()
	return e, &out
}

// last is the entity that was made last.
func last(e *Env) *document.Entity {
	var found *document.Entity
	for x := range e.Doc.Level().Entities() {
		found = x
	}
	return found
}

func named(t *testing.T, e *Env, name string) *document.Entity {
	t.Helper()
	for x := range e.Doc.Level().Entities() {
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("nothing is called %s", name)
	return nil
}

// hullNow is an occluder's hull in the world.
func hullNow(t *testing.T, e *Env, x *document.Entity) *hull.Hull {
	t.Helper()
	o, ok := x.Data.(document.Occluder)
	if !ok {
		t.Fatalf("%+v is no occluder", x)
	}
	h, err := hull.Of(inWorld(e.Doc.Level(), x.ID, o.Points))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func near(a, b mgl64.Vec3, tol float64) bool { return a.Sub(b).Len() <= tol }

func sameBox(a, b geom.Box, tol float64) bool {
	return near(a.Min, b.Min, tol) && near(a.Max, b.Max, tol)
}

// fails runs a line that has to fail with a text, and changes nothing.
func fails(t *testing.T, e *Env, line, want string) {
	t.Helper()
	before, steps := e.Doc.Level(), e.Doc.Position()
	err := e.Registry.RunScript(t.Context(), e, "", strings.NewReader(line))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, expected %s", line, err, want)
	}
	if e.Doc.Level() != before || e.Doc.Position() != steps {
		t.Errorf("%s: failed and changed the level", line)
	}
}

func TestOccluderBox(t *testing.T) {
	for _, far := range []float64{0, 100_000} {
		e, out := flatEnv(t, far)
		at := func(x, y, z float64) string { return spot(mgl64.Vec3{x + far, y, z - far}) }
		world := func(x, y, z float64) mgl64.Vec3 { return mgl64.Vec3{x + far, y, z - far} }
		must(t, e, "occluder.box min="+at(5, 0, 8)+" max="+at(1, 3, 2))
		x := last(e)
		if out.String() != itoa(int(x.ID))+"\n" || !slices.Equal(e.View.Selection, []document.ID{x.ID}) {
			t.Errorf("printed %q, selected %v", out, e.View.Selection)
		}
		if x.Kind != document.KindOccluder || x.Name != "Occluder" || x.Translation != world(3, 1.5, 5) || x.Parent != 0 {
			t.Errorf("%+v", x)
		}
		h := hullNow(t, e, x)
		if b := h.Bounds(); b != (geom.Box{Min: world(1, 0, 2), Max: world(5, 3, 8)}) || len(h.Faces) != 6 {
			t.Errorf("box %v with %d faces", b, len(h.Faces))
		}
		// Turned by 90° about its middle.
		must(t, e, "occluder.box min="+at(1, 0, 2)+" max="+at(5, 3, 8)+" yaw=90 name=turned layer=vis")
		x = last(e)
		if b := hullNow(t, e, x).Bounds(); !sameBox(b, geom.Box{Min: world(0, 0, 3), Max: world(6, 3, 7)}, 1e-9) || x.Name != "turned" || x.Layer != "vis" {
			t.Errorf("turned it has the box %v: %+v", b, x)
		}
		// Below an object that is turned, scaled and mirrored it stands where it was
		// asked to.
		for _, object := range []string{"frame", "inner"} {
			must(t, e, "occluder.box min="+at(1, 0, 2)+" max="+at(5, 3, 8)+" yaw=20 object="+object)
			got := hullNow(t, e, last(e))
			must(t, e, "occluder.box min="+at(1, 0, 2)+" max="+at(5, 3, 8)+" yaw=20")
			if want := hullNow(t, e, last(e)); !sameBox(got.Bounds(), want.Bounds(), 1e-6) || math.Abs(got.Volume()-72) > 1e-4 {
				t.Errorf("below %s it has the box %v, expected %v", object, got.Bounds(), want.Bounds())
			}
		}
		// It follows.
		must(t, e, "occluder.box min="+at(9, 0, 9)+" max="+at(11, 1, 11)+" object=one")
		x = last(e)
		before := hullNow(t, e, x).Bounds()
		must(t, e, "object.move ids=one by=3,4,5")
		if after := hullNow(t, e, x).Bounds(); !near(after.Min.Sub(before.Min), mgl64.Vec3{3, 4, 5}, 1e-9) {
			t.Errorf("it moved from %v to %v", before, after)
		}
	}
}

func TestOccluderErrors(t *testing.T) {
	e, _ := flatEnv(t, 0)
	must(t, e, "occluder.box min=0,0,0 max=1,1,1 name=box; occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' name=pane; occluder.hull points='0,0,0;1,0,0;0,1,0;0,0,1' object=one name=own; cell.box min=0,0,0 max=1,1,1 name=cell; select.none")
	for line, want := range map[string]string{
		"occluder.box min=0,0,0 max=1,0,1":                                                     "occluder.box: max: found a box without a size along y, expected a corner opposite to min in x, y and z",
		"occluder.box min=1,1 max=2,2":                                                         "max: found a box without a size along y",
		"occluder.box min=0,0,0 max=1,1e-14,1":                                                 "which is flat",
		"occluder.box min=0,0,0 max=1,1,1 object=cell":                                         `object: found the cell "cell" (`,
		"occluder.box min=0,0,0 max=1,1,1 object=locked":                                       "which is locked",
		"occluder.hull points='0,0,0;1,0,0;0,1,0;1,1,0'":                                       "points: found points in a plane, expected points around a solid",
		"occluder.hull points='0,0,0;1,0,0;2,0,0;3,0,0'":                                       "points: found points on a line",
		"occluder.hull points='1,1,1;1,1,1;1,1,1;1,1,1'":                                       "points: found points that are all one",
		"occluder.hull points='0,0,0;1,0,0;0,1,0'":                                             "points: found points in a plane",
		"occluder.plane points='0,0,0;1,0,0'":                                                  "points: found 2 corners, expected at least 3",
		"occluder.plane points='0,0,0;1,0,0;2,0,0'":                                            "points: found corners without an area",
		"occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,2'":                                      "points: found the corner 0,0,0, 0.471 m off the plane of the polygon, expected corners in one plane",
		"occluder.plane points='0,0,0;4,0,0;0,3,0;5,2,0'":                                      "points: found an outline that crosses or touches itself",
		"occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' hole='1,1,0;2,1,0;5,2,0'":             "hole: found the corner 5,2,0, which is not inside the polygon",
		"occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' hole='1,1,0;2,1,0'":                   "hole: found 2 corners",
		"occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' hole='0,0,0;4,0,0;4,4,0;0,4,0'":       "hole: found a hole as large as the polygon",
		"occluder.plane points='0,0,0;4,0,0;4,4,0;2,1,0;0,4,0' hole='0.5,2,0;3.5,2,0;2,0.5,0'": "hole: found an edge that leaves the polygon",
		"occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' hole='1,1,2;2,1,2;2,2,2'":             "hole: found the corner 1,1,2, 2 m off the plane",
		"occluder.set id=box":                                                                  "found nothing to change",
		"occluder.set off=yes":                                                                 "id: found nothing selected",
		"occluder.set id=one off=yes":                                                          `id: found the object "one"`,
		"occluder.set id=box,pane points='0,0,0;1,0,0;0,1,0'":                                  "points: found points for 2 occluders, expected one occluder",
		"occluder.set id=box hole='0,0,0;1,0,0;0,1,0'":                                         "hole: found a hole in the hull",
		"occluder.set id=box points='0,0,0;1,0,0;0,1,0;1,1,0'":                                 "points: found points in a plane",
		"occluder.set id=pane points='0,0,0;1,0,0'":                                            "points: found 2 corners",
		"occluder.set id=pane hole='1,1,0;9,1,0;1,2,0'":                                        "hole: found the corner 9,1,0",
		"occluder.set id=box object=pane":                                                      `object: found the occluder "pane"`,
		"occluder.set id=box object=locked":                                                    "which is locked",
		"occluder.cut id=box point=9,9,9 normal=1,0,0":                                         "point: found a plane that does not cut",
		"occluder.cut id=box point=0,0,0 normal=0,0,0":                                         "normal: found 0,0,0, expected a direction with a length",
		"occluder.cut id=box,pane point=0,0,0 normal=1,0,0":                                    "id",
		"occluder.cut id=cell point=0,0,0 normal=1,0,0":                                        `id: found the cell "cell"`,
		"occluder.cut id=0 point=0,0,0 normal=1,0,0":                                           "id: found 0, expected one occluder",
		"occluder.merge ids=box":                                                               "ids: found one occluder, expected two or more",
		"occluder.merge ids=box,pane":                                                          `ids: found the polygon "pane"`,
		"occluder.merge ids=box,own":                                                           "which belong to different things",
		"occluder.shrink id=box by=0.6":                                                        "by: found 0.6 m, which leaves nothing of",
		"occluder.shrink id=pane by=0.1":                                                       "id: found the polygon",
		"occluder.from object=cell":                                                            `object: found the cell "cell"`,
		"occluder.from object=tree":                                                            "object: found the middle of the hull outside the mesh, which is open or hollow there, expected a hull that the mesh hides from all sides",
		"occluder.from object=one shrink=1":                                                    "shrink: found 1 m, which leaves nothing of the hull, expected less than 1 m",
		"occluder.from object=locked":                                                          "which is locked",
		"cell.box min=0,0,0 max=0,1,1":                                                         "max: found a box without a size along x",
		"cell.hull points='0,0,0;1,0,0;0,1,0;1,1,0'":                                           "points in a plane",
		"cell.add id=box points='0,0,0;1,0,0;0,1,0;1,1,1'":                                     `id: found the occluder "box"`,
		"cell.add id=cell points='0,0,0;1,0,0;0,1,0'":                                          "points in a plane",
		"portal.add points='0,0,0;4,0,0;4,4,0;2,1,0;0,4,0'":                                    "points: found a polygon that is not convex at 2,1,0",
		"portal.add points='0,0,0;4,0,0;4,4,0;0,4,3'":                                          "off the plane of the polygon",
		"portal.add points='0,0,0;4,0,0;4,4,0' reach=0":                                        "reach",
		"portal.add points='0,0,0;4,0,0;4,4,0' state=ajar":                                     "state",
		"portal.set id=box state=open":                                                         `id: found the occluder "box"`,
		"portal.snap id=box":                                                                   `id: found the occluder "box"`,
		"cull.set":                                                                             "cull.set: found nothing to change, expected frustum=, backface=, portal=, terrain= or occluder=",
		"occluder.hull points='1,2,3;4,5,6' object=nobody":                                     "object",
		"occluder.set id=own object=one,two":                                                   "object",
		"occluder.plane points='0,0,0;1e-13,0,0;0,1e-13,0'":                                    "points: found",
		"occluder.hull points='0,0,0;1,0,0;0,1,0;0,0,1e-15'":                                   "points in a plane",
		"occluder.box min=-1e10,-1e10,-1e10 max=1e10,1e10,1e11":                                "max",
	} {
		fails(t, e, line, want)
	}
}

// The corners of a hull are those that are needed, and of a polygon those that were
// given, on its plane.
func TestOccluderHullAndPlane(t *testing.T) {
	e, _ := flatEnv(t, 0)
	must(t, e, "occluder.hull points='0,0,0;4,0,0;0,4,0;0,0,4;1,1,1;0.5,0.5,0.5' object=inner")
	o := last(e).Data.(document.Occluder)
	if len(o.Points) != 4 || o.Polygon {
		t.Errorf("%+v", o)
	}
	if v := hullNow(t, e, last(e)).Volume(); math.Abs(v-32.0/3) > 1e-6 {
		t.Errorf("volume %v", v)
	}
	must(t, e, "occluder.plane points='0,0,0;4,0,0;4,4,0.01;2,1,0;0,4,0;0,4,0' hole='1,0.25,0;2,0.25,0;1,0.5,0.02' object=inner name=pane")
	x := last(e)
	o = x.Data.(document.Occluder)
	if !o.Polygon || len(o.Points) != 5 || len(o.Hole) != 3 {
		t.Fatalf("%+v", o)
	}
	points := inWorld(e.Doc.Level(), x.ID, o.Points)
	plane, _ := hull.PolygonPlane(points)
	for _, p := range append(points, inWorld(e.Doc.Level(), x.ID, o.Hole)...) {
		if d := math.Abs(plane.Distance(p)); d > 1e-6 {
			t.Errorf("%v is %g m off the plane", p, d)
		}
	}
	if !near(points[1], mgl64.Vec3{4, 0, 0}, 0.02) {
		t.Errorf("corners %v", points)
	}
	// A polygon keeps its hole while that fits, and loses it when asked to.
	must(t, e, "occluder.set id=pane points='0,0,0;4,0,0;4,4,0;0,4,0'")
	if o = last(e).Data.(document.Occluder); len(o.Hole) != 3 || len(o.Points) != 4 {
		t.Errorf("%+v", o)
	}
	fails(t, e, "occluder.set id=pane points='3,3,0;4,3,0;4,4,0'", "a polygon in which its hole does not lie")
	must(t, e, "occluder.set id=pane hole=none; occluder.set id=pane points='3,3,0;4,3,0;4,4,0'")
	if o = last(e).Data.(document.Occluder); o.Hole != nil || len(o.Points) != 3 {
		t.Errorf("%+v", o)
	}
}

func TestOccluderSet(t *testing.T) {
	for _, far := range []float64{0, 100_000} {
		e, _ := flatEnv(t, far)
		at := func(x, y, z float64) string { return spot(mgl64.Vec3{x + far, y, z - far}) }
		must(t, e, "occluder.box min="+at(1, 0, 2)+" max="+at(5, 3, 8)+" yaw=20 name=box")
		before := hullNow(t, e, named(t, e, "box"))
		// Attached and detached, it stays where it is, even where that takes a shear.
		for _, object := range []string{"one", "frame", "inner", "0"} {
			must(t, e, "occluder.set id=box object="+object)
			x := named(t, e, "box")
			if object != "0" && x.Parent != named(t, e, object).ID || object == "0" && x.Parent != 0 {
				t.Errorf("it stands below %d", x.Parent)
			}
			after := hullNow(t, e, x)
			if !sameBox(before.Bounds(), after.Bounds(), 1e-6) || math.Abs(after.Volume()-before.Volume()) > 1e-4 {
				t.Errorf("below %s it has the box %v, expected %v", object, after.Bounds(), before.Bounds())
			}
		}
		must(t, e, "occluder.set id=box off=yes name=gate layer=vis object=inner points='"+strings.Join([]string{at(0, 0, 0), at(4, 0, 0), at(0, 4, 0), at(0, 0, 4), at(0.5, 0.5, 0.5)}, ";")+"'")
		x := named(t, e, "gate")
		if o := x.Data.(document.Occluder); !o.Off || len(o.Points) != 4 || x.Layer != "vis" {
			t.Errorf("%+v", x)
		}
		world, _ := e.Doc.Level().World(x.ID)
		if p := world.Col(3).Vec3(); !near(p, mgl64.Vec3{2 + far, 2, 2 - far}, 1e-6) {
			t.Errorf("it stands at %v", p)
		}
		must(t, e, "occluder.set id=gate off=no")
		if named(t, e, "gate").Data.(document.Occluder).Off {
			t.Error("it is still off")
		}
	}
}

func TestOccluderCutMergeShrink(t *testing.T) {
	e, out := flatEnv(t, 0)
	must(t, e, "occluder.box min=0,0,0 max=4,2,2 object=inner name=box")
	out.Reset()
	must(t, e, "occluder.cut point=3,0,0 normal=2,0,0")
	back, front := named(t, e, "box"), named(t, e, "box 2")
	if out.String() != itoa(int(front.ID))+"\n" || !slices.Equal(e.View.Selection, []document.ID{back.ID, front.ID}) {
		t.Errorf("printed %q, selected %v", out, e.View.Selection)
	}
	if a, b := hullNow(t, e, back).Bounds(), hullNow(t, e, front).Bounds(); !sameBox(a, geom.BoxOf(mgl64.Vec3{0, 0, 0}, mgl64.Vec3{3, 2, 2}), 1e-6) || !sameBox(b, geom.BoxOf(mgl64.Vec3{3, 0, 0}, mgl64.Vec3{4, 2, 2}), 1e-6) {
		t.Errorf("cut to %v and %v", a, b)
	}
	if front.Parent != back.Parent {
		t.Error("the part in front does not belong to the object")
	}
	out.Reset()
	must(t, e, "occluder.merge ids='box,box 2'")
	if x := named(t, e, "box"); out.String() != "" || !sameBox(hullNow(t, e, x).Bounds(), geom.BoxOf(mgl64.Vec3{}, mgl64.Vec3{4, 2, 2}), 1e-6) {
		t.Errorf("printed %q, merged to %v", out, hullNow(t, e, x).Bounds())
	}
	if _, ok := e.Doc.Level().Entity(front.ID); ok {
		t.Error("the part in front is still there")
	}
	must(t, e, "occluder.shrink id=box by=0.5")
	if b := hullNow(t, e, named(t, e, "box")).Bounds(); !sameBox(b, geom.BoxOf(mgl64.Vec3{0.5, 0.5, 0.5}, mgl64.Vec3{3.5, 1.5, 1.5}), 1e-6) {
		t.Errorf("shrunk to %v", b)
	}
	must(t, e, "occluder.cut id=box point=1,0 normal=1,0,0 keep=front; occluder.cut id=box point=2,0 normal=1,0,0 keep=back")
	if b := hullNow(t, e, named(t, e, "box")).Bounds(); !sameBox(b, geom.BoxOf(mgl64.Vec3{1, 0.5, 0.5}, mgl64.Vec3{2, 1.5, 1.5}), 1e-6) {
		t.Errorf("cut to %v", b)
	}
	// What is between two hulls is told.
	must(t, e, "occluder.box min=0,0,20 max=1,1,21 name=a; occluder.box min=3,0,20 max=4,1,21 name=b")
	out.Reset()
	must(t, e, "occluder.merge ids=a,b")
	if !strings.Contains(out.String(), "is 100 % larger than its parts together") {
		t.Errorf("printed %q", out)
	}
	// Polygons are cut as well.
	must(t, e, "occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' name=pane; occluder.cut point=1,0,0 normal=1,0,0")
	var sizes []float64
	for _, name := range []string{"pane", "pane 2"} {
		o := named(t, e, name).Data.(document.Occluder)
		sizes = append(sizes, hull.PolygonArea(o.Points))
	}
	if math.Abs(sizes[0]-4) > 1e-9 || math.Abs(sizes[1]-12) > 1e-9 {
		t.Errorf("cut to areas %v", sizes)
	}
	must(t, e, "occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' hole='1,1,0;2,1,0;2,2,0' name=window")
	fails(t, e, "occluder.cut id=window point=1,0,0 normal=1,0,0", "which is not convex or has a hole")
}

func TestOccluderFrom(t *testing.T) {
	for _, far := range []float64{0, 100_000} {
		e, out := flatEnv(t, far)
		world := func(x, y, z float64) mgl64.Vec3 { return mgl64.Vec3{x + far, y, z - far} }
		must(t, e, "occluder.from object=one shrink=0.25")
		x := last(e)
		if b := hullNow(t, e, x).Bounds(); !sameBox(b, geom.Box{Min: world(9.25, -0.75, 9.25), Max: world(10.75, 0.75, 10.75)}, 1e-5) {
			t.Errorf("the box %v", b)
		}
		if x.Name != "one occluder" || x.Parent != named(t, e, "one").ID || out.String() != itoa(int(x.ID))+"\n" {
			t.Errorf("%+v, printed %q", x, out)
		}
		// A mirrored and sheared one is as solid.
		must(t, e, "occluder.from object=inner")
		if x = last(e); x.Parent != named(t, e, "inner").ID || math.Abs(hullNow(t, e, x).Volume()-8) > 1e-3 {
			t.Errorf("%+v of %v m³", x, hullNow(t, e, x).Volume())
		}
		// One that is not, is only if asked for; then it says where it leaks.
		out.Reset()
		must(t, e, "occluder.from object=tree check=warn name=hollow")
		if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) < 2 || !strings.Contains(out.String(), "past the mesh at ") {
			t.Errorf("printed %q", out)
		}
		out.Reset()
		must(t, e, "occluder.from object=tree check=off; occluder.from object=one,tree check=off faces=6 name=both")
		if x = last(e); x.Parent != 0 || strings.Count(out.String(), "\n") != 2 || len(hullNow(t, e, x).Faces) > 6 {
			t.Errorf("%+v, printed %q", x, out)
		}
		// A group stands for what is below it.
		must(t, e, "object.group ids=one,tree name=pair; occluder.from object=pair check=off")
		if x = last(e); x.Parent != named(t, e, "pair").ID || x.Name != "pair occluder" {
			t.Errorf("%+v", x)
		}
	}
	e, _ := flatEnv(t, 0)
	e.Files.Model = nil
	fails(t, e, "occluder.from object=one", "not available here")
}

// Whatever is attached to whatever, nothing moves in the world.
func TestAttachProperty(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		e, _ := flatEnv(outer, rapid.SampledFrom([]float64{0, 100_000}).Draw(t, "far"))
		num := func(lo, hi float64, name string) string { return ftoa(rapid.Float64Range(lo, hi).Draw(t, name)) }
		must(outer, e, "object.set id=frame scale="+num(-3, -0.2, "sx")+","+num(0.2, 3, "sy")+",1 yaw="+num(-180, 180, "yaw")+" pitch="+num(-80, 80, "pitch"))
		must(outer, e, "object.set id=inner scale="+num(0.3, 3, "sz")+" yaw="+num(-180, 180, "yaw2"))
		if rapid.Bool().Draw(t, "polygon") {
			must(outer, e, "occluder.plane points='0,0,0;4,0,0;4,4,0;0,4,0' hole='1,1,0;2,1,0;2,2,0' name=x")
		} else {
			must(outer, e, "occluder.box min=0,0,0 max=4,2,1 yaw="+num(-180, 180, "yaw3")+" name=x")
		}
		corners := func() (out []mgl64.Vec3) {
			x := named(outer, e, "x")
			o := x.Data.(document.Occluder)
			return inWorld(e.Doc.Level(), x.ID, append(slices.Clone(o.Points), o.Hole...))
		}
		before := corners()
		for range rapid.IntRange(1, 4).Draw(t, "times") {
			must(outer, e, "occluder.set id=x object="+rapid.SampledFrom([]string{"one", "frame", "inner", "0"}).Draw(t, "object"))
			for i, p := range corners() {
				// A shear up to maxShear is let go each time, of solids of a few metres.
				if !near(p, before[i], 10*maxShear) {
					t.Fatalf("corner %d went from %v to %v", i, before[i], p)
				}
			}
		}
	})
}
