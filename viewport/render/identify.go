package render

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/document/mesh"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// Sight is what of a world is truly seen in a view, as Identify finds it. Its slices are
// used again by the next Identify.
type Sight struct {
	// Chunks are the pixels that show each chunk of the ground, by row·cols + col of
	// the field's chunk grid. Without ground there are none.
	Chunks []int
	// Instances are the pixels that show each of the view's instances, and for their
	// parts that blend, which hide nothing, the fragments that nothing solid hides.
	Instances []int

	Size image.Point // pixels
	// IDs say what solid thing each pixel shows, upper rows first: 0 for nothing,
	// 1 + chunk, or 1 + len(Chunks) + instance.
	IDs []uint32
}

// At gives the chunk of the ground or the instance that pixel (x, y), counted from the
// upper left, shows; −1 for what it does not. What blends is not regarded.
func (s *Sight) At(x, y int) (chunk, instance int) {
	id := int(s.IDs[y*s.Size.X+x]) - 1
	if id < len(s.Chunks) {
		return id, -1
	}
	return -1, id - len(s.Chunks)
}

// Identify tells what is truly visible in a picture of a size. Everything is drawn
// without any culling, into numbers instead of colours, with the depths, the holes, the
// alpha masks and the sides of the picture that Draw makes. What is drawn is the whole
// ground, at the level of detail that the view's MaxError allows, and each of the view's
// instances, with all of its model: View.Chunks, subsets and billboards do not count.
// What blends hides nothing: an instance that has it counts when any of it, but what is
// wholly transparent, is nearer than all solid things, whatever blends before it.
//
// A world without ground, even none at all, has instances. Identify allocates what dst
// grows by, once warm. After an error dst is as before. It takes the time of drawing
// every triangle of the level, and some for each instance that blends.
func (r *Renderer) Identify(v *View, size image.Point, dst *Sight) error {
	t := Target{Size: size}
	c, err := v.check(t)
	if err != nil {
		return err
	}
	chunks, field := 0, r.world.Field
	if field != nil {
		cols, rows := field.ChunkGrid()
		chunks = cols * rows
	}
	if err := r.identity.gather(r, v, &c, chunks); err != nil {
		return err
	}
	if err := r.identity.resize(size); err != nil {
		return err
	}
	r.objects.upload()
	r.twoSided = c.ortho
	before := r.stats
	r.identity.begin()
	eye := r.fillFrame(t, v, c)
	if field != nil {
		r.list = r.scheme.AppendPatches(r.list[:0], lod.View{
			Eye: v.Eye, ScreenScale: c.scale, Ortho: c.ortho, MaxError: v.MaxError,
		})
		r.gatherWhole()
		r.drawChunkIDs(eye)
	}
	r.drawInstanceIDs()
	dst.Chunks, dst.Instances = grow(dst.Chunks, chunks), grow(dst.Instances, len(v.Instances))
	clear(dst.Chunks)
	clear(dst.Instances)
	r.identity.read(dst)
	dst.count()
	r.identity.countBlended(dst)
	r.stats = before
	r.identity.end()
	return nil
}

// identity is what Identify draws on: numbers, and the depth and stencil format of the
// picture, so that depths are the same.
type identity struct {
	size        image.Point
	framebuffer uint32
	buffers     [2]uint32 // renderbuffers: numbers; depth and stencil
	queries     []uint32  // one for each instance that blends, or more
	blended     []veil    // these instances, with their numbers as seq
	answer      uint32
	nothing     [4]uint32
	bound       [2]int32 // framebuffers to draw on and to read from
}

// gather places all instances of a view, with their numbers in place of tints, and notes
// those that blend.
func (d *identity) gather(r *Renderer, v *View, c *camera, chunks int) error {
	o := &r.objects
	o.runs, o.subsets, o.veils = o.runs[:0], o.subsets[:0], o.veils[:0]
	o.placed, o.parts = o.placed[:0], o.parts[:0]
	o.marks.begin()
	d.blended = d.blended[:0]
	o.whole(len(v.Instances))
	solid := 0
	for i := range v.Instances {
		n := &v.Instances[i]
		id := uint32(1 + chunks + i)
		b, mirrored, err := o.put(r, v, c, "instance", n.Model, &n.World, [4]uint16{uint16(id), uint16(id >> 16)})
		if err != nil {
			return err
		}
		if b.blended > 0 {
			solid++
		} else {
			o.bucket[i] = noBucket
		}
		if b.blended < len(b.sections) {
			d.blended = append(d.blended, veil{seq: int32(i), body: b, mirrored: mirrored})
		}
	}
	o.sort(solid)
	for i := range d.blended {
		n := &d.blended[i]
		n.placed = int32(len(o.placed))
		o.placed = append(o.placed, o.scratch[n.seq])
	}
	return nil
}

