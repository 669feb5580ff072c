package heightmap

import "math"

// The WGS 84 ellipsoid: half the long axis in metres, and the square of the
// first eccentricity.
const (
	wgs84A  = 6378137.0
	wgs84F  = 1 / 298.257223563
	wgs84E2 = wgs84F * (2 - wgs84F)
)

// meridianArc is the distance in metres along a meridian from latitude a to
// latitude b, in degrees: the integral of the meridian's radius of curvature.
// Eight Gauss points per ten degrees give it to well under a micrometre.
func meridianArc(a, b float64) float64 {
	nodes := [4]float64{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363}
	weights := [4]float64{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763}
	parts := max(1, int(math.Ceil(math.Abs(b-a)/10)))
	half := (b - a) / float64(2*parts)
	sum := 0.0
	for p := range parts {
		mid := a + half*float64(2*p+1)
		for i, x := range nodes {
			sum += weights[i] * (meridianRadius(mid-half*x) + meridianRadius(mid+half*x))
		}
	}
	return sum * half * math.Pi / 180
}

func meridianRadius(lat float64) float64 {
	s := math.Sin(lat * math.Pi / 180)
	return wgs84A * (1 - wgs84E2) / math.Pow(1-wgs84E2*s*s, 1.5)
}

// parallelDegree is the length in metres of one degree of longitude at a
// latitude in degrees.
func parallelDegree(lat float64) float64 {
	sin, cos := math.Sincos(lat * math.Pi / 180)
	return math.Pi / 180 * wgs84A * cos / math.Sqrt(1-wgs84E2*sin*sin)
}

// setGeo stores where the file lies and derives the spacing in metres from it:
// north to south the mean over the file, west to east at its middle latitude.
func (i *Info) setGeo(g Geo) {
	i.Geo = &g
	i.SpacingX, i.SpacingZ = g.CellX, g.CellY
	if g.Units == Degrees {
		south := g.Y
		north := south + g.CellY*float64(i.Rows-1)
		i.SpacingZ = meridianArc(south, north) / float64(i.Rows-1)
		i.SpacingX = g.CellX * parallelDegree((south+north)/2)
	}
	if math.Abs(i.SpacingX-i.SpacingZ) > 1e-3*i.SpacingZ {
		i.note("cells are not square: %.4g m west to east by %.4g m north to south; a level takes the %.4g m for both",
			i.SpacingX, i.SpacingZ, i.SpacingZ)
	}
}
