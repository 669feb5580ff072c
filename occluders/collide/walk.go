package collide

import (
	"fmt"
	"math"
	"time"
)

// Walk holds the numbers of a Walker. The zero value stands for DefaultWalk; begin
// with that to change some.
type Walk struct {
	// Radius is that of the upright capsule, m; 0.05–5, default 0.35.
	Radius float64
	// Height is that of the whole capsule, m; from twice Radius and 1 cm up to 20,
	// default 1.8.
	Height float64
	// EyeHeight is that of the eye above the feet, m; 0.05–20, default 1.7.
	EyeHeight float64
	// Speed is how fast one walks, seen from above, m/s; 0–1000, default 5.
	Speed float64
	// FlySpeed is how fast one flies with collision off, m/s; 0–10 000, default 10.
	FlySpeed float64
	// Gravity is how fast a fall gets faster, m/s²; 0.01–1000, default 9.81.
	Gravity float64
	// MaxFall is how fast a fall gets, m/s; 0.1–1000, default 55.
	MaxFall float64
	// StepUp is the highest step that one climbs, and the deepest that one walks down
	// without falling, m; 0–5, default 0.64.
	StepUp float64
	// MaxSlope is the steepest ground to walk and stand on, radians from level; 0–1.5,
	// default 50°. One slides down what is steeper.
	MaxSlope float64
	// Jump is how fast a jump begins, m/s; 0–100, default 0: none.
	Jump float64
	// AirControl is the part of Speed with which one moves sideways in the air; 0–1,
	// default 0: not at all.
	AirControl float64
	// LostDepth is how far one falls where nothing is below, before being brought
	// back, m; 0–100 000, default 10.
	LostDepth float64
	// Tick is the inner step of time; 1 ms to 50 ms, default 1/120 s.
	Tick time.Duration
}

// DefaultWalk gives the defaults.
func DefaultWalk() Walk {
	return Walk{
		Radius: 0.35, Height: 1.8, EyeHeight: 1.7,
		Speed: 5, FlySpeed: 10, Gravity: 9.81, MaxFall: 55,
		StepUp: 0.64, MaxSlope: 50 * math.Pi / 180,
		LostDepth: 10, Tick: time.Second / 120,
	}
}

// Validate names the first number that is out of range.
func (o Walk) Validate() error {
	if o == (Walk{}) {
		return nil
	}
	for _, c := range []struct {
		name     string
		v        float64
		min, max float64
	}{
		{"radius", o.Radius, 0.05, 5},
		{"height", o.Height, 2*o.Radius + 0.01, 20},
		{"eye height", o.EyeHeight, 0.05, 20},
		{"speed", o.Speed, 0, 1000},
		{"flying speed", o.FlySpeed, 0, 10_000},
		{"gravity", o.Gravity, 0.01, 1000},
		{"greatest falling speed", o.MaxFall, 0.1, 1000},
		{"step height", o.StepUp, 0, 5},
		{"steepest slope", o.MaxSlope, 0, 1.5},
		{"jumping speed", o.Jump, 0, 100},
		{"control in the air", o.AirControl, 0, 1},
		{"depth of being lost", o.LostDepth, 0, 100_000},
		{"inner step in seconds", o.Tick.Seconds(), 0.001, 0.05},
	} {
		if !(c.v >= c.min && c.v <= c.max) {
			return fmt.Errorf("the %s of walking is %g, expected %g to %g", c.name, c.v, c.min, c.max)
		}
	}
	return nil
}

// State is what a Walker does.
type State uint8

// The states of a Walker.
const (
	Standing State = iota // or walking
	Falling               // or rising in a jump, or sliding down what is too steep
	Flying                // collision is off
	Adrift                // there is nothing to stand on below, nor at the last safe place
)

func (s State) String() string {
	return [...]string{"standing", "falling", "flying", "adrift"}[s]
}

// Input is what the user wants.
type Input struct {
	// X and Z are the direction in which to go, in the world; longer than 1 is cut to
	// 1, shorter is slower.
	X, Z float64
	// Rise is the way up (1) or down (−1) with collision off; else it has no effect.
	Rise float64
	// Jump asks for a jump, as long as it is held.
	Jump bool
}

// clean makes an input that is safe to use.
func (in Input) clean() Input {
	if l := math.Hypot(in.X, in.Z); l > 1 {
		in.X, in.Z = in.X/l, in.Z/l
	}
	if !finite(Vec3{in.X, in.Rise, in.Z}) {
		return Input{Jump: in.Jump}
	}
	in.Rise = min(max(in.Rise, -1), 1)
	return in
}

// footing is what a capsule stands on.
type footing struct {
	Contact
	// firm is standing on a slope that is not too steep, rather than on the edge of
	// one, as half way up a step.
	firm bool
}

