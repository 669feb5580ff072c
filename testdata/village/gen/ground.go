package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

// The ground: a window of the tile, each sample of which becomes two by two.
const (
	fromCol, fromRow = 20, 64
	window           = 193 // samples
	cols             = 2*(window-1) + 1
	spacing          = 1.5 // metres
	highest          = 90.0
)

// ground is the heights of the level's samples, and which of them are holes.
type ground struct {
	height [cols * cols]float64 // metres
	hole   [cols * cols]bool
}

// readGround cuts the window out of a 16-bit picture whose voids are 0, fills the
// voids from around them, and resamples it by Catmull and Rom's spline.
func readGround(path string) (*ground, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, err
	}
	pic, ok := m.(*image.Gray16)
	if !ok || pic.Rect.Dx() < fromCol+window || pic.Rect.Dy() < fromRow+window {
		return nil, fmt.Errorf("%s: not the picture that it should be", path)
	}
	w, h := pic.Rect.Dx(), pic.Rect.Dy()
	v := make([]float64, w*h)
	for i := range v {
		v[i] = float64(pic.Gray16At(i%w, i/w).Y) / 65535 * highest
	}
	for filled := true; filled; {
		filled = false
		next := append([]float64(nil), v...)
		for i := range v {
			if v[i] != 0 {
				continue
			}
			sum, n := 0.0, 0
			for _, d := range [...][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				if x, y := i%w+d[0], i/w+d[1]; x >= 0 && y >= 0 && x < w && y < h && v[y*w+x] != 0 {
					sum, n = sum+v[y*w+x], n+1
				}
			}
			if n > 0 {
				next[i], filled = sum/float64(n), true
			}
		}
		v = next
	}
	at := func(c, r int) float64 { return v[min(max(r, 0), h-1)*w+min(max(c, 0), w-1)] }
	spline := func(a, b, c, d float64) float64 { return (9*(b+c) - a - d) / 16 } // half-way between b and c
	row := func(c2, r int) float64 {
		if c := fromCol + c2/2; c2%2 == 0 {
			return at(c, r)
		} else {
			return spline(at(c-1, r), at(c, r), at(c+1, r), at(c+2, r))
		}
	}
	g := new(ground)
	for i := range g.height {
		c2, r := i%cols, fromRow+i/cols/2
		if i/cols%2 == 0 {
			g.height[i] = row(c2, r)
		} else {
			g.height[i] = spline(row(c2, r-1), row(c2, r), row(c2, r+1), row(c2, r+2))
		}
		g.height[i] = max(g.height[i], 0.1)
	}
	return g, nil
}

// at is the height of the nearest sample.
func (g *ground) at(x, z float64) float64 {
	return g.height[int(math.Round(z/spacing))*cols+int(math.Round(x/spacing))]
}

// dig makes the sample nearest to a place a hole.
func (g *ground) dig(x, z float64) {
	g.hole[int(math.Round(z/spacing))*cols+int(math.Round(x/spacing))] = true
}

// write writes the picture: value 0 is a hole.
func (g *ground) write(path string) error {
	m := image.NewGray16(image.Rect(0, 0, cols, cols))
	for i, h := range g.height {
		v := uint16(math.Round(min(h, highest) / highest * 65535))
		if v = max(v&^3, 4); g.hole[i] { // steps of 5 mm
			v = 0
		}
		m.SetGray16(i%cols, i/cols, color.Gray16{Y: v})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(f, m); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
