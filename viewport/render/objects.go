package render

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
)

// Instance is a model that stands somewhere.
type Instance struct {
	Model *mesh.Model
	World mgl64.Mat4 // from the model to the world: any affine one, mirrored ones too

	// Billboard is the distance from the eye, in metres, from which on a picture of
	// the model stands in for it; not above 0 is never. Views without perspective have
	// the distance at which a view of 60° shows things as big.
	Billboard float64

	Outline Outline
	Tint    color.NRGBA // mixed into the colours, as much as its alpha says
	Subset  *Subset     // what is drawn of the model; nil is all of it
}

// Outline is the line around an instance.
type Outline uint8

// The outlines.
const (
	NoOutline Outline = iota
	Hovered
	Selected
)

// Subset is a part of a model's triangles.
type Subset struct {
	Indices []uint32    // of the model's vertices
	Parts   []mesh.Part // ranges of Indices; those of one material are best together
}

// placed is an instance as its vertex shader reads it.
type placed struct {
	rows [3]mgl32.Vec4 // of the matrix from the model to metres from the eye
	tint [4]uint16     // linear, and how much of it
}

// run is a number of placed instances that are drawn at once.
type run struct {
	body         *body
	first, count int32
	mirrored     bool
	billboard    bool
	tinted       bool
	near         int32 // step of the distance from the eye
}

// subset is a part of a model that is drawn of one instance.
type subset struct {
	body     *body
	of       *Subset
	indices  int // where its indices begin among those of the frame
	placed   int32
	mirrored bool
}

// veil is an instance with blended parts.
type veil struct {
	far      float32 // how far away, for sorting
	seq      int32
	body     *body
	placed   int32
	subset   int32 // of the frame; -1 for the whole model
	mirrored bool
}

// objects are the instances of a frame.
type objects struct {
	stream  stream // of placed
	indices stream // of subsets

	frame   uint64
	used    []*body // by slot
	bucket  []int32 // by instance, where it belongs, or noBucket
	starts  []int32 // by bucket
	scratch []placed
	placed  []placed
	runs    []run
	ghosts  []run
	subsets []subset
	parts   []uint32
	veils   []veil
	marks   objectMarks
}

// Instances are sorted into buckets: by model, by what their runs differ in, and by
// distance, of which each step is twice the one before.
const (
	depthSteps = 16
	noBucket   = -1

	kindBillboard = 1
	kindTinted    = 2
	kindMirrored  = 4
	kinds         = 8
)

// tints decodes colours to 16 bits.
var tints = func() (t [256]uint16) {
	for i := range t {
		t[i] = uint16(math.Round(float64(linearOf[i]) * math.MaxUint16))
	}
	return t
}()

// gather sorts the instances of a view. It makes the bodies of models that the world
// did not announce, and the pictures of those that become billboards.
func (o *objects) gather(r *Renderer, v *View, c camera) error {
	o.frame++
	o.used, o.runs, o.subsets, o.veils = o.used[:0], o.runs[:0], o.subsets[:0], o.veils[:0]
	o.bucket, o.placed, o.parts = o.bucket[:0], o.placed[:0], o.parts[:0]
	o.marks.begin()
	if len(v.Instances) == 0 {
		return nil
	}
	o.scratch = grow(o.scratch, len(v.Instances))
	whole := 0
	for i := range v.Instances {
		n := &v.Instances[i]
		b, err := o.admit(r, "instance", i, n.Model, &n.World)
		if err != nil {
			return err
		}
		if len(b.sections) == 0 {
			o.bucket = append(o.bucket, noBucket)
			continue
		}
		p := &o.scratch[i]
		place(p, &n.World, v.Eye)
		p.tint = tintOf(n.Tint)
		from := fromEye(&n.World, b.centre, v.Eye)
		d := c.distance(from)
		kind := int32(0)
		mirrored := n.World.Mat3().Det() < 0
		if mirrored {
			kind |= kindMirrored
		}
		if n.Tint.A > 0 {
			kind |= kindTinted
		}
		billboard := n.Billboard > 0 && d > n.Billboard && n.Subset == nil
		if billboard {
			kind |= kindBillboard
			if b.impostor == nil {
				if b.impostor, err = r.newImpostor(b); err != nil {
					return err
				}
			}
		}
		r.stats.Instances++
		if n.Outline != NoOutline {
			o.marks.add(r, v, n, b, int32(i), billboard)
		}
		if n.Subset != nil {
			if err := o.addSubset(p, n.Subset, b, c.depth(from), mirrored); err != nil {
				return fmt.Errorf("instance %d, of %s: %w", i, n.Model.Name, err)
			}
			o.bucket = append(o.bucket, noBucket)
			continue
		}
		if !billboard && b.blended < len(b.sections) {
			o.veils = append(o.veils, veil{c.depth(from), int32(len(o.veils)), b, int32(i), -1, mirrored})
		}
		if billboard || b.blended > 0 {
			whole++
			o.bucket = append(o.bucket, (b.slot*kinds+kind)*depthSteps+depthStep(d))
		} else {
			o.bucket = append(o.bucket, noBucket)
		}
	}
	// The placed ones of subsets stand first; now those of the runs, and those of veils.
	o.sort(whole)
	o.sortVeils()
	o.marks.append(o)
	return nil
}

