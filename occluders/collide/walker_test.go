package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

const tick = time.Second / 120

func newWalker(t testing.TB, w *World, o Walk, at Vec3) *Walker {
	t.Helper()
	k, err := NewWalker(o)
	if err != nil {
		t.Fatal(err)
	}
	if !k.Place(w, at) {
		t.Fatalf("nothing to stand on at %v", at)
	}
	return k
}

func plain(height float64) slope {
	return slope{-30, -30, 60, 1, func(c, r int) float64 { return height }, nil}
}

// boxBody is a box that stands in the world.
func boxBody(lo, hi Vec3) Body { return Body{Mesh: meshOf(boxTris(lo, hi)...)} }

func TestWalkingOnLevelGround(t *testing.T) {
	w := newWorld(t, plain(7))
	k := newWalker(t, w, Walk{}, Vec3{0.3, 20, 0.4})
	if k.State() != Standing || k.Feet().Sub(Vec3{0.3, 7, 0.4}).Len() > 1e-6 {
		t.Fatalf("%v at %v", k.State(), k.Feet())
	}
	if e := k.Eye(); math.Abs(e[1]-8.7) > 1e-6 {
		t.Errorf("the eye is at %v", e)
	}
	k.Update(w, Input{X: 3, Z: 4}, 3*time.Second)
	if want := (Vec3{0.3 + 9, 7, 0.4 + 12}); k.Feet().Sub(want).Len() > 1e-5 {
		t.Errorf("after 3 s it stands at %v, expected %v", k.Feet(), want)
	}
	k.Update(w, Input{X: -0.5}, time.Second)
	if want := (Vec3{9.3 - 2.5, 7, 12.4}); k.Feet().Sub(want).Len() > 1e-5 {
		t.Errorf("at half speed it comes to %v, expected %v", k.Feet(), want)
	}
	k.Update(w, Input{}, tick)
	if k.Update(w, Input{}, time.Second) || k.Update(w, Input{X: math.NaN(), Z: 1}, time.Second) || k.Update(w, Input{X: 1}, -time.Hour) {
		t.Error("it moved without a wish")
	}
}

// flight is n steps of a height and depth towards +x, from x = 0, with a landing.
func flight(n int, rise, depth float64) Body {
	var ts []tri
	for i := range n {
		x := float64(i) * depth
		ts = append(ts, boxTris(Vec3{x, float64(i) * rise, -3}, Vec3{x + depth + 6, float64(i+1) * rise, 3})...)
	}
	return Body{Mesh: meshOf(ts...)}
}

func TestStairs(t *testing.T) {
	for _, rise := range []float64{0.05, 0.2, 0.34, 0.6, 0.64, 0.66, 0.7, 1.5} {
		for _, depth := range []float64{0.3, 1} {
			for _, speed := range []float64{0.4, 5, 40} {
				for _, angle := range []float64{0, 35} {
					if speed < 5 && (angle > 0 || depth > 0.5) {
						continue
					}
					t.Run(fmt.Sprintf("rise%g/depth%g/speed%g/angle%g", rise, depth, speed, angle), func(t *testing.T) {
						const n = 3
						w := newWorld(t, plain(0), flight(n, rise, depth))
						ts := all(w)[:12*n]
						o := DefaultWalk()
						o.Speed = speed
						k := newWalker(t, w, o, Vec3{-1, 0, -1})
						a := angle * math.Pi / 180
						in := Input{X: math.Cos(a), Z: math.Sin(a) * 0.3}
						far := 1.5 + float64(n)*depth
						for i := range int(2.5*far/speed*120) + 60 {
							k.Update(w, in, tick)
							if i%7 == 0 && clearance(ts, k.Capsule()) < Skin/4 {
								t.Fatalf("gap %v at %v", clearance(ts, k.Capsule()), k.Feet())
							}
							if k.State() != Standing {
								t.Fatalf("%v at %v", k.State(), k.Feet())
							}
							if k.Feet()[0] > 1+float64(n)*depth {
								break
							}
						}
						want := 0.0
						if rise <= 0.64 {
							want = n * rise
						}
						if math.Abs(k.Feet()[1]-want) > 2e-3 {
							t.Fatalf("it stands at %v, expected a height of %v", k.Feet(), want)
						}
						if want == 0 {
							return
						}
						// And down again, without falling.
						down := Input{X: -1}
						for range int(2.5*far/speed*120) + 120 {
							k.Update(w, down, tick)
							if k.State() != Standing {
								t.Fatalf("it falls down the stairs at %v", k.Feet())
							}
							if k.Feet()[0] < -1 {
								break
							}
						}
						if math.Abs(k.Feet()[1]) > 2e-3 {
							t.Fatalf("down the stairs it stands at %v", k.Feet())
						}
					})
				}
			}
		}
	}
}

