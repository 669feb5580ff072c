package render

import (
	"cmp"
	"image"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

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
	page    int32
	rank    int64 // of the page, nearest first
	kind    uint8 // ground program
	grid    uint8 // 1<<grid quads along an edge
	palette [8]uint8
	seq     int32
	instance
}

// batch is the part of an item that decides what is bound.
type batch struct {
	page    int32
	kind    uint8
	grid    uint8
	level   uint8
	palette [8]uint8
}

func (i *item) batch() batch {
	return batch{i.page, i.kind, i.grid, uint8(i.edges >> 16), i.palette}
}

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
// changes seldom and near pages come first, and uploads the instances.
func (r *Renderer) gather(eye eyeCell) {
	r.items = r.items[:0]
	for i := range r.list {
		p := &r.list[i]
		r.stats.Levels[p.Level]++
		g := &r.ground
		x0, y0 := p.Cells.Min.X/pageCells, p.Cells.Min.Y/pageCells
		x1, y1 := (p.Cells.Max.X-1)/pageCells, (p.Cells.Max.Y-1)/pageCells
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				r.addItem(p, y*g.cols+x, eye)
			}
		}
	}
	slices.SortFunc(r.items, func(a, b item) int {
		if c := cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.page, b.page), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.edges>>16, b.edges>>16), cmp.Compare(a.grid, b.grid)); c != 0 {
			return c
		}
		return cmp.Or(slices.Compare(a.palette[:], b.palette[:]), cmp.Compare(a.seq, b.seq))
	})
}

// addItem adds the part of a patch that lies in a page. A part's inner edges are
// not snapped: both sides of them have the patch's level.
func (r *Renderer) addItem(p *lod.Patch, index int, eye eyeCell) {
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
	it := item{
		page: int32(index),
		rank: distance(pg.cells, eye),
		grid: uint8(bits.Len(uint(max(nx, nz) - 1))),
		seq:  int32(len(r.items)),
		instance: instance{
			first: uint32(in.Min.X) | uint32(in.Min.Y)<<16,
			cells: uint32(in.Dx()) | uint32(in.Dy())<<16,
			edges: uint32(edges[0]) | uint32(edges[1])<<4 | uint32(edges[2])<<8 | uint32(edges[3])<<12 | uint32(p.Level)<<16,
		},
	}
	it.kind, it.palette = r.surface(pg, part)
	r.items = append(r.items, it)
	r.stats.Triangles += 2 * nx * nz
}

// distance is that of a page from the eye's cell, in cells along both axes.
func distance(cells image.Rectangle, eye eyeCell) int64 {
	dx := max(int64(cells.Min.X)-eye.x, 0, eye.x-int64(cells.Max.X))
	dz := max(int64(cells.Min.Y)-eye.z, 0, eye.z-int64(cells.Max.Y))
	return dx + dz
}

// surface chooses the program for cells within a page.
func (r *Renderer) surface(pg *page, cells image.Rectangle) (kind uint8, palette [8]uint8) {
	const t = terrain.TileSize
	var set layerSet
	for cy := cells.Min.Y / t; cy*t < cells.Max.Y; cy++ {
		for cx := cells.Min.X / t; cx*t < cells.Max.X; cx++ {
			if r.world.Field.Chunk(cx, cy).Holes {
				return groundHoles, palette
			}
			set.union(&pg.shows[cy%pageChunks*pageChunks+cx%pageChunks])
		}
	}
	n := 0
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			if n == maxPalette {
				return groundAny, [8]uint8{}
			}
			palette[n] = uint8(i*64 + bits.TrailingZeros64(word))
			n++
		}
	}
	for kind := range reach {
		if n <= reach[kind] {
			// What is left of the palette must not name a layer twice.
			for k := n; k < reach[kind]; k++ {
				palette[k] = unused(&set)
				set.add(palette[k])
			}
			return uint8(kind), palette
		}
	}
	return groundAny, palette
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

// drawGround uploads the instances and draws the surface.
func (r *Renderer) drawGround(eye eyeCell) {
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
	gl.Enable(gl.CULL_FACE)
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BindVertexArray(r.vao)
	gl.ActiveTexture(gl.TEXTURE0 + unitTextures)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, r.layers.texture)
	gl.ActiveTexture(gl.TEXTURE0 + unitSamples)
	if len(r.items) == 0 {
		return
	}
	r.patches.fill(unsafe.Pointer(&r.items[0]), len(r.items)*int(unsafe.Sizeof(item{})))
	r.eachBatch(func(items []item, first int) {
		it := &items[0]
		p := &r.programs.ground[it.kind]
		gl.UseProgram(p.name)
		gl.Uniform1ui(p.missing, uint32(len(r.layers.has)))
		gl.Uniform1f(p.bias, 0)
		for i, id := range it.palette {
			r.palette[i] = uint32(id)
		}
		if int(it.kind) < len(reach) {
			gl.Uniform1uiv(p.palette, int32(reach[it.kind]), &r.palette[0])
		}
		r.bindPage(p, it.page, eye)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, r.grids.triangles[it.grid])
		instances(first)
		gl.DrawElementsInstanced(gl.TRIANGLES, triangleIndices(it.grid), gl.UNSIGNED_SHORT, nil, int32(len(items)))
		r.stats.Draws++
	})
}

// instances points the patch attribute at an item of the instance buffer.
func instances(first int) {
	const size = int(unsafe.Sizeof(item{}))
	gl.VertexAttribIPointerWithOffset(0, 3, gl.UNSIGNED_INT, int32(size),
		uintptr(first*size)+unsafe.Offsetof(item{}.instance))
}

// bindPage binds a page's samples and tells the program where the page is.
func (r *Renderer) bindPage(p *groundProgram, index int32, eye eyeCell) {
	pg := &r.ground.pages[index]
	gl.BindTexture(gl.TEXTURE_2D, pg.texture)
	gl.Uniform4i(p.page, int32(int64(pg.cells.Min.X)-eye.x), int32(int64(pg.cells.Min.Y)-eye.z),
		int32(pg.cells.Dx()), int32(pg.cells.Dy()))
}

// eachBatch calls do for each run of items that need the same bound.
func (r *Renderer) eachBatch(do func(items []item, first int)) {
	for first := 0; first < len(r.items); {
		end := first + 1
		for end < len(r.items) && r.items[end].batch() == r.items[first].batch() {
			end++
		}
		do(r.items[first:end], first)
		first = end
	}
}

// patchBox is the box around a patch's ground, in world coordinates.
func (r *Renderer) patchBox(cells image.Rectangle) geom.Box {
	k := bits.Len(uint(max(cells.Dx(), cells.Dy())-1) / terrain.TileSize)
	side := terrain.TileSize << k
	_, box := r.world.Field.PyramidNode(k, cells.Min.X/side, cells.Min.Y/side)
	return box
}
