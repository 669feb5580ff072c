package mesh

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"pgregory.net/rapid"
)

// soup draws a random indexed mesh whose triangles all have an area.
func soup(t *rapid.T) (corners [][3]float32, indices []uint16) {
	n := rapid.IntRange(3, 40).Draw(t, "vertices")
	for i := range n {
		c := func(axis string) float32 { return float32(rapid.IntRange(-1000, 1000).Draw(t, axis)) / 8 }
		corners = append(corners, [3]float32{c("x"), c("y") + float32(i)/1024, c("z")})
	}
	for range rapid.IntRange(1, 60).Draw(t, "triangles") {
		v := func() uint16 { return uint16(rapid.IntRange(0, n-1).Draw(t, "index")) }
		a, b, c := v(), v(), v()
		if hasArea(corners[a], corners[b], corners[c]) {
			indices = append(indices, a, b, c)
		}
	}
	return corners, indices
}

// randomNode draws a node with a transform, as matrix or as parts, and the matrix.
func randomNode(t *rapid.T) (*gltf.Node, mgl64.Mat4) {
	f := func(name string, lo, hi float64) float64 {
		return math.Round(rapid.Float64Range(lo, hi).Draw(t, name)*64) / 64
	}
	move := mgl64.Vec3{f("tx", -100, 100), f("ty", -100, 100), f("tz", -100, 100)}
	axis := mgl64.Vec3{f("ax", -1, 1), f("ay", -1, 1), f("az", -1, 1) + 2}.Normalize()
	q := mgl64.QuatRotate(f("angle", -4, 4), axis).Normalize()
	scale := mgl64.Vec3{f("sx", 0.25, 4), f("sy", 0.25, 4), f("sz", 0.25, 4)}
	for a := range 3 {
		if rapid.Bool().Draw(t, "mirror") {
			scale[a] = -scale[a]
		}
	}
	m := mgl64.Translate3D(move[0], move[1], move[2]).Mul4(q.Mat4()).Mul4(mgl64.Scale3D(scale[0], scale[1], scale[2]))
	if rapid.Bool().Draw(t, "as matrix") {
		return &gltf.Node{Matrix: [16]float64(m)}, m
	}
	return &gltf.Node{Translation: move, Rotation: [4]float64{q.V[0], q.V[1], q.V[2], q.W}, Scale: scale}, m
}

// TestRoundTrip: what was written as glTF comes back as the same triangles, moved by
// the transforms of all nodes above, and turned round where they mirror.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corners, indices := soup(t)
		if len(indices) == 0 {
			return
		}
		doc := gltf.NewDocument()
		p := &gltf.Primitive{Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(doc, corners)}}
		if rapid.Bool().Draw(t, "indexed") {
			p.Indices = gltf.Index(modeler.WriteIndices(doc, indices))
		} else {
			var list [][3]float32
			for _, i := range indices {
				list = append(list, corners[i])
			}
			p.Attributes[gltf.POSITION] = modeler.WritePosition(doc, list)
		}
		doc.Meshes = []*gltf.Mesh{{Primitives: []*gltf.Primitive{p}}}
		world := mgl64.Ident4()
		for i := range rapid.IntRange(1, 3).Draw(t, "depth") {
			n, m := randomNode(t)
			world = world.Mul4(m)
			if i > 0 {
				doc.Nodes[i-1].Children = []int{i}
			}
			doc.Nodes = append(doc.Nodes, n)
		}
		doc.Nodes[len(doc.Nodes)-1].Mesh = gltf.Index(0)
		doc.Scenes[0].Nodes = []int{0}

		m, err := LoadBytes(t.Context(), encodeRapid(t, doc), ".glb")
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if m.Triangles() != len(indices)/3 {
			t.Fatalf("%d triangles of %d, %q", m.Triangles(), len(indices)/3, m.Notes)
		}
		mirrored := world.Mat3().Det() < 0
		for i := 0; i < len(indices); i += 3 {
			want := [3]mgl64.Vec3{}
			for k := range 3 {
				want[k] = mgl64.TransformCoordinate(vec64(corners[indices[i+k]]), world)
			}
			if mirrored {
				want[1], want[2] = want[2], want[1]
			}
			for k := range 3 {
				got := vec64(m.Positions[m.Indices[i+k]])
				if d := got.Sub(want[k]).Len(); !(d <= 1e-6*(1+want[k].Len())) {
					t.Fatalf("corner %d of triangle %d at %v, expected %v", k, i/3, got, want[k])
				}
			}
			normal := want[1].Sub(want[0]).Cross(want[2].Sub(want[0])).Normalize()
			if got := vec64(m.Normals[m.Indices[i]]); !(got.Dot(normal) > 0.99) && hasRoom(want) {
				t.Fatalf("normal %v, expected %v", got, normal)
			}
		}
	})
}