func TestEyeFollowsStairsEvenly(t *testing.T) {
	w := newWorld(t, plain(0), flight(4, 0.6, 1))
	k := newWalker(t, w, Walk{}, Vec3{-2, 0, 0})
	last := k.Eye()[1]
	for range 240 {
		k.Update(w, Input{X: 1}, tick)
		if d := math.Abs(k.Eye()[1] - last); d > 0.11 {
			t.Fatalf("the eye jumps by %v at %v", d, k.Feet())
		}
		last = k.Eye()[1]
	}
	k.Update(w, Input{}, time.Second)
	if d := k.Eye()[1] - k.Feet()[1]; math.Abs(d-1.7) > 1e-9 {
		t.Errorf("the eye stays %v above the feet", d)
	}
}

// Over rough ground of slopes that can be walked, every tick goes its full way in its
// direction, and the eye never jumps.
func TestRoughGroundDoesNotHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		at := Vec3{}
		if r.IntN(2) == 0 {
			at = Vec3{-100_000, 90, 100_000}
		}
		g := hills(r, at, 30)
		rough := g.height
		g.height = func(c, r int) float64 { return at[1] + (rough(c, r)-at[1])*0.25 }
		g.hole = nil
		w := newWorldT(t, g)
		k, err := NewWalker(Walk{})
		if err != nil {
			t.Fatal(err)
		}
		k.Place(w, at)
		for range 4 {
			a := r.Float64() * 2 * math.Pi
			in := Input{X: math.Cos(a), Z: math.Sin(a)}
			for range 60 {
				before, eye := k.Feet(), k.Eye()
				k.Update(w, in, tick)
				d := k.Feet().Sub(before)
				want := Vec3{in.X, 0, in.Z}.Mul(5.0 / 120)
				if math.Hypot(d[0]-want[0], d[2]-want[2]) > 1e-6 || k.State() != Standing {
					t.Fatalf("%v: a tick goes %v, expected %v", k.State(), d, want)
				}
				if math.Abs(k.Eye()[1]-eye[1]) > 0.08 {
					t.Fatalf("the eye jumps from %v to %v", eye, k.Eye())
				}
			}
		}
	})
}

func TestNarrowCorridors(t *testing.T) {
	for _, width := range []float64{0.69, 0.71, 0.8, 1.2} {
		// Along x, then along z from x = 4 on.
		h := width / 2
		w := newWorld(t, plain(0),
			boxBody(Vec3{0, 0, h}, Vec3{4 - h, 3, 9}), boxBody(Vec3{0, 0, -9}, Vec3{9, 3, -h}), boxBody(Vec3{4 + h, 0, -h}, Vec3{9, 3, 9}))
		ts := all(w)
		k := newWalker(t, w, Walk{}, Vec3{-2, 0, 0.2})
		for range 480 {
			k.Update(w, Input{X: 1, Z: 0.7}, tick)
			if clearance(ts, k.Capsule()) < Skin/4 || k.State() != Standing {
				t.Fatalf("width %v: %v at %v, gap %v", width, k.State(), k.Feet(), clearance(ts, k.Capsule()))
			}
			if k.Feet()[0] < -0.3 { // get before the entrance
				k.Update(w, Input{Z: -math.Copysign(min(1, math.Abs(k.Feet()[2])*24), k.Feet()[2])}, tick)
			}
		}
		if through := k.Feet()[2] > 3; through != (width > 0.702) {
			t.Errorf("through a corridor of %v m it came to %v", width, k.Feet())
		}
	}
}

// ramp is level up to x = 0 and rises after that.
func ramp(degrees float64) slope {
	s := math.Tan(degrees * math.Pi / 180)
	return slope{-30, -30, 60, 1, func(c, r int) float64 { return s * float64(max(0, c-30)) }, nil}
}

