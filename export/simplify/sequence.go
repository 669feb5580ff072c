package simplify

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Sequence is all collapses of a mesh in their order. It never changes, and any number
// of goroutines may use it.
type Sequence struct {
	indices []uint32 // of the mesh
	used    []bool   // by vertex
	to      []int32  // where each vertex goes
	gone    []int32  // the step at which it goes; never for those that stay
	death   []int32  // the step in which each triangle vanishes; −1 for one that never was
	steps   []step
	first   int // triangles before the first step
}

// step is what there is after a collapse.
type step struct {
	triangles int
	err       float64 // the greatest up to here
}

const never = math.MaxInt32

func newSequence(m *Mesh) *Sequence {
	n, tris := len(m.Positions), len(m.Indices)/3
	s := &Sequence{indices: m.Indices, used: make([]bool, n), to: make([]int32, n), gone: make([]int32, n), death: make([]int32, tris)}
	for i := range s.to {
		s.to[i], s.gone[i] = int32(i), never
	}
	for i := range s.death {
		s.death[i] = never
	}
	for _, v := range m.Indices {
		s.used[v] = true
	}
	return s
}

func (s *Sequence) add(triangles int, off float64) {
	if n := len(s.steps); n > 0 {
		off = max(off, s.steps[n-1].err)
	}
	s.steps = append(s.steps, step{triangles, off})
}

// finish counts the triangles there are at first.
func (s *Sequence) finish() {
	for _, d := range s.death {
		if d >= 0 {
			s.first++
		}
	}
}

// Target says how simple a level is to be. Of several limits the one that is reached
// first counts; without any, the level is as simple as can be.
type Target struct {
	Triangles int     // no more than so many, if it can be; 0 for no limit
	Error     float64 // no more than so much, in the mesh's unit; 0 for no limit
}

// Result is a level.
type Result struct {
	Indices   []uint32 // of the mesh's own vertices
	Triangles []int32  // which of the mesh's each was
	Error     float64  // an estimate of how far it is off, in the mesh's unit
	Steps     int      // the collapses that it has
}

// Len is the number of collapses.
func (s *Sequence) Len() int { return len(s.steps) }

// Steps is the number of collapses for a target.
func (s *Sequence) Steps(t Target) int {
	k := len(s.steps)
	if t.Triangles > 0 {
		k = 0
		if s.first > t.Triangles {
			k = min(1+sort.Search(len(s.steps), func(i int) bool { return s.steps[i].triangles <= t.Triangles }), len(s.steps))
		}
	}
	if t.Error > 0 {
		k = min(k, sort.Search(len(s.steps), func(i int) bool { return s.steps[i].err > t.Error }))
	}
	return k
}

// At cuts a level from the sequence. Triangles of the mesh that have no area, or two
// corners in one place, are in no level.
func (s *Sequence) At(t Target) Result { return s.After(s.Steps(t)) }

// After gives the level after so many collapses; fewer than none are none, and more than
// Len are Len.
func (s *Sequence) After(steps int) Result {
	steps = min(max(steps, 0), len(s.steps))
	r := Result{Steps: steps}
	if steps > 0 {
		r.Error = s.steps[steps-1].err
	}
	m := s.Map(steps)
	for t, d := range s.death {
		if int(d) < steps {
			continue
		}
		for _, v := range s.indices[3*t : 3*t+3] {
			r.Indices = append(r.Indices, m[v])
		}
		r.Triangles = append(r.Triangles, int32(t))
	}
	return r
}

// Map gives for each vertex of the mesh the one that it has gone to after so many
// collapses, itself if it is still there. A vertex is drawn between its place and that
// of the map while one level becomes the other.
func (s *Sequence) Map(steps int) []uint32 {
	m := make([]uint32, len(s.to))
	for v := range m {
		at := int32(v)
		for int(s.gone[at]) < steps {
			at = s.to[at]
		}
		m[v] = uint32(at)
	}
	return m
}

// Order lists the vertices that triangles have, the most important first: the level
// after Len − n collapses uses none but those that stay and the n points that go last.
func (s *Sequence) Order() []uint32 {
	var out []uint32
	for v, used := range s.used {
		if used {
			out = append(out, uint32(v))
		}
	}
	slices.SortStableFunc(out, func(a, b uint32) int { return cmp.Compare(s.gone[b], s.gone[a]) })
	return out
}
