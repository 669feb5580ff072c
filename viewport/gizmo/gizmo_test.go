package gizmo

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/camera"
)

// dice draws plain uniform numbers from one drawn seed.
type dice struct{ *rand.Rand }

func roll(t *rapid.T) dice {
	return dice{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))}
}

func (d dice) between(a, b float64) float64 { return a + (b-a)*d.Float64() }

func (d dice) point(reach float64) geom.Vec3 {
	return geom.Vec3{d.between(-reach, reach), d.between(-reach, reach), d.between(-reach, reach)}
}

func (d dice) direction() geom.Vec3 {
	for {
		if v := d.point(1); v.Len() > 0.1 && v.Len() < 1 {
			return v.Normalize()
		}
	}
}

func (d dice) turned() mgl64.Quat { return mgl64.QuatRotate(d.between(-3, 3), d.direction()) }

// view is any view up to 100 km from the origin.
func (d dice) view() View {
	v := View{Size: mgl64.Vec2{1280, 720}, Scale: []float64{0, 1, 2}[d.IntN(3)]}
	v.Camera = camera.Camera{
		Eye: d.point(1e5), Yaw: d.between(-4, 4), Pitch: d.between(-1.55, 1.55),
		FovY: d.between(0.4, 1.6), Near: 0.1, Far: 5000,
	}
	if d.IntN(3) == 0 {
		v.Camera.Ortho, v.Camera.Height, v.Camera.Near = true, d.between(1, 2000), -1000
	}
	return v
}

// gizmo is any gizmo that the view shows.
func (d dice) gizmo(v View, m Mode) Gizmo {
	pixel := mgl64.Vec2{d.between(300, 980), d.between(200, 520)}
	r := v.Ray(pixel)
	return Gizmo{Mode: m, Space: Space(d.IntN(2)), Frame: Frame{r.At(math.Exp(d.between(0, 7))), d.turned()}}
}

// through is the line of sight through a point.
func through(v View, p geom.Vec3) geom.Ray {
	if v.Camera.Ortho {
		f := v.Camera.Forward()
		return geom.Ray{Origin: p.Sub(f.Mul(p.Sub(v.Camera.Eye).Dot(f))), Dir: f}
	}
	return geom.Ray{Origin: v.Camera.Eye, Dir: p.Sub(v.Camera.Eye).Normalize()}
}

func nearVec(t *rapid.T, what string, got, want geom.Vec3, tolerance float64) {
	t.Helper()
	if !(got.Sub(want).Len() <= tolerance) {
		t.Fatalf("%s is %v, want %v ± %g", what, got, want, tolerance)
	}
}

func near(t *rapid.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Fatalf("%s is %v, want %v ± %g", what, got, want, tolerance)
	}
}

func begin(t interface {
	Helper()
	Fatalf(string, ...any)
}, g Gizmo, h Handle, r geom.Ray, v View) *Drag {
	t.Helper()
	d, ok := g.Begin(h, r, v)
	if !ok {
		t.Fatalf("handle %d of %+v cannot be taken", h, g)
	}
	return d
}

// all are the handles of a mode.
func all(m Mode) []Handle {
	if m == Rotate {
		return []Handle{RingX, RingY, RingZ, RingView, Ball}
	}
	return []Handle{AxisX, AxisY, AxisZ, PlaneX, PlaneY, PlaneZ, Centre}
}

// looking is a view from (3, 4, 5)·distance at the origin.
func looking(distance float64) View {
	eye := geom.Vec3{3, 4, 5}.Normalize().Mul(distance)
	return View{Camera: camera.Look(eye, geom.Vec3{}), Size: mgl64.Vec2{1280, 720}, Scale: 1}
}

func TestSizeOnTheScreenIsConstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		g := d.gizmo(v, Move)
		// Turn it so that X goes right on the screen and Y up.
		r, u, f := v.Camera.Right(), v.Camera.Up(), v.Camera.Forward()
		g.Space, g.Omit = Local, Handles(0).With(AxisZ, PlaneX, PlaneY)
		g.Orientation = mgl64.Mat4ToQuat(mgl64.Mat4{r[0], r[1], r[2], 0, u[0], u[1], u[2], 0, -f[0], -f[1], -f[2], 0, 0, 0, 0, 1})
		middle, _ := v.Pixel(g.Origin)
		for axis, way := range []mgl64.Vec2{{1, 0}, {0, -1}} {
			at := func(dp, beside float64) geom.Ray {
				return v.Ray(middle.Add(way.Mul(dp * v.DP())).Add(mgl64.Vec2{way[1], -way[0]}.Mul(beside * v.DP())))
			}
			want := AxisX + Handle(axis)
			for _, k := range []struct {
				dp, beside float64
				want       Handle
			}{
				{ArmLength - 1, 0, want}, {ArmLength + 5, 0, want}, {ArmLength + 7, 0, None},
				{60, -5, want}, {60, -7, None}, {armStart, 0, want}, {0, 0, Centre}, {centreRadius - 1, 0, Centre},
			} {
				if got := g.Hover(at(k.dp, k.beside), v); got != k.want {
					t.Fatalf("%g dp along axis %d and %g beside: handle %d, expected %d", k.dp, axis, k.beside, got, k.want)
				}
			}
		}
		square := middle.Add(mgl64.Vec2{36, -36}.Mul(v.DP()))
		if got := g.Hover(v.Ray(square), v); got != PlaneZ {
			t.Fatalf("in the square: handle %d", got)
		}
	})
}

// What lies under the pointer is the handle that is nearest, of those that may be
// taken, by brute force over points of each.
func TestHoverFindsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		g := d.gizmo(v, Mode(d.IntN(3)))
		g.Omit = Handles(0).With(Ball)
		if d.IntN(2) == 0 {
			g.Omit = g.Omit.With(Handle(1 + d.IntN(int(Ball))))
		}
		middle, _ := v.Pixel(g.Origin)
		cursor := middle.Add(mgl64.Vec2{d.between(-110, 110), d.between(-110, 110)}.Mul(v.DP()))
		got := g.Hover(v.Ray(cursor), v)
		b, _ := g.body(&v)
		distance := func(h Handle) float64 {
			best := math.Inf(1)
			look := func(p geom.Vec3) {
				if q, ok := v.Pixel(p); ok {
					best = min(best, q.Sub(cursor).Len())
				}
			}
			kind, axis := h.axis()
			const n = 600
			for i := range n + 1 {
				k := float64(i) / n
				switch kind {
				case AxisX:
					look(b.along(axis, armStart+(ArmLength-armStart)*k))
				case PlaneX:
					c := b.square(axis)
					s, r := float64(i%25)/24, float64(i/25)/24
					look(c[0].Add(c[1].Sub(c[0]).Mul(r)).Add(c[3].Sub(c[0]).Mul(s)))
				case Centre:
					return max(0, middle.Sub(cursor).Len()-centreRadius*v.DP())
				case RingX, RingView:
					n, r := b.toward, viewRadius*b.dp
					if kind == RingX {
						n, r = b.axes[axis], RingRadius*b.dp
					}
					x, y := across(n)
					sin, cos := math.Sincos(k * 2 * math.Pi)
					p := x.Mul(r * cos).Add(y.Mul(r * sin))
					if kind == RingView || p.Dot(b.toward) < 0.1*r {
						look(b.origin.Add(p))
					}
				}
			}
			return best
		}
		if got != None && shown(got, &b.axes, b.toward) < grabbable {
			t.Fatalf("handle %d is grabbed although it is hardly to be seen", got)
		}
		const fine = 1.2 // pixels that the samples and the corners of rings are off
		mine := distance(got)
		for h := AxisX; h < Ball; h++ {
			if !g.offers(h) || shown(h, &b.axes, b.toward) < grabbable {
				if h == got {
					t.Fatalf("handle %d is not offered", h)
				}
				continue
			}
			if o := distance(h); o < min(mine, tolerance*v.DP())-fine*v.DP() {
				t.Fatalf("handle %d is %g px away, handle %d was chosen at %g", h, o, got, mine)
			}
		}
		if got != None && mine > (tolerance+fine)*v.DP() {
			t.Fatalf("handle %d is %g px away", got, mine)
		}
	})
}

