package gizmo

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/camera"
)

// View is how one looks at the level.
type View struct {
	Camera camera.Camera
	Size   mgl64.Vec2 // of the view, pixels
	Scale  float64    // pixels in a dp; 0 is 1
}

// DP is the size of a dp in pixels.
func (v *View) DP() float64 {
	if v.Scale > 0 {
		return v.Scale
	}
	return 1
}

// Metre is how many metres a dp spans at p, across the view. ok is false where a
// perspective camera cannot see.
func (v *View) Metre(p geom.Vec3) (metres float64, ok bool) {
	scale := v.Camera.ScreenScale(v.Size[1])
	if v.Camera.Ortho {
		return v.DP() / scale, true
	}
	depth := p.Sub(v.Camera.Eye).Dot(v.Camera.Forward())
	return v.DP() * depth / scale, depth > v.Camera.Near
}

// Toward is the unit direction in which one sees p.
func (v *View) Toward(p geom.Vec3) geom.Vec3 {
	if d := p.Sub(v.Camera.Eye); !v.Camera.Ortho && d.Len() > 0 {
		return d.Normalize()
	}
	return v.Camera.Forward()
}

// Pixel is where p appears; ok is false beside and behind a perspective camera.
func (v *View) Pixel(p geom.Vec3) (pixel mgl64.Vec2, ok bool) {
	pixel, _, ok = v.Camera.Project(p, v.Size)
	return pixel, ok
}

// PixelOf is the pixel that a line of sight goes through.
func (v *View) PixelOf(ray geom.Ray) mgl64.Vec2 {
	pixel, _, _ := v.Camera.Project(ray.At(1), v.Size)
	return pixel
}

// Ray is the line of sight through a pixel.
func (v *View) Ray(pixel mgl64.Vec2) geom.Ray { return v.Camera.Ray(pixel, v.Size) }

// depth is how far p is along the view.
func (v *View) depth(p geom.Vec3) float64 { return p.Sub(v.Camera.Eye).Dot(v.Camera.Forward()) }

// reachFactor is how many times the distance of the gizmo a ray is followed.
const reachFactor = 1000

// cut is where a line of sight meets the plane through p with normal n. Where the
// ray runs along the plane or away from it, it is the point of the plane that lies
// that way and a reach from the eye, so it moves continuously with the ray.
func (v *View) cut(ray geom.Ray, p, n geom.Vec3) geom.Vec3 {
	off := p.Sub(ray.Origin)
	c, d := n.Dot(off), n.Dot(ray.Dir)
	if v.Camera.Ortho {
		// The angle is the same for all rays of the view; the distance may be negative.
		if d < 0 {
			c, d = -c, -d
		}
		return ray.At(c / max(d, 1.0/reachFactor))
	}
	// The plane lies ahead of the eye, or nowhere.
	if c < 0 {
		n, c, d = n.Mul(-1), -c, -d
	}
	reach := reachFactor * off.Len()
	if d*reach > c {
		return ray.At(c / d)
	}
	flat := ray.Dir.Sub(n.Mul(d))
	l := flat.Len()
	if !(l > 0) { // straight away from the plane, or the eye is at p
		return p
	}
	return ray.Origin.Add(n.Mul(c)).Add(flat.Mul(math.Sqrt(max(reach*reach-c*c, 0)) / l))
}

// distanceToSegment is how far p is from the line from a to b, and which share of the
// way the nearest point has gone.
func distanceToSegment(p, a, b mgl64.Vec2) (distance, share float64) {
	d, o := b.Sub(a), p.Sub(a)
	if l := d.Dot(d); l > 0 {
		share = min(max(o.Dot(d)/l, 0), 1)
	}
	return o.Sub(d.Mul(share)).Len(), share
}

// distanceToPolygon is how far p is from a convex polygon, 0 inside.
func distanceToPolygon(p mgl64.Vec2, corners []mgl64.Vec2) float64 {
	best := math.Inf(1)
	left, right := 0, 0
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		d, _ := distanceToSegment(p, a, b)
		best = min(best, d)
		if turn := (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0]); turn > 0 {
			left++
		} else if turn < 0 {
			right++
		}
	}
	if left == 0 || right == 0 {
		return 0
	}
	return best
}
