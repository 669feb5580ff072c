package glb

import (
	"context"
	"errors"

	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
)

// meshLevel is a further level of detail of a model.
type meshLevel struct {
	indices [][]uint32 // by material, of the model's vertices
	error   float64    // metres that it is off the model at most
}

// coverage is the part of the screen's area that a thing must cover at least for each
// level of detail to be shown: beyond it, seen on 1080 rows, the next level is off by
// less than a pixel. The last has no least.
func coverage(bounds geom.Box, errors []float64) []float64 {
	size := bounds.Max.Sub(bounds.Min).Len()
	out := make([]float64, 0, len(errors)+1)
	last := 1.0
	for _, e := range errors {
		share := 1.0
		if e > 0 {
			share = min(1, size/(1080*e))
		}
		last = min(last, share*share)
		out = append(out, last)
	}
	return append(out, 0)
}

// meshLevels makes the further levels of detail of a model.
func meshLevels(ctx context.Context, m *mesh.Model, parts []float64) ([]meshLevel, error) {
	if len(parts) > 0 {
		return nil, errors.New("further levels of detail of meshes are not written by this version")
	}
	return nil, nil
}
