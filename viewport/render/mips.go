package render

import (
	"image"
	"math"
)

// alphaUse is what a picture's alpha is for.
type alphaUse struct {
	kind alphaKind
	// cutoff, 0–1, is where a picture of the kind alphaCut has its holes.
	cutoff float32
}

type alphaKind uint8

const (
	alphaNone alphaKind = iota // it is ignored
	alphaCut
	alphaBlend
)

// level is a picture of a mip chain: sRGB, straight alpha, rows without gaps.
type level struct {
	w, h int
	pix  []byte
}

// mipChain gives a picture and its halves down to one pixel, or to the given number of
// levels if that is above 0. A picture wider or higher than limit begins with the first
// half that is not.
//
// Colours are averaged in linear light, weighted by alpha, so that what cannot be seen
// gives no colour to what can; pixels that are wholly transparent take the colour of
// the level above them, as filters mix them with their neighbours. Each level of an
// alpha mask has holes over the same share of its area as the first, when it is read
// between its pixels: its alpha is multiplied to that end (Castaño, "Computing Alpha
// Mipmaps", 2010).
func mipChain(m *image.NRGBA, use alphaUse, limit, most int) []level {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	from := premultiply(m, use.kind == alphaNone)
	for max(w, h) > limit {
		from, w, h = half(from, w, h)
	}
	var chain []level
	cover := float32(-1)
	for {
		l := level{w: w, h: h}
		if w == m.Rect.Dx() && h == m.Rect.Dy() {
			l.pix = bytesOf(m, use.kind == alphaNone)
		} else {
			l.pix = encodeLevel(from)
		}
		if use.kind == alphaCut {
			if cover < 0 {
				cover = coverageOf(&l).share(use.cutoff * alphaSteps)
			} else {
				scaleAlpha(&l, use.cutoff, cover)
			}
		}
		chain = append(chain, l)
		if w == 1 && h == 1 || len(chain) == most {
			break
		}
		from, w, h = half(from, w, h)
	}
	if use.kind != alphaNone {
		for k := len(chain) - 2; k >= 0; k-- {
			borrow(&chain[k], &chain[k+1])
		}
	}
	return chain
}

// light4 is a pixel in linear light: red, green and blue times alpha, and alpha.
type light4 [4]float32

// premultiply decodes a picture.
func premultiply(m *image.NRGBA, opaque bool) []light4 {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := make([]light4, w*h)
	for y := range h {
		src := m.Pix[m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y):][:4*w]
		row := out[y*w:][:w]
		for x := range row {
			p := src[4*x:][:4]
			a := float32(1)
			if !opaque {
				a = float32(p[3]) * (1.0 / 255)
			}
			row[x] = light4{linearOf[p[0]] * a, linearOf[p[1]] * a, linearOf[p[2]] * a, a}
		}
	}
	return out
}

// bytesOf copies a picture's pixels, its rows without gaps.
func bytesOf(m *image.NRGBA, opaque bool) []byte {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := make([]byte, 4*w*h)
	for y := range h {
		copy(out[4*y*w:][:4*w], m.Pix[m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y):])
	}
	if opaque {
		for i := 3; i < len(out); i += 4 {
			out[i] = 255
		}
	}
	return out
}

// tap says which pixels, up to three, one of the smaller picture is the mean of.
type tap struct {
	first, n int
	weight   [3]float32
}

// taps cuts a row of n pixels into m equal parts, n/2 ≤ m ≤ n.
func taps(n, m int) []tap {
	out := make([]tap, m)
	for i := range out {
		lo, hi := float64(i*n)/float64(m), float64((i+1)*n)/float64(m)
		t := tap{first: int(lo)}
		for k := t.first; float64(k) < hi-1e-9 && t.n < 3; k++ {
			t.weight[t.n] = float32((min(hi, float64(k+1)) - max(lo, float64(k))) / (hi - lo))
			t.n++
		}
		out[i] = t
	}
	return out
}

