package runtime_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/export/glb"
	"ridgeline/export/runtime"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// cube is a model of a box around its place, with a picture.
func cube() *mesh.Model {
	m := &mesh.Model{
		Materials: []mesh.Material{{Name: "planks", BaseColor: [4]float32{1, 0.5, 0.25, 1}, UV: mgl32.Ident3(), Cutoff: 0.5}},
		Images:    []mesh.Image{{Name: "planks", Pixels: image.NewNRGBA(image.Rect(0, 0, 4, 2)), Opaque: true}},
		Nodes:     []mesh.Node{{Parent: -1}},
	}
	b := geom.Box{Min: geom.Vec3{-1, 0, -1}, Max: geom.Vec3{1, 2, 1}}
	m.Bounds = b
	for axis := range 3 {
		for _, side := range [2]int{0, 1} {
			var n mgl32.Vec3
			n[axis] = float32(2*side - 1)
			at := uint32(len(m.Positions))
			for k := range 4 {
				i := side << axis
				if k == 1 || k == 2 {
					i |= 1 << ((axis + 1) % 3)
				}
				if k >= 2 {
					i |= 1 << ((axis + 2) % 3)
				}
				c := b.Corner(i)
				m.Positions = append(m.Positions, mgl32.Vec3{float32(c[0]), float32(c[1]), float32(c[2])})
				m.Normals = append(m.Normals, n)
				m.UVs = append(m.UVs, mgl32.Vec2{float32(k & 1), float32(k >> 1)})
			}
			if side == 1 {
				m.Indices = append(m.Indices, at, at+1, at+2, at, at+2, at+3)
			} else {
				m.Indices = append(m.Indices, at, at+2, at+1, at, at+3, at+2)
			}
		}
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	return m
}

// hills is ground with ridges, no holes unless asked for.
func hills(t testing.TB, cols, rows int) *terrain.Field {
	t.Helper()
	heights := make([]float32, cols*rows)
	for i := range heights {
		x, z := float64(i%cols), float64(i/cols)
		h := 8*math.Sin(x/23)*math.Cos(z/17) + math.Sin(x/3.1+z/5)
		if cols == 200 { // on a roof with a ridge along z
			h += 60 - 1.2*math.Abs(x-96)*1.5
		}
		heights[i] = float32(h)
	}
	f, err := terrain.FromHeights(cols, rows, 1.5, heights)
	if err != nil {
		t.Fatal(err)
	}
	return f.WithOrigin(1000, -2000)
}

func box(lo, hi geom.Vec3) (out []mgl64.Vec3) {
	b := geom.Box{Min: lo, Max: hi}
	for i := range 8 {
		out = append(out, b.Corner(i))
	}
	return out
}

// level is hills with objects, a scatter, a wall with a door in a room.
func level(t testing.TB, cols, rows, objects int) *document.Level {
	t.Helper()
	f := hills(t, cols, rows)
	r := rand.New(rand.NewPCG(1, 2))
	var list []document.Entity
	add := func(d document.Data, at mgl64.Vec3) {
		list = append(list, document.Entity{
			ID: document.ID(len(list) + 1), Kind: d.Kind(), Data: d, Translation: at,
			Rotation: mgl64.QuatRotate(float64(len(list)), mgl64.Vec3{0, 1, 0}), Scale: mgl64.Vec3{1, 1, 1},
		})
	}
	w, d := f.Extent()
	for range objects {
		x, z := 1000+w*r.Float64(), -2000+d*r.Float64()
		y, _ := f.Height(x, z)
		add(document.Object{Asset: "cube"}, mgl64.Vec3{x, y, z})
	}
	add(document.Scatter{Assets: []string{"cube"}, Points: []document.ScatterPoint{{Scale: 1}, {Scale: 2, Position: mgl64.Vec3{5, 0, 5}}}}, mgl64.Vec3{1010, 30, -1990})
	add(document.Cell{Pieces: [][]mgl64.Vec3{box(geom.Vec3{}, geom.Vec3{8, 3, 8})}}, mgl64.Vec3{1050, 30, -1950})
	add(document.Object{Asset: "cube"}, mgl64.Vec3{1054, 30.2, -1946})
	add(document.Portal{Points: []mgl64.Vec3{{8, 0, 3}, {8, 2, 3}, {8, 2, 4}, {8, 0, 4}}}, mgl64.Vec3{1050, 30, -1950})
	add(document.Occluder{Points: box(geom.Vec3{7.9, 0, 0}, geom.Vec3{8.1, 3, 8})}, mgl64.Vec3{1050, 30, -1950})
	add(document.Occluder{Points: box(geom.Vec3{}, geom.Vec3{1, 180, 250})}, mgl64.Vec3{1060, -120, -1990})
	add(document.Occluder{Points: box(geom.Vec3{-3, -3, -3}, geom.Vec3{3, 3, -2})}, mgl64.Vec3{})
	list[len(list)-1].Parent = 1 // it reaches out of its object
	for i := range list {
		if k := list[i].Kind; k == document.KindCell || k == document.KindPortal || k == document.KindOccluder {
			list[i].Rotation = mgl64.QuatIdent()
		}
	}
	base := document.NewLevel(f)
	base.Assets = []document.Asset{{Name: "cube", File: "cube.glb"}}
	base.Settings.Bookmarks = map[string]document.Camera{"gate": {Eye: mgl64.Vec3{1, 2, 3}, Look: mgl64.Vec3{4, 5, 6}}}
	l, err := base.WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// export writes a level as a .glb.
func export(t testing.TB, l *document.Level, o glb.Options) string {
	t.Helper()
	textures := make([]*image.NRGBA, len(l.Layers))
	for i := range textures {
		textures[i] = image.NewNRGBA(image.Rect(0, 0, 2, 2))
	}
	m := cube()
	var b bytes.Buffer
	_, err := glb.Write(context.Background(), &b, glb.Scene{
		Level: l, Textures: textures, Options: o,
		Models: func(*document.Asset) (*mesh.Model, error) { return m, nil },
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "level.glb")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *runtime.Level {
	t.Helper()
	l, err := runtime.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

type library struct{ m *scene.Model }

func (l library) Model(*document.Asset) *scene.Model { return l.m }

// look is a perspective view.
func look(eye, at geom.Vec3, size image.Point) runtime.View {
	p := mgl64.Perspective(1, float64(size.X)/float64(size.Y), 0.1, 5000)
	return runtime.View{Eye: eye, ViewProj: p.Mul4(mgl64.LookAtV(mgl64.Vec3{}, at.Sub(eye), mgl64.Vec3{0, 1, 0})), Size: size}
}

// few is a number of views, or less where time is short.
func few(n int) int {
	if testing.Short() {
		return (n + 3) / 4
	}
	return n
}

// views are places on and above the ground, looking around.
func views(l *document.Level, n int) (out []runtime.View) {
	r := rand.New(rand.NewPCG(3, 4))
	x0, z0 := l.Terrain.Origin()
	w, d := l.Terrain.Extent()
	for i := range n {
		eye := geom.Vec3{x0 + w*r.Float64(), 0, z0 + d*r.Float64()}
		h, _ := l.Terrain.Height(eye[0], eye[2])
		eye[1] = h + 1.7 + float64(i%3)*20
		if i%10 == 9 {
			eye = geom.Vec3{1054, 31, -1946} // in the room
		}
		a := 2 * math.Pi * r.Float64()
		out = append(out, look(eye, eye.Add(geom.Vec3{math.Cos(a), -0.2, math.Sin(a)}), image.Pt(640, 360)))
	}
	return out
}

// Whatever else is in a file, with exact heights the verdicts are the editor's; with
// fewer bits nothing is removed that the editor draws, but for backfaces.
func TestVerdicts(t *testing.T) {
	l := level(t, 200, 180, 60)
	s := scene.New(library{scene.NewModel(cube())})
	s.Update(l, nil)
	s.Complete()
	seen := map[cull.Verdict]int{}
	for _, o := range []glb.Options{{}, {Chunk: 128}, {Chunk: 32, LODs: 1}, {Heights: glb.Heights16}, {Heights: glb.HeightsNone}, {Quantize: true}, {Instancing: true}} {
		game := open(t, export(t, l, o))
		c := game.Culler()
		var ed cull.Culler
		own, err := game.Visibility.Scene()
		if err != nil {
			t.Fatal(err)
		}
		exempt := 0
		for e := range game.Entries() {
			if own.Exempt.Has(int32(e)) != s.Visibility().Scene.Exempt.Has(int32(e)) {
				t.Errorf("%+v: whether its own occluders may remove %s differs", o, game.Entry(e))
			}
			if own.Exempt.Has(int32(e)) {
				exempt++
			}
		}
		if exempt != 1 {
			t.Errorf("%+v: %d entries are exempt", o, exempt)
		}
		exact := o.Heights == glb.HeightsFloat && !o.Quantize
		for i, v := range views(l, few(40)) {
			view := cull.ViewOf(v.Eye, v.ViewProj)
			view.Slack = view.PixelSlack(runtime.DefaultMaxError+1.0/64, v.Size.Y)
			want, got := s.Cull(&ed, view, v.Size, cull.All), c.Run(v)
			if len(want.Verdicts) != len(got.Verdicts) {
				t.Fatalf("%+v: %d verdicts, expected %d", o, len(got.Verdicts), len(want.Verdicts))
			}
			for e, w := range want.Verdicts {
				seen[w]++
				if g := got.Verdicts[e]; g != w && (exact || w == cull.Drawn) {
					t.Fatalf("%+v, view %d: %s is %v, expected %v", o, i, game.Entry(e), g, w)
				}
			}
		}
	}
	for v := cull.Drawn; v < cull.Absent; v++ {
		if seen[v] == 0 && !testing.Short() {
			t.Errorf("no verdict was %v", v)
		}
	}
}

// Without visibility what is drawn is still what is in the view.
func TestNoVisibility(t *testing.T) {
	l := level(t, 100, 90, 20)
	game := open(t, export(t, l, glb.Options{NoVisibility: true}))
	if game.Visibility != nil || game.Ground != nil {
		t.Error("there is visibility")
	}
	f := game.Culler().Run(views(l, 1)[0])
	if len(f.Drawn) == 0 || f.Report.Count(cull.ByFrustum) == 0 || len(f.Draws) != len(f.Drawn) {
		t.Errorf("%d drawn, %d draws", len(f.Drawn), len(f.Draws))
	}
}

// Everything that is in the file can be read, and is what was written.
func TestContents(t *testing.T) {
	l := level(t, 100, 90, 20)
	for _, o := range []glb.Options{{}, {Quantize: true}, {Instancing: true, LODs: 1}} {
		contents(t, open(t, export(t, l, o)))
	}
}

// contents reads everything in a file.
func contents(t *testing.T, game *runtime.Level) {
	t.Helper()
	if c := game.Cameras["gate"]; c.Look != (geom.Vec3{4, 5, 6}) {
		t.Errorf("%+v", game.Cameras)
	}
	triangles := 0
	found := false
	for i, m := range game.Meshes {
		for k := range m.Primitives {
			g, err := game.Geometry(i, k)
			if err != nil {
				t.Fatal(err)
			}
			if len(g.Positions) != m.Primitives[k].Vertices || len(g.Indices) != 3*m.Primitives[k].Triangles || len(g.Normals) != len(g.Positions) {
				t.Errorf("mesh %d, primitive %d is not what was told of", i, k)
			}
			for _, p := range g.Positions {
				if !m.Bounds.Contains(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}) {
					t.Fatalf("mesh %d has %v beyond its bounds", i, p)
				}
			}
			triangles += len(g.Indices) / 3
		}
		found = found || m.Name == "cube" && m.Triangles == 12
	}
	if !found || triangles < 2*99*89 {
		t.Errorf("%d triangles", triangles)
	}
	layers, planks := 0, 0
	for _, m := range game.Materials {
		layers += len(m.Layers)
		if m.Name == "planks" && m.BaseColor[1] == 0.5 && m.Picture >= 0 {
			planks++
			if p, err := game.Decode(m.Picture); err != nil || p.Bounds() != image.Rect(0, 0, 4, 2) {
				t.Errorf("%v %v", p, err)
			}
		}
	}
	if layers == 0 || planks != 1 {
		t.Errorf("%d layers, %d planks", layers, planks)
	}
}

// A level in several files is the same level.
func TestSeveralFiles(t *testing.T) {
	l := level(t, 100, 90, 20)
	path := export(t, l, glb.Options{})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint32(data[12:]))
	text := bytes.Replace(data[20:20+n], []byte(`"buffers":[{`), []byte(`"buffers":[{"uri":"some%20where/level.bin",`), 1)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "some where"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"level.gltf": text, "some where/level.bin": data[28+n:]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one, many := open(t, path), open(t, filepath.Join(dir, "level.gltf"))
	contents(t, many)
	v := views(l, 1)[0]
	if !slices.Equal(one.Culler().Run(v).Verdicts, many.Culler().Run(v).Verdicts) {
		t.Error("the verdicts differ")
	}
}

// The ground answers as the editor's does.
func TestGround(t *testing.T) {
	l := level(t, 100, 90, 20)
	game := open(t, export(t, l, glb.Options{}))
	for range 200 {
		x, z := 1000+145*rand.Float64(), -2000+130*rand.Float64()
		y, _ := l.Terrain.Height(x, z)
		got, ok := game.Ground.Height(x, z)
		n, ok2 := game.Ground.Normal(x, z)
		tt, at, ok3 := game.Ground.Ray(geom.Ray{Origin: geom.Vec3{x, y + 10, z}, Dir: geom.Vec3{0, -2, 0}}, 100)
		if !ok || !ok2 || !ok3 || got != y || math.Abs(tt-5) > 1e-9 || math.Abs(at[1]-y) > 1e-9 || math.Abs(n.Len()-1) > 1e-12 {
			t.Fatalf("%g %g: %v %v %v %v", x, z, got, n, tt, at)
		}
		const step = 1e-7
		if a, ok := game.Ground.Height(x+step, z); ok && math.Abs((a-y)/step+n[0]/n[1]) > 1e-3*math.Abs(n[0]/n[1])+1e-3 {
			if _, _, u, v, _ := l.Terrain.Cell(x, z); math.Abs(u+v-1) > 1e-5 && u < 1-1e-5 {
				t.Fatalf("the normal at %g, %g is %v, the ground rises by %g", x, z, n, (a-y)/step)
			}
		}
	}
	if _, _, ok := game.Ground.Ray(geom.Ray{Origin: geom.Vec3{math.NaN(), 0, 0}}, 1); ok {
		t.Error("a ray from nowhere meets the ground")
	}
}

// Every level that is drawn is within the error at its distance, and a coarser one would
// not be.
func TestLevelsOfDetail(t *testing.T) {
	l := level(t, 400, 300, 5)
	game := open(t, export(t, l, glb.Options{}))
	c := game.Culler()
	coarse := 0
	for _, v := range views(l, few(20)) {
		for _, e := range []float64{0.5, 1, 4} {
			c.MaxError = e
			f := c.Run(v)
			view := cull.ViewOf(v.Eye, v.ViewProj)
			slack := view.PixelSlack(e, v.Size.Y)
			triangles := 0
			for _, d := range f.Draws {
				n := game.Nodes[d.Node]
				triangles += game.Meshes[d.Mesh].Triangles
				box := game.Meshes[n.Mesh].Bounds.Transform(n.World)
				allowed := slack * box.DistanceTo(v.Eye)
				if d.LOD > 0 {
					coarse++
					if game.Meshes[n.Mesh].LODs[d.LOD-1].Error > allowed || game.Meshes[n.Mesh].LODs[d.LOD-1].Mesh != d.Mesh {
						t.Fatalf("level %d is off by %g m, allowed are %g", d.LOD, game.Meshes[n.Mesh].LODs[d.LOD-1].Error, allowed)
					}
				}
				if d.LOD < len(game.Meshes[n.Mesh].LODs) && game.Meshes[n.Mesh].LODs[len(game.Meshes[n.Mesh].LODs)-1].Error <= allowed {
					t.Fatalf("level %d is drawn where the last would do", d.LOD)
				}
			}
			if triangles != f.Triangles {
				t.Errorf("%d triangles are told of, there are %d", f.Triangles, triangles)
			}
		}
	}
	if coarse == 0 {
		t.Error("all is drawn at full detail")
	}
}

// A budget is kept where it can be, with the error that it needs.
func TestBudget(t *testing.T) {
	l := level(t, 400, 300, 5)
	game := open(t, export(t, l, glb.Options{}))
	free, c, plain := game.Culler(), game.Culler(), game.Culler()
	kept := 0
	for _, v := range views(l, few(20)) {
		full := free.Run(v).Triangles
		for _, part := range []int{2, 4, 1000000} {
			c.Triangles = max(1, full/part)
			f := c.Run(v)
			if f.Triangles <= c.Triangles {
				kept++
			}
			plain.MaxError = f.MaxError
			same := plain.Run(v)
			if same.Triangles != f.Triangles || !slices.Equal(same.Verdicts, f.Verdicts) {
				t.Fatalf("with an error of %g pixels %d triangles are drawn, with the budget %d", f.MaxError, same.Triangles, f.Triangles)
			}
			if f.Triangles > c.Triangles { // then all is as coarse as can be
				for _, d := range f.Draws {
					if game.Meshes[game.Nodes[d.Node].Mesh].Bounds.Transform(d.World).Contains(v.Eye) {
						continue // no error is small enough
					}
					if d.LOD < len(game.Meshes[game.Nodes[d.Node].Mesh].LODs) && game.Meshes[d.Mesh].Triangles > game.Meshes[game.Meshes[game.Nodes[d.Node].Mesh].LODs[len(game.Meshes[game.Nodes[d.Node].Mesh].LODs)-1].Mesh].Triangles {
						t.Fatalf("%d triangles of %d, and there are coarser levels", f.Triangles, c.Triangles)
					}
				}
			}
		}
	}
	if kept == 0 && !testing.Short() { // the ground below the eye is always full
		t.Errorf("the budget was kept %d times", kept)
	}
	c.Triangles = 0
	c.Run(views(l, 1)[0])
	c.Pace(20e6, 10e6)
	if c.Triangles <= 0 {
		t.Error("no budget after a slow frame")
	}
}

// A door that is shut hides what is behind it, for all cullers and at once.
func TestDoors(t *testing.T) {
	l := level(t, 100, 90, 1)
	game := open(t, export(t, l, glb.Options{}))
	eye := geom.Vec3{1059.5, 31, -1946.5}
	v := look(eye, geom.Vec3{1050, 31, -1946.5}, image.Pt(320, 200))
	c := game.Culler()
	inRoom := -1
	for e := range game.Entries() {
		if game.Entry(e) == "4" {
			inRoom = e
		}
	}
	verdict := func() cull.Verdict { return c.Run(v).Verdicts[inRoom] }
	p, ok := game.Portal(5)
	if !ok || verdict() != cull.Drawn {
		t.Fatalf("through the open door the thing is %v", verdict())
	}
	game.SetPortal(p, portal.Closed)
	if got := verdict(); got != cull.ByPortal {
		t.Errorf("behind the shut door the thing is %v", got)
	}
	c.Off = cull.Only(cull.Portal)
	if got := verdict(); got != cull.ByOccluder {
		t.Errorf("behind the wall the thing is %v", got)
	}
	game.SetPortal(p, portal.Open)
	if got := verdict(); got != cull.Drawn {
		t.Errorf("through the door in the wall the thing is %v", got)
	}
	game.SetPortal(99, portal.Open)
}

func TestManyCullers(t *testing.T) {
	l := level(t, 200, 180, 30)
	game := open(t, export(t, l, glb.Options{}))
	list := views(l, 10)
	var wait sync.WaitGroup
	want := make([]int, len(list))
	one := game.Culler()
	for i, v := range list {
		want[i] = len(one.Run(v).Drawn)
	}
	for k := range 4 {
		wait.Go(func() {
			c := game.Culler()
			for i := range list {
				j := (i + k) % len(list)
				if n := len(c.Run(list[j]).Drawn); n != want[j] {
					t.Errorf("view %d: %d drawn, expected %d", j, n, want[j])
				}
				if _, err := game.Geometry(0, 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestNothingIsAllocated(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are counted without the race detector")
	}
	l := level(t, 200, 180, 60)
	c := open(t, export(t, l, glb.Options{})).Culler()
	c.Triangles = 5000
	list := views(l, 12)
	run := func() {
		for _, v := range list {
			c.Run(v)
		}
	}
	run()
	run()
	if n := testing.AllocsPerRun(3, run); n > 0 {
		t.Errorf("12 frames allocate %g times", n)
	}
}

// A game that loads levels carries neither the editor's document nor a window.
func TestReach(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		if p == "ridgeline/document" || strings.HasPrefix(p, "ridgeline/document/scene") || strings.HasPrefix(p, "gioui.org") || strings.HasPrefix(p, "github.com/go-gl/gl") {
			t.Errorf("runtime reaches %s", p)
		}
	}
}

// use asks for everything in a level.
func use(l *runtime.Level) {
	for i, m := range l.Meshes {
		for k := range m.Primitives {
			l.Geometry(i, k)
		}
	}
	for i := range l.Pictures {
		l.Decode(i)
	}
	c := l.Culler()
	c.Run(look(geom.Vec3{0, 10, 0}, geom.Vec3{1, 9, 1}, image.Pt(64, 64)))
	c.Triangles = 1
	f := c.Run(look(geom.Vec3{1010, 10, -1990}, geom.Vec3{1020, 9, -1980}, image.Pt(64, 64)))
	for e := range f.Verdicts {
		c.Explain(e)
		l.Entry(e)
	}
}

// Files that are cut off or not what they seem are refused with one error that names
// the file.
func TestBadFiles(t *testing.T) {
	good, err := os.ReadFile(export(t, level(t, 400, 20, 2), glb.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	try := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := runtime.Open(context.Background(), path)
		if err == nil {
			l.Close()
			t.Errorf("%s is opened", name)
			return
		}
		var e *fault.Error
		if !errors.As(err, &e) || e.File != path || e.Op == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, n := range []int{0, 4, 12, 20, 100, len(good) / 2, len(good) - 1} {
		try(fmt.Sprintf("cut%d.glb", n), good[:n])
	}
	try("text.gltf", []byte("no JSON"))
	try("empty.gltf", []byte("{}"))
	try("away.gltf", []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"../x.bin"}]}`))
	try("gone.gltf", []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"x.bin"}]}`))
	try("claim.gltf", []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4000000000,"uri":"data:;base64,AAAA"}]}`))
	try("level.zip", good)
	n := int(binary.LittleEndian.Uint32(good[12:]))
	wide := bytes.Replace(good[:20+n], []byte(`"name":"terrain"`), []byte(`"scale":[99,1,99],"name":"terrain"`), 1)
	wide = append(wide, bytes.Repeat([]byte{' '}, (4-len(wide)%4)%4)...)
	binary.LittleEndian.PutUint32(wide[12:], uint32(len(wide)-20))
	wide = append(wide, good[20+n:]...)
	binary.LittleEndian.PutUint32(wide[8:], uint32(len(wide)))
	try("wide.glb", wide)
	var doc struct {
		BufferViews []struct{ ByteOffset int }
		Extensions  struct {
			V struct{ Entries struct{ Things int } } `json:"RIDGELINE_visibility"`
		}
	}
	if err := json.Unmarshal(good[20:20+n], &doc); err != nil {
		t.Fatal(err)
	}
	twice := slices.Clone(good)
	at := 28 + n + doc.BufferViews[doc.Extensions.V.Entries.Things].ByteOffset
	copy(twice[at+20:at+40], twice[at:at+20])
	try("twice.glb", twice)
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link.bin")); err == nil {
		try("link.gltf", []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"link.bin"}]}`))
	}
	if _, err := runtime.Open(context.Background(), filepath.Join(dir, "none.glb")); err == nil {
		t.Error("a file that is not there is opened")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := filepath.Join(dir, "good.glb")
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runtime.Open(ctx, path); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// Whatever byte of the JSON is another, nothing breaks.
func TestFlippedBytes(t *testing.T) {
	good, err := os.ReadFile(export(t, level(t, 20, 20, 2), glb.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.glb")
	text := int(binary.LittleEndian.Uint32(good[12:]))
	r := rand.New(rand.NewPCG(8, 8))
	n := 400
	if testing.Short() {
		n = 60
	}
	for range n {
		data := slices.Clone(good)
		for range 1 + r.IntN(3) {
			data[20+r.IntN(text)] = "0123456789-\"{}[],:.enull"[r.IntN(24)]
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := runtime.Open(context.Background(), path); err == nil {
			use(l)
			l.Close()
		}
	}
}

// FuzzOpen opens any JSON over the payloads of a real level.
func FuzzOpen(f *testing.F) {
	good, err := os.ReadFile(export(f, level(f, 5, 5, 1), glb.Options{}))
	if err != nil {
		f.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint32(good[12:]))
	bin := good[20+n:]
	f.Add(good[20 : 20+n])
	path := filepath.Join(f.TempDir(), "x.glb")
	f.Fuzz(func(t *testing.T, text []byte) {
		text = append(slices.Clone(text), bytes.Repeat([]byte{' '}, (4-len(text)%4)%4)...)
		data := slices.Clone(good[:20])
		binary.LittleEndian.PutUint32(data[8:], uint32(20+len(text)+len(bin)))
		binary.LittleEndian.PutUint32(data[12:], uint32(len(text)))
		data = append(append(data, text...), bin...)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := runtime.Open(context.Background(), path); err == nil {
			use(l)
			l.Close()
		}
	})
}

// However the file is written, each thing is drawn where its box is, and the ground in
// the boxes of its chunks.
func TestPlaces(t *testing.T) {
	l := level(t, 150, 100, 12)
	for _, o := range []glb.Options{{}, {Instancing: true}, {Quantize: true}, {ZUp: true, Scale: 100}, {Chunk: 128}, {Chunk: 32, Quantize: true, Instancing: true, ZUp: true}} {
		game := open(t, export(t, l, o))
		c := game.Culler()
		c.Off = cull.All
		f := c.Run(views(l, 1)[0])
		var boxes []geom.Box
		ground := geom.EmptyBox()
		for _, d := range f.Draws {
			b := game.Meshes[d.Mesh].Bounds.Transform(d.World)
			if game.Meshes[d.Mesh].Name == "cube" {
				boxes = append(boxes, b)
			} else {
				ground = ground.Union(b)
			}
		}
		want := game.Entries() - game.Visibility.Chunks()
		if len(boxes) != want {
			t.Fatalf("%+v: %d things are drawn, expected %d", o, len(boxes), want)
		}
		for e := range game.Entries() {
			b := game.Box(e)
			if e < game.Visibility.Chunks() {
				if !ground.Contains(b.Center()) {
					t.Errorf("%+v: %s is not drawn", o, game.Entry(e))
				}
				continue
			}
			if !slices.ContainsFunc(boxes, func(d geom.Box) bool { return d.Min.Sub(b.Min).Len() < 2e-3 && d.Max.Sub(b.Max).Len() < 2e-3 }) {
				t.Errorf("%+v: %s is not drawn at %v", o, game.Entry(e), b)
			}
		}
		c.Off = 0
		for i, v := range views(l, 4) {
			f, things := c.Run(v), 0
			for _, e := range f.Drawn {
				if int(e) >= game.Visibility.Chunks() {
					things++
				}
			}
			for _, d := range f.Draws {
				if game.Meshes[d.Mesh].Name == "cube" {
					things--
				}
			}
			if things != 0 {
				t.Errorf("%+v, view %d: of the things that are left %d are not drawn", o, i, things)
			}
		}
		if g := game.Visibility.Ground.Field.Bounds(); g.Dx() != 150 {
			t.Error(g)
		}
		if turned := o.ZUp || o.Scale != 0; turned != (game.Root != mgl64.Ident4()) {
			t.Errorf("%+v: the root is %v", o, game.Root)
		}
	}
}
