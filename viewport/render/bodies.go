package render

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
)

// bodies are the models on the GPU.
type bodies struct {
	of       map[*mesh.Model]*body
	samplers map[samplerKey]uint32
	last     *body // that was asked for
}

// body is a model on the GPU.
type body struct {
	model         *mesh.Model
	vao, vertices uint32
	sections      []section // opaque ones, those with holes, blended ones
	blended       int       // where the blended ones begin
	finishes      []finish  // by material
	textures      map[textureKey]uint32
	centre        mgl64.Vec3 // of the bounds
	impostor      *impostor  // when it was needed

	frame uint64 // the last in which it was used
	slot  int32  // among those used in that frame
}

// section is what looks alike of a body. Each has a buffer of its own, because an
// offset into a common one would be passed as a pointer, and may look like one that Go
// forbids.
type section struct {
	indices uint32 // buffer
	count   int32
	finish  int32
}

// finish is a material as the shaders take it.
type finish struct {
	alpha            mesh.AlphaMode
	texture, sampler uint32 // 0 for none
	twoSided         bool
	colours          bool // the vertices have some
	base, glow       [4]float32
	cutoff           float32
	uv               [2]mgl32.Vec3
}

type textureKey struct {
	image int
	use   alphaUse
}

type samplerKey struct {
	s, t    mesh.Wrap
	nearest bool
	cut     bool // of an alpha mask: levels are not mixed, which would close and open holes
}

// The vertices of a body: position and normal, and then what it has of texture
// coordinates and colour.
const (
	vertexBytes = 24
	uvBytes     = 8
	colourBytes = 4
)

// maxPicture bounds the width and height of models' pictures on the GPU; greater ones
// are made smaller.
const maxPicture = 4096

// set brings the GPU to a list of models. After an error it is as before.
func (b *bodies) set(models []*mesh.Model) error {
	var fresh []*body
	for i, m := range models {
		if m == nil {
			b.drop(fresh)
			return fmt.Errorf("model %d of the world is none", i)
		}
		if b.of[m] != nil {
			continue
		}
		n, err := b.add(m)
		if err != nil {
			b.drop(fresh)
			return err
		}
		fresh = append(fresh, n)
	}
	keep := make(map[*mesh.Model]bool, len(models))
	for _, m := range models {
		keep[m] = true
	}
	for m, n := range b.of {
		if !keep[m] {
			b.drop([]*body{n})
		}
	}
	return nil
}

// get gives a model's body, made now if the world did not announce it.
func (b *bodies) get(m *mesh.Model) (*body, error) {
	if b.last != nil && b.last.model == m {
		return b.last, nil
	}
	n := b.of[m]
	if n == nil {
		var err error
		if n, err = b.add(m); err != nil {
			return nil, err
		}
	}
	b.last = n
	return n, nil
}

// add uploads a model.
func (b *bodies) add(m *mesh.Model) (*body, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("model %q cannot be drawn: %w", m.Name, err)
	}
	n := &body{model: m, textures: map[textureKey]uint32{}}
	if !m.Bounds.IsEmpty() {
		n.centre = m.Bounds.Center()
	}
	var limit int32
	gl.GetIntegerv(gl.MAX_TEXTURE_SIZE, &limit)
	for i := range m.Materials {
		n.finishes = append(n.finishes, b.finish(n, &m.Materials[i], min(int(limit), maxPicture)))
	}
	gl.GenVertexArrays(1, &n.vao)
	gl.GenBuffers(1, &n.vertices)
	gl.BindVertexArray(n.vao)
	n.uploadVertices()
	n.uploadIndices()
	gl.BindVertexArray(0)
	if b.of == nil {
		b.of = map[*mesh.Model]*body{}
	}
	b.of[m] = n
	return n, nil
}

func (n *body) uploadVertices() {
	m := n.model
	stride := vertexBytes
	uvAt, colourAt := stride, stride
	if m.UVs != nil {
		stride += uvBytes
		colourAt = stride
	}
	if m.Colors != nil {
		stride += colourBytes
	}
	data := make([]byte, stride*len(m.Positions))
	for i := range m.Positions {
		v := data[i*stride:][:stride]
		*(*mgl32.Vec3)(unsafe.Pointer(&v[0])) = m.Positions[i]
		*(*mgl32.Vec3)(unsafe.Pointer(&v[12])) = m.Normals[i]
		if m.UVs != nil {
			*(*mgl32.Vec2)(unsafe.Pointer(&v[uvAt])) = m.UVs[i]
		}
		if m.Colors != nil {
			copy(v[colourAt:], m.Colors[i][:])
		}
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, n.vertices)
	if len(data) > 0 {
		gl.BufferData(gl.ARRAY_BUFFER, len(data), unsafe.Pointer(&data[0]), gl.STATIC_DRAW)
	}
	s := int32(stride)
	gl.VertexAttribPointerWithOffset(0, 3, gl.FLOAT, false, s, 0)
	gl.VertexAttribPointerWithOffset(1, 3, gl.FLOAT, false, s, 12)
	gl.EnableVertexAttribArray(0)
	gl.EnableVertexAttribArray(1)
	if m.UVs != nil {
		gl.VertexAttribPointerWithOffset(2, 2, gl.FLOAT, false, s, uintptr(uvAt))
		gl.EnableVertexAttribArray(2)
	}
	if m.Colors != nil {
		gl.VertexAttribPointerWithOffset(3, 4, gl.UNSIGNED_BYTE, true, s, uintptr(colourAt))
		gl.EnableVertexAttribArray(3)
	}
	for i := uint32(4); i < 8; i++ {
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribDivisor(i, 1)
	}
}