func TestSlopes(t *testing.T) {
	for _, degrees := range []float64{5, 20, 40, 49, 51, 60, 80} {
		w := newWorld(t, ramp(degrees))
		ts := all(w)
		k := newWalker(t, w, Walk{}, Vec3{-2, 0, 0.3})
		last := k.Feet()
		for i := range 240 {
			k.Update(w, Input{X: 1, Z: 0.1}, tick)
			step := k.Feet().Sub(last)
			last = k.Feet()
			if k.State() != Standing || clearance(ts, k.Capsule()) < Skin/4 {
				t.Fatalf("%v°: %v at %v", degrees, k.State(), k.Feet())
			}
			if degrees < 50 && math.Abs(math.Hypot(step[0], step[2])-5.0/120) > 1e-6 {
				t.Fatalf("%v°: step %d goes %v", degrees, i, step)
			}
			if up := step[0] * math.Tan(degrees*math.Pi/180); degrees < 50 && i > 60 && math.Abs(step[1]-up) > Skin {
				t.Fatalf("%v°: step %d jumps by %v, expected %v", degrees, i, step[1], up)
			}
		}
		if degrees > 50 && k.Feet()[1] > 0.2 || degrees < 50 && k.Feet()[0] < 6 {
			t.Errorf("up %v° it came to %v", degrees, k.Feet())
		}
		if degrees > 50 && k.Feet()[2] < 1 {
			t.Errorf("it did not go along the slope of %v°: %v", degrees, k.Feet())
		}
		k.Update(w, Input{}, tick)
		stands := k.Feet()
		if k.Update(w, Input{}, 2*time.Second); k.Feet() != stands {
			t.Errorf("standing on %v° it slides from %v to %v", degrees, stands, k.Feet())
		}
		if degrees > 50 {
			// Put on the steep part, it slides down.
			k.Place(w, Vec3{5, 50, 0})
			if k.Update(w, Input{}, 5*time.Second); k.State() != Standing || k.Feet()[0] > 0.5 {
				t.Errorf("on %v° it is %v at %v", degrees, k.State(), k.Feet())
			}
			continue
		}
		for i := range 240 {
			before := k.Feet()
			k.Update(w, Input{X: -1}, tick)
			if k.State() != Standing {
				t.Fatalf("down %v° it is %v at step %d", degrees, k.State(), i)
			}
			if d := k.Feet()[0] - before[0]; math.Abs(d+5.0/120) > 1e-6 {
				t.Fatalf("down %v° step %d goes %v", degrees, i, d)
			}
		}
	}
}

func TestFallingDoesNotMoveSideways(t *testing.T) {
	w := newWorld(t, plain(0), boxBody(Vec3{-10, 0, -10}, Vec3{0, 6, 10}))
	k := newWalker(t, w, Walk{}, Vec3{-1, 8, 0})
	falling := 0
	var at Vec3
	for range 240 {
		k.Update(w, Input{X: 1, Z: 0.5}, tick)
		if k.State() != Falling {
			continue
		}
		if falling++; falling == 1 {
			at = k.Feet()
		}
		if k.Feet()[0] != at[0] || k.Feet()[2] != at[2] {
			t.Fatalf("while falling it goes from %v to %v", at, k.Feet())
		}
	}
	// From 6 m, less what it rolls over the edge, it takes √(2·h/g).
	if s := float64(falling) / 120; math.Abs(s-math.Sqrt(2*5.7/9.81)) > 0.1 {
		t.Errorf("it fell for %v s", s)
	}
	if k.State() != Standing || math.Abs(k.Feet()[1]) > 1e-6 || k.Feet()[0] < 1 {
		t.Errorf("%v at %v", k.State(), k.Feet())
	}
}

