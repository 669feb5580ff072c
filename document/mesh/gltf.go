package mesh

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// gltfReader turns one glTF document into a model.
type gltfReader struct {
	ctx   context.Context
	doc   *document
	bin   []byte // the binary chunk of a GLB file
	files *files
	notes *notes
	build *builder

	buffers   map[int][]byte
	accessors map[int]*accessor
	shapes    map[*gltf.Primitive]*shape
	uses      map[int]int // how often a mesh will still be placed

	materials map[int]int    // of the document to those of the model; -1 is the default
	images    map[int]int    // likewise; -1 for those that can't be shown
	sources   map[string]int // where the model's images came from
	quantized bool           // KHR_mesh_quantization is declared
	pictures  pictures
}

// readGLTF reads a glTF document; bin is the binary chunk of a GLB file or nil.
func readGLTF(ctx context.Context, text, bin []byte, f *files) (*Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	if err := doc.check(); err != nil {
		return nil, err
	}
	notes := &notes{}
	r := &gltfReader{
		ctx: ctx, doc: doc, bin: bin, files: f, notes: notes, build: newBuilder(notes),
		buffers: map[int][]byte{}, accessors: map[int]*accessor{}, shapes: map[*gltf.Primitive]*shape{},
		uses: map[int]int{}, materials: map[int]int{}, images: map[int]int{}, sources: map[string]int{},
		quantized: slices.Contains(doc.ExtensionsUsed, extQuantization) || slices.Contains(doc.ExtensionsRequired, extQuantization),
	}
	doc.noteFeatures(notes)
	if err := r.place(); err != nil {
		return nil, err
	}
	return r.build.finish(), nil
}

