package gizmo

import (
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// Whatever is drawn is finite and ahead of the viewer, and lies within the gizmo's
// measures unless a drag says otherwise.
func TestPictureIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		m := Mode(d.IntN(3))
		g := d.gizmo(v, m)
		var drag *Drag
		h := all(m)[d.IntN(len(all(m)))]
		middle, _ := v.Pixel(g.Origin)
		if d.IntN(2) == 0 {
			drag = begin(t, g, h, v.Ray(middle.Add(mgl64.Vec2{30, 20})), v)
			drag.Move(v.Ray(mgl64.Vec2{d.between(200, 1080), d.between(100, 620)}), v, Snap{})
		}
		var s overlay.Shapes
		g.Append(&s, v, h, drag)
		b, _ := g.body(&v)
		var points []geom.Vec3
		for _, e := range s.Segments {
			points = append(points, e.A, e.B)
		}
		for _, f := range s.Facets {
			points = append(points, f.P[:]...)
		}
		visible, labels := true, 0
		if drag != nil {
			_, visible = v.Metre(drag.Frame().Origin)
			labels = 1
		}
		if visible && (len(points) == 0 || len(s.Labels) != labels) {
			t.Fatalf("%d points and %d labels", len(points), len(s.Labels))
		}
		for _, p := range points {
			if !(p.Len() < 1e9) || !v.Camera.Ortho && !(v.depth(p) > 0) {
				t.Fatalf("a point at %v, depth %g", p, v.depth(p))
			}
			if drag == nil && !(p.Sub(g.Origin).Len() <= (viewRadius+1)*b.dp) {
				t.Fatalf("a point %g dp away", p.Sub(g.Origin).Len()/b.dp)
			}
		}
	})
}

func colours(s *overlay.Shapes) map[color.NRGBA]int {
	n := map[color.NRGBA]int{}
	for _, e := range s.Segments {
		n[e.Colour]++
	}
	return n
}

func TestPictureShowsWhatIsHovered(t *testing.T) {
	v := looking(30)
	for m := range Mode(3) {
		g := Gizmo{Mode: m}
		for _, h := range append(all(m), None) {
			var s overlay.Shapes
			g.Append(&s, v, h, nil)
			n := colours(&s)
			facets := 0
			for _, f := range s.Facets {
				if b := 2 * int(f.Colour.B); int(f.Colour.R) > b && int(f.Colour.G) > b {
					facets++
				}
			}
			if got := n[accent] > 0 || facets > 0; got != (h != None) {
				t.Errorf("mode %d, handle %d: %d lines and %d facets in the accent colour", m, h, n[accent], facets)
			}
			// The handles left out are not drawn.
			var all, less overlay.Shapes
			g.Append(&all, v, None, nil)
			part := g
			part.Omit = Handles(0).With(h)
			part.Append(&less, v, None, nil)
			if a, b := len(all.Segments)+len(all.Facets), len(less.Segments)+len(less.Facets); h != None && h != Ball && !(b < a) {
				t.Errorf("mode %d without handle %d has %d shapes of %d", m, h, b, a)
			}
		}
	}
}

func TestFarPartsOfRingsAreFaint(t *testing.T) {
	v := looking(30)
	g := Gizmo{Mode: Rotate, Omit: Handles(0).With(RingX, RingZ, RingView, Ball)}
	var s overlay.Shapes
	g.Append(&s, v, None, nil)
	faint := 0
	for _, e := range s.Segments {
		far := e.A.Add(e.B).Dot(v.Toward(geom.Vec3{})) > 0
		if e.Colour.A < 100 {
			faint++
			if !far {
				t.Errorf("a near part from %v is faint", e.A)
			}
		}
	}
	if faint < ringSteps/3 || faint > ringSteps/2 {
		t.Errorf("%d of %d parts are faint", faint, len(s.Segments))
	}
}

func TestPictureOfADrag(t *testing.T) {
	v := looking(30)
	// The gizmo goes along.
	g := Gizmo{}
	d := begin(t, g, AxisX, through(v, geom.Vec3{1, 0, 0}), v)
	d.Move(through(v, geom.Vec3{4, 0, 0}), v, Snap{})
	var s overlay.Shapes
	g.Append(&s, v, AxisY, d)
	tip := geom.Vec3{-math.MaxFloat64}
	for _, f := range s.Facets {
		for _, p := range f.P {
			if p[0] > tip[0] {
				tip = p
			}
		}
	}
	b, _ := (&Gizmo{Frame: d.Frame()}).body(&v)
	if want := (geom.Vec3{3 + ArmLength*b.dp, 0, 0}); !(tip.Sub(want).Len() < 1e-6) {
		t.Errorf("the tip is at %v, expected %v", tip, want)
	}
	if len(s.Labels) != 1 || s.Labels[0].Text != "ΔX 3.00 m" {
		t.Errorf("labels %v", s.Labels)
	}
	// What a ring has swept: its area is that of the angle.
	g = Gizmo{Mode: Rotate}
	for _, angle := range []float64{0.7, -2, 2*math.Pi + 1} {
		d = begin(t, g, RingY, through(v, geom.Vec3{1, 0, 0}), v)
		for k := range 101 {
			sin, cos := math.Sincos(angle * float64(k) / 100)
			d.Move(through(v, geom.Vec3{cos, 0, -sin}), v, Snap{})
		}
		s.Reset()
		g.Append(&s, v, None, d)
		area := 0.0
		for _, f := range s.Facets {
			area += f.P[1].Sub(f.P[0]).Cross(f.P[2].Sub(f.P[0])).Len() / 2
		}
		b, _ := g.body(&v)
		r := RingRadius * b.dp
		want := math.Mod(math.Abs(angle), 2*math.Pi) / 2 * r * r
		if math.Abs(angle) > 2*math.Pi {
			want += math.Pi * r * r
		}
		if !(math.Abs(area-want) < 0.01*want) {
			t.Errorf("turned by %g: the sector has %g m², expected %g", angle, area, want)
		}
	}
	// Out of sight there is nothing, not even a label.
	away := v
	away.Camera.Eye = geom.Vec3{0, 0, -50}
	away.Camera.Yaw, away.Camera.Pitch = 0, 0
	s.Reset()
	g.Append(&s, away, None, d)
	if !s.Empty() {
		t.Errorf("%d segments behind the viewer", len(s.Segments))
	}
}

func BenchmarkHoverAndAppend(b *testing.B) {
	v := looking(30)
	g := Gizmo{Mode: Rotate}
	var s overlay.Shapes
	r := through(v, geom.Vec3{1, 1, 0})
	for b.Loop() {
		s.Reset()
		g.Append(&s, v, g.Hover(r, v), nil)
	}
}
