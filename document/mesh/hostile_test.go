package mesh

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// good is a document of one triangle in one node, in the folder of triangleBin.
const good = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":1},"indices":0}]}],
"buffers":[{"uri":"t.bin","byteLength":44}],
"bufferViews":[{"buffer":0,"byteLength":6,"target":34963},{"buffer":0,"byteOffset":8,"byteLength":36,"target":34962}],
"accessors":[{"bufferView":0,"componentType":5123,"count":3,"type":"SCALAR"},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"}]}`

// triangleBin has the indices and positions of a triangle.
func triangleBin() []byte {
	b := []byte{0, 0, 1, 0, 2, 0, 0, 0}
	for _, f := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func TestGoodIsGood(t *testing.T) {
	m, err := Load(t.Context(), fstest.MapFS{"x/m.gltf": {Data: []byte(good)}, "x/t.bin": {Data: triangleBin()}}, "x/m.gltf")
	if err != nil || m.Triangles() != 1 || m.Notes != nil {
		t.Fatalf("%v, %+v", err, m)
	}
}

// TestBadDocuments breaks one thing of a good document each.
func TestBadDocuments(t *testing.T) {
	for _, c := range []struct{ name, old, new, place, found string }{
		{"index out of range", `"bufferView":0,"componentType":5123`, `"bufferView":0,"byteOffset":2,"componentType":5121`, "", ""},
		{"two GB claimed", `"count":3,"type":"VEC3"`, `"count":178956970,"type":"VEC3"`, "accessors[1]", "178956970 elements of 12 bytes at 0"},
		{"as much as an int", `"count":3,"type":"VEC3"`, `"count":9223372036854775807,"type":"VEC3"`, "accessors[1]", "9223372036854775807 elements of 12 bytes at 0"},
		{"negative count", `"count":3,"type":"VEC3"`, `"count":-1,"type":"VEC3"`, "accessors[1].count", "-1"},
		{"count as text", `"count":3,"type":"VEC3"`, `"count":"3","type":"VEC3"`, "JSON, accessors.count", "a text"},
		{"no count", `"count":3,"type":"VEC3"`, `"type":"VEC3"`, "accessors[1].count", "nothing"},
		{"unknown type", `"type":"VEC3"`, `"type":"VEC5"`, "JSON", ""},
		{"unknown component type", `"componentType":5126`, `"componentType":5124`, "accessors[1].componentType", "5124"},
		{"huge offset", `"bufferView":1,`, `"bufferView":1,"byteOffset":9223372036854775807,`, "accessors[1]", "3 elements of 12 bytes at 9223372036854775807"},
		{"negative offset", `"byteOffset":8`, `"byteOffset":-8`, "bufferViews[1].byteOffset", "-8"},
		{"view beyond the buffer", `"byteLength":36`, `"byteLength":9223372036854775807`, "bufferViews[1]", "9223372036854775807 bytes at 8"},
		{"view of no buffer", `"buffer":0,"byteLength":6`, `"buffer":7,"byteLength":6`, "bufferViews[0].buffer", "buffer 7"},
		{"buffer shorter than it says", `"byteLength":44`, `"byteLength":2147483648`, "buffers[0].byteLength", "2147483648"},
		{"unaligned stride", `"target":34962`, `"target":34962,"byteStride":13`, "bufferViews[1].byteStride", "13"},
		{"null accessor", `"accessors":[`, `"accessors":[null,`, "accessors[0]", "null"},
		{"null primitive", `"primitives":[`, `"primitives":[null,`, "meshes[0].primitives[0]", "null"},
		{"list twice", `"nodes":[{"mesh":0}],`, `"nodes":[{"mesh":0}],"Nodes":[],`, "", ""},
		{"missing buffer", `t.bin`, `gone.bin`, "buffers[0].uri", `the name "gone.bin"`},
		{"no buffer data", `"uri":"t.bin",`, ``, "buffers[0]", "no data"},
		{"outside the folder", `t.bin`, `../../x`, "buffers[0].uri", `a path that leaves the folder, "../../x"`},
		{"outside in the middle", `t.bin`, `a/../../t.bin`, "buffers[0].uri", `a path that leaves the folder, "a/../../t.bin"`},
		{"outside, escaped", `t.bin`, `%2e%2e/t.bin`, "buffers[0].uri", `a path that leaves the folder, "%2e%2e/t.bin"`},
		{"outside, escaped slash", `t.bin`, `..%2ft.bin`, "buffers[0].uri", `a path that leaves the folder, "..%2ft.bin"`},
		{"outside, backslashes", `t.bin`, `..\\..\\t.bin`, "buffers[0].uri", `a path that leaves the folder, "..\\..\\t.bin"`},
		{"absolute", `t.bin`, `/etc/passwd`, "buffers[0].uri", `the absolute path "/etc/passwd"`},
		{"a drive", `t.bin`, `C:\\t.bin`, "buffers[0].uri", `the absolute path "C:\\t.bin"`},
		{"a share", `t.bin`, `\\\\host\\t.bin`, "buffers[0].uri", `the absolute path "\\\\host\\t.bin"`},
		{"an address", `t.bin`, `http://example.com/t.bin`, "buffers[0].uri", `the address "http://example.com/t.bin"`},
		{"an escaped address", `t.bin`, `file%3A///t.bin`, "buffers[0].uri", `the address "file%3A///t.bin"`},
		{"the folder", `t.bin`, `.`, "buffers[0].uri", `the unusable name "."`},
		{"a zero byte", `t.bin`, `t%00.bin`, "buffers[0].uri", `the unusable name "t%00.bin"`},
		{"bad base64", `t.bin`, `data:;base64,!!!!`, "buffers[0].uri", `a data URI with illegal base64 data at input byte 0`},
		{"cycle", `"nodes":[{"mesh":0}]`, `"nodes":[{"children":[0]}]`, "nodes[0]", "a node that is its own ancestor"},
		{"long cycle", `"nodes":[{"mesh":0}]`, `"nodes":[{"mesh":0},{"children":[2]},{"children":[3]},{"children":[1]}]`, "nodes[1]", "a node that is its own ancestor"},
		{"two parents", `"nodes":[{"mesh":0}]`, `"nodes":[{"children":[2]},{"children":[2]},{}]`, "nodes[1].children[0]", "node 2, which nodes[0] has for a child"},
		{"child twice", `"nodes":[{"mesh":0}]`, `"nodes":[{"children":[1,1]},{}]`, "nodes[0].children[1]", "node 1, which nodes[0] has for a child"},
		{"scene below the top", `"nodes":[{"mesh":0}]`, `"nodes":[{},{"children":[0]}]`, "scenes[0].nodes[0]", "node 0, a child of nodes[1]"},
		{"no such mesh", `"mesh":0`, `"mesh":-1`, "nodes[0].mesh", "mesh -1"},
		{"no such scene", `"scene":0`, `"scene":9`, "scene", "scene 9"},
		{"short matrix", `{"mesh":0}`, `{"mesh":0,"matrix":[1,2,3]}`, "nodes[0].matrix", "3 numbers"},
		{"perspective matrix", `{"mesh":0}`, `{"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}`, "nodes[0].matrix", "the last row 1 0 0 1"},
		{"long scale", `{"mesh":0}`, `{"mesh":0,"scale":[1,1,1,1]}`, "nodes[0].scale", "4 numbers"},
		{"far away", `{"mesh":0}`, `{"mesh":0,"translation":[0,2e7,0]}`, "nodes[0]", "a vertex at 0, 0, 0, placed at 2e+07 along an axis"},
		{"scaled to infinity", `{"mesh":0}`, `{"mesh":0,"scale":[1e300,1e300,1e300]}`, "nodes[0]", "a vertex at 1, 0, 0, placed at 1e+300 along an axis"},
		{"indices as floats", `"componentType":5123`, `"componentType":5126`, "accessors[0]", "3 elements of 4 bytes at 0"},
		{"signed indices", `"componentType":5123`, `"componentType":5122`, "meshes[0].primitives[0].indices", "1 components of SHORT"},
		{"positions of shorts", `"componentType":5126`, `"componentType":5122`, "meshes[0].primitives[0].attributes.POSITION", "3 components of SHORT"},
		{"unknown mode", `"indices":0`, `"indices":0,"mode":7`, "meshes[0].primitives[0].mode", "7"},
		{"required extension", `"scene":0`, `"extensionsRequired":["KHR_texture_basisu"],"scene":0`, "extensionsRequired[0]", `the extension "KHR_texture_basisu", which is not supported`},
		{"unequal counts", `{"POSITION":1}`, `{"POSITION":1,"COLOR_0":0}`, "meshes[0].primitives[0].attributes.COLOR_0", "1 components of UNSIGNED_SHORT"},
		{"another version", `"2.0"`, `"3.0"`, "asset.version", `"3.0"`},
		{"cut off", `"type":"VEC3"}]}`, ``, "", ""},
		{"more behind", `"type":"VEC3"}]}`, `"type":"VEC3"}]} {}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("nothing was changed")
			}
			// What the bad references lead to is there, but outside the folder.
			folder := fstest.MapFS{"a/b/m.gltf": {Data: []byte(text)}, "a/b/t.bin": {Data: triangleBin()},
				"x": {Data: triangleBin()}, "a/t.bin": {Data: triangleBin()}, "t.bin": {Data: triangleBin()}}
			m, err := Load(t.Context(), watched{t, folder}, "a/b/m.gltf")
			if c.name == "index out of range" {
				// Shifted by a byte the indices are 1, 0, 2, so nothing is wrong yet.
				if err != nil || m.Triangles() != 1 {
					t.Fatal(err)
				}
				return
			}
			if c.place == "" {
				if err == nil {
					t.Fatal("no error")
				}
				return
			}
			if f := wantFault(t, err, c.place); c.found != "" && f.Found != c.found {
				t.Errorf("found %q, expected %q", f.Found, c.found)
			}
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("several lines: %q", err)
			}
		})
	}
}

// watched fails the test when a name outside of a/b is opened.
type watched struct {
	t *testing.T
	fs.FS
}

func (w watched) Open(name string) (fs.File, error) {
	if !strings.HasPrefix(name, "a/b/") || !fs.ValidPath(name) {
		w.t.Errorf("%q was opened", name)
	}
	return w.FS.Open(name)
}

func TestBadPositions(t *testing.T) {
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1.1e7} {
		bin := triangleBin()
		binary.LittleEndian.PutUint32(bin[8+12:], math.Float32bits(v))
		_, err := Load(t.Context(), fstest.MapFS{"m.gltf": {Data: []byte(good)}, "t.bin": {Data: bin}}, "m.gltf")
		place := "meshes[0].primitives[0].attributes.POSITION"
		if v == 1.1e7 {
			place = "nodes[0]"
		}
		wantFault(t, err, place)
	}
	bin := triangleBin()
	bin[4] = 3
	_, err := Load(t.Context(), fstest.MapFS{"m.gltf": {Data: []byte(good)}, "t.bin": {Data: bin}}, "m.gltf")
	if f := wantFault(t, err, "meshes[0].primitives[0].indices"); f.Found != "the index 3 at position 2" {
		t.Errorf("found %q", f.Found)
	}
}

func TestTrianglesWithoutAreaAreLeftOut(t *testing.T) {
	doc := cubeDoc(true)
	indices := append([]uint16{0, 0, 1, 3, 3, 3}, cubeIndices...)
	doc.Meshes[0].Primitives[0].Indices = gltf.Index(modeler.WriteIndices(doc, indices))
	doc.Nodes = append(doc.Nodes,
		&gltf.Node{Mesh: gltf.Index(0), Scale: [3]float64{0, 1e-30, 0}, Translation: [3]float64{1, 1, 1}, Name: "nothing"},
		&gltf.Node{Mesh: gltf.Index(0), Scale: [3]float64{2, 0, 1e-200}, Translation: [3]float64{5, 0, 0}, Name: "line"},
		&gltf.Node{Mesh: gltf.Index(0), Scale: [3]float64{1, 1e-300, 1}, Translation: [3]float64{9, 0, 0}, Name: "sheet"})
	doc.Scenes[0].Nodes = []int{0, 1, 2, 3}
	m := decoded(t, doc)
	want := []string{
		`Node "nothing" is scaled to nothing along an axis.`, `Node "line" is scaled to nothing along an axis.`,
		// Of the sheet, the four sides that stand on it are gone.
		fmt.Sprintf("%d triangles without area were left out.", 4*2+12+12+8),
	}
	if fmt.Sprint(m.Notes) != fmt.Sprint(want) {
		t.Errorf("notes %q, expected %q", m.Notes, want)
	}
	if m.Triangles() != 12+4 {
		t.Errorf("%d triangles", m.Triangles())
	}
}

// memory runs f and gives the bytes that it allocated.
func memory(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestClaimsTakeNoMemory: small files that claim much are refused, or read, without
// memory for what they claim.
func TestClaimsTakeNoMemory(t *testing.T) {
	zeros := strings.Replace(good, `{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"}`,
		`{"componentType":5126,"count":2000000000,"type":"VEC3"}`, 1)
	flat := strings.Replace(good, `"accessors":[{"bufferView":0,"componentType":5123,"count":3,`,
		`"accessors":[{"componentType":5125,"count":900000,`, 1)
	many := strings.Replace(good, `"accessors":[{"bufferView":0,"componentType":5123,"count":3,`,
		`"accessors":[{"componentType":5125,"count":60000000,`, 1)
	glb := func(length, chunk uint32) string {
		b := append([]byte("glTF\x02\x00\x00\x00"), make([]byte, 12)...)
		binary.LittleEndian.PutUint32(b[8:], length)
		binary.LittleEndian.PutUint32(b[12:], chunk)
		copy(b[16:], "JSON")
		return string(b)
	}
	for _, c := range []struct{ name, ext, text, place string }{
		{"zeros", ".gltf", zeros, ""},
		{"triangles without data", ".gltf", flat, ""},
		{"too many triangles", ".gltf", many, "meshes[0]"},
		{"GLB length", ".glb", glb(0x80000000, 0x7FFFFFFC), "header"},
		{"GLB chunk", ".glb", glb(20, 0x7FFFFFFC), "chunk 0"},
		{"GLB length near the end of uint32", ".glb", glb(20, 0xFFFFFFFC), "chunk 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			used := memory(func() {
				_, err = Load(t.Context(), fstest.MapFS{"m" + c.ext: {Data: []byte(c.text)}, "t.bin": {Data: triangleBin()}}, "m"+c.ext)
			})
			if used > 4<<20 {
				t.Errorf("%d bytes were allocated", used)
			}
			if c.place == "" && err != nil {
				t.Error(err)
			} else if c.place != "" {
				wantFault(t, err, c.place)
			}
		})
	}
}

func TestBytesBehindAGLB(t *testing.T) {
	data := encode(t, cubeDoc(true))
	_, err := LoadBytes(t.Context(), append(data, 0, 0, 0, 0), ".glb")
	wantFault(t, err, "header")
	_, err = LoadBytes(t.Context(), data[:len(data)-4], ".glb")
	wantFault(t, err, "header")
}

// TestExplosionIsRefused: one mesh in so many nodes that the model would be huge.
func TestExplosionIsRefused(t *testing.T) {
	doc := cubeDoc(true)
	grid := make([]uint16, 0, 3*40000)
	for range 40000 {
		grid = append(grid, 0, 1, 2)
	}
	doc.Meshes[0].Primitives[0].Indices = gltf.Index(modeler.WriteIndices(doc, grid))
	for i := range 500 {
		doc.Nodes = append(doc.Nodes, &gltf.Node{Mesh: gltf.Index(0)})
		doc.Scenes[0].Nodes = append(doc.Scenes[0].Nodes, i+1)
	}
	data := encode(t, doc)
	var err error
	if used := memory(func() { _, err = LoadBytes(t.Context(), data, ".glb") }); used > 16<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
	if f := wantFault(t, err, "meshes[0]"); !strings.Contains(f.Found, "16777216") {
		t.Errorf("the limit isn't named: %v", err)
	}
}

// TestDeepAndManyNodes: many nodes, in a row or side by side, are no problem; in the
// long form of the tests a million.
func TestDeepAndManyNodes(t *testing.T) {
	n := 100_000
	if os.Getenv("RIDGELINE_SOAK") != "" {
		n = 1_000_000
	} else if testing.Short() {
		n = 20_000
	}
	for _, deep := range []bool{true, false} {
		var b bytes.Buffer
		b.WriteString(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"children":[1`)
		if deep {
			b.WriteString(`]}`)
			for i := 1; i < n-1; i++ {
				fmt.Fprintf(&b, `,{"children":[%d]}`, i+1)
			}
		} else {
			for i := 2; i < n; i++ {
				fmt.Fprintf(&b, `,%d`, i)
			}
			b.WriteString(`]}`)
			b.WriteString(strings.Repeat(`,{}`, n-2))
		}
		b.WriteString(`,{"mesh":0,"translation":[1,2,3]}]`)
		text := b.String() + good[strings.Index(good, ",\n\"meshes\""):]
		m, err := Load(t.Context(), fstest.MapFS{"m.gltf": {Data: []byte(text)}, "t.bin": {Data: triangleBin()}}, "m.gltf")
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Nodes) != n || m.Triangles() != 1 || m.Bounds.Min[2] != 3 {
			t.Errorf("deep %v: %d nodes, %d triangles in %v", deep, len(m.Nodes), m.Triangles(), m.Bounds)
		}
	}
}

func TestTooManyObjectsInJSON(t *testing.T) {
	text := `{"asset":{"version":"2.0"},"extras":[` + strings.Repeat("[],", maxContainers) + `[]]}`
	_, err := LoadBytes(t.Context(), []byte(text), ".gltf")
	wantFault(t, err, "JSON")
	// Nor does nesting hurt.
	text = `{"asset":{"version":"2.0"},"extras":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + `}`
	_, err = LoadBytes(t.Context(), []byte(text), ".gltf")
	if err == nil {
		t.Error("no error for a million nested lists")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"Box/Box.glb", "Box/Box.gltf", "obj/sphere.obj"} {
		_, err := Load(ctx, sample("."), name)
		if err != context.Canceled {
			t.Errorf("%s: error %v", name, err)
		}
		if _, _, err := Bundle(ctx, sample("."), name); err != context.Canceled {
			t.Errorf("%s: bundle's error %v", name, err)
		}
	}
}

