package gizmo

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// press types keys: ← is Backspace and → is Tab.
func press(d *Drag, keys string) {
	for _, r := range keys {
		switch r {
		case '←':
			d.Backspace()
		case '→':
			d.Tab()
		default:
			d.Type(r)
		}
	}
}

func TestTypedMoves(t *testing.T) {
	v := looking(30)
	for _, c := range []struct {
		handle Handle
		keys   string
		want   geom.Vec3
		label  string
	}{
		{AxisX, "12.5", geom.Vec3{12.5, 0, 0}, "X 12.5 m"},
		{AxisX, "12,5", geom.Vec3{12.5, 0, 0}, "X 12.5 m"},
		{AxisY, "-3", geom.Vec3{0, -3, 0}, "Y −3 m"},
		{AxisY, "3-", geom.Vec3{0, -3, 0}, "Y −3 m"},
		{AxisY, "3--", geom.Vec3{0, 3, 0}, "Y 3 m"},
		{AxisY, "-3+", geom.Vec3{0, 3, 0}, "Y 3 m"},
		{AxisZ, "1.2.3", geom.Vec3{0, 0, 1.23}, "Z 1.23 m"},
		{AxisZ, ".5", geom.Vec3{0, 0, 0.5}, "Z .5 m"},
		{AxisZ, "-", geom.Vec3{}, "Z − m"},
		{AxisX, "15←←7", geom.Vec3{7, 0, 0}, "X 7 m"},
		{AxisX, "5y", geom.Vec3{0, 5, 0}, "Y 5 m"},
		{AxisX, "y5", geom.Vec3{0, 5, 0}, "Y 5 m"},
		{AxisX, "Y5y", geom.Vec3{5, 0, 0}, "X 5 m"},
		{AxisX, "1→2→-3", geom.Vec3{1, 2, -3}, "X 1  Y 2  Z −3 m"},
		{AxisX, "1→", geom.Vec3{1, 0, 0}, "X 1  Y … m"},
		{AxisX, "1→2→→←", geom.Vec3{0, 2, 0}, "X …  Y 2 m"},
		{PlaneX, "1→2", geom.Vec3{0, 1, 2}, "Y 1  Z 2 m"},
		{PlaneY, "4", geom.Vec3{4, 0, 0}, "X 4 m"},
		{PlaneZ, "4z", geom.Vec3{0, 0, 4}, "Z 4 m"},
		{Centre, "4", geom.Vec3{4, 0, 0}, "X 4 m"},
		{AxisX, "1e5", geom.Vec3{15, 0, 0}, "X 15 m"},
	} {
		g := Gizmo{}
		d := begin(t, g, c.handle, through(v, geom.Vec3{1, 1, 0}), v)
		d.Move(through(v, geom.Vec3{2, 2, 1}), v, Snap{Grid: 0.7})
		press(d, c.keys)
		got := d.Transform().Translation
		if !(got.Sub(c.want).Len() < 1e-12) || d.Label() != c.label {
			t.Errorf("handle %d, %q: %v, %q, expected %v, %q", c.handle, c.keys, got, d.Label(), c.want, c.label)
		}
		if again := d.Move(through(v, geom.Vec3{-2, 0, 1}), v, Snap{}).Translation; !(again.Sub(c.want).Len() < 1e-12) {
			t.Errorf("handle %d, %q: the pointer moves it to %v", c.handle, c.keys, again)
		}
	}
	// Along local axes.
	q := mgl64.QuatRotate(1, geom.Vec3{1, 2, 3}.Normalize())
	g := Gizmo{Space: Local, Frame: Frame{Orientation: q}}
	d := begin(t, g, AxisZ, through(v, geom.Vec3{}), v)
	press(d, "2")
	if got := d.Transform().Translation; !(got.Sub(q.Rotate(geom.Vec3{0, 0, 2})).Len() < 1e-12) {
		t.Errorf("locally by %v", got)
	}
}