// uploadIndices puts the parts that look alike together.
func (n *body) uploadIndices() {
	m := n.model
	order := make([]int, len(m.Parts))
	for i := range order {
		order[i] = i
	}
	alpha := func(i int) mesh.AlphaMode { return m.Materials[m.Parts[i].Material].Alpha }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(alpha(a), alpha(b)), cmp.Compare(m.Parts[a].Material, m.Parts[b].Material))
	})
	var indices []uint32
	for k, i := range order {
		p := &m.Parts[i]
		indices = append(indices, m.Indices[p.First:][:p.Count]...)
		if k+1 < len(order) && m.Parts[order[k+1]].Material == p.Material {
			continue
		}
		s := section{count: int32(len(indices)), finish: int32(p.Material)}
		gl.GenBuffers(1, &s.indices)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.indices)
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4*len(indices), unsafe.Pointer(&indices[0]), gl.STATIC_DRAW)
		n.sections = append(n.sections, s)
		if alpha(i) != mesh.Blend {
			n.blended = len(n.sections)
		}
		indices = indices[:0]
	}
}

// finish translates a material and uploads its picture.
func (b *bodies) finish(n *body, m *mesh.Material, limit int) finish {
	f := finish{
		alpha: m.Alpha, twoSided: m.DoubleSided, colours: n.model.Colors != nil, base: m.BaseColor, cutoff: m.Cutoff,
		glow: [4]float32{m.Emissive[0], m.Emissive[1], m.Emissive[2]},
		uv:   [2]mgl32.Vec3{m.UV.Row(0), m.UV.Row(1)},
	}
	if m.Unlit {
		f.glow[3] = 1
	}
	if m.Image < 0 {
		return f
	}
	img := &n.model.Images[m.Image]
	key := textureKey{image: m.Image}
	switch {
	case img.Opaque || m.Alpha == mesh.Opaque:
	case m.Alpha == mesh.Mask:
		// Where the picture has its holes when the base colour takes its part.
		key.use = alphaUse{alphaCut, min(max(m.Cutoff/max(m.BaseColor[3], 1e-3), 1.0/255), 1)}
	default:
		key.use.kind = alphaBlend
	}
	f.texture = n.textures[key]
	if f.texture == 0 {
		f.texture = uploadPicture(mipChain(img.Pixels, key.use, limit, 0), gl.SRGB8_ALPHA8)
		n.textures[key] = f.texture
	}
	f.sampler = b.sampler(samplerKey{m.WrapS, m.WrapT, m.Nearest, key.use.kind == alphaCut})
	return f
}

// uploadPicture makes a texture of a mip chain.
func uploadPicture(chain []level, format int32) uint32 {
	var t uint32
	gl.GenTextures(1, &t)
	gl.ActiveTexture(gl.TEXTURE0 + unitPicture)
	gl.BindTexture(gl.TEXTURE_2D, t)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_PIXELS, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_ROWS, 0)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, int32(len(chain)-1))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	for k, l := range chain {
		gl.TexImage2D(gl.TEXTURE_2D, int32(k), format, int32(l.w), int32(l.h), 0, gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&l.pix[0]))
	}
	return t
}

// sampler gives the sampler for a way to wrap and filter.
func (b *bodies) sampler(k samplerKey) uint32 {
	if s := b.samplers[k]; s != 0 {
		return s
	}
	wrap := func(w mesh.Wrap) int32 {
		switch w {
		case mesh.Clamp:
			return gl.CLAMP_TO_EDGE
		case mesh.Mirror:
			return gl.MIRRORED_REPEAT
		}
		return gl.REPEAT
	}
	var s uint32
	gl.GenSamplers(1, &s)
	gl.SamplerParameteri(s, gl.TEXTURE_WRAP_S, wrap(k.s))
	gl.SamplerParameteri(s, gl.TEXTURE_WRAP_T, wrap(k.t))
	gl.SamplerParameteri(s, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	gl.SamplerParameteri(s, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	if k.cut {
		gl.SamplerParameteri(s, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST)
	}
	if k.nearest {
		gl.SamplerParameteri(s, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	}
	if b.samplers == nil {
		b.samplers = map[samplerKey]uint32{}
	}
	b.samplers[k] = s
	return s
}

// drop deletes bodies.
func (b *bodies) drop(list []*body) {
	b.last = nil
	for _, n := range list {
		delete(b.of, n.model)
		gl.DeleteVertexArrays(1, &n.vao)
		gl.DeleteBuffers(1, &n.vertices)
		for i := range n.sections {
			gl.DeleteBuffers(1, &n.sections[i].indices)
		}
		for _, t := range n.textures {
			gl.DeleteTextures(1, &t)
		}
		n.impostor.release()
	}
}

func (b *bodies) release() {
	for _, n := range b.of {
		b.drop([]*body{n})
	}
	for _, s := range b.samplers {
		gl.DeleteSamplers(1, &s)
	}
	*b = bodies{}
}
