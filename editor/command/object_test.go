package command

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"ridgeline/document"
)

func get1(t *testing.T, e *Env, id document.ID) document.Entity {
	t.Helper()
	x, ok := e.Doc.Level().Entity(id)
	if !ok {
		t.Fatalf("%d is not there", id)
	}
	return *x
}

func data(t *testing.T, e *Env, id document.ID) document.Object {
	t.Helper()
	x := get1(t, e, id)
	o, ok := document.ObjectOf(&x)
	if !ok {
		t.Fatalf("%d is no object", id)
	}
	return o
}

func TestPlace(t *testing.T) {
	var out strings.Builder
	e := env(t, &out)
	must(t, e, "object.place asset=box at=10,40 yaw=90 scale=2 layer=props geometry=yes; object.place asset=Tree at=1,2,3 name='old oak' scale=1,-2,3 parent=4; object.place asset=Box at=500,500")
	if out.String() != "9\n10\n11\nThere is no ground at 500,500: height 0 was taken.\n" {
		t.Errorf("printed %q", out.String())
	}
	y, _ := e.Doc.Level().Terrain.Height(10, 40)
	x := get1(t, e, 9)
	if x.Name != "Box" || x.Layer != "props" || x.Translation != (mgl64.Vec3{10, y, 40}) || x.Scale != (mgl64.Vec3{2, 2, 2}) {
		t.Errorf("%+v", x)
	}
	if v := x.Rotation.Rotate(mgl64.Vec3{1, 0, 0}); !(v.Sub(mgl64.Vec3{0, 0, -1}).Len() < 1e-12) {
		t.Errorf("+X is turned to %v", v)
	}
	if d := data(t, e, 9); d.Asset != "Box" || !d.Geometry {
		t.Errorf("%+v", d)
	}
	x = get1(t, e, 10)
	m, _ := e.Doc.Level().World(10)
	if at := m.Col(3).Vec3(); x.Name != "old oak" || x.Parent != 4 || x.Scale != (mgl64.Vec3{1, -2, 3}) || !(at.Sub(mgl64.Vec3{1, 2, 3}).Len() < 1e-12) {
		t.Errorf("%+v at %v", x, at)
	}
	if x = get1(t, e, 11); x.Name != "Box 2" || x.Translation[1] != 0 {
		t.Errorf("%+v", x)
	}
	if !slices.Equal(e.View.Selection, []document.ID{11}) {
		t.Errorf("selected %v", e.View.Selection)
	}
}

// An aligned object leans as the ground does, part of the way where told so.
func TestAlign(t *testing.T) {
	e := env(t, nil)
	must(t, e, "object.place asset=Box at=10.2,40.3 align=1 yaw=30; object.place asset=Box at=10.2,40.3 align=.5; object.place asset=Box at=10.2,80,40.3 parent=4; object.ground align=1")
	f := e.Doc.Level().Terrain
	n, _ := groundNormal(f, 10.2, 40.3)
	slope, _ := f.Slope(10.2, 40.3)
	if lean := math.Acos(n[1]); !(math.Abs(lean-slope) < 1e-9) || slope < 0.1 {
		t.Fatalf("the normal leans by %g on a slope of %g", lean, slope)
	}
	for id, part := range map[document.ID]float64{9: 1, 10: 0.5, 11: 1} {
		m, _ := e.Doc.Level().World(id)
		up := m.Col(1).Vec3().Normalize()
		if lean := math.Acos(up[1]); !(math.Abs(lean-part*slope) < 1e-9) || !(math.Abs(up.Cross(n).Dot(mgl64.Vec3{0, 1, 0})) < 1e-9) {
			t.Errorf("%d leans by %g towards %v, expected %g towards %v", id, lean, up, part*slope, n)
		}
	}
	m, _ := e.Doc.Level().World(11)
	y, _ := f.Height(10.2, 40.3)
	if at := m.Col(3).Vec3(); !(at.Sub(mgl64.Vec3{10.2, y, 40.3}).Len() < 1e-9) {
		t.Errorf("it stands at %v, expected a height of %g", at, y)
	}
}

