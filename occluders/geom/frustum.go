package geom

import "github.com/go-gl/mathgl/mgl64"

// Side says how a shape stands to a volume.
type Side uint8

// The three answers of a containment test.
const (
	Outside  Side = iota // no point in common, certainly
	Crossing             // some part may be inside
	Inside               // wholly inside
)

// Frustum is the convex volume that a camera sees, bounded by six planes whose
// positive sides face in. Tests err towards Crossing, never towards Outside.
type Frustum struct {
	Planes [6]Plane // left, right, bottom, top, near, far
}

// FrustumOf reads the frustum of a camera at eye (world, metres) from its
// camera-relative view × projection: the matrix that takes p − eye to OpenGL clip
// space. Perspective and orthographic projections both work.
func FrustumOf(eye Vec3, viewProj mgl64.Mat4) Frustum {
	row := func(i int) mgl64.Vec4 { return viewProj.Row(i) }
	w := row(3)
	var f Frustum
	for i, r := range [6]mgl64.Vec4{
		w.Add(row(0)), w.Sub(row(0)),
		w.Add(row(1)), w.Sub(row(1)),
		w.Add(row(2)), w.Sub(row(2)),
	} {
		n := r.Vec3()
		l := n.Len()
		if l == 0 { // an infinite far plane: nothing is beyond it
			f.Planes[i] = Plane{D: 1}
			continue
		}
		n = n.Mul(1 / l)
		f.Planes[i] = Plane{n, r[3]/l - n.Dot(eye)}
	}
	return f
}

// WithFar gives the frustum with its far plane at distance d from eye, along the
// view direction.
func (f Frustum) WithFar(eye Vec3, d float64) Frustum {
	n := f.Planes[4].N // the near plane's normal looks along the view
	f.Planes[5] = Plane{n.Mul(-1), n.Dot(eye) + d}
	return f
}

// Box tells how b stands to the frustum. An empty box is Outside.
func (f *Frustum) Box(b Box) Side {
	if b.IsEmpty() {
		return Outside
	}
	side := Inside
	for i := range f.Planes {
		p := &f.Planes[i]
		var far, near Vec3
		for a := range far {
			if p.N[a] >= 0 {
				far[a], near[a] = b.Max[a], b.Min[a]
			} else {
				far[a], near[a] = b.Min[a], b.Max[a]
			}
		}
		if p.Distance(far) < 0 {
			return Outside
		}
		if p.Distance(near) < 0 {
			side = Crossing
		}
	}
	return side
}

// Sphere tells how s stands to the frustum.
func (f *Frustum) Sphere(s Sphere) Side {
	side := Inside
	for i := range f.Planes {
		d := f.Planes[i].Distance(s.Center)
		if d < -s.Radius {
			return Outside
		}
		if d < s.Radius {
			side = Crossing
		}
	}
	return side
}

// Cube tells how the cube around center, reaching half to each side, stands to
// the frustum.
func (f *Frustum) Cube(center Vec3, half float64) Side {
	h := Vec3{half, half, half}
	return f.Box(Box{center.Sub(h), center.Add(h)})
}

// Point reports whether p is inside the frustum or on its border.
func (f *Frustum) Point(p Vec3) bool {
	for i := range f.Planes {
		if f.Planes[i].Distance(p) < 0 {
			return false
		}
	}
	return true
}
