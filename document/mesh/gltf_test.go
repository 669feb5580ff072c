package mesh

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/google/go-cmp/cmp"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"ridgeline/occluders/geom"
)

// encode writes a document as a GLB file.
func encode(t testing.TB, doc *gltf.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gltf.NewEncoder(&b).Encode(doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// decoded reads a document through a GLB file and checks the model.
func decoded(t testing.TB, doc *gltf.Document) *Model {
	t.Helper()
	m, err := LoadBytes(t.Context(), encode(t, doc), ".glb")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// cube has the corners and outward triangles of a cube from −1 to 1.
var (
	cubeCorners = [][3]float32{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}
	cubeIndices = []uint16{0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 3, 7, 6, 3, 6, 2, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5}
)

// cubeDoc is a document with a cube in one node; normals are optional.
func cubeDoc(normals bool) *gltf.Document {
	doc := gltf.NewDocument()
	p := &gltf.Primitive{
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(doc, cubeCorners)},
		Indices:    gltf.Index(modeler.WriteIndices(doc, cubeIndices)),
	}
	if normals {
		var n [][3]float32
		for _, c := range cubeCorners {
			l := float32(1 / math.Sqrt(3))
			n = append(n, [3]float32{c[0] * l, c[1] * l, c[2] * l})
		}
		p.Attributes[gltf.NORMAL] = modeler.WriteNormal(doc, n)
	}
	doc.Meshes = []*gltf.Mesh{{Name: "Cube", Primitives: []*gltf.Primitive{p}}}
	doc.Nodes = []*gltf.Node{{Mesh: gltf.Index(0)}}
	doc.Scenes[0].Nodes = []int{0}
	return doc
}

// outward fails the test unless every vertex normal of a convex mesh around the
// point looks away from it, and the triangles turn the same way.
func outward(t testing.TB, m *Model) {
	t.Helper()
	center := m.Bounds.Center()
	for i := 0; i < len(m.Indices); i += 3 {
		p := [3]mgl32.Vec3{}
		for k := range 3 {
			v := m.Indices[i+k]
			p[k] = m.Positions[v]
			if !(vec64(m.Normals[v]).Dot(vec64(p[k]).Sub(center)) > 0) {
				t.Fatalf("normal %v at %v looks inward", m.Normals[v], p[k])
			}
		}
		if !(vec64(faceNormal(p[0], p[1], p[2])).Dot(vec64(p[0]).Sub(center)) > 0) {
			t.Fatalf("triangle %d is inside out", i/3)
		}
	}
}

func TestMissingNormalsAreFlat(t *testing.T) {
	m := decoded(t, cubeDoc(false))
	if len(m.Positions) != 36 {
		t.Errorf("%d vertices, expected 36", len(m.Positions))
	}
	for _, n := range m.Normals {
		if l := max(mgl32.Abs(n[0]), mgl32.Abs(n[1]), mgl32.Abs(n[2])); l != 1 {
			t.Fatalf("normal %v of a cube's side", n)
		}
	}
	outward(t, m)
	if m = decoded(t, cubeDoc(true)); len(m.Positions) != 8 {
		t.Errorf("%d vertices with normals, expected the 8 of the file", len(m.Positions))
	}
}

func TestUnusableNormalsAreMadeAnew(t *testing.T) {
	doc := cubeDoc(true)
	bad := make([][3]float32, 8)
	for i, c := range cubeCorners {
		bad[i] = c
	}
	bad[0], bad[1] = [3]float32{}, [3]float32{float32(math.NaN()), 0, 0}
	doc.Meshes[0].Primitives[0].Attributes[gltf.NORMAL] = modeler.WriteNormal(doc, bad)
	m := decoded(t, doc)
	outward(t, m)
	if d := cmp.Diff([]string{"2 normals without direction were made anew."}, m.Notes); d != "" {
		t.Error(d)
	}
}

// TestPrimitiveModes holds strips and fans against the same triangles as a list.
func TestPrimitiveModes(t *testing.T) {
	corners := [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}}
	for _, c := range []struct {
		mode gltf.PrimitiveMode
		want []float32 // x + 10 y of the corners of each triangle
		note bool
	}{
		{gltf.PrimitiveTriangles, []float32{0, 10, 1}, true}, // and two corners too many
		{gltf.PrimitiveTriangleStrip, []float32{0, 10, 1, 10, 11, 1, 1, 11, 2}, false},
		{gltf.PrimitiveTriangleFan, []float32{10, 1, 0, 1, 11, 0, 11, 2, 0}, false},
		{gltf.PrimitiveLines, nil, true},
		{gltf.PrimitiveLineStrip, nil, true},
		{gltf.PrimitiveLineLoop, nil, true},
		{gltf.PrimitivePoints, nil, true},
	} {
		for _, indexed := range []bool{false, true} {
			doc := cubeDoc(false)
			p := doc.Meshes[0].Primitives[0]
			p.Attributes[gltf.POSITION] = modeler.WritePosition(doc, corners)
			p.Mode, p.Indices = c.mode, nil
			if indexed {
				p.Indices = gltf.Index(modeler.WriteAccessor(doc, gltf.TargetElementArrayBuffer, []uint8{0, 1, 2, 3, 4}))
			}
			m := decoded(t, doc)
			var got []float32
			for _, v := range m.Indices {
				got = append(got, m.Positions[v][0]+10*m.Positions[v][1])
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%v, indexed %v: %s", c.mode, indexed, d)
			}
			if (len(m.Notes) > 0) != c.note {
				t.Errorf("%v: notes %q", c.mode, m.Notes)
			}
		}
	}
}

func TestIndexWidths(t *testing.T) {
	want := decoded(t, cubeDoc(true))
	var bytes8 []uint8
	var words []uint32
	for _, i := range cubeIndices {
		bytes8, words = append(bytes8, uint8(i)), append(words, uint32(i))
	}
	for _, data := range []any{bytes8, words} {
		doc := cubeDoc(true)
		doc.Meshes[0].Primitives[0].Indices = gltf.Index(modeler.WriteAccessor(doc, gltf.TargetElementArrayBuffer, data))
		if d := difference(want, decoded(t, doc)); d != "" {
			t.Errorf("%T: %s", data, d)
		}
	}
}

// TestHierarchy checks that transforms are those of parents after those of children,
// as matrix or as parts, and that names and parents are kept.
func TestHierarchy(t *testing.T) {
	doc := cubeDoc(true)
	doc.Nodes = []*gltf.Node{
		{Name: "room", Translation: [3]float64{10, 0, 0}, Rotation: [4]float64{0, 0, math.Sqrt2 / 2, math.Sqrt2 / 2}, Children: []int{2, 1}},
		{Name: "tower", Mesh: gltf.Index(0), Matrix: [16]float64{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1}},
		{Mesh: gltf.Index(0), Scale: [3]float64{1, 3, 1}},
		{Name: "not in the scene", Mesh: gltf.Index(0)},
	}
	m := decoded(t, doc)
	want := []Node{{"room", -1}, {"Cube", 0}, {"tower", 0}} // unnamed ones take the mesh's name
	if d := cmp.Diff(want, m.Nodes); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Part{{0, 36, 0, 1}, {36, 36, 0, 2}}, m.Parts); d != "" {
		t.Error(d)
	}
	// Turned by 90° about z, what was up is left of the parent, at x = 10.
	for i, want := range []geom.Box{
		{Min: geom.Vec3{7, -1, -1}, Max: geom.Vec3{13, 1, 1}},
		{Min: geom.Vec3{4, -2, -1}, Max: geom.Vec3{6, 2, 1}},
	} {
		box := geom.EmptyBox()
		for _, v := range m.Indices[m.Parts[i].First:][:m.Parts[i].Count] {
			box = box.Add(vec64(m.Positions[v]))
		}
		if box.Min.Sub(want.Min).Len() > 1e-5 || box.Max.Sub(want.Max).Len() > 1e-5 {
			t.Errorf("part %d is in %v, expected %v", i, box, want)
		}
	}
	outwardParts(t, m)
}

