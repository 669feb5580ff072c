package lods

import (
	"context"

	"ridgeline/document/mesh"
	"ridgeline/export/simplify"
)

// Levels are all levels of detail of a model. They never change, and any number of
// goroutines may use them.
type Levels struct {
	model     *mesh.Model
	materials []uint16 // of each triangle
	sequence  *simplify.Sequence
}

// Level is one of them.
type Level struct {
	Indices [][]uint32 // by material, of the model's vertices; three of each triangle
	// Triangles is how many there are, and Error how far they are off, in metres.
	Triangles int
	Error     float64
}

// Of simplifies a model until it has no more than least triangles, or, with 0, as far as
// can be: simpler levels cannot be had then. progress, which may be nil, is told the part
// done, 0–1. The error is that of the context.
func Of(ctx context.Context, m *mesh.Model, least int, progress func(done float64)) (*Levels, error) {
	l := &Levels{model: m, materials: make([]uint16, len(m.Indices)/3)}
	for _, part := range m.Parts {
		for t := part.First / 3; t < (part.First+part.Count)/3; t++ {
			l.materials[t] = uint16(part.Material)
		}
	}
	var err error
	l.sequence, err = simplify.Collapse(ctx, simplify.Mesh{Positions: m.Positions, Indices: m.Indices, Materials: l.materials}, simplify.Options{Least: least, Progress: progress})
	return l, err
}

// Model is the one that they are of.
func (l *Levels) Model() *mesh.Model { return l.model }

// Share gives the level with at most such a part of the triangles, 0–1, or the simplest
// one if that has more.
func (l *Levels) Share(part float64) Level {
	return l.at(simplify.Target{Triangles: max(1, int(part*float64(len(l.materials))))})
}

// Within gives the simplest level that is off by no more than metres.
func (l *Levels) Within(metres float64) Level { return l.at(simplify.Target{Error: metres}) }

func (l *Levels) at(t simplify.Target) Level {
	r := l.sequence.At(t)
	out := Level{Indices: make([][]uint32, len(l.model.Materials)), Triangles: len(r.Triangles), Error: r.Error}
	for i, t := range r.Triangles {
		k := l.materials[t]
		out.Indices[k] = append(out.Indices[k], r.Indices[3*i:3*i+3]...)
	}
	return out
}

// Fewer reports whether a level has so much fewer triangles than another that it is worth
// having beside it: a tenth.
func Fewer(triangles, than int) bool { return triangles > 0 && triangles*10 <= than*9 }
