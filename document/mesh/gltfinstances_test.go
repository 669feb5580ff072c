package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"pgregory.net/rapid"
)

// instanced lets a node of a document show its mesh where attributes say; data is what
// modeler.WriteAccessor takes, or the number of an accessor.
func instanced(doc *gltf.Document, node int, attributes map[string]any) {
	numbers := map[string]int{}
	for name, data := range attributes {
		n, ok := data.(int)
		if !ok {
			n = modeler.WriteAccessor(doc, gltf.TargetNone, data)
			switch data.(type) {
			case [][4]int8, [][4]int16:
				doc.Accessors[n].Normalized = true
			}
		}
		numbers[name] = n
	}
	doc.Nodes[node].Extensions = gltf.Extensions{extInstancing: map[string]any{"attributes": numbers}}
	doc.ExtensionsUsed, doc.ExtensionsRequired = []string{extInstancing}, []string{extInstancing}
}

// Instances are what several nodes with one mesh are, below any parent and with any of
// their attributes.
func TestInstancesAreNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "instances")
		f := func(name string, lo, hi int) float32 { return float32(rapid.IntRange(lo*64, hi*64).Draw(t, name)) / 64 }
		var moves, scales [][3]float32
		var turns [][4]float32
		var bytes [][4]int8
		var shorts [][4]int16
		for range n {
			moves = append(moves, [3]float32{f("x", -9, 9), f("y", -9, 9), f("z", -9, 9)})
			scales = append(scales, [3]float32{f("sx", 1, 3), f("sy", 1, 3), f("sz", -3, -1)})
			turns = append(turns, [4]float32{f("i", -1, 1), f("j", -1, 1), f("k", -1, 1), f("w", 1, 2)})
			var b [4]int8
			var s [4]int16
			for k := range 4 {
				b[k] = int8(rapid.IntRange(-128, 127).Draw(t, "byte")) | 1
				s[k] = int16(rapid.IntRange(-32768, 32767).Draw(t, "short")) | 1
			}
			bytes, shorts = append(bytes, b), append(shorts, s)
		}
		attributes := map[string]any{}
		kind := rapid.SampledFrom([]string{"none", "float", "byte", "short"}).Draw(t, "rotations")
		switch kind {
		case "float":
			attributes["ROTATION"] = turns
		case "byte":
			attributes["ROTATION"] = bytes
		case "short":
			attributes["ROTATION"] = shorts
		}
		moved := rapid.Bool().Draw(t, "moved")
		if moved {
			attributes["TRANSLATION"] = moves
		}
		scaled := rapid.Bool().Draw(t, "scaled")
		if scaled {
			attributes["SCALE"] = scales
		}
		if len(attributes) == 0 || rapid.Bool().Draw(t, "numbered") {
			attributes["_ID"] = make([]uint16, n)
		}

		parent, _ := randomNode(t)
		docs := [2]*gltf.Document{cubeDoc(true), cubeDoc(true)}
		for _, doc := range docs {
			above := *parent
			above.Children = []int{0}
			doc.Nodes[0].Name, doc.Nodes = "cube", append(doc.Nodes, &above)
			doc.Scenes[0].Nodes = []int{1}
		}
		instanced(docs[0], 0, attributes)
		for i := range n {
			node := &gltf.Node{Name: "cube", Mesh: gltf.Index(0), Scale: gltf.DefaultScale, Rotation: gltf.DefaultRotation}
			for k := range 3 {
				if moved {
					node.Translation[k] = float64(moves[i][k])
				}
				if scaled {
					node.Scale[k] = float64(scales[i][k])
				}
			}
			for k := range 4 {
				switch kind {
				case "float":
					node.Rotation[k] = float64(turns[i][k])
				case "byte":
					node.Rotation[k] = float64(max(float32(bytes[i][k])/127, -1))
				case "short":
					node.Rotation[k] = float64(max(float32(shorts[i][k])/32767, -1))
				}
			}
			if i == 0 {
				docs[1].Nodes[0] = node
				continue
			}
			docs[1].Nodes[1].Children = append(docs[1].Nodes[1].Children, len(docs[1].Nodes))
			docs[1].Nodes = append(docs[1].Nodes, node)
		}
		var models [2]*Model
		for i, doc := range docs {
			var err error
			if models[i], err = LoadBytes(t.Context(), encodeRapid(t, doc), ".glb"); err != nil {
				t.Fatal(err)
			}
			if err := models[i].Validate(); err != nil {
				t.Fatal(err)
			}
			models[i].Notes = nil // which name nodes otherwise
		}
		if models[0].Triangles() != 12*n || len(models[0].Nodes) != n+1 {
			t.Fatalf("%d triangles in %d nodes", models[0].Triangles(), len(models[0].Nodes))
		}
		if d := difference(models[1], models[0]); d != "" {
			t.Fatal(d)
		}
	})
}

