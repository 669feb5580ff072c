package sample

import (
	"math"

	"ridgeline/terrain"
)

// The layers of a new level.
const (
	grass = iota
	rock
	dirt
	snow
)

// paint lays textures by height and slope. At every sample the base is grass and
// over it lies rock; the third layer is dirt below the snow line and snow above it,
// and has no weight where one follows the other.
func paint(f *terrain.Field) *terrain.Field {
	d := f.Draft()
	tc, tr := f.TileGrid()
	planes := make([]*terrain.Splats, tc*tr)
	for i := range planes {
		planes[i] = d.Splats(i%tc, i/tc)
	}
	parallel(len(planes), func(i int) {
		r := f.TileRect(i%tc, i/tc)
		for row := range r.Dy() {
			for col := range r.Dx() {
				planes[i][row*terrain.TileSize+col] = splat(f, r.Min.X+col, r.Min.Y+row)
			}
		}
	})
	out, _ := d.Field()
	return out
}

// Heights in metres and slopes in degrees at which the paint changes.
const (
	snowLine = 2450
	treeLine = 2000
)

func splat(f *terrain.Field, col, row int) terrain.Splat {
	height := float64(f.Sample(col, row))
	slope := math.Acos(f.Normal(col, row)[1]) * 180 / math.Pi
	broad, fine := fractal(col, row, 48, 1), fractal(col, row, 9, 2)

	height += 170*broad + 60*fine
	slope += 5*fine + 3*broad

	// Rock shows on steep ground, and towards the summits on gentler slopes too.
	bare := smooth(treeLine, snowLine+150, height)
	stony := smooth(25-7*bare, 36-7*bare, slope)
	stony = max(stony, 0.7*bare)

	white := smooth(snowLine-60, snowLine+160, height) * (1 - smooth(36, 52, slope))
	if white > 0 {
		return terrain.Splat{Base: grass, Over: rock, Third: snow, Alpha: weight(stony), Alpha2: weight(white)}
	}
	// Soil and scree: below the cliffs, above the last meadows, and in patches.
	soil := smooth(treeLine-250, treeLine+150, height) * (1 - smooth(snowLine-260, snowLine-60, height)) * 0.6
	soil = max(soil, 0.7*smooth(17, 25, slope)*(1-smooth(27, 34, slope))*smooth(-0.1, 0.5, broad+0.5*fine))
	soil = max(soil, 0.45*smooth(0.25, 0.6, fine-0.3*broad))
	soil *= 1 - smooth(snowLine-160, snowLine-60, height)
	return terrain.Splat{Base: grass, Over: rock, Third: dirt, Alpha: weight(stony), Alpha2: weight(soil * (1 - 0.8*stony))}
}

func weight(v float64) uint8 { return uint8(math.Round(255 * min(max(v, 0), 1))) }

// smooth rises from 0 at a to 1 at b.
func smooth(a, b, v float64) float64 {
	t := min(max((v-a)/(b-a), 0), 1)
	return t * t * (3 - 2*t)
}

// fractal is value noise of three octaves, about −1–1, whose largest features
// measure size samples.
func fractal(col, row int, size float64, seed uint32) float64 {
	var sum float64
	for o := range uint32(3) {
		sum += value(float64(col)/size, float64(row)/size, seed*7+o) / float64(int(1)<<o)
		size /= 2
	}
	return sum / 1.3
}

func value(x, y float64, seed uint32) float64 {
	i, j := math.Floor(x), math.Floor(y)
	u, v := smooth(0, 1, x-i), smooth(0, 1, y-j)
	at := func(dx, dy float64) float64 {
		h := uint32(int32(i+dx))*0x85ebca6b ^ uint32(int32(j+dy))*0xc2b2ae35 ^ seed*0x9e3779b9
		h = (h ^ h>>16) * 0x7feb352d
		h = (h ^ h>>15) * 0x846ca68b
		return float64(h^h>>16)/(1<<31) - 1
	}
	a, b, c, d := at(0, 0), at(1, 0), at(0, 1), at(1, 1)
	return a + (b-a)*u + (c-a)*v + (a-b-c+d)*u*v
}