func TestNamesThatAreNoModels(t *testing.T) {
	folder := fstest.MapFS{"a.txt": {}, "d.glb/x": {}, "e.gltf": {}, "e.glb": {}, "e.obj": {}, "e.zip": {}}
	for _, c := range []struct {
		name, want string
	}{
		{"a.txt", `a.txt: found the extension ".txt", expected a .glb, .gltf, .obj or a .zip made from one`},
		{"gone.glb", `gone.glb: no such file or folder`},
		{"d.glb", `d.glb: found a folder, expected a file`},
		{"../a.glb", `../a.glb: found no path within a folder, expected a name such as models/Box.glb`},
		{"e.glb", `e.glb: header: found an empty file, expected 12 bytes that begin with "glTF"`},
		{"e.gltf", `e.gltf: JSON, byte 0: found unexpected end of JSON input, expected JSON`},
		{"e.zip", `e.zip: found no ZIP archive, or a damaged one, expected a bundle of a model: zip: not a valid zip file`},
	} {
		_, err := Load(t.Context(), folder, c.name)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, expected %s", c.name, err, c.want)
		}
	}
	if _, err := LoadBytes(t.Context(), nil, ".ply"); err == nil {
		t.Error("no error for .ply")
	}
	if m, err := Load(t.Context(), folder, "e.obj"); err != nil || len(m.Notes) != 1 {
		t.Errorf("an empty .obj: %v, %v", m, err)
	}
}

