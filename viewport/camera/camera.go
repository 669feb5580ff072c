package camera

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// DefaultFovY is the vertical field of view of a new camera, in radians: 60°.
const DefaultFovY = math.Pi / 3

// Camera is where one looks from, whither, and how.
type Camera struct {
	Eye   geom.Vec3 // world
	Yaw   float64   // 0 looks along −Z, π/2 along −X
	Pitch float64   // −π/2 straight down … π/2 straight up

	FovY   float64 // of a perspective view
	Ortho  bool    // parallel rays, Height metres from the picture's bottom to its top
	Height float64

	Near, Far float64 // metres along the view; see FitDepth
}

// Look is a perspective camera at eye that looks at a point. If that is the eye,
// it looks along −Z.
func Look(eye, at geom.Vec3) Camera {
	c := Camera{Eye: eye, FovY: DefaultFovY, Near: 0.1, Far: 10_000}
	c.LookAt(at)
	return c
}

// LookAt turns the camera to a point. Straight up or down the yaw stays, and at
// the eye itself both angles do.
func (c *Camera) LookAt(at geom.Vec3) {
	d := at.Sub(c.Eye)
	flat := math.Hypot(d[0], d[2])
	if flat > 0 {
		c.Yaw = math.Atan2(-d[0], -d[2])
	}
	if flat > 0 || d[1] != 0 {
		c.Pitch = math.Atan2(d[1], flat)
	}
}

// Forward is the unit direction of the view.
func (c *Camera) Forward() geom.Vec3 {
	sy, cy := math.Sincos(c.Yaw)
	sp, cp := math.Sincos(c.Pitch)
	return geom.Vec3{-sy * cp, sp, -cy * cp}
}

// Right is the unit direction to the right, always level.
func (c *Camera) Right() geom.Vec3 {
	sy, cy := math.Sincos(c.Yaw)
	return geom.Vec3{cy, 0, -sy}
}

// Up is the unit direction that is up in the picture.
func (c *Camera) Up() geom.Vec3 { return c.Right().Cross(c.Forward()) }

// half is half the size of the picture: in metres of an orthographic view, and at
// one metre's distance of a perspective one.
func (c *Camera) half(size mgl64.Vec2) (w, h float64) {
	if c.Ortho {
		h = c.Height / 2
	} else {
		h = math.Tan(c.FovY / 2)
	}
	return h * size[0] / size[1], h
}

// ScreenScale is the size in pixels of one metre at one metre's distance, or,
// orthographic, at any distance, in a view so many pixels high.
func (c *Camera) ScreenScale(height float64) float64 {
	_, h := c.half(mgl64.Vec2{1, 1})
	return height / 2 / h
}

// View is the rotation that takes p − Eye to eye space: x right, y up, z back.
func (c *Camera) View() mgl64.Mat4 {
	r, u, f := c.Right(), c.Up(), c.Forward()
	return mgl64.Mat4{
		r[0], u[0], -f[0], 0,
		r[1], u[1], -f[1], 0,
		r[2], u[2], -f[2], 0,
		0, 0, 0, 1,
	}
}

// ViewProj takes p − Eye to OpenGL clip space, in a view of size pixels.
func (c *Camera) ViewProj(size mgl64.Vec2) mgl64.Mat4 {
	w, h := c.half(size)
	if c.Ortho {
		return mgl64.Ortho(-w, w, -h, h, c.Near, c.Far).Mul4(c.View())
	}
	return mgl64.Perspective(c.FovY, size[0]/size[1], c.Near, c.Far).Mul4(c.View())
}

// ViewProj32 is ViewProj for the GPU.
func (c *Camera) ViewProj32(size mgl64.Vec2) mgl32.Mat4 {
	var m mgl32.Mat4
	for i, v := range c.ViewProj(size) {
		m[i] = float32(v)
	}
	return m
}

// Frustum is what the camera sees, in world coordinates.
func (c *Camera) Frustum(size mgl64.Vec2) geom.Frustum {
	return geom.FrustumOf(c.Eye, c.ViewProj(size))
}

// Ray is the line of sight through a pixel, in world coordinates, with a unit
// direction. It begins at the eye, or, orthographic, beside it.
func (c *Camera) Ray(pixel, size mgl64.Vec2) geom.Ray {
	w, h := c.half(size)
	x, y := w*(2*pixel[0]/size[0]-1), h*(1-2*pixel[1]/size[1])
	off := c.Right().Mul(x).Add(c.Up().Mul(y))
	if c.Ortho {
		return geom.Ray{Origin: c.Eye.Add(off), Dir: c.Forward()}
	}
	return geom.Ray{Origin: c.Eye, Dir: c.Forward().Add(off).Normalize()}
}

// Project finds the pixel at which p appears and how far p is along the view, in
// metres. ok is false when a perspective camera has p beside or behind it.
func (c *Camera) Project(p geom.Vec3, size mgl64.Vec2) (pixel mgl64.Vec2, depth float64, ok bool) {
	d := p.Sub(c.Eye)
	x, y := d.Dot(c.Right()), d.Dot(c.Up())
	depth = d.Dot(c.Forward())
	w, h := c.half(size)
	if !c.Ortho {
		if !(depth > 0) {
			return mgl64.Vec2{}, depth, false
		}
		x /= depth
		y /= depth
	}
	return mgl64.Vec2{(x/w + 1) / 2 * size[0], (1 - y/h) / 2 * size[1]}, depth, true
}

// FitDepth chooses Near and Far so that they hold the scene, and clearance, the
// distance from the eye to what is nearest. An empty scene counts as one point a
// metre ahead.
func (c *Camera) FitDepth(scene geom.Box, clearance float64) {
	if scene.IsEmpty() {
		scene = geom.BoxOf(c.Eye.Add(c.Forward()))
	}
	f := c.Forward()
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range 8 {
		d := scene.Corner(i).Sub(c.Eye).Dot(f)
		lo, hi = min(lo, d), max(hi, d)
	}
	if c.Ortho {
		pad := max(1, 0.01*(hi-lo))
		c.Near, c.Far = lo-pad, hi+pad
		return
	}
	// A depth buffer of 24 bits tells apart about far²/near/2²⁴ at the far end.
	c.Far = max(1.05*hi, 1)
	c.Near = max(min(max(clearance/4, c.Far/100_000), c.Far/50), minNear)
	if lo > 0 { // all of the scene is ahead
		c.Near = max(c.Near, lo/2)
	}
}

const minNear = 0.02
