package render

import (
	"image"
	"math"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/terrain"
)

// pageCells is the number of cells along a page's edge, a multiple of a chunk's.
const (
	pageCells  = 512
	pageChunks = pageCells / terrain.TileSize
)

// page is a part of the ground that has its samples in one texture.
type page struct {
	cells   image.Rectangle // of the field; fewer than 512×512 at the right and lower rim
	texture uint32          // its own, or the ground's blank one
	// shows are the layers that each chunk shows, by chunk row and column.
	shows [pageChunks * pageChunks]layerSet
	// baked says which chunks have light other than white.
	baked [pageChunks * pageChunks]bool
}

// samples is the rectangle of samples that the page holds.
func (p *page) samples() image.Rectangle {
	return image.Rectangle{p.cells.Min, p.cells.Max.Add(image.Pt(1, 1))}
}

// ground is a field on the GPU.
type ground struct {
	field      *terrain.Field
	cols, rows int // pages
	pages      []page
	blank      uint32 // shared by the pages in which nothing was ever touched
	doomed     []uint32

	packer   packer
	splats   []terrain.Splat
	light    []terrain.RGB
	changes  []terrain.TileChange
	tiles    []image.Point
	uploaded int // bytes
}

// set brings the GPU from the field it has to f. tiles are those whose heights
// changed; whole says that anything may have.
func (g *ground) set(f *terrain.Field) (tiles []image.Point, whole bool) {
	if f == g.field {
		return nil, false
	}
	old := g.field
	g.field = f
	if old != nil {
		var comparable bool
		if g.changes, comparable = terrain.AppendChanges(g.changes[:0], old, f); comparable {
			g.tiles = g.tiles[:0]
			for _, c := range g.changes {
				g.change(old, c)
				if c.Planes&(terrain.PlaneHeights|terrain.PlaneFlags) != 0 {
					g.tiles = append(g.tiles, image.Pt(c.X, c.Y))
				}
			}
			return g.tiles, false
		}
	}
	g.rebuild()
	return nil, true
}

// rebuild uploads the whole field.
func (g *ground) rebuild() {
	g.drop()
	f := g.field
	cols, rows := f.Size()
	g.cols, g.rows = (cols-2)/pageCells+1, (rows-2)/pageCells+1
	g.pages = make([]page, g.cols*g.rows)
	for i := range g.pages {
		p := &g.pages[i]
		x, y := i%g.cols*pageCells, i/g.cols*pageCells
		p.cells = image.Rect(x, y, min(x+pageCells, cols-1), min(y+pageCells, rows-1))
		for cy := p.cells.Min.Y / terrain.TileSize; cy*terrain.TileSize < p.cells.Max.Y; cy++ {
			for cx := p.cells.Min.X / terrain.TileSize; cx*terrain.TileSize < p.cells.Max.X; cx++ {
				g.surveyChunk(cx, cy)
			}
		}
		if g.untouched(p.samples()) {
			p.texture = g.blankPage()
			continue
		}
		p.texture = newPage(p.samples().Size())
		g.uploadAll(p)
	}
}

// untouched tells whether all samples of r are as in a new field.
func (g *ground) untouched(r image.Rectangle) bool {
	const t = terrain.TileSize
	for y := r.Min.Y / t; y*t < r.Max.Y; y++ {
		for x := r.Min.X / t; x*t < r.Max.X; x++ {
			if g.field.Tile(x, y).Blank() != terrain.AllPlanes {
				return false
			}
		}
	}
	return true
}

func newPage(size image.Point) uint32 {
	var t uint32
	gl.GenTextures(1, &t)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, t)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, coarsestOf(size))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	for k := int32(0); k <= coarsestOf(size); k++ {
		gl.TexImage2D(gl.TEXTURE_2D, k, gl.RGBA32UI, int32(max(size.X>>k, 1)), int32(max(size.Y>>k, 1)), 0,
			gl.RGBA_INTEGER, gl.UNSIGNED_INT, nil)
	}
	return t
}

