package mesh

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/google/go-cmp/cmp"

	"ridgeline/occluders/geom"
)

// objModel reads an OBJ file, with files beside it, and checks the model.
func objModel(t testing.TB, text string, files fstest.MapFS) *Model {
	t.Helper()
	folder := fstest.MapFS{"m.obj": {Data: []byte(text)}}
	for name, f := range files {
		folder[name] = f
	}
	m, err := Load(t.Context(), folder, "m.obj")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// objCube has the corners of a cube from −1 to 1 and its sides as squares, by indices
// that count back from the last corner.
const objCube = `v -1 -1 -1
v 1 -1 -1
v 1 1 -1
v -1 1 -1
v -1 -1 1
v 1 -1 1
v 1 1 1
v -1 1 1
`
const objSides = `f -8 -5 -6 -7
f -4 -3 -2 -1
f -8 -7 -3 -4
f -5 -1 -2 -6
f -8 -4 -1 -5
f -7 -6 -2 -3
`

func TestOBJNegativeIndicesAndFlatNormals(t *testing.T) {
	m := objModel(t, objCube+objSides, nil)
	if len(m.Positions) != 24 || m.Triangles() != 12 || volume(m) != 8 {
		t.Errorf("%d vertices, %d triangles, volume %v", len(m.Positions), m.Triangles(), volume(m))
	}
	outward(t, m)
	for _, n := range m.Normals {
		if max(mgl32.Abs(n[0]), mgl32.Abs(n[1]), mgl32.Abs(n[2])) != 1 {
			t.Fatalf("normal %v of a cube's side", n)
		}
	}
	if m.UVs != nil || m.Colors != nil || m.Notes != nil {
		t.Errorf("%v, %v, %q", m.UVs, m.Colors, m.Notes)
	}
}

// TestOBJLineForms: the same statements in other forms of lines are the same model.
func TestOBJLineForms(t *testing.T) {
	text := "# a cube\n" + objCube + "g side\n" + objSides
	want := objModel(t, text, nil)
	for name, form := range map[string]string{
		"CRLF":          strings.ReplaceAll(text, "\n", "\r\n"),
		"CR":            strings.ReplaceAll(text, "\n", "\r"),
		"no last end":   strings.TrimSuffix(text, "\n"),
		"tabs":          strings.ReplaceAll(text, " ", "\t "),
		"continuations": strings.NewReplacer("f -8 ", "f \\\n-8 \\\n\\\n", "v 1 ", "v \\\r\n 1 ").Replace(text),
		"comments":      strings.ReplaceAll(text, " -1\n", " -1 # f 1 2 3\n"),
		"mark":          "\xef\xbb\xbf" + text,
		"exponents":     strings.NewReplacer("v 1 ", "v 1.00e0 ", "v -1 ", "v -.1E+1 ").Replace(text),
		"fan corners":   strings.ReplaceAll(text, "f -8 -5", "f -8 -8 -5 -5"),
	} {
		if d := difference(want, objModel(t, form, nil)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestOBJSmoothingGroups(t *testing.T) {
	// Two sides of a roof that share an edge, and a third in another group.
	const roof = "v 0 1 0\nv 0 1 1\nv -1 0 0\nv -1 0 1\nv 1 0 0\nv 1 0 1\n"
	const left, right = "f 1 3 4 2\n", "f 2 6 5 1\n"
	for _, c := range []struct {
		name, text string
		vertices   int
		up         bool // the normal at the ridge
	}{
		{"none given", left + right, 8, false},
		{"off", "s off\n" + left + right, 8, false},
		{"zero", "s 0\n" + left + right, 8, false},
		{"one group", "s 1\n" + left + right, 6, true},
		{"on", "s on\n" + left + right, 6, true},
		{"one group in two", "s 7\n" + left + "s 8\ns 7\n" + right, 6, true},
		{"two groups", "s 1\n" + left + "s 2\n" + right, 8, false},
		{"one smooth, one flat", "s 1\n" + left + "s 0\n" + right, 8, false},
	} {
		m := objModel(t, roof+c.text, nil)
		if len(m.Positions) != c.vertices {
			t.Errorf("%s: %d vertices, expected %d", c.name, len(m.Positions), c.vertices)
		}
		for i, p := range m.Positions {
			if n := m.Normals[i]; p[1] == 1 && (n.Sub(mgl32.Vec3{0, 1, 0}).Len() < 1e-6) != c.up {
				t.Errorf("%s: the ridge's normal is %v", c.name, n)
			}
		}
	}
	// By angle: cutting a side in more triangles changes nothing.
	const cut = "s 1\n" + left + "v 0.5 0.5 0.5\nf 2 6 -1\nf 6 5 -1\nf 5 1 -1\nf 1 2 -1\n"
	m := objModel(t, roof+cut, nil)
	for i, p := range m.Positions {
		if n := m.Normals[i]; p[1] == 1 && !(n.Sub(mgl32.Vec3{0, 1, 0}).Len() < 1e-6) {
			t.Errorf("cut up, the ridge's normal is %v", n)
		}
	}
}

func TestOBJMixedCorners(t *testing.T) {
	m := objModel(t, `v 0 0 0
v 1 0 0
v 0 1 0
vt 0.25 0.75
vt 0.5
vn 0 0 2
vn 0 0 0
vn nan 0 0
f 1 2 3
f 1/1 2/2 3
f 1//1 2//1 3
f 1/1/1 2/1/2 3//3
`, nil)
	if m.Triangles() != 4 || len(m.UVs) != len(m.Positions) {
		t.Fatalf("%d triangles, %d coordinates of %d", m.Triangles(), len(m.UVs), len(m.Positions))
	}
	for _, n := range m.Normals {
		if n != (mgl32.Vec3{0, 0, 1}) {
			t.Errorf("normal %v", n)
		}
	}
	// v counts from below in the file, from above in the model.
	if got := m.UVs[m.Indices[3]]; got != (mgl32.Vec2{0.25, 0.25}) {
		t.Errorf("coordinates %v", got)
	}
	if got := m.UVs[m.Indices[4]]; got != (mgl32.Vec2{0.5, 1}) {
		t.Errorf("coordinates %v", got)
	}
	if d := cmp.Diff([]string{"2 normals without direction were made anew."}, m.Notes); d != "" {
		t.Error(d)
	}
}

func TestOBJVertexColors(t *testing.T) {
	m := objModel(t, `v 0 0 0
v 1 0 0 1 0.5 0
v 0 1 0 1 1 1 0.5
v 0 0 1 0.9
f 1 2 3
f 1 2 4
`, nil)
	got := map[mgl32.Vec3][4]uint8{}
	for i, p := range m.Positions {
		got[p] = m.Colors[i]
	}
	want := map[mgl32.Vec3][4]uint8{
		{0, 0, 0}: {255, 255, 255, 255}, {1, 0, 0}: {255, 55, 0, 255}, // sRGB 0.5 is 0.214
		{0, 1, 0}: {255, 255, 255, 128}, {0, 0, 1}: {255, 255, 255, 255},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOBJNodesAndParts(t *testing.T) {
	text := "v 0 0 0\nv 1 0 0\n"
	faces := 0
	for _, before := range []string{"", "o hall\n", "usemtl red brick\ng floor tiles\n", "g wall\n", "usemtl blue\n", "usemtl red brick\ng floor tiles\n", "o other\n"} {
		faces++
		text += fmt.Sprintf("v 0 %d 0\n%sf 1 2 -1\n", faces, before)
	}
	m := objModel(t, text, nil)
	if d := cmp.Diff([]Node{{"", -1}, {"hall", -1}, {"floor tiles", 1}, {"wall", 1}, {"other", -1}}, m.Nodes); d != "" {
		t.Error(d)
	}
	// Each pair of node and material is one part, in the order of first use.
	if d := cmp.Diff([]Part{{0, 3, 0, 0}, {3, 3, 0, 1}, {6, 6, 1, 2}, {12, 3, 1, 3}, {15, 3, 2, 3}, {18, 3, 1, 4}}, m.Parts); d != "" {
		t.Error(d)
	}
	// The third corner's height is the number of the face.
	var order []float32
	for i := 2; i < len(m.Indices); i += 3 {
		order = append(order, m.Positions[m.Indices[i]][1])
	}
	if d := cmp.Diff([]float32{1, 2, 3, 6, 4, 5, 7}, order); d != "" {
		t.Error(d)
	}
	var names []string
	for _, mat := range m.Materials {
		names = append(names, mat.Name)
	}
	if d := cmp.Diff([]string{"", "red brick", "blue"}, names); d != "" {
		t.Error(d)
	}
}

func TestMTL(t *testing.T) {
	red := fstest.MapFile{Data: picture(t, 2, 2, func(x, y int) color.NRGBA { return color.NRGBA{255, 0, 0, 255} })}
	files := fstest.MapFS{
		"my materials.mtl": {Data: []byte(`# comment
Kd 1 2 3
newmtl painted wood
Ns 10
Ka 1 1 1
Kd 0.25 0.5 2
Ke 0.1
d 0.5
Tr 0.9
map_Kd -blendu on -clamp on -o 0.5 0.25 -s 2 4 1 -mm 0 1 textures\my wood.png
bump -bm 0.3 bump.png
newmtl leaf
map_Kd leaf.png
map_d leaf.png
newmtl glass
Tr 0.25
map_d other.png
Kd spectral file.rfl
newmtl lost
map_Kd C:\Users\me\leaf.png
newmtl nowhere
map_Kd D:\secret.png
newmtl elsewhere
map_Kd sub/leaf.png
`)},
		"textures/my wood.png": &red, "leaf.png": &red,
	}
	text := "mtllib my materials.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n"
	for _, name := range []string{"painted wood", "leaf", "glass", "lost", "nowhere", "elsewhere", "unknown"} {
		text += "usemtl " + name + "\nf 1/1 2/1 3/1\n"
	}
	m := objModel(t, text, files)
	id := mgl32.Ident3()
	want := []Material{
		{
			Name: "painted wood", BaseColor: [4]float32{0.25, 0.5, 1, 0.5}, Emissive: [3]float32{0.1, 0.1, 0.1}, Image: 0,
			UV: mgl32.Mat3{2, 0, 0, 0, 4, 0, 0.5, 1 - 4 - 0.25, 1}, WrapS: Clamp, WrapT: Clamp, Alpha: Blend, Cutoff: 0.5, DoubleSided: true,
		},
		{Name: "leaf", BaseColor: [4]float32{1, 1, 1, 1}, Image: 1, UV: id, Alpha: Mask, Cutoff: 0.5, DoubleSided: true},
		{Name: "glass", BaseColor: [4]float32{1, 1, 1, 0.75}, Image: -1, UV: id, Alpha: Blend, Cutoff: 0.5, DoubleSided: true},
		{Name: "lost", BaseColor: [4]float32{1, 1, 1, 1}, Image: 2, UV: id, Cutoff: 0.5, DoubleSided: true},
		{Name: "nowhere", BaseColor: [4]float32{1, 1, 1, 1}, Image: -1, UV: id, Cutoff: 0.5, DoubleSided: true},
		{Name: "elsewhere", BaseColor: [4]float32{1, 1, 1, 1}, Image: -1, UV: id, Cutoff: 0.5, DoubleSided: true},
		{Name: "unknown", BaseColor: [4]float32{0.6, 0.6, 0.6, 1}, Image: -1, UV: id, Cutoff: 0.5, DoubleSided: true},
	}
	if d := cmp.Diff(want, m.Materials); d != "" {
		t.Error(d)
	}
	notes := []string{
		`Line 18 of "my materials.mtl" was skipped: found a colour as spectral, expected red, green and blue.`,
		"Textures other than map_Kd are not supported; they are not shown.",
		`A mask (map_d) of its own is not supported; material "glass" is shown without.`,
		`Picture "C:\\Users\\me\\leaf.png" was taken from the model's folder.`,
		`Picture "D:\\secret.png" is not shown: found the absolute path "D:\\secret.png", expected a file in the model's folder.`,
		`Picture "sub/leaf.png" is not shown: found the name "sub/leaf.png", expected a file in the model's folder: no such file or folder.`,
		`Material "unknown" is not defined; it is shown plain.`,
	}
	if d := cmp.Diff(notes, m.Notes); d != "" {
		t.Error(d)
	}
	// The picture's lower left corner in the file's coordinates, (0, 0), times
	// scale plus offset, is at (0.5, 0.25) from below.
	uv := m.Materials[0].UV.Mul3x1(m.UVs[0].Vec3(1))
	if !(uv.Sub(mgl32.Vec3{0.5, 0.75, 1}).Len() < 1e-6) {
		t.Errorf("the picture is put at %v", uv)
	}
}

func TestOBJLibraries(t *testing.T) {
	lib := func(name string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("newmtl " + name + "\nKd 1 0 0\n")}
	}
	const rest = "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n"
	m := objModel(t, "mtllib a.mtl sub/b.mtl gone.mtl"+rest, fstest.MapFS{"a.mtl": lib("a"), "sub/b.mtl": lib("b")})
	if m.Materials[0].BaseColor[1] != 0 || m.Materials[1].BaseColor[1] != 0 || len(m.Notes) != 1 || !strings.Contains(m.Notes[0], "gone.mtl") {
		t.Errorf("%v, %q", m.Materials, m.Notes)
	}
	m = objModel(t, "mtllib ../a.mtl"+rest, nil)
	if want := `The material file "../a.mtl" was not read: found a path that leaves the folder, "../a.mtl", expected a file in the model's folder.`; m.Notes[0] != want {
		t.Errorf("notes %q", m.Notes)
	}
}

func TestBadOBJ(t *testing.T) {
	const three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	for _, c := range []struct{ text, place, found string }{
		{three + "f 1 2 4", "line 4", `"4"`},
		{three + "f 1 2 0", "line 4", `"0"`},
		{three + "f 1 2 -4", "line 4", `"-4"`},
		{three + "f 1/1 2 3", "line 4", `"1/1"`},
		{three + "f 1//1 2 3", "line 4", `"1//1"`},
		{three + "f 1/2/3/4 2 3", "line 4", `"1/2/3/4"`},
		{three + "f 1 2 x", "line 4", `"x"`},
		{three + "f 1 2 99999999999999999999", "line 4", `"99999999999999999999"`},
		{three + "f 1 2 \\\n\\\n 7", "line 4", `"7"`},
		{"v 1 2", "line 1", "2 coordinates"},
		{"v 1 2 x", "line 1", `"x"`},
		{"\n\nv 1 nan 2", "line 3", "the coordinate NaN"},
		{"v 1 1e400 2", "line 1", "the coordinate +Inf"},
		{"v 1 2 -1.0000001e7", "line 1", "the coordinate -1.0000001e+07"},
		{"vt", "line 1", "no texture coordinate"},
		{"vt --1", "line 1", `"--1"`},
		{"vn 1 2", "line 1", "2 components of a normal"},
		{"s x", "line 1", `the smoothing group "x"`},
		{"mtllib", "line 1", "no name"},
		{"\x7fELF\x02\x01 \n\x00\x00\n", "", "no statement of the OBJ format"},
	} {
		_, err := Load(t.Context(), fstest.MapFS{"m.obj": {Data: []byte(c.text)}}, "m.obj")
		if f := wantFault(t, err, c.place); f.Found != c.found {
			t.Errorf("%q: found %q, expected %q", c.text, f.Found, c.found)
		}
	}
}

func TestOBJNotes(t *testing.T) {
	m := objModel(t, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2\nf 1\nf 1 2 4\nf 1 2 3\nl 1 2\np 1\ncstype bezier\nvp 1\nvt nan 0\n", nil)
	want := []string{
		"Points and lines are not supported; they are not shown.",
		`Statements that are not supported were skipped: "cstype", "vp".`,
		"2 faces of fewer than three corners were left out.",
		"Some texture coordinates are no numbers; they count as 0.",
		"1 triangle without area was left out.",
	}
	if d := cmp.Diff(want, m.Notes); d != "" {
		t.Error(d)
	}
	if m.Bounds != (geom.Box{Max: geom.Vec3{1, 1, 0}}) {
		t.Errorf("bounds %v", m.Bounds)
	}
}

func TestParseFloat(t *testing.T) {
	for _, s := range []string{"0", "-0", "1", "+1.5", "-.25", "3.", "123456789012345", "0.000000000000001", "1234567890123456789",
		"1e5", "1E-7", "-2.5e+10", "0.1", "179.99999999999997", "3.4028234663852886e38", "0x1p4", "1_0"} {
		var want float64
		_, err := fmt.Sscan(s, &want)
		got, ok := parseFloat([]byte(s))
		if ok != (err == nil) && s != "0x1p4" && s != "1_0" || ok && got != want && !strings.ContainsAny(s, "x_") {
			t.Errorf("%q is %v, %v, expected %v, %v", s, got, ok, want, err)
		}
	}
	for _, s := range []string{"", "-", ".", "e5", "1e", "--1", "1.2.3", "1,5", "abc"} {
		if v, ok := parseFloat([]byte(s)); ok {
			t.Errorf("%q is %v", s, v)
		}
	}
	if v, _ := parseFloat([]byte("-0")); !math.Signbit(v) {
		t.Error("-0 has lost its sign")
	}
}
