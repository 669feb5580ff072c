package glb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"ridgeline/document"
	"ridgeline/document/mesh"
)

// modelSteps is how much a model counts beside a chunk in what is told of progress.
const modelSteps = 4

// shelf gets models and keeps some.
type shelf struct {
	library Library
	kept    map[string]*mesh.Model // by the asset's file
	bytes   int                    // of kept
	limit   int
}

func (s *shelf) model(a *document.Asset) (*mesh.Model, error) {
	if m, ok := s.kept[a.File]; ok {
		return m, nil
	}
	if s.library == nil {
		return nil, errors.New("there are no models")
	}
	m, err := s.library(a)
	if err != nil {
		return nil, err
	}
	if n := modelBytes(m); s.bytes+n <= s.limit {
		if s.kept == nil {
			s.kept = map[string]*mesh.Model{}
		}
		s.kept[a.File] = m
		s.bytes += n
	}
	return m, nil
}

func modelBytes(m *mesh.Model) int {
	n := 24*len(m.Positions) + 8*len(m.UVs) + 4*len(m.Colors) + 4*len(m.Indices)
	for i := range m.Images {
		n += len(m.Images[i].Pixels.Pix)
	}
	return n
}

// uses says what shows which asset.
type uses struct {
	names           []string // ascending
	objects, points map[string]int
}

func usesOf(l *document.Level) uses {
	u := uses{objects: map[string]int{}, points: map[string]int{}}
	for e := range l.Entities() {
		if o, ok := document.ObjectOf(e); ok && o.Asset != "" {
			u.objects[o.Asset]++
		}
		if s, ok := e.Data.(document.Scatter); ok {
			for i := range s.Points {
				u.points[s.Assets[s.Points[i].Asset]]++
			}
		}
	}
	for name := range u.objects {
		u.names = append(u.names, name)
	}
	for name := range u.points {
		if u.objects[name] == 0 {
			u.names = append(u.names, name)
		}
	}
	slices.Sort(u.names)
	return u
}

// modelPlan is a model that is written, and which of its pictures.
type modelPlan struct {
	asset    *document.Asset
	pictures []modelPicture
}

// modelPicture is an image of the file and the index of the model's own.
type modelPicture struct{ image, own int }

// noMesh is the mesh of an asset without triangles.
const noMesh = -1

// measureModels makes a mesh for every asset that something shows and gives their
// numbers; assets that are missing have none. Assets of one file share all but the
// name.
func (p *plan) measureModels(ctx context.Context, l *document.Level, u uses, shelf *shelf, progress *meter) (map[string]int, error) {
	meshes := map[string]int{}
	byFile := map[string][]*gltf.Primitive{}
	for _, name := range u.names {
		a, ok := l.Asset(name)
		if !ok {
			p.stats.Missing = append(p.stats.Missing, Missing{name, u.objects[name], u.points[name], nil})
			progress.add(modelSteps)
			continue
		}
		prims, done := byFile[a.File]
		if !done {
			m, err := shelf.model(a)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				p.stats.Missing = append(p.stats.Missing, Missing{name, u.objects[name], u.points[name], err})
				progress.add(modelSteps)
				continue
			}
			if prims, err = p.measureModel(a, m); err != nil {
				return nil, fmt.Errorf("asset %q: %w", name, err)
			}
			byFile[a.File] = prims
			p.shapes.note(a.File, m)
		}
		meshes[name] = noMesh
		if len(prims) > 0 {
			meshes[name] = len(p.doc.Meshes)
			p.doc.Meshes = append(p.doc.Meshes, &gltf.Mesh{Name: name, Primitives: prims})
			p.stats.Meshes++
		}
		progress.add(modelSteps)
	}
	return meshes, nil
}

func (p *plan) measureModel(a *document.Asset, m *mesh.Model) ([]*gltf.Primitive, error) {
	out := modelPlan{asset: a}
	images := make([]int, len(m.Images))
	for i := range m.Images {
		index, written, err := p.addPicture(m.Images[i].Name, m.Images[i].Pixels)
		if err != nil {
			return nil, err
		}
		if images[i] = index; written {
			out.pictures = append(out.pictures, modelPicture{index, i})
		}
	}
	var prims []*gltf.Primitive
	err := eachPart(m, func(part *modelPart) error {
		material, err := p.addMaterial(&m.Materials[part.material], images)
		if err != nil {
			return err
		}
		prims = append(prims, p.addModelPart(part, material))
		return nil
	})
	p.models = append(p.models, out)
	return prims, err
}

