package tool

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/editor/command"
	"ridgeline/viewport/gizmo"
)

// sprouts tells that a press on a grip pulls a new corner out of it.
func sprouts(g grip, in Input) bool {
	return (g.kind == edgeGrip || g.kind == faceGrip) && in.Modifiers&Shift != 0
}

// sprout pulls a new corner out of an edge, or out of the middle of a face. It is made
// when the pointer has moved.
func (d *Draft) sprout(env *command.Env, g grip, in Input) (Drag, error) {
	s, ok := part(in, g)
	if !ok {
		return nil, nil
	}
	of := s.of(g)
	at, i := center(s.points, of), len(s.points)
	if g.kind == edgeGrip {
		at = nearestTo(in, s.points[of[0]], s.points[of[1]])
		if s.flat() {
			i = max(of[0], of[1])
			if of[0]+of[1] == len(s.points)-1 && min(of[0], of[1]) == 0 {
				i = len(s.points) // the edge that closes the outline
			}
		}
	}
	// The shape goes on to know only its own corners; the new one starts on its surface.
	grown := s
	grown.points = slices.Insert(slices.Clone(s.points), i, at)
	d.chosen = grip{id: g.id, piece: g.piece, hole: g.hole, kind: cornerGrip, index: i}
	d.chosenAt = at
	h := gizmo.Centre
	if s.flat() {
		h = gizmo.PlaneY
	}
	return d.bend(env, &grown, []int{i}, d.gizmo(&grown, []int{i}), h, in)
}

// nearestTo is the point of an edge that is nearest to the line of sight, off the corners
// by a hundredth at least.
func nearestTo(in Input, a, b mgl64.Vec3) mgl64.Vec3 {
	e, r, w := b.Sub(a), in.Ray.Dir, in.Ray.Origin.Sub(a)
	ee, er, rr := e.Dot(e), e.Dot(r), r.Dot(r)
	t := 0.5
	if det := ee*rr - er*er; det > 1e-12*ee*rr {
		t = (w.Dot(e)*rr - w.Dot(r)*er) / det
	}
	return a.Add(e.Mul(min(max(t, 0.01), 0.99)))
}
