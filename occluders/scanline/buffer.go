package scanline

import (
	"image"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Buffer holds what the occluders of one view hide. The zero value works. Fill it with
// Begin, Add and AddPolygon in any order, End; then query it. It keeps its memory for
// the next Begin, and allocates nothing once it has grown. It is not safe for
// concurrent use, but several buffers may share hulls.
type Buffer struct {
	// MinOccluder is the least area of the rectangle around an occluder on the
	// picture, in square pixels; smaller ones hide nothing. 0 is 4, negative is none.
	MinOccluder float64
	// MinOccludee is the least area of the rectangle around a box on the picture, in
	// square pixels; smaller ones are not tested and not hidden. 0 or less is none:
	// a test costs less than drawing anything.
	MinOccludee float64
	// Step is the greatest height of a band, in pixels; 0 is 8.
	Step float64
	// Ends is how many lines between bands there are at most where the nearest hulls
	// begin and end, two for each; 0 is 32.
	Ends int
	// Fine takes the place of Step and Ends: the fewer surfaces there are on the picture,
	// the finer it is, as there is time then. Small ones far away hide more.
	Fine bool

	view     view
	done     bool
	slack    float64 // the greatest margin of a surface
	surfaces []surface
	corners  []spot
	edges    []edge
	slopes   []slope
	bands    bands
	main     profile
	grid     grid
	stats    Stats

	// Scratch.
	face           []vec3
	outline, chain []spot
	seen           []bool
	order          []uint64
	hiders         hiders
	batch          batch
}

// Stats says what a build did.
type Stats struct {
	Surfaces int // hulls, single faces of hulls that the near plane cuts, polygons
	Small    int // of them too small
	Outside  int // of them off the picture
	Behind   int // surfaces that are hidden themselves
	Edges    int // on the picture, level ones not counted
	Bands    int
	Spans    int // intervals of all bands
	Joints   int // gaps closed where occluders meet
}

// Stats gives the figures of the last build.
func (b *Buffer) Stats() Stats { return b.stats }

func (b *Buffer) minOccluder() float64 {
	if b.MinOccluder == 0 {
		return 4
	}
	return b.MinOccluder
}

// Begin forgets all occluders and takes a new view: viewProj is camera-relative, it
// takes p − eye to OpenGL clip space, and may be a perspective or an orthographic
// projection; size is that of the picture in pixels, and near the distance of the near
// plane in metres. A matrix that is no projection hides nothing.
func (b *Buffer) Begin(eye geom.Vec3, viewProj mgl64.Mat4, size image.Point, near float64) {
	b.view = viewOf(eye, viewProj, size, near)
	b.done = false
	b.surfaces, b.corners, b.edges, b.slopes = b.surfaces[:0], b.corners[:0], b.edges[:0], b.slopes[:0]
	b.stats = Stats{}
}

// Add adds a hull under a number of the caller's, which several hulls may share. It
// is used unless it is off the picture, too small, or the eye is inside or touches it.
func (b *Buffer) Add(occluder int32, h *hull.Hull) (used bool) {
	if !b.view.ok || b.done {
		return false
	}
	if !b.view.ortho && !b.outside(h) {
		return false
	}
	used, crossing := b.addHull(occluder, h)
	if crossing {
		used = b.addFaces(occluder, h)
	}
	return used
}

// outside reports whether the eye is certainly outside of h.
func (b *Buffer) outside(h *hull.Hull) bool {
	for f, p := range h.Planes {
		at := h.Vertices[h.Faces[f][0]]
		e := b.view.eye
		if d := p.N[0]*(e[0]-at[0]) + p.N[1]*(e[1]-at[1]) + p.N[2]*(e[2]-at[2]); d > 0 {
			if d > 1e-3 || d > h.Tolerance() {
				return true
			}
		}
	}
	return false
}

// AddPolygon adds a flat polygon that hides from both sides, less a hole, which may be
// nil. It need not be convex. It hides nothing, and is not used, if it is not flat, if
// it is off the picture or too small, or if the eye is in its plane.
func (b *Buffer) AddPolygon(occluder int32, points []geom.Vec3, hole []geom.Vec3) (used bool) {
	if !b.view.ok || b.done || len(points) < 3 || len(hole) > 0 && len(hole) < 3 {
		return false
	}
	for _, p := range points {
		if !finite(p) {
			return false
		}
	}
	for _, p := range hole {
		if !finite(p) {
			return false
		}
	}
	return b.addPolygon(occluder, points, hole)
}

func finite(p vec3) bool { return p.Sub(p) == vec3{} }

// End builds the buffer.
func (b *Buffer) End() {
	if b.done || !b.view.ok {
		return
	}
	b.done = true
	// The nearest first, so that what they hide is left out.
	b.order = b.order[:0]
	b.slack = 0
	for i := range b.surfaces {
		b.slack = max(b.slack, b.surfaces[i].margin)
		b.order = append(b.order, uint64(^rank(b.surfaces[i].nearest))<<32|uint64(i))
	}
	slices.Sort(b.order)
	b.cut()
	p := &b.main
	p.begin(len(b.bands.y) - 1)
	for _, o := range b.order {
		s := &b.surfaces[uint32(o)]
		if r, ok := b.clamp(s.x0, s.x1, s.y0, s.y1, s.nearest); !ok || p.hides(&r) {
			b.stats.Behind++
			continue
		}
		b.insert(p, int(uint32(o)), 0, len(p.rows))
	}
	b.stats.Joints = b.join(p, 0, len(p.rows))
	for i := range p.rows {
		b.stats.Spans += len(p.rows[i])
	}
	b.stats.Surfaces, b.stats.Edges, b.stats.Bands = len(b.surfaces), len(b.edges), len(p.rows)
	b.fillGrid()
}

// rank orders depths as whole numbers do, coarsely.
func rank(depth float64) uint32 {
	f := math.Float32bits(float32(depth))
	if f>>31 != 0 {
		return ^f
	}
	return f | 1<<31
}

// fineness gives Step and Ends for a number of surfaces: 4 and 128 for up to 64, and twice
// as high bands and a quarter of the lines at the most, without a jump between: one surface
// more changes little.
func fineness(surfaces int) (step float64, ends int) {
	n := max(surfaces, 1)
	return min(max(float64(n)/16, 4), 8), min(max(128*64/n, 32), 128)
}

// bands are the lines that cut the picture: band i lies between y[i] and y[i+1].
type bands struct {
	y           []float64
	first, last []int32
	all         []float64
}

// polygonLines is the greatest number of lines at corners of polygons, each of which
// spoils a band for the polygon.
const polygonLines = 512

// cut places the lines.
func (b *Buffer) cut() {
	c := &b.bands
	height := b.view.height
	c.all = c.all[:0]
	step, ends := b.Step, b.Ends
	if b.Fine {
		step, ends = fineness(len(b.surfaces))
	}
	if ends <= 0 {
		ends = 32
	}
	hulls := 0
	for _, o := range b.order {
		s := &b.surfaces[uint32(o)]
		switch {
		case s.flat && len(c.all) < polygonLines:
			for _, e := range b.edges[s.edge : s.edge+s.edges] {
				c.all = append(c.all, e.y0, e.y1)
			}
		case hulls < ends:
			c.all = append(c.all, s.y0, s.y1)
			hulls += 2
		}
	}
	slices.Sort(c.all)
	if !(step > 0) {
		step = 8
	}
	c.y = append(c.y[:0], 0)
	last := 0.0
	put := func(y float64) {
		if n := math.Ceil((y - last) / step); n > 1 {
			h := (y - last) / n
			for i := 1.0; i < n; i++ {
				c.y = append(c.y, last+i*h)
			}
		}
		c.y = append(c.y, y)
		last = y
	}
	for _, y := range c.all {
		if y > last && y < height {
			put(y)
		}
	}
	put(height)
	// first[i] is the band that y = i/fine is in, the lower one on a line, and last[i]
	// the one that y = (i+1)/fine is in, the upper one.
	n := int(height)*fine + 2
	c.first, c.last = grown(c.first, n), grown(c.last, n)
	first, final := int32(0), int32(0)
	end := int32(len(c.y) - 2)
	for i := range c.first {
		for first < end && c.y[first+1] <= float64(i)*(1.0/fine) {
			first++
		}
		for final < end && c.y[final+1] < float64(i+1)*(1.0/fine) {
			final++
		}
		c.first[i], c.last[i] = first, final
	}
}

// fine is how many times a pixel the bands are looked up.
const fine = 4

// band gives the last band whose upper line is not below y, which is on the picture.
func (c *bands) band(y float64) int {
	k := int(c.first[int(y*fine)])
	for k < len(c.y)-2 && c.y[k+1] <= y {
		k++
	}
	return k
}
