package collide

import (
	"math"
	"time"

	"ridgeline/occluders/geom"
)

// Walker is a person who walks through a World: an upright capsule, whose lowest
// point is the feet.
//
// Standing, it goes where Input says, with the same speed seen from above whatever
// the slope, and stays on the ground: it walks down what falls away by up to StepUp.
// Walls, slopes steeper than MaxSlope and steps higher than StepUp stop it and turn
// it along them. The height of a step is measured from what it stands on to the
// edge it climbs. Edges so low that the round lower end of the capsule rolls over
// them are climbed likewise.
//
// Falling, it does not move sideways, unless it slides off something steep or
// AirControl says so. It lands on what is not too steep. Where it is wedged, it
// stands.
//
// Flying, with collision off, it passes through everything, keeps its height until
// Rise changes it, and nothing brings it back. When collision comes on again, it is
// pushed out of what it is in and falls to what is below; if the ground is above it
// and nothing below, it is put on the ground.
//
// Where nothing at all is below, it falls LostDepth and is then brought back to where
// it last stood firmly, half a second or more before it left the ground, however
// that has changed since. If there is nothing to stand on either, it is Adrift: it
// stays at that height, and moves sideways, until there is something below.
//
// The zero value does not work; NewWalker makes one. It is not for concurrent use.
type Walker struct {
	o     Walk
	level float64 // the cosine of MaxSlope

	state        State
	feet, before Vec3    // after and before the last tick
	fall         float64 // upwards, m/s
	floor        float64 // the height of what was last stood on
	onGround     bool    // that was the Ground
	left         float64 // the height at which standing ended
	lag          float64 // how far the eye is behind after a step, m
	lagBefore    float64

	rest  time.Duration // not yet ticked
	latch bool          // a jump is wanted since the last tick

	safe, next Vec3 // where it stood firmly, and where it did later
	steady     int  // ticks of standing firmly since next

	// settledIn and settledAt are the world, and its version, in which the last tick
	// without a wish changed nothing.
	settledIn *World
	settledAt uint64

	slider Slider
}

// NewWalker makes a walker at the origin, standing. Place puts it into a world.
func NewWalker(o Walk) (*Walker, error) {
	k := &Walker{}
	if err := k.SetWalk(o); err != nil {
		return nil, err
	}
	return k, nil
}

// SetWalk changes the numbers. An error names the first that is out of range, and
// nothing is changed.
func (k *Walker) SetWalk(o Walk) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o == (Walk{}) {
		o = DefaultWalk()
	}
	k.o, k.level = o, math.Cos(o.MaxSlope)-1e-6 // level ground is level, however it is rounded
	k.settledIn = nil
	return nil
}

// Walk gives the numbers.
func (k *Walker) Walk() Walk { return k.o }

// State tells what the walker does.
func (k *Walker) State() State { return k.state }

// Feet is where the walker stands, after the last whole inner step.
func (k *Walker) Feet() Vec3 { return k.feet }

// Eye is where it looks from: EyeHeight above the feet, but moving evenly between
// inner steps, and over stairs.
func (k *Walker) Eye() Vec3 {
	t := float64(k.rest) / float64(k.o.Tick)
	p := k.before.Add(k.feet.Sub(k.before).Mul(t))
	p[1] += k.o.EyeHeight + k.lagBefore + (k.lag-k.lagBefore)*t
	return p
}

// Collides reports whether collision is on.
func (k *Walker) Collides() bool { return k.state != Flying }

// SetCollision turns collision on or off.
func (k *Walker) SetCollision(on bool) {
	if on == k.Collides() {
		return
	}
	k.state, k.fall, k.left, k.floor = Flying, 0, k.feet[1], k.feet[1]
	if on {
		k.state, k.onGround = Falling, true
	}
	k.steady, k.settledIn = 0, nil
}

// Capsule is what must stay clear of everything solid.
func (k *Walker) Capsule() Capsule { return k.capsule(k.feet) }

