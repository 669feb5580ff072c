package runtime

import (
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/terrain/fault"
)

// Geometry is a primitive's vertices and triangles, in the space of the mesh's nodes.
type Geometry struct {
	Positions, Normals []mgl32.Vec3 // Normals is as long, or nil
	UVs                []mgl32.Vec2 // likewise: TEXCOORD_0
	// Colors are COLOR_0 and so on, linear, each as long as Positions. Those of the ground
	// are light and weights of layers, see export/FORMAT.md.
	Colors  [][]mgl32.Vec4
	Indices []uint32 // three a triangle, counter-clockwise
}

// Geometry reads a primitive of a mesh. It takes no memory that the file does not back.
func (l *Level) Geometry(mesh, primitive int) (*Geometry, error) {
	if mesh < 0 || mesh >= len(l.Meshes) || primitive < 0 || primitive >= len(l.Meshes[mesh].Primitives) {
		return nil, &fault.Error{Op: op, Found: fmt.Sprintf("primitive %d of mesh %d", primitive, mesh), Want: fmt.Sprintf("one of %d meshes", len(l.Meshes))}
	}
	place := fmt.Sprintf("meshes[%d].primitives[%d]", mesh, primitive)
	g, err := l.geometry(l.Meshes[mesh].Primitives[primitive].source, place, l.Meshes[mesh].Bounds)
	if err != nil {
		return nil, fault.Wrap(op, l.file.name, placed(place, err))
	}
	return g, nil
}

func (l *Level) geometry(p *gltf.Primitive, place string, bounds geom.Box) (*Geometry, error) {
	g := &Geometry{}
	view := l.keptView()
	read := func(name string) (e mesh.Elements, ok bool, err error) {
		index, ok := p.Attributes[name]
		if !ok {
			return e, false, nil
		}
		if e, err = l.file.gltf.Elements(index, view); err != nil {
			return e, true, err
		}
		for i := range e.Len() {
			for _, x := range e.Vector(i) {
				if x-x != 0 {
					return e, true, &fault.Error{Place: place + ".attributes." + name, Found: fmt.Sprintf("%v for vertex %d", e.Vector(i), i), Want: "finite numbers"}
				}
			}
		}
		return e, true, nil
	}
	e, _, err := read(gltf.POSITION)
	if err != nil {
		return nil, err
	}
	n := e.Len()
	g.Positions = vectors(e)
	size := bounds.Size()
	slack := 1e-4 * max(size[0], size[1], size[2]) // what rounds the bounds
	for i, v := range g.Positions {
		for a, x := range v {
			if x := float64(x); x < bounds.Min[a]-slack || x > bounds.Max[a]+slack {
				return nil, &fault.Error{Place: place + ".attributes.POSITION", Found: fmt.Sprintf("%v for vertex %d", v, i), Want: fmt.Sprintf("a place within min and max, %v to %v", bounds.Min, bounds.Max)}
			}
		}
	}
	if e, ok, err := read(gltf.NORMAL); err != nil {
		return nil, err
	} else if ok {
		g.Normals = vectors(e)
	}
	if e, ok, err := read(gltf.TEXCOORD_0); err != nil {
		return nil, err
	} else if ok {
		g.UVs = make([]mgl32.Vec2, n)
		for i := range g.UVs {
			v := e.Vector(i)
			g.UVs[i] = mgl32.Vec2{v[0], v[1]}
		}
	}
	for k := range maxColors {
		e, ok, err := read(fmt.Sprintf("COLOR_%d", k))
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		set := make([]mgl32.Vec4, n)
		for i := range set {
			set[i] = e.Vector(i)
			if e.Components() == 3 {
				set[i][3] = 1
			}
		}
		g.Colors = append(g.Colors, set)
	}
	e, err = l.file.gltf.Elements(*p.Indices, view)
	if err != nil {
		return nil, err
	}
	g.Indices = make([]uint32, e.Len())
	for i := range g.Indices {
		if g.Indices[i] = e.Index(i); int(g.Indices[i]) >= n {
			return nil, &fault.Error{Place: place + ".indices", Found: fmt.Sprint(g.Indices[i]), Want: fmt.Sprintf("one of %d vertices", n)}
		}
	}
	return g, nil
}

func vectors(e mesh.Elements) []mgl32.Vec3 {
	out := make([]mgl32.Vec3, e.Len())
	for i := range out {
		v := e.Vector(i)
		out[i] = mgl32.Vec3{v[0], v[1], v[2]}
	}
	return out
}

// keptView reads each buffer view once.
func (l *Level) keptView() func(int) ([]byte, error) {
	kept := map[int][]byte{}
	return func(i int) ([]byte, error) {
		if data, ok := kept[i]; ok {
			return data, nil
		}
		data, err := l.file.view(i)
		if err == nil {
			kept[i] = data
		}
		return data, err
	}
}

// PictureInfo is a picture of the file.
type PictureInfo struct {
	Name string
	Type string // MIME; empty if the file does not tell
}

// Picture reads a picture as it stands in the file, a PNG or JPEG.
func (l *Level) Picture(index int) ([]byte, error) {
	if index < 0 || index >= len(l.Pictures) {
		return nil, &fault.Error{Op: op, Found: fmt.Sprintf("picture %d", index), Want: fmt.Sprintf("one of %d", len(l.Pictures))}
	}
	data, err := l.file.picture(l.file.doc.Images[index])
	if err != nil {
		return nil, fault.Wrap(op, l.file.name, placed(fmt.Sprintf("images[%d]", index), err))
	}
	return data, nil
}

func (f *file) picture(i *gltf.Image) ([]byte, error) {
	if i.BufferView != nil {
		return f.view(*i.BufferView)
	}
	if data, ok, err := mesh.DataURI("uri", i.URI); ok || err != nil {
		return data, err
	}
	name, err := mesh.ResolveURI(i.URI)
	if err != nil {
		return nil, err
	}
	file, size, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > mesh.MaxFile {
		return nil, &fault.Error{Found: fmt.Sprintf("%d MiB", size>>20), Want: fmt.Sprintf("at most %d", mesh.MaxFile>>20)}
	}
	return readRange(file, 0, size)
}

// Decode reads and decodes a picture: sRGB, straight alpha.
func (l *Level) Decode(index int) (*image.NRGBA, error) {
	data, err := l.Picture(index)
	if err != nil {
		return nil, err
	}
	m, err := mesh.DecodePicture(data)
	if err != nil {
		return nil, fault.Wrap(op, l.file.name, placed(fmt.Sprintf("images[%d]", index), err))
	}
	return m, nil
}