// hasRoom tells triangles that aren't so thin that rounding turns them.
func hasRoom(p [3]mgl64.Vec3) bool {
	e, f := p[1].Sub(p[0]), p[2].Sub(p[0])
	return e.Cross(f).Len() > 1e-3*(1+p[0].Len())*max(e.Len(), f.Len(), e.Sub(f).Len())
}

// TestMirroredNodesStayOutward: a closed cube has a positive volume and outward
// normals below whatever nodes, with normals of the file and with made ones.
func TestMirroredNodesStayOutward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := cubeDoc(rapid.Bool().Draw(t, "normals"))
		n, world := randomNode(t)
		n.Mesh = gltf.Index(0)
		doc.Nodes[0] = n
		m, err := LoadBytes(t.Context(), encodeRapid(t, doc), ".glb")
		if err != nil {
			t.Fatal(err)
		}
		// From the cube's middle, so that no digits are lost far out.
		at := m.Bounds.Center()
		for i, p := range m.Positions {
			q := vec64(p).Sub(at)
			m.Positions[i] = mgl32.Vec3{float32(q[0]), float32(q[1]), float32(q[2])}
		}
		if v, want := volume(m), 8*math.Abs(world.Mat3().Det()); !(v > 0.99*want && v < 1.01*want) {
			t.Fatalf("volume %v, expected %v", v, want)
		}
		for i := range m.Positions {
			// Of a box with edges that aren't square to each other, corners
			// still lie before the plane through the middle that a normal has.
			if !(m.Normals[i].Dot(m.Positions[i]) > 0) {
				t.Fatalf("normal %v at %v", m.Normals[i], m.Positions[i])
			}
		}
	})
}

// TestQuantizedIsTheSame: positions, normals and texture coordinates as integers
// give what they give as floats, within a step.
func TestQuantizedIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(t, "vertices")
		normalized := rapid.Bool().Draw(t, "normalized")
		signed := rapid.Bool().Draw(t, "signed")
		small := rapid.Bool().Draw(t, "bytes")
		most := map[[2]bool]int{{true, true}: 127, {false, true}: 255, {true, false}: 32767, {false, false}: 65535}[[2]bool{signed, small}]
		var floats, normals [][3]float32
		var uvs [][2]float32
		var ints [][3]int
		for range n {
			var p [3]int
			var f [3]float32
			for a := range 3 {
				lo := 0
				if signed {
					lo = -most
				}
				p[a] = rapid.IntRange(lo, most).Draw(t, "component")
				f[a] = float32(p[a])
				if normalized {
					f[a] /= float32(most)
				}
			}
			ints, floats = append(ints, p), append(floats, f)
			normals = append(normals, mgl32.Vec3{f[0] + 1e6, f[1], f[2]}.Normalize())
			uvs = append(uvs, [2]float32{f[0], f[1]})
		}
		doc := func(quantized bool) *gltf.Document {
			doc := gltf.NewDocument()
			attributes := gltf.PrimitiveAttributes{gltf.NORMAL: modeler.WriteNormal(doc, normals)}
			if quantized {
				doc.ExtensionsRequired = []string{extQuantization}
				attributes[gltf.POSITION] = writeInts(doc, ints, 3, signed, small, normalized)
				attributes[gltf.TEXCOORD_0] = writeInts(doc, ints, 2, signed, small, normalized)
			} else {
				attributes[gltf.POSITION] = modeler.WritePosition(doc, floats)
				attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(doc, uvs)
			}
			doc.Meshes = []*gltf.Mesh{{Primitives: []*gltf.Primitive{{Attributes: attributes, Mode: gltf.PrimitiveTriangleFan}}}}
			doc.Nodes = []*gltf.Node{{Mesh: gltf.Index(0)}}
			doc.Scenes[0].Nodes = []int{0}
			return doc
		}
		want, err := LoadBytes(t.Context(), encodeRapid(t, doc(false)), ".glb")
		if err != nil {
			t.Fatal(err)
		}
		got, err := LoadBytes(t.Context(), encodeRapid(t, doc(true)), ".glb")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Positions) != len(want.Positions) || len(got.Indices) != len(want.Indices) {
			t.Fatalf("%d vertices and %d indices, expected %d and %d", len(got.Positions), len(got.Indices), len(want.Positions), len(want.Indices))
		}
		for i := range want.Positions {
			if d := got.Positions[i].Sub(want.Positions[i]).Len(); !(d <= 1e-6*(1+want.Positions[i].Len())) {
				t.Fatalf("position %v, expected %v", got.Positions[i], want.Positions[i])
			}
			if d := got.UVs[i].Sub(want.UVs[i]).Len(); !(d <= 1e-6*(1+want.UVs[i].Len())) {
				t.Fatalf("coordinates %v, expected %v", got.UVs[i], want.UVs[i])
			}
		}
	})
}