func TestHandlesOfAView(t *testing.T) {
	v := looking(30)
	for _, c := range []struct {
		mode Mode
		at   func(b *body) geom.Vec3
		want Handle
	}{
		{Move, func(b *body) geom.Vec3 { return b.along(0, 70) }, AxisX},
		{Scale, func(b *body) geom.Vec3 { return b.along(1, 70) }, AxisY},
		{Move, func(b *body) geom.Vec3 { return b.along(2, 70) }, AxisZ},
		{Move, func(b *body) geom.Vec3 { return b.square(0)[0].Add(b.square(0)[2]).Mul(0.5) }, PlaneX},
		{Scale, func(b *body) geom.Vec3 { return b.square(1)[0].Add(b.square(1)[2]).Mul(0.5) }, PlaneY},
		{Move, func(b *body) geom.Vec3 { return b.square(2)[0].Add(b.square(2)[2]).Mul(0.5) }, PlaneZ},
		{Scale, func(b *body) geom.Vec3 { return b.origin }, Centre},
		{Rotate, func(b *body) geom.Vec3 { return geom.Vec3{0, 0.6, 0.8}.Mul(RingRadius * b.dp) }, RingX},
		{Rotate, func(b *body) geom.Vec3 { return geom.Vec3{0.8, 0, 0.6}.Mul(RingRadius * b.dp) }, RingY},
		{Rotate, func(b *body) geom.Vec3 { return geom.Vec3{0.8, 0.6, 0}.Mul(RingRadius * b.dp) }, RingZ},
		{Rotate, func(b *body) geom.Vec3 { return v.Camera.Up().Mul(viewRadius * b.dp) }, RingView},
		{Rotate, func(b *body) geom.Vec3 { return b.origin }, Ball},
		{Move, func(b *body) geom.Vec3 { return v.Camera.Up().Mul(200 * b.dp) }, None},
	} {
		g := Gizmo{Mode: c.mode}
		b, ok := g.body(&v)
		if !ok {
			t.Fatal("out of sight")
		}
		r := through(v, c.at(&b))
		if got := g.Hover(r, v); got != c.want {
			t.Errorf("mode %d at %v: handle %d, expected %d", c.mode, c.at(&b), got, c.want)
		}
		g.Omit = g.Omit.With(c.want, Ball)
		if got := g.Hover(r, v); got == c.want && got != None {
			t.Errorf("handle %d is left out and found", got)
		}
		if _, ok := g.Begin(c.want, r, v); ok {
			t.Errorf("handle %d is left out and taken", c.want)
		}
	}
}

// Of squares that overlap on the screen, the one in front is taken.
func TestTheHandleInFrontIsTaken(t *testing.T) {
	overlaps := 0
	for seed := range uint64(60) {
		d := dice{rand.New(rand.NewPCG(seed, 2))}
		v := d.view()
		g := d.gizmo(v, Move)
		b, _ := g.body(&v)
		for range 100 {
			at := b.square(d.IntN(3))
			r := through(v, at[0].Add(at[1].Sub(at[0]).Mul(d.Float64())).Add(at[3].Sub(at[0]).Mul(d.Float64())))
			front, want, n := math.Inf(1), None, 0
			for h := PlaneX; h <= PlaneZ; h++ {
				_, axis := h.axis()
				c := b.square(axis)
				_, one := r.Triangle(c[0], c[1], c[2])
				_, other := r.Triangle(c[0], c[2], c[3])
				if !one && !other || shown(h, &b.axes, b.toward) < grabbable {
					continue
				}
				n++
				if depth := b.view.depth(c[0].Add(c[2]).Mul(0.5)); depth < front {
					front, want = depth, h
				}
			}
			if got := g.Hover(r, v); n > 1 && got != want && got != Centre {
				t.Fatalf("handle %d is taken, %d is in front", got, want)
			}
			if n > 1 {
				overlaps++
			}
		}
	}
	if overlaps < 10 {
		t.Errorf("only %d overlaps were seen", overlaps)
	}
}

