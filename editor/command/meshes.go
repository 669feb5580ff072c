package command

import (
	"context"
	"errors"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
)

// hasModels tells why nothing can be made of meshes; nil when it can.
func hasModels(env *Env) error {
	if env.Files.Model == nil {
		return errNotHere
	}
	return nil
}

// model is the mesh that an object shows.
func modelOf(ctx context.Context, l *document.Level, models Models, arg string, at *document.Entity) (*mesh.Model, error) {
	o, _ := document.ObjectOf(at)
	a, ok := l.Asset(o.Asset)
	if !ok {
		return nil, bad(arg, label(at)+", whose asset "+quoteWord(o.Asset)+" is missing", "objects whose meshes are there")
	}
	m, err := models(ctx, a)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case err != nil:
		return nil, bad(arg, label(at)+", whose asset "+quoteWord(o.Asset)+" cannot be read: "+err.Error(), "objects whose meshes are there")
	}
	return m, nil
}

// gathered are triangles of several meshes in a frame of the world's directions and
// scale, which lies at a point near them all: as exact far out as near the origin.
type gathered struct {
	at        mgl64.Vec3
	corners   []geom.Vec3
	positions []mgl32.Vec3 // corners, as trees take them
	indices   []uint32
}

// add adds those triangles of a mesh that take says, at a place in the world.
func (g *gathered) add(m *mesh.Model, world affine, take func(*mesh.Part) bool) {
	flip := world.m.Det() < 0
	known := map[uint32]uint32{}
	for i := range m.Parts {
		p := &m.Parts[i]
		if !take(p) {
			continue
		}
		for k := p.First; k < p.First+p.Count; k += 3 {
			corner := [3]uint32{m.Indices[k], m.Indices[k+1], m.Indices[k+2]}
			if flip {
				corner[1], corner[2] = corner[2], corner[1]
			}
			for _, v := range corner {
				to, ok := known[v]
				if !ok {
					to = uint32(len(g.positions))
					known[v] = to
					q := world.point(vec64(m.Positions[v])).Sub(g.at)
					g.corners = append(g.corners, q)
					g.positions = append(g.positions, mgl32.Vec3{float32(q[0]), float32(q[1]), float32(q[2])})
				}
				g.indices = append(g.indices, to)
			}
		}
	}
}

func vec64(p mgl32.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
}

// points are the vertices, each once.
func (g *gathered) points() []geom.Vec3 {
	seen := make(map[mgl32.Vec3]struct{}, len(g.positions))
	out := make([]geom.Vec3, 0, len(g.positions))
	for i, p := range g.positions {
		if _, ok := seen[p]; !ok {
			seen[p] = struct{}{}
			out = append(out, g.corners[i])
		}
	}
	return out
}

// solid is the mesh for checks of hulls.
func (g *gathered) solid() hull.Solid {
	return hull.Mesh{Tree: nodetree.BuildTriangles(g.positions, g.indices, nodetree.Options{}), Positions: g.positions, Indices: g.indices}
}

// inWorld gives points of the frame in the world.
func (g *gathered) inWorld(points []geom.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	for i, p := range points {
		out[i] = p.Add(g.at)
	}
	return out
}

// isOpaque is for gathered.add: parts through which nothing is seen.
func isOpaque(m *mesh.Model) func(*mesh.Part) bool {
	return func(p *mesh.Part) bool { return m.Materials[p.Material].Alpha == mesh.Opaque }
}
