package glb

import (
	"context"
	"slices"

	"ridgeline/document/mesh"
	"ridgeline/export/lods"
)

// meshLevels makes the further levels of detail of a model: the parts are of its
// triangles. A level that would hardly be simpler than the one before is left out, as
// models with many seams or borders cannot be made much simpler.
func meshLevels(ctx context.Context, m *mesh.Model, parts []float64) ([]lods.Level, error) {
	if len(parts) == 0 || len(m.Indices) == 0 {
		return nil, nil
	}
	all, err := lods.Of(ctx, m, int(slices.Min(parts)*float64(len(m.Indices)/3)), nil)
	if err != nil {
		return nil, err
	}
	var out []lods.Level
	last := len(m.Indices) / 3
	for _, part := range parts {
		if l := all.Share(part); lods.Fewer(l.Triangles, last) {
			last = l.Triangles
			out = append(out, l)
		}
	}
	return out, nil
}