func TestWallsStopAndLead(t *testing.T) {
	w := newWorld(t, plain(0), boxBody(Vec3{2, -1, -20}, Vec3{2.01, 5, 20}), boxBody(Vec3{-5, -1, 8}, Vec3{5, 5, 9}))
	for _, speed := range []float64{1, 5, 1000} {
		o := DefaultWalk()
		o.Speed = speed
		k := newWalker(t, w, o, Vec3{0, 0, 0})
		for range 200 {
			k.Update(w, Input{X: 1}, tick)
		}
		if x := k.Feet()[0]; math.Abs(x-(2-0.35-Skin)) > 1e-3 || math.Abs(k.Feet()[1]) > 1e-6 {
			t.Errorf("at %v m/s it stands at %v", speed, k.Feet())
		}
		for range int(20 / speed * 120) {
			k.Update(w, Input{X: 1, Z: 1}, tick)
		}
		if p := k.Feet(); math.Abs(p[0]-(2-0.35-Skin)) > 1e-3 || math.Abs(p[2]-(8-0.35-Skin)) > 1e-3 {
			t.Errorf("at %v m/s it is not in the corner but at %v", speed, p)
		}
		k.Update(w, Input{X: -1, Z: -1}, time.Duration(max(2/speed, 0.05)*1e9))
		if k.Feet()[0] > 1 || k.Feet()[2] > 7 {
			t.Errorf("at %v m/s it is held in the corner at %v", speed, k.Feet())
		}
	}
}

func TestCeilings(t *testing.T) {
	// A roof that comes down to 1 m, over level ground.
	w := newWorld(t, plain(0), Body{Mesh: meshOf(
		tri{{-20, 11, -20}, {20, 1, -20}, {20, 1, 20}}, tri{{-20, 11, -20}, {20, 1, 20}, {-20, 11, 20}})})
	ts := all(w)
	k := newWalker(t, w, Walk{}, Vec3{0, 0, 0})
	for range 20 * 120 {
		k.Update(w, Input{X: 1, Z: 0.2}, tick)
		if k.State() != Standing || clearance(ts, k.Capsule()) < Skin/4 {
			t.Fatalf("%v at %v", k.State(), k.Feet())
		}
	}
	if x := k.Feet()[0]; x < 14 || x > 17 {
		t.Errorf("it came to %v under a roof that leaves 1.8 m at 16.8", k.Feet())
	}
	k.Update(w, Input{X: -1}, 2*time.Second)
	if k.Feet()[0] > 8 {
		t.Errorf("it is held under the roof at %v", k.Feet())
	}
}

// A ceiling over a slope stops a walker who comes up the slope, and leads along.
func TestCeilingOverASlope(t *testing.T) {
	for _, tilt := range []float64{0, 0.1} { // of the ceiling along the slope
		w := newWorld(t, ramp(30), Body{Mesh: meshOf(
			tri{{-20, 4 + 20*tilt, -30}, {20, 4 - 20*tilt, -30}, {20, 4 - 20*tilt, 30}},
			tri{{-20, 4 + 20*tilt, -30}, {20, 4 - 20*tilt, 30}, {-20, 4 + 20*tilt, 30}})})
		ts := all(w)
		k := newWalker(t, w, Walk{}, Vec3{0, 0, 0})
		for range 360 {
			k.Update(w, Input{X: 0.8, Z: 0.6}, tick)
			if k.State() != Standing || clearance(ts, k.Capsule()) < Skin/4 {
				t.Fatalf("%v at %v, gap %v", k.State(), k.Feet(), clearance(ts, k.Capsule()))
			}
		}
		if p := k.Feet(); p[0] < 2.5 || p[0] > 4.2 || math.Abs(p[2]-9) > 0.1 {
			t.Errorf("tilt %v: it came to %v", tilt, p)
		}
		if k.Update(w, Input{X: -1}, time.Second); k.Feet()[0] > 0 {
			t.Errorf("tilt %v: it is held at %v", tilt, k.Feet())
		}
	}
}

func TestFallingOffTheWorldBringsBack(t *testing.T) {
	w := newWorld(t, plain(3))
	k := newWalker(t, w, Walk{}, Vec3{25, 3, 0})
	fell, lowest := false, 0.0
	for range 4 * 120 {
		in := Input{X: 1}
		if fell {
			in = Input{}
		}
		k.Update(w, in, tick)
		fell = fell || k.State() == Falling
		lowest = min(lowest, k.Feet()[1])
	}
	if !fell || lowest > -6 || lowest < -9 {
		t.Errorf("it fell to %v", lowest)
	}
	k.Update(w, Input{}, 10*time.Second)
	if p := k.Feet(); k.State() != Standing || math.Abs(p[1]-3) > 1e-6 || p[0] < 24 || p[0] > 30 {
		t.Errorf("it is %v at %v", k.State(), p)
	}
}

