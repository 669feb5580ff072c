package glb

import (
	"context"
	"errors"

	"ridgeline/document/mesh"
)

// meshLevel is a further level of detail of a model.
type meshLevel struct {
	indices [][]uint32 // by material, of the model's vertices
	error   float64    // metres that it is off the model at most
}

// meshLevels makes the further levels of detail of a model.
func meshLevels(ctx context.Context, m *mesh.Model, parts []float64) ([]meshLevel, error) {
	if len(parts) > 0 {
		return nil, errors.New("further levels of detail of meshes are not written by this version")
	}
	return nil, nil
}
