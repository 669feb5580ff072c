package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"github.com/qmuntal/gltf"
)

// accessor reads the elements of a glTF accessor where they lie, one at a time, so
// that no memory is taken for the number of elements that a file claims: an accessor
// without data has as many zeros as it likes.
type accessor struct {
	count, stride, size int
	components          int
	kind                gltf.ComponentType
	normalized          bool
	base                []byte // from the first element on; nil for zeros

	// The elements that are replaced: positions in ascending order, and values.
	sparse []uint32
	values []byte
}

var zeros [64]byte // an element of the largest type

// open makes a reader for an accessor whose ranges were checked.
func (r *gltfReader) open(index int) (*accessor, error) {
	if a := r.accessors[index]; a != nil {
		return a, nil
	}
	g := r.doc.Accessors[index]
	var data []byte
	if g.BufferView != nil {
		var err error
		if data, err = r.view(*g.BufferView); err != nil {
			return nil, err
		}
	}
	a := r.doc.reader(g, data)
	if g.BufferView != nil {
		if offset := r.doc.BufferViews[*g.BufferView].ByteOffset + g.ByteOffset; offset%componentSize[a.kind] != 0 {
			r.notes.add("The data of accessors[%d] isn't aligned as glTF demands; it was read all the same.", index)
		}
	}
	if g.Sparse != nil {
		if err := r.openSparse(a, g.Sparse, index); err != nil {
			return nil, err
		}
	}
	r.accessors[index] = a
	return a, nil
}

// reader reads an accessor in the data of its buffer view; there is none for zeros.
func (d *document) reader(g *gltf.Accessor, data []byte) *accessor {
	a := &accessor{
		count: g.Count, size: elementSize(g.Type, g.ComponentType), components: components[g.Type],
		kind: g.ComponentType, normalized: g.Normalized,
	}
	a.stride = a.size
	if g.BufferView != nil {
		if s := d.BufferViews[*g.BufferView].ByteStride; s != 0 {
			a.stride = s
		}
		a.base = data[min(g.ByteOffset, len(data)):]
	}
	return a
}

func (r *gltfReader) openSparse(a *accessor, s *gltf.Sparse, index int) error {
	places, err := r.view(s.Indices.BufferView)
	if err != nil {
		return err
	}
	values, err := r.view(s.Values.BufferView)
	if err != nil {
		return err
	}
	list := accessor{count: s.Count, kind: s.Indices.ComponentType, base: places[s.Indices.ByteOffset:]}
	list.size = componentSize[list.kind]
	list.stride = list.size
	a.sparse = make([]uint32, s.Count)
	for i := range a.sparse {
		v := list.index(i)
		if i > 0 && v <= a.sparse[i-1] || uint64(v) >= uint64(a.count) {
			return bad(fmt.Sprintf("accessors[%d].sparse.indices", index), fmt.Sprintf("%d at %d", v, i), "ascending indices below %d", a.count)
		}
		a.sparse[i] = v
	}
	a.values = values[s.Values.ByteOffset:]
	return nil
}

// element gives the bytes of an element below count.
func (a *accessor) element(i int) []byte {
	if a.sparse != nil {
		if k := sort.Search(len(a.sparse), func(k int) bool { return int(a.sparse[k]) >= i }); k < len(a.sparse) && int(a.sparse[k]) == i {
			return a.values[k*a.size : (k+1)*a.size]
		}
	}
	if a.base == nil {
		return zeros[:a.size]
	}
	at := i * a.stride
	return a.base[at : at+a.size]
}

// index gives an element of unsigned integers.
func (a *accessor) index(i int) uint32 {
	e := a.element(i)
	switch a.kind {
	case gltf.ComponentUbyte:
		return uint32(e[0])
	case gltf.ComponentUshort:
		return uint32(binary.LittleEndian.Uint16(e))
	}
	return binary.LittleEndian.Uint32(e)
}

// vector gives up to four components of an element: integers as they are, or, if
// normalized, from 0 or −1 to 1.
func (a *accessor) vector(i int) (v [4]float32) {
	e := a.element(i)
	n := min(a.components, 4)
	scale := float32(1)
	switch a.kind {
	case gltf.ComponentFloat:
		for k := range n {
			v[k] = math.Float32frombits(binary.LittleEndian.Uint32(e[4*k:]))
		}
		return v
	case gltf.ComponentByte:
		for k := range n {
			v[k] = float32(int8(e[k]))
		}
		scale = 127
	case gltf.ComponentUbyte:
		for k := range n {
			v[k] = float32(e[k])
		}
		scale = 255
	case gltf.ComponentShort:
		for k := range n {
			v[k] = float32(int16(binary.LittleEndian.Uint16(e[2*k:])))
		}
		scale = 32767
	case gltf.ComponentUshort:
		for k := range n {
			v[k] = float32(binary.LittleEndian.Uint16(e[2*k:]))
		}
		scale = 65535
	case gltf.ComponentUint:
		for k := range n {
			v[k] = float32(binary.LittleEndian.Uint32(e[4*k:]))
		}
	}
	if a.normalized {
		for k := range n {
			v[k] = max(v[k]/scale, -1)
		}
	}
	return v
}

// describe tells the type of an accessor for a message.
func (a *accessor) describe() string {
	s := fmt.Sprintf("%d components of %v", a.components, a.kind)
	if a.normalized {
		s += " normalized"
	}
	return s
}

// view gives the bytes of a buffer view.
func (r *gltfReader) view(index int) ([]byte, error) {
	v := r.doc.BufferViews[index]
	data, err := r.buffer(v.Buffer)
	if err != nil {
		return nil, err
	}
	return data[v.ByteOffset : v.ByteOffset+v.ByteLength : v.ByteOffset+v.ByteLength], nil
}

// buffer gives the bytes of a buffer, which are at least as many as the document
// says. Buffers are read when something that is shown needs them.
func (r *gltfReader) buffer(index int) ([]byte, error) {
	if data := r.buffers[index]; data != nil {
		return data, nil
	}
	b := r.doc.Buffers[index]
	place := fmt.Sprintf("buffers[%d]", index)
	var data []byte
	var err error
	switch {
	case b.URI == "" && index == 0 && r.bin != nil:
		data = r.bin
	case b.URI == "":
		return nil, bad(place, "no data", "an uri, or the binary chunk of a .glb for the first buffer")
	case isData(b.URI):
		data, err = decodeDataURI(place+".uri", b.URI)
	default:
		data, err = r.companion(place+".uri", b.URI)
	}
	if err != nil {
		return nil, err
	}
	if len(data) < b.ByteLength {
		return nil, bad(place+".byteLength", b.ByteLength, "at most %d, which is what the data has", len(data))
	}
	r.buffers[index] = data
	return data, nil
}