// TestPipesAreNotOpened: reading one would wait for ever.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p.glb", "t.bin"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "m.gltf"), []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(t.Context(), os.DirFS(dir), "p.glb")
	if f := wantFault(t, err, ""); f.Found != "a device or pipe" {
		t.Errorf("found %q", f.Found)
	}
	_, err = Load(t.Context(), os.DirFS(dir), "m.gltf")
	if f := wantFault(t, err, "buffers[0].uri"); f.Found != `a device or pipe under the name "t.bin"` {
		t.Errorf("found %q", f.Found)
	}
}

// TestSparseFilesAreRefused: a file of holes says that it has a GiB and more.
func TestSparseFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "m.glb")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, MaxFile+1); err != nil {
		t.Skip(err)
	}
	var err error
	if used := memory(func() { _, err = Load(t.Context(), os.DirFS(dir), "m.glb") }); used > 1<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
	wantFault(t, err, "")
	if !strings.Contains(err.Error(), "at most 1024 MiB") {
		t.Error(err)
	}
}

// TestErrorsKeepTheirCause: callers may ask whether a file is missing.
func TestErrorsKeepTheirCause(t *testing.T) {
	_, err := Load(t.Context(), fstest.MapFS{"m.gltf": {Data: []byte(good)}}, "m.gltf")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v doesn't tell that a file is missing", err)
	}
}
