package ground

import (
	"image"
	"runtime"
	"sync"
)

// rgb is a colour in sRGB, 0–1.
type rgb [3]float32

// hex is a colour written 0xrrggbb.
func hex(v uint32) rgb {
	return rgb{float32(v>>16) / 255, float32(v>>8&255) / 255, float32(v&255) / 255}
}

func (c rgb) mix(o rgb, t float32) rgb {
	for i := range c {
		c[i] += (o[i] - c[i]) * t
	}
	return c
}

func (c rgb) scale(s float32) rgb { return rgb{c[0] * s, c[1] * s, c[2] * s} }

// canvas is a texture in the making: for each pixel a colour and a height, the
// latter in units of the texture's edge.
type canvas struct {
	n      int
	seed   noise
	colour []rgb
	height []float32
}

func newCanvas(n int, seed uint32) *canvas {
	return &canvas{n: n, seed: noise(seed * 7919), colour: make([]rgb, n*n), height: make([]float32, n*n)}
}

// rows calls do for each row on all processors.
func rows(n int, do func(y int)) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		wg.Go(func() {
			for y := w; y < n; y += workers {
				do(y)
			}
		})
	}
	wg.Wait()
}

// paint sets every pixel from its place (u, v), 0–1.
func (c *canvas) paint(at func(u, v float32) (rgb, float32)) {
	rows(c.n, func(y int) {
		v := (float32(y) + 0.5) / float32(c.n)
		for x := range c.n {
			i := y*c.n + x
			c.colour[i], c.height[i] = at((float32(x)+0.5)/float32(c.n), v)
		}
	})
}

// stamp draws a small thing around (u, v), reaching ru and rv to each side. at tells
// for a place relative to the middle how much of the pixel is covered, 0–1, its
// colour, and its height.
func (c *canvas) stamp(u, v, ru, rv float32, at func(x, y float32) (cover float32, col rgb, h float32)) {
	n := float32(c.n)
	x0, x1 := int(floor((u-ru)*n)), int(floor((u+ru)*n))
	y0, y1 := int(floor((v-rv)*n)), int(floor((v+rv)*n))
	for y := y0; y <= y1; y++ {
		row := int(wrap(int32(y), int32(c.n))) * c.n
		for x := x0; x <= x1; x++ {
			cover, col, h := at((float32(x)+0.5)/n-u, (float32(y)+0.5)/n-v)
			if cover <= 0 {
				continue
			}
			i := row + int(wrap(int32(x), int32(c.n)))
			c.colour[i] = c.colour[i].mix(col, cover)
			c.height[i] += (h - c.height[i]) * cover
		}
	}
}

// light shades the colours by the slopes of the heights, with a light from the
// upper left; level ground keeps its colour. Heights are first multiplied by
// relief.
func (c *canvas) light(relief, strength float32) {
	const lx, ly, lz = -0.45, -0.55, 0.7
	n := c.n
	k := relief * float32(n) / 2
	rows(n, func(y int) {
		up, down := (y+n-1)%n*n, (y+1)%n*n
		for x := range n {
			left, right := y*n+(x+n-1)%n, y*n+(x+1)%n
			dx := (c.height[right] - c.height[left]) * k
			dy := (c.height[down+x] - c.height[up+x]) * k
			lit := (lz - lx*dx - ly*dy) / (lz * sqrt(1+dx*dx+dy*dy))
			i := y*n + x
			c.colour[i] = c.colour[i].scale(1 + strength*(clamp(lit, 0, 1.7)-1))
		}
	})
}

// cavity darkens what lies below its surroundings within radius, and lightens
// what stands above them, by depth × strength.
func (c *canvas) cavity(radius, strength float32) {
	low := append([]float32(nil), c.height...)
	blur(low, c.n, max(1, int(radius*float32(c.n))), 2)
	for i, h := range c.height {
		c.colour[i] = c.colour[i].scale(1 + clamp((h-low[i])*strength, -0.65, 0.3))
	}
}

// even takes the large patches out of the brightness: what a blur of a sixth of
// the texture leaves is brought to the mean.
func (c *canvas) even(amount float32) {
	low := make([]float32, len(c.colour))
	var mean float32
	for y := range c.n {
		var row float32
		for x := range c.n {
			p := c.colour[y*c.n+x]
			l := 0.3*p[0] + 0.59*p[1] + 0.11*p[2]
			low[y*c.n+x] = l
			row += l
		}
		mean += row / float32(c.n*c.n)
	}
	blur(low, c.n, max(1, c.n/12), 2)
	for i := range c.colour {
		c.colour[i] = c.colour[i].scale(1 + amount*(mean/max(low[i], 0.02)-1))
	}
}

// blur is a box blur of 2·radius+1 pixels, passes times, in both directions.
func blur(v []float32, n, radius, passes int) {
	radius = min(radius, (n-1)/2)
	inv := 1 / float32(2*radius+1)
	line := make([]float32, n+2*radius) // with what wraps around at both ends
	run := func(start, stride int) {
		for i := range n {
			line[radius+i] = v[start+i*stride]
		}
		copy(line, line[n:n+radius])
		copy(line[n+radius:], line[radius:2*radius])
		var sum float64
		for _, w := range line[:2*radius] {
			sum += float64(w)
		}
		for i := range n {
			sum += float64(line[i+2*radius])
			v[start+i*stride] = float32(sum) * inv
			sum -= float64(line[i])
		}
	}
	for range passes {
		for y := range n {
			run(y*n, 1)
		}
		for x := range n {
			run(x, n)
		}
	}
}

// picture rounds the canvas to 8 bits.
func (c *canvas) picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, c.n, c.n))
	rows(c.n, func(y int) {
		for x := range c.n {
			p := m.Pix[m.PixOffset(x, y):][:4]
			for k, v := range c.colour[y*c.n+x] {
				p[k] = uint8(clamp(v, 0, 1)*255 + 0.5)
			}
			p[3] = 255
		}
	})
	return m
}

// gloss adds the glints of a wet surface, seen from above under a pale sky.
func (c *canvas) gloss(relief, strength float32) {
	// Halfway between the light and straight up, normalised.
	const hx, hy, hz = -0.2438, -0.2981, 0.9229
	n := c.n
	k := relief * float32(n) / 2
	rows(n, func(y int) {
		up, down := (y+n-1)%n*n, (y+1)%n*n
		for x := range n {
			dx := (c.height[y*n+(x+1)%n] - c.height[y*n+(x+n-1)%n]) * k
			dy := (c.height[down+x] - c.height[up+x]) * k
			s := max(0, (hz-hx*dx-hy*dy)/sqrt(1+dx*dx+dy*dy))
			s *= s
			s *= s
			s *= s
			s *= s * s * s // 24th power
			i := y*n + x
			c.colour[i] = c.colour[i].mix(rgb{0.72, 0.76, 0.8}, clamp(s*strength, 0, 1))
		}
	})
}