func TestEndOnAxesAndEdgeOnPlanesCannotBeGrabbed(t *testing.T) {
	for _, degrees := range []float64{0, 5, 9, 25, 45} {
		a := degrees * math.Pi / 180
		eye := geom.Vec3{math.Cos(a), 0, math.Sin(a)}.Mul(20)
		v := View{Camera: camera.Look(eye, geom.Vec3{}), Size: mgl64.Vec2{1280, 720}}
		g := Gizmo{Omit: Handles(0).With(Centre, PlaneX, PlaneY, PlaneZ)}
		b, _ := g.body(&v)
		got := g.Hover(through(v, b.along(0, 60)), v)
		if want := degrees > 20; (got == AxisX) != want {
			t.Errorf("an axis %g° off the line of sight: handle %d", degrees, got)
		}
		// The plane of x and y is seen at 90° less.
		g = Gizmo{Omit: Handles(0).With(Centre, AxisX, AxisY, AxisZ, PlaneX, PlaneY)}
		c := b.square(2)
		got = g.Hover(through(v, c[0].Add(c[2]).Mul(0.5)), v)
		if want := degrees > 8; (got == PlaneZ) != want {
			t.Errorf("a plane seen at %g°: handle %d", degrees, got)
		}
	}
}

func TestOutOfSight(t *testing.T) {
	v := looking(30)
	for _, at := range []geom.Vec3{{300, 400, 500}, v.Camera.Eye, v.Camera.Eye.Add(v.Camera.Forward().Mul(0.01))} {
		for m := range Mode(3) {
			g := Gizmo{Mode: m, Frame: Frame{Origin: at}}
			if h := g.Hover(v.Ray(mgl64.Vec2{640, 360}), v); h != None {
				t.Errorf("handle %d is hovered at %v", h, at)
			}
			for _, h := range all(m) {
				if _, ok := g.Begin(h, v.Ray(mgl64.Vec2{640, 360}), v); ok {
					t.Errorf("handle %d is taken at %v", h, at)
				}
			}
		}
	}
	// Handles of another mode.
	g := Gizmo{}
	for _, h := range append(all(Rotate), None, handleCount) {
		if _, ok := g.Begin(h, v.Ray(mgl64.Vec2{640, 360}), v); ok {
			t.Errorf("handle %d is taken while moving", h)
		}
	}
}

func TestMarqueeHoldsWhatAppearsInIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		a := mgl64.Vec2{d.between(-100, 1400), d.between(-100, 800)}
		b := mgl64.Vec2{d.between(-100, 1400), d.between(-100, 800)}
		if d.IntN(4) == 0 {
			b = a.Add(mgl64.Vec2{d.between(-3, 3), d.between(-3, 3)})
		}
		f := Marquee(a, b, v)
		for range 20 {
			pixel := mgl64.Vec2{d.between(-200, 1500), d.between(-200, 900)}
			if d.IntN(2) == 0 { // near it
				s := d.between(-0.1, 1.1)
				pixel = mgl64.Vec2{a[0] + (b[0]-a[0])*s, a[1] + (b[1]-a[1])*d.between(-0.1, 1.1)}
			}
			p := v.Ray(pixel).At(math.Exp(d.between(-3, 9)))
			q, depth, ok := v.Camera.Project(p, v.Size)
			inside, margin := ok, math.Inf(1)
			for k := range q {
				half := max(math.Abs(a[k]-b[k])/2, 0.5)
				m := half - math.Abs(q[k]-(a[k]+b[k])/2)
				inside, margin = inside && m > 0, min(margin, math.Abs(m))
			}
			for _, m := range []float64{depth - v.Camera.Near, v.Camera.Far - depth} {
				inside, margin = inside && m > 0, min(margin, math.Abs(m))
			}
			if margin > 1e-4 && f.Point(p) != inside {
				t.Fatalf("%v at %v, depth %g, of %v–%v: in the frustum %v", p, q, depth, a, b, f.Point(p))
			}
		}
	})
}