func TestHolesAreFallenThrough(t *testing.T) {
	g := plain(0)
	g.hole = func(c, r int) bool { return c >= 32 && c < 34 && r >= 28 && r < 32 }
	// Without anything below, it comes back to where it was before the hole.
	w := newWorld(t, g)
	k := newWalker(t, w, Walk{}, Vec3{-2, 0, 0})
	low := 0.0
	for range 6 * 120 {
		in := Input{X: 1}
		if k.State() == Falling || low < -5 {
			in = Input{}
		}
		k.Update(w, in, tick)
		low = min(low, k.Feet()[1])
	}
	if p := k.Feet(); low > -5 || k.State() != Standing || math.Abs(p[1]) > 1e-6 || p[0] > 1.7 {
		t.Errorf("from a depth of %v it came back to %v", low, p)
	}
	// A cellar below the hole is reached, and walked in, under the ground.
	w = newWorld(t, g, boxBody(Vec3{-8, -5, -8}, Vec3{8, -4.5, 8}))
	k = newWalker(t, w, Walk{}, Vec3{1, 0, 0})
	for range 4 * 120 {
		k.Update(w, Input{X: 1}, tick)
	}
	if p := k.Feet(); k.State() != Standing || math.Abs(p[1]+4.5) > 1e-6 || p[0] < 4 {
		t.Errorf("in the cellar it is %v at %v", k.State(), p)
	}
}

func TestCollisionOff(t *testing.T) {
	w := newWorld(t, plain(0), boxBody(Vec3{2, -1, -20}, Vec3{3, 5, 20}))
	k := newWalker(t, w, Walk{}, Vec3{0, 0, 0})
	k.SetCollision(false)
	k.Update(w, Input{X: 1}, time.Second)
	if k.Feet().Sub(Vec3{10, 0, 0}).Len() > 1e-5 || k.State() != Flying {
		t.Errorf("it flew to %v", k.Feet())
	}
	k.Update(w, Input{Rise: -1}, 3*time.Second)
	if k.Feet().Sub(Vec3{10, -30, 0}).Len() > 1e-5 {
		t.Errorf("it flew to %v", k.Feet())
	}
	k.SetCollision(true)
	if k.Update(w, Input{}, time.Second); k.State() != Standing || k.Feet().Sub(Vec3{10, 0, 0}).Len() > 1e-5 {
		t.Errorf("from under the ground it came to %v (%v)", k.Feet(), k.State())
	}
	k.SetCollision(false)
	k.Update(w, Input{X: -0.75}, time.Second) // into the wall
	k.SetCollision(true)
	ts := all(w)
	if k.Update(w, Input{}, time.Second); k.State() != Standing || clearance(ts, k.Capsule()) < 0 {
		t.Errorf("in the wall it is %v at %v", k.State(), k.Feet())
	}
	k.SetCollision(false)
	k.Update(w, Input{Rise: 1}, time.Second)
	k.SetCollision(true)
	if k.Update(w, Input{}, 5*time.Second); k.State() != Standing || clearance(ts, k.Capsule()) < 0 {
		t.Errorf("from above it is %v at %v", k.State(), k.Feet())
	}
}

func TestGroundThatChangesCarriesTheWalker(t *testing.T) {
	w := newWorld(t, plain(0))
	k := newWalker(t, w, Walk{}, Vec3{0, 0, 0})
	for _, y := range []float64{0.01, 0.3, 1, 2.5, 40, 39.5, 35, -200} {
		w.SetGround(plain(y))
		k.Update(w, Input{}, 9*time.Second)
		if p := k.Feet(); k.State() != Standing || p.Sub(Vec3{0, y, 0}).Len() > 1e-5 {
			t.Fatalf("on ground at %v it is %v at %v", y, k.State(), p)
		}
	}
	w.SetGround(nil)
	if k.Update(w, Input{}, 10*time.Second); k.State() != Adrift {
		t.Fatalf("without a world it is %v at %v", k.State(), k.Feet())
	}
	k.Update(w, Input{X: 1}, time.Second)
	if math.Abs(k.Feet()[0]-5) > 1e-6 {
		t.Errorf("adrift it came to %v", k.Feet())
	}
	w.SetGround(plain(-150))
	if k.Update(w, Input{}, 10*time.Second); k.State() != Standing || math.Abs(k.Feet()[1]+150) > 1e-5 {
		t.Errorf("with ground again it is %v at %v", k.State(), k.Feet())
	}
}