// outwardParts is outward for a model of several convex parts.
func outwardParts(t testing.TB, m *Model) {
	t.Helper()
	for _, p := range m.Parts {
		part := *m
		part.Indices = m.Indices[p.First:][:p.Count]
		part.Bounds = geom.EmptyBox()
		for _, v := range part.Indices {
			part.Bounds = part.Bounds.Add(vec64(m.Positions[v]))
		}
		outward(t, &part)
	}
}

func TestScenes(t *testing.T) {
	two := func() *gltf.Document {
		doc := cubeDoc(true)
		doc.Nodes = []*gltf.Node{{Name: "a", Mesh: gltf.Index(0)}, {Name: "b", Mesh: gltf.Index(0)}, {Name: "c", Children: []int{1}}}
		doc.Scenes = []*gltf.Scene{{Nodes: []int{0}}, {Nodes: []int{2}}}
		return doc
	}
	for _, c := range []struct {
		name   string
		change func(*gltf.Document)
		nodes  string
		note   string
	}{
		{"the default one", func(d *gltf.Document) { d.Scene = gltf.Index(1) }, "c b", "The file has 2 scenes; the default one is shown."},
		{"the first one", func(d *gltf.Document) { d.Scene = nil }, "a", "The file has 2 scenes; the first one is shown."},
		{"none", func(d *gltf.Document) { d.Scene, d.Scenes = nil, nil }, "a c b", "The file has no scene; all its nodes are shown."},
		{"no nodes", func(d *gltf.Document) { d.Nodes, d.Scenes[0].Nodes, d.Scenes[1].Nodes = nil, nil, nil }, "Cube", "The file has no nodes; every mesh is shown once, at the origin."},
		{"an empty one", func(d *gltf.Document) { d.Scenes[0].Nodes, d.Scenes = nil, d.Scenes[:1] }, "", "The model has no triangles."},
	} {
		doc := two()
		c.change(doc)
		m := decoded(t, doc)
		var names []string
		for _, n := range m.Nodes {
			names = append(names, n.Name)
		}
		if got := strings.Join(names, " "); got != c.nodes {
			t.Errorf("%s: nodes %q, expected %q", c.name, got, c.nodes)
		}
		if len(m.Notes) != 1 || m.Notes[0] != c.note {
			t.Errorf("%s: notes %q", c.name, m.Notes)
		}
	}
}

