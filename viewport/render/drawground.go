package render

import (
	"cmp"
	"image"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// instance is a patch as the vertex shader reads it.
type instance struct {
	first, cells, edges uint32
}

// item is a patch, or the part of one that lies in a page, with what must be bound
// to draw it.
type item struct {
	rank int64 // of the page, nearest first
	material
	grid  uint8 // 1<<grid quads along an edge
	level uint8
	seq   int32
	instance
	x0, y0, x1, y1 int32 // the pixels it may cover
}

// material is what the second half of the ground needs to know.
type material struct {
	page    int32
	surface uint8 // kind of surface program
	flags   uint8 // of the surface
	holes   bool
	palette [maxPalette]uint8
}

// class is a run of items that look alike and what they may cover.
type class struct {
	first, end int
	rect       image.Rectangle
}

// maxClasses is how many a stencil of eight bits can tell apart, 0 being the sky.
const maxClasses = 255

// grids are index buffers of 1, 2, 4 … 64 quads along an edge, for a vertex number
// of row·128 + column, and the same for their edges as lines.
type grids struct {
	triangles, lines [7]uint32
	vao              uint32
}

func (g *grids) build() {
	gl.BindVertexArray(0)
	gl.GenBuffers(int32(len(g.triangles)), &g.triangles[0])
	gl.GenBuffers(int32(len(g.lines)), &g.lines[0])
	for k := range g.triangles {
		n := 1 << k
		var tri, line []uint16
		at := func(i, j int) uint16 { return uint16(j*128 + i) }
		for j := range n {
			for i := range n {
				a, b, c, d := at(i, j), at(i+1, j), at(i, j+1), at(i+1, j+1)
				tri = append(tri, a, c, b, b, c, d)
				line = append(line, a, b, a, c, b, c)
				if i == n-1 {
					line = append(line, b, d)
				}
				if j == n-1 {
					line = append(line, c, d)
				}
			}
		}
		fillIndices(g.triangles[k], tri)
		fillIndices(g.lines[k], line)
	}
}

func fillIndices(buffer uint32, indices []uint16) {
	// The target does not matter for filling, and this one belongs to no vertex array.
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	gl.BufferData(gl.ARRAY_BUFFER, len(indices)*2, unsafe.Pointer(&indices[0]), gl.STATIC_DRAW)
}

func triangleIndices(grid uint8) int32 { return 6 << (2 * grid) }
func lineIndices(grid uint8) int32     { return 6<<(2*grid) + 4<<grid }

func (g *grids) release() {
	if g.triangles[0] != 0 {
		gl.DeleteBuffers(int32(len(g.triangles)), &g.triangles[0])
		gl.DeleteBuffers(int32(len(g.lines)), &g.lines[0])
	}
	*g = grids{}
}

// gather turns the patches of the frame into items, sorted so that what is bound
// changes seldom and near pages come first, and finds their classes.
func (r *Renderer) gather(v *View, eye eyeCell) {
	r.items = r.items[:0]
	g := &r.ground
	r.seen.begin(r.world.Field, v.Chunks)
	for i := range r.list {
		p := &r.list[i]
		r.stats.Levels[p.Level]++
		r.seen.mark(p.Cells)
		x0, y0 := p.Cells.Min.X/pageCells, p.Cells.Min.Y/pageCells
		x1, y1 := (p.Cells.Max.X-1)/pageCells, (p.Cells.Max.Y-1)/pageCells
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				r.addItem(p, y*g.cols+x, v, eye)
			}
		}
	}
	r.stats.Chunks = r.seen.count
	slices.SortFunc(r.items, func(a, b item) int {
		if c := cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.page, b.page), cmp.Compare(a.surface, b.surface), cmp.Compare(a.flags, b.flags),
			slices.Compare(a.palette[:], b.palette[:])); c != 0 {
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
	r.classes = r.classes[:0]
	for i := range r.items {
		it := &r.items[i]
		rect := image.Rect(int(it.x0), int(it.y0), int(it.x1), int(it.y1))
		if i == 0 || it.material != r.items[i-1].material {
			r.classes = append(r.classes, class{i, i + 1, rect})
			continue
		}
		c := &r.classes[len(r.classes)-1]
		c.end, c.rect = i+1, c.rect.Union(rect)
	}
}

