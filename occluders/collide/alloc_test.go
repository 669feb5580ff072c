package collide

import (
	"math"
	"testing"
)

// Queries take no memory once what they keep has grown.
func TestWarmQueriesTakeNoMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	r := random(11)
	bodies := []Body{{Mesh: soup(r, 300, 10)}, {Kind: KindSphere, Radius: 1, World: placement(r, Vec3{3, 3, 3}, true)}}
	w := newWorld(t, plain(-2), bodies...)
	var s Slider
	k := newWalker(t, w, Walk{}, Vec3{0, 3, 0})
	c := Sphere(Vec3{5, 15, 5}, 0.35)
	f := &Filter{Exact: true, Accept: func(h Hit) bool { return h.Triangle%2 == 0 }, NoGround: true}
	scratch := make([]int32, 0, 64)
	pairs := make([]Pair, 0, 64)
	var turn float64
	for name, do := range map[string]func(){
		"nearest": func() { w.Nearest(rayTo(vec(r, 10), vec(r, 1)), math.Inf(1), f) },
		"any":     func() { w.AnyBetween(vec(r, 10), vec(r, 10), f) },
		"height":  func() { w.HeightClosest(vec(r, 10), f) },
		"balls":   func() { pairs, scratch = w.AppendPairs(pairs[:0], scratch) },
		"slide": func() {
			c = c.move(s.Slide(w, c, vec(r, 1)).Moved)
			c = c.move(Vec3{5, 15, 5}.Sub(c.A).Mul(0.5))
		},
		"sweep": func() { s.Sweep(w, c, vec(r, 5)) },
		"walk": func() {
			turn += 0.01
			k.Update(w, Input{X: math.Cos(turn), Z: math.Sin(turn)}, tick)
		},
	} {
		for range 2000 { // warm
			do()
		}
		if n := testing.AllocsPerRun(500, do); n > 0 {
			t.Errorf("%s takes memory %v times", name, n)
		}
	}
}
