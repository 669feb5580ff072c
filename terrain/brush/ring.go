package brush

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// AppendRing appends the points of a circle of the given radius in metres around
// world x, z, lying on the terrain, as a closed line: segments+1 points, the last
// equal to the first. Holes are bridged, and points off the terrain have the
// height of the nearest point on it. Arguments that are not finite, or fewer than
// 3 segments, append nothing.
func AppendRing(dst []mgl64.Vec3, f *terrain.Field, x, z, radius float64, segments int) []mgl64.Vec3 {
	if sum := x + z + radius; segments < 3 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return dst
	}
	start := len(dst)
	for i := range segments {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(segments))
		px, pz := x+radius*c, z+radius*s
		dst = append(dst, mgl64.Vec3{px, surface(f, px, pz), pz})
	}
	return append(dst, dst[start])
}

// surface is the height at world x, z of the full-detail triangles, holes
// included, or of the nearest point of the terrain.
func surface(f *terrain.Field, x, z float64) float64 {
	gx, gz := toSamples(f, x, z)
	cols, rows := f.Size()
	gx, gz = min(max(gx, 0), float64(cols-1)), min(max(gz, 0), float64(rows-1))
	c, r := min(int(gx), cols-2), min(int(gz), rows-2)
	u, v := gx-float64(c), gz-float64(r)
	at := func(c, r int) float64 { return float64(f.Sample(c, r)) }
	b, d := at(c+1, r), at(c, r+1)
	if u+v <= 1 {
		a := at(c, r)
		return a + (b-a)*u + (d-a)*v
	}
	e := at(c+1, r+1)
	return e + (d-e)*(1-u) + (b-e)*(1-v)
}
