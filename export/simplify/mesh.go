package simplify

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Mesh is what is simplified. It is not changed.
type Mesh struct {
	Positions []mgl32.Vec3
	Indices   []uint32 // three of each triangle, counter-clockwise from outside
	Materials []uint16 // of each triangle; nil if all are one
	Locked    []bool   // vertices that stay; nil for none
}

// Cost says what a collapse costs.
type Cost uint8

// The costs.
const (
	Quadric Cost = iota
	Melax
)

// Options say how to simplify; the zero value is the default.
type Options struct {
	Cost       Cost
	LockBorder bool    // points on the mesh's borders stay
	Weld       float32 // points this close are one, besides those in the same place
	// Least ends it when there are no more triangles than this, which saves the time for
	// simpler levels that nobody wants.
	Least int
	// Progress is told the part done, 0–1. May be nil.
	Progress func(done float64)
}

// most bounds vertices and triangles: corners are counted in 32 bits.
const most = math.MaxInt32 / 3

// Validate tells what is wrong with a mesh.
func (m *Mesh) Validate() error {
	switch n := len(m.Indices); {
	case n%3 != 0:
		return fmt.Errorf("the mesh has %d indices, expected three a triangle", n)
	case n/3 > most || len(m.Positions) > most:
		return fmt.Errorf("the mesh has %d triangles and %d vertices, expected at most %d", n/3, len(m.Positions), most)
	case m.Materials != nil && len(m.Materials) != n/3:
		return fmt.Errorf("the mesh has %d materials for %d triangles, expected one each", len(m.Materials), n/3)
	case m.Locked != nil && len(m.Locked) != len(m.Positions):
		return fmt.Errorf("the mesh has %d locks for %d vertices, expected one each", len(m.Locked), len(m.Positions))
	}
	for i, v := range m.Indices {
		if int(v) >= len(m.Positions) {
			return fmt.Errorf("index %d is %d, expected less than %d, the number of vertices", i, v, len(m.Positions))
		}
	}
	for i, p := range m.Positions {
		for _, x := range p {
			if !(math.Abs(float64(x)) <= 1e18) {
				return fmt.Errorf("vertex %d is at %v, expected finite numbers up to 1e18", i, p)
			}
		}
	}
	return nil
}

// points gives the point of each vertex: its first vertex in the same place, or within
// weld of it.
func (m *Mesh) points(weld float32) []int32 {
	out := make([]int32, len(m.Positions))
	if weld > 0 {
		m.nearPoints(out, weld)
		return out
	}
	// Open addressing over the positions' bits.
	size := 1
	for size < 2*len(m.Positions) {
		size *= 2
	}
	table := make([]int32, size)
	for i := range table {
		table[i] = -1
	}
	for i, p := range m.Positions {
		h := uint64(math.Float32bits(p[0]+0))*0x9E3779B97F4A7C15 ^ uint64(math.Float32bits(p[1]+0))*0xC2B2AE3D27D4EB4F ^ uint64(math.Float32bits(p[2]+0))*0x165667B19E3779F9
		h ^= h >> 29
		h *= 0xBF58476D1CE4E5B9
		for k := int(h>>32) & (size - 1); ; k = (k + 1) & (size - 1) {
			if j := table[k]; j < 0 {
				table[k] = int32(i)
				out[i] = int32(i)
				break
			} else if m.Positions[j] == p {
				out[i] = j
				break
			}
		}
	}
	return out
}

// nearPoints joins each vertex with the first one within weld of it, by a grid.
func (m *Mesh) nearPoints(out []int32, weld float32) {
	type cell [3]int64
	grid := map[cell][]int32{}
	at := func(p mgl32.Vec3) (c cell) {
		for i := range p {
			c[i] = int64(math.Floor(float64(p[i]) / float64(weld)))
		}
		return c
	}
	for i, p := range m.Positions {
		c := at(p)
		found := int32(-1)
		for n := range 27 {
			d := cell{c[0] + int64(n%3) - 1, c[1] + int64(n/3%3) - 1, c[2] + int64(n/9) - 1}
			for _, j := range grid[d] {
				if m.Positions[j].Sub(p).Len() <= weld && (found < 0 || j < found) {
					found = j
				}
			}
		}
		if found < 0 {
			found = int32(i)
			grid[c] = append(grid[c], found)
		}
		out[i] = found
	}
}
