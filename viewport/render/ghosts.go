package render

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// Ghost is a model that is not in the picture, shown over it as a flat tint, and more
// faintly where the picture hides it.
type Ghost struct {
	Model  *mesh.Model
	World  mgl64.Mat4 // as that of an Instance
	Colour color.NRGBA
}

// GhostChunk is a chunk of the ground that is shown as a Ghost is.
type GhostChunk struct {
	Chunk  int // row·cols + col of the field's chunk grid
	Colour color.NRGBA
}

// Ghosts are drawn into a picture of their own, with depths of their own: of several in
// a pixel the nearest one is shown, once, in whatever order they come. How much of it is
// seen is decided there, by the depths of the level. That picture is laid over the
// level's.

const (
	// ghostHidden is how much of a ghost's opacity is left behind the level.
	ghostHidden = 0.4
	// ghostError is how far, in pixels, the ground of a ghost may lie from the full one,
	// and ghostLevel the coarsest level.
	ghostError = 4
	ghostLevel = 4
	// ghostSmall is the size, in pixels, below which a box is drawn for a model.
	ghostSmall = 12
)

// ghostBox is a cube of a metre around the origin.
func ghostBox() *mesh.Model {
	m := &mesh.Model{
		Name:      "box",
		Materials: []mesh.Material{{Image: -1, UV: mgl32.Ident3(), BaseColor: [4]float32{1, 1, 1, 1}, DoubleSided: true}},
		Nodes:     []mesh.Node{{Name: "box", Parent: -1}},
		Bounds:    geom.Box{Min: mgl64.Vec3{-0.5, -0.5, -0.5}, Max: mgl64.Vec3{0.5, 0.5, 0.5}},
	}
	for i := range 8 {
		m.Positions = append(m.Positions, narrow(m.Bounds.Corner(i)))
		m.Normals = append(m.Normals, mgl32.Vec3{0, 1, 0})
	}
	for axis := range 3 {
		a, b, c := uint32(1)<<axis, uint32(1)<<((axis+1)%3), uint32(1)<<((axis+2)%3)
		m.Indices = append(m.Indices, 0, c, b, b, c, b|c, a, a|b, a|c, a|b, a|b|c, a|c)
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	return m
}

// small tells whether a ghost takes up few pixels, and gives the matrix for a box in its
// place.
func (g *Ghost) small(c *camera, eye mgl64.Vec3) (box mgl64.Mat4, ok bool) {
	if g.Model == nil || g.Model.Bounds.IsEmpty() {
		return box, false
	}
	size, centre := g.Model.Bounds.Size(), g.Model.Bounds.Center()
	box = g.World
	sum := 0.0
	for axis := range 3 {
		for k := 4 * axis; k < 4*axis+3; k++ {
			box[k] *= size[axis]
			sum += box[k] * box[k]
		}
	}
	from := fromEye(&g.World, centre, eye)
	for axis, d := range from {
		box[12+axis] = eye[axis] + d
	}
	seems := ghostSmall / c.scale
	if !c.ortho {
		seems *= from.Len()
	}
	return box, sum < seems*seems
}

// ghosts is the picture of ghosts, and the chunks of a frame.
type ghosts struct {
	size          image.Point
	framebuffer   uint32
	colour, depth uint32 // texture, renderbuffer
	chunks        []ghostPart
	box           *mesh.Model
	world         mgl64.Mat4 // of a box
}

// ghostPart is a chunk as it is drawn.
type ghostPart struct {
	item
	colour color.NRGBA
}

// checkOverlays tells why what is drawn over the level cannot be.
func (v *View) checkOverlays(f *terrain.Field) error {
	cols, rows := f.ChunkGrid()
	for i := range v.GhostChunks {
		if k := v.GhostChunks[i].Chunk; k < 0 || k >= cols*rows {
			return fmt.Errorf("ghost %d is chunk %d, expected 0 to %d", i, k, cols*rows-1)
		}
	}
	return v.HeatMap.check()
}

// gatherGhosts places the view's ghosts behind all that was placed already, and makes
// what they are drawn on.
func (r *Renderer) gatherGhosts(v *View, c *camera) error {
	o := &r.objects
	o.ghosts = o.ghosts[:0]
	if len(v.Ghosts)+len(v.GhostChunks) == 0 {
		return nil
	}
	if err := r.ghosts.resize(r.stage.size); err != nil {
		return err
	}
	if r.ghosts.box == nil {
		r.ghosts.box = ghostBox()
	}
	o.whole(len(v.Ghosts))
	n := 0
	for i := range v.Ghosts {
		g := &v.Ghosts[i]
		model, world := g.Model, &g.World
		if box, ok := g.small(c, v.Eye); ok {
			model, r.ghosts.world = r.ghosts.box, box
			world = &r.ghosts.world
		}
		b, _, err := o.put(r, v, c, "ghost", model, world, tintOf(g.Colour))
		if err != nil {
			return err
		}
		if len(b.sections) > 0 {
			n++
		}
	}
	o.runs, o.ghosts = o.ghosts, o.runs
	o.sort(n)
	o.runs, o.ghosts = o.ghosts, o.runs
	return nil
}

// drawGhosts draws the ghosts and lays them over the picture.
func (r *Renderer) drawGhosts(v *View, c *camera, eye eyeCell) {
	if len(v.Ghosts)+len(v.GhostChunks) == 0 {
		return
	}
	before := r.stats
	gl.BindFramebuffer(gl.FRAMEBUFFER, r.ghosts.framebuffer)
	gl.Viewport(0, 0, int32(r.ghosts.size.X), int32(r.ghosts.size.Y))
	gl.Enable(gl.FRAMEBUFFER_SRGB)
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.BLEND)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(true)
	gl.ClearColor(0, 0, 0, 0)
	gl.ClearDepth(1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	gl.ActiveTexture(gl.TEXTURE0 + unitDepths)
	gl.BindTexture(gl.TEXTURE_2D, r.stage.depth)
	r.drawGhostChunks(v, c, eye)
	objectState()
	for i := range r.objects.ghosts {
		n := &r.objects.ghosts[i]
		for alpha := mesh.Opaque; alpha <= mesh.Blend; alpha++ {
			r.drawSections(n.body, alpha, useGhost, n.mirrored, n.first, n.count)
		}
	}
	gl.BindSampler(unitPicture, 0)

	r.stage.bind()
	gl.Disable(gl.DEPTH_TEST)
	gl.DepthMask(false)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.Disable(gl.CULL_FACE)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BindVertexArray(r.lineVAO) // the vertex number is all that is used
	gl.ActiveTexture(gl.TEXTURE0 + unitGhosts)
	gl.BindTexture(gl.TEXTURE_2D, r.ghosts.colour)
	gl.UseProgram(r.programs.ghosts)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	// The figures of a frame are those of the level.
	before.Draws = r.stats.Draws + 1
	r.stats = before
}

// drawGhostChunks draws chunks of the ground, in place of the frame's items.
func (r *Renderer) drawGhostChunks(v *View, c *camera, eye eyeCell) {
	g := &r.ghosts
	g.chunks = g.chunks[:0]
	cols, _ := r.world.Field.ChunkGrid()
	for i := range v.GhostChunks {
		cx, cy := v.GhostChunks[i].Chunk%cols, v.GhostChunks[i].Chunk/cols
		p := r.ghostPatch(v, c, cx, cy)
		if r.cover(v, r.world.Field.ChunkBox(cx, cy)).Empty() {
			continue
		}
		it, part := r.partOf(&p, cy/pageChunks*r.ground.cols+cx/pageChunks)
		it.holes, it.seq = r.hasHoles(part), int32(i)
		g.chunks = append(g.chunks, ghostPart{it, v.GhostChunks[i].Colour})
	}
	if len(g.chunks) == 0 {
		return
	}
	slices.SortFunc(g.chunks, func(a, b ghostPart) int {
		if c := cmp.Compare(a.page, b.page); c != 0 {
			return c
		}
		if a.holes != b.holes {
			if a.holes {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(packed(a.colour), packed(b.colour)), cmp.Compare(a.level, b.level), cmp.Compare(a.grid, b.grid), cmp.Compare(a.seq, b.seq))
	})
	r.items = r.items[:0]
	for i := range g.chunks {
		r.items = append(r.items, g.chunks[i].item)
	}
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
	for first := 0; first < len(g.chunks); {
		one := &g.chunks[first]
		end := first + 1
		for end < len(g.chunks) && g.chunks[end].material == one.material && g.chunks[end].colour == one.colour {
			end++
		}
		p := &r.programs.mesh[meshGhost]
		if one.holes {
			p = &r.programs.mesh[meshGhostHoles]
		}
		gl.UseProgram(p.name)
		gl.Uniform1f(p.bias, 0)
		gl.Uniform2f(p.shown, ghostHidden, lineBias)
		l := rgb(one.colour)
		gl.Uniform4f(p.tint, l[0], l[1], l[2], float32(one.colour.A)/255)
		r.bindPage(p.page, one.page, eye)
		r.drawRuns(class{first: first, end: end}, gl.TRIANGLES, nil)
		first = end
	}
}

func packed(c color.NRGBA) uint32 {
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
}

// ghostPatch is a chunk at the level that looks well enough, with edges that meet those
// of the chunks around it if they are ghosts too.
func (r *Renderer) ghostPatch(v *View, c *camera, cx, cy int) lod.Patch {
	f := r.world.Field
	cols, rows := f.ChunkGrid()
	level := func(x, y int) uint8 {
		allowed := ghostError / c.scale
		if !c.ortho {
			allowed *= f.ChunkBox(x, y).DistanceTo(v.Eye)
		}
		chunk, l := f.Chunk(x, y), uint8(0)
		for l < ghostLevel && float64(chunk.Error[l+1]) <= allowed {
			l++
		}
		return l
	}
	p := lod.Patch{Cells: f.ChunkRect(cx, cy), Level: level(cx, cy)}
	for side, d := range [4]image.Point{lod.Left: {X: -1}, lod.Top: {Y: -1}, lod.Right: {X: 1}, lod.Bottom: {Y: 1}} {
		p.Edges[side] = p.Level
		if x, y := cx+d.X, cy+d.Y; x >= 0 && y >= 0 && x < cols && y < rows {
			p.Edges[side] = max(p.Level, level(x, y))
		}
	}
	return p
}

// resize makes the picture of ghosts as big as asked.
func (g *ghosts) resize(size image.Point) error {
	if g.framebuffer != 0 && g.size == size {
		return nil
	}
	g.release()
	g.colour = screenTexture(size, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE)
	gl.GenRenderbuffers(1, &g.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, g.depth)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, int32(size.X), int32(size.Y))
	gl.BindRenderbuffer(gl.RENDERBUFFER, 0)
	gl.GenFramebuffers(1, &g.framebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, g.framebuffer)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, g.colour, 0)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, g.depth)
	if status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		g.release()
		return fmt.Errorf("the driver refuses a framebuffer for ghosts (status 0x%x)", status)
	}
	g.size = size
	return nil
}

func (g *ghosts) release() {
	if g.framebuffer != 0 {
		gl.DeleteFramebuffers(1, &g.framebuffer)
		gl.DeleteTextures(1, &g.colour)
		gl.DeleteRenderbuffers(1, &g.depth)
	}
	*g = ghosts{chunks: g.chunks, box: g.box}
}