// blankPage gives the texture of untouched ground.
func (g *ground) blankPage() uint32 {
	if g.blank != 0 {
		return g.blank
	}
	const side = pageCells + 1
	g.blank = newPage(image.Pt(side, side))
	white := lightRoots[255]
	for level := range pageLevels {
		// The normal's y stands in the fourth word of coarser levels.
		t := texel{1: white | white<<10 | white<<20}
		if level > 0 {
			t[3] = math.Float32bits(1)
		}
		n := side >> level
		row := slices.Repeat([]texel{t}, n)
		for y := range n {
			g.upload(row, n, level, image.Rect(0, 0, n, 1), image.Pt(0, y))
		}
	}
	return g.blank
}

// upload writes a rectangle of texels, which stand in rows of stride, to a place in
// a level of the page texture that is bound.
func (g *ground) upload(texels []texel, stride, level int, r image.Rectangle, at image.Point) {
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, int32(stride))
	gl.PixelStorei(gl.UNPACK_SKIP_PIXELS, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_ROWS, 0)
	gl.TexSubImage2D(gl.TEXTURE_2D, int32(level), int32(at.X), int32(at.Y), int32(r.Dx()), int32(r.Dy()),
		gl.RGBA_INTEGER, gl.UNSIGNED_INT, unsafe.Pointer(&texels[r.Min.Y*stride+r.Min.X]))
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	g.uploaded += r.Dx() * r.Dy() * texelBytes
}

// band is the number of rows that are packed at once, and what packed rectangles
// are aligned to within a page: a texel of the last level.
const band = 1 << (pageLevels - 1)

func (g *ground) uploadAll(p *page) { g.uploadPart(p, p.samples()) }

// uploadPart uploads the samples of r, in the field's numbering, which lie in p, and
// what they change in the page's coarser levels.
func (g *ground) uploadPart(p *page, r image.Rectangle) {
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.BindTexture(gl.TEXTURE_2D, p.texture)
	size := p.samples().Size()
	r = r.Sub(p.cells.Min) // in the page from here on
	x0, x1 := r.Min.X/band*band, min((r.Max.X+band-1)/band*band, size.X)
	for y0 := r.Min.Y / band * band; y0 < r.Max.Y; y0 += band {
		block := image.Rect(x0, y0, x1, min(y0+band, size.Y))
		changed := r.Intersect(block)
		g.packer.pack(g.field, block.Add(p.cells.Min))
		w, h := block.Dx(), block.Dy()
		g.upload(g.packer.texels[0], w, 0, changed.Sub(block.Min), changed.Min)
		for level := 1; level <= int(coarsestOf(size)); level++ {
			// What is left over at the page's rim belongs to no texel, unless it is all.
			toW, toH := coarser(w, size.X>>level), coarser(h, size.Y>>level)
			if toW == 0 || toH == 0 {
				break
			}
			g.packer.coarsen(level, w, h, toW, toH)
			w, h = toW, toH
			to := image.Rectangle{
				image.Pt(changed.Min.X>>level, changed.Min.Y>>level),
				image.Pt((changed.Max.X-1)>>level+1, (changed.Max.Y-1)>>level+1),
			}
			from := image.Pt(x0>>level, y0>>level)
			to = to.Intersect(image.Rectangle{from, from.Add(image.Pt(w, h))})
			if !to.Empty() {
				g.upload(g.packer.texels[level], w, level, to.Sub(from), to.Min)
			}
		}
	}
}

// coarser is the number of texels that n make a level up, in a page that has size
// of them.
func coarser(n, size int) int {
	if size == 0 {
		return 1
	}
	return n / 2
}

