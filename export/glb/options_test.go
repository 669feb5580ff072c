package glb

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/mesh"
)

// decode reads a file's structure and its binary part.
func decode(t testing.TB, file []byte) *gltf.Document {
	t.Helper()
	doc := new(gltf.Document)
	if err := gltf.NewDecoder(bytes.NewReader(file)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// floatsAt reads an accessor of floats.
func floatsAt(doc *gltf.Document, accessor int) (out [][]float64) {
	a := doc.Accessors[accessor]
	v := doc.BufferViews[*a.BufferView]
	n := a.Type.Components()
	for i := range a.Count {
		row := make([]float64, n)
		for k := range row {
			row[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(doc.Buffers[0].Data[v.ByteOffset+a.ByteOffset+4*(i*n+k):])))
		}
		out = append(out, row)
	}
	return out
}

// expand replaces the instances of nodes by nodes of their own, as a reader that does
// not know EXT_mesh_gpu_instancing can see them.
func expand(t testing.TB, file []byte) []byte {
	t.Helper()
	doc := decode(t, file)
	for i := range len(doc.Nodes) {
		n := doc.Nodes[i]
		value, ok := n.Extensions[extInstancing]
		if !ok {
			continue
		}
		var ext struct{ Attributes map[string]int }
		if err := json.Unmarshal(value.(json.RawMessage), &ext); err != nil {
			t.Fatal(err)
		}
		mesh := n.Mesh
		n.Mesh, n.Extensions = nil, nil
		rows := map[string][][]float64{}
		for name, a := range ext.Attributes {
			rows[name] = floatsAt(doc, a)
		}
		for k, at := range rows["TRANSLATION"] {
			c := &gltf.Node{Mesh: mesh, Translation: [3]float64(at), Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1}}
			if r := rows["ROTATION"]; r != nil {
				c.Rotation = [4]float64(r[k])
			}
			if s := rows["SCALE"]; s != nil {
				c.Scale = [3]float64(s[k])
			}
			if s := c.Scale; s[0]*s[1]*s[2] <= 0 {
				t.Fatalf("an instance of %q has scale %v, which no renderer of instances turns the winding for", n.Name, s)
			}
			n.Children = append(n.Children, len(doc.Nodes))
			doc.Nodes = append(doc.Nodes, c)
		}
	}
	doc.ExtensionsRequired = slices.DeleteFunc(doc.ExtensionsRequired, func(e string) bool { return e == extInstancing })
	doc.Extensions = nil
	var out bytes.Buffer
	e := gltf.NewEncoder(&out)
	e.AsBinary = true
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// near reports whether two triangles are the same but for quantization and what
// float32 keeps of places.
func (f *face) near(o *face, tolerance float64) bool {
	for turn := range 3 {
		same := true
		for k := range 3 {
			a, b := &f.corners[k], &o.corners[(k+turn)%3]
			if a.at.Sub(b.at).Len() > tolerance || a.normal.Sub(b.normal).Len() > 0.03 || a.uv.Sub(b.uv).Len() > 1e-4 || a.color != b.color {
				same = false
				break
			}
		}
		if same {
			return f.material.Name == o.material.Name
		}
	}
	return false
}

// Whatever the options, a reader sees the triangles of the level where they stand,
// wound as they are: quantized, instanced, turned, scaled, and only those chosen.
func TestOptionsKeepTheThings(t *testing.T) {
	models := testModels(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := Scene{Level: withThings(t, noTerrain(t), models, drawEntities(rt)...), Models: library(models)}
		o := &s.Options
		o.Quantize, o.Instancing, o.ZUp = rapid.Bool().Draw(rt, "quantize"), rapid.Bool().Draw(rt, "instancing"), rapid.Bool().Draw(rt, "z up")
		o.Scale = rapid.SampledFrom([]float64{0, 1, 100, 0.5}).Draw(rt, "scale")
		taken := func(document.ID) bool { return true }
		if rapid.Bool().Draw(rt, "only some") {
			id := document.ID(rapid.IntRange(1, s.Level.Len()).Draw(rt, "only"))
			o.Only = []document.ID{id}
			taken = func(e document.ID) bool {
				for e != 0 && e != id {
					at, _ := s.Level.Entity(e)
					e = at.Parent
				}
				return e == id
			}
		}
		file, stats := write(t, s)
		m, err := mesh.LoadBytes(context.Background(), expand(t, file), ".glb")
		if err != nil {
			rt.Fatal(err)
		}
		root, unit := mgl64.Ident4(), 1.0
		if o.Scale != 0 {
			unit = o.Scale
			root = mgl64.Scale3D(unit, unit, unit)
		}
		if o.ZUp {
			root = mgl64.Mat4FromCols(mgl64.Vec4{1, 0, 0, 0}, mgl64.Vec4{0, 0, 1, 0}, mgl64.Vec4{0, -1, 0, 0}, mgl64.Vec4{0, 0, 0, 1}).Mul4(root)
		}
		var want []face
		count := 0
		for e := range s.Level.Entities() {
			if !taken(e.ID) {
				continue
			}
			count++
			alone := expectedOf(s.Level, models, e)
			for _, n := range alone {
				if n.model != nil {
					want = append(want, faces(n.model, -1, root.Mul4(n.world))...)
				}
			}
		}
		if o.Only == nil && count != stats.Entities {
			rt.Fatalf("%d entities, expected %d", stats.Entities, count)
		}
		got := faces(m, -1, mgl64.Ident4())
		if len(got) != len(want) {
			rt.Fatalf("%d triangles, expected %d", len(got), len(want))
		}
		// Nested scales reach 2¹², and float32 keeps a 10⁷th of some thousand metres.
		tolerance := 1e-3
		for i := range want {
			for _, c := range want[i].corners {
				tolerance = max(tolerance, 1e-4*c.at.Len())
			}
		}
	next:
		for i := range want {
			for k := range got {
				if got[k].near(&want[i], tolerance) {
					got[k] = got[len(got)-1]
					got = got[:len(got)-1]
					continue next
				}
			}
			rt.Fatalf("triangle %d is not in the file: %+v of %q", i, want[i].corners, want[i].material.Name)
		}
	})
}

