package xlevel

import (
	"context"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
)

// Model is the mesh of any asset: a cube from −1 to 1 along each axis. That of Tree has
// lost its top. It is a command.Files.Model.
func Model(_ context.Context, a *document.Asset) (*mesh.Model, error) {
	m := &mesh.Model{Materials: []mesh.Material{{Image: -1}}, Nodes: []mesh.Node{{Name: "Cube", Parent: -1}}, Bounds: geom.EmptyBox()}
	for i := range 8 {
		p := mgl32.Vec3{float32(i&1*2 - 1), float32(i&2 - 1), float32(i&4/2 - 1)}
		m.Positions = append(m.Positions, p)
		m.Normals = append(m.Normals, mgl32.Vec3{0, 1, 0})
		m.Bounds = m.Bounds.Add(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	for _, q := range [][4]uint32{{2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}} {
		m.Indices = append(m.Indices, q[0], q[1], q[2], q[0], q[2], q[3])
	}
	if a.Name == "Tree" {
		m.Indices = m.Indices[6:]
	}
	m.Parts = []mesh.Part{{Count: len(m.Indices)}}
	return m, m.Validate()
}