// Only what is given changes, for many at once, in one step.
func TestSet(t *testing.T) {
	e := env(t, nil)
	before := get1(t, e, 4)
	must(t, e, "object.set id=2,4,5 billboard=70 locked=no")
	after := get1(t, e, 4)
	before.Data = document.Object{Asset: "Box", Billboard: 70}
	if d := cmp.Diff(before, after); d != "" {
		t.Error(d)
	}
	if d := data(t, e, 5); d.Billboard != 70 || !d.Geometry {
		t.Errorf("%+v", d)
	}
	if n := e.Doc.Position(); n != 1 {
		t.Errorf("%d steps", n)
	}
	must(t, e, "object.set id=4 name=chest asset=tree geometry=yes collision=sphere radius=3 layer=hall hidden=yes parent=3 scale=-2 yaw=30; object.set id=4 pitch=20; object.set id=4 roll=-10 y=7; property.set ids=4,5 key=loot value=gold")
	x := get1(t, e, 4)
	if x.Name != "chest" || x.Layer != "hall" || !x.Hidden || x.Parent != 3 || x.Scale != (mgl64.Vec3{-2, -2, -2}) || x.Translation != (mgl64.Vec3{5, 7, 20}) || x.Properties["loot"] != "gold" {
		t.Errorf("%+v", x)
	}
	a := AnglesOf(x.Rotation)
	for got, want := range map[float64]float64{a.Yaw: 30, a.Pitch: 20, a.Roll: -10} {
		if !(math.Abs(mgl64.RadToDeg(got)-want) < 1e-9) {
			t.Errorf("angles %+v", a)
		}
	}
	if d := cmp.Diff(document.Object{Asset: "Tree", Geometry: true, Collision: document.CollideSphere, CollisionRadius: 3, Billboard: 70}, data(t, e, 4)); d != "" {
		t.Error(d)
	}
	must(t, e, "property.set ids=5 key=loot; object.set id=5 quat=0,0,0,-2 at=1,2,3 parent=0; object.set id=8 billboard=9")
	if x = get1(t, e, 5); x.Properties != nil || x.Rotation != (mgl64.Quat{W: -1}) || x.Translation != (mgl64.Vec3{1, 2, 3}) {
		t.Errorf("%+v", x)
	}
	if s := get1(t, e, 8).Data.(document.Scatter); s.Billboard != 9 || len(s.Points) != 2 {
		t.Errorf("%+v", s)
	}
	// A parent and its child both at a place: each is there in the end, whichever is
	// the older.
	for i, line := range []string{"object.set id=3,4 x=9", "object.parent ids=4 to=0; object.parent ids=3 to=4; object.set id=3,4 x=11"} {
		must(t, e, line)
		for _, id := range []document.ID{3, 4} {
			if m, _ := e.Doc.Level().World(id); !(math.Abs(m.At(0, 3)-float64(9+2*i)) < 1e-9) {
				t.Errorf("%d stands at %v", id, m.Col(3))
			}
		}
	}
	for _, k := range [][2]string{
		{"object.parent ids=5 to=4", "Move " + get1(t, e, 5).Name + " below chest"},
		{"object.parent ids=5 to=0", "Move " + get1(t, e, 5).Name + " to the top"},
		{"object.parent ids=5,8 to=3", "Move 2 things below " + get1(t, e, 3).Name},
	} {
		line, want := k[0], k[1]
		must(t, e, line)
		if h := e.Doc.History(); h[e.Doc.Position()-1].Name != want {
			t.Errorf("%s is called %q, expected %q", line, h[e.Doc.Position()-1].Name, want)
		}
	}
}

