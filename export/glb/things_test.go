package glb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/export/visibility"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// testModel is a model of n triangles that stand apart, so that each can be told from
// the others, shared by materials in turn.
func testModel(t testing.TB, n int, materials ...mesh.Material) *mesh.Model {
	t.Helper()
	m := &mesh.Model{Materials: materials, Nodes: []mesh.Node{{Name: "m", Parent: -1}}, Bounds: geom.EmptyBox()}
	for i := range n {
		f := float32(i)
		for k, p := range []mgl32.Vec3{{f, 0, 0.25 * f}, {f + 0.75, 0.5, 0}, {f, 1, 1}} {
			m.Positions = append(m.Positions, p)
			m.Normals = append(m.Normals, mgl32.Vec3{0.6, float32(k%2)*1.6 - 0.8, 0})
			m.Bounds = m.Bounds.Add(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
			m.Indices = append(m.Indices, uint32(3*i+k))
		}
		m.Parts = append(m.Parts, mesh.Part{First: 3 * i, Count: 3, Material: i % len(materials)})
	}
	for i := range materials {
		if materials[i].Image >= len(m.Images) {
			m.Images = append(m.Images, mesh.Image{Name: fmt.Sprint("picture ", i), Pixels: picture(uint8(100+i), 3+i, 5)})
		}
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

func plain(name string) mesh.Material {
	return mesh.Material{Name: name, BaseColor: [4]float32{1, 0.5, 0.25, 1}, Image: -1, UV: mgl32.Ident3(), Cutoff: 0.5}
}

// testModels has everything that a material can have.
func testModels(t testing.TB) map[string]*mesh.Model {
	glow, leaf, glass, tile, second := plain("glow"), plain("leaf"), plain("glass"), plain("tile"), plain("second")
	glow.Unlit, glow.Emissive = true, [3]float32{0.1, 0.2, 1}
	leaf.Alpha, leaf.Cutoff, leaf.DoubleSided, leaf.Image, leaf.WrapS, leaf.WrapT, leaf.Nearest = mesh.Mask, 0.3, true, 0, mesh.Clamp, mesh.Mirror, true
	glass.Alpha, glass.BaseColor = mesh.Blend, [4]float32{1, 1, 1, 0.25}
	sin, cos := float32(math.Sin(0.5)), float32(math.Cos(0.5))
	tile.Image, tile.UV = 1, mgl32.Mat3{2 * cos, -2 * sin, 0, -3 * sin, -3 * cos, 0, 0.25, -7, 1}
	second.Image, second.WrapS = 1, mesh.Clamp
	full := testModel(t, 9, glow, leaf, glass, tile, second)
	for i := range full.Positions {
		full.UVs = append(full.UVs, mgl32.Vec2{float32(i) / 7, -float32(i)})
		full.Colors = append(full.Colors, [4]uint8{uint8(i), 255, uint8(10 * i), 128})
	}
	for i := 3; i < len(full.Images[0].Pixels.Pix); i += 4 {
		full.Images[0].Pixels.Pix[i] = uint8(40 * i) // transparent ones keep their colour
	}
	bare := plain("bare")
	bare.Image = 0
	// Two materials share vertices, and so do two triangles of one.
	shared := testModel(t, 3, plain("a"), plain("b"))
	shared.Indices = append(shared.Indices, 0, 4, 8, 0, 8, 3)
	shared.Parts = append(shared.Parts, mesh.Part{First: 9, Count: 6, Material: 1})
	return map[string]*mesh.Model{"full": full, "plain": testModel(t, 3, plain("a")), "bare": testModel(t, 2, bare), "shared": shared}
}

// library gives models by the name of the asset.
func library(models map[string]*mesh.Model) Library {
	return func(a *document.Asset) (*mesh.Model, error) {
		if m, ok := models[a.Name]; ok {
			return m, nil
		}
		return nil, errors.New("gone")
	}
}

// withThings gives the level some entities, and every model as an asset.
func withThings(t testing.TB, l *document.Level, models map[string]*mesh.Model, list ...document.Entity) *document.Level {
	t.Helper()
	out, err := l.WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		out.Assets = append(out.Assets, document.Asset{Name: name, File: "asset:" + name + ".glb"})
	}
	return out
}

func noTerrain(t testing.TB) *document.Level {
	t.Helper()
	f, err := document.NoTerrain()
	if err != nil {
		t.Fatal(err)
	}
	return document.NewLevel(f)
}

func write(t testing.TB, s Scene) ([]byte, Stats) {
	t.Helper()
	var b bytes.Buffer
	stats, err := Write(context.Background(), &b, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if int64(b.Len()) != stats.Bytes {
		t.Fatalf("wrote %d bytes, announced %d", b.Len(), stats.Bytes)
	}
	return b.Bytes(), stats
}

// drawEntities draws a forest of things of all kinds, turned, stretched and mirrored.
func drawEntities(rt *rapid.T) []document.Entity {
	vec := func(lo, hi float64, name string) (v mgl64.Vec3) {
		for i := range v {
			v[i] = rapid.Float64Range(lo, hi).Draw(rt, name)
		}
		return v
	}
	turn := func() mgl64.Quat {
		return mgl64.QuatRotate(rapid.Float64Range(-3, 3).Draw(rt, "angle"), vec(0.1, 1, "axis").Normalize())
	}
	asset := rapid.SampledFrom([]string{"full", "plain", "bare", "shared", "gone", "never"})
	n := rapid.IntRange(1, 12).Draw(rt, "entities")
	list := make([]document.Entity, n)
	ids := rapid.Permutation(func() (ids []document.ID) {
		for i := range n {
			ids = append(ids, document.ID(i+1))
		}
		return ids
	}()).Draw(rt, "ids")
	for i := range list {
		e := document.Entity{ID: ids[i], Kind: document.KindObject, Translation: vec(-50, 50, "translation"), Rotation: turn(), Scale: vec(0.5, 2, "scale")}
		for a := range e.Scale {
			if rapid.Bool().Draw(rt, "mirrored") {
				e.Scale[a] *= -1
			}
		}
		if i > 0 {
			if p := rapid.IntRange(-1, i-1).Draw(rt, "parent"); p >= 0 {
				e.Parent = ids[p]
			}
		}
		e.Hidden = rapid.IntRange(0, 3).Draw(rt, "hidden") == 0
		e.Layer = rapid.SampledFrom([]string{"", "seen", "unseen"}).Draw(rt, "layer")
		switch rapid.IntRange(0, 3).Draw(rt, "kind") {
		case 0: // a group
		case 1:
			e.Kind = document.KindMarker
			e.Data = document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{vec(-1, 1, "point")}}
		case 2:
			s := document.Scatter{Assets: []string{"plain", "full", "gone"}}
			for range rapid.IntRange(0, 4).Draw(rt, "points") {
				p := document.ScatterPoint{
					Asset: rapid.IntRange(0, 2).Draw(rt, "asset"), Position: vec(-20, 20, "position"),
					Yaw: rapid.Float64Range(0, 6).Draw(rt, "yaw"), Scale: rapid.Float64Range(0.5, 2).Draw(rt, "size"),
				}
				if rapid.Bool().Draw(rt, "leaning") {
					p.Up = vec(-1, 1, "up").Add(mgl64.Vec3{0, 1.5, 0}).Normalize()
				}
				s.Points = append(s.Points, p)
			}
			e.Kind, e.Data = document.KindScatter, s
		default:
			e.Data = document.Object{Asset: asset.Draw(rt, "asset")}
		}
		list[i] = e
	}
	return list
}

// standing is a node that the file must have, in the order in which a reader meets it.
type standing struct {
	world mgl64.Mat4
	model *mesh.Model // nil for none
}

// expected goes through the level by itself.
func expected(l *document.Level, models map[string]*mesh.Model) (out []standing) {
	var walk func(e *document.Entity)
	walk = func(e *document.Entity) {
		own := expectedOf(l, models, e)
		out = append(out, own[0])
		for c := range l.Children(e.ID) {
			walk(c)
		}
		out = append(out, own[1:]...)
	}
	for e := range l.Entities() {
		if e.Parent == 0 {
			walk(e)
		}
	}
	return out
}

// expectedOf is an entity and, if it is a scatter, its points.
func expectedOf(l *document.Level, models map[string]*mesh.Model, e *document.Entity) []standing {
	find := func(name string) *mesh.Model {
		if _, ok := l.Asset(name); ok && models[name] != nil {
			return models[name]
		}
		return mesh.Placeholder()
	}
	world, _ := l.World(e.ID)
	n := standing{world: world}
	if o, ok := document.ObjectOf(e); ok && o.Asset != "" {
		n.model = find(o.Asset)
	}
	out := []standing{n}
	if s, ok := e.Data.(document.Scatter); ok {
		for i := range s.Points {
			out = append(out, standing{world.Mul4(s.Points[i].Local()), find(s.Assets[s.Points[i].Asset])})
		}
	}
	return out
}

// corner is a vertex of a triangle in the world.
type corner struct {
	at, normal mgl64.Vec3
	uv         mgl32.Vec2
	color      [4]uint8
}

type face struct {
	corners  [3]corner
	material *mesh.Material
	pixels   *image.NRGBA
}

// faces gives a model's triangles of a node, or all for node −1, in the world, wound
// as seen from outside.
func faces(m *mesh.Model, node int, world mgl64.Mat4) (out []face) {
	normals := world.Mat3().Inv().Transpose()
	for _, p := range m.Parts {
		if node >= 0 && p.Node != node {
			continue
		}
		for i := p.First; i < p.First+p.Count; i += 3 {
			f := face{material: &m.Materials[p.Material]}
			if f.material.Image >= 0 {
				f.pixels = m.Images[f.material.Image].Pixels
			}
			for k := range 3 {
				v := m.Indices[i+k]
				pos, nor := m.Positions[v], m.Normals[v]
				c := corner{
					at:     mgl64.TransformCoordinate(mgl64.Vec3{float64(pos[0]), float64(pos[1]), float64(pos[2])}, world),
					normal: normals.Mul3x1(mgl64.Vec3{float64(nor[0]), float64(nor[1]), float64(nor[2])}).Normalize(),
					color:  [4]uint8{255, 255, 255, 255},
				}
				if m.UVs != nil {
					c.uv = m.UVs[v]
				}
				if m.Colors != nil {
					c.color = m.Colors[v]
				}
				f.corners[k] = c
			}
			if world.Mat3().Det() < 0 {
				f.corners[1], f.corners[2] = f.corners[2], f.corners[1]
			}
			out = append(out, f)
		}
	}
	return out
}

func (f *face) sameAs(o *face) bool {
	for turn := range 3 {
		same := true
		for k := range 3 {
			a, b := &f.corners[k], &o.corners[(k+turn)%3]
			if a.at.Sub(b.at).Len() > 1e-3 || a.normal.Sub(b.normal).Len() > 1e-3 || a.uv != b.uv || a.color != b.color {
				same = false
			}
		}
		if same {
			return sameMaterial(f.material, o.material) && (f.pixels == nil) == (o.pixels == nil) &&
				(f.pixels == nil || f.pixels.Rect == o.pixels.Rect && bytes.Equal(f.pixels.Pix, o.pixels.Pix))
		}
	}
	return false
}

func sameMaterial(a, b *mesh.Material) bool {
	x, y := *a, *b
	for i := range x.UV {
		if math.Abs(float64(x.UV[i]-y.UV[i])) > 1e-5 {
			return false
		}
	}
	x.UV, y.UV = mgl32.Mat3{}, mgl32.Mat3{}
	x.Image, y.Image = min(x.Image, 0), min(y.Image, 0)
	return x == y
}

// sameWorld compares the nodes of a model that was read with those expected.
func sameWorld(t testing.TB, m *mesh.Model, first int, want []standing) {
	t.Helper()
	if len(m.Nodes) != first+len(want) {
		t.Fatalf("%d nodes, expected %d", len(m.Nodes), first+len(want))
	}
	for i, w := range want {
		got := faces(m, first+i, mgl64.Ident4())
		var list []face
		if w.model != nil {
			list = faces(w.model, -1, w.world)
		}
		if len(got) != len(list) {
			t.Fatalf("node %d (%q) has %d triangles, expected %d", i, m.Nodes[first+i].Name, len(got), len(list))
		}
	next:
		for k := range list {
			for j := range got {
				if got[j].sameAs(&list[k]) {
					got = append(got[:j], got[j+1:]...)
					continue next
				}
			}
			t.Fatalf("triangle %d of node %d (%q) is not in the file: %+v, %+v", k, i, m.Nodes[first+i].Name, list[k], *list[k].material)
		}
	}
}

// What is read from the file shows the same triangles in the same places, with the
// same materials and pictures, mirrored ones included.
func TestFileHoldsTheThings(t *testing.T) {
	models := testModels(t)
	rapid.Check(t, func(rt *rapid.T) {
		l := noTerrain(t)
		if rapid.Bool().Draw(rt, "ground") {
			l = testScene(t, 3, 3, 1).Level
		}
		s := Scene{Level: withThings(t, l, models, drawEntities(rt)...), Models: library(models)}
		s.Level.Assets = append(s.Level.Assets, document.Asset{Name: "gone", File: "asset:gone.glb"})
		s.Level.Settings.EntityLayers = []document.EntityLayer{{Name: "seen", Locked: true}, {Name: "unseen", Hidden: true}}
		for range s.Level.Layers {
			s.Textures = append(s.Textures, picture(1, 2, 2))
		}
		file, stats := write(t, s)
		m, err := mesh.LoadBytes(context.Background(), file, ".glb")
		if err != nil {
			rt.Fatal(err)
		}
		first := 0
		if stats.Chunks > 0 {
			first = 1 + stats.Chunks
		}
		sameWorld(t, m, first, expected(s.Level, models))
		doc := new(gltf.Document)
		if err := gltf.NewDecoder(bytes.NewReader(file)).Decode(doc); err != nil {
			rt.Fatal(err)
		}
		seen := 0
		for _, n := range doc.Nodes[first:] {
			x, ok := n.Extras.(map[string]any)
			if !ok || x["id"] == nil {
				continue
			}
			seen++
			e, _ := s.Level.Entity(document.ID(x["id"].(float64)))
			hidden, _ := s.Level.Effective(e)
			if (x["hidden"] == true) != hidden || x["kind"] != string(e.Kind) {
				rt.Fatalf("%v of %+v, hidden: %v", x, e, hidden)
			}
			if n.Translation != e.Translation {
				rt.Fatalf("node at %v, entity at %v", n.Translation, e.Translation)
			}
		}
		if seen != s.Level.Len() || stats.Entities != seen {
			rt.Fatalf("%d of %d entities, announced %d", seen, s.Level.Len(), stats.Entities)
		}
		for _, miss := range stats.Missing {
			if miss.Asset != "gone" && miss.Asset != "never" || (miss.Err != nil) != (miss.Asset == "gone") || miss.Objects+miss.Points == 0 {
				rt.Fatalf("missing %+v", miss)
			}
		}
	})
}

// example has one of everything.
func example(t testing.TB) Scene {
	t.Helper()
	models := testModels(t)
	s := testScene(t, 70, 66, 4)
	s.Level = withThings(t, s.Level, models,
		document.Entity{ID: 3, Kind: document.KindObject, Name: `Häuser "alt"`, Layer: "town", Translation: mgl64.Vec3{100000.1, -2.5, 1.0 / 3}},
		document.Entity{ID: 2, Kind: document.KindObject, Parent: 3, Scale: mgl64.Vec3{-1, 1, 2}, Properties: map[string]string{"z": "1", "a": "<&>"},
			Data: document.Object{Asset: "full", Geometry: true, Collision: document.CollideSphere, CollisionRadius: 1.5, Billboard: 80}},
		document.Entity{ID: 4, Kind: document.KindObject, Name: "late", Parent: 3},
		document.Entity{ID: 5, Kind: document.KindObject, Name: "lost", Hidden: true, Rotation: mgl64.Quat{W: 0.5, V: mgl64.Vec3{0.5, -0.5, 0.5}}, Data: document.Object{Asset: "nothing"}},
		document.Entity{ID: 7, Kind: document.KindScatter, Name: "wood", Data: document.Scatter{Assets: []string{"plain", "nothing"}, Billboard: 9, Points: []document.ScatterPoint{
			{Asset: 0, Position: mgl64.Vec3{1, 2, 3}, Scale: 1}, {Asset: 1, Position: mgl64.Vec3{0, 0, 1}, Scale: 0.5},
		}}},
		document.Entity{ID: 8, Kind: document.KindObject, Name: "guest", Parent: 7, Data: document.Object{Asset: "bare"}},
		document.Entity{ID: 9, Kind: document.KindMarker, Name: "road", Data: document.Marker{
			Shape: document.MarkerLine, Points: []mgl64.Vec3{{0, 0, 0}, {1.5, 0, -2}}, Color: mgl64.Vec3{1, 0.25, 0},
		}},
		document.Entity{ID: 10, Kind: document.KindWater, Name: "lake", Data: document.RawData{Of: document.KindWater, JSON: json.RawMessage(`{"level":3}`)}},
	)
	s.Level.Settings.EntityLayers = []document.EntityLayer{{Name: "town", Hidden: true}}
	s.Models = library(models)
	return s
}

// The nodes say what the things are, as the package's documentation has it.
func TestNodes(t *testing.T) {
	s := example(t)
	data, stats := write(t, s)
	size := int(data[12]) | int(data[13])<<8 | int(data[14])<<16
	var doc struct {
		Nodes          []json.RawMessage
		Scenes         []struct{ Nodes []int }
		Meshes         []struct{ Name string }
		ExtensionsUsed []string
	}
	if err := json.Unmarshal(data[20:20+size], &doc); err != nil {
		t.Fatal(err)
	}
	first := 1 + stats.Chunks
	meshOf := func(name string) int {
		for i, m := range doc.Meshes {
			if m.Name == name {
				return i
			}
		}
		t.Fatalf("no mesh %s", name)
		return 0
	}
	want := []string{
		fmt.Sprintf(`{"name":"Häuser \"alt\"","children":[%d,%d],"translation":[100000.1,-2.5,0.3333333333333333],"extras":{"id":3,"kind":"object","layer":"town","hidden":true}}`, first+1, first+2),
		fmt.Sprintf(`{"name":"object_2","mesh":%d,"scale":[-1,1,2],"extras":{"id":2,"kind":"object","hidden":true,"properties":{"a":"<&>","z":"1"},`+
			`"asset":"full","geometry":true,"collision":"sphere","collision_radius":1.5,"billboard":80}}`, meshOf("full")),
		`{"name":"late","extras":{"id":4,"kind":"object","hidden":true}}`,
		fmt.Sprintf(`{"name":"lost","mesh":%d,"rotation":[0.5,-0.5,0.5,0.5],"extras":{"id":5,"kind":"object","hidden":true,"missing":"nothing","asset":"nothing"}}`, meshOf("missing")),
		fmt.Sprintf(`{"name":"wood","children":[%d,%d,%d],"extras":{"id":7,"kind":"scatter","assets":["plain","nothing"],"billboard":9}}`, first+5, first+8, first+9),
		fmt.Sprintf(`{"name":"guest","mesh":%d,"extras":{"id":8,"kind":"object","asset":"bare"}}`, meshOf("bare")),
		`{"name":"road","extras":{"id":9,"kind":"marker","shape":"line","points":[[0,0,0],[1.5,0,-2]],"color":[1,0.25,0]}}`,
		`{"name":"lake","extras":{"id":10,"kind":"water","data":{"level":3}}}`,
		fmt.Sprintf(`{"mesh":%d,"translation":[1,2,3]}`, meshOf("plain")),
		fmt.Sprintf(`{"mesh":%d,"translation":[0,0,1],"scale":[0.5,0.5,0.5],"extras":{"missing":"nothing"}}`, meshOf("missing")),
	}
	// Ids ascend among siblings: 3 comes before 5, with its children.
	got := doc.Nodes[first:]
	if len(got) != len(want) {
		t.Fatalf("%d nodes, expected %d", len(got), len(want))
	}
	for i := range want {
		if string(got[i]) != want[i] {
			t.Errorf("node %d is\n%s, expected\n%s", i, got[i], want[i])
		}
	}
	if r := doc.Scenes[0].Nodes; fmt.Sprint(r) != fmt.Sprint([]int{0, first, first + 3, first + 4, first + 6, first + 7}) {
		t.Errorf("roots %v", r)
	}
	if got := strings.Join(doc.ExtensionsUsed, " "); got != extUnlit+" "+extTransform+" "+visibility.Extension {
		t.Errorf("extensions %s", got)
	}
	if m := stats.Missing; len(m) != 1 || m[0] != (Missing{"nothing", 1, 1, nil}) {
		t.Errorf("missing %+v", m)
	}
	if stats.Entities != 8 || stats.Points != 2 || stats.Meshes != 4 {
		t.Errorf("%+v", stats)
	}
}

// However many processors there are, and whether models are kept or asked for again,
// the bytes are the same. An asset stands in the file once, and so does a picture.
func TestSameThingsSameBytes(t *testing.T) {
	s := example(t)
	shown := slices.IndexFunc(s.Level.Assets, func(a document.Asset) bool { return a.Name == "full" })
	twin := s.Level.Assets[shown]
	twin.Name = "twin"
	s.Level.Assets = append(s.Level.Assets, twin)
	old := runtime.GOMAXPROCS(1)
	one, a := write(t, s)
	runtime.GOMAXPROCS(4)
	four, b := write(t, s)
	runtime.GOMAXPROCS(old)
	if !bytes.Equal(one, four) || a.Bytes != b.Bytes {
		t.Error("the files differ")
	}
	var again bytes.Buffer
	if _, err := writeKeeping(context.Background(), &again, s, nil, keep{}); err != nil || !bytes.Equal(again.Bytes(), one) {
		t.Errorf("the file differs when nothing is kept: %v", err)
	}
	list := []document.Entity{}
	for e := range s.Level.Entities() {
		list = append(list, e.Clone())
	}
	for i := range 50 {
		name := twin.Name
		if i%2 == 0 {
			name = s.Level.Assets[shown].Name
		}
		list = append(list, document.Entity{ID: document.ID(20 + i), Kind: document.KindObject, Data: document.Object{Asset: name}})
	}
	assets := s.Level.Assets
	s.Level = withThings(t, s.Level, nil, list...)
	s.Level.Assets = assets
	models := testModels(t)
	models["twin"] = models[assets[shown].Name]
	s.Models = library(models)
	_, more := write(t, s)
	if more.Vertices != a.Vertices || more.Meshes != a.Meshes+1 {
		t.Errorf("%+v, before %+v", more, a)
	}
	if grown := more.Bytes - a.Bytes; grown > 50*(120+68) {
		t.Errorf("50 more objects of assets that are there take %d bytes", grown)
	}
}

// Models that change between the passes leave no file behind that claims to be whole.
func TestModelsThatChange(t *testing.T) {
	s := Scene{Level: withThings(t, noTerrain(t), map[string]*mesh.Model{"a": nil},
		document.Entity{ID: 1, Kind: document.KindObject, Data: document.Object{Asset: "a"}})}
	calls := 0
	s.Models = func(*document.Asset) (*mesh.Model, error) {
		if calls++; calls == 1 {
			return testModel(t, 1, plain("a")), nil
		}
		return testModel(t, 2, plain("a")), nil
	}
	if _, err := writeKeeping(context.Background(), &bytes.Buffer{}, s, nil, keep{}); err == nil || !strings.Contains(err.Error(), "changed") || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	calls = 0
	s.Models = func(*document.Asset) (*mesh.Model, error) {
		if calls++; calls == 1 {
			return testModel(t, 1, plain("a")), nil
		}
		return nil, errors.New("gone")
	}
	if _, err := writeKeeping(context.Background(), &bytes.Buffer{}, s, nil, keep{}); err == nil || !strings.Contains(err.Error(), `"a": gone`) {
		t.Error(err)
	}
}

// Cancelling is no missing asset.
func TestCancelledModels(t *testing.T) {
	s := example(t)
	ctx, cancel := context.WithCancel(context.Background())
	s.Models = func(*document.Asset) (*mesh.Model, error) {
		cancel()
		return nil, ctx.Err()
	}
	if _, err := Write(ctx, &bytes.Buffer{}, s, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Levels of little.
func TestSmallLevels(t *testing.T) {
	nothing, stats := write(t, Scene{Level: noTerrain(t), Options: Options{NoVisibility: true}})
	if stats.Tris != 0 || bytes.Contains(nothing, []byte("nodes")) {
		t.Errorf("nothing at all: %s", nothing)
	}
	validate(t, nothing)
	marker := document.Entity{ID: 1, Kind: document.KindMarker, Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}}
	data, stats := write(t, Scene{Level: withThings(t, noTerrain(t), nil, marker), Options: Options{NoVisibility: true}})
	if !bytes.Contains(data, []byte(`"marker_1"`)) || bytes.Contains(data, []byte("buffers")) || bytes.Contains(data, []byte("terrain")) || stats.Tris != 0 {
		t.Errorf("a marker alone: %s", data)
	}
	validate(t, data)

	holes, err := terrain.FromHeights(5, 5, 1, make([]float32, 25))
	if err != nil {
		t.Fatal(err)
	}
	d := holes.Draft()
	flags := d.Flags(0, 0)
	for i := range flags {
		flags[i] = terrain.Hole
	}
	holes, _ = d.Field()
	l := document.NewLevel(holes)
	s := Scene{Level: l, Textures: []*image.NRGBA{picture(0, 1, 1), picture(1, 1, 1), picture(2, 1, 1), picture(3, 1, 1)}, Options: Options{NoVisibility: true}}
	if data, _ := write(t, s); !bytes.Equal(data, nothing) {
		t.Errorf("all holes: %s, nothing at all %s", data, nothing)
	}
	s.Level = withThings(t, l, nil, marker)
	s.Options.NoVisibility = true
	data, _ = write(t, Scene{Level: withThings(t, noTerrain(t), nil, marker), Options: s.Options})
	if again, _ := write(t, s); !bytes.Equal(again, data) {
		t.Errorf("holes and a marker: %s, without ground %s", again, data)
	}
}

// Many vertices need indices of 32 bits; the last of 16 bits is not used, as it has
// another meaning.
func TestWideIndices(t *testing.T) {
	for _, more := range []uint32{0, 1} {
		// 65535 vertices, or one more.
		model := testModel(t, 21845, plain("a"))
		n := model.Triangles()
		if more > 0 {
			model.Positions = append(model.Positions, mgl32.Vec3{1, 1, 1})
			model.Normals = append(model.Normals, mgl32.Vec3{0, 1, 0})
			model.Indices = append(model.Indices, 0, 1, 65535)
			n++
			model.Parts[n-2].Count += 3
		}
		models := map[string]*mesh.Model{"a": model}
		s := Scene{Models: library(models), Level: withThings(t, noTerrain(t), models,
			document.Entity{ID: 1, Kind: document.KindObject, Data: document.Object{Asset: "a"}})}
		data, _ := write(t, s)
		m, err := mesh.LoadBytes(context.Background(), data, ".glb")
		if err != nil {
			t.Fatal(err)
		}
		if m.Triangles() != n || m.Positions[m.Indices[3*n-1]] != model.Positions[model.Indices[3*n-1]] {
			t.Errorf("%d triangles became %d", n, m.Triangles())
		}
		if wide := bytes.Contains(data, []byte(`"componentType":5125`)); wide != (more > 0) {
			t.Errorf("%d vertices, 32 bits: %v", len(model.Positions), wide)
		}
	}
}

// Any move, turn and scale of texture coordinates comes back; what glTF cannot say is
// an error.
func TestTextureTransforms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := rapid.OneOf(rapid.Float64Range(-9, 9), rapid.Just(0.0), rapid.Just(1.0))
		u, v, angle := f.Draw(rt, "u"), f.Draw(rt, "v"), rapid.OneOf(rapid.Float64Range(-4, 4), rapid.Just(0.0)).Draw(rt, "angle")
		build := func(t transform) mgl32.Mat3 {
			sin, cos := math.Sincos(t.Rotation)
			return mgl32.Mat3{float32(cos * t.Scale[0]), float32(-sin * t.Scale[0]), 0, float32(sin * t.Scale[1]), float32(cos * t.Scale[1]), 0, float32(t.Offset[0]), float32(t.Offset[1]), 1}
		}
		m := build(transform{[2]float64{3, -1}, angle, [2]float64{u, v}})
		got, err := transformOf(m)
		if err != nil {
			rt.Fatal(err)
		}
		back := build(got)
		for i := range m {
			if math.Abs(float64(m[i]-back[i])) > 1e-5 {
				rt.Fatalf("%v became %v", m, back)
			}
		}
	})
	if _, err := transformOf(mgl32.Mat3{1, 0, 0, 0.5, 1, 0, 0, 0, 1}); err == nil {
		t.Error("a sheared texture is no error")
	}
}

