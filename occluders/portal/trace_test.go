package portal

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

func vec(r *rand.Rand, size float64) Vec3 {
	return Vec3{r.Float64()*2 - 1, r.Float64()*2 - 1, r.Float64()*2 - 1}.Mul(size)
}

func inBox(r *rand.Rand, b geom.Box) Vec3 {
	s := b.Size()
	return b.Min.Add(Vec3{s[0] * r.Float64(), s[1] * r.Float64(), s[2] * r.Float64()})
}

// inside is a random point of the opening's polygon.
func (o *opening) point(r *rand.Rand) Vec3 {
	var p Vec3
	p[o.axis] = o.at
	sum := 0.0
	for _, q := range o.ring {
		f := r.ExpFloat64()
		sum += f
		p[(o.axis+1)%3] += f * q[0]
		p[(o.axis+2)%3] += f * q[1]
	}
	p[(o.axis+1)%3] /= sum
	p[(o.axis+2)%3] /= sum
	return p
}

func drawPlace(t *rapid.T, r *rand.Rand) place {
	p := place{turn: mgl64.Ident3()}
	switch rapid.IntRange(0, 2).Draw(t, "turned") {
	case 1:
		p.turn = mgl64.Rotate3DY(r.Float64() * 7)
	case 2:
		p.turn = mgl64.Rotate3DY(r.Float64() * 7).Mul3(mgl64.Rotate3DX(r.Float64() * 7))
	}
	if rapid.Bool().Draw(t, "far") {
		p.at = Vec3{1e5, -2e3, -1e5}
	}
	return p
}

// drawCamera puts the eye where traces go wrong, and elsewhere.
func drawCamera(t *rapid.T, r *rand.Rand, w *world) *camera {
	near := []float64{1e-3, 0.05, 0.1, 0.5}[rapid.IntRange(0, 3).Draw(t, "near")]
	off := []float64{0, 1e-6, -1e-6, near, -near, 1e-3, -1e-3, 0.3, -0.3}
	by := off[rapid.IntRange(0, len(off)-1).Draw(t, "off")]
	room := w.rooms[r.IntN(len(w.rooms))]
	eye, look := inBox(r, room), vec(r, 1)
	switch rapid.SampledFrom([]string{"room", "wall", "outside", "portal", "beside", "middle"}).Draw(t, "eye") {
	case "wall":
		a := r.IntN(3)
		eye[a] = room.Min[a] + by
		if r.IntN(2) == 0 {
			look[a] = 0 // glide along it
		}
	case "outside":
		eye = inBox(r, grow(w.box, 10))
	case "portal", "beside":
		if len(w.openings) > 0 {
			o := &w.openings[r.IntN(len(w.openings))]
			eye = o.point(r)
			if by == 0.3 { // in its plane, aside
				eye = eye.Add(vec(r, 5))
				eye[o.axis] = o.at
			}
			eye[o.axis] += by
			if r.IntN(2) == 0 {
				look[o.axis] = 0
			}
		}
	case "middle":
		eye = room.Center()
	}
	switch rapid.IntRange(0, 3).Draw(t, "look") {
	case 0:
		a := r.IntN(3)
		s := float64(r.IntN(2)*2 - 1)
		look = Vec3{}
		look[a] = s
	case 1:
		if len(w.openings) > 0 {
			look = w.openings[r.IntN(len(w.openings))].point(r).Sub(eye)
		}
	}
	if look.Len() < 1e-3 {
		look = Vec3{0, 0, 1}
	}
	ortho := rapid.IntRange(0, 4).Draw(t, "ortho") == 0
	if ortho {
		near = -5 + 10*r.Float64()
		h := math.Exp(r.Float64()*5 - 2)
		return w.camera(eye, look, mgl64.Ortho(-h, h*1.5, -h, h, near, near+200), near, true)
	}
	fov := []float64{0.02, 0.3, 1, 2.6}[rapid.IntRange(0, 3).Draw(t, "fov")]
	return w.camera(eye, look, mgl64.Perspective(fov, []float64{0.3, 1, 2.4}[r.IntN(3)], near, 1000), near, false)
}

