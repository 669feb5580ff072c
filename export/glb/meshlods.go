package glb

import (
	"context"
	"slices"

	"ridgeline/document/mesh"
	"ridgeline/export/lods"
)

// meshLevels makes the further levels of detail of a model that options ask for. A level
// that would hardly be simpler than the one before is left out, as models with many seams
// or borders cannot be made much simpler.
func meshLevels(ctx context.Context, m *mesh.Model, o *Options) ([]lods.Level, error) {
	if o.meshLevels() == 0 || len(m.Indices) == 0 {
		return nil, nil
	}
	least := 0
	if len(o.MeshLODs) > 0 {
		least = int(slices.Min(o.MeshLODs) * float64(len(m.Indices)/3))
	}
	all, err := lods.Of(ctx, m, least, nil)
	if err != nil {
		return nil, err
	}
	var out []lods.Level
	last := len(m.Indices) / 3
	add := func(l lods.Level) {
		if lods.Fewer(l.Triangles, last) {
			last = l.Triangles
			out = append(out, l)
		}
	}
	for _, part := range o.MeshLODs {
		add(all.Share(part))
	}
	for _, off := range o.MeshErrors {
		add(all.Within(off))
	}
	return out, nil
}

// meshLevels is how many further levels of detail of meshes there are at the most.
func (o *Options) meshLevels() int { return len(o.MeshLODs) + len(o.MeshErrors) }