func (p *plan) addModelPart(part *modelPart, material int) *gltf.Primitive {
	a := p.attributes(len(part.vertices), part.count, part.stride())
	position := a.add(gltf.ComponentFloat, gltf.AccessorVec3)
	p.doc.Accessors[position].Min, p.doc.Accessors[position].Max = doubles(part.min), doubles(part.max)
	attributes := gltf.PrimitiveAttributes{
		gltf.POSITION: position,
		gltf.NORMAL:   a.add(gltf.ComponentFloat, gltf.AccessorVec3),
	}
	if part.uvs {
		attributes[gltf.TEXCOORD_0] = a.add(gltf.ComponentFloat, gltf.AccessorVec2)
	}
	if part.colors {
		attributes[gltf.COLOR_0] = a.add(gltf.ComponentUbyte, gltf.AccessorVec4)
	}
	kind := gltf.ComponentUshort
	if part.wide() {
		kind = gltf.ComponentUint
	}
	return p.primitive(attributes, len(part.indices), kind, part.count, material)
}

// modelPart is all triangles of a model that have one material.
type modelPart struct {
	material    int
	uvs, colors bool
	vertices    []byte // interleaved: POSITION, NORMAL, TEXCOORD_0, COLOR_0
	indices     []byte
	count       int // vertices
	min, max    [3]float32
}

func (p *modelPart) stride() int {
	n := 24
	if p.uvs {
		n += 8
	}
	if p.colors {
		n += 4
	}
	return n
}

// wide reports whether indices take 32 bits.
func (p *modelPart) wide() bool { return p.count > math.MaxUint16 }

// eachPart makes the parts of a model, in the order of its materials, and hands them
// out one at a time. Vertices come in the order of their first use.
func eachPart(m *mesh.Model, do func(*modelPart) error) error {
	const unused = math.MaxUint32
	number := slices.Repeat([]uint32{unused}, len(m.Positions)) // of a vertex in the part
	parts := make([][]mesh.Part, len(m.Materials))
	for _, p := range m.Parts {
		parts[p.Material] = append(parts[p.Material], p)
	}
	var indices []uint32
	for material, list := range parts {
		if len(list) == 0 {
			continue
		}
		inf := float32(math.Inf(1))
		p := modelPart{
			material: material, min: [3]float32{inf, inf, inf}, max: [3]float32{-inf, -inf, -inf},
			// What has a picture needs coordinates, be they all 0.
			uvs: m.UVs != nil || m.Materials[material].Image >= 0, colors: m.Colors != nil,
		}
		indices = indices[:0]
		for _, part := range list {
			for _, v := range m.Indices[part.First:][:part.Count] {
				if number[v] == unused {
					number[v] = uint32(p.count)
					p.add(m, v)
				}
				indices = append(indices, number[v])
			}
		}
		for _, part := range list {
			for _, v := range m.Indices[part.First:][:part.Count] {
				number[v] = unused
			}
		}
		for _, v := range indices {
			if p.wide() {
				p.indices = binary.LittleEndian.AppendUint32(p.indices, v)
			} else {
				p.indices = binary.LittleEndian.AppendUint16(p.indices, uint16(v))
			}
		}
		if err := do(&p); err != nil {
			return err
		}
	}
	return nil
}

// add appends a vertex of the model.
func (p *modelPart) add(m *mesh.Model, v uint32) {
	p.count++
	for a, x := range m.Positions[v] {
		p.min[a], p.max[a] = min(p.min[a], x), max(p.max[a], x)
		p.vertices = appendFloat32(p.vertices, x)
	}
	for _, x := range m.Normals[v] {
		p.vertices = appendFloat32(p.vertices, x)
	}
	if p.uvs {
		var uv [2]float32
		if m.UVs != nil {
			uv = m.UVs[v]
		}
		p.vertices = appendFloat32(appendFloat32(p.vertices, uv[0]), uv[1])
	}
	if p.colors {
		p.vertices = append(p.vertices, m.Colors[v][:]...)
	}
}

func appendFloat32(dst []byte, v float32) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
}
