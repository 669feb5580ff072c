package main

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"

	"github.com/go-gl/mathgl/mgl64"
)

type vec = mgl64.Vec3

// face is a flat convex polygon, counter-clockwise seen from outside.
type face struct {
	points   []vec
	material string
}

// solid is a mesh: closed shapes, each of faces.
type solid []face

// add adds shapes, moved.
func (s *solid) add(by vec, parts ...solid) {
	for _, p := range parts {
		for _, f := range p {
			g := face{material: f.material}
			for _, v := range f.points {
				g.points = append(g.points, v.Add(by))
			}
			*s = append(*s, g)
		}
	}
}

// corners of a box; the bit of an axis is set at its maximum.
func corners(lo, hi vec) (p [8]vec) {
	for i := range p {
		for a := range 3 {
			p[i][a] = lo[a]
			if i>>a&1 == 1 {
				p[i][a] = hi[a]
			}
		}
	}
	return p
}

func box(material string, lo, hi vec) (s solid) {
	p := corners(lo, hi)
	for _, f := range [...][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		s = append(s, face{[]vec{p[f[0]], p[f[1]], p[f[2]], p[f[3]]}, material})
	}
	return s
}

// post is a box by the middle of its foot and its size.
func post(material string, x, y, z, w, h, d float64) solid {
	return box(material, vec{x - w/2, y, z - d/2}, vec{x + w/2, y + h, z + d/2})
}

// between joins two polygons with as many corners, counter-clockwise seen from above:
// a prism, a frustum, or, with one point above, a pyramid.
func between(material string, below, above []vec) (s solid) {
	n := len(below)
	down := make([]vec, n)
	for i, p := range below {
		down[n-1-i] = p
	}
	s = append(s, face{down, material})
	if len(above) == n {
		s = append(s, face{above, material})
	}
	for i := range n {
		k := (i + 1) % n
		f := []vec{below[i], below[k]}
		if len(above) == n {
			f = append(f, above[k], above[i])
		} else {
			f = append(f, above[0])
		}
		s = append(s, face{f, material})
	}
	return s
}

// ring is a regular polygon around the vertical, counter-clockwise seen from above.
func ring(n int, r, y float64) []vec {
	p := make([]vec, n)
	for i := range p {
		a := 2 * math.Pi * (float64(i) + 0.5) / float64(n)
		p[i] = vec{r * math.Cos(a), y, -r * math.Sin(a)}
	}
	return p
}

// gable is a roof: a triangle along z, its ridge along x.
func gable(material string, lo, hi vec) solid {
	m := (lo[2] + hi[2]) / 2
	a, b, c := vec{lo[0], lo[1], lo[2]}, vec{lo[0], lo[1], hi[2]}, vec{lo[0], hi[1], m}
	d, e, f := vec{hi[0], lo[1], lo[2]}, vec{hi[0], lo[1], hi[2]}, vec{hi[0], hi[1], m}
	return solid{{[]vec{a, b, c}, material}, {[]vec{d, f, e}, material}, {[]vec{b, e, f, c}, material}, {[]vec{d, a, c, f}, material}, {[]vec{a, d, e, b}, material}}
}

// blob is a round thing whose corners stand in and out by a pattern.
func blob(material string, n, rows int, r vec, rough float64) (s solid) {
	at := func(i, k int) vec {
		a, b := 2*math.Pi*float64(i%n)/float64(n), math.Pi*(float64(k)/float64(rows)-0.5)
		d := 1 + rough*math.Sin(float64(i%n*7+k*13)*2.1)
		if k == 0 || k == rows {
			d, a = 1, 0
		}
		return vec{r[0] * d * math.Cos(a) * math.Cos(b), r[1] * (1 + d*math.Sin(b)), -r[2] * d * math.Sin(a) * math.Cos(b)}
	}
	for i := range n {
		for k := range rows {
			p, q, u, v := at(i, k), at(i+1, k), at(i+1, k+1), at(i, k+1)
			if k > 0 {
				s = append(s, face{[]vec{p, q, u}, material})
			}
			if k < rows-1 {
				s = append(s, face{[]vec{p, u, v}, material})
			}
		}
	}
	return s
}

// turned turns a mesh about the vertical.
func (s solid) turned(degrees float64) (out solid) {
	r := mgl64.Rotate3DY(mgl64.DegToRad(degrees))
	for _, f := range s {
		g := face{material: f.material}
		for _, p := range f.points {
			g.points = append(g.points, r.Mul3x1(p))
		}
		out = append(out, g)
	}
	return out
}

