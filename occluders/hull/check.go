package hull

import (
	"context"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// Solid is a mesh that a hull is to stand for: its opaque triangles, in the hull's frame.
type Solid interface {
	// Nearest finds the first triangle that the ray meets up to tMax and accept, if not
	// nil, does not refuse, as Triangles of package nodetree does.
	Nearest(r geom.Ray, tMax float64, accept func(nodetree.TriangleHit) bool) (nodetree.TriangleHit, bool)
	// AppendOverlapping appends the triangles whose boxes share a point with b.
	AppendOverlapping(dst []int32, b geom.Box) []int32
	// Corners gives the corners of a triangle, counter-clockwise seen from outside.
	Corners(triangle int32) [3]geom.Vec3
}

// Mesh is a Solid of a mesh and its tree.
type Mesh struct {
	Tree      *nodetree.Triangles // of these
	Positions []mgl32.Vec3
	Indices   []uint32
	Opaque    func(triangle int) bool // nil: all are
}

// Nearest is the tree's, for triangles that are opaque.
func (m Mesh) Nearest(r geom.Ray, tMax float64, accept func(nodetree.TriangleHit) bool) (nodetree.TriangleHit, bool) {
	if m.Opaque == nil {
		return m.Tree.Nearest(r, tMax, accept)
	}
	return m.Tree.Nearest(r, tMax, func(h nodetree.TriangleHit) bool {
		return m.Opaque(h.Triangle) && (accept == nil || accept(h))
	})
}

// AppendOverlapping is the tree's, for triangles that are opaque.
func (m Mesh) AppendOverlapping(dst []int32, b geom.Box) []int32 {
	from := len(dst)
	dst = m.Tree.AppendOverlapping(dst, b)
	if m.Opaque == nil {
		return dst
	}
	return append(dst[:from], slices.DeleteFunc(dst[from:], func(t int32) bool { return !m.Opaque(int(t)) })...)
}

// Corners are those of a triangle.
func (m Mesh) Corners(triangle int32) (p [3]geom.Vec3) {
	for k, i := range m.Indices[3*triangle:][:3] {
		v := m.Positions[i]
		p[k] = geom.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
	}
	return p
}

// Report is what CheckSolid found.
type Report struct {
	// Inside is whether the hull's center lies inside the mesh, in every direction.
	Inside bool
	// Crossing are triangles that pass through the inside of the hull.
	Crossing []int32
	// Leaks are points on the hull's surface that can be seen from outside past the
	// mesh.
	Leaks []geom.Vec3
	// Rays is how many were sent to find leaks.
	Rays int
}

// Safe reports whether nothing was found: the hull may hide what the mesh hides.
func (r *Report) Safe() bool { return r.Inside && len(r.Crossing) == 0 && len(r.Leaks) == 0 }

// How many rays CheckSolid sends: from how many points, and to where from each.
const (
	checkPoints  = 640
	checkRays    = 24
	checkCorners = 2048 // rays from corners at most
	checkAround  = 9    // rays from the center
)

// CheckSolid checks whether a hull may stand for a mesh as an occluder: whether every
// ray that meets the hull meets the mesh at or before it. So the hull must lie inside
// the mesh, behind a surface without gaps. The hull of a house does not, since it would
// seal the door.
//
// That no triangle passes through the hull, and that its center is inside the mesh, is
// decided exactly, but for a tolerance: 2⁻¹⁸ of the hull's size, and what float32 leaves
// of the mesh's coordinates. That no light leaks in through gaps is checked by rays from
// all over the hull's surface, spread evenly and always the same: a gap that is small
// and far away may go unseen. The error is that of the context.
func CheckSolid(ctx context.Context, h *Hull, mesh Solid) (Report, error) {
	box := h.Bounds()
	var side, far float64
	for i := range box.Min {
		side = max(side, box.Max[i]-box.Min[i])
		far = max(far, math.Abs(box.Min[i]), math.Abs(box.Max[i]))
	}
	c := check{h: h, mesh: mesh, center: h.Center(), tol: side/(1<<18) + far/(1<<22)}
	c.inside()
	if err := c.crossing(ctx); err != nil {
		return Report{}, err
	}
	if err := c.leaks(ctx); err != nil {
		return Report{}, err
	}
	return c.report, nil
}

type check struct {
	h      *Hull
	mesh   Solid
	center geom.Vec3
	tol    float64
	report Report
}

// inside decides whether the center is inside, by all that rays from it meet: they leave
// more surfaces than they enter, or as many where those of two sides lie on each other
// and they cross an odd number. A mesh that is inside out has no inside: whoever looks
// at it from outside sees into it.
func (c *check) inside() {
	type crossing struct {
		t    float64
		sign int
	}
	var met []crossing
	for i := range checkAround {
		r := geom.Ray{Origin: c.center, Dir: direction(i, checkAround)}
		met = met[:0]
		c.mesh.Nearest(r, math.Inf(1), func(h nodetree.TriangleHit) bool {
			p := c.mesh.Corners(int32(h.Triangle))
			sign := 1
			if p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Dot(r.Dir) < 0 {
				sign = -1
			}
			met = append(met, crossing{h.T, sign})
			return false
		})
		slices.SortFunc(met, func(a, b crossing) int {
			switch {
			case a.t < b.t:
				return -1
			case a.t > b.t:
				return 1
			}
			return a.sign - b.sign
		})
		winding, count := 0, 0
		last := math.Inf(-1)
		for _, m := range met {
			winding += m.sign
			if m.t > last+c.tol {
				count++
			}
			last = m.t
		}
		if winding < 0 || winding == 0 && count%2 == 0 {
			return
		}
	}
	c.report.Inside = true
}

// crossing lists the triangles that pass through the hull.
func (c *check) crossing(ctx context.Context) error {
	triangles := c.mesh.AppendOverlapping(nil, c.h.Bounds())
	slices.Sort(triangles)
	var x, y [16]geom.Vec3
	for i, t := range triangles {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := c.mesh.Corners(t)
		if _, in := c.h.within(p[:], c.tol, x[:0], y[:0]); in {
			c.report.Crossing = append(c.report.Crossing, t)
		}
	}
	return nil
}

// leaks sends rays outwards from the hull's surface.
func (c *check) leaks(ctx context.Context) error {
	h := c.h
	depth := -h.Distance(c.center)
	inwards := min(0.5, c.tol/depth) // of the way to the center: deeper than tol
	send := func(p geom.Vec3, out func(dir geom.Vec3) bool, rays, turn int) {
		from := p.Add(c.center.Sub(p).Mul(inwards))
		leak := false
		for i := range rays {
			d := direction(i, rays)
			// Other directions from other points.
			sin, cos := math.Sincos(2.39996322972865332 * float64(turn))
			d = geom.Vec3{d[0]*cos - d[2]*sin, d[1], d[0]*sin + d[2]*cos}
			d = geom.Vec3{d[0], d[1]*cos - d[2]*sin, d[1]*sin + d[2]*cos}
			if !out(d) {
				continue
			}
			c.report.Rays++
			if _, hit := c.mesh.Nearest(geom.Ray{Origin: from, Dir: d}, math.Inf(1), nil); !hit {
				leak = true
				break
			}
		}
		if leak {
			c.report.Leaks = append(c.report.Leaks, p)
		}
	}
	area := h.Area()
	var corners []geom.Vec3
	turn := 0
	due := 0.0
	for f := range h.Faces {
		n := h.Planes[f].N
		outwards := func(d geom.Vec3) bool { return d.Dot(n) > 0.02 }
		corners = h.AppendFace(corners[:0], f)
		for k := 2; k < len(corners); k++ {
			a, u, v := corners[0], corners[k-1].Sub(corners[0]), corners[k].Sub(corners[0])
			due += u.Cross(v).Len() / 2 / area * checkPoints
			for ; due > 0; due-- {
				if err := ctx.Err(); err != nil {
					return err
				}
				// Evenly over the triangle (the additive sequence of Roberts, "The
				// Unreasonable Effectiveness of Quasirandom Sequences", 2018).
				s := math.Mod(0.5+0.7548776662466927*float64(turn), 1)
				t := math.Mod(0.5+0.5698402909980532*float64(turn), 1)
				if s+t > 1 {
					s, t = 1-s, 1-t
				}
				send(a.Add(u.Mul(s)).Add(v.Mul(t)), outwards, 2*checkRays, turn)
				turn++
			}
		}
	}
	rays := checkCorners / len(h.Vertices)
	for _, v := range h.Vertices {
		if rays == 0 {
			break
		}
		leaves := func(d geom.Vec3) bool {
			for i := range h.Planes {
				if p := &h.Planes[i]; p.N.Dot(d) > 0.02 && p.Distance(v) >= -c.tol {
					return true
				}
			}
			return false
		}
		send(v, leaves, min(rays, 2*checkRays), turn)
		turn++
	}
	return ctx.Err()
}