// place adds the meshes of all nodes of the scene.
func (r *gltfReader) place() error {
	nodes, meshes, err := r.doc.scene(r.ctx, r.notes)
	if err != nil {
		return err
	}
	r.build.m.Nodes = nodes
	if err := r.limit(meshes); err != nil {
		return err
	}
	for _, p := range meshes {
		r.uses[p.mesh]++
	}
	for i, p := range meshes {
		if i%1024 == 0 {
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		place := fmt.Sprintf("nodes[%d]", p.node)
		if p.node < 0 {
			place = fmt.Sprintf("meshes[%d]", p.mesh)
		} else {
			r.noteScale(&p)
		}
		s, err := r.doc.instancesOf(p.node, r.open)
		if err != nil {
			return err
		}
		if s == nil {
			r.uses[p.mesh]--
			err = r.placeMesh(&p, place)
		} else {
			err = r.placeInstances(p, s, place)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// placeMesh adds a mesh where it is placed.
func (r *gltfReader) placeMesh(p *placed, place string) error {
	for k, prim := range r.doc.Meshes[p.mesh].Primitives {
		s, err := r.shape(p.mesh, k)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		if err := r.build.add(r.ctx, s, p.world, p.out, place); err != nil {
			return err
		}
		if r.uses[p.mesh] == 0 {
			delete(r.shapes, prim)
		}
	}
	return nil
}

// placeInstances adds a mesh where the instances of its node are, as if each had a node:
// the first has that of the file, the others come after all and beside it.
func (r *gltfReader) placeInstances(p placed, s *instances, place string) error {
	if r.trianglesOf(p.mesh) == 0 {
		s.count = 1 // which says what is to be said of the mesh
	}
	above, node := p.world, r.build.m.Nodes[p.out]
	names := instanceNames(r.doc.Nodes[p.node].Extras, s.count)
	for i := range s.count {
		local, err := s.local(i)
		if err != nil {
			return err
		}
		if p.world = above.Mul4(local); i > 0 {
			p.out = len(r.build.m.Nodes)
			r.build.m.Nodes = append(r.build.m.Nodes, node)
		}
		if names != nil {
			r.build.m.Nodes[p.out].Name = names[i]
		}
		r.noteScale(&p)
		if i == s.count-1 {
			r.uses[p.mesh]--
		}
		if err := r.placeMesh(&p, fmt.Sprintf("%s, instance %d", place, i)); err != nil {
			return err
		}
	}
	if s.odd {
		r.notes.add("Instances of node %s have rotations that aren't unit quaternions; they were made ones.", r.doc.nodeName(p.node))
	}
	return nil
}

// limit counts the triangles of all instances, as the file claims them, and refuses
// more than the limit before any is made.
func (r *gltfReader) limit(meshes []placed) error {
	perMesh := make([]int, len(r.doc.Meshes))
	for i := range perMesh {
		perMesh[i] = r.trianglesOf(i)
	}
	total := 0
	for _, p := range meshes {
		n := perMesh[p.mesh]
		if of := r.doc.instances[p.node]; of != nil {
			n *= of.count
		}
		total += n
		if total > MaxTriangles {
			return bad(fmt.Sprintf("meshes[%d]", p.mesh), fmt.Sprintf("more than %d triangles, every placement of a mesh counted", MaxTriangles), "at most %d", MaxTriangles)
		}
	}
	return nil
}

// trianglesOf is how many triangles a mesh claims to have, or just more than are allowed:
// no sum of counts may overflow, whatever the file says.
func (r *gltfReader) trianglesOf(mesh int) (n int) {
	for _, p := range r.doc.Meshes[mesh].Primitives {
		n = min(n+min(r.triangles(p), MaxTriangles+1), MaxTriangles+1)
	}
	return n
}

// triangles is how many triangles a primitive claims to have.
func (r *gltfReader) triangles(p *gltf.Primitive) int {
	n := 0
	if a, ok := p.Attributes[gltf.POSITION]; ok {
		n = r.doc.Accessors[a].Count
		if p.Indices != nil {
			n = r.doc.Accessors[*p.Indices].Count
		}
	}
	switch p.Mode {
	case gltf.PrimitiveTriangles:
		return n / 3
	case gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
		return max(n-2, 0)
	}
	return 0
}

// noteScale tells of a node that is scaled to nothing.
func (r *gltfReader) noteScale(p *placed) {
	if p.world.Mat3().Det() == 0 {
		r.notes.add("Node %s is scaled to nothing along an axis.", r.doc.nodeName(p.node))
	}
}

// companion reads another file that the document names.
func (r *gltfReader) companion(place, uri string) ([]byte, error) {
	data, err := r.files.follow(r.ctx, uri, true)
	if err != nil {
		return nil, at(place, err)
	}
	return data, nil
}

// extension decodes the value of an extension, if it is there. Whether the library
// has decoded it already depends on what else the program imports.
func extension(e gltf.Extensions, name string, into any) (bool, error) {
	v, ok := e[name]
	if !ok {
		return false, nil
	}
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return true, err
}

// noteFeatures names what the document has that is not shown.
func (d *document) noteFeatures(notes *notes) {
	for _, name := range d.ExtensionsUsed {
		switch name {
		case extQuantization, extTransform, extUnlit, extInstancing:
		case "RIDGELINE_lod", "RIDGELINE_visibility": // what an export adds for culling; nothing of it is to be seen
		case extMeshopt:
			notes.add("The extension %s is not supported; the uncompressed data was read.", name)
		default:
			notes.add("The extension %q is not supported; what it adds is not shown.", clip(name))
		}
	}
	if v := d.Asset.MinVersion; v != "" && v != "2.0" {
		notes.add("The file asks for glTF %s; it was read as 2.0.", clip(v))
	}
	for _, f := range []struct {
		n            int
		thing, state string
	}{
		{len(d.Animations), "animation", "not imported"},
		{len(d.Skins), "skin", "not imported; meshes are shown without"},
		{len(d.Cameras), "camera", "not imported"},
	} {
		if f.n > 0 {
			notes.add("%s %s %s.", count(f.n, f.thing), were(f.n), f.state)
		}
	}
	targets := 0
	for _, m := range d.Meshes {
		for _, p := range m.Primitives {
			if len(p.Targets) > 0 {
				targets++
			}
		}
	}
	if targets > 0 {
		notes.add("Morph targets are not supported; the base shape is shown.")
	}
}

// matrixUV is the matrix of KHR_texture_transform: scaled, turned, moved. It turns as
// the extension's test model and the common viewers do, which is opposite to the
// formula in the extension's text.
func matrixUV(offset, scale [2]float64, rotation float64) mgl32.Mat3 {
	sin, cos := math.Sincos(rotation)
	return mgl32.Mat3{
		float32(cos * scale[0]), float32(-sin * scale[0]), 0,
		float32(sin * scale[1]), float32(cos * scale[1]), 0,
		float32(offset[0]), float32(offset[1]), 1,
	}
}