func (k *Walker) capsule(feet Vec3) Capsule {
	a, b := feet, feet
	a[1] += k.o.Radius + Skin
	b[1] += k.o.Height - k.o.Radius
	return Capsule{a, b, k.o.Radius}
}

// Place puts the walker at x and z of p, on the highest surface at or below p on
// which there is room for it, else on the lowest such above. Where there is room
// nowhere it is put on the first of these all the same. ok is false if there is no
// surface at all, and then it is Adrift at p, and if p is not finite, and then it
// stays where it was. A walker whose collision is off is put at p itself.
func (k *Walker) Place(w *World, p Vec3) (ok bool) {
	if !finite(p) {
		return false
	}
	if k.state == Flying {
		k.jumpTo(p)
		return true
	}
	k.fall, k.latch = 0, false
	first, ok := k.floorFor(w, p)
	if !ok {
		k.jumpTo(p)
		k.state, k.safe, k.next = Adrift, p, p
		return false
	}
	k.state = Standing
	k.jumpTo(first)
	k.free(w)
	k.settle(w)
	k.jumpTo(k.feet)
	k.safe, k.next = k.feet, k.feet
	return true
}

// floors bounds how many surfaces floorFor tries each way.
const floors = 32

// floorFor looks for a surface to stand on at x and z of p.
func (k *Walker) floorFor(w *World, p Vec3) (at Vec3, ok bool) {
	for _, look := range [2]struct {
		next func(Vec3, *Filter) (float64, bool)
		step float64
	}{{w.HeightBelow, -2 * atPlace}, {w.HeightAbove, 2 * atPlace}} {
		q := p
		for range floors {
			y, there := look.next(q, nil)
			if !there {
				break
			}
			q[1] = y
			if !ok {
				at, ok = q, true
			}
			if k.fits(w, q) {
				return q, true
			}
			q[1] += look.step
		}
	}
	return at, ok
}

// fits reports whether a walker has room at p, if need be a little aside.
func (k *Walker) fits(w *World, p Vec3) bool {
	way, ok := k.slider.pushOut(w, k.capsule(p), Skin/4)
	return ok && way.Len() < k.o.Radius
}

// jumpTo moves without a path between.
func (k *Walker) jumpTo(p Vec3) {
	k.feet, k.before = p, p
	k.lag, k.lagBefore = 0, 0
	k.left, k.floor = p[1], p[1]
	k.steady, k.settledIn = 0, nil
}

// maxCatchUp bounds the time that one Update makes up for; more is dropped.
const maxCatchUp = 10 * time.Second

// Update lets dt pass, in whole inner steps; what is left of it counts at the next
// call. So the outcome depends on how much time passed with which input, not on how
// it was cut into calls. It reports whether the eye moved. More than ten seconds at
// once count as ten.
func (k *Walker) Update(w *World, in Input, dt time.Duration) (moved bool) {
	eye := k.Eye()
	in = in.clean()
	k.rest += min(max(dt, 0), maxCatchUp)
	for k.rest >= k.o.Tick {
		k.rest -= k.o.Tick
		tick := in
		tick.Jump = in.Jump || k.latch
		k.latch = false
		k.tick(w, tick)
	}
	// What is left belongs to the next inner step, and so does a jump wanted in it.
	k.latch = k.latch || in.Jump && k.rest > 0
	return k.Eye() != eye
}

// tick is one inner step.
func (k *Walker) tick(w *World, in Input) {
	k.before, k.lagBefore = k.feet, k.lag
	still := in.X == 0 && in.Z == 0 && !in.Jump
	if still && k.state == Standing && k.settledIn == w && k.settledAt == w.version {
		return
	}
	dt := k.o.Tick.Seconds()
	wish := Vec3{in.X, 0, in.Z}.Mul(k.o.Speed * dt)
	switch k.state {
	case Flying:
		k.feet = k.feet.Add(Vec3{in.X, in.Rise, in.Z}.Mul(k.o.FlySpeed * dt))
		return
	case Adrift:
		k.drift(w, wish)
		return
	}
	k.free(w)
	if k.state == Standing && in.Jump && k.o.Jump > 0 {
		k.leave()
		k.fall = k.o.Jump
	}
	if k.state == Standing {
		k.walk(w, wish)
	} else {
		k.drop(w, wish.Mul(k.o.AirControl), dt)
	}
	k.trail()
	k.settledIn = nil
	if still && k.state == Standing && k.feet == k.before && k.lag == 0 {
		k.settledIn, k.settledAt = w, w.version
	}
}