// picture is a PNG of one colour per pixel.
func picture(t testing.TB, w, h int, at func(x, y int) color.NRGBA) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, at(x, y))
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestMaterials(t *testing.T) {
	doc := cubeDoc(true)
	data := picture(t, 3, 2, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x * 10), uint8(y * 10), 7, uint8(255 - x)} })
	img, err := modeler.WriteImage(doc, "leaf", "image/png", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	doc.Samplers = []*gltf.Sampler{{MagFilter: gltf.MagNearest, WrapS: gltf.WrapClampToEdge, WrapT: gltf.WrapMirroredRepeat}}
	doc.Textures = []*gltf.Texture{{Source: gltf.Index(img), Sampler: gltf.Index(0)}}
	doc.ExtensionsUsed = []string{extUnlit, extTransform, "KHR_materials_clearcoat"}
	doc.Materials = []*gltf.Material{
		{Name: "not used"},
		{
			Name: "leaf", AlphaMode: gltf.AlphaMask, AlphaCutoff: gltf.Float(0.25), DoubleSided: true,
			EmissiveFactor: [3]float64{0, 0.5, 1},
			PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
				BaseColorFactor: &[4]float64{0.25, 0.5, 1, 0.75},
				BaseColorTexture: &gltf.TextureInfo{Index: 0, Extensions: gltf.Extensions{
					extTransform: map[string]any{"offset": []float64{0.5, 0.25}, "scale": []float64{2, 4}, "texCoord": 1}}},
			},
		},
		{Name: "glass", AlphaMode: gltf.AlphaBlend, Extensions: gltf.Extensions{extUnlit: map[string]any{}}},
	}
	uv := make([][2]float32, 8)
	uv1 := make([][2]float32, 8)
	for i := range uv {
		uv[i], uv1[i] = [2]float32{9, 9}, [2]float32{float32(i), float32(-i)}
	}
	p := doc.Meshes[0].Primitives[0]
	p.Attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(doc, uv)
	p.Attributes[gltf.TEXCOORD_1] = modeler.WriteTextureCoord(doc, uv1)
	p.Material = gltf.Index(1)
	plain, glass := *p, *p
	plain.Material, glass.Material = nil, gltf.Index(2)
	doc.Meshes[0].Primitives = []*gltf.Primitive{p, &plain, &glass}

	m := decoded(t, doc)
	want := []Material{
		{
			Name: "leaf", BaseColor: [4]float32{0.25, 0.5, 1, 0.75}, Image: 0,
			UV: mgl32.Mat3{2, 0, 0, 0, 4, 0, 0.5, 0.25, 1}, WrapS: Clamp, WrapT: Mirror, Nearest: true,
			Alpha: Mask, Cutoff: 0.25, DoubleSided: true, Emissive: [3]float32{0, 0.5, 1},
		},
		{BaseColor: [4]float32{1, 1, 1, 1}, Image: -1, UV: mgl32.Ident3(), Cutoff: 0.5},
		{Name: "glass", BaseColor: [4]float32{1, 1, 1, 1}, Image: -1, UV: mgl32.Ident3(), Cutoff: 0.5, Alpha: Blend, Unlit: true},
	}
	if d := cmp.Diff(want, m.Materials); d != "" {
		t.Error(d)
	}
	if got := m.Images[0]; got.Name != "leaf" || got.Opaque || got.Pixels.NRGBAAt(2, 1) != (color.NRGBA{20, 10, 7, 253}) {
		t.Errorf("image %q, opaque %v, a pixel %v", got.Name, got.Opaque, got.Pixels.NRGBAAt(2, 1))
	}
	if d := cmp.Diff([]Part{{0, 36, 0, 0}, {36, 36, 1, 0}, {72, 36, 2, 0}}, m.Parts); d != "" {
		t.Error(d)
	}
	// The texture is put on by the second set, what has none by the first.
	for i, p := range m.Parts {
		v := m.Indices[p.First]
		if got, want := m.UVs[v], [2]float32{9, 9}; (i == 0) == (got == want) {
			t.Errorf("part %d has the coordinates %v", i, got)
		}
	}
	if d := cmp.Diff([]string{`The extension "KHR_materials_clearcoat" is not supported; what it adds is not shown.`}, m.Notes); d != "" {
		t.Error(d)
	}
}