// Instances stand beside the node that has them, whose children are shown once. They are
// called as it is, or as an exported level says.
func TestNamesOfInstances(t *testing.T) {
	doc := cubeDoc(true)
	doc.Nodes = []*gltf.Node{
		{Name: "yard", Children: []int{1, 3}, Translation: [3]float64{100, 0, 0}},
		{Name: "crate", Mesh: gltf.Index(0), Children: []int{2}, Translation: [3]float64{0, 10, 0}},
		{Name: "lid", Mesh: gltf.Index(0)},
		{Mesh: gltf.Index(0), Extras: map[string]any{"instances": []any{map[string]any{"name": "a"}, map[string]any{"name": "b-occ"}}}},
	}
	instanced(doc, 1, map[string]any{"TRANSLATION": [][3]float32{{1, 0, 0}, {5, 0, 0}, {9, 0, 0}}})
	instanced(doc, 3, map[string]any{"SCALE": [][3]float32{{1, 1, 1}, {2, 2, 2}}})
	m := decoded(t, doc)
	want := []Node{{"yard", -1}, {"crate", 0}, {"lid", 1}, {"a", 0}, {"crate", 0}, {"crate", 0}, {"b-occ", 0}}
	if d := cmp.Diff(want, m.Nodes); d != "" {
		t.Error(d)
	}
	middles := map[int][2]float64{}
	for _, p := range m.Parts {
		lo, hi := [2]float64{1e9, 1e9}, [2]float64{-1e9, -1e9}
		for _, v := range m.Indices[p.First:][:p.Count] {
			for k := range 2 {
				x := float64(m.Positions[v][k])
				lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
			}
		}
		middles[p.Node] = [2]float64{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2}
	}
	if d := cmp.Diff(map[int][2]float64{1: {101, 10}, 2: {100, 10}, 3: {100, 0}, 4: {105, 10}, 5: {109, 10}}, middles); d != "" {
		t.Error(d)
	}
	if len(m.Occluders) != 1 || m.Notes != nil {
		t.Errorf("%d occluders, %q", len(m.Occluders), m.Notes)
	}
	outwardParts(t, m)
	// Names of another number, or of another form, are somebody else's.
	for _, extras := range []any{
		map[string]any{"instances": []any{map[string]any{"name": "a"}}},
		map[string]any{"instances": []any{map[string]any{"name": "a"}, map[string]any{"name": 7}}},
		map[string]any{"instances": []any{"a", "b"}}, map[string]any{"instances": 2}, []any{1, 2}, "a",
	} {
		doc.Nodes[3].Extras = extras
		if m := decoded(t, doc); m.Nodes[3].Name != "Cube" || m.Nodes[6].Name != "Cube" {
			t.Errorf("%v: nodes %v", extras, m.Nodes)
		}
	}
}

// What hides is one solid for each instance.
func TestInstancesOfOccluders(t *testing.T) {
	doc := cubeDoc(true)
	doc.Nodes[0].Name = "wall-occ"
	instanced(doc, 0, map[string]any{"TRANSLATION": [][3]float32{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}}})
	if m := decoded(t, doc); len(m.Occluders) != 3 || m.Triangles() != 0 {
		t.Errorf("%d occluders, %d triangles", len(m.Occluders), m.Triangles())
	}
}

// What is mended or cannot be shown is told.
func TestNotesOfInstances(t *testing.T) {
	moves := [][3]float32{{0, 0, 0}, {9, 0, 0}}
	for name, c := range map[string]struct {
		change     func(doc *gltf.Document)
		attributes map[string]any
		triangles  int
		notes      []string
	}{
		"fine":    {nil, map[string]any{"ROTATION": [][4]int8{{127, 0, 0, 0}, {73, 73, 73, 0}}}, 24, nil},
		"odd":     {nil, map[string]any{"ROTATION": [][4]float32{{0, 0, 0, 1}, {0, 2, 0, 0}}}, 24, []string{`Instances of node "cube" have rotations that aren't unit quaternions; they were made ones.`}},
		"flat":    {nil, map[string]any{"SCALE": [][3]float32{{1, 1, 1}, {0, 0, 0}}}, 12, []string{`Node "cube" is scaled to nothing along an axis.`, "12 triangles without area were left out."}},
		"no mesh": {func(doc *gltf.Document) { doc.Nodes[0].Mesh = nil }, map[string]any{"TRANSLATION": moves}, 0, []string{`Node "cube" has instances but no mesh; they are not shown.`, "The model has no triangles."}},
		"points": {func(doc *gltf.Document) { doc.Meshes[0].Primitives[0].Mode = gltf.PrimitivePoints }, map[string]any{"TRANSLATION": moves}, 0,
			[]string{"Points and lines are not supported; they are not shown.", "The model has no triangles."}},
	} {
		doc := cubeDoc(true)
		doc.Nodes[0].Name = "cube"
		instanced(doc, 0, c.attributes)
		if c.change != nil {
			c.change(doc)
		}
		m := decoded(t, doc)
		if d := cmp.Diff(c.notes, m.Notes); d != "" || m.Triangles() != c.triangles {
			t.Errorf("%s: %d triangles, %s", name, m.Triangles(), d)
		}
	}
}

