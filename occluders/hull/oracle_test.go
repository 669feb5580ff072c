package hull

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// sideByRationals is sideExactly in exact fractions.
func sideByRationals(a, b, c, p geom.Vec3) int {
	var u, v, w [3]*big.Rat
	diff := func(x, y float64) *big.Rat {
		r, s := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
		return r.Sub(r, s)
	}
	for i := range u {
		u[i], v[i], w[i] = diff(b[i], a[i]), diff(c[i], a[i]), diff(p[i], a[i])
	}
	sum := new(big.Rat)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		x := new(big.Rat).Mul(u[j], v[k])
		y := new(big.Rat).Mul(u[k], v[j])
		sum.Add(sum, x.Sub(x, y).Mul(x, w[i]))
	}
	return sum.Sign()
}

func TestSideExactly(t *testing.T) {
	zeros := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		var p [4]geom.Vec3
		for i := range p {
			for k := range p[i] {
				switch kind {
				case 0: // few numbers
					p[i][k] = float64(r.IntN(3)) / 3
				case 1: // of all magnitudes
					p[i][k] = math.Ldexp(r.Float64()-0.5, -r.IntN(190))
				case 2: // nearly equal
					p[i][k] = 0.1 + float64(r.IntN(3))*math.Ldexp(1, -56)
				case 3: // on a plane, but for rounding
					p[i][k] = r.Float64()
				}
			}
			if kind == 3 {
				p[i][2] = p[i][0]*0.3 + p[i][1]*0.7
			}
		}
		got, want := sideExactly(&p[0], &p[1], &p[2], &p[3]), sideByRationals(p[0], p[1], p[2], p[3])
		if got != want {
			t.Fatalf("%v: %d, expected %d", p, got, want)
		}
		if want == 0 {
			zeros++
		}
	})
	if zeros == 0 {
		t.Error("nothing was coplanar")
	}
}

// bruteFaces are the faces of the hull of points, each the points that lie in it, in
// order: all triples are asked.
func bruteFaces(points []geom.Vec3) [][]int {
	faces := map[string][]int{}
	for a := range points {
		for b := range points {
			for c := range points {
				if a == b || b == c || a == c {
					continue
				}
				n := points[b].Sub(points[a]).Cross(points[c].Sub(points[a]))
				if n.LenSqr() == 0 {
					continue
				}
				var in []int
				for p := range points {
					if s := sideExactly(&points[a], &points[b], &points[c], &points[p]); s > 0 {
						in = nil
						break
					} else if s == 0 {
						in = append(in, p)
					}
				}
				if in != nil {
					faces[fmt.Sprint(in)] = in
				}
			}
		}
	}
	var all [][]int
	for _, f := range faces {
		all = append(all, f)
	}
	return all
}

// On whole numbers all is exact: the hull is that of asking every triple.
func TestOfAgainstEveryTriple(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 14).Draw(t, "n")
		size := rapid.IntRange(1, 4).Draw(t, "size")
		seen := map[geom.Vec3]bool{}
		var points []geom.Vec3
		for range n {
			var p geom.Vec3
			for k := range p {
				p[k] = float64(rapid.IntRange(0, size).Draw(t, "x")) / 8
			}
			if !seen[p] {
				points = append(points, p)
			}
			seen[p] = true
		}
		h, err := Of(points)
		if err != nil {
			return // the named errors have their own test
		}
		want := bruteFaces(points)
		if len(h.Faces) != len(want) {
			t.Fatalf("%d faces, expected %d", len(h.Faces), len(want))
		}
		corner := make(map[geom.Vec3]bool)
		for i, pl := range h.Planes {
			matched := false
			for _, in := range want {
				all := true
				for _, p := range in {
					all = all && math.Abs(pl.Distance(points[p])) < 1e-12
				}
				matched = matched || all
			}
			if !matched {
				t.Fatalf("face %d, %v, is none", i, pl)
			}
			for _, v := range h.Faces[i] {
				corner[h.Vertices[v]] = true
			}
		}
		// A corner is in three faces at least, whose normals span space.
		for i, p := range points {
			var normals []geom.Vec3
			for _, in := range want {
				if slices.Contains(in, i) {
					normals = append(normals, faceNormal(points, in))
				}
			}
			spans := false
			for _, a := range normals {
				for _, b := range normals {
					for _, c := range normals {
						spans = spans || math.Abs(a.Cross(b).Dot(c)) > 1e-9
					}
				}
			}
			if corner[p] != spans {
				t.Fatalf("point %v is a corner: %v, expected %v", p, corner[p], spans)
			}
		}
	})
}