// checkView fails when a box around a lit point is not seen.
func checkView(t interface{ Fatalf(string, ...any) }, r *rand.Rand, w *world, tr *Tracer, c *camera, points int) (lit int) {
	tr.Trace(w.graph, &c.View)
	var scratch []stretch
	var cells []int32
	for range points {
		var p Vec3
		switch k := r.IntN(4); {
		case k == 0:
			p = inBox(r, grow(w.box, 3))
		case k == 1 && len(w.openings) > 0: // on beyond an opening
			o := &w.openings[r.IntN(len(w.openings))]
			q := o.point(r)
			if r.IntN(2) == 0 { // by its very edge
				i := r.IntN(len(o.ring))
				a, b, f := o.ring[i], o.ring[(i+1)%len(o.ring)], r.Float64()
				for k := range a {
					x := &q[(o.axis+1+k)%3]
					*x += (a[k] + (b[k]-a[k])*f - *x) * (1 - 3e-6)
				}
			}
			p = q.Add(q.Sub(c.eye).Mul(r.Float64() * 2))
			if c.Ortho {
				p = q.Add(c.look.Mul(r.Float64() * 10))
			}
		case k == 2 && len(w.openings) > 0: // in it
			o := &w.openings[r.IntN(len(w.openings))]
			p = o.point(r)
			p[o.axis] = o.lo + (o.hi-o.lo)*r.Float64()
		default:
			p = inBox(r, w.rooms[r.IntN(len(w.rooms))])
		}
		s, ok := w.begins(c, p)
		if !ok || !w.lit(s, p, &scratch) {
			continue
		}
		lit++
		at := w.out(p)
		size := math.Exp(r.Float64()*16-16) * 2
		box := geom.Box{Min: at, Max: at}
		for a := range 3 {
			box.Min[a] -= size * r.Float64()
			box.Max[a] += size * r.Float64()
		}
		cells = w.graph.AppendCells(cells[:0], box)
		if !tr.Sees(cells, box) {
			t.Fatalf("a lit point is not seen\npoint %v (local %v)\neye %v near %v ortho %v look %v\ncells of box %v\nrooms %v\n%d openings\nlight from %v: %v",
				at, p, c.eye, c.near, c.Ortho, c.look, cells, w.rooms, len(w.openings), s, w.stretches(s, p.Sub(s), nil))
		}
	}
	return lit
}

// Whatever light reaches through openings is seen.
func TestWhatLightReachesIsSeen(t *testing.T) {
	var tr Tracer
	lit, views, united, short := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		w := newWorld(r, plan{
			nx: rapid.IntRange(1, 5).Draw(t, "nx"), ny: rapid.IntRange(1, 2).Draw(t, "ny"), nz: rapid.IntRange(1, 5).Draw(t, "nz"),
			missing: 0.25, doors: rapid.Float64Range(0.2, 1).Draw(t, "doors"),
			wall:   []float64{0, 0.001, 0.3}[rapid.IntRange(0, 2).Draw(t, "wall")],
			shut:   []float64{0, 0.15}[rapid.IntRange(0, 1).Draw(t, "shut")],
			joined: []float64{0, 0, 0.3}[rapid.IntRange(0, 2).Draw(t, "joined")],
			place:  drawPlace(t, r),
		})
		if len(w.rooms) == 0 {
			return
		}
		// A trace that must stop early sees more.
		tr.limit = []int{0, 0, 0, 20, 200}[rapid.IntRange(0, 4).Draw(t, "limit")]
		for range 3 {
			lit += checkView(t, r, w, &tr, drawCamera(t, r, w), 150)
			views++
			united += tr.united
			if tr.limit > 0 && tr.steps > tr.limit {
				short++
			}
		}
	})
	t.Logf("%d lit points in %d views, %d times united, %d ended early", lit, views, united, short)
	if views > 200 && lit < 2*views {
		t.Error("too few lit points to prove anything")
	}
}

// The same where windows are united and where traces end early, in worlds that are
// the same in every run.
func TestUnitedWindowsAndShortTraces(t *testing.T) {
	type drawn struct {
		r *rand.Rand
		w *world
		c *camera
	}
	views := rapid.Custom(func(t *rapid.T) drawn {
		r := random(rapid.Uint64().Draw(t, "seed"))
		w := newWorld(r, plan{nx: 5, ny: 2, nz: 5, doors: 1, place: drawPlace(t, r)})
		return drawn{r, w, drawCamera(t, r, w)}
	})
	var tr Tracer
	lit, united, short := 0, 0, 0
	for seed := range 100 {
		v := views.Example(seed)
		if tr.limit = 0; seed%3 == 0 {
			tr.limit = 20
		}
		lit += checkView(t, v.r, v.w, &tr, v.c, 150)
		if united += tr.united; tr.limit > 0 && tr.steps > tr.limit {
			short++
		}
	}
	t.Logf("%d lit points, %d times united, %d ended early", lit, united, short)
	if lit < 200 || united == 0 || short == 0 {
		t.Error("too little happened to prove anything")
	}
}
