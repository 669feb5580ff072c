package cull

import "ridgeline/occluders/geom"

// Skin is how far below the surface of what is drawn an occluder may lie for it to be
// certain that nothing is lost, in metres. A near plane that cuts into a wall shows what is
// behind the wall, as only front faces are drawn; where that is nearer to the occluder
// in it than Skin, the occluder hides nothing in that view.
const Skin = 0.25

// nearRect is the part of the near plane that a view shows, in the world, and its bounds.
type nearRect struct {
	corners [4]geom.Vec3
	box     geom.Box // grown by Skin
	known   bool
}

// nearRectOf finds it.
func nearRectOf(v *View, f *geom.Frustum) (r nearRect) {
	var sides [4]geom.Plane
	for i := range sides {
		sides[i] = f.Planes[i].Relative(v.Eye)
	}
	r.corners, r.known = geom.NearCorners(&sides, f.Planes[4].Relative(v.Eye))
	r.box = geom.EmptyBox()
	for i, c := range r.corners {
		r.corners[i] = c.Add(v.Eye)
		r.box = r.box.Add(r.corners[i])
	}
	skin := geom.Vec3{Skin, Skin, Skin}
	r.box.Min, r.box.Max = r.box.Min.Sub(skin), r.box.Max.Add(skin)
	return r
}

// opens reports whether the near plane may cut open what a shape stands for. It does
// where it is not known.
func (r *nearRect) opens(s *Shape) bool {
	if !r.known {
		return true
	}
	if s.Hull != nil {
		if !r.box.Overlaps(s.Hull.Bounds()) {
			return false
		}
		for _, p := range s.Hull.Planes {
			if r.beyond(p) {
				return false
			}
		}
		return true
	}
	if !r.box.Overlaps(geom.BoxOf(s.Polygon...)) {
		return false
	}
	var plane geom.Plane
	for i := 1; i+1 < len(s.Polygon); i++ {
		plane.N = plane.N.Add(s.Polygon[i].Sub(s.Polygon[0]).Cross(s.Polygon[i+1].Sub(s.Polygon[0])))
	}
	if l := plane.N.Len(); l > 0 {
		plane.N = plane.N.Mul(1 / l)
		plane.D = -plane.N.Dot(s.Polygon[0])
		return !r.beyond(plane) && !r.beyond(plane.Flip())
	}
	return true
}

// beyond reports whether all of the rectangle is further than Skin above a plane.
func (r *nearRect) beyond(p geom.Plane) bool {
	for _, c := range r.corners {
		if !(p.Distance(c) > Skin) {
			return false
		}
	}
	return true
}