func TestJump(t *testing.T) {
	w := newWorld(t, plain(0), boxBody(Vec3{10, 2.2, -5}, Vec3{20, 3, 5}))
	o := DefaultWalk()
	o.Jump = 5
	k := newWalker(t, w, o, Vec3{0, 0, 0})
	top := 0.0
	k.Update(w, Input{Jump: true}, time.Millisecond) // shorter than an inner step, and not lost
	for range 300 {
		k.Update(w, Input{X: 1}, tick/2)
		top = max(top, k.Feet()[1])
	}
	if math.Abs(top-25/9.81/2) > 0.03 || k.State() != Standing {
		t.Errorf("it jumped %v high, expected %v", top, 25/9.81/2)
	}
	k.Place(w, Vec3{15, 0, 0})
	top = 0
	k.Update(w, Input{Jump: true}, tick)
	for range 240 {
		k.Update(w, Input{}, tick)
		top = max(top, k.Feet()[1])
	}
	if math.Abs(top-0.4) > 0.01 || k.State() != Standing {
		t.Errorf("under a roof it jumped %v high", top)
	}
	o.Jump = 0
	if err := k.SetWalk(o); err != nil || k.Update(w, Input{Jump: true}, time.Second) {
		t.Error("it jumps though it must not")
	}
}

// A valley of two steep slopes holds a walker, who can walk along it.
func TestWedgedInAValley(t *testing.T) {
	s := slope{-30, -30, 60, 1, func(c, r int) float64 { return 1.6 * math.Abs(float64(c-30)) }, nil}
	w := newWorld(t, s)
	k := newWalker(t, w, Walk{}, Vec3{3, 50, 0})
	if k.Update(w, Input{}, 5*time.Second); k.State() != Standing || math.Abs(k.Feet()[0]) > 0.01 {
		t.Fatalf("%v at %v", k.State(), k.Feet())
	}
	for range 120 {
		if k.Update(w, Input{X: 0.3, Z: 1}, tick); k.State() != Standing {
			t.Fatalf("%v at %v", k.State(), k.Feet())
		}
	}
	if k.Feet()[2] < 3 {
		t.Errorf("it does not get along the valley: %v", k.Feet())
	}
}

// maze is a random world to walk in: rough ground with holes, soup, boxes and balls.
func maze(t *rapid.T, r *rand.Rand, at Vec3) *World {
	g := hills(r, at, 24)
	bodies := []Body{
		{Mesh: soup(r, 40, 5), World: placement(r, at.Add(Vec3{0, 3, 0}), false)},
		{Mesh: soup(r, 40, 5), World: placement(r, at.Add(Vec3{3, 3, 0}), true)},
	}
	for range 10 {
		lo := vec(r, 8)
		m := meshOf(boxTris(Vec3{}, Vec3{0.2 + 2*r.Float64(), 3 * r.Float64(), 0.2 + 2*r.Float64()})...)
		bodies = append(bodies, Body{Mesh: m, World: mgl64.Translate3D(at[0]+lo[0], at[1]+r.Float64(), at[2]+lo[2]).Mul4(mgl64.HomogRotate3DY(r.Float64()))})
		b := vec(r, 8)
		bodies = append(bodies, Body{Kind: KindSphere, Radius: 0.2 + r.Float64(), World: mgl64.Translate3D(at[0]+b[0], at[1]+2, at[2]+b[2])})
	}
	return newWorldT(t, g, bodies...)
}

// ballClearance is the distance of the capsule's surface to the nearest ball.
func ballClearance(w *World, c Capsule) float64 {
	best := math.Inf(1)
	for i := range w.bodies {
		if b := w.BallOf(i); w.Body(i).Kind == KindSphere {
			along := c.B.Sub(c.A)
			t := min(max(b.Center.Sub(c.A).Dot(along)/along.Dot(along), 0), 1)
			best = min(best, b.Center.Sub(c.A.Add(along.Mul(t))).Len()-b.Radius-c.Radius)
		}
	}
	return best
}

