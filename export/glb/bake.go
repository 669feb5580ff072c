package glb

import (
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/terrain"
	"ridgeline/terrain/shade"
)

// baker paints the layers of ground chunks, blended, into one texture each.
//
// A chunk's square takes the middle of its texture, all but a border of a sixteenth,
// in which its neighbours' ground goes on. So texels of neighbours coincide beyond the
// chunk's edge, also in mipmaps as long as the border has a texel of theirs, down to a
// sixteenth of the size: filtering shows no seam.
type baker struct {
	ground *ground
	size   int // pixels along an edge
	layers []bakedLayer
}

// bakedLayer is a layer's texture in linear light, at one size: about a texel a pixel.
type bakedLayer struct {
	once   sync.Once
	width  int
	height int
	pixels []mgl32.Vec3
}

// bakeBorder is the part of a baked texture that its border takes on each side.
const bakeBorder = 16

// inner is the number of pixels that a chunk's edge takes.
func inner(size int) int { return size - 2*size/bakeBorder }

func newBaker(g *ground) *baker {
	return &baker{ground: g, size: g.bake, layers: make([]bakedLayer, len(g.layers))}
}

// bakedAt is the texture coordinate of a sample, so many samples from the chunk's first.
func (g *ground) bakedAt(sample int) float64 {
	border := g.bake / bakeBorder
	return (float64(border) + float64(sample)/float64(g.edge)*float64(inner(g.bake))) / float64(g.bake)
}

// layer makes a layer's texture as small as pixels of the baked one ask for.
func (b *baker) layer(i uint8) *bakedLayer {
	l := &b.layers[i]
	l.once.Do(func() {
		of := &b.ground.layers[i]
		size := of.texture.Bounds().Size()
		l.width, l.height = size.X, size.Y
		l.pixels = make([]mgl32.Vec3, size.X*size.Y)
		for y := range size.Y {
			for x := range size.X {
				p := of.texture.NRGBAAt(of.texture.Rect.Min.X+x, of.texture.Rect.Min.Y+y)
				l.pixels[y*size.X+x] = mgl32.Vec3{
					shade.Linear(p.R) * float32(of.tint[0]), shade.Linear(p.G) * float32(of.tint[1]), shade.Linear(p.B) * float32(of.tint[2]),
				}
			}
		}
		pixel := float64(b.ground.edge) * b.ground.field.Spacing() / float64(inner(b.size))
		for pixel > 1.5*of.scale/float64(l.width) && l.width > 1 && l.height > 1 {
			l.halve()
		}
	})
	return l
}

// halve takes the mean of 2×2 texels; the last of an odd number is left out.
func (l *bakedLayer) halve() {
	w, h := l.width/2, l.height/2
	half := make([]mgl32.Vec3, w*h)
	for y := range h {
		for x := range w {
			i := 2*y*l.width + 2*x
			half[y*w+x] = l.pixels[i].Add(l.pixels[i+1]).Add(l.pixels[i+l.width]).Add(l.pixels[i+l.width+1]).Mul(0.25)
		}
	}
	l.width, l.height, l.pixels = w, h, half
}

// at reads the texture, repeated, between its texels.
func (l *bakedLayer) at(u, v float64) mgl32.Vec3 {
	x, y := u*float64(l.width)-0.5, v*float64(l.height)-0.5
	fx, fy := math.Floor(x), math.Floor(y)
	s, t := float32(x-fx), float32(y-fy)
	wrap := func(i, n int) int { return ((i % n) + n) % n }
	x0, y0 := wrap(int(fx), l.width), wrap(int(fy), l.height)
	x1, y1 := wrap(x0+1, l.width), wrap(y0+1, l.height)
	top := l.pixels[y0*l.width+x0].Mul(1 - s).Add(l.pixels[y0*l.width+x1].Mul(s))
	low := l.pixels[y1*l.width+x0].Mul(1 - s).Add(l.pixels[y1*l.width+x1].Mul(s))
	return top.Mul(1 - t).Add(low.Mul(t))
}

// paint makes the texture of a chunk.
func (b *baker) paint(cx, cy int) *image.NRGBA {
	n, border := inner(b.size), b.size/bakeBorder
	m := image.NewNRGBA(image.Rect(0, 0, b.size, b.size))
	// Places come from a number that counts pixels over the whole field, so that
	// neighbours paint the same.
	step := float64(b.ground.edge) / float64(n)
	for y := range b.size {
		z := (float64(cy*n+y-border) + 0.5) * step
		for x := range b.size {
			c := b.color((float64(cx*n+x-border)+0.5)*step, z)
			m.SetNRGBA(x, y, color.NRGBA{shade.SRGB(c[0]), shade.SRGB(c[1]), shade.SRGB(c[2]), 255})
		}
	}
	return m
}

// color is the blend of layers at a place in cells from sample (0, 0), linear, without
// the baked light. Beyond the rim it is that of the rim.
func (b *baker) color(x, z float64) (sum mgl32.Vec3) {
	f := b.ground.field
	cols, rows := f.Size()
	x, z = min(max(x, 0), float64(cols-1)), min(max(z, 0), float64(rows-1))
	c, r := min(int(x), cols-2), min(int(z), rows-2)
	u, v := x-float64(c), z-float64(r)
	corners := [3]struct {
		at     terrain.Splat
		weight float64
	}{{f.SplatAt(c, r), 1 - u - v}, {f.SplatAt(c+1, r), u}, {f.SplatAt(c, r+1), v}}
	if u+v > 1 {
		corners[0].at, corners[0].weight = f.SplatAt(c+1, r+1), u+v-1
		corners[1].weight, corners[2].weight = 1-v, 1-u
	}
	var layers [9]uint8
	var weights [9]float64
	count := 0
	for _, k := range corners {
		for _, l := range [3]uint8{k.at.Base, k.at.Over, k.at.Third} {
			found := false
			for _, have := range layers[:count] {
				found = found || have == l
			}
			if !found {
				layers[count] = l
				count++
			}
		}
	}
	for i := range count {
		for _, k := range corners {
			weights[i] += k.weight * k.at.Weight(layers[i])
		}
		if weights[i] > 0 {
			scale := b.ground.layers[layers[i]].scale / f.Spacing()
			sum = sum.Add(b.layer(layers[i]).at(x/scale, z/scale).Mul(float32(weights[i])))
		}
	}
	return sum
}