// goodInstances is good with two instances of its triangle, their places behind it.
var goodInstances = strings.NewReplacer(
	`"scene":0`, `"extensionsRequired":["EXT_mesh_gpu_instancing"],"scene":0`,
	`{"mesh":0}`, `{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":2,"ROTATION":3,"SCALE":4,"_ID":5}}}}`,
	`"byteLength":44}`, `"byteLength":128}`,
	`"target":34962}]`, `"target":34962},{"buffer":0,"byteOffset":44,"byteLength":84}]`,
	`"type":"VEC3"}]`, `"type":"VEC3"},
{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":2,"byteOffset":24,"componentType":5126,"count":2,"type":"VEC4"},
{"bufferView":2,"byteOffset":56,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":2,"byteOffset":80,"componentType":5123,"count":2,"type":"SCALAR"}]`,
).Replace(good)

// instancesBin is triangleBin and the places: translations, rotations, scales, numbers.
func instancesBin() []byte {
	b := triangleBin()
	for _, f := range []float32{0, 0, 0, 5, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 2, 2, 2} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return append(b, 0, 0, 1, 0)
}

// Each thing that is wrong with instances is one error that says where.
func TestBadInstances(t *testing.T) {
	const at = "nodes[0].extensions.EXT_mesh_gpu_instancing"
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name, old, new string
		float          int // of the places that is another, with its value
		value          float32
		place, found   string
	}{
		{name: "good"},
		{name: "no attributes", old: `{"attributes":{"TRANSLATION":2,"ROTATION":3,"SCALE":4,"_ID":5}}`, new: `{}`, place: at + ".attributes", found: "nothing"},
		{name: "none of them", old: `"TRANSLATION":2,"ROTATION":3,"SCALE":4,"_ID":5`, place: at + ".attributes", found: "nothing"},
		{name: "null", old: `"ROTATION":3`, new: `"ROTATION":null`, place: at + ".attributes.ROTATION", found: "nothing"},
		{name: "a text", old: `"ROTATION":3`, new: `"ROTATION":"3"`, place: at, found: "a value of another form"},
		{name: "a list", old: `{"attributes":{"TRANSLATION":2,"ROTATION":3,"SCALE":4,"_ID":5}}`, new: `[]`, place: at, found: "a value of another form"},
		{name: "no such accessor", old: `"SCALE":4`, new: `"SCALE":6`, place: at + ".attributes.SCALE", found: "accessor 6"},
		{name: "negative accessor", old: `"SCALE":4`, new: `"SCALE":-1`, place: at + ".attributes.SCALE", found: "accessor -1"},
		{name: "no accessor of a program", old: `"_ID":5`, new: `"_ID":6`, place: at + ".attributes._ID", found: "accessor 6"},
		{name: "unequal", old: `"byteOffset":56,"componentType":5126,"count":2`, new: `"byteOffset":56,"componentType":5126,"count":1`, place: at + ".attributes.SCALE", found: "1 elements"},
		{name: "unequal of a program", old: `"count":2,"type":"SCALAR"`, new: `"count":1,"type":"SCALAR"`, place: at + ".attributes._ID", found: "1 elements"},
		{name: "none", old: `"TRANSLATION":2,"ROTATION":3,"SCALE":4,"_ID":5`, new: `"TRANSLATION":2`, place: at + ".attributes.TRANSLATION", found: "no instances"},
		{name: "without data", old: `{"bufferView":2,"byteOffset":56,`, new: `{`, place: at + ".attributes.SCALE", found: "an accessor without data of its own"},
		{name: "numbers without data", old: `{"bufferView":2,"byteOffset":80,`, new: `{`, place: at + ".attributes._ID", found: "an accessor without data of its own"},
		{name: "beyond the view", old: `"byteOffset":56`, new: `"byteOffset":64`, place: "accessors[4]", found: "2 elements of 12 bytes at 64"},
		{name: "translation of four", old: `"TRANSLATION":2`, new: `"TRANSLATION":3`, place: at + ".attributes.TRANSLATION", found: "4 components of FLOAT"},
		{name: "rotation of three", old: `"ROTATION":3`, new: `"ROTATION":2`, place: at + ".attributes.ROTATION", found: "3 components of FLOAT"},
		{name: "a matrix", old: `"componentType":5126,"count":2,"type":"VEC4"`, new: `"componentType":5126,"count":2,"type":"MAT2"`, place: at + ".attributes.ROTATION", found: "4 components of FLOAT"},
		{name: "unsigned", old: `"componentType":5126,"count":2,"type":"VEC4"`, new: `"componentType":5123,"normalized":true,"count":2,"type":"VEC4"`, place: at + ".attributes.ROTATION", found: "4 components of UNSIGNED_SHORT normalized"},
		{name: "not normalized", old: `"componentType":5126,"count":2,"type":"VEC4"`, new: `"componentType":5122,"count":2,"type":"VEC4"`, place: at + ".attributes.ROTATION", found: "4 components of SHORT"},
		{name: "scale of shorts", old: `"byteOffset":56,"componentType":5126`, new: `"byteOffset":56,"componentType":5122,"normalized":true`, place: at + ".attributes.SCALE", found: "3 components of SHORT normalized"},
		{name: "no number", float: 4, value: nan, place: at + ".attributes.TRANSLATION", found: "[5 NaN 0] for instance 1"},
		{name: "endless", float: 18, value: inf, place: at + ".attributes.SCALE", found: "[2 +Inf 2] for instance 1"},
		{name: "no rotation", float: 9, value: 0, place: at + ".attributes.ROTATION", found: "[0 0 0 0] for instance 0"},
		{name: "huge rotation", float: 10, value: 1e30, place: at + ".attributes.ROTATION", found: "[1e+30 0 1 0] for instance 1"},
		{name: "far away", float: 4, value: 2e7, place: "nodes[0], instance 1", found: "a vertex at 0, 0, 0, placed at 2e+07 along an axis"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(goodInstances, c.old, c.new, 1)
			if c.name == "none" {
				text = strings.Replace(text, `"count":2`, `"count":0`, 1)
			}
			bin := instancesBin()
			if c.old == "" && c.name != "good" {
				binary.LittleEndian.PutUint32(bin[44+4*c.float:], math.Float32bits(c.value))
			} else if text == goodInstances && c.name != "good" {
				t.Fatal("nothing was changed")
			}
			m, err := Load(t.Context(), fstest.MapFS{"m.gltf": {Data: []byte(text)}, "t.bin": {Data: bin}}, "m.gltf")
			if c.name == "good" {
				if err != nil || m.Triangles() != 2 || len(m.Nodes) != 2 || m.Bounds.Min[1] != -2 || m.Bounds.Max[0] != 5 || m.Notes != nil {
					t.Fatalf("%v, %+v", err, m)
				}
				return
			}
			if f := wantFault(t, err, c.place); f.Found != c.found || f.File != "m.gltf" {
				t.Errorf("found %q in %q, expected %q", f.Found, f.File, c.found)
			}
		})
	}
}