// addItem adds the part of a patch that lies in a page.
func (r *Renderer) addItem(p *lod.Patch, index int, v *View, eye eyeCell) {
	it, part := r.partOf(p, index)
	box := r.patchBox(part)
	rect := r.cover(v, box)
	if rect.Empty() {
		return
	}
	pg := &r.ground.pages[index]
	it.rank, it.seq = distance(pg.cells, eye), int32(len(r.items))
	it.x0, it.y0, it.x1, it.y1 = int32(rect.Min.X), int32(rect.Min.Y), int32(rect.Max.X), int32(rect.Max.Y)
	r.surface(&it.material, pg, part)
	if r.farPart(v, box) {
		it.flags |= surfaceFar
	}
	r.items = append(r.items, it)
	q := lod.Patch{Cells: part, Level: p.Level}
	nx, nz := q.Quads()
	r.stats.Triangles += 2 * nx * nz
}

// partOf is the part of a patch that lies in a page, as its vertex shader reads it, and
// its cells. A part's inner edges are not snapped: both sides of them have the patch's
// level.
func (r *Renderer) partOf(p *lod.Patch, index int) (item, image.Rectangle) {
	pg := &r.ground.pages[index]
	part := p.Cells.Intersect(pg.cells)
	edges := [4]uint8{p.Level, p.Level, p.Level, p.Level}
	for side, whole := range [4]bool{
		lod.Left:   part.Min.X == p.Cells.Min.X,
		lod.Top:    part.Min.Y == p.Cells.Min.Y,
		lod.Right:  part.Max.X == p.Cells.Max.X,
		lod.Bottom: part.Max.Y == p.Cells.Max.Y,
	} {
		if whole {
			edges[side] = p.Edges[side]
		}
	}
	q := lod.Patch{Cells: part, Level: p.Level}
	nx, nz := q.Quads()
	in := part.Sub(pg.cells.Min)
	return item{
		material: material{page: int32(index)},
		grid:     uint8(bits.Len(uint(max(nx, nz) - 1))),
		level:    p.Level,
		instance: instance{
			first: uint32(in.Min.X) | uint32(in.Min.Y)<<16,
			cells: uint32(in.Dx()) | uint32(in.Dy())<<16,
			edges: uint32(edges[0]) | uint32(edges[1])<<4 | uint32(edges[2])<<8 | uint32(edges[3])<<12 | uint32(p.Level)<<16,
		},
	}, part
}

// distance is that of a page from the eye's cell, in cells along both axes.
func distance(cells image.Rectangle, eye eyeCell) int64 {
	dx := max(int64(cells.Min.X)-eye.x, 0, eye.x-int64(cells.Max.X))
	dz := max(int64(cells.Min.Y)-eye.z, 0, eye.z-int64(cells.Max.Y))
	return dx + dz
}

// surface chooses the programs for cells within a page.
func (r *Renderer) surface(l *material, pg *page, cells image.Rectangle) {
	const t = terrain.TileSize
	var set layerSet
	for cy := cells.Min.Y / t; cy*t < cells.Max.Y; cy++ {
		for cx := cells.Min.X / t; cx*t < cells.Max.X; cx++ {
			l.holes = l.holes || r.world.Field.Chunk(cx, cy).Holes
			k := cy%pageChunks*pageChunks + cx%pageChunks
			set.union(&pg.shows[k])
			if r.world.Sun.Baked && pg.baked[k] {
				l.flags |= surfaceBaked
			}
		}
	}
	n := 0
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			if n == maxPalette {
				l.surface, l.palette = surfaceAny, [maxPalette]uint8{}
				return
			}
			l.palette[n] = uint8(i*64 + bits.TrailingZeros64(word))
			n++
		}
	}
	for reach[l.surface] < n {
		l.surface++
	}
	// What is left of the palette must not name a layer twice.
	for k := n; k < reach[l.surface]; k++ {
		l.palette[k] = unused(&set)
		set.add(l.palette[k])
	}
}

