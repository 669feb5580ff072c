package mesh

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/google/go-cmp/cmp"
	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// cubeOBJ writes a box whose faces begin at vertex number first.
func cubeOBJ(name, material string, lo, hi [3]float32, first int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "o %s\nusemtl %s\n", name, material)
	for i := range 8 {
		p := lo
		for a := range 3 {
			if i>>a&1 == 1 {
				p[a] = hi[a]
			}
		}
		fmt.Fprintf(&b, "v %g %g %g\n", p[0], p[1], p[2])
	}
	for _, f := range [][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		fmt.Fprintf(&b, "f %d %d %d %d\n", first+f[0], first+f[1], first+f[2], first+f[3])
	}
	return b.String()
}

func TestOccluderNames(t *testing.T) {
	for name, want := range map[string]bool{
		"wall-occ": true, "wall-OCC": true, "-occ": true, "wall-occ.001": true, "wall -occ": true,
		"wall": false, "": false, "occ": false, "wall-occluder": false, "wall-occ.1": false, "wall-occ.abc": false,
		"wall-occ.0001": false, "wall_occ": false, "-occ wall": false, ".001": false, "wall-occ.": false,
	} {
		if got := IsOccluder(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// What stands in occluder nodes is not drawn, and nothing else changes.
func TestOccludersOfOBJ(t *testing.T) {
	house := cubeOBJ("house", "brick", [3]float32{-2, 0, -2}, [3]float32{2, 3, 2}, 1)
	occ := cubeOBJ("house-occ", "brick", [3]float32{-1, 1, -1}, [3]float32{1, 2, 1}, 9)
	more := cubeOBJ("roof", "tiles", [3]float32{-2, 3, -2}, [3]float32{2, 4, 2}, 17)
	m := objModel(t, house+occ+more, nil)
	want := objModel(t, house+cubeOBJ("roof", "tiles", [3]float32{-2, 3, -2}, [3]float32{2, 4, 2}, 9), nil)
	if len(m.Occluders) != 1 || len(m.Occluders[0]) != 8 {
		t.Fatalf("occluders %v", m.Occluders)
	}
	box := geom.EmptyBox()
	for _, p := range m.Occluders[0] {
		box = box.Add(vec64(p))
	}
	if box != (geom.Box{Min: geom.Vec3{-1, 1, -1}, Max: geom.Vec3{1, 2, 1}}) {
		t.Errorf("the occluder has the box %v", box)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if len(m.Nodes) != 3 || m.Parts[1].Node != 2 {
		t.Errorf("nodes %v, parts %v", m.Nodes, m.Parts)
	}
	got := *m
	got.Occluders, got.Nodes, want.Nodes = nil, nil, nil
	got.Parts = slices.Clone(m.Parts)
	got.Parts[1].Node = 1
	if d := difference(want, &got); d != "" {
		t.Error(d)
	}
}

func TestOccludersOfGLTF(t *testing.T) {
	doc := cubeDoc(true)
	doc.Nodes = []*gltf.Node{
		{Name: "house", Mesh: gltf.Index(0), Children: []int{1}},
		{Name: "walls-occ", Mesh: gltf.Index(0), Translation: [3]float64{10, 0, 0}, Scale: [3]float64{-1, 0.5, 0.5}, Children: []int{2}},
		{Name: "below", Mesh: gltf.Index(0), Translation: [3]float64{0, 10, 0}},
	}
	m := decoded(t, doc)
	if len(m.Occluders) != 2 || m.Triangles() != 12 || len(m.Parts) != 1 {
		t.Fatalf("%d occluders, %d triangles, parts %v", len(m.Occluders), m.Triangles(), m.Parts)
	}
	for i, want := range []geom.Box{
		{Min: geom.Vec3{9, -0.5, -0.5}, Max: geom.Vec3{11, 0.5, 0.5}},
		{Min: geom.Vec3{9, 4.5, -0.5}, Max: geom.Vec3{11, 5.5, 0.5}},
	} {
		box := geom.EmptyBox()
		for _, p := range m.Occluders[i] {
			box = box.Add(vec64(p))
		}
		if box != want {
			t.Errorf("occluder %d has the box %v, expected %v", i, box, want)
		}
	}
	if b := m.Bounds; b != (geom.Box{Min: geom.Vec3{-1, -1, -1}, Max: geom.Vec3{1, 1, 1}}) {
		t.Errorf("bounds %v", b)
	}
}

func TestOccluderNotes(t *testing.T) {
	for want, text := range map[string]string{
		`The occluder node "a-occ" is flat; it hides nothing.`: "o a-occ\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
		`The occluder node "a-occ" is not convex; its hull, which is larger, hides what is behind it.`: cubeOBJ("a-occ", "m", [3]float32{0, 0, 0}, [3]float32{1, 1, 1}, 1) +
			strings.TrimPrefix(cubeOBJ("", "m", [3]float32{3, 0, 0}, [3]float32{4, 1, 1}, 9), "o \n"),
		"The model has no triangles.": cubeOBJ("a-occ", "m", [3]float32{0, 0, 0}, [3]float32{1, 1, 1}, 1),
	} {
		m := objModel(t, text, nil)
		if !slices.Contains(m.Notes, want) {
			t.Errorf("notes %q, expected %q", m.Notes, want)
		}
		if m.Triangles() != 0 || len(m.Positions) != 0 || len(m.Materials) != 0 || !m.Bounds.IsEmpty() {
			t.Errorf("something is left of %q", text)
		}
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
	}
	// A convex one has no note but of its material and that there is nothing else.
	if m := objModel(t, cubeOBJ("a-occ", "m", [3]float32{0, 0, 0}, [3]float32{1, 1, 1}, 1), nil); len(m.Occluders) != 1 || len(m.Notes) != 2 {
		t.Errorf("%d occluders, notes %q", len(m.Occluders), m.Notes)
	}
}

// Whatever nodes are occluders, the triangles of the others stay in order, and each
// hull holds all vertices of its node.
func TestOccludersProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var drawn []string
		var hidden []geom.Box
		first := 1
		for i := range rapid.IntRange(1, 6).Draw(t, "boxes") {
			lo := [3]float32{float32(10 * i), rapid.Float32Range(-5, 5).Draw(t, "y"), 0}
			hi := [3]float32{lo[0] + rapid.Float32Range(1, 3).Draw(t, "w"), lo[1] + 2, 2}
			name := fmt.Sprintf("box%d", i)
			material := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "material")
			if rapid.Bool().Draw(t, "occluder") {
				name += "-occ"
				b := geom.EmptyBox()
				hidden = append(hidden, b.Add(vec64(lo)).Add(vec64(hi)))
			} else {
				drawn = append(drawn, name)
			}
			text.WriteString(cubeOBJ(name, material, lo, hi, first))
			first += 8
		}
		m, err := LoadBytes(t.Context(), []byte(text.String()), ".obj")
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range m.Parts {
			names = append(names, m.Nodes[p.Node].Name)
		}
		if d := cmp.Diff(drawn, names); d != "" {
			t.Fatal(d)
		}
		if len(m.Occluders) != len(hidden) {
			t.Fatalf("%d occluders, expected %d", len(m.Occluders), len(hidden))
		}
		for i, o := range m.Occluders {
			h, err := hull.Of(points64(o))
			if err != nil || h.Bounds() != hidden[i] {
				t.Fatalf("occluder %d: %v %v", i, h, err)
			}
		}
		if used := len(m.Materials); used > 3 || len(drawn) == 0 && used > 0 {
			t.Fatalf("%d materials", used)
		}
	})
}

func points64(list []mgl32.Vec3) (out []geom.Vec3) {
	for _, p := range list {
		out = append(out, vec64(p))
	}
	return out
}
