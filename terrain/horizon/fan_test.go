package horizon

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// anyView is a perspective or orthographic view of a field, from above its ground.
func anyView(r *rand.Rand, f *terrain.Field) cull.View {
	eye := eyeOver(f, r.Float64(), r.Float64(), f.Spacing()*(0.5+20*r.Float64()*r.Float64()))
	look := mgl64.HomogRotate3DX(r.Float64()).Mul4(mgl64.HomogRotate3DY(7 * r.Float64()))
	if r.IntN(3) == 0 {
		w, d := f.Extent()
		far := 10 * (w + d)
		return cull.ViewOf(eye, mgl64.Ortho(-1, 1, -1, 1, -far, far).Mul4(look))
	}
	return cull.ViewOf(eye, mgl64.Perspective(1, 1, f.Spacing()/100, 1e6).Mul4(look))
}

// wide is ground of so many samples that far sectors have several to a side.
func wide(r *rand.Rand) *terrain.Field {
	side := func() int { return []int{130, 300, 520, 641, 700}[r.IntN(5)] + r.IntN(2) }
	f := ground(r, side(), side(), []float64{0.5, 1, 30}[r.IntN(3)])
	return f
}

// Below the horizon every line of sight is blocked before the ring.
func TestGroundStandsBelowTheHorizon(t *testing.T) {
	coarse, rays := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
		f := wide(r)
		v := anyView(r, f)
		test := Of(f).Begin(&v, nil).(*Test)
		if test.blind {
			return
		}
		for range 100 {
			axis, sign := r.IntN(2), float64(r.IntN(2)*2-1)
			if v.Ortho {
				axis, sign = test.axis, test.sign
			}
			fan := test.fan(axis, sign)
			if fan.count == 0 {
				continue
			}
			k, i := r.IntN(len(fan.rings)), r.IntN(fan.count)
			test.know(fan, i, k)
			e := float64(fan.heads[k*fan.count+i])
			if math.IsInf(e, -1) || len(fan.gaps) > 0 && e <= float64(fan.leak[i]) {
				continue
			}
			// The part of the ring that made it may be anywhere in the sector.
			u := fan.lo + fan.step*(float64(i)+[]float64{r.Float64(), 1e-5, 1 - 1e-5}[r.IntN(3)])
			ring := fan.rings[k]
			end := ring.d * (1 + 1e-9)
			from, to := test.at(fan, u, e, 0), test.at(fan, u, e, end)
			if v.Ortho {
				from = to.Sub(v.Forward.Mul(3e4 * f.Spacing()))
			}
			rays++
			if ring.coarse {
				coarse++
			}
			if !f.Blocked(geom.Ray{Origin: from, Dir: to.Sub(from)}, 1) {
				t.Fatalf("ortho %v: the line of sight to %v from %v at u %g, e %g of sector %d, ring %d (coarse %v) is clear",
					v.Ortho, to, from, u, e, i, k, ring.coarse)
			}
		}
	})
	t.Logf("%d lines of sight, %d to coarse rings", rays, coarse)
	if coarse < rays/10 {
		t.Errorf("%d of %d rings are coarse", coarse, rays)
	}
}

// know makes ring k known in sector i.
func (t *Test) know(f *fan, i, k int) {
	if g := i / groupSize; f.groups[g].rings <= k {
		t.raise(f, g, k)
	}
}

// at is the point of the world at u, e and d of a fan.
func (t *Test) at(f *fan, u, e, d float64) geom.Vec3 {
	side, y := f.l+u*d, t.eye[1]+e*d
	if t.ortho {
		side, y = u+t.drift*d, e+t.slope*d
	}
	return t.point(f.axis, f.m+f.sign*d, y, side)
}

// What a fan takes a box for holds all its points.
func TestFanSeesAllOfABox(t *testing.T) {
	f := wall(t, 129)
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		v := anyView(r, f)
		test := Of(f).Begin(&v, nil).(*Test)
		c := geom.Vec3{128 * r.Float64(), 60*r.Float64() - 20, 128 * r.Float64()}
		size := math.Pow(2, 6*r.Float64())
		b := geom.Box{Min: c, Max: c.Add(geom.Vec3{size * r.Float64(), size * r.Float64(), size * r.Float64()})}
		m, ok := test.plot(b)
		if !ok {
			return
		}
		for range 100 {
			p := b.Min
			for i := range p {
				p[i] += (b.Max[i] - b.Min[i]) * []float64{0, 1, r.Float64()}[r.IntN(3)]
			}
			x, z := p[0]*test.scale-test.gx, p[2]*test.scale-test.gz
			axis, sign := 0, math.Copysign(1, x)
			if math.Abs(z) > math.Abs(x) {
				axis, sign = 1, math.Copysign(1, z)
			}
			if v.Ortho {
				axis, sign = test.axis, test.sign
			}
			fan := test.fan(axis, sign)
			along, side := x, z
			if axis == 1 {
				along, side = z, x
			}
			d := along * sign
			u, e := side/d, (p[1]-v.Eye[1])/d
			if v.Ortho {
				u, e = side-test.drift*d, p[1]-test.slope*d
			}
			var pl place
			if !v.Ortho && m.beside(axis, sign) || !test.seen(fan, &m, &pl) {
				t.Fatalf("%v of %v is not seen", p, b)
			}
			if fan.count == 0 {
				continue
			}
			i0, i1, _ := fan.sectorsOf(pl.u0, pl.u1)
			i := int(math.Floor((u - fan.lo) / fan.step))
			if i < 0 || i >= fan.count {
				continue
			}
			top, low := test.topIn(fan, &pl, i, m.y1), test.lowest(&pl, m.y0)
			if whole := test.highest(&pl, m.y1); top > whole+math.Abs(whole)*1e-9 {
				t.Fatalf("%g is higher than the whole box, %g", top, whole)
			}
			if i < i0 || i > i1 || d < pl.near || e > top || e < low {
				t.Fatalf("%v of %v is in sector %d at e %g, d %g; expected %d to %d, %g to %g, from %g", p, b, i, e, d, i0, i1, low, top, pl.near)
			}
		}
	})
}