// Instances keep what the things are, in the order of the instances.
func TestInstances(t *testing.T) {
	models := testModels(t)
	var list []document.Entity
	for i := range 6 {
		e := document.Entity{ID: document.ID(i + 1), Kind: document.KindObject, Translation: mgl64.Vec3{1e5 + float64(i)/8, 0, 0}, Data: document.Object{Asset: "plain"}}
		if i%3 == 2 {
			e.Scale = mgl64.Vec3{1, -1, 1}
		}
		list = append(list, e)
	}
	list[4].Properties = map[string]string{"team": "red"}
	list = append(list,
		document.Entity{ID: 7, Kind: document.KindObject, Name: "parent", Data: document.Object{Asset: "plain"}},
		document.Entity{ID: 8, Kind: document.KindObject, Name: "alone", Parent: 7, Data: document.Object{Asset: "plain"}},
		document.Entity{ID: 9, Kind: document.KindScatter, Name: "wood", Data: document.Scatter{Assets: []string{"plain", "gone"}, Points: []document.ScatterPoint{
			{Asset: 1, Position: mgl64.Vec3{1, 2, 3}, Scale: 1}, {Asset: 0, Position: mgl64.Vec3{0, 0, 1}, Scale: 0.5}, {Asset: 1, Position: mgl64.Vec3{4, 2, 3}, Scale: 1},
		}}},
	)
	s := Scene{Level: withThings(t, noTerrain(t), models, list...), Models: library(models), Options: Options{Instancing: true}}
	file, stats := write(t, s)
	validate(t, file)
	doc := decode(t, file)
	byName := map[string][]*gltf.Node{}
	for _, n := range doc.Nodes {
		byName[n.Name] = append(byName[n.Name], n)
	}
	// Of object 8 and others nothing but their own node; of the rest groups.
	if len(doc.Nodes) != 3+2+2 || len(byName["alone"]) != 1 || len(byName["wood"][0].Children) != 2 || stats.Entities != 9 || stats.Points != 3 {
		t.Fatalf("%d nodes, %v, %+v", len(doc.Nodes), byName, stats)
	}
	groups := byName["plain"]
	ids := func(n *gltf.Node) (out []float64) {
		for _, i := range n.Extras.(map[string]any)["instances"].([]any) {
			x := i.(map[string]any)
			out = append(out, x["id"].(float64))
			if x["id"] == 5.0 && (x["properties"].(map[string]any)["team"] != "red" || x["name"] != "object_5") {
				t.Errorf("instance %v", x)
			}
		}
		return out
	}
	var mirrored, upright *gltf.Node
	for _, n := range groups {
		switch {
		case n.Extras.(map[string]any)["instances"] == nil:
		case n.Scale[0] < 0:
			mirrored = n
		default:
			upright = n
		}
	}
	if !slices.Equal(ids(upright), []float64{1, 2, 4, 5}) || !slices.Equal(ids(mirrored), []float64{3, 6}) {
		t.Errorf("instances %v and %v", ids(upright), ids(mirrored))
	}
	if !slices.Contains(doc.ExtensionsRequired, extInstancing) {
		t.Error("instancing is not required")
	}
	// 100 km away an eighth of a metre is kept.
	var ext struct{ Attributes map[string]int }
	if err := json.Unmarshal(upright.Extensions[extInstancing].(json.RawMessage), &ext); err != nil {
		t.Fatal(err)
	}
	for k, at := range floatsAt(doc, ext.Attributes["TRANSLATION"]) {
		if x := upright.Translation[0] + at[0]; x != 1e5+[]float64{0, 1, 3, 4}[k]/8 {
			t.Errorf("instance %d at %v", k, x)
		}
	}
}

