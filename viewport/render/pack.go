package render

import (
	"image"
	"math"

	"ridgeline/terrain"
)

// texel is a sample as a page holds it:
//
//	0  base, over, third, α: eight bits each
//	1  square roots of the linear baked light: red, green, blue, ten bits each;
//	   bit 30: hole
//	2  x and z of the unit normal, signed 12 bits each, in 2047ths; α2: eight bits
//	3  height, float32
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
	texels  []texel
}

// pack gives the texels of the samples in r, which lie within the field, row by
// row. They are valid until the next call.
func (p *packer) pack(f *terrain.Field, r image.Rectangle) []texel {
	w, n := r.Dx(), r.Dy()
	p.heights = grow(p.heights, (w+2)*(n+2))
	p.splats = grow(p.splats, w*n)
	p.light = grow(p.light, w*n)
	p.flags = grow(p.flags, w*n)
	p.texels = grow(p.texels, w*n)
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
		up := p.heights[(z0-around.Min.Y)*stride:]
		here := p.heights[(row-around.Min.Y)*stride:]
		down := p.heights[(z1-around.Min.Y)*stride:]
		perZ := 1 / (float32(z1-z0) * spacing)
		for x := range w {
			col := r.Min.X + x
			x0, x1 := max(col-1, 0), min(col+1, cols-1)
			dx := (here[x1-around.Min.X] - here[x0-around.Min.X]) / (float32(x1-x0) * spacing)
			dz := (down[col-around.Min.X] - up[col-around.Min.X]) * perZ
			scale := float32(2047 / math.Sqrt(float64(dx*dx+dz*dz+1)))
			i := y*w + x
			s, l := p.splats[i], p.light[i]
			t := &p.texels[i]
			t[0] = uint32(s.Base) | uint32(s.Over)<<8 | uint32(s.Third)<<16 | uint32(s.Alpha)<<24
			t[1] = lightRoots[l.R] | lightRoots[l.G]<<10 | lightRoots[l.B]<<20 | uint32(p.flags[i]&terrain.Hole)<<30
			t[2] = signed12(-dx*scale) | signed12(-dz*scale)<<12 | uint32(s.Alpha2)<<24
			t[3] = math.Float32bits(here[col-around.Min.X])
		}
	}
	return p.texels
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
