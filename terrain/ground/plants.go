package ground

import "math"

// blade is a bent, pointed stroke.
type blade struct {
	u, v, angle   float32
	length, width float32
	bend          float32 // how far the tip is off the straight line
	root, tip     rgb
	low, high     float32 // heights of root and tip
}

func (c *canvas) blade(b blade) {
	sin, cos := sincos(b.angle)
	half := b.length / 2
	pixel := 1 / float32(c.n)
	side := abs(b.bend) + b.width/2 + pixel
	c.stamp(b.u, b.v, abs(cos)*half+abs(sin)*side, abs(sin)*half+abs(cos)*side, func(x, y float32) (float32, rgb, float32) {
		s, d := x*cos+y*sin+half, y*cos-x*sin
		t := s / b.length
		if t < 0 || t > 1 {
			return 0, rgb{}, 0
		}
		w := b.width / 2 * (1 - t*t) * (0.55 + 1.2*t*(1-t))
		off := abs(d - b.bend*t*t)
		cover := clamp((w-off)/pixel+0.5, 0, 1)
		if cover == 0 {
			return 0, rgb{}, 0
		}
		// A fold along the middle: one half is darker.
		fold := float32(1)
		if d < b.bend*t*t {
			fold = 0.9
		}
		return cover, b.root.mix(b.tip, t).scale(fold), b.low + (b.high-b.low)*t - off*off/max(w, pixel)*0.2
	})
}

// leaf is a pointed oval with a midrib, curled up a little at its rim.
type leaf struct {
	u, v, angle   float32
	length, width float32
	curl          float32
	colour, rib   rgb
	base          float32
}

func (c *canvas) leaf(l leaf) {
	sin, cos := sincos(l.angle)
	half := l.length / 2
	pixel := 1 / float32(c.n)
	grain := c.seed + 5
	side := l.width*0.65 + pixel
	c.stamp(l.u, l.v, abs(cos)*half+abs(sin)*side, abs(sin)*half+abs(cos)*side, func(x, y float32) (float32, rgb, float32) {
		s, d := x*cos+y*sin, y*cos-x*sin
		t := s / half // −1 … 1
		if t <= -1 || t >= 1 {
			return 0, rgb{}, 0
		}
		d += 0.12 * l.width * (1 - t*t) // a slight bow
		w := l.width / 2 * (1 - t*t) * (1 - 0.25*t)
		cover := clamp((w-abs(d))/pixel+0.5, 0, 1)
		if cover == 0 {
			return 0, rgb{}, 0
		}
		across := clamp(abs(d)/max(w, pixel), 0, 1)
		col := l.colour.mix(l.rib, 0.6*clamp(1.2-abs(d)/pixel, 0, 1))
		// Side veins run forward from the midrib.
		vein := abs(float32(math.Mod(float64(abs(s+abs(d)*0.8+1)/(l.length*0.14)), 1)) - 0.5)
		col = col.scale(0.93 + 0.14*vein)
		col = col.scale(1 + 0.18*grain.gradient(l.u+x, l.v+y, 64))
		return cover, col, l.base + l.curl*(across*across+0.35*t*t) - 0.15*l.width*(1-across)*0.2
	})
}

// pebble is a rounded stone with a broken outline.
type pebble struct {
	u, v, radius float32
	flat, angle  float32 // flat is the lesser radius over the greater one
	colour       rgb
	rise         float32
}

func (c *canvas) pebble(p pebble) {
	sin, cos := sincos(p.angle)
	pixel := 1 / float32(c.n)
	rough := c.seed + 11
	// It lies on what is there, sunk in a little.
	x, y := int(wrap(floor(p.u*float32(c.n)), int32(c.n))), int(wrap(floor(p.v*float32(c.n)), int32(c.n)))
	base := 0.7 * c.height[y*c.n+x]
	reach := p.radius*1.2 + pixel
	c.stamp(p.u, p.v, reach, reach, func(x, y float32) (float32, rgb, float32) {
		s, d := x*cos+y*sin, (y*cos-x*sin)/p.flat
		r := sqrt(s*s+d*d) / p.radius
		if r > 1.2 {
			return 0, rgb{}, 0
		}
		r *= 1 + 0.16*rough.gradient(p.u+s/p.radius*0.13, p.v+d/p.radius*0.13, 8)
		cover := clamp((1-r)*p.radius*p.flat/pixel+0.5, 0, 1)
		if cover == 0 {
			return 0, rgb{}, 0
		}
		dome := sqrt(max(0, 1-r*r))
		col := p.colour.scale(1 + 0.16*rough.fractal(p.u+x, p.v+y, 48, 2, 0.6))
		return cover, col, base + p.rise*min(dome*1.1, 0.8+0.2*dome)
	})
}