// unused gives the least layer that is not in a set, which has some.
func unused(set *layerSet) uint8 {
	for i, word := range set {
		if word != ^uint64(0) {
			return uint8(i*64 + bits.TrailingZeros64(^word))
		}
	}
	return 0
}

// drawGround draws the ground, up to atOnce classes at a time: first the mesh,
// which leaves places and classes, then the surface of each class, once a pixel.
// Solid objects come between the last mesh and its surfaces.
func (r *Renderer) drawGround(eye eyeCell) {
	if len(r.items) == 0 {
		r.drawObjects()
		return
	}
	r.patches.fill(unsafe.Pointer(&r.items[0]), len(r.items)*int(unsafe.Sizeof(item{})))
	for first := 0; first < len(r.classes); first += r.atOnce {
		round := r.classes[first:min(first+r.atOnce, len(r.classes))]
		if first > 0 {
			r.stage.bind()
			gl.Disable(gl.SCISSOR_TEST)
			gl.StencilMask(0xff)
			gl.ClearStencil(0)
			gl.Clear(gl.STENCIL_BUFFER_BIT)
		}
		r.drawPlaces(round, eye)
		if first+len(round) == len(r.classes) {
			r.drawObjects()
		}
		r.drawSurfaces(round, eye)
	}
}

func (r *Renderer) drawPlaces(round []class, eye eyeCell) {
	r.stage.bindGround()
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(true)
	gl.Enable(gl.STENCIL_TEST)
	gl.StencilMask(0xff)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.SCISSOR_TEST)
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
	for i, c := range round {
		l := &r.items[c.first].material
		p := &r.programs.mesh[meshPlace]
		if l.holes {
			p = &r.programs.mesh[meshHoles]
		}
		gl.UseProgram(p.name)
		gl.Uniform1f(p.bias, 0)
		r.bindPage(p.page, l.page, eye)
		gl.StencilFunc(gl.ALWAYS, int32(i+1), 0xff)
		r.drawRuns(c, gl.TRIANGLES, nil)
	}
}

// drawRuns draws the items of a class, those with one grid and level together.
func (r *Renderer) drawRuns(c class, mode uint32, before func(level uint8)) {
	for first := c.first; first < c.end; {
		it := &r.items[first]
		end := first + 1
		for end < c.end && r.items[end].grid == it.grid && r.items[end].level == it.level {
			end++
		}
		if before != nil {
			before(it.level)
		}
		buffer, count := r.grids.triangles[it.grid], triangleIndices(it.grid)
		if mode == gl.LINES {
			buffer, count = r.grids.lines[it.grid], lineIndices(it.grid)
		}
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer)
		instances(first)
		gl.DrawElementsInstanced(mode, count, gl.UNSIGNED_SHORT, nil, int32(end-first))
		r.stats.Draws++
		first = end
	}
}

func (r *Renderer) drawSurfaces(round []class, eye eyeCell) {
	r.stage.bind()
	gl.Disable(gl.DEPTH_TEST)
	gl.DepthMask(false)
	gl.Enable(gl.STENCIL_TEST)
	gl.StencilMask(0)
	gl.StencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.CULL_FACE)
	gl.Enable(gl.SCISSOR_TEST)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BindVertexArray(r.lineVAO) // the vertex number is all that is used
	gl.ActiveTexture(gl.TEXTURE0 + unitPlaces)
	gl.BindTexture(gl.TEXTURE_2D, r.stage.places)
	gl.ActiveTexture(gl.TEXTURE0 + unitTextures)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, r.layers.texture)
	gl.ActiveTexture(gl.TEXTURE0 + unitSamples)
	missing := len(r.layers.has)
	for i, c := range round {
		l := &r.items[c.first].material
		p := &r.programs.surface[l.surface][l.flags]
		gl.UseProgram(p.name)
		gl.Uniform1ui(p.missing, uint32(missing))
		if int(l.surface) < len(reach) {
			n := reach[l.surface]
			for k, id := range l.palette[:n] {
				r.palette[k] = uint32(id)
				r.uv[k] = r.block.layerUV[min(int(id), missing)]
			}
			gl.Uniform1uiv(p.palette, int32(n), &r.palette[0])
			gl.Uniform4fv(p.paletteUV, int32(n), &r.uv[0][0])
		}
		r.bindPage(p.page, l.page, eye)
		gl.Uniform1i(p.coarsest, coarsestOf(r.ground.pages[l.page].samples().Size()))
		gl.Scissor(int32(c.rect.Min.X), int32(c.rect.Min.Y), int32(c.rect.Dx()), int32(c.rect.Dy()))
		gl.StencilFunc(gl.EQUAL, int32(i+1), 0xff)
		gl.DrawArrays(gl.TRIANGLES, 0, 3)
		r.stats.Draws++
	}
	gl.Disable(gl.SCISSOR_TEST)
}