// resize makes buffers of a size.
func (d *identity) resize(size image.Point) error {
	if d.framebuffer != 0 && d.size == size {
		return nil
	}
	d.free()
	var limit int32
	gl.GetIntegerv(gl.MAX_RENDERBUFFER_SIZE, &limit)
	if size.X > int(limit) || size.Y > int(limit) {
		return fmt.Errorf("a picture of %d×%d pixels: up to %d×%d are possible here", size.X, size.Y, limit, limit)
	}
	d.bindings()
	gl.GenFramebuffers(1, &d.framebuffer)
	gl.GenRenderbuffers(int32(len(d.buffers)), &d.buffers[0])
	gl.BindFramebuffer(gl.FRAMEBUFFER, d.framebuffer)
	for i, a := range [2]struct{ format, attachment uint32 }{{gl.R32UI, gl.COLOR_ATTACHMENT0}, {gl.DEPTH24_STENCIL8, gl.DEPTH_STENCIL_ATTACHMENT}} {
		gl.BindRenderbuffer(gl.RENDERBUFFER, d.buffers[i])
		gl.RenderbufferStorage(gl.RENDERBUFFER, a.format, int32(size.X), int32(size.Y))
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, a.attachment, gl.RENDERBUFFER, d.buffers[i])
	}
	gl.BindRenderbuffer(gl.RENDERBUFFER, 0)
	status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
	d.end()
	if status != gl.FRAMEBUFFER_COMPLETE {
		d.free()
		return fmt.Errorf("the driver refuses a framebuffer of %d×%d numbers (status 0x%x)", size.X, size.Y, status)
	}
	d.size = size
	return nil
}

// bindings notes the framebuffers that are bound.
func (d *identity) bindings() {
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &d.bound[0])
	gl.GetIntegerv(gl.READ_FRAMEBUFFER_BINDING, &d.bound[1])
}

// end binds the framebuffers that were bound again.
func (d *identity) end() {
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, uint32(d.bound[0]))
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, uint32(d.bound[1]))
	gl.BindVertexArray(0)
}

// begin makes the numbers what is drawn on, with nothing on them.
func (d *identity) begin() {
	d.bindings()
	gl.BindFramebuffer(gl.FRAMEBUFFER, d.framebuffer)
	gl.Viewport(0, 0, int32(d.size.X), int32(d.size.Y))
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.BLEND)
	gl.ColorMask(true, true, true, true)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(true)
	gl.StencilMask(0xff)
	gl.ClearBufferuiv(gl.COLOR, 0, &d.nothing[0])
	gl.ClearBufferfi(gl.DEPTH_STENCIL, 0, 1, 0)
}

// gatherWhole turns the patches of the frame into items, sorted so that what is bound
// changes seldom. A class is what lies in a page and has holes or none.
func (r *Renderer) gatherWhole() {
	r.items, r.classes = r.items[:0], r.classes[:0]
	for i := range r.list {
		p := &r.list[i]
		x0, y0 := p.Cells.Min.X/pageCells, p.Cells.Min.Y/pageCells
		x1, y1 := (p.Cells.Max.X-1)/pageCells, (p.Cells.Max.Y-1)/pageCells
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				it, part := r.partOf(p, y*r.ground.cols+x)
				it.holes = r.hasHoles(part)
				it.seq = int32(len(r.items))
				r.items = append(r.items, it)
			}
		}
	}
	slices.SortFunc(r.items, func(a, b item) int {
		if c := cmp.Compare(a.page, b.page); c != 0 {
			return c
		}
		if a.holes != b.holes {
			if a.holes {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.grid, b.grid), cmp.Compare(a.seq, b.seq))
	})
	for i := range r.items {
		if i == 0 || r.items[i].material != r.items[i-1].material {
			r.classes = append(r.classes, class{first: i})
		}
		r.classes[len(r.classes)-1].end = i + 1
	}
}

// hasHoles tells whether a chunk under some cells has open ones.
func (r *Renderer) hasHoles(cells image.Rectangle) bool {
	const t = terrain.TileSize
	for cy := cells.Min.Y / t; cy*t < cells.Max.Y; cy++ {
		for cx := cells.Min.X / t; cx*t < cells.Max.X; cx++ {
			if r.world.Field.Chunk(cx, cy).Holes {
				return true
			}
		}
	}
	return false
}