// walk goes by d, seen from above, in strides so short that none leaves the ground.
func (k *Walker) walk(w *World, d Vec3) {
	n := max(1, math.Ceil(d.Len()/(k.o.Radius/2)))
	for range int(n) {
		if k.stride(w, d.Mul(1/n)); k.state != Standing {
			return
		}
	}
}

func (k *Walker) stride(w *World, d Vec3) {
	length := d.Len()
	up := k.o.StepUp + max(0, k.floor-k.feet[1])
	c := k.capsule(k.feet)
	room := pathBox(c, d, 4*Skin)
	room.Min[1] -= k.o.StepUp + length
	room.Max[1] += up + length
	k.slider.near.cover(w, room, 0)
	if length > 0 {
		moved := k.slider.slide(w, c, d, k)
		if gain := moved.Dot(d) / length; gain < length-1e-9 && k.o.StepUp > 0 && k.climb(w, d, up, gain) {
			return
		}
		k.feet = k.feet.Add(moved)
	}
	k.settle(w)
}

// climb tries a stride from as high as a step may be and reports whether it stands
// on something then, and further on than gain.
func (k *Walker) climb(w *World, d Vec3, up, gain float64) bool {
	s := &k.slider
	rise := Vec3{0, up, 0}
	t, _, _ := s.sweep(w, k.capsule(k.feet), rise)
	p := k.feet.Add(rise.Mul(t))
	moved := s.slide(w, k.capsule(p), d, k)
	if moved.Dot(d)/d.Len() < gain+1e-6 {
		return false
	}
	p = p.Add(moved)
	down := Vec3{0, k.feet[1] - p[1] - k.o.StepUp, 0}
	t, _, ok := s.sweep(w, k.capsule(p), down)
	if !ok {
		return false
	}
	p = p.Add(down.Mul(t))
	on, ok := k.support(w, p)
	if !ok || on.Point[1] > k.floor+k.o.StepUp+2*Skin {
		return false
	}
	k.feet = p
	k.stand(on)
	return true
}

// settle keeps a walker that stands on the ground, or lets it fall.
func (k *Walker) settle(w *World) {
	down := Vec3{0, -k.o.StepUp - 2*Skin, 0}
	t, _, ok := k.slider.sweep(w, k.capsule(k.feet), down)
	if !ok {
		k.leave()
		return
	}
	p := k.feet.Add(down.Mul(t))
	if on, ok := k.support(w, p); ok {
		k.feet = p
		k.stand(on)
		return
	}
	if k.wedged(w, p) {
		k.feet, k.floor, k.steady = p, p[1], 0
		return
	}
	k.leave()
}

// wedged reports whether a walker at p, on nothing that it could stand on, would not
// get down either.
func (k *Walker) wedged(w *World, p Vec3) bool {
	const try = 0.02
	k.slider.contacts = k.slider.contacts[:0]
	return k.slider.slide(w, k.capsule(p), Vec3{0, -try, 0}, nil)[1] > -try/20
}

func (k *Walker) stand(on footing) {
	k.state, k.fall = Standing, 0
	k.floor, k.onGround = on.Point[1], on.Body == OnGround
	if !on.firm || on.Normal.Dot(on.Face) < 0.99 { // on an edge
		k.steady = 0
		return
	}
	if k.steady++; time.Duration(k.steady)*k.o.Tick >= time.Second/2 {
		k.safe, k.next, k.steady = k.next, k.feet, 0
	}
}