func TestLocked(t *testing.T) {
	for line, want := range map[string]string{
		"object.move ids=6 by=1,0,0":              `object.move: ids: found "safe" (6), which is locked, expected things that are not locked`,
		"object.set id=4,7 name=x":                `object.set: id: found "gold" (7), which is locked by the layer "vault", expected things that are not locked`,
		"object.set id=6 locked=no name=x":        `object.set: id: found "safe" (6), which is locked, expected things that are not locked`,
		"object.parent ids=6 to=2":                `object.parent: ids: found "safe" (6), which is locked, expected things that are not locked`,
		"object.parent ids=2 to=6":                `object.parent: to: found "safe" (6), which is locked, expected things that are not locked`,
		"object.place asset=Box at=1,1 parent=6":  `object.place: parent: found "safe" (6), which is locked, expected things that are not locked`,
		"property.set ids=7 key=a value=b":        `property.set: ids: found "gold" (7), which is locked by the layer "vault", expected things that are not locked`,
		"marker.set id=1 name=x":                  "",
		"object.set id=6,7 locked=no":             "",
		"outline.layer vault locked=no rename=av": "",
	} {
		e := env(t, nil)
		call, _ := Parse(line)
		if err := e.Registry.Run(t.Context(), e, call); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", line, err, want)
		}
	}
	e := env(t, nil)
	must(t, e, "object.set id=4 locked=yes")
	for _, test := range []struct{ line, want string }{
		{"object.move ids=5 by=1,0,0", `"lid" (5), which is locked by "crate" (4)`},
		{"object.delete id=2", `"crate" (4), which is locked,`},
		{"object.ungroup ids=2", `"crate" (4), which is locked,`},
		{"object.move ids=2 by=1,0,0", ""}, // what stands below comes along
		{"object.set id=4 locked=no", ""},
		{"object.delete id=2", ""},
	} {
		call, _ := Parse(test.line)
		err := e.Registry.Run(t.Context(), e, call)
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, expected %q", test.line, err, test.want)
		}
	}
}

// Deleting and undoing gives all entities back, in their order and with their ids.
func TestDeleteAndUndo(t *testing.T) {
	list := func(e *Env) (out []document.Entity) {
		for x := range e.Doc.Level().Entities() {
			out = append(out, *x)
		}
		return out
	}
	for _, line := range []string{"object.delete id=2", "object.delete id=2,4 children=lift", "object.delete id=5,3,1,8"} {
		e := env(t, nil)
		before := list(e)
		must(t, e, "select 1,2,3,4,5")
		must(t, e, line)
		for _, id := range e.View.Selection {
			get1(t, e, id)
		}
		if len(list(e)) >= len(before) {
			t.Errorf("%s deleted nothing", line)
		}
		must(t, e, "undo")
		if d := cmp.Diff(before, list(e)); d != "" {
			t.Errorf("%s: %s", line, d)
		}
	}
	e := env(t, nil)
	was, _ := e.Doc.Level().World(5)
	must(t, e, "object.delete id=2,4 children=lift; object.place asset=Box at=1,1")
	if now, _ := e.Doc.Level().World(5); !(apart(now, was) < 1e-12) || get1(t, e, 5).Parent != 0 {
		t.Errorf("lifted, it stands\n%v and stood\n%v", now, was)
	}
	if _, again := e.Doc.Level().Entity(9); !again {
		t.Error("the new object has an old id")
	}
}

func TestCopies(t *testing.T) {
	var out strings.Builder
	e := env(t, &out)
	must(t, e, "object.duplicate ids=4,5 by=10,0,0; object.move by=0,5,0")
	if out.String() != "9\n" {
		t.Errorf("printed %q", out.String())
	}
	if x := get1(t, e, 9); x.Name != "crate 2" || x.Parent != 2 || x.Translation != (mgl64.Vec3{15, 7, 20}) {
		t.Errorf("%+v", x)
	}
	if x := get1(t, e, 10); x.Name != "lid 2" || x.Parent != 9 || x.Scale != (mgl64.Vec3{1, -0.5, 1}) {
		t.Errorf("%+v", x)
	}
	out.Reset()
	must(t, e, "object.array ids=4 count=3 by=1,0,0; object.array ids=1 count=5 to=8,4,-8")
	if out.String() != "11\n13\n15\n16\n17\n18\n" {
		t.Errorf("printed %q", out.String())
	}
	if x := get1(t, e, 13); x.Name != "crate 4" || x.Translation != (mgl64.Vec3{7, 2, 20}) {
		t.Errorf("%+v", x)
	}
	if a, b := get1(t, e, 15), get1(t, e, 18); a.Translation != (mgl64.Vec3{2, 1, -2}) || b.Translation != (mgl64.Vec3{8, 4, -8}) || b.Name != "door 5" {
		t.Errorf("%+v, %+v", a, b)
	}
	must(t, e, "object.mirror ids=4 axis=x copy=yes at=0,0,0")
	if a, b := get1(t, e, 19), get1(t, e, 4); a.Translation != (mgl64.Vec3{-5, 2, 20}) || b.Translation != (mgl64.Vec3{5, 2, 20}) || a.Scale[0] != -1 {
		t.Errorf("%+v, %+v", a, b)
	}
	if n := e.Doc.Position(); n != 5 {
		t.Errorf("%d steps", n)
	}
}

