package glb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"github.com/qmuntal/gltf"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/export/lods"
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

func usesOf(list []placed) uses {
	u := uses{objects: map[string]int{}, points: map[string]int{}}
	for i := range list {
		if list[i].bare {
			continue
		}
		switch d := list[i].Data.(type) {
		case document.Object:
			if d.Asset != "" {
				u.objects[d.Asset]++
			}
		case document.Scatter:
			for k := range d.Points {
				u.points[d.Assets[d.Points[k].Asset]]++
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
	asset    *document.Asset // nil for the placeholder
	pictures []modelPicture
	vertices int // of the model
	levels   []lods.Level
	fit      fit
}

func (p *modelPlan) model(shelf *shelf) (*mesh.Model, error) {
	if p.asset == nil {
		return mesh.Placeholder(), nil
	}
	return shelf.model(p.asset)
}

// modelPicture is an image of the file and the index of the model's own.
type modelPicture struct{ image, own int }

// meshPlan is the mesh of an asset.
type meshPlan struct {
	mesh    int // none for an asset without triangles
	fit     fit
	missing bool // it is the placeholder
}

// shared is what assets of one file have in common.
type shared struct {
	prims  [][]*gltf.Primitive // by level of detail
	errors []float64           // of the further levels, metres
	fit    fit
	err    error // it is missing
}

// measureModels makes a mesh for every asset that something shows. Assets that are
// missing have that of the placeholder; assets of one file share all but the name.
func (p *plan) measureModels(ctx context.Context, l *document.Level, u uses, shelf *shelf, progress *meter) (map[string]*meshPlan, error) {
	meshes := map[string]*meshPlan{}
	byFile := map[string]*shared{}
	var placeholder *meshPlan
	for _, name := range u.names {
		var file *shared
		a, ok := l.Asset(name)
		if ok {
			if file = byFile[a.File]; file == nil {
				var err error
				if file, err = p.measureFile(ctx, a, shelf); err != nil {
					return nil, err
				}
				byFile[a.File] = file
			}
		}
		progress.add(modelSteps)
		if ok && file.err == nil {
			meshes[name] = p.addMesh(name, file)
			continue
		}
		miss := Missing{Asset: name, Objects: u.objects[name], Points: u.points[name]}
		if ok {
			miss.Err = file.err
		}
		p.stats.Missing = append(p.stats.Missing, miss)
		if placeholder == nil && !p.options.Strict {
			m := mesh.Placeholder()
			file, err := p.measureModel(ctx, nil, m)
			if err != nil {
				return nil, err
			}
			placeholder = p.addMesh(m.Name, file)
			placeholder.missing = true
		}
		meshes[name] = placeholder
	}
	if p.options.Strict {
		return meshes, strict(p.stats.Missing)
	}
	return meshes, nil
}

// strict is the error that missing assets are.
func strict(missing []Missing) error {
	var errs []error
	for _, m := range missing {
		if m.Err == nil {
			errs = append(errs, fmt.Errorf("the level has no asset %q", m.Asset))
		} else {
			errs = append(errs, fmt.Errorf("the asset %q cannot be read: %w", m.Asset, m.Err))
		}
	}
	return errors.Join(errs...)
}

// measureFile gets the model of an asset and measures it.
func (p *plan) measureFile(ctx context.Context, a *document.Asset, shelf *shelf) (*shared, error) {
	m, err := shelf.model(a)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		// What is written must be numbers.
		err = m.Validate()
	}
	if err != nil {
		p.shapes.note(a.File, mesh.Placeholder())
		return &shared{err: err}, nil
	}
	p.shapes.note(a.File, m)
	file, err := p.measureModel(ctx, a, m)
	if err != nil {
		return nil, fmt.Errorf("asset %q: %w", a.Name, err)
	}
	return file, nil
}

// addMesh adds the meshes of an asset, one for each level of detail.
func (p *plan) addMesh(name string, file *shared) *meshPlan {
	m := &meshPlan{mesh: none, fit: file.fit}
	var info lodInfo
	for i, prims := range file.prims {
		if len(prims) == 0 {
			break
		}
		out := &gltf.Mesh{Name: name, Primitives: prims}
		if i == 0 {
			m.mesh = len(p.doc.Meshes)
			p.stats.Meshes++
		} else {
			out.Name = fmt.Sprintf("%s_lod%d", name, i)
			info.Levels = append(info.Levels, lodLevel{len(p.doc.Meshes), file.errors[i-1] / file.fit.half})
		}
		p.doc.Meshes = append(p.doc.Meshes, out)
	}
	if m.mesh != none {
		p.addLevels(p.doc.Meshes[m.mesh], info)
	}
	return m
}

// measureModel measures a model's pictures, materials and triangles.
func (p *plan) measureModel(ctx context.Context, a *document.Asset, m *mesh.Model) (*shared, error) {
	out := modelPlan{asset: a, vertices: len(m.Positions), fit: identity}
	p.begin(fmt.Sprintf("meshes/%04d.bin", len(p.models)))
	images := make([]int, len(m.Images))
	err := encodeEach(ctx, len(images), func(i int) *image.NRGBA { return m.Images[i].Pixels }, func(i int, data []byte) {
		index, written := p.addEncoded(m.Images[i].Name, data)
		if images[i] = index; written {
			out.pictures = append(out.pictures, modelPicture{index, i})
		}
	})
	if err != nil {
		return nil, err
	}
	if p.options.Quantize && len(m.Indices) > 0 {
		out.fit = fitOf(m.Bounds)
		p.needs(extQuantization)
	}
	file := &shared{fit: out.fit}
	if a != nil {
		var err error
		if out.levels, err = meshLevels(ctx, m, &p.options); err != nil {
			return nil, err
		}
		if len(m.Indices) > 0 && len(out.levels) < p.options.meshLevels() {
			p.stats.Stiff = append(p.stats.Stiff, a.Name)
		}
	}
	file.prims = make([][]*gltf.Primitive, 1+len(out.levels))
	for i := range out.levels {
		file.errors = append(file.errors, out.levels[i].Error)
	}
	err = eachPart(m, out.levels, out.fit, func(part *modelPart) error {
		material, err := p.addMaterial(&m.Materials[part.material], images)
		if err != nil {
			return err
		}
		p.addModelPart(part, material, file.prims)
		return nil
	})
	p.models = append(p.models, out)
	return file, err
}

// addModelPart adds the primitives of a part, one for each level of detail that has
// triangles of it. All use the same vertices, of which coarser levels need fewer.
func (p *plan) addModelPart(part *modelPart, material int, prims [][]*gltf.Primitive) {
	a := p.attributes(len(part.vertices), part.count, part.stride())
	positions, normals := gltf.ComponentFloat, gltf.ComponentFloat
	if part.fit != identity {
		positions, normals = gltf.ComponentShort, gltf.ComponentByte
	}
	position := a.add(positions, gltf.AccessorVec3)
	p.doc.Accessors[position].Min, p.doc.Accessors[position].Max = part.bounds()
	attributes := gltf.PrimitiveAttributes{
		gltf.POSITION: position,
		gltf.NORMAL:   a.add(normals, gltf.AccessorVec3),
	}
	if part.uvs {
		kind := gltf.ComponentFloat
		if part.shortUVs {
			kind = gltf.ComponentUshort
		}
		attributes[gltf.TEXCOORD_0] = a.add(kind, gltf.AccessorVec2)
	}
	if part.colors {
		attributes[gltf.COLOR_0] = a.add(gltf.ComponentUbyte, gltf.AccessorVec4)
	}
	kind := gltf.ComponentUshort
	if part.wide() {
		kind = gltf.ComponentUint
	}
	for i, indices := range part.indices {
		if len(indices) == 0 {
			continue
		}
		vertices := 0
		if i == 0 {
			vertices = part.count
		}
		prims[i] = append(prims[i], p.primitive(attributes, len(indices), kind, vertices, material))
	}
}
