package camera

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

var size = mgl64.Vec2{1280, 720}

// dice draws plain uniform numbers from one drawn seed.
type dice struct{ *rand.Rand }

func roll(t *rapid.T) dice {
	return dice{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))}
}

func (d dice) between(a, b float64) float64 { return a + (b-a)*d.Float64() }

func (d dice) point(reach float64) geom.Vec3 {
	return geom.Vec3{d.between(-reach, reach), d.between(-reach, reach), d.between(-reach, reach)}
}

func (d dice) pixel() mgl64.Vec2 { return mgl64.Vec2{d.between(0, size[0]), d.between(0, size[1])} }

// camera is any camera up to 100 km from the origin.
func (d dice) camera() Camera {
	c := Camera{
		Eye: d.point(1e5), Yaw: d.between(-4, 4), Pitch: d.between(-1.55, 1.55),
		FovY: d.between(0.2, 2), Near: 0.1, Far: 5000,
	}
	if d.IntN(3) == 0 {
		c.Ortho, c.Height, c.Near = true, d.between(1, 2000), -100
	}
	return c
}

func near(t *rapid.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Fatalf("%s is %v, want %v ± %g", what, got, want, tolerance)
	}
}

func nearPixel(t *rapid.T, what string, got, want mgl64.Vec2) {
	t.Helper()
	if !(got.Sub(want).Len() <= 1e-3) {
		t.Fatalf("%s is at pixel %v, want %v", what, got, want)
	}
}

func TestRayPassesWhatItProjects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		c := d.camera()
		ray := c.Ray(d.pixel(), size)
		near(t, "the length of the direction", ray.Dir.Len(), 1, 1e-12)
		at := ray.At(d.between(0.5, 4000))
		pixel, depth, ok := c.Project(at, size)
		if !ok {
			t.Fatalf("%v is not in front of %+v", at, c)
		}
		near(t, "the depth", depth, at.Sub(c.Eye).Dot(c.Forward()), 1e-6)
		again := c.Ray(pixel, size)
		off := at.Sub(again.Origin)
		near(t, "the distance from the ray", off.Sub(again.Dir.Mul(off.Dot(again.Dir))).Len(), 0, 1e-6)

		// The matrix says the same, and so does the frustum.
		clip := c.ViewProj(size).Mul4x1(at.Sub(c.Eye).Vec4(1))
		ndc := clip.Mul(1 / clip[3])
		nearPixel(t, "the matrix's point", mgl64.Vec2{(ndc[0] + 1) / 2 * size[0], (1 - ndc[1]) / 2 * size[1]}, pixel)
		f := c.Frustum(size)
		inside := depth > c.Near && depth < c.Far
		margin := math.Min(math.Min(pixel[0], size[0]-pixel[0]), math.Min(pixel[1], size[1]-pixel[1]))
		if margin > 0.01 && math.Abs(depth-c.Far) > 1e-3 && math.Abs(depth-c.Near) > 1e-3 && f.Point(at) != inside {
			t.Fatalf("%v at depth %g of %g–%g: in the frustum %v", at, depth, c.Near, c.Far, f.Point(at))
		}
		// One metre across the view is ScreenScale pixels wide.
		beside, _, _ := c.Project(at.Add(c.Right()), size)
		want := c.ScreenScale(size[1])
		if !c.Ortho {
			want /= depth
		}
		near(t, "the width of a metre", beside[0]-pixel[0], want, 1e-3)
	})
}

func TestDirections(t *testing.T) {
	for _, c := range []struct {
		yaw, pitch float64
		forward    geom.Vec3
		up         geom.Vec3
	}{
		{0, 0, geom.Vec3{0, 0, -1}, geom.Vec3{0, 1, 0}},
		{math.Pi / 2, 0, geom.Vec3{-1, 0, 0}, geom.Vec3{0, 1, 0}},
		{0, math.Pi / 2, geom.Vec3{0, 1, 0}, geom.Vec3{0, 0, 1}},
		{0, -math.Pi / 2, geom.Vec3{0, -1, 0}, geom.Vec3{0, 0, -1}},
	} {
		cam := Camera{Yaw: c.yaw, Pitch: c.pitch}
		if !(cam.Forward().Sub(c.forward).Len() < 1e-12) || !(cam.Up().Sub(c.up).Len() < 1e-12) {
			t.Errorf("yaw %g pitch %g: forward %v, up %v", c.yaw, c.pitch, cam.Forward(), cam.Up())
		}
	}
}

func TestLookAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		eye, at := d.point(1e4), d.point(1e4)
		c := Look(eye, at)
		if want := at.Sub(eye).Normalize(); !(c.Forward().Sub(want).Len() < 1e-9) {
			t.Fatalf("looks along %v, want %v", c.Forward(), want)
		}
	})
	c := Look(geom.Vec3{1, 2, 3}, geom.Vec3{1, 2, 3})
	if c.Forward() != (geom.Vec3{0, 0, -1}) {
		t.Errorf("at itself it looks along %v", c.Forward())
	}
	c.Yaw = 1
	c.LookAt(geom.Vec3{1, -9, 3})
	if c.Yaw != 1 || c.Pitch != -math.Pi/2 {
		t.Errorf("straight down: yaw %g, pitch %g", c.Yaw, c.Pitch)
	}
}

func TestFitDepthHoldsTheScene(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		c := d.camera()
		scene := geom.BoxOf(c.Eye.Add(d.point(3000)), c.Eye.Add(d.point(3000)))
		clearance := scene.DistanceTo(c.Eye) + d.between(0, 50)
		c.FitDepth(scene, clearance)
		if !(c.Near < c.Far) || !c.Ortho && !(c.Near >= minNear) {
			t.Fatalf("near %g, far %g", c.Near, c.Far)
		}
		for i := range 8 {
			if depth := scene.Corner(i).Sub(c.Eye).Dot(c.Forward()); depth > c.Far {
				t.Fatalf("a corner at %g lies beyond %g", depth, c.Far)
			} else if c.Ortho && depth < c.Near {
				t.Fatalf("a corner at %g lies before %g", depth, c.Near)
			}
		}
		if !c.Ortho && c.Near > max(clearance, c.Far/50, minNear) {
			lo := math.Inf(1)
			for i := range 8 {
				lo = min(lo, scene.Corner(i).Sub(c.Eye).Dot(c.Forward()))
			}
			if c.Near > lo {
				t.Fatalf("near %g cuts what is %g away", c.Near, clearance)
			}
		}
	})
	c := Look(geom.Vec3{}, geom.Vec3{0, 0, -1})
	c.FitDepth(geom.EmptyBox(), 0)
	if !(c.Near > 0 && c.Near < 1 && c.Far >= 1) {
		t.Errorf("an empty scene: near %g, far %g", c.Near, c.Far)
	}
}