func TestSnap(t *testing.T) {
	e := env(t, nil)
	must(t, e, "object.move ids=3 by=1.3,-2.7,5.6; object.snap grid=2 ids=3")
	if at := get1(t, e, 3).Translation; at != (mgl64.Vec3{2, -2, 6}) {
		t.Errorf("snapped to %v", at)
	}
	must(t, e, "object.move ids=3 by=.4,.4,.4; object.snap grid=0.5 axes=xz ids=3")
	if at := get1(t, e, 3).Translation; at != (mgl64.Vec3{2.5, -1.6, 6.5}) {
		t.Errorf("snapped to %v", at)
	}
}

func TestMarkers(t *testing.T) {
	var out strings.Builder
	e := env(t, &out)
	must(t, e, "marker.add kind=area points='0,20;10,20;10,5,30' name=zone color=#ff0000 layer=play; marker.set kind=line; marker.set points='1,1,1;2,2,2' color=#00ff00 name=path")
	if out.String() != "9\n" {
		t.Errorf("printed %q", out.String())
	}
	x := get1(t, e, 9)
	m := x.Data.(document.Marker)
	if x.Name != "path" || x.Layer != "play" || m.Shape != document.MarkerLine || m.Color != (mgl64.Vec3{0, 1, 0}) || len(m.Points) != 2 {
		t.Errorf("%+v", x)
	}
	for i, p := range m.Points {
		if at := p.Add(x.Translation); !(at.Sub(mgl64.Vec3{float64(i + 1), float64(i + 1), float64(i + 1)}).Len() < 1e-12) {
			t.Errorf("point %d stands at %v", i, at)
		}
	}
	must(t, e, "undo; undo")
	x = get1(t, e, 9)
	y, _ := e.Doc.Level().Terrain.Height(0, 20)
	if p := x.Data.(document.Marker).Points[0].Add(x.Translation); !(p.Sub(mgl64.Vec3{0, y, 20}).Len() < 1e-9) || x.Translation[0] != 5 || x.Translation[2] != 25 {
		t.Errorf("the first point stands at %v, the marker at %v", p, x.Translation)
	}
}

func TestSelections(t *testing.T) {
	e := env(t, nil)
	for _, test := range []struct {
		line string
		want []document.ID
	}{
		{"select.all", []document.ID{1, 2, 3, 4, 8}},
		{"select.remove 2,4", []document.ID{1, 3, 8}},
		{"select.add 6,1", []document.ID{1, 3, 6, 8}},
		{"select.none", nil},
		{"select crate; select.similar", []document.ID{4}},
		{"object.set id=5,7 layer='' ; select.similar", []document.ID{4, 5, 7}},
		{"select 2; select.similar by=name", []document.ID{2, 3}},
		{"select 2; select.similar", []document.ID{2, 3}},
		{"select 4; select.similar kind", []document.ID{4, 5, 7}},
		{"select 8; select.similar layer", []document.ID{1, 2, 3, 4, 5, 7, 8}},
	} {
		if strings.Contains(test.line, "id=5,7") {
			must(t, e, "outline.layer vault locked=no")
		}
		must(t, e, test.line)
		if !slices.Equal(e.View.Selection, test.want) {
			t.Errorf("%s selects %v, expected %v", test.line, e.View.Selection, test.want)
		}
	}
}

func TestOutlineLayers(t *testing.T) {
	e := env(t, nil)
	must(t, e, "object.set id=4 layer=hall; outline.layer hall hidden=yes; outline.layer hall rename=room locked=yes")
	x := get1(t, e, 4)
	if hidden, locked := e.Doc.Level().Effective(&x); x.Layer != "room" || !hidden || !locked {
		t.Errorf("%+v hidden %v locked %v", x, hidden, locked)
	}
	must(t, e, "outline.layer room remove=yes")
	x = get1(t, e, 4)
	if hidden, locked := e.Doc.Level().Effective(&x); x.Layer != "" || hidden || locked || len(e.Doc.Level().Settings.EntityLayers) != 2 {
		t.Errorf("%+v hidden %v locked %v", x, hidden, locked)
	}
}