// support looks for what holds a walker whose feet are at p.
func (k *Walker) support(w *World, p Vec3) (best footing, ok bool) {
	c := k.capsule(p)
	s := &k.slider
	s.near.cover(w, pathBox(c, Vec3{}, 2*Skin), 0)
	a, b := c.A.Sub(s.near.base), c.B.Sub(s.near.base)
	reach := c.Radius + 1.5*Skin
	for i := range s.near.pieces {
		pc := &s.near.pieces[i]
		if pc.lo[0] > a[0]+reach || pc.hi[0] < a[0]-reach || pc.lo[2] > a[2]+reach || pc.hi[2] < a[2]-reach || pc.lo[1] > a[1] || pc.hi[1] < a[1]-reach {
			continue
		}
		t := pc.closestTo(a, b)
		if t.d > reach || t.n[1] <= 0.01 {
			continue
		}
		// What the face of a triangle is too steep for, no edge of it is good for: near
		// the edge of a steep one, the next in the same plane is met at a lesser slope.
		f := footing{Contact: s.contact(touch{t, int32(i)}), firm: t.n[1] >= k.level}
		if f.Face[1] >= k.level && (!ok || t.n[1] > best.Normal[1]) {
			best, ok = f, true
		}
	}
	return best, ok
}

// turn implements turner for walking: what is not too steep leads up without taking
// from the motion seen from above, all else is an upright wall.
func (k *Walker) turn(s *Slider, rest Vec3) Vec3 {
	if k.state == Falling {
		return k.turnFalling(s, rest)
	}
	h := flat{rest[0], rest[2]}
	var walls [3 * maxTouches]flat
	n := 0
	for i := range s.touches {
		if t := &s.touches[i]; !k.ramp(s, t) {
			if f := (flat{t.n[0], t.n[2]}); f.len() > 1e-3 {
				walls[n] = f.unit()
				n++
			}
		}
	}
	v := h.aside(walls[:n])
	rise, ramp := k.rise(s, v)
	// A ceiling over a ramp is a wall across it: it must not be met by the way up.
	for round := 0; rise > 0 && round < 2; round++ {
		met := false
		for i := range s.touches {
			t := &s.touches[i].n
			if t[1] >= 0 || t[0]*v[0]+t[1]*rise+t[2]*v[1] >= -1e-9*h.len() {
				continue
			}
			met = true
			cross := flat{t[0] - t[1]/ramp[1]*ramp[0], t[2] - t[1]/ramp[1]*ramp[2]}
			if cross.len() < 1e-6 {
				return Vec3{}
			}
			walls[n] = cross.unit()
			n++
		}
		if !met {
			break
		}
		v = h.aside(walls[:n])
		rise, ramp = k.rise(s, v)
		if round == 1 {
			return Vec3{}
		}
	}
	return Vec3{v[0], rise, v[1]}
}

// ramp reports whether a touch leads up rather than stops: a slope, or an edge that
// is no higher than a step.
func (k *Walker) ramp(s *Slider, t *touch) bool {
	if t.n[1] < k.level {
		return false
	}
	p := &s.near.pieces[t.piece]
	if p.isBall() || math.Abs(p.n.Dot(t.n)) > 1-1e-6 {
		return true
	}
	return t.at[1]+s.near.base[1] <= k.floor+k.o.StepUp+Skin
}

// rise is how far up the ramps lead a motion v seen from above, and which of them.
func (k *Walker) rise(s *Slider, v flat) (rise float64, ramp Vec3) {
	for i := range s.touches {
		t := &s.touches[i]
		if !k.ramp(s, t) {
			continue
		}
		if y := -(t.n[0]*v[0] + t.n[2]*v[1]) / t.n[1]; y > rise {
			rise, ramp = y, t.n
		}
	}
	return rise, ramp
}

// turnFalling ends a fall on what one can stand on.
func (k *Walker) turnFalling(s *Slider, rest Vec3) Vec3 {
	if rest[1] <= 0 {
		for i := range s.touches {
			if t := s.touches[i]; t.n[1] >= k.level && s.contact(t).Face[1] >= k.level {
				return Vec3{}
			}
		}
	}
	return s.aside(rest)
}

// flat is a direction seen from above: x and z.
type flat [2]float64

func (a flat) dot(b flat) float64 { return a[0]*b[0] + a[1]*b[1] }
func (a flat) len() float64       { return math.Hypot(a[0], a[1]) }
func (a flat) unit() flat         { l := a.len(); return flat{a[0] / l, a[1] / l} }

// aside is the direction nearest to a that leads into none of the walls, which are
// unit normals.
func (a flat) aside(walls []flat) flat {
	tolerance := -1e-9 * a.len()
	free := func(v flat) bool {
		for _, n := range walls {
			if v.dot(n) < tolerance {
				return false
			}
		}
		return true
	}
	if free(a) {
		return a
	}
	best, most := flat{}, 0.0
	for _, n := range walls {
		d := a.dot(n)
		if v := (flat{a[0] - d*n[0], a[1] - d*n[1]}); v.dot(v) > most && free(v) {
			best, most = v, v.dot(v)
		}
	}
	return best
}