// drawChunkIDs draws the ground as the numbers of its chunks.
func (r *Renderer) drawChunkIDs(eye eyeCell) {
	r.patches.fill(unsafe.Pointer(&r.items[0]), len(r.items)*int(unsafe.Sizeof(item{})))
	if r.twoSided {
		gl.Disable(gl.CULL_FACE)
	} else {
		gl.Enable(gl.CULL_FACE)
	}
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BindVertexArray(r.vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.patches.buffer)
	gl.ActiveTexture(gl.TEXTURE0 + unitSamples)
	cols, _ := r.world.Field.ChunkGrid()
	for _, c := range r.classes {
		l := &r.items[c.first].material
		p := &r.programs.mesh[meshID]
		if l.holes {
			p = &r.programs.mesh[meshIDHoles]
		}
		gl.UseProgram(p.name)
		gl.Uniform1f(p.bias, 0)
		first := r.ground.pages[l.page].cells.Min.Div(terrain.TileSize)
		gl.Uniform2i(p.numbers, int32(1+first.Y*cols+first.X), int32(cols))
		r.bindPage(p.page, l.page, eye)
		r.drawRuns(c, gl.TRIANGLES, nil)
	}
}

// drawInstanceIDs draws what is solid of the instances as their numbers, in the order of
// the picture, and counts the fragments of the others that are not hidden.
func (r *Renderer) drawInstanceIDs() {
	o, d := &r.objects, &r.identity
	objectState()
	for _, alpha := range [2]mesh.AlphaMode{mesh.Opaque, mesh.Mask} {
		for i := range o.runs {
			n := &o.runs[i]
			r.drawSections(n.body, alpha, useID, n.mirrored, n.first, n.count)
		}
	}
	if more := len(d.blended) - len(d.queries); more > 0 {
		first := len(d.queries)
		d.queries = append(d.queries, make([]uint32, more)...)
		gl.GenQueries(int32(more), &d.queries[first])
	}
	gl.ColorMask(false, false, false, false)
	gl.DepthMask(false)
	for i := range d.blended {
		n := &d.blended[i]
		gl.BeginQuery(gl.SAMPLES_PASSED, d.queries[i])
		r.drawSections(n.body, mesh.Blend, useID, n.mirrored, n.placed, 1)
		gl.EndQuery(gl.SAMPLES_PASSED)
	}
	gl.ColorMask(true, true, true, true)
	gl.BindSampler(unitPicture, 0)
}

// read takes the numbers from the GPU, upper rows first.
func (d *identity) read(dst *Sight) {
	w, h := d.size.X, d.size.Y
	dst.Size = d.size
	dst.IDs = grow(dst.IDs, w*h)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, d.framebuffer)
	gl.ReadBuffer(gl.COLOR_ATTACHMENT0)
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
	gl.PixelStorei(gl.PACK_SKIP_PIXELS, 0)
	gl.PixelStorei(gl.PACK_SKIP_ROWS, 0)
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RED_INTEGER, gl.UNSIGNED_INT, unsafe.Pointer(&dst.IDs[0]))
	for y := range h / 2 {
		upper, lower := dst.IDs[y*w:][:w], dst.IDs[(h-1-y)*w:][:w]
		for x, id := range upper {
			upper[x], lower[x] = lower[x], id
		}
	}
}

// count counts the pixels of each number, those in a row of one number at once.
func (s *Sight) count() {
	for first := 0; first < len(s.IDs); {
		id := s.IDs[first]
		end := first + 1
		for end < len(s.IDs) && s.IDs[end] == id {
			end++
		}
		switch k := int(id) - 1; {
		case k < 0:
		case k < len(s.Chunks):
			s.Chunks[k] += end - first
		default:
			s.Instances[k-len(s.Chunks)] += end - first
		}
		first = end
	}
}

// countBlended adds what is seen of the instances that blend.
func (d *identity) countBlended(dst *Sight) {
	for i := range d.blended {
		gl.GetQueryObjectuiv(d.queries[i], gl.QUERY_RESULT, &d.answer)
		dst.Instances[d.blended[i].seq] += int(d.answer)
	}
}

// free deletes the buffers.
func (d *identity) free() {
	if d.framebuffer != 0 {
		gl.DeleteFramebuffers(1, &d.framebuffer)
		gl.DeleteRenderbuffers(int32(len(d.buffers)), &d.buffers[0])
	}
	d.framebuffer, d.size = 0, image.Point{}
}

func (d *identity) release() {
	d.free()
	if len(d.queries) > 0 {
		gl.DeleteQueries(int32(len(d.queries)), &d.queries[0])
	}
	*d = identity{}
}