func TestTypedTurns(t *testing.T) {
	v := looking(30)
	toEye := v.Camera.Forward().Mul(-1)
	for _, c := range []struct {
		handle Handle
		keys   string
		axis   geom.Vec3
		angle  float64
		label  string
	}{
		{RingX, "90", geom.Vec3{1, 0, 0}, 90, "X 90°"},
		{RingY, "-720", geom.Vec3{0, 1, 0}, -720, "Y −720°"},
		{RingY, "45z", geom.Vec3{0, 0, 1}, 45, "Z 45°"},
		{RingY, "45→", geom.Vec3{0, 0, 1}, 45, "Z 45°"},
		{RingZ, "→45", geom.Vec3{1, 0, 0}, 45, "X 45°"},
		{RingView, "30", toEye, 30, "30°"},
		{Ball, "30", toEye, 30, "30°"},
		{RingView, "30→", geom.Vec3{1, 0, 0}, 30, "X 30°"},
		{RingView, "30→→→→", toEye, 30, "30°"},
	} {
		g := Gizmo{Mode: Rotate}
		d := begin(t, g, c.handle, through(v, geom.Vec3{1, 1, 0}), v)
		d.Move(through(v, geom.Vec3{0, 1, 1}), v, Snap{Angle: 1})
		press(d, c.keys)
		got := d.Transform()
		if !(math.Abs(got.Angle-c.angle*math.Pi/180) < 1e-12) || !(got.Axis.Sub(c.axis).Len() < 1e-12) || d.Label() != c.label {
			t.Errorf("handle %d, %q: %v° about %v, %q, expected %g about %v, %q", c.handle, c.keys, got.Angle*180/math.Pi, got.Axis, d.Label(), c.angle, c.axis, c.label)
		}
		want := mgl64.QuatRotate(c.angle*math.Pi/180, c.axis)
		if p := (geom.Vec3{1, 2, 3}); !(got.Rotation.Rotate(p).Sub(want.Rotate(p)).Len() < 1e-9) {
			t.Errorf("handle %d, %q: rotation %v", c.handle, c.keys, got.Rotation)
		}
	}
}

func TestTypedScales(t *testing.T) {
	v := looking(30)
	for _, c := range []struct {
		handle Handle
		keys   string
		want   geom.Vec3
		label  string
	}{
		{AxisX, "2", geom.Vec3{2, 1, 1}, "X × 2"},
		{AxisX, "-1", geom.Vec3{-1, 1, 1}, "X × −1"},
		{AxisX, "0", geom.Vec3{MinFactor, 1, 1}, "X × 0"},
		{AxisX, "-", geom.Vec3{1, 1, 1}, "X × −"},
		{AxisX, "99999999", geom.Vec3{MaxFactor, 1, 1}, "X × 99999999"},
		{PlaneX, "3", geom.Vec3{1, 3, 3}, "× 3"},
		{Centre, ".5", geom.Vec3{0.5, 0.5, 0.5}, "× .5"},
		{Centre, "2→3", geom.Vec3{3, 2, 2}, "X × 3  × 2"},
		{Centre, "2y", geom.Vec3{1, 2, 1}, "Y × 2"},
		{AxisY, "2→3→4→", geom.Vec3{4, 2, 3}, "X × 4  Y × 2  Z × 3"},
	} {
		g := Gizmo{Mode: Scale}
		d := begin(t, g, c.handle, through(v, geom.Vec3{1, 1, 0}), v)
		d.Move(through(v, geom.Vec3{3, 1, 1}), v, Snap{})
		press(d, c.keys)
		if got := d.Transform().Scale; got != c.want || d.Label() != c.label {
			t.Errorf("handle %d, %q: %v, %q, expected %v, %q", c.handle, c.keys, got, d.Label(), c.want, c.label)
		}
	}
}

func TestThePointerCountsAgainOnceNothingIsTyped(t *testing.T) {
	v := looking(30)
	g := Gizmo{}
	d := begin(t, g, AxisX, through(v, geom.Vec3{}), v)
	d.Move(through(v, geom.Vec3{2.5, 0, 0}), v, Snap{})
	if got := d.Label(); got != "ΔX 2.50 m" {
		t.Errorf("label %q", got)
	}
	press(d, "7")
	if !d.Backspace() || d.Backspace() {
		t.Error("Backspace miscounts")
	}
	if got := d.Transform().Translation; !(got.Sub(geom.Vec3{2.5, 0, 0}).Len() < 1e-9) {
		t.Errorf("after Backspace it moves by %v", got)
	}
	// An axis key alone leads the pointer along that axis, and back.
	d.Move(through(v, geom.Vec3{0, 0, -1.5}), v, Snap{})
	press(d, "z")
	if got := d.Transform().Translation; !(got.Sub(geom.Vec3{0, 0, -1.5}).Len() < 1e-9) || d.Handle() != AxisZ {
		t.Errorf("along Z it moves by %v, handle %d", got, d.Handle())
	}
	press(d, "z")
	if d.Handle() != AxisX {
		t.Errorf("handle %d", d.Handle())
	}
	for _, r := range "abc e%/\t\n" {
		if d.Type(r) {
			t.Errorf("%q has a use", r)
		}
	}
	g.Omit = g.Omit.With(AxisY)
	d = begin(t, g, AxisX, through(v, geom.Vec3{}), v)
	if d.Type('y') {
		t.Error("an axis that is left out is chosen by key")
	}
	press(d, "1→2")
	if got := d.Transform().Translation; got != (geom.Vec3{1, 0, 2}) {
		t.Errorf("Tab goes to an axis that is left out: %v", got)
	}
}

