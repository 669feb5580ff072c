package scatter

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Index finds points by their place on the map. The zero value is empty and ready.
// It is not safe for concurrent use while points are added.
type Index struct {
	// Cell is the size of the index's squares in metres, best about the distance that
	// is asked for; 0 is 1. It must not change once points are in.
	Cell   float64
	places []mgl64.Vec2
	next   []int32 // another point in the same square, or −1
	first  map[[2]int64]int32
}

// Add puts points in.
func (x *Index) Add(points ...Point) {
	if x.first == nil {
		x.first = make(map[[2]int64]int32, len(points))
	}
	for _, p := range points {
		place := mgl64.Vec2{p.Position[0], p.Position[2]}
		k := [2]int64{x.square(place[0]), x.square(place[1])}
		head, ok := x.first[k]
		if !ok {
			head = -1
		}
		x.first[k] = int32(len(x.places))
		x.places = append(x.places, place)
		x.next = append(x.next, head)
	}
}

// Len is the number of points.
func (x *Index) Len() int { return len(x.places) }

func (x *Index) cell() float64 {
	if x.Cell > 0 {
		return x.Cell
	}
	return 1
}

func (x *Index) square(v float64) int64 { return int64(math.Floor(v / x.cell())) }

// Any tells whether a point lies nearer than r metres to world x, z.
func (x *Index) Any(px, pz, r float64) bool {
	if len(x.places) == 0 {
		return false
	}
	across := 2*r/x.cell() + 2
	if across*across > float64(len(x.places)) {
		for _, p := range x.places {
			if near(p[0]-px, p[1]-pz, r) {
				return true
			}
		}
		return false
	}
	for j := x.square(pz - r); j <= x.square(pz+r); j++ {
		for i := x.square(px - r); i <= x.square(px+r); i++ {
			n, ok := x.first[[2]int64{i, j}]
			for ; ok && n >= 0; n = x.next[n] {
				if near(x.places[n][0]-px, x.places[n][1]-pz, r) {
					return true
				}
			}
		}
	}
	return false
}