// half gives a picture of half the width and height, rounded down but not to nothing.
func half(from []light4, w, h int) ([]light4, int, int) {
	dw, dh := max(w/2, 1), max(h/2, 1)
	out := make([]light4, dw*dh)
	if w == 2*dw && h == 2*dh {
		for y := range dh {
			a, b := from[2*y*w:][:w], from[(2*y+1)*w:][:w]
			row := out[y*dw:][:dw]
			for x := range row {
				p, q, r, s := &a[2*x], &a[2*x+1], &b[2*x], &b[2*x+1]
				row[x] = light4{
					(p[0] + q[0] + r[0] + s[0]) / 4, (p[1] + q[1] + r[1] + s[1]) / 4,
					(p[2] + q[2] + r[2] + s[2]) / 4, (p[3] + q[3] + r[3] + s[3]) / 4,
				}
			}
		}
		return out, dw, dh
	}
	across, down := taps(w, dw), taps(h, dh)
	for y, ty := range down {
		row := out[y*dw:][:dw]
		for k := range ty.n {
			src := from[(ty.first+k)*w:][:w]
			for x, tx := range across {
				o := &row[x]
				for i := range tx.n {
					g := ty.weight[k] * tx.weight[i]
					for c, v := range src[tx.first+i] {
						o[c] += v * g
					}
				}
			}
		}
	}
	return out, dw, dh
}

// encodeLevel gives 8-bit sRGB with straight alpha.
func encodeLevel(from []light4) []byte {
	out := make([]byte, 4*len(from))
	for i := range from {
		p, o := &from[i], out[4*i:][:4]
		inv := float32(1)
		if p[3] != 1 {
			if p[3] <= 0 {
				continue
			}
			inv = 1 / p[3]
		}
		o[0], o[1], o[2] = encode(min(p[0]*inv, 1)), encode(min(p[1]*inv, 1)), encode(min(p[2]*inv, 1))
		o[3] = uint8(min(p[3]*255+0.5, 255))
	}
	return out
}

// coverage counts the alphas that a level has when it is read between its pixels, at four
// places in each.
type coverage struct {
	count [alphaSteps + 1]int
	total int
}

// alphaSteps is the alpha of a pixel that is there.
const alphaSteps = 1024

func coverageOf(l *level) *coverage {
	s := &coverage{total: 4 * l.w * l.h}
	at := func(x, y int) int { return int(l.pix[4*(y*l.w+x)+3]) }
	for y := range l.h {
		above, below := (y+l.h-1)%l.h, (y+1)%l.h
		for x := range l.w {
			left, right := (x+l.w-1)%l.w, (x+1)%l.w
			me := 9 * at(x, y)
			for _, v := range [2]int{above, below} {
				for _, u := range [2]int{left, right} {
					// Sixteenths: nine of the pixel, three of each neighbour, one of the corner.
					sum := me + 3*at(x, v) + 3*at(u, y) + at(u, v)
					s.count[sum*alphaSteps/(16*255)]++
				}
			}
		}
	}
	return s
}

// share is that of the places with at least some alpha.
func (s *coverage) share(least float32) float32 {
	n := 0
	for a, c := range s.count {
		if float32(a) >= least {
			n += c
		}
	}
	return float32(n) / float32(s.total)
}

// scaleAlpha multiplies alpha so that a share of the places, as nearly as can be,
// reaches the cutoff.
func scaleAlpha(l *level, cutoff, want float32) {
	s := coverageOf(l)
	best, least := float32(math.Inf(1)), alphaSteps
	n := 0
	for a := alphaSteps; a > 0; a-- {
		n += s.count[a]
		d := float32(n)/float32(s.total) - want
		if d < 0 {
			d = -d
		}
		if d < best {
			best, least = d, a
		}
	}
	scale := cutoff * alphaSteps / (float32(least) - 0.5)
	for i := 3; i < len(l.pix); i += 4 {
		l.pix[i] = uint8(min(float32(l.pix[i])*scale+0.5, 255))
	}
}

// borrow gives the transparent pixels of a level the colours of the coarser one.
func borrow(l, coarser *level) {
	for y := range l.h {
		cy := min(y*coarser.h/l.h, coarser.h-1)
		for x := range l.w {
			p := l.pix[4*(y*l.w+x):][:4]
			if p[3] == 0 {
				copy(p[:3], coarser.pix[4*(cy*coarser.w+min(x*coarser.w/l.w, coarser.w-1)):])
			}
		}
	}
}