func TestNoTerrain(t *testing.T) {
	e := env(t, nil)
	must(t, e, "level.noterrain")
	if e.Doc.Level().HasTerrain() {
		t.Error("there is terrain")
	}
	must(t, e, "object.place asset=Box at=10,40; terrain.new size=65x33 spacing=2")
	f := e.Doc.Level().Terrain
	if w, h := f.Size(); !e.Doc.Level().HasTerrain() || w != 65 || h != 33 || f.Spacing() != 2 {
		t.Errorf("%d×%d samples, %g m", w, h, f.Spacing())
	}
	if at := get1(t, e, 9).Translation; at != (mgl64.Vec3{10, 0, 40}) {
		t.Errorf("placed at %v", at)
	}
	must(t, e, "undo; undo; undo")
	if w, _ := e.Doc.Level().Terrain.Size(); w != 97 {
		t.Errorf("%d samples", w)
	}
}

func TestBadObjectArguments(t *testing.T) {
	for line, want := range map[string]string{
		"object.place asset=Car at=1,1":                                      `object.place: asset: found "Car", expected one of the assets Box, Tree`,
		"object.place asset=Box at=1,1 scale=1,0,1":                          `object.place: scale: found 0, expected factors from 0.000001 to 1000000, or their negatives`,
		"object.place asset=Box at=1,1 scale=1,2":                            `object.place: scale: found "1,2", expected 1 or 3 numbers joined by commas`,
		"object.place asset=Box at=1,1 scale=nan":                            `object.place: scale: found "nan", expected 1 or 3 numbers from -1000000 to 1000000`,
		"object.place asset=Box at=1,1 parent=99":                            `object.place: parent: found "99", expected the id of something in the level`,
		"object.place asset=Box at=1,1 align=2":                              `object.place: align: found "2", expected a number from 0 to 1`,
		"object.set id=4":                                                    `object.set: found nothing to change, expected name=, at=, x=, y=, z=, yaw=, pitch=, roll=, quat=, scale=, layer=, hidden=, locked=, parent=, asset=, geometry=, collision=, radius= or billboard=`,
		"object.set id= name=x":                                              `object.set: id: found no id, expected ids or names, joined by commas`,
		"object.set name=x":                                                  `object.set: id: found nothing selected, expected ids, or something selected`,
		"object.set id=4 at=1,1 x=3":                                         `object.set: at: found a place and single coordinates, expected one of them`,
		"object.set id=4 quat=0,0,0,1 yaw=3":                                 `object.set: quat: found a quaternion and angles, expected one of them`,
		"object.set id=4 quat=0,0,0,0":                                       `object.set: quat: found a quaternion of length 0, expected one of length 1`,
		"object.set id=1 geometry=yes":                                       `object.set: geometry: found the marker "door" (1), expected objects, which alone have it`,
		"object.set id=2 parent=5":                                           `object.set: parent: found "lid" (5), which stands below "tree" (2), expected something outside what is moved`,
		"object.parent ids=2 to=2":                                           `object.parent: to: found "tree" (2), which would be its own parent, expected something outside what is moved`,
		"object.rotate ids=4":                                                `object.rotate: found 0 ways to turn, expected one of yaw=, axis= with angle=, and quat=`,
		"object.rotate ids=4 yaw=1 quat=0,0,0,1":                             `object.rotate: found 2 ways to turn, expected one of yaw=, axis= with angle=, and quat=`,
		"object.rotate ids=4 axis=x":                                         `object.rotate: found only one of axis= and angle=, expected both or neither`,
		"object.scale ids=4 by=0":                                            `object.scale: by: found 0, expected factors from 0.000001 to 1000000, or their negatives`,
		"object.move ids=4 by=1":                                             `object.move: by: found "1", expected 3 numbers joined by commas`,
		"object.move ids=4 by=1e10,0,0":                                      `object.move: by: found "crate" (4) at 1.0000000005e+10 m, expected coordinates within ±1e+10 m`,
		"object.array ids=4 count=3":                                         `object.array: found both or none of by= and to=, expected one of them`,
		"object.array ids=4 count=1 by=1,1,1":                                `object.array: count: found "1", expected a whole number from 2 to 100000`,
		"object.array ids=4 count=99999 by=1,1,1":                            `object.array: ids: found 199996 copies, expected at most 100000 at once`,
		"object.ungroup ids=4":                                               `object.ungroup: ids: found the object "crate" (4), expected groups`,
		"object.snap ids=4 grid=0":                                           `object.snap: grid: found "0", expected a number from 0.0001 to 1000000 m`,
		"object.ground ids=8":                                                `object.ground: ids: found no ground above or below, expected something over the terrain, and not over a hole`,
		"marker.add kind=area points='1,1;2,2' name=x":                       `marker.add: points: found 2 points, expected at least 3 for kind=area`,
		"marker.add kind=blob points='1,1;2,2' name=x":                       `marker.add: kind: found "blob", expected one of point, line, area`,
		"marker.add kind=point points=1,1 name=''":                           `marker.add: name: found "", expected a name`,
		"marker.set id=4 name=x":                                             `marker.set: id: found the object "crate" (4), expected markers`,
		"marker.set id=1":                                                    `marker.set: found nothing to change, expected name=, kind=, points=, color= or layer=`,
		"marker.set id=1 kind=line":                                          `marker.set: kind: found 1 point, expected at least 2 for kind=line`,
		"property.set ids=4 key=' '":                                         `property.set: key: found " ", expected the name of a property`,
		"outline.layer nowhere remove=yes":                                   `outline.layer: name: found "nowhere", expected a layer of the outliner`,
		"outline.layer vault rename=attic":                                   `outline.layer: rename: found "attic", expected another name, as a layer has this one`,
		"terrain.new size=9":                                                 `terrain.new: size: found "9", expected a size as WIDTHxHEIGHT, each from 2 to 16385`,
		"terrain.new size=9x1":                                               `terrain.new: size: found "9x1", expected a size as WIDTHxHEIGHT, each from 2 to 16385`,
		"select.similar":                                                     `select.similar: ids: found nothing selected, expected ids, or something selected`,
		"object.scatter at=1,30 radius=9 density=1":                          `object.scatter: assets: found no value, expected names of assets`,
		"object.scatter at=1,30 radius=9 assets=Box":                         `object.scatter: density: found no value, expected a number from 0 to 100`,
		"object.scatter at=1,30 radius=9 into=4":                             `object.scatter: into: found the object "crate" (4), expected scatters`,
		"object.scatter at=900,900 radius=9 assets=Box density=1":            `object.scatter: at: found no place that the rules allow, expected ground with the slope and height that they ask for`,
		"object.scatter at=1,30 radius=9 assets=Box density=1 slope=9,1":     `object.scatter: slope: found 9,1, expected the least number first`,
		"object.scatter at=1,30 radius=9 assets=Box density=1 spacing=0.001": `object.scatter: spacing: found 0.001, expected 0, or 0.01 to 10000 m`,
		"object.scatter at=1,30 radius=9 assets=Box,Lost density=1":          `object.scatter: assets: found "Lost", expected one of the assets Box, Tree`,
		"scatter.erase id=4 at=1,1 radius=3":                                 `scatter.erase: id: found the object "crate" (4), expected scatters`,
		"asset.import none.glb":                                              `none.glb: nothing`,
		"asset.import box.glb name=Tree":                                     `asset.import: name: found "Tree", expected another name, as an asset of another content has this one; asset.relink replaces it`,
		"asset.import box.glb name=' x'":                                     `asset.import: name: found " x", expected a name without blanks around it`,
		"asset.reload Tree":                                                  `asset.reload: name: found "Tree", whose file is not known, expected asset.relink name= file=`,
		"asset.relink name=Car file=car.glb":                                 `asset.relink: name: found "Car", expected an asset of the level, or one that its objects name`,
		"asset.rename name=Box to=Tree":                                      `asset.rename: to: found "Tree", expected another name, as an asset has this one`,
		"asset.remove Box":                                                   `asset.remove: name: found "Box", which is shown by 3 objects and 1 scatter (1 point), expected an asset that nothing shows, or force=yes`,
		"asset.remove Lost":                                                  `asset.remove: name: found "Lost", expected one of the assets Box, Tree`,
	} {
		e := env(t, nil)
		before := e.Doc.Level()
		call, err := Parse(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		err = e.Registry.Run(t.Context(), e, call)
		switch {
		case err == nil:
			t.Errorf("%s: passed", line)
		case err.Error() != want:
			t.Errorf("%s:\n got %s\nwant %s", line, err, want)
		}
		if e.Doc.Level() != before || e.Doc.Position() != 0 {
			t.Errorf("%s: changed the level", line)
		}
	}
}