// leave begins a fall.
func (k *Walker) leave() {
	k.state, k.fall, k.left, k.steady = Falling, 0, k.feet[1], 0
}

// drop falls for one tick.
func (k *Walker) drop(w *World, d Vec3, dt float64) {
	before := k.fall
	k.fall = max(k.fall-k.o.Gravity*dt, -k.o.MaxFall)
	d[1] = (before + k.fall) / 2 * dt // exact between two ticks, whatever their length
	moved := k.slider.slide(w, k.capsule(k.feet), d, k)
	k.feet = k.feet.Add(moved)
	if d[1] > 0 {
		if moved[1] < d[1]-1e-9 { // a ceiling
			k.fall = 0
		}
		return
	}
	if on, ok := k.support(w, k.feet); ok && on.firm {
		k.stand(on)
		k.next, k.steady = k.feet, 0
		return
	}
	if moved[1] > d[1]/20 && k.wedged(w, k.feet) {
		k.state, k.fall, k.floor = Standing, 0, k.feet[1]
		return
	}
	k.left = max(k.left, k.feet[1])
	k.search(w)
}

// search brings a walker back that has nothing below it.
func (k *Walker) search(w *World) {
	buried := false
	if g := w.ground; g != nil && k.onGround {
		y, ok := g.Height(k.feet[0], k.feet[2])
		buried = ok && y > k.feet[1]
	}
	if !buried && k.left-k.feet[1] < k.o.LostDepth {
		return
	}
	if _, below := w.HeightBelow(k.feet, nil); below {
		return
	}
	if buried {
		k.Place(w, k.feet)
		return
	}
	k.back(w)
}

// back brings a walker to where it last stood firmly, or to what is there now.
func (k *Walker) back(w *World) {
	safe := k.safe
	k.jumpTo(safe)
	k.state, k.fall = Standing, 0
	if k.fits(w, safe) {
		k.free(w)
		k.settle(w)
		k.jumpTo(k.feet)
		if _, below := w.HeightBelow(k.feet, nil); below || k.state == Standing {
			return
		}
	}
	k.Place(w, safe)
}

// drift moves a walker that has nothing to stand on.
func (k *Walker) drift(w *World, d Vec3) {
	k.floor = k.feet[1]
	k.feet = k.feet.Add(k.slider.slide(w, k.capsule(k.feet), d, k))
	if _, ok := w.HeightBelow(k.feet, nil); ok {
		k.leave()
		return
	}
	if w.ground != nil {
		if _, ok := w.ground.Height(k.feet[0], k.feet[2]); ok {
			k.Place(w, k.feet)
		}
	}
}

// free moves a walker out of what it is in: up, if the ground was raised into it.
func (k *Walker) free(w *World) {
	if g := w.ground; g != nil {
		y, ok := g.Height(k.feet[0], k.feet[2])
		if ok && y > k.feet[1]+2*Skin && y < k.feet[1]+k.o.Height {
			k.feet[1] = y
		}
	}
	k.slider.near.cover(w, pathBox(k.capsule(k.feet), Vec3{}, k.o.StepUp), 0)
	if way, ok := k.slider.pushOut(w, k.capsule(k.feet), Skin/4); ok {
		k.feet = k.feet.Add(way)
	}
}

// trail lets the eye follow what the feet rose or sank in a step, and not by a
// slope.
func (k *Walker) trail() {
	if k.state == Standing {
		d := k.feet.Sub(k.before)
		even := math.Hypot(d[0], d[2])*math.Tan(min(k.o.MaxSlope, 1.4)) + Skin
		if step := d[1] - min(max(d[1], -even), even); step != 0 {
			k.lag -= step
		}
	}
	k.lag *= math.Exp(-k.o.Tick.Seconds() / 0.06)
	if math.Abs(k.lag) < 1e-4 {
		k.lag = 0
	}
}

// Bounds is the box around the walker's capsule.
func (k *Walker) Bounds() geom.Box { return pathBox(k.Capsule(), Vec3{}, 0) }
