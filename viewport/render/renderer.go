package render

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain/lod"
)

// Renderer draws one world in one OpenGL context. It is not safe for concurrent
// use.
type Renderer struct {
	scheme lod.Scheme
	world  World
	ground ground
	layers layers
	bodies bodies

	programs programs
	objects  objects
	identity identity
	ghosts   ghosts
	heat     heat
	grids    grids
	stage    stage
	vao      uint32 // with the patch instances
	patches  stream
	lineVAO  uint32
	lines    stream
	facetVAO uint32
	facets   stream
	// billboardVAO has attributes of placed instances and no vertices.
	billboardVAO uint32
	markKind     float32     // what outlines are drawn of
	bothSides    bool        // what is not blended has two
	frame        uint32      // uniform buffer
	block        *frameBlock // apart, as memory that C reads may hold no Go pointers

	list  []lod.Patch
	items []item
	seen  seenChunks
	// twoSided draws the ground's underside too: a view from the side without
	// perspective looks along the ground, and would show the sky through every slope
	// that falls away from it.
	twoSided bool
	classes  []class
	atOnce   int // classes in a round, at most maxClasses
	segments []segment
	corners  []facetCorner
	palette  [maxPalette]uint32
	uv       [maxPalette]mgl32.Vec4
	stats    Stats
}

// New makes a renderer in the current context, which must be OpenGL 4.1 core or
// later.
func New() (*Renderer, error) {
	r := &Renderer{scheme: new(lod.Snapped), block: new(frameBlock), atOnce: maxClasses}
	if err := r.programs.build(); err != nil {
		r.Release()
		return nil, err
	}
	r.grids.build()
	r.patches.make(gl.ARRAY_BUFFER)
	r.lines.make(gl.ARRAY_BUFFER)
	gl.GenVertexArrays(1, &r.vao)
	gl.BindVertexArray(r.vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.patches.buffer)
	gl.EnableVertexAttribArray(0)
	gl.VertexAttribDivisor(0, 1)
	gl.GenVertexArrays(1, &r.lineVAO)
	gl.BindVertexArray(r.lineVAO)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.lines.buffer)
	segmentLayout(0)
	for i := range uint32(4) {
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribDivisor(i, 1)
	}
	r.facets.make(gl.ARRAY_BUFFER)
	gl.GenVertexArrays(1, &r.facetVAO)
	gl.BindVertexArray(r.facetVAO)
	gl.BindBuffer(gl.ARRAY_BUFFER, r.facets.buffer)
	facetLayout()
	r.objects.stream.make(gl.ARRAY_BUFFER)
	r.objects.indices.make(gl.ELEMENT_ARRAY_BUFFER)
	gl.GenVertexArrays(1, &r.billboardVAO)
	gl.BindVertexArray(r.billboardVAO)
	for i := uint32(4); i < 8; i++ {
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribDivisor(i, 1)
	}
	gl.BindVertexArray(0)
	gl.GenBuffers(1, &r.frame)
	return r, nil
}

// SetScheme replaces the way in which levels of detail are chosen. The scheme
// must be fresh: it belongs to the renderer from now on.
func (r *Renderer) SetScheme(s lod.Scheme) {
	r.scheme = s
	if r.world.Field != nil {
		s.Update(r.world.Field, nil)
	}
}

// Update makes w the world that Draw draws. Ground that w shares with the world
// before is not uploaded again: a field made by a draft costs the samples in which
// it differs. Nor are models that both have. Fields must be finished ones, not the view of a draft. After an error the
// world is as before, but for layers.
func (r *Renderer) Update(w World) error {
	if w.Field == nil {
		return fmt.Errorf("a world without a field cannot be drawn")
	}
	if err := r.layers.set(w.Layers); err != nil {
		return err
	}
	if err := r.bodies.set(w.Models); err != nil {
		return err
	}
	tiles, whole := r.ground.set(w.Field)
	switch {
	case whole:
		r.scheme.Update(w.Field, nil)
	case w.Field != r.world.Field:
		r.scheme.Update(w.Field, tiles)
	}
	r.world = w
	return nil
}

// Release deletes all OpenGL objects. The renderer cannot be used afterwards.
func (r *Renderer) Release() {
	r.ground.release()
	r.layers.release()
	r.bodies.release()
	r.objects.release()
	r.programs.release()
	r.grids.release()
	r.stage.release()
	r.identity.release()
	r.ghosts.release()
	r.heat.release()
	r.patches.release()
	r.lines.release()
	r.facets.release()
	if r.vao != 0 {
		gl.DeleteVertexArrays(1, &r.vao)
	}
	if r.lineVAO != 0 {
		gl.DeleteVertexArrays(1, &r.lineVAO)
	}
	if r.facetVAO != 0 {
		gl.DeleteVertexArrays(1, &r.facetVAO)
	}
	if r.billboardVAO != 0 {
		gl.DeleteVertexArrays(1, &r.billboardVAO)
	}
	if r.frame != 0 {
		gl.DeleteBuffers(1, &r.frame)
	}
	*r = Renderer{}
}

// frameBlock is the uniform block Frame of the shaders (std140).
type frameBlock struct {
	viewProj    mgl32.Mat4
	eye         mgl32.Vec4
	grid        mgl32.Vec4
	toSun       mgl32.Vec4
	sun         mgl32.Vec4
	ambient     mgl32.Vec4
	liveSun     mgl32.Vec4
	liveAmbient mgl32.Vec4
	viewport    mgl32.Vec4
	toEye       mgl32.Vec4
	pixel       mgl32.Vec4
	layerUV     [MaxLayers + 1]mgl32.Vec4
}