// palette are the colours of materials, sRGB.
var palette = map[string][3]float64{
	"plaster": {0.86, 0.80, 0.68}, "ochre": {0.80, 0.62, 0.38}, "rose": {0.74, 0.50, 0.42}, "stone": {0.56, 0.55, 0.52}, "dark stone": {0.40, 0.39, 0.37},
	"wood": {0.48, 0.33, 0.20}, "dark wood": {0.30, 0.20, 0.12}, "floor": {0.58, 0.42, 0.27}, "tile": {0.62, 0.27, 0.18}, "slate": {0.30, 0.33, 0.38},
	"leaf": {0.26, 0.42, 0.17}, "needle": {0.16, 0.32, 0.20}, "hay": {0.80, 0.68, 0.32}, "linen": {0.85, 0.83, 0.78}, "red": {0.70, 0.20, 0.16},
	"iron": {0.22, 0.23, 0.25}, "clay": {0.70, 0.42, 0.28}, "blue": {0.25, 0.38, 0.60}, "glass": {0.45, 0.58, 0.66}, "water": {0.24, 0.40, 0.50}, "ember": {0.95, 0.45, 0.12},
}

// write writes a mesh as GLB, each face with its own normal.
func (s solid) write(path, name string) error {
	type m = map[string]any
	var order []string
	byMaterial := map[string][]face{}
	for _, f := range s {
		if byMaterial[f.material] == nil {
			order = append(order, f.material)
		}
		byMaterial[f.material] = append(byMaterial[f.material], f)
	}
	var bin []byte
	var views, accessors, primitives, materials []any
	view := func(data []byte, target int) int {
		for len(bin)%4 != 0 {
			bin = append(bin, 0)
		}
		views = append(views, m{"buffer": 0, "byteOffset": len(bin), "byteLength": len(data), "target": target})
		bin = append(bin, data...)
		return len(views) - 1
	}
	floats := func(list []vec) (out []byte) {
		for _, v := range list {
			for _, x := range v {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
			}
		}
		return out
	}
	linear := func(c float64) float64 {
		return math.Round(math.Pow(c, 2.2)*1e4) / 1e4
	}
	for _, name := range order {
		var at, normals []vec
		var indices []byte
		count := 0
		lo, hi := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}, [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
		for _, f := range byMaterial[name] {
			p := f.points
			n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Normalize()
			for i := 2; i < len(p); i++ {
				for _, k := range [...]int{0, i - 1, i} {
					indices = binary.LittleEndian.AppendUint16(indices, uint16(len(at)+k))
					count++
				}
			}
			for _, v := range p {
				at, normals = append(at, v), append(normals, n)
				for a := range 3 {
					lo[a], hi[a] = min(lo[a], float32(v[a])), max(hi[a], float32(v[a]))
				}
			}
		}
		if len(at) > math.MaxUint16 {
			panic("too many corners of " + name)
		}
		accessors = append(accessors,
			m{"bufferView": view(floats(at), 34962), "componentType": 5126, "count": len(at), "type": "VEC3", "min": lo, "max": hi},
			m{"bufferView": view(floats(normals), 34962), "componentType": 5126, "count": len(at), "type": "VEC3"},
			m{"bufferView": view(indices, 34963), "componentType": 5123, "count": count, "type": "SCALAR"})
		n := len(accessors)
		primitives = append(primitives, m{"attributes": m{"POSITION": n - 3, "NORMAL": n - 2}, "indices": n - 1, "material": len(materials)})
		c := palette[name]
		materials = append(materials, m{"name": name, "pbrMetallicRoughness": m{"baseColorFactor": []float64{linear(c[0]), linear(c[1]), linear(c[2]), 1}, "metallicFactor": 0, "roughnessFactor": 0.9}})
	}
	for len(bin)%4 != 0 {
		bin = append(bin, 0)
	}
	doc, err := json.Marshal(m{
		"asset": m{"version": "2.0", "generator": "Ridgeline, testdata/village/gen"}, "scene": 0, "scenes": []any{m{"nodes": []int{0}}},
		"nodes": []any{m{"name": name, "mesh": 0}}, "meshes": []any{m{"name": name, "primitives": primitives}}, "materials": materials,
		"accessors": accessors, "bufferViews": views, "buffers": []any{m{"byteLength": len(bin)}},
	})
	if err != nil {
		return err
	}
	for len(doc)%4 != 0 {
		doc = append(doc, ' ')
	}
	out := []byte("glTF")
	word := func(v int) { out = binary.LittleEndian.AppendUint32(out, uint32(v)) }
	word(2)
	word(12 + 8 + len(doc) + 8 + len(bin))
	word(len(doc))
	out = append(out, "JSON"...)
	out = append(out, doc...)
	word(len(bin))
	out = append(out, "BIN\x00"...)
	out = append(out, bin...)
	return os.WriteFile(path, out, 0o644)
}
