package geom

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

func drawVec(t *rapid.T, name string, size float64) Vec3 {
	g := rapid.Float64Range(-size, size)
	return Vec3{g.Draw(t, name+".x"), g.Draw(t, name+".y"), g.Draw(t, name+".z")}
}

func TestAPointIsNotEmpty(t *testing.T) {
	p := BoxOf(Vec3{1, 2, 3})
	if p.IsEmpty() || !p.Contains(Vec3{1, 2, 3}) {
		t.Error("a box of one point is empty")
	}
	flat := BoxOf(Vec3{0, 5, 0}, Vec3{9, 5, 9})
	if u := EmptyBox().Union(flat); u != flat || u.IsEmpty() {
		t.Errorf("a flat box was lost by a union: %v", u)
	}
	if !EmptyBox().IsEmpty() || EmptyBox().Overlaps(flat) {
		t.Error("the empty box holds something")
	}
}

// The frustum agrees with clip space for every point.
func TestFrustumAgainstClipSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eye := drawVec(t, "eye", 1e5)
		dir := drawVec(t, "dir", 1)
		if dir.Len() < 0.1 || math.Abs(dir.Normalize()[1]) > 0.99 {
			t.Skip("no view")
		}
		view := mgl64.LookAtV(Vec3{}, dir, Vec3{0, 1, 0})
		proj := mgl64.Perspective(1, 1.5, 0.5, 500)
		if rapid.Bool().Draw(t, "ortho") {
			proj = mgl64.Ortho(-100, 100, -50, 50, -20, 500)
		}
		vp := proj.Mul4(view)
		f := FrustumOf(eye, vp)
		rel := drawVec(t, "p", 400)
		c := vp.Mul4x1(rel.Vec4(1))
		margin := c[3] - max(math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2]))
		if math.Abs(margin) < 1e-6 {
			return
		}
		p := eye.Add(rel)
		if got := f.Point(p); got != (margin > 0) {
			t.Fatalf("point %v inside=%v, clip %v", p, got, c)
		}
		size := Vec3{1, 1, 1}.Mul(rapid.Float64Range(0, 50).Draw(t, "size"))
		box := Box{p.Sub(size), p.Add(size)}
		side := f.Box(box)
		if margin > 0 && side == Outside {
			t.Fatalf("a box around a visible point is outside")
		}
		if side == Inside {
			for i := range 8 {
				c := vp.Mul4x1(box.Corner(i).Sub(eye).Vec4(1))
				if max(math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2])) > c[3]+1e-4 {
					t.Fatalf("corner %v of an inside box is at %v", box.Corner(i), c)
				}
			}
		}
		r := rapid.Float64Range(0, 50).Draw(t, "radius")
		if s := f.Sphere(Sphere{p, r}); margin > 0 && s == Outside {
			t.Fatal("a sphere around a visible point is outside")
		}
	})
}

func TestFarPlaneCanBeMoved(t *testing.T) {
	f := FrustumOf(Vec3{10, 0, 0}, mgl64.Perspective(1, 1, 1, 1000)).WithFar(Vec3{10, 0, 0}, 50)
	if !f.Point(Vec3{10, 0, -49}) || f.Point(Vec3{10, 0, -51}) {
		t.Error("the far plane is not at 50")
	}
}

func TestRayBoxHoldsItsPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := BoxOf(drawVec(t, "a", 10), drawVec(t, "b", 10))
		r := Ray{drawVec(t, "o", 20), drawVec(t, "d", 1)}
		u := rapid.Float64Range(0, 40).Draw(t, "t")
		enter, leave, ok := r.Box(b)
		inside := b.Contains(r.At(u))
		if inside && !(ok && u >= enter-1e-9 && u <= leave+1e-9) {
			t.Fatalf("point at %v is inside, interval %v to %v (%v)", u, enter, leave, ok)
		}
		if ok && u > enter+1e-9 && u < leave-1e-9 && !inside {
			p := r.At(u)
			if (Box{b.Min.Sub(Vec3{1e-9, 1e-9, 1e-9}), b.Max.Add(Vec3{1e-9, 1e-9, 1e-9})}).Contains(p) {
				return
			}
			t.Fatalf("point at %v is outside, interval %v to %v", u, enter, leave)
		}
	})
}

func TestRayTriangle(t *testing.T) {
	a, b, c := Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}
	for _, k := range []struct {
		x, z float64
		hit  bool
	}{{0.2, 0.2, true}, {0, 0, true}, {0.5, 0.5, true}, {0.6, 0.6, false}, {-0.1, 0.5, false}} {
		for _, up := range []float64{-1, 1} {
			d, ok := Ray{Vec3{k.x, -up * 3, k.z}, Vec3{0, up, 0}}.Triangle(a, b, c)
			if ok != k.hit || ok && d != 3 {
				t.Errorf("ray at %v, %v: %v %v, expected %v", k.x, k.z, d, ok, k.hit)
			}
		}
	}
}

func TestPlane(t *testing.T) {
	p, ok := PlaneThrough(Vec3{0, 2, 0}, Vec3{0, 2, 1}, Vec3{1, 2, 0})
	if !ok || p.Distance(Vec3{5, 5, 5}) != 3 || p.Flip().Distance(Vec3{5, 5, 5}) != -3 {
		t.Errorf("plane %v %v", p, ok)
	}
	if _, ok := PlaneThrough(Vec3{}, Vec3{1, 1, 1}, Vec3{2, 2, 2}); ok {
		t.Error("a line has a plane")
	}
	if d, ok := (Ray{Vec3{0, 5, 0}, Vec3{0, -1, 0}}).Plane(p); !ok || d != 3 {
		t.Errorf("ray meets the plane at %v %v", d, ok)
	}
}

func TestTransformBoundsCorners(t *testing.T) {
	m := mgl64.Translate3D(1, 2, 3).Mul4(mgl64.HomogRotate3DY(0.7)).Mul4(mgl64.Scale3D(-2, 1, 0.5))
	b := BoxOf(Vec3{-1, 0, 2}, Vec3{4, 1, 3})
	out := b.Transform(m)
	for i := range 8 {
		p := mgl64.TransformCoordinate(b.Corner(i), m)
		if out.DistanceTo(p) > 1e-12 {
			t.Errorf("corner %v outside %v", p, out)
		}
	}
	if !EmptyBox().Transform(m).IsEmpty() {
		t.Error("an empty box is not empty any more")
	}
}