func TestWalkingNeverPenetrates(t *testing.T) {
	walked, ticks, free, runs := 0.0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		at := Vec3{}
		if r.IntN(2) == 0 {
			at = Vec3{100_000, 20, -100_000}
		}
		w := maze(t, r, at)
		ts := all(w)
		o := DefaultWalk()
		o.Speed = []float64{1, 5, 60}[r.IntN(3)]
		o.Jump, o.AirControl = float64(r.IntN(2)*5), float64(r.IntN(2))
		k, err := NewWalker(o)
		if err != nil {
			t.Fatal(err)
		}
		if !k.Place(w, at.Add(Vec3{r.Float64()*8 - 4, 12, r.Float64()*8 - 4})) {
			return // over a hole
		}
		clear := clearance(ts, k.Capsule()) >= 0 && ballClearance(w, k.Capsule()) >= 0
		if runs++; clear {
			free++
		}
		for range 12 {
			a := r.Float64() * 2 * math.Pi
			in := Input{X: math.Cos(a), Z: math.Sin(a), Jump: r.IntN(4) == 0}
			for range 15 {
				before := k.Feet()
				k.Update(w, in, tick)
				ticks++
				step := k.Feet().Sub(before)
				walked += math.Hypot(step[0], step[2])
				brought := k.before == k.Feet()
				if clear && !brought && math.Hypot(step[0], step[2]) > o.Speed/120+0.1 {
					t.Fatalf("a step of %v", step)
				}
				gap := math.Inf(1)
				if r.IntN(5) == 0 || o.Speed > 50 {
					gap = clearance(ts, k.Capsule())
				}
				if clear && gap < 0 {
					t.Fatalf("gap %v at %v, %v", gap, k.Feet(), k.State())
				}
				if gap := ballClearance(w, k.Capsule()); clear && gap < 0 {
					t.Fatalf("%v deep in a ball", gap)
				}
			}
		}
	})
	if walked/float64(ticks) < 0.005 || free*3 < runs {
		t.Errorf("only %v m in %d ticks, %d of %d times begun with room", walked, ticks, free, runs)
	}
}

// However time is cut into frames, the outcome is the same to the last bit.
func TestFrameRateDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		w := maze(t, r, Vec3{})
		o := DefaultWalk()
		o.Jump = 4
		var walkers [3]*Walker
		for i := range walkers {
			k, err := NewWalker(o)
			if err != nil {
				t.Fatal(err)
			}
			k.Place(w, Vec3{1, 9, 1})
			walkers[i] = k
		}
		for range 6 {
			a := r.Float64() * 2 * math.Pi
			in := Input{X: math.Cos(a), Z: math.Sin(a), Jump: r.IntN(3) == 0}
			part := time.Duration(r.IntN(400)+1) * time.Millisecond
			for i, k := range walkers {
				for left := part; left > 0; {
					dt := min(left, []time.Duration{time.Second, time.Second / 60, time.Duration(r.IntN(30_000_000) + 1)}[i])
					k.Update(w, in, dt)
					left -= dt
				}
			}
			for _, k := range walkers[1:] {
				if k.Feet() != walkers[0].Feet() || k.Eye() != walkers[0].Eye() || k.State() != walkers[0].State() {
					t.Fatalf("%v at %v, else %v at %v", k.State(), k.Feet(), walkers[0].State(), walkers[0].Feet())
				}
			}
		}
	})
}

func TestWalkNumbers(t *testing.T) {
	if err := DefaultWalk().Validate(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Walk){
		"radius": func(o *Walk) { o.Radius = 0 }, "height": func(o *Walk) { o.Height = 0.5 },
		"speed": func(o *Walk) { o.Speed = math.NaN() }, "gravity": func(o *Walk) { o.Gravity = -1 },
		"step": func(o *Walk) { o.StepUp = 6 }, "slope": func(o *Walk) { o.MaxSlope = 90 },
		"tick": func(o *Walk) { o.Tick = 0 },
	} {
		o := DefaultWalk()
		change(&o)
		k, err := NewWalker(o)
		if err == nil || k != nil {
			t.Errorf("%s: taken", name)
		}
	}
	k, err := NewWalker(Walk{})
	if err != nil || k.Walk() != DefaultWalk() {
		t.Errorf("zero gives %v, %v", k.Walk(), err)
	}
	if k.SetWalk(Walk{Radius: 1}) == nil || k.Walk() != DefaultWalk() {
		t.Error("bad numbers were taken")
	}
	if k.Place(newWorld(t, nil), Vec3{1, 2, 3}) || k.State() != Adrift || k.Feet() != (Vec3{1, 2, 3}) {
		t.Errorf("in an empty world it is %v at %v", k.State(), k.Feet())
	}
}