// admit gives the body of thing i of a kind, made if need be, and gives it a slot.
func (o *objects) admit(r *Renderer, kind string, i int, model *mesh.Model, world *mgl64.Mat4) (*body, error) {
	if model == nil {
		return nil, fmt.Errorf("%s %d has no model", kind, i)
	}
	sum := 0.0
	for _, m := range world {
		sum += m
	}
	if sum-sum != 0 {
		return nil, fmt.Errorf("%s %d, of %s, stands at %v, expected finite numbers", kind, i, model.Name, *world)
	}
	b, err := r.bodies.get(model)
	if err != nil {
		return nil, err
	}
	if len(b.sections) > 0 && b.frame != o.frame {
		b.frame, b.slot = o.frame, int32(len(o.used))
		o.used = append(o.used, b)
	}
	return b, nil
}

// whole begins a list of n things that are drawn whole, as put takes them.
func (o *objects) whole(n int) {
	o.frame++
	o.used, o.bucket = o.used[:0], o.bucket[:0]
	o.scratch = grow(o.scratch, n)
}

// put is gather for one of the things that are drawn whole, the next of a kind; tint is
// what their shader makes of it.
func (o *objects) put(r *Renderer, v *View, c *camera, kind string, model *mesh.Model, world *mgl64.Mat4, tint [4]uint16) (b *body, mirrored bool, err error) {
	i := len(o.bucket)
	if b, err = o.admit(r, kind, i, model, world); err != nil {
		return nil, false, err
	}
	if len(b.sections) == 0 {
		o.bucket = append(o.bucket, noBucket)
		return b, false, nil
	}
	p := &o.scratch[i]
	place(p, world, v.Eye)
	p.tint = tint
	k := int32(0)
	if mirrored = world.Mat3().Det() < 0; mirrored {
		k = kindMirrored
	}
	d := c.distance(fromEye(world, b.centre, v.Eye))
	o.bucket = append(o.bucket, (b.slot*kinds+k)*depthSteps+depthStep(d))
	return b, mirrored, nil
}

// place makes a matrix relative to the eye.
func place(p *placed, m *mgl64.Mat4, eye mgl64.Vec3) {
	for i := range p.rows {
		p.rows[i] = mgl32.Vec4{float32(m[i]), float32(m[4+i]), float32(m[8+i]), float32(m[12+i] - eye[i])}
	}
}

// tintOf is a colour as shaders take it.
func tintOf(c color.NRGBA) [4]uint16 {
	return [4]uint16{tints[c.R], tints[c.G], tints[c.B], uint16(c.A) * 257}
}

// fromEye is a point of a model, from the eye.
func fromEye(m *mgl64.Mat4, p, eye mgl64.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{
		m[0]*p[0] + m[4]*p[1] + m[8]*p[2] + (m[12] - eye[0]),
		m[1]*p[0] + m[5]*p[1] + m[9]*p[2] + (m[13] - eye[1]),
		m[2]*p[0] + m[6]*p[1] + m[10]*p[2] + (m[14] - eye[2]),
	}
}

// depthStep is the step of a distance in metres.
func depthStep(d float64) int32 {
	return int32(min(max(math.Float64bits(d)>>52, 1023)-1023, depthSteps-1))
}

