package simplify

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// cells sorts triangles into a grid of cubes, to find the nearest one.
type cells struct {
	points []mgl32.Vec3
	index  []uint32
	side   float64
	lo     mgl64.Vec3
	n      [3]int
	lists  map[[3]int][]int32
}

func wide(p mgl32.Vec3) mgl64.Vec3 { return mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])} }

func cellsOf(points []mgl32.Vec3, index []uint32) *cells {
	inf := math.Inf(1)
	lo, hi := mgl64.Vec3{inf, inf, inf}, mgl64.Vec3{-inf, -inf, -inf}
	for _, v := range index {
		for a, x := range wide(points[v]) {
			lo[a], hi[a] = min(lo[a], x), max(hi[a], x)
		}
	}
	size := hi.Sub(lo)
	c := &cells{points: points, index: index, lo: lo, lists: map[[3]int][]int32{}}
	// About as many cells on the surface as triangles.
	c.side = max(size[0], size[1], size[2]) / max(1, math.Sqrt(float64(len(index)/3))/2)
	for a := range c.n {
		c.n[a] = int(size[a]/c.side) + 1
	}
	for t := 0; t < len(index); t += 3 {
		var from, to [3]int
		for a := range 3 {
			x, y, z := float64(points[index[t]][a]), float64(points[index[t+1]][a]), float64(points[index[t+2]][a])
			from[a], to[a] = c.at(a, min(x, y, z)), c.at(a, max(x, y, z))
		}
		for i := from[0]; i <= to[0]; i++ {
			for j := from[1]; j <= to[1]; j++ {
				for k := from[2]; k <= to[2]; k++ {
					at := [3]int{i, j, k}
					c.lists[at] = append(c.lists[at], int32(t))
				}
			}
		}
	}
	return c
}

func (c *cells) at(axis int, x float64) int { return int(math.Floor((x - c.lo[axis]) / c.side)) }

// distance is that of a point from the nearest triangle.
func (c *cells) distance(p mgl64.Vec3) float64 {
	best := math.Inf(1)
	m := [3]int{c.at(0, p[0]), c.at(1, p[1]), c.at(2, p[2])}
	for ring := 0; float64(ring-1)*c.side < best; ring++ {
		for i := -ring; i <= ring; i++ {
			for j := -ring; j <= ring; j++ {
				step := 2 * ring
				if i == -ring || i == ring || j == -ring || j == ring || ring == 0 {
					step = 1
				}
				for k := -ring; k <= ring; k += step {
					for _, t := range c.lists[[3]int{m[0] + i, m[1] + j, m[2] + k}] {
						x, y, z := wide(c.points[c.index[t]]), wide(c.points[c.index[t+1]]), wide(c.points[c.index[t+2]])
						best = min(best, distanceTo(&p, &x, &y, &z))
					}
				}
			}
		}
		if ring > c.n[0]+c.n[1]+c.n[2]+8 {
			break
		}
	}
	return best
}

// hausdorff is how far two surfaces of the same points are from each other, measured both
// ways from their corners, the middles of their edges and of their triangles: the greatest
// distance, and the root of the mean square of all.
func hausdorff(points []mgl32.Vec3, a, b []uint32) (worst, rms float64) {
	sum, n := 0.0, 0
	oneWay := func(from, to []uint32) {
		c := cellsOf(points, to)
		for t := 0; t < len(from); t += 3 {
			x, y, z := wide(points[from[t]]), wide(points[from[t+1]]), wide(points[from[t+2]])
			for _, p := range [...]mgl64.Vec3{x, y, z, x.Add(y).Mul(0.5), y.Add(z).Mul(0.5), z.Add(x).Mul(0.5), x.Add(y).Add(z).Mul(1. / 3)} {
				d := c.distance(p)
				worst, sum, n = max(worst, d), sum+d*d, n+1
			}
		}
	}
	oneWay(a, b)
	oneWay(b, a)
	return worst, math.Sqrt(sum / float64(n))
}

// The measure itself: a square beside another one, and a corner that sticks out.
func TestHausdorff(t *testing.T) {
	points := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0.25, 0}, {1, 0.25, 0}, {0, 0.25, 1}, {0, 3, 0}}
	for _, c := range []struct {
		a, b []uint32
		want float64
	}{
		{[]uint32{0, 2, 1}, []uint32{0, 2, 1}, 0}, {[]uint32{0, 2, 1}, []uint32{3, 5, 4}, 0.25}, {[]uint32{3, 5, 4}, []uint32{0, 2, 1}, 0.25},
		{[]uint32{0, 2, 1}, []uint32{6, 2, 1}, 3},
	} {
		if got, rms := hausdorff(points, c.a, c.b); math.Abs(got-c.want) > 1e-6 || rms > got {
			t.Errorf("%v and %v are %g apart, expected %g", c.a, c.b, got, c.want)
		}
	}
}

// Levels of a closed surface are not further off, both ways, than twice what they say.
func TestErrorOfClosedMeshes(t *testing.T) {
	for seed := range uint64(6) {
		m := ball(18, rand.New(rand.NewPCG(seed, 2)))
		for _, cost := range costs {
			s, err := Collapse(context.Background(), m, Options{Cost: cost})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []float64{0.5, 0.2, 0.05} {
				r := s.At(Target{Triangles: int(part * float64(len(m.Indices)/3))})
				worst, rms := hausdorff(m.Positions, m.Indices, r.Indices)
				t.Logf("seed %d, cost %d, to %g: worst %.4f, rms %.4f, said %.4f", seed, cost, part, worst, rms, r.Error)
				if !(r.Error >= worst/2) || worst == 0 {
					t.Errorf("seed %d, cost %d, to %g: worst %.4f, said %.4f", seed, cost, part, worst, r.Error)
				}
			}
		}
	}
}