// A quantized mesh is small, and its node stays the thing's own.
func TestQuantized(t *testing.T) {
	s := example(t)
	plain, _ := write(t, s)
	s.Options.Quantize = true
	small, _ := write(t, s)
	validate(t, small)
	if len(small) >= len(plain) {
		t.Errorf("%d bytes, %d before", len(small), len(plain))
	}
	doc := decode(t, small)
	for _, n := range doc.Nodes {
		if n.Name == "object_2" && (n.Mesh != nil || n.Scale != [3]float64{-1, 1, 2} || len(n.Children) != 1 || doc.Nodes[n.Children[0]].Mesh == nil) {
			t.Errorf("object 2 is %+v", n)
		}
	}
	if !slices.Contains(doc.ExtensionsRequired, extQuantization) {
		t.Error("quantization is not required")
	}
}

// What is chosen keeps its place, though what it stands below is not shown.
func TestOnly(t *testing.T) {
	s := example(t)
	s.Options.Only = []document.ID{2}
	file, stats := write(t, s)
	validate(t, file)
	doc := decode(t, file)
	if len(doc.Nodes) != 2 || stats.Chunks != 0 || stats.Meshes != 1 || doc.Nodes[0].Mesh != nil || doc.Nodes[0].Extras.(map[string]any)["carrier"] != true {
		t.Errorf("%+v %+v", doc.Nodes, stats)
	}
	if doc.Extensions != nil {
		t.Error("a selection tells what hides what")
	}
	for want, only := range map[string][]document.ID{"no thing 77": {2, 77}, "nothing is chosen": {}} {
		s.Options.Only = only
		if _, err := Write(t.Context(), &bytes.Buffer{}, s, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", only, err, want)
		}
	}
}