// Few bytes do not become many instances: their number is that of the data, and what
// nodes share is counted for each.
func TestInstancesAreLimited(t *testing.T) {
	const n = 1 << 12
	many := func(nodes, triangles int) *gltf.Document {
		doc := cubeDoc(true)
		grid := make([]uint16, 3*triangles)
		for i := range grid {
			grid[i] = uint16(i % 3)
		}
		if triangles == 0 {
			doc.Meshes[0].Primitives[0].Mode = gltf.PrimitivePoints
			grid = make([]uint16, 1)
		}
		doc.Meshes[0].Primitives[0].Indices = gltf.Index(modeler.WriteIndices(doc, grid))
		instanced(doc, 0, map[string]any{"TRANSLATION": make([][3]float32, n)})
		for i := range nodes - 1 {
			doc.Nodes = append(doc.Nodes, &gltf.Node{Mesh: gltf.Index(0), Extensions: doc.Nodes[0].Extensions})
			doc.Scenes[0].Nodes = append(doc.Scenes[0].Nodes, i+1)
		}
		return doc
	}
	for _, c := range []struct {
		nodes, triangles int
		place            string
	}{
		{1, MaxTriangles/n + 1, "meshes[0]"},
		{MaxInstances/n + 1, 1, fmt.Sprintf("nodes[%d].extensions.EXT_mesh_gpu_instancing", MaxInstances/n)},
		{MaxInstances / n, 0, ""}, // what has no triangles takes nothing
	} {
		data := encode(t, many(c.nodes, c.triangles))
		var err error
		if used := memory(func() { _, err = LoadBytes(t.Context(), data, ".glb") }); used > 16<<20 {
			t.Errorf("%d bytes were allocated", used)
		}
		if c.place != "" {
			wantFault(t, err, c.place)
		} else if err != nil {
			t.Error(err)
		}
	}
}