// The point of a scatter is turned as the document says.
func TestScatterRotation(t *testing.T) {
	for _, p := range []document.ScatterPoint{
		{Scale: 1}, {Yaw: 2, Scale: 1}, {Yaw: -1, Scale: 1, Up: mgl64.Vec3{0.6, 0.8, 0}}, {Yaw: 1, Scale: 1, Up: mgl64.Vec3{0, -1, 0}},
	} {
		if got, want := rotation(&p).Mat4(), p.Local(); !got.ApproxEqualThreshold(want, 1e-12) {
			t.Errorf("%+v: %v, expected %v", p, got, want)
		}
	}
}

// validate asks the Khronos validator, where it is installed.
func validate(t *testing.T, data []byte) {
	t.Helper()
	node, err := exec.LookPath("node")
	script := filepath.Join("..", "..", ".ci", "validator")
	if _, e := os.Stat(filepath.Join(script, "node_modules")); err != nil || e != nil {
		t.Skip("the Khronos validator is not installed; make test installs it")
	}
	file := filepath.Join(t.TempDir(), "test.glb")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if report, err := exec.Command(node, filepath.Join(script, "validate.mjs"), file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, report)
	}
}

func TestValidatorFindsNothingInThings(t *testing.T) {
	data, _ := write(t, example(t))
	validate(t, data)
}