// sort brings the instances that belong in buckets into their order and makes runs of
// them, near ones first.
func (o *objects) sort(whole int) {
	if whole == 0 {
		return
	}
	o.starts = grow(o.starts, len(o.used)*kinds*depthSteps)
	clear(o.starts)
	for _, k := range o.bucket {
		if k != noBucket {
			o.starts[k]++
		}
	}
	at := int32(len(o.placed))
	for slot, b := range o.used {
		for kind := range kinds {
			r := run{
				body: b, first: at,
				mirrored: kind&kindMirrored != 0, billboard: kind&kindBillboard != 0, tinted: kind&kindTinted != 0,
			}
			steps := o.starts[(slot*kinds+kind)*depthSteps:][:depthSteps]
			for i, n := range steps {
				if n > 0 && r.count == 0 {
					r.near = int32(i)
				}
				steps[i] = at
				at += n
				r.count += n
			}
			if r.count > 0 {
				o.runs = append(o.runs, r)
			}
		}
	}
	first := len(o.placed)
	o.placed = slices.Grow(o.placed, whole)[:first+whole]
	for i, k := range o.bucket {
		if k != noBucket {
			o.placed[o.starts[k]] = o.scratch[i]
			o.starts[k]++
		}
	}
	slices.SortFunc(o.runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.near, b.near), cmp.Compare(a.first, b.first))
	})
}

// addSubset takes the indices of a subset into those of the frame.
func (o *objects) addSubset(p *placed, s *Subset, b *body, far float32, mirrored bool) error {
	for i, part := range s.Parts {
		if part.First < 0 || part.Count < 0 || part.Count > len(s.Indices)-part.First {
			return fmt.Errorf("part %d of the subset is %d indices at %d of %d", i, part.Count, part.First, len(s.Indices))
		}
		if part.Material < 0 || part.Material >= len(b.finishes) {
			return fmt.Errorf("part %d of the subset has material %d of %d", i, part.Material, len(b.finishes))
		}
	}
	o.subsets = append(o.subsets, subset{b, s, len(o.parts), int32(len(o.placed)), mirrored})
	o.placed = append(o.placed, *p)
	o.parts = append(o.parts, s.Indices...)
	for i := range s.Parts {
		if b.finishes[s.Parts[i].Material].alpha == mesh.Blend {
			o.veils = append(o.veils, veil{far, int32(len(o.veils)), b, int32(len(o.placed)) - 1, int32(len(o.subsets)) - 1, mirrored})
			break
		}
	}
	return nil
}

// sortVeils brings blended instances into the order in which they are drawn, far ones
// first.
func (o *objects) sortVeils() {
	slices.SortFunc(o.veils, func(a, b veil) int {
		return cmp.Or(cmp.Compare(b.far, a.far), cmp.Compare(a.seq, b.seq))
	})
	for i := range o.veils {
		if w := &o.veils[i]; w.subset < 0 {
			n := &o.scratch[w.placed]
			w.placed = int32(len(o.placed))
			o.placed = append(o.placed, *n)
		}
	}
}

// upload gives the GPU what was gathered.
func (o *objects) upload() {
	if len(o.placed) > 0 {
		o.stream.fill(unsafe.Pointer(&o.placed[0]), len(o.placed)*int(unsafe.Sizeof(placed{})))
	}
	if len(o.parts) > 0 {
		o.indices.fill(unsafe.Pointer(&o.parts[0]), len(o.parts)*4)
	}
}

// layout points the attributes of the vertex array that is bound at a placed instance.
func (o *objects) layout(first int32) {
	const size = unsafe.Sizeof(placed{})
	at := uintptr(first) * size
	gl.BindBuffer(gl.ARRAY_BUFFER, o.stream.buffer)
	for i := range uint32(3) {
		gl.VertexAttribPointerWithOffset(4+i, 4, gl.FLOAT, false, int32(size), at+uintptr(i)*16)
	}
	gl.VertexAttribPointerWithOffset(7, 4, gl.UNSIGNED_SHORT, true, int32(size), at+unsafe.Offsetof(placed{}.tint))
}

func (o *objects) release() {
	o.stream.release()
	o.indices.release()
	*o = objects{}
}

// distance is how far away something seems that is so far from the eye.
func (c *camera) distance(from mgl64.Vec3) float64 {
	if c.ortho {
		return c.seems
	}
	return from.Len()
}

// depth grows with the distance from the eye.
func (c *camera) depth(from mgl64.Vec3) float32 {
	if c.ortho {
		return float32(-from.Dot(c.frustum.Planes[5].N))
	}
	return float32(from.Dot(from))
}