// instances points the patch attribute at an item of the instance buffer.
func instances(first int) {
	const size = int(unsafe.Sizeof(item{}))
	gl.VertexAttribIPointerWithOffset(0, 3, gl.UNSIGNED_INT, int32(size),
		uintptr(first*size)+unsafe.Offsetof(item{}.instance))
}

// bindPage binds a page's samples and tells the program where the page is.
func (r *Renderer) bindPage(uniform, index int32, eye eyeCell) {
	pg := &r.ground.pages[index]
	gl.BindTexture(gl.TEXTURE_2D, pg.texture)
	gl.Uniform4i(uniform, int32(int64(pg.cells.Min.X)-eye.x), int32(int64(pg.cells.Min.Y)-eye.z),
		int32(pg.cells.Dx()), int32(pg.cells.Dy()))
}

// patchBox is a box around a patch's ground, in world coordinates. Parts of a chunk
// have its range of heights.
func (r *Renderer) patchBox(cells image.Rectangle) geom.Box {
	f := r.world.Field
	k := bits.Len(uint(max(cells.Dx(), cells.Dy())-1) / terrain.TileSize)
	side := terrain.TileSize << k
	_, box := f.PyramidNode(k, cells.Min.X/side, cells.Min.Y/side)
	x, z := f.Origin()
	box.Min[0], box.Max[0] = x+float64(cells.Min.X)*f.Spacing(), x+float64(cells.Max.X)*f.Spacing()
	box.Min[2], box.Max[2] = z+float64(cells.Min.Y)*f.Spacing(), z+float64(cells.Max.Y)*f.Spacing()
	return box
}

// farPart tells whether pixels in a box may be so much bigger than cells that a
// coarser level of the page is looked at: from √2 cells on.
func (r *Renderer) farPart(v *View, b geom.Box) bool {
	pixel := math.Sqrt(float64(r.block.pixel[0]))
	if r.block.toEye[3] == 0 {
		var far mgl64.Vec3 // from the eye to the furthest corner
		for i, e := range v.Eye {
			far[i] = max(e-b.Min[i], b.Max[i]-e)
		}
		pixel *= far.Len()
	}
	return pixel > 1.4*r.world.Field.Spacing()
}

// cover is the rectangle of pixels, counted from the lower left, that a box may
// cover.
func (r *Renderer) cover(v *View, b geom.Box) image.Rectangle {
	all := image.Rectangle{Max: r.stage.size}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	// A corner is the first one and some of the edges that start there.
	first, size := v.ViewProj.Mul4x1(b.Min.Sub(v.Eye).Vec4(1)), b.Max.Sub(b.Min)
	var edges [3]mgl64.Vec4
	for i := range edges {
		edges[i] = v.ViewProj.Col(i).Mul(size[i])
	}
	for i := range 8 {
		p := first
		for k := range edges {
			if i>>k&1 != 0 {
				p = p.Add(edges[k])
			}
		}
		if p[3] <= 0 || p[2] < -p[3] {
			return all // it reaches behind the near plane
		}
		x0, x1 = min(x0, p[0]/p[3]), max(x1, p[0]/p[3])
		y0, y1 = min(y0, p[1]/p[3]), max(y1, p[1]/p[3])
	}
	pixel := func(at float64, size int, margin float64) int {
		return int(min(max((at+1)/2*float64(size)+margin, -1), float64(size)+1))
	}
	w, h := all.Max.X, all.Max.Y
	return image.Rect(pixel(x0, w, -1), pixel(y0, h, -1), pixel(x1, w, 2), pixel(y1, h, 2)).Intersect(all)
}