// TestImagesThatCannotBeShown: the model comes without the picture and says why.
func TestImagesThatCannotBeShown(t *testing.T) {
	good := picture(t, 4, 4, func(x, y int) color.NRGBA { return color.NRGBA{A: 255} })
	huge := bytes.Clone(good) // whose header claims 16384×16384
	copy(huge[16:], []byte{0, 0, 64, 0, 0, 0, 64, 0})
	copy(huge[29:], pngCRC(huge[12:29]))
	for _, c := range []struct {
		name string
		uri  string
		file []byte
		want string
	}{
		{"missing", "gone.png", nil, `Picture "gone.png" is not shown: found the name "gone.png", expected a file in the model's folder: no such file or folder.`},
		{"absolute", "/etc/passwd", nil, `Picture "/etc/passwd" is not shown: found the absolute path "/etc/passwd", expected a file in the model's folder.`},
		{"outside", "..%2f..%2Fx.png", nil, `Picture "..%2f..%2Fx.png" is not shown: found a path that leaves the folder, "..%2f..%2Fx.png", expected a file in the model's folder.`},
		{"address", "https://example.com/x.png", nil, `Picture "https://example.com/x.png" is not shown: found the address "https://example.com/x.png", expected a file in the model's folder.`},
		{"other format", "x.png", []byte("GIF89a"), `Picture "x.png" is not shown: it is neither PNG nor JPEG.`},
		{"cut off", "x.png", good[:len(good)-20], `Picture "x.png" is not shown: it is damaged: png: invalid format: unexpected EOF.`},
		{"too large", "x.png", huge, `Picture "x.png" is not shown: it has 16384×16384 pixels, more than 16384 on a side or 64 million.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := cubeDoc(true)
			doc.Images = []*gltf.Image{{URI: c.uri}}
			doc.Textures = []*gltf.Texture{{Source: gltf.Index(0)}}
			doc.Materials = []*gltf.Material{{PBRMetallicRoughness: &gltf.PBRMetallicRoughness{BaseColorTexture: &gltf.TextureInfo{}}}}
			p := doc.Meshes[0].Primitives[0]
			p.Material = gltf.Index(0)
			p.Attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(doc, make([][2]float32, 8))
			folder := fstest.MapFS{"m.glb": {Data: encode(t, doc)}}
			if c.file != nil {
				folder[c.uri] = &fstest.MapFile{Data: c.file}
			}
			m, err := Load(t.Context(), folder, "m.glb")
			if err != nil {
				t.Fatal(err)
			}
			if m.Triangles() != 12 || m.Materials[0].Image != -1 {
				t.Errorf("%d triangles, image %d", m.Triangles(), m.Materials[0].Image)
			}
			if d := cmp.Diff([]string{c.want}, m.Notes); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestHeadersThatClaimTooMuch: a small picture can't make the reader take memory.
func TestHeadersThatClaimTooMuch(t *testing.T) {
	data := picture(t, 4, 4, func(x, y int) color.NRGBA { return color.NRGBA{A: 255} })
	copy(data[16:], []byte{0, 0, 32, 0, 0, 0, 32, 0}) // 8192×8192, within the limits

	copy(data[29:], pngCRC(data[12:29]))
	var p pictures
	if _, err := p.decode(data); err == nil || !strings.Contains(err.Error(), "8192×8192 pixels but only") {
		t.Errorf("error %v", err)
	}
}

// texturedDoc is a cube with a part for each address of a picture.
func texturedDoc(t testing.TB, uris ...string) *gltf.Document {
	t.Helper()
	doc := cubeDoc(true)
	p := doc.Meshes[0].Primitives[0]
	p.Attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(doc, make([][2]float32, 8))
	doc.Meshes[0].Primitives = nil
	for i, uri := range uris {
		doc.Images = append(doc.Images, &gltf.Image{URI: uri})
		doc.Textures = append(doc.Textures, &gltf.Texture{Source: gltf.Index(i)})
		doc.Materials = append(doc.Materials, &gltf.Material{PBRMetallicRoughness: &gltf.PBRMetallicRoughness{BaseColorTexture: &gltf.TextureInfo{Index: i}}})
		part := *p
		part.Material = gltf.Index(i)
		doc.Meshes[0].Primitives = append(doc.Meshes[0].Primitives, &part)
	}
	return doc
}

func TestDataURIs(t *testing.T) {
	data := picture(t, 1, 1, func(x, y int) color.NRGBA { return color.NRGBA{1, 2, 3, 255} })
	text := base64.StdEncoding.EncodeToString(data)
	if !strings.HasSuffix(text, "=") {
		t.Fatal("the padding is what is tested")
	}
	m := decoded(t, texturedDoc(t, "data:image/png;base64,"+text, "DATA:;Base64,"+strings.TrimRight(text, "="), "data:image/png,"+url.PathEscape(string(data))))
	if len(m.Images) != 3 || m.Notes != nil {
		t.Fatalf("%d images, %q", len(m.Images), m.Notes)
	}
	for _, img := range m.Images {
		if !img.Opaque || img.Pixels.NRGBAAt(0, 0) != (color.NRGBA{1, 2, 3, 255}) {
			t.Errorf("pixel %v", img.Pixels.NRGBAAt(0, 0))
		}
	}
}

// TestPixelsOfAllPictures: together they are bounded, whether or not they are good.
func TestPixelsOfAllPictures(t *testing.T) {
	data := picture(t, 2, 2, func(x, y int) color.NRGBA { return color.NRGBA{A: 255} })
	p := pictures{pixels: MaxAllPixels - 11}
	if _, err := p.decode(data); err != nil {
		t.Error(err)
	}
	if _, err := p.decode(data[:len(data)-20]); err == nil {
		t.Error("a picture that is cut off is good")
	}
	if _, err := p.decode(data); err == nil || err.Error() != "the model's pictures have more than 128 million pixels" {
		t.Error(err)
	}
}

// TestPicturesOnce: one file is one picture, however many materials show it.
func TestPicturesOnce(t *testing.T) {
	png := fstest.MapFile{Data: picture(t, 2, 2, func(x, y int) color.NRGBA { return color.NRGBA{A: 255} })}
	folder := fstest.MapFS{"m.glb": {Data: encode(t, texturedDoc(t, "a.png", "b.png", "a.png", "c.png", "b.png"))}, "a.png": &png, "b.png": &png}
	m, err := Load(t.Context(), folder, "m.glb")
	if err != nil {
		t.Fatal(err)
	}
	var images []int
	for _, mat := range m.Materials {
		images = append(images, mat.Image)
	}
	if d := cmp.Diff([]int{0, 1, 0, -1, 1}, images); d != "" || len(m.Images) != 2 {
		t.Error(d, len(m.Images))
	}
}

func TestPictureFormats(t *testing.T) {
	r := image.Rect(3, 2, 12, 13) // not from the origin
	gray16, paletted := image.NewGray16(r), image.NewPaletted(r, color.Palette{color.NRGBA{}, color.NRGBA{9, 80, 200, 100}})
	rgba, ycc := image.NewRGBA(r), image.NewYCbCr(r, image.YCbCrSubsampleRatio420)
	nrgba64 := image.NewNRGBA64(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v := uint8(20*x + y)
			gray16.SetGray16(x, y, color.Gray16{uint16(v) * 257})
			paletted.SetColorIndex(x, y, v&1)
			rgba.Set(x, y, color.NRGBA{v, 255 - v, 7, 255})
			nrgba64.SetNRGBA64(x, y, color.NRGBA64{uint16(v) * 257, 0, 65535, 65535})
			ycc.Y[ycc.YOffset(x, y)], ycc.Cb[ycc.COffset(x, y)], ycc.Cr[ycc.COffset(x, y)] = v, 100, 200
		}
	}
	clear := image.NewRGBA(r)
	clear.Set(4, 4, color.NRGBA{100, 50, 0, 128})
	for _, img := range []image.Image{gray16, paletted, rgba, ycc, nrgba64, clear} {
		got := nrgba(img)
		if got.Rect != image.Rect(0, 0, 9, 11) {
			t.Errorf("%T: %v", img, got.Rect)
		}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				want := color.NRGBAModel.Convert(img.At(x, y))
				if c := got.NRGBAAt(x-3, y-2); c != want {
					t.Fatalf("%T: %v at %d, %d, expected %v", img, c, x, y, want)
				}
			}
		}
	}
}

func TestColorTypes(t *testing.T) {
	for _, c := range []struct {
		data any
		want [4]uint8
		note bool
	}{
		{[][3]uint8{{255, 128, 0}}, [4]uint8{255, 128, 0, 255}, false},
		{[][4]uint8{{1, 2, 3, 4}}, [4]uint8{1, 2, 3, 4}, false},
		{[][3]uint16{{65535, 32768, 0}}, [4]uint8{255, 128, 0, 255}, false},
		{[][4]uint16{{257, 514, 771, 65535}}, [4]uint8{1, 2, 3, 255}, false},
		{[][3]float32{{1, 0.5, 0}}, [4]uint8{255, 128, 0, 255}, false},
		{[][4]float32{{2, -1, float32(math.NaN()), 0.2}}, [4]uint8{255, 0, 0, 51}, true},
	} {
		doc := cubeDoc(true)
		p := doc.Meshes[0].Primitives[0]
		p.Attributes[gltf.COLOR_0] = modeler.WriteColor(doc, repeat8(c.data))
		second := *p
		second.Attributes = gltf.PrimitiveAttributes{gltf.POSITION: p.Attributes[gltf.POSITION], gltf.NORMAL: p.Attributes[gltf.NORMAL]}
		// The one without colours comes first and gets white.
		doc.Meshes[0].Primitives = []*gltf.Primitive{&second, p}
		m := decoded(t, doc)
		if len(m.Colors) != 16 || m.Colors[0] != [4]uint8{255, 255, 255, 255} || m.Colors[15] != c.want {
			t.Errorf("%T: colours %v, expected %v at the end", c.data, m.Colors, c.want)
		}
		if (len(m.Notes) > 0) != c.note {
			t.Errorf("%T: notes %q", c.data, m.Notes)
		}
	}
}

// repeat8 makes a list of eight of the one element.
func repeat8(data any) any {
	switch d := data.(type) {
	case [][3]uint8:
		return bytes8(d)
	case [][4]uint8:
		return bytes8(d)
	case [][3]uint16:
		return bytes8(d)
	case [][4]uint16:
		return bytes8(d)
	case [][3]float32:
		return bytes8(d)
	case [][4]float32:
		return bytes8(d)
	}
	panic(fmt.Sprintf("%T", data))
}

func bytes8[T any](one []T) []T {
	var list []T
	for range 8 {
		list = append(list, one...)
	}
	return list
}

// TestSparseWithoutBase: an accessor without data is zeros but where it is replaced.
func TestSparseWithoutBase(t *testing.T) {
	doc := cubeDoc(false)
	places := modeler.WriteBufferView(doc, gltf.TargetNone, []uint16{1, 5, 1999999999 % 65536})
	values := modeler.WriteBufferView(doc, gltf.TargetNone, [][3]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}})
	doc.Accessors = append(doc.Accessors, &gltf.Accessor{
		ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3, Count: 2_000_000_000,
		Sparse: &gltf.Sparse{Count: 3, Indices: gltf.SparseIndices{BufferView: places, ComponentType: gltf.ComponentUshort}, Values: gltf.SparseValues{BufferView: values}},
	})
	p := doc.Meshes[0].Primitives[0]
	p.Attributes[gltf.POSITION] = len(doc.Accessors) - 1
	p.Indices = gltf.Index(modeler.WriteIndices(doc, []uint32{0, 1, 5, 5, 4, 1_000_000_000, 5, 1, 1_999_999_999}))
	m := decoded(t, doc)
	if m.Triangles() != 2 || m.Bounds != (geom.Box{Max: geom.Vec3{1, 1, 0}}) {
		t.Errorf("%d triangles in %v", m.Triangles(), m.Bounds)
	}
	if d := cmp.Diff([]string{"1 triangle without area was left out."}, m.Notes); d != "" {
		t.Error(d)
	}
}

func TestSparseIndicesAscend(t *testing.T) {
	for _, places := range [][]uint16{{5, 1}, {1, 1}, {1, 8}} {
		doc := cubeDoc(false)
		a := doc.Accessors[doc.Meshes[0].Primitives[0].Attributes[gltf.POSITION]]
		a.Sparse = &gltf.Sparse{
			Count:   2,
			Indices: gltf.SparseIndices{BufferView: modeler.WriteBufferView(doc, gltf.TargetNone, places), ComponentType: gltf.ComponentUshort},
			Values:  gltf.SparseValues{BufferView: modeler.WriteBufferView(doc, gltf.TargetNone, [][3]float32{{1, 0, 0}, {0, 1, 0}})},
		}
		_, err := LoadBytes(t.Context(), encode(t, doc), ".glb")
		wantFault(t, err, "accessors[0].sparse.indices")
	}
}