const frameBytes = int32(unsafe.Sizeof(frameBlock{}))

// eyeCell is the place from which a frame counts cells: the cell under the eye.
type eyeCell struct{ x, z int64 }

// farCell bounds it, so that the shader's cell numbers fit an int.
const farCell = 1 << 30

// fillFrame computes the uniform block and uploads it.
func (r *Renderer) fillFrame(t Target, v *View, c camera) eyeCell {
	b := r.block
	f := r.world.Field
	for i, n := range v.ViewProj {
		b.viewProj[i] = float32(n)
	}
	high := float32(v.Eye[1])
	b.eye = mgl32.Vec4{high, float32(v.Eye[1] - float64(high))}
	spacing, ox, oz := 1.0, 0.0, 0.0
	if f != nil {
		spacing = f.Spacing()
		ox, oz = f.Origin()
	}
	lx, lz := v.Eye[0]-ox, v.Eye[2]-oz
	cell := func(at float64) float64 { return min(max(math.Floor(at/spacing), -farCell), farCell) }
	cx, cz := cell(lx), cell(lz)
	b.grid = mgl32.Vec4{float32(spacing), float32(lx - cx*spacing), float32(lz - cz*spacing)}
	dir, sun, ambient := r.world.Sun.light()
	b.toSun = vec4(dir)
	b.sun = sun.Vec4(0)
	b.ambient = ambient.Vec4(0)
	b.liveSun, b.liveAmbient = r.world.Sun.Light.Vec4(0), r.world.Sun.Ambient.Vec4(0)
	scale := t.Scale
	if !(scale > 0) {
		scale = 1
	}
	b.viewport = mgl32.Vec4{float32(t.Size.X), float32(t.Size.Y), scale}
	b.toEye = mgl32.Vec4{}
	if c.ortho {
		b.toEye = narrow(c.frustum.Planes[5].N).Vec4(1)
	}
	b.pixel = mgl32.Vec4{float32(1 / (c.scale * c.scale))}
	for i, s := range r.layers.scales {
		u, w := cx*spacing/s, cz*spacing/s
		b.layerUV[i] = mgl32.Vec4{
			float32(spacing / s), float32(u - math.Floor(u)), float32(w - math.Floor(w)),
			float32(math.Log2(float64(r.layers.size) * spacing / s)),
		}
	}
	r.uploadFrame()
	return eyeCell{int64(cx), int64(cz)}
}

// uploadFrame gives the GPU the uniform block.
func (r *Renderer) uploadFrame() {
	gl.BindBuffer(gl.UNIFORM_BUFFER, r.frame)
	gl.BufferData(gl.UNIFORM_BUFFER, int(unsafe.Sizeof(*r.block)), unsafe.Pointer(r.block), gl.STREAM_DRAW)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, frameBinding, r.frame)
}

func vec4(v mgl64.Vec3) mgl32.Vec4 {
	return mgl32.Vec4{float32(v[0]), float32(v[1]), float32(v[2])}
}

// Draw draws the world into the target, all of it. It allocates nothing once
// warm. The error is about the view; nothing was drawn then.
func (r *Renderer) Draw(t Target, v *View) (Stats, error) {
	c, err := v.check(t)
	if err != nil {
		return Stats{}, err
	}
	if r.world.Field == nil {
		return Stats{}, fmt.Errorf("there is no world to draw yet")
	}
	if cols, rows := r.world.Field.ChunkGrid(); v.Chunks != nil && len(v.Chunks) != (cols*rows+63)/64 {
		return Stats{}, fmt.Errorf("the mask of chunks has %d words, expected %d for %d×%d chunks", len(v.Chunks), (cols*rows+63)/64, cols, rows)
	}
	if err := v.checkOverlays(r.world.Field); err != nil {
		return Stats{}, err
	}
	r.stats = Stats{UploadedBytes: r.ground.uploaded}
	r.ground.uploaded = 0
	if err := r.stage.resize(t.Size); err != nil {
		return Stats{}, err
	}
	if err := r.stage.adopt(t); err != nil {
		return Stats{}, err
	}
	if err := r.objects.gather(r, v, c); err != nil {
		return Stats{}, err
	}
	if len(r.objects.marks.list) > 0 {
		if err := r.stage.addMarks(); err != nil {
			return Stats{}, err
		}
	}
	if err := r.gatherGhosts(v, &c); err != nil {
		return Stats{}, err
	}
	r.objects.upload()
	r.twoSided = c.ortho
	eye := r.fillFrame(t, v, c)
	r.begin(v)
	r.list = r.scheme.AppendPatches(r.list[:0], lod.View{
		Eye: v.Eye, Frustum: c.frustum, ScreenScale: c.scale, Ortho: c.ortho, MaxError: v.MaxError, Chunks: v.Chunks,
	})
	r.stats.Patches = len(r.list)
	r.gather(v, eye)
	r.drawGround(eye)
	if !v.Sky.Flat {
		r.drawSky(v)
	}
	r.drawHeat(v, eye)
	r.drawVeils()
	if v.Overlays&Wire != 0 {
		r.drawWires(eye)
	}
	r.drawGhosts(v, &c, eye)
	r.drawOutlines(v)
	r.drawShapes(v)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.Framebuffer)
	gl.BindVertexArray(0)
	return r.stats, nil
}

// begin clears the picture.
func (r *Renderer) begin(v *View) {
	r.stage.bind()
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.StencilMask(0xff)
	c := rgb(v.Sky.Zenith)
	gl.ClearColor(c[0], c[1], c[2], 1)
	gl.ClearDepth(1)
	gl.ClearStencil(0)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
}