// writeInts writes vectors of the first components as integers of a width, with
// elements at multiples of four bytes.
func writeInts(doc *gltf.Document, values [][3]int, components int, signed, small, normalized bool) int {
	width := 2
	if small {
		width = 1
	}
	stride := (components*width + 3) / 4 * 4
	data := make([]byte, stride*len(values))
	for i, v := range values {
		for k := range components {
			data[i*stride+k*width] = byte(v[k])
			if width == 2 {
				data[i*stride+2*k+1] = byte(v[k] >> 8)
			}
		}
	}
	view := modeler.WriteBufferView(doc, gltf.TargetArrayBuffer, data)
	doc.BufferViews[view].ByteStride = stride
	kind := map[[2]bool]gltf.ComponentType{
		{true, true}: gltf.ComponentByte, {false, true}: gltf.ComponentUbyte,
		{true, false}: gltf.ComponentShort, {false, false}: gltf.ComponentUshort,
	}[[2]bool{signed, small}]
	doc.Accessors = append(doc.Accessors, &gltf.Accessor{
		BufferView: &view, ComponentType: kind, Normalized: normalized, Count: len(values),
		Type: map[int]gltf.AccessorType{2: gltf.AccessorVec2, 3: gltf.AccessorVec3}[components],
	})
	return len(doc.Accessors) - 1
}

// TestSparseEqualsDense: an accessor with replaced elements is the same as one that
// has them in place.
func TestSparseEqualsDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := cubeDoc(false)
		var places []uint16
		var values [][3]float32
		dense := append([][3]float32(nil), cubeCorners...)
		for i := range 8 {
			if rapid.Bool().Draw(t, "replaced") {
				v := [3]float32{float32(rapid.IntRange(-9, 9).Draw(t, "x")), float32(i) + 0.5, 3}
				places, values = append(places, uint16(i)), append(values, v)
				dense[i] = v
			}
		}
		if len(places) == 0 {
			return
		}
		p := doc.Meshes[0].Primitives[0]
		a := doc.Accessors[p.Attributes[gltf.POSITION]]
		a.Sparse = &gltf.Sparse{
			Count:   len(places),
			Indices: gltf.SparseIndices{BufferView: modeler.WriteBufferView(doc, gltf.TargetNone, places), ComponentType: gltf.ComponentUshort},
			Values:  gltf.SparseValues{BufferView: modeler.WriteBufferView(doc, gltf.TargetNone, values)},
		}
		a.Min, a.Max = nil, nil // those of the cube
		for _, v := range []int{a.Sparse.Indices.BufferView, a.Sparse.Values.BufferView} {
			doc.BufferViews[v].ByteStride = 0
		}
		plain := cubeDoc(false)
		plain.Meshes[0].Primitives[0].Attributes[gltf.POSITION] = modeler.WritePosition(plain, dense)
		got, err := LoadBytes(t.Context(), encodeRapid(t, doc), ".glb")
		if err != nil {
			t.Fatal(err)
		}
		want, err := LoadBytes(t.Context(), encodeRapid(t, plain), ".glb")
		if err != nil {
			t.Fatal(err)
		}
		if d := difference(want, got); d != "" {
			t.Fatal(d)
		}
	})
}