// change uploads what differs in a tile.
func (g *ground) change(old *terrain.Field, c terrain.TileChange) {
	a, b := old.Tile(c.X, c.Y), g.field.Tile(c.X, c.Y)
	in := g.field.TileRect(c.X, c.Y)
	var r image.Rectangle
	if c.Planes&terrain.PlaneHeights != 0 {
		if h := differing(a.Heights[:], b.Heights[:], in); !h.Empty() {
			r = h.Inset(-1).Intersect(g.field.Bounds()) // the normals around change too
		}
	}
	if c.Planes&terrain.PlaneSplats != 0 {
		if s := differing(a.Splats[:], b.Splats[:], in); !s.Empty() {
			r = r.Union(s)
		}
	}
	if c.Planes&terrain.PlaneLight != 0 {
		r = r.Union(differing(a.Light[:], b.Light[:], in))
	}
	if c.Planes&terrain.PlaneFlags != 0 {
		r = r.Union(differing(a.Flags[:], b.Flags[:], in))
	}
	if r.Empty() {
		return
	}
	if c.Planes&(terrain.PlaneSplats|terrain.PlaneLight) != 0 {
		// A tile's first column and row belong to the chunks before it, too.
		cc, cr := g.field.ChunkGrid()
		for y := max(c.Y-1, 0); y <= min(c.Y, cr-1); y++ {
			for x := max(c.X-1, 0); x <= min(c.X, cc-1); x++ {
				g.surveyChunk(x, y)
			}
		}
	}
	// A sample on the border stands in both pages.
	for y := max(r.Min.Y-1, 0) / pageCells; y < g.rows && y*pageCells < r.Max.Y; y++ {
		for x := max(r.Min.X-1, 0) / pageCells; x < g.cols && x*pageCells < r.Max.X; x++ {
			p := &g.pages[y*g.cols+x]
			part := r.Intersect(p.samples())
			if part.Empty() {
				continue
			}
			if p.texture == g.blank {
				p.texture = newPage(p.samples().Size())
				g.uploadAll(p)
				continue
			}
			g.uploadPart(p, part)
		}
	}
}

// differing is the smallest rectangle of samples in which two planes of a tile
// differ; in is the tile's rectangle of samples.
func differing[T comparable](a, b []T, in image.Rectangle) image.Rectangle {
	r := image.Rectangle{in.Max, in.Min}
	w := in.Dx()
	for y := range in.Dy() {
		pa, pb := a[y*terrain.TileSize:][:w], b[y*terrain.TileSize:][:w]
		x0 := 0
		for x0 < w && pa[x0] == pb[x0] {
			x0++
		}
		if x0 == w {
			continue
		}
		x1 := w
		for pa[x1-1] == pb[x1-1] {
			x1--
		}
		r.Min.X, r.Max.X = min(r.Min.X, in.Min.X+x0), max(r.Max.X, in.Min.X+x1)
		r.Min.Y, r.Max.Y = min(r.Min.Y, in.Min.Y+y), in.Min.Y+y+1
	}
	return r
}

// surveyChunk notes which layers a chunk shows and whether it has baked light.
func (g *ground) surveyChunk(cx, cy int) {
	p := &g.pages[cy/pageChunks*g.cols+cx/pageChunks]
	k := cy%pageChunks*pageChunks + cx%pageChunks
	p.shows[k], p.baked[k] = layerSet{}, false
	cells := g.field.ChunkRect(cx, cy)
	r := image.Rectangle{cells.Min, cells.Max.Add(image.Pt(1, 1))}
	blank := terrain.AllPlanes
	tc, tr := g.field.TileGrid()
	for y := cy; y <= min(cy+1, tr-1); y++ {
		for x := cx; x <= min(cx+1, tc-1); x++ {
			blank &= g.field.Tile(x, y).Blank()
		}
	}
	if blank&terrain.PlaneSplats != 0 {
		p.shows[k].add(0)
	} else {
		g.splats = grow(g.splats, r.Dx()*r.Dy())
		g.field.CopySplats(g.splats, r.Dx(), r)
		p.shows[k] = layersOf(g.splats)
	}
	if blank&terrain.PlaneLight == 0 {
		g.light = grow(g.light, r.Dx()*r.Dy())
		g.field.CopyLight(g.light, r.Dx(), r)
		p.baked[k] = slices.ContainsFunc(g.light, func(l terrain.RGB) bool { return l != terrain.RGB{R: 255, G: 255, B: 255} })
	}
}

// drop deletes the pages but keeps the blank one.
func (g *ground) drop() {
	g.doomed = g.doomed[:0]
	for i := range g.pages {
		if t := g.pages[i].texture; t != 0 && t != g.blank {
			g.doomed = append(g.doomed, t)
		}
	}
	if len(g.doomed) > 0 {
		gl.DeleteTextures(int32(len(g.doomed)), &g.doomed[0])
	}
	g.pages = nil
}

func (g *ground) release() {
	g.drop()
	if g.blank != 0 {
		gl.DeleteTextures(1, &g.blank)
	}
	*g = ground{}
}