func TestLabels(t *testing.T) {
	v := looking(30)
	for _, c := range []struct {
		mode   Mode
		handle Handle
		to     geom.Vec3
		snap   Snap
		want   string
	}{
		{Move, PlaneY, geom.Vec3{3, 0, -0.5}, Snap{}, "ΔX 2.00  ΔZ −0.50 m"},
		{Move, AxisX, geom.Vec3{1, 0, 0}, Snap{}, "ΔX 0.00 m"},
		{Move, AxisX, geom.Vec3{0.9999, 0, 0}, Snap{}, "ΔX 0.00 m"},
		{Rotate, RingY, geom.Vec3{1, 0, -1}, Snap{}, "ΔY 45.0°"},
		{Rotate, RingY, geom.Vec3{1, 0, -0.9}, Snap{Angle: math.Pi / 2}, "ΔY 0.0°"},
		{Rotate, RingView, geom.Vec3{1, 0, 0}, Snap{}, "Δ 0.0°"},
		{Scale, AxisX, geom.Vec3{1.25, 0, 0}, Snap{}, "X × 1.25"},
		{Scale, PlaneY, geom.Vec3{2, 0, 1}, Snap{}, "X Z × 3.00"},
		{Scale, Centre, geom.Vec3{1, 0, 0}, Snap{}, "× 1.00"},
	} {
		g := Gizmo{Mode: c.mode}
		d := begin(t, g, c.handle, through(v, geom.Vec3{1, 0, 0}), v)
		d.Move(through(v, c.to), v, c.snap)
		if got := d.Label(); got != c.want {
			t.Errorf("mode %d, handle %d: label %q, expected %q", c.mode, c.handle, got, c.want)
		}
	}
}

// Whatever is typed, the answer is a number, and taking it all back brings the
// pointer back.
func TestAnythingCanBeTyped(t *testing.T) {
	keys := []rune("0123456789.,-+xyzXYZ→←q")
	rapid.Check(t, func(t *rapid.T) {
		d := roll(t)
		v := d.view()
		m := Mode(d.IntN(3))
		g := d.gizmo(v, m)
		middle, _ := v.Pixel(g.Origin)
		drag := begin(t, g, all(m)[d.IntN(len(all(m)))], v.Ray(middle.Add(mgl64.Vec2{20, 20})), v)
		typed := ""
		for range d.IntN(40) {
			typed += string(keys[d.IntN(len(keys))])
		}
		press(drag, typed)
		got := drag.Transform()
		if !(got.Translation.Len() < 1e13) || !(math.Abs(got.Angle) < 1e12) || !(math.Abs(got.Rotation.Len()-1) < 1e-6) {
			t.Fatalf("%q gives %+v", typed, got)
		}
		for _, f := range got.Scale {
			if !(math.Abs(f) >= MinFactor && math.Abs(f) <= MaxFactor) {
				t.Fatalf("%q scales by %v", typed, got.Scale)
			}
		}
		if l := drag.Label(); !utf8.ValidString(l) || strings.Contains(l, "NaN") || l == "" {
			t.Fatalf("%q is labelled %q", typed, l)
		}
		for range 4 {
			for drag.Backspace() {
			}
			drag.Tab()
		}
		if drag.entry.any() {
			t.Fatalf("%q cannot be taken back: %+v", typed, drag.entry)
		}
	})
}

// What is no axis of the world isn't called by the name of one.
func TestNamedAxes(t *testing.T) {
	v := looking(30)
	g := Gizmo{Names: [3]string{"along", "out", "across"}}
	d := begin(t, g, AxisX, through(v, geom.Vec3{1, 0, 0}), v)
	d.Move(through(v, geom.Vec3{2.5, 0, 0}), v, Snap{})
	if got := d.Label(); got != "along 1.50 m" {
		t.Errorf("moved: %q", got)
	}
	press(d, "5→2")
	if got := d.Label(); got != "along 5  out 2 m" {
		t.Errorf("typed: %q", got)
	}
}
