package glb

import (
	"context"

	"ridgeline/document/mesh"
	"ridgeline/export/simplify"
)

// meshLevel is a further level of detail of a model.
type meshLevel struct {
	indices [][]uint32 // by material, of the model's vertices
	error   float64    // metres that it is off the model, as simplify estimates it
}

// meshLevels makes the further levels of detail of a model: the parts are of its
// triangles. A level that would hardly be simpler than the one before is left out, as
// models with many seams or borders cannot be made much simpler.
func meshLevels(ctx context.Context, m *mesh.Model, parts []float64) ([]meshLevel, error) {
	if len(parts) == 0 || len(m.Indices) == 0 {
		return nil, nil
	}
	in := simplify.Mesh{Positions: m.Positions, Indices: m.Indices, Materials: make([]uint16, len(m.Indices)/3)}
	for _, part := range m.Parts {
		for t := part.First / 3; t < (part.First+part.Count)/3; t++ {
			in.Materials[t] = uint16(part.Material)
		}
	}
	s, err := simplify.Collapse(ctx, in, simplify.Options{})
	if err != nil {
		return nil, err
	}
	var out []meshLevel
	last := len(in.Materials)
	for _, part := range parts {
		r := s.At(simplify.Target{Triangles: max(1, int(part*float64(len(in.Materials))))})
		if n := len(r.Triangles); n == 0 || n*10 > last*9 {
			continue
		}
		last = len(r.Triangles)
		l := meshLevel{indices: make([][]uint32, len(m.Materials)), error: r.Error}
		for i, t := range r.Triangles {
			k := in.Materials[t]
			l.indices[k] = append(l.indices[k], r.Indices[3*i:3*i+3]...)
		}
		out = append(out, l)
	}
	return out, nil
}