func faceNormal(points []geom.Vec3, in []int) (n geom.Vec3) {
	for _, b := range in[1:] {
		for _, c := range in[1:] {
			if m := points[b].Sub(points[in[0]]).Cross(points[c].Sub(points[in[0]])); m.LenSqr() > n.LenSqr() {
				n = m
			}
		}
	}
	return n.Normalize()
}

func FuzzOf(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), uint8(0))
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0}, uint8(1))
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 9, 9, 9}, uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		if len(data) > 3*300 {
			return
		}
		var points []geom.Vec3
		for ; len(data) >= 3; data = data[3:] {
			var p geom.Vec3
			for k := range p {
				v := float64(data[k])
				switch kind % 4 {
				case 1: // an ulp or so around 1
					v = math.Float64frombits(math.Float64bits(1) + uint64(data[k]&3))
				case 2: // of any magnitude
					v = math.Ldexp(float64(data[k]&7), int(data[k]>>3)*8-100)
				case 3: // nearly in planes
					v = float64(data[k]&3) + math.Ldexp(float64(data[k]>>2), -50)
				}
				p[k] = v
			}
			points = append(points, p)
		}
		h, err := Of(points)
		if err != nil {
			if !isNamed(err) {
				t.Fatal(err)
			}
			return
		}
		if err := sound(h, points); err != nil {
			t.Fatal(err)
		}
	})
}

func TestValidateFindsFaults(t *testing.T) {
	good := func() *Hull {
		h, err := OfBox(geom.Box{Min: geom.Vec3{1, 2, 3}, Max: geom.Vec3{4, 5, 7}})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(h *Hull){
		"a vertex moved in":    func(h *Hull) { h.Vertices[0] = h.Vertices[0].Add(geom.Vec3{1, 1, 1}) },
		"a vertex moved out":   func(h *Hull) { h.Vertices[0] = h.Vertices[0].Sub(geom.Vec3{1, 1, 1}) },
		"no number":            func(h *Hull) { h.Vertices[3][1] = math.NaN() },
		"a face less":          func(h *Hull) { h.Faces, h.Planes = h.Faces[1:], h.Planes[1:] },
		"a face twice":         func(h *Hull) { h.Faces[1] = h.Faces[0] },
		"a face turned around": func(h *Hull) { slices.Reverse(h.Faces[2]) },
		"inside out": func(h *Hull) {
			for i := range h.Faces {
				slices.Reverse(h.Faces[i])
				h.Planes[i] = h.Planes[i].Flip()
			}
		},
		"a plane moved":        func(h *Hull) { h.Planes[3].D += 0.1 },
		"a plane turned":       func(h *Hull) { h.Planes[3].N = geom.Vec3{0.6, 0.8, 0} },
		"no plane":             func(h *Hull) { h.Planes[3] = geom.Plane{} },
		"planes less":          func(h *Hull) { h.Planes = h.Planes[1:] },
		"an index too great":   func(h *Hull) { h.Faces[0][0] = 8 },
		"an index below 0":     func(h *Hull) { h.Faces[0][0] = -1 },
		"a face of two":        func(h *Hull) { h.Faces[0] = h.Faces[0][:2] },
		"a vertex of no face":  func(h *Hull) { h.Vertices = append(h.Vertices, geom.Vec3{2, 3, 4}) },
		"nothing":              func(h *Hull) { *h = Hull{} },
		"a face with its edge": func(h *Hull) { h.Faces[0][1] = h.Faces[0][0] },
	} {
		h := good()
		// Each of a memory of its own.
		for i := range h.Faces {
			h.Faces[i] = slices.Clone(h.Faces[i])
		}
		spoil(h)
		if h.Validate() == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
