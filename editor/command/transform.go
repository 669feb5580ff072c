package command

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
)

// Roots gives those of some entities that do not stand below another of them, in
// ascending order and each once: what moves them moves all.
func Roots(l *document.Level, ids []document.ID) []document.ID {
	chosen := make(map[document.ID]bool, len(ids))
	for _, id := range ids {
		chosen[id] = true
	}
	var roots []document.ID
	for _, id := range sorted(ids) {
		e, ok := l.Entity(id)
		for p := e; ok && p.Parent != 0; {
			if chosen[p.Parent] {
				ok = false
			} else if p, ok = l.Entity(p.Parent); !ok {
				break
			}
		}
		if ok {
			roots = append(roots, id)
		}
	}
	return roots
}

// Pivot is the middle of the box around the places of some entities, in the world:
// what they are turned and scaled about.
func Pivot(l *document.Level, ids []document.ID) mgl64.Vec3 {
	lo := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := lo.Mul(-1)
	for _, id := range Roots(l, ids) {
		e, _ := l.Entity(id)
		p := frameOf(l, e.Parent).point(e.Translation)
		for i := range 3 {
			lo[i], hi[i] = min(lo[i], p[i]), max(hi[i], p[i])
		}
	}
	if !(lo[0] <= hi[0]) {
		return mgl64.Vec3{}
	}
	return lo.Add(hi.Sub(lo).Mul(0.5))
}

// each calls change with a copy of each root of ids and the frame that it stands
// in, and gives the copies.
func each(l *document.Level, ids []document.ID, change func(e *document.Entity, frame affine)) []document.Entity {
	var out []document.Entity
	for _, id := range Roots(l, ids) {
		e, _ := l.Entity(id)
		c := *e
		change(&c, frameOf(l, e.Parent))
		out = append(out, c)
	}
	return out
}

// place puts an entity at a point of the world.
func place(e *document.Entity, frame affine, at mgl64.Vec3) {
	if e.Parent != 0 {
		at = frame.inverse().point(at)
	}
	e.Translation = at
}

// Moved gives entities of a level moved by a vector of the world; those below
// others of them move along, and are not among the result.
func Moved(l *document.Level, ids []document.ID, by mgl64.Vec3) []document.Entity {
	return each(l, ids, func(e *document.Entity, frame affine) {
		if e.Parent != 0 {
			e.Translation = e.Translation.Add(frame.inverse().m.Mul3x1(by))
		} else {
			e.Translation = e.Translation.Add(by)
		}
	})
}

// Rotated gives entities of a level turned in the world about a point. Scales stay:
// below a parent whose scale is uneven, where a turn is a shear as well, the result
// is the nearest without.
func Rotated(l *document.Level, ids []document.ID, turn mgl64.Quat, about mgl64.Vec3) []document.Entity {
	turn = unit(turn)
	return each(l, ids, func(e *document.Entity, frame affine) {
		at := frame.point(e.Translation)
		place(e, frame, about.Add(turn.Rotate(at.Sub(about))))
		turned(e, frame, turn)
	})
}

// turned turns an entity in the world about its own place.
func turned(e *document.Entity, frame affine, turn mgl64.Quat) {
	if e.Parent == 0 {
		e.Rotation = unit(turn.Mul(e.Rotation))
		return
	}
	m := frame.inverse().m.Mul3(turn.Mat4().Mat3()).Mul3(frame.m).Mul3(e.Rotation.Mat4().Mat3())
	e.Rotation = turnOf([3]mgl64.Vec3{m.Col(0), m.Col(1), m.Col(2)})
}

// Scaled gives entities of a level scaled: each along its own axes, and their
// distances from a point along the world's.
func Scaled(l *document.Level, ids []document.ID, by, about mgl64.Vec3) []document.Entity {
	return each(l, ids, func(e *document.Entity, frame affine) {
		at := frame.point(e.Translation).Sub(about)
		place(e, frame, about.Add(mgl64.Vec3{at[0] * by[0], at[1] * by[1], at[2] * by[2]}))
		for i := range 3 {
			e.Scale[i] *= by[i]
		}
	})
}

// mirrored gives entities mirrored in the plane through a point that is
// perpendicular to an axis of the world. Of those that a parent with an uneven
// scale would shear, shear names the first.
func mirrored(l *document.Level, ids []document.ID, axis int, at mgl64.Vec3) (out []document.Entity, shear document.ID) {
	out = each(l, ids, func(e *document.Entity, frame affine) {
		p := frame.point(e.Translation)
		p[axis] = at[axis] - (p[axis] - at[axis])
		place(e, frame, p)
		if e.Parent == 0 {
			// With F the mirror, F·R·S is (F·R·F)·(F·S), and F·R·F turns the other way
			// about the other axes: signs change, and nothing is rounded.
			for i := range 3 {
				if i != axis {
					e.Rotation.V[i] = 0 - e.Rotation.V[i] // never −0
				}
			}
			e.Scale[axis] = -e.Scale[axis]
			return
		}
		flip := mgl64.Ident3()
		flip[4*axis] = -1
		m := frame.inverse().m.Mul3(flip).Mul3(frame.m).Mul3(scaled(e.Rotation, e.Scale))
		like := e.Scale
		like[axis] = -like[axis]
		var cos float64
		if e.Rotation, e.Scale, cos = decompose(m, like); !(cos <= maxShear) && shear == 0 {
			shear = e.ID
		}
	})
	return out, shear
}

// under gives an entity as a child of another, 0 for none, where it is in the world.
// sheared reports that an uneven scale, which the old or the new parent has, would
// have to shear it; it has the nearest transform without then.
func under(l *document.Level, e *document.Entity, parent document.ID) (c document.Entity, sheared bool) {
	c = *e
	if parent == e.Parent {
		return c, false
	}
	c.Parent = parent
	change := frameOf(l, e.Parent)
	if parent != 0 {
		change = frameOf(l, parent).inverse().mul(change)
	}
	c.Translation = change.point(e.Translation)
	if change.m == mgl64.Ident3() {
		return c, false
	}
	var cos float64
	c.Rotation, c.Scale, cos = decompose(change.m.Mul3(scaled(e.Rotation, e.Scale)), e.Scale)
	return c, !(cos <= maxShear)
}

// groundNormal is the unit normal of the triangle of ground under world x, z.
func groundNormal(f *terrain.Field, x, z float64) (n mgl64.Vec3, ok bool) {
	c, r, u, v, ok := f.Cell(x, z)
	if !ok || f.IsHole(c, r) {
		return mgl64.Vec3{0, 1, 0}, false
	}
	height := func(dc, dr int) float64 { return float64(f.Sample(c+dc, r+dr)) }
	var dx, dz float64
	if u+v <= 1 {
		dx, dz = height(1, 0)-height(0, 0), height(0, 1)-height(0, 0)
	} else {
		dx, dz = height(1, 1)-height(0, 1), height(1, 1)-height(1, 0)
	}
	s := f.Spacing()
	return mgl64.Vec3{-dx / s, 1, -dz / s}.Normalize(), true
}

// leaning is the up direction part of the way from upright to a normal: 0 is
// upright, 1 the normal.
func leaning(normal mgl64.Vec3, part float64) mgl64.Vec3 {
	up := mgl64.Vec3{0, 1, 0}
	axis := up.Cross(normal)
	sin := axis.Len()
	if part == 0 || sin == 0 {
		return up
	}
	return mgl64.QuatRotate(math.Atan2(sin, normal[1])*part, axis.Mul(1/sin)).Rotate(up)
}
