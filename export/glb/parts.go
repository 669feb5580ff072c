package glb

import (
	"encoding/binary"
	"math"
	"slices"

	"ridgeline/document/mesh"
	"ridgeline/export/lods"
)

// modelPart is all triangles of a model that have one material.
type modelPart struct {
	material    int
	fit         fit
	uvs, colors bool
	shortUVs    bool     // all lie within 0–1 and the mesh is quantized
	vertices    []byte   // interleaved: POSITION, NORMAL, TEXCOORD_0, COLOR_0
	indices     [][]byte // by level of detail, the whole first
	count       int      // vertices
	min, max    [3]float32
}

func (p *modelPart) stride() int {
	n := 24
	if p.fit != identity {
		n = 8 + 4
	}
	switch {
	case p.shortUVs:
		n += 4
	case p.uvs:
		n += 8
	}
	if p.colors {
		n += 4
	}
	return n
}

// bounds are those of the positions as they are written.
func (p *modelPart) bounds() (lo, hi []float64) {
	if p.fit == identity {
		return doubles(p.min), doubles(p.max)
	}
	for a := range 3 {
		lo = append(lo, float64(p.fit.short(a, p.min[a])))
		hi = append(hi, float64(p.fit.short(a, p.max[a])))
	}
	return lo, hi
}

// wide reports whether indices take 32 bits.
func (p *modelPart) wide() bool { return p.count > math.MaxUint16 }

// eachPart makes the parts of a model, in the order of its materials, and hands them
// out one at a time. Vertices come in the order of their first use, those of the
// coarsest level first, so that each level uses the first few.
func eachPart(m *mesh.Model, levels []lods.Level, fit fit, do func(*modelPart) error) error {
	const unused = math.MaxUint32
	number := slices.Repeat([]uint32{unused}, len(m.Positions)) // of a vertex in the part
	parts := make([][]uint32, len(m.Materials))
	for _, p := range m.Parts {
		parts[p.Material] = append(parts[p.Material], m.Indices[p.First:][:p.Count]...)
	}
	for material, whole := range parts {
		if len(whole) == 0 {
			continue
		}
		inf := float32(math.Inf(1))
		p := modelPart{
			material: material, fit: fit, min: [3]float32{inf, inf, inf}, max: [3]float32{-inf, -inf, -inf},
			// What has a picture needs coordinates, be they all 0.
			uvs: m.UVs != nil || m.Materials[material].Image >= 0, colors: m.Colors != nil,
			indices: make([][]byte, 1+len(levels)),
		}
		p.shortUVs = p.uvs && fit != identity && within01(m, whole)
		lists := [][]uint32{whole}
		for i := range levels {
			lists = append(lists, levels[i].Indices[material])
		}
		for i := len(lists) - 1; i >= 0; i-- {
			for _, v := range lists[i] {
				if number[v] == unused {
					number[v] = uint32(p.count)
					p.add(m, v)
				}
			}
		}
		for i, list := range lists {
			for _, v := range list {
				if p.wide() {
					p.indices[i] = binary.LittleEndian.AppendUint32(p.indices[i], number[v])
				} else {
					p.indices[i] = binary.LittleEndian.AppendUint16(p.indices[i], uint16(number[v]))
				}
			}
		}
		for _, list := range lists {
			for _, v := range list {
				number[v] = unused
			}
		}
		if err := do(&p); err != nil {
			return err
		}
	}
	return nil
}

// within01 reports whether texture coordinates fit unsigned normalized integers.
func within01(m *mesh.Model, indices []uint32) bool {
	if m.UVs == nil {
		return true
	}
	for _, v := range indices {
		if uv := m.UVs[v]; !(min(uv[0], uv[1]) >= 0 && max(uv[0], uv[1]) <= 1) {
			return false
		}
	}
	return true
}

// add appends a vertex of the model.
func (p *modelPart) add(m *mesh.Model, v uint32) {
	p.count++
	for a, x := range m.Positions[v] {
		p.min[a], p.max[a] = min(p.min[a], x), max(p.max[a], x)
		if p.fit == identity {
			p.vertices = appendFloat32(p.vertices, x)
		} else {
			p.vertices = binary.LittleEndian.AppendUint16(p.vertices, uint16(p.fit.short(a, x)))
		}
	}
	if p.fit == identity {
		for _, x := range m.Normals[v] {
			p.vertices = appendFloat32(p.vertices, x)
		}
	} else {
		p.vertices = append(p.vertices, 0, 0) // to four bytes
		n := byteNormal(m.Normals[v])
		p.vertices = append(p.vertices, uint8(n[0]), uint8(n[1]), uint8(n[2]), 0)
	}
	if p.uvs {
		var uv [2]float32
		if m.UVs != nil {
			uv = m.UVs[v]
		}
		for _, x := range uv {
			if p.shortUVs {
				p.vertices = binary.LittleEndian.AppendUint16(p.vertices, uint16(math.Round(float64(x)*65535)))
			} else {
				p.vertices = appendFloat32(p.vertices, x)
			}
		}
	}
	if p.colors {
		p.vertices = append(p.vertices, m.Colors[v][:]...)
	}
}

func appendFloat32(dst []byte, v float32) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
}
