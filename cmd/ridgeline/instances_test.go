package main

import (
	"maps"
	"math"
	"os"
	"strings"
	"testing"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
)

// A level that was exported with instances comes in as an asset as the one without does: the
// same triangles at the same places, below nodes of the same names, and the same solids that
// hide.
func TestInstancesComeIn(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "65x65", "--spacing", "4")
	ok(t, "run", "a.ridge", "testdata/hamlet.txt")
	ok(t, "run", "a.ridge", "-e", `object.place asset=Crate at=9,9 scale=-1,2,1 yaw=30; object.place asset=Crate at=12,9 scale=-1,2,1;
		object.place asset=Crate at=20,9 scale=3 name=wall-occ; object.place asset=Crate at=30,9 scale=3 name=Wall-OCC.001`)
	ok(t, "new", "b.ridge", "--no-terrain")
	for _, more := range []string{"", "--quantize", "--z-up --scale 10"} {
		var told [2]string
		var m [2]*mesh.Model
		var names [2]map[string]int
		for i, args := range [2][]string{nil, {"--instancing"}} {
			ok(t, append(append([]string{"export", "a.ridge", "-o", "x.glb"}, args...), strings.Fields(more)...)...)
			_, told[i], _ = strings.Cut(ok(t, "run", "b.ridge", "-e", "asset.import x.glb"), ": ")
			var err error
			if m[i], err = mesh.Load(t.Context(), os.DirFS("."), "x.glb"); err != nil {
				t.Fatal(err)
			}
			names[i] = map[string]int{}
			for _, p := range m[i].Parts {
				names[i][m[i].Nodes[p.Node].Name] += p.Count
			}
		}
		if told[0] != told[1] || !strings.Contains(told[0], " triangles, ") {
			t.Errorf("%s: with instances the import tells %q, else %q", more, told[1], told[0])
		}
		if a, b := m[0], m[1]; a.Triangles() != b.Triangles() || len(a.Occluders) != 2 || len(b.Occluders) != 2 {
			t.Errorf("%s: %d triangles and %d occluders, with instances %d and %d", more, a.Triangles(), len(a.Occluders), b.Triangles(), len(b.Occluders))
		}
		// What is quantized stands below the node that has the name.
		if more != "--quantize" && !maps.Equal(names[0], names[1]) {
			t.Errorf("%s: triangles by name\n%v, with instances\n%v", more, names[0], names[1])
		}
		if a, b := sumOf(m[0]), sumOf(m[1]); a.Sub(b).Len() > 1e-5*a.Len() {
			t.Errorf("%s: middle %v, with instances %v", more, a, b)
		}
		size := m[0].Bounds.Size().Len()
		for axis := range 3 {
			if a, b := m[0].Bounds, m[1].Bounds; math.Abs(a.Min[axis]-b.Min[axis]) > 1e-6*size || math.Abs(a.Max[axis]-b.Max[axis]) > 1e-6*size {
				t.Errorf("%s: bounds %v, with instances %v", more, a, b)
			}
		}
	}
}

// sumOf is the sum of the corners and normals of a model's triangles, which tells where they
// are and how they turn.
func sumOf(m *mesh.Model) (s geom.Vec3) {
	for i := 0; i < len(m.Indices); i += 3 {
		p := func(k int) geom.Vec3 {
			v := m.Positions[m.Indices[i+k]]
			return geom.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
		}
		n := p(1).Sub(p(0)).Cross(p(2).Sub(p(0)))
		s = s.Add(n).Add(p(0).Add(p(1)).Add(p(2)))
	}
	return s
}