// Strict refuses before anything is written and names all that is missing.
func TestStrict(t *testing.T) {
	s := example(t)
	s.Level.Assets = append(s.Level.Assets, document.Asset{Name: "torn", File: "asset:torn.glb"})
	s.Level = withThings(t, s.Level, nil, append(entities(s.Level), document.Entity{ID: 99, Kind: document.KindObject, Data: document.Object{Asset: "torn"}})...)
	s.Options.Strict = true
	var b bytes.Buffer
	_, err := Write(t.Context(), &b, s, nil)
	if err == nil || !strings.Contains(err.Error(), `no asset "nothing"`) || !strings.Contains(err.Error(), `"torn" cannot be read: gone`) || b.Len() > 0 {
		t.Errorf("%v after %d bytes", err, b.Len())
	}
	// A model that is not all numbers is missing like one that cannot be read.
	s.Options.Strict = false
	s.Models = func(a *document.Asset) (*mesh.Model, error) {
		m := testModel(t, 1, plain("a"))
		m.Positions[1][1] = float32(math.NaN())
		return m, nil
	}
	file, stats := write(t, s)
	validate(t, file)
	if len(stats.Missing) == 0 || stats.Meshes != 1 || stats.Missing[0].Err == nil {
		t.Errorf("%+v", stats)
	}
}

func entities(l *document.Level) (list []document.Entity) {
	for e := range l.Entities() {
		list = append(list, e.Clone())
	}
	return list
}

// All options together give a valid file, and the same one each time.
func TestOptionsTogether(t *testing.T) {
	s := example(t)
	s.Options = Options{Quantize: true, Instancing: true, ZUp: true, Scale: 100}
	a, _ := write(t, s)
	b, _ := write(t, s)
	if !bytes.Equal(a, b) {
		t.Error("the files differ")
	}
	validate(t, a)
	for _, o := range []Options{{Scale: -1}, {Scale: math.NaN()}, {Scale: 1e9}} {
		s.Options = o
		if _, err := Write(t.Context(), &bytes.Buffer{}, s, nil); err == nil || !strings.Contains(err.Error(), "scale") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Options = Options{Instancing: true}
	if _, err := Write(ctx, &bytes.Buffer{}, s, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Eight bits keep a direction within half a degree.
func TestByteNormals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := mgl64.SphericalToCartesian(1, rapid.Float64Range(0, math.Pi).Draw(rt, "theta"), rapid.Float64Range(-4, 4).Draw(rt, "phi"))
		b := byteNormal([3]float32{float32(n[0]), float32(n[1]), float32(n[2])})
		v := mgl64.Vec3{float64(b[0]), float64(b[1]), float64(b[2])}.Mul(1.0 / 127)
		if math.Abs(v.Len()-1) > 0.0067 || v.Normalize().Dot(n) < math.Cos(0.5*math.Pi/180) {
			rt.Fatalf("%v became %v", n, b)
		}
	})
}

// Instances that are mirrored and turned show the triangles of the things.
func TestMirroredInstances(t *testing.T) {
	models := testModels(t)
	var list []document.Entity
	for i := range 12 {
		f := float64(i)
		s := mgl64.Vec3{1, 2, 3}
		for a := range s {
			if i>>a&1 == 1 {
				s[a] *= -1
			}
		}
		list = append(list, document.Entity{
			ID: document.ID(i + 1), Kind: document.KindObject, Translation: mgl64.Vec3{f, 2 * f, -f}, Scale: s,
			Rotation: mgl64.QuatRotate(0.5+f, mgl64.Vec3{1, f, 2}.Normalize()), Data: document.Object{Asset: "plain"},
		})
	}
	s := Scene{Level: withThings(t, noTerrain(t), models, list...), Models: library(models), Options: Options{Instancing: true, Quantize: true}}
	file, _ := write(t, s)
	if n := len(decode(t, file).Nodes); n != 2 {
		t.Fatalf("%d nodes, expected one of mirrored and one of other things", n)
	}
	m, err := mesh.LoadBytes(t.Context(), expand(t, file), ".glb")
	if err != nil {
		t.Fatal(err)
	}
	got := faces(m, -1, mgl64.Ident4())
	for _, n := range expected(s.Level, models) {
		for _, want := range faces(n.model, -1, n.world) {
			if !slices.ContainsFunc(got, func(f face) bool { return f.near(&want, 1e-3) }) {
				t.Errorf("no triangle at %v", want.corners)
			}
		}
	}
}
