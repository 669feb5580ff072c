package render

import (
	"image"
	"math"
	"math/bits"

	"ridgeline/terrain"
)

// texel is a sample as a page holds it:
//
//	0  base, over, third, α: eight bits each
//	1  square roots of the linear baked light: red, green, blue, ten bits each;
//	   bit 30: hole
//	2  x and z of the unit normal, signed 12 bits each, in 2047ths; α2: eight bits
//	3  height, float32
//
// A page has coarser levels, each texel of which stands for 2×2 of the level below:
// the means of their normals and light, the layers of one of them, and in the
// fourth word the mean of the normals' y, as float32. As the mean of unit vectors
// is shorter where they differ, it is as bright as the samples are together.
type texel [4]uint32

const texelBytes = 16

// lightRoots maps 8-bit sRGB to the square root of linear light in 1023rds.
var lightRoots = func() (t [256]uint32) {
	for i := range t {
		t[i] = uint32(math.Round(1023 * math.Sqrt(linear(float64(i)/255))))
	}
	return t
}()

// linear decodes sRGB, 0–1.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// packer turns samples into texels. The zero value is ready; its memory is kept.
type packer struct {
	heights []float32
	splats  []terrain.Splat
	light   []terrain.RGB
	flags   []uint8
	texels  [pageLevels][]texel
	means   [2][]mean
}

// mean is the part of a texel that coarser levels average.
type mean struct{ normal, light [3]float32 }

// pageLevels is the number of levels of a page: 64 samples, the greatest height of
// what is packed at once, make one texel of the last.
const pageLevels = 7

// coarsestOf is the coarsest level of a page of a size in samples.
func coarsestOf(size image.Point) int32 {
	return int32(min(pageLevels, bits.Len(uint(max(size.X, size.Y)))) - 1)
}

// pack fills texels[0] from the samples in r, which lie within the field, row by
// row.
func (p *packer) pack(f *terrain.Field, r image.Rectangle) {
	w, n := r.Dx(), r.Dy()
	p.heights = grow(p.heights, (w+2)*(n+2))
	p.splats = grow(p.splats, w*n)
	p.light = grow(p.light, w*n)
	p.flags = grow(p.flags, w*n)
	p.texels[0] = grow(p.texels[0], w*n)
	p.means[0] = grow(p.means[0], w*n)
	around := r.Inset(-1).Intersect(f.Bounds())
	stride := around.Dx()
	f.CopyHeights(p.heights, stride, around)
	f.CopySplats(p.splats, w, r)
	f.CopyLight(p.light, w, r)
	f.CopyFlags(p.flags, w, r)
	cols, rows := f.Size()
	spacing := float32(f.Spacing())
	for y := range n {
		row := r.Min.Y + y
		z0, z1 := max(row-1, 0), min(row+1, rows-1)
		north := p.heights[(z0-around.Min.Y)*stride:]
		here := p.heights[(row-around.Min.Y)*stride:]
		south := p.heights[(z1-around.Min.Y)*stride:]
		perZ := 1 / (float32(z1-z0) * spacing)
		for x := range w {
			col := r.Min.X + x
			x0, x1 := max(col-1, 0), min(col+1, cols-1)
			dx := (here[x1-around.Min.X] - here[x0-around.Min.X]) / (float32(x1-x0) * spacing)
			dz := (south[col-around.Min.X] - north[col-around.Min.X]) * perZ
			up := float32(1 / math.Sqrt(float64(dx*dx+dz*dz+1)))
			scale := 2047 * up
			i := y*w + x
			s, l := p.splats[i], p.light[i]
			t := &p.texels[0][i]
			t[0] = uint32(s.Base) | uint32(s.Over)<<8 | uint32(s.Third)<<16 | uint32(s.Alpha)<<24
			t[1] = lightRoots[l.R] | lightRoots[l.G]<<10 | lightRoots[l.B]<<20 | uint32(p.flags[i]&terrain.Hole)<<30
			t[2] = signed12(-dx*scale) | signed12(-dz*scale)<<12 | uint32(s.Alpha2)<<24
			t[3] = math.Float32bits(here[col-around.Min.X])
			p.means[0][i] = mean{[3]float32{-dx * up, up, -dz * up}, [3]float32{linearOf[l.R], linearOf[l.G], linearOf[l.B]}}
		}
	}
}

// coarsen fills texels[level] from the level below, whose texels stand in rows of w.
func (p *packer) coarsen(level, w, h, toW, toH int) {
	from, to := p.means[(level-1)&1], grow(p.means[level&1], toW*toH)
	p.means[level&1] = to
	below := p.texels[level-1]
	p.texels[level] = grow(p.texels[level], toW*toH)
	for y := range toH {
		for x := range toW {
			x0, y0 := 2*x, 2*y
			x1, y1 := min(x0+1, w-1), min(y0+1, h-1)
			four := [4]int{y0*w + x0, y0*w + x1, y1*w + x0, y1*w + x1}
			var m mean
			for _, i := range four {
				for c := range 3 {
					m.normal[c] += from[i].normal[c] / 4
					m.light[c] += from[i].light[c] / 4
				}
			}
			to[y*toW+x] = m
			// The layers of the texel nearest to the middle of what was averaged, in turn
			// from one corner and the other; weights are averaged where the layers agree.
			s := below[four[3*(level&1)]]
			var alpha, alpha2, n uint32
			for _, i := range four {
				if (below[i][0]^s[0])&0xffffff == 0 {
					alpha, alpha2, n = alpha+below[i][0]>>24, alpha2+below[i][2]>>24, n+1
				}
			}
			root := func(v float32) uint32 { return uint32(1023*float32(math.Sqrt(float64(v))) + 0.5) }
			p.texels[level][y*toW+x] = texel{
				s[0]&0xffffff | (alpha+n/2)/n<<24,
				root(m.light[0]) | root(m.light[1])<<10 | root(m.light[2])<<20,
				signed12(2047*m.normal[0]) | signed12(2047*m.normal[2])<<12 | (alpha2+n/2)/n<<24,
				math.Float32bits(m.normal[1]),
			}
		}
	}
}

// signed12 rounds to a signed 12-bit number; the heights' limits keep v in range.
func signed12(v float32) uint32 {
	if v < 0 {
		v -= 0.5
	} else {
		v += 0.5
	}
	return uint32(int32(v)) & 0xfff
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// layerSet is a set of layer ids.
type layerSet [4]uint64

func (s *layerSet) add(id uint8) { s[id>>6] |= 1 << (id & 63) }

func (s *layerSet) union(o *layerSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// layersOf gives the layers that samples show.
func layersOf(splats []terrain.Splat) (set layerSet) {
	var last terrain.Splat
	for i, s := range splats {
		if i > 0 && s == last {
			continue
		}
		last = s
		if s.Alpha2 < 255 {
			if s.Alpha < 255 {
				set.add(s.Base)
			}
			if s.Alpha > 0 {
				set.add(s.Over)
			}
		}
		if s.Alpha2 > 0 {
			set.add(s.Third)
		}
	}
	return set
}
