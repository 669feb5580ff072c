package mesh

import (
	"fmt"
	"image"
	"io"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/terrain/fault"
)

// GLTF is the JSON of a glTF file whose references are all good: every index, offset
// and length lies within what it refers to, and nodes are trees. It is what readers
// that keep a file's structure begin with; Load gives one mesh instead.
type GLTF struct {
	doc   *document
	notes notes
}

// ParseGLTF reads the JSON of a glTF file. extensions are those that the caller
// understands, beside those that Load does: a file that requires another is refused.
func ParseGLTF(text []byte, extensions ...string) (*GLTF, error) {
	d, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	d.more = extensions
	if err := d.check(); err != nil {
		return nil, err
	}
	return &GLTF{doc: d}, nil
}

// CheckGLTF is ParseGLTF for a document that was made from another format: all of it is set,
// and nodes have no matrices. It must not be changed any more.
func CheckGLTF(doc *gltf.Document, extensions ...string) (*GLTF, error) {
	d := &document{Document: doc, more: extensions}
	w := &d.written
	w.Asset = &struct{ Version, MinVersion *string }{Version: &doc.Asset.Version}
	codes := map[gltf.ComponentType]*int{}
	for code, c := range componentTypes {
		codes[c] = &code
	}
	kind := "" // which the type itself tells
	w.Accessors = slices.Grow(w.Accessors, len(doc.Accessors))[:len(doc.Accessors)]
	for i, a := range doc.Accessors {
		w.Accessors[i].ComponentType, w.Accessors[i].Count, w.Accessors[i].Type = codes[a.ComponentType], &a.Count, &kind
	}
	w.BufferViews = slices.Grow(w.BufferViews, len(doc.BufferViews))[:len(doc.BufferViews)]
	for i, v := range doc.BufferViews {
		w.BufferViews[i].Buffer, w.BufferViews[i].ByteLength = &v.Buffer, &v.ByteLength
		if v.ByteStride != 0 {
			w.BufferViews[i].ByteStride = &v.ByteStride
		}
	}
	w.Buffers = slices.Grow(w.Buffers, len(doc.Buffers))[:len(doc.Buffers)]
	for i, b := range doc.Buffers {
		w.Buffers[i].ByteLength = &b.ByteLength
	}
	w.Meshes = slices.Grow(w.Meshes, len(doc.Meshes))[:len(doc.Meshes)]
	for i, m := range doc.Meshes {
		w.Meshes[i].Primitives = slices.Grow(w.Meshes[i].Primitives, len(m.Primitives))[:len(m.Primitives)]
	}
	w.Materials = slices.Grow(w.Materials, len(doc.Materials))[:len(doc.Materials)]
	w.Samplers = slices.Grow(w.Samplers, len(doc.Samplers))[:len(doc.Samplers)]
	w.Nodes = slices.Grow(w.Nodes, len(doc.Nodes))[:len(doc.Nodes)]
	if err := d.check(); err != nil {
		return nil, err
	}
	return &GLTF{doc: d}, nil
}

// Document is what was read. It must not be changed.
func (g *GLTF) Document() *gltf.Document { return g.doc.Document }

// Local is the matrix of a node relative to its parent.
func (g *GLTF) Local(node int) mgl64.Mat4 { return g.doc.transform(node, &g.notes) }

// Instances are the matrices of a node's instances (EXT_mesh_gpu_instancing), relative to
// the node; nil without. view is that of Elements.
func (g *GLTF) Instances(node int, view func(index int) ([]byte, error)) ([]mgl64.Mat4, error) {
	s, err := g.doc.instancesOf(node, func(index int) (*accessor, error) {
		e, err := g.Elements(index, view)
		return e.a, err
	})
	if s == nil || err != nil {
		return nil, err
	}
	out := make([]mgl64.Mat4, s.count)
	for i := range out {
		if out[i], err = s.local(i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Elements are those of an accessor, read where they lie.
type Elements struct{ a *accessor }

// Elements opens an accessor. view gives the content of a buffer view, as long as the
// document says. An accessor without data, or one that replaces elements of another, is
// an error: how many elements it has is the file's word alone.
func (g *GLTF) Elements(index int, view func(index int) ([]byte, error)) (Elements, error) {
	place := fmt.Sprintf("accessors[%d]", index)
	if index < 0 || index >= len(g.doc.Accessors) {
		return Elements{}, ref(place, index, len(g.doc.Accessors), "accessor")
	}
	s := g.doc.Accessors[index]
	if s.BufferView == nil || s.Sparse != nil {
		return Elements{}, bad(place, "an accessor without data of its own", "one with a buffer view")
	}
	data, err := view(*s.BufferView)
	if err != nil {
		return Elements{}, err
	}
	if v := g.doc.BufferViews[*s.BufferView]; len(data) < v.ByteLength {
		return Elements{}, bad(fmt.Sprintf("bufferViews[%d]", *s.BufferView), fmt.Sprintf("%d bytes", len(data)), "%d", v.ByteLength)
	}
	return Elements{g.doc.reader(s, data)}, nil
}

// Len is the number of elements.
func (e Elements) Len() int { return e.a.count }

// Components is the number of components of an element.
func (e Elements) Components() int { return e.a.components }

// Vector gives up to four components of an element: integers as they are, or, if
// normalized, from 0 or −1 to 1.
func (e Elements) Vector(i int) [4]float32 { return e.a.vector(i) }

// Index gives an element of unsigned integers.
func (e Elements) Index(i int) uint32 { return e.a.index(i) }

// GLBParts finds the JSON and the binary chunk of a GLB file of some size; bin is empty
// without one.
func GLBParts(r io.ReaderAt, size int64) (text, bin Range, err error) { return splitGLB(r, size) }

// Range is a range of bytes of a file.
type Range struct{ First, Count int64 }

// ResolveURI turns a reference of a glTF file to another file into a slash-separated
// name below the file's folder. Only names within the folder pass.
func ResolveURI(uri string) (string, error) { return resolve(uri, true) }

// DataURI gives the data of a reference that holds it itself; not ok if it does not.
func DataURI(place, uri string) (data []byte, ok bool, err error) {
	if !isData(uri) {
		return nil, false, nil
	}
	data, err = decodeDataURI(place, uri)
	return data, true, err
}

// DecodePicture decodes a PNG or JPEG, held against the limits of this package.
func DecodePicture(data []byte) (*image.NRGBA, error) {
	var p pictures
	m, err := p.decode(data)
	if err != nil {
		return nil, &fault.Error{Err: err}
	}
	return m, nil
}
