package terrain

import (
	"image"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/occluders/geom"
)

// exact are vectors of rational numbers.
type exact [3]*big.Rat

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func (a exact) sub(b exact) (d exact) {
	for i := range d {
		d[i] = new(big.Rat).Sub(a[i], b[i])
	}
	return d
}

func (a exact) dot(b exact) *big.Rat {
	s := new(big.Rat)
	for i := range a {
		s.Add(s, new(big.Rat).Mul(a[i], b[i]))
	}
	return s
}

func (a exact) cross(b exact) (c exact) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = new(big.Rat).Sub(new(big.Rat).Mul(a[j], b[k]), new(big.Rat).Mul(a[k], b[j]))
	}
	return c
}

// hitExactly is geom.Ray.Triangle without rounding.
func hitExactly(o, d exact, tri [3]exact) (*big.Rat, bool) {
	e1, e2 := tri[1].sub(tri[0]), tri[2].sub(tri[0])
	p := d.cross(e2)
	det := e1.dot(p)
	if det.Sign() == 0 {
		return nil, false
	}
	s := o.sub(tri[0])
	u := new(big.Rat).Quo(s.dot(p), det)
	q := s.cross(e1)
	v := new(big.Rat).Quo(d.dot(q), det)
	t := new(big.Rat).Quo(e2.dot(q), det)
	one := big.NewRat(1, 1)
	return t, u.Sign() >= 0 && v.Sign() >= 0 && new(big.Rat).Add(u, v).Cmp(one) <= 0 && t.Sign() >= 0
}

// oracle tries every triangle of a field, without rounding, and gives the first hit
// and how flat the ray meets it: the part of its direction across the triangle.
func oracle(f *Field, ray geom.Ray) (t, across float64, ok bool) {
	o := exact{rat(ray.Origin[0]), rat(ray.Origin[1]), rat(ray.Origin[2])}
	o[0].Sub(o[0], rat(f.origin[0]))
	o[2].Sub(o[2], rat(f.origin[1]))
	d := exact{rat(ray.Dir[0]), rat(ray.Dir[1]), rat(ray.Dir[2])}
	var near geom.Ray // to see what is far away
	long := max(math.Abs(ray.Dir[0]), math.Abs(ray.Dir[1]), math.Abs(ray.Dir[2]))
	for i := range o {
		near.Origin[i], _ = o[i].Float64()
		near.Dir[i] = ray.Dir[i] / long
	}
	at := f.WithOrigin(0, 0)
	for r := range f.rows - 1 {
		for c := range f.cols - 1 {
			if f.IsHole(c, r) {
				continue
			}
			for k, tri := range triangles(at, c, r) {
				// A little larger, to see that the ray misses it by far.
				mid := tri[0].Add(tri[1]).Add(tri[2]).Mul(1.0 / 3)
				wide := tri
				for i := range wide {
					wide[i] = mid.Add(wide[i].Sub(mid).Mul(1 + 1e-6))
				}
				n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Normalize()
				back := near
				back.Origin = back.Origin.Sub(near.Dir.Mul(1e-6 * f.spacing))
				if _, ok := back.Triangle(wide[0], wide[1], wide[2]); !ok && math.Abs(n.Dot(near.Dir)) > 1e-6 {
					continue
				}
				var x [3]exact
				for i, p := range [2][3]image.Point{{{c, r}, {c, r + 1}, {c + 1, r}}, {{c + 1, r}, {c, r + 1}, {c + 1, r + 1}}}[k] {
					x[i] = exact{
						new(big.Rat).Mul(rat(float64(p.X)), rat(f.spacing)),
						rat(float64(f.Sample(p.X, p.Y))),
						new(big.Rat).Mul(rat(float64(p.Y)), rat(f.spacing)),
					}
				}
				if s, hit := hitExactly(o, d, x); hit {
					if v, _ := s.Float64(); !ok || v < t {
						t, across, ok = v, math.Abs(n.Dot(ray.Dir)), true
					}
				}
			}
		}
	}
	return t, across, ok
}

// drawRough is a small field that is level nowhere, with holes at times.
func drawRough(t *rapid.T) *Field {
	cols, rows := rapid.IntRange(2, 9).Draw(t, "cols"), rapid.IntRange(2, 9).Draw(t, "rows")
	if rapid.IntRange(0, 4).Draw(t, "tiles") == 0 {
		cols, rows = cols+60, min(rows, 3)
		if rapid.Bool().Draw(t, "long") {
			cols, rows = rows, cols
		}
	}
	spacing := rapid.SampledFrom([]float64{0.25, 1, 30, 0.3}).Draw(t, "spacing")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	h := make([]float32, cols*rows)
	amp := spacing * rapid.SampledFrom([]float64{0.3, 1, 4}).Draw(t, "amp")
	lift := rapid.SampledFrom([]float64{0, 0, -700, 8000}).Draw(t, "lift")
	for i := range h {
		h[i] = float32(amp*(r.Float64()-0.5) + lift)
	}
	f, err := FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	ox := rapid.SampledFrom([]float64{0, -17.53, 100_000.3}).Draw(t, "origin")
	f = f.WithOrigin(ox, -ox)
	if rapid.IntRange(0, 2).Draw(t, "holes") > 0 {
		return f
	}
	d := f.Draft()
	for range rapid.IntRange(1, 12).Draw(t, "open") {
		c, r := r.IntN(cols-1), r.IntN(rows-1)
		d.Flags(c/TileSize, r/TileSize)[r%TileSize*TileSize+c%TileSize] |= Hole
	}
	f, _ = d.Field()
	return f
}

// drawRay is a ray that has something to do with the field: towards a point of some
// cell, a sample, an edge or along one, from around the field, or from a sample, or
// from the ground.
func drawRay(t *rapid.T, f *Field) geom.Ray {
	ex, ez := f.Extent()
	ox, oz := f.Origin()
	lo, hi := f.MinMax()
	high := float64(hi-lo) + 0.1*f.spacing
	unit := rapid.Float64Range(0, 1)
	point := func(label string) mgl64.Vec3 {
		c, r := rapid.IntRange(0, f.cols-2).Draw(t, label+" col"), rapid.IntRange(0, f.rows-2).Draw(t, label+" row")
		u, v := unit.Draw(t, label+" u"), unit.Draw(t, label+" v")
		switch rapid.IntRange(0, 5).Draw(t, label+" on") {
		case 0:
			u, v = math.Round(u), math.Round(v) // a sample
		case 1:
			u = math.Round(u) // an edge
		case 2:
			v = 1 - u
		}
		return mgl64.Vec3{ox + (float64(c)+u)*f.spacing, f.cellHeight(c, r, u, v), oz + (float64(r)+v)*f.spacing}
	}
	aim := point("aim")
	if rapid.Bool().Draw(t, "off") {
		aim[1] = float64(lo) + unit.Draw(t, "height")*float64(hi-lo)
	}
	var from mgl64.Vec3
	if rapid.IntRange(0, 3).Draw(t, "from the ground") == 0 {
		from = point("from")
		from[1] += rapid.SampledFrom([]float64{0, 1, -1, 0.01}).Draw(t, "above") * high
	} else {
		wide := rapid.Float64Range(-0.5, 1.5)
		from = mgl64.Vec3{ox + wide.Draw(t, "x")*ex, float64(lo) + (wide.Draw(t, "y")*3-1)*high, oz + wide.Draw(t, "z")*ez}
	}
	ray := geom.Ray{Origin: from, Dir: aim.Sub(from)}
	switch rapid.IntRange(0, 5).Draw(t, "direction") {
	case 0: // along axes, from where it is aimed at
		step := rapid.SampledFrom([]float64{0, 0, 1, -1, 0.5, 2, 1e-17, -1e-17, 1e-25})
		for i := range ray.Dir {
			ray.Dir[i] = step.Draw(t, "step")
		}
		ray.Origin = aim.Sub(ray.Dir.Mul(f.spacing * rapid.SampledFrom([]float64{0, 1, 2.5, 20}).Draw(t, "back")))
	case 1: // straight down or up
		ray.Origin[0], ray.Origin[2] = aim[0], aim[2]
		ray.Dir = mgl64.Vec3{0, math.Copysign(1, aim[1]-from[1]), 0}
	case 2:
		ray.Dir = ray.Dir.Mul(rapid.SampledFrom([]float64{1e-120, 1e-9, 1e9, 1e120}).Draw(t, "length"))
	}
	return ray
}

// A hit must be on the triangle that it names, and no later than the first one that
// the oracle finds; and then it is that one. So no ray slips between triangles.
func TestRaycastAgainstEveryTriangle(t *testing.T) {
	rays, hits := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := drawRough(t)
		for range 8 {
			ray := drawRay(t, f)
			hit, ok := f.Raycast(ray)
			rays++
			if ok {
				hits++
				checkHit(t, f, ray, hit)
			}
			want, across, must := oracle(f, ray)
			if late := slack(f, ray) / across; must && !(ok && hit.T <= want+late) {
				t.Fatalf("%v: hit %v at %v, the first triangle lies at %v, rounding explains %g", ray, ok, hit.T, want, late)
			}
		}
	})
	if hits*2 < rays {
		t.Errorf("only %d of %d rays hit the ground", hits, rays)
	}
}

// slack is how far in metres float64 may shift a hit across its triangle.
func slack(f *Field, ray geom.Ray) float64 {
	ex, ez := f.Extent()
	lo, hi := f.MinMax()
	far := max(math.Abs(ray.Origin[0]-f.origin[0])+ex, math.Abs(ray.Origin[2]-f.origin[1])+ez)
	high := max(math.Abs(ray.Origin[1]), math.Abs(float64(lo)), math.Abs(float64(hi)))
	part := 0x1p-47
	dx, dz := math.Abs(ray.Dir[0]), math.Abs(ray.Dir[2])
	if least := min(dx, dz); least > 0 && least <= leastAlong*max(dx, dz) {
		part = leastAlong // along a line of samples
	}
	return part * (high + far*(1+float64(hi-lo)/f.spacing))
}

// checkHit tells whether a hit lies on the triangle that it names.
func checkHit(t *rapid.T, f *Field, ray geom.Ray, hit Hit) {
	t.Helper()
	if !(hit.T >= 0) || hit.Col < 0 || hit.Row < 0 || hit.Col > f.cols-2 || hit.Row > f.rows-2 {
		t.Fatalf("%v: hit %+v", ray, hit)
	}
	if f.IsHole(hit.Col, hit.Row) {
		t.Fatalf("%v: hit in the hole %d, %d", ray, hit.Col, hit.Row)
	}
	tol := slack(f, ray)
	at := f.WithOrigin(0, 0)
	var p mgl64.Vec3 // the hit, from sample (0, 0)
	for i, o := range [3]float64{f.origin[0], 0, f.origin[1]} {
		p[i] = ray.Origin[i] - o + hit.T*ray.Dir[i]
		if world := ray.Origin[i] + hit.T*ray.Dir[i]; !(math.Abs(hit.Point[i]-world) <= 1e-12*(1+math.Abs(world))) {
			t.Fatalf("%v: hit at %v, the point is %v", ray, hit.T, hit.Point)
		}
	}
	var off [2]float64
	for k, tri := range triangles(at, hit.Col, hit.Row) {
		n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Normalize()
		long := max(math.Abs(ray.Dir[0]), math.Abs(ray.Dir[1]), math.Abs(ray.Dir[2]))
		flat := max(math.Abs(n.Dot(mgl64.Vec3{ray.Dir[0] / long, ray.Dir[1] / long, ray.Dir[2] / long})), 1e-9)
		u, v := p[0]/f.spacing-float64(hit.Col), p[2]/f.spacing-float64(hit.Row)
		if k == 1 {
			u, v = 1-u, 1-v
		}
		off[k] = max(math.Abs(n.Dot(p.Sub(tri[0]))), -u*f.spacing*flat, -v*f.spacing*flat, (u+v-1)*f.spacing*flat)
		if off[k] <= tol && n.Sub(hit.Normal).Len() < 1e-9 {
			return
		}
	}
	t.Fatalf("%v: hit %+v, off the triangles there by %g, rounding explains %g", ray, hit, off, tol)
}

// castBy is Raycast with the vector kernel or the scalar one.
func castBy(f *Field, ray geom.Ray, scalar bool) (hit Hit, ok bool) {
	w := walker{scalar: scalar}
	if !w.cast(f, &ray, math.Inf(1)) {
		return hit, false
	}
	w.report(&hit, &ray)
	return hit, true
}

// Edits by tile leave what a field built afresh would say, bit for bit, with either
// kernel, and the fields before as they were.
func TestRaycastAfterEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		d := f.Draft()
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			c, r := rapid.IntRange(0, f.cols-1).Draw(t, "c"), rapid.IntRange(0, f.rows-1).Draw(t, "r")
			at := r%TileSize*TileSize + c%TileSize
			if rapid.Bool().Draw(t, "hole") {
				d.Flags(c/TileSize, r/TileSize)[at] ^= Hole
			} else {
				d.Heights(c/TileSize, r/TileSize)[at] = float32(rapid.Float64Range(-100, 100).Draw(t, "h"))
			}
			before := d.View()
			ray := drawRay(t, f)
			old, was := f.Raycast(ray)
			if now, is := before.Raycast(ray); now != old || was != is {
				t.Fatalf("%v: %+v %v before the draft is published, %+v %v in the field", ray, now, is, old, was)
			}
			g, _ := d.Field()
			fresh, err := FromTiles(g.cols, g.rows, g.spacing, g.Tile)
			if err != nil {
				t.Fatal(err)
			}
			fresh = fresh.WithOrigin(g.Origin())
			for range 4 {
				ray := drawRay(t, g)
				want, must := castBy(fresh, ray, false)
				for _, scalar := range []bool{false, true} {
					if hit, ok := castBy(g, ray, scalar); hit != want || ok != must {
						t.Fatalf("%v: %+v %v, scalar %v, built afresh %+v %v", ray, hit, ok, scalar, want, must)
					}
				}
			}
			if now, is := f.Raycast(ray); now != old || was != is {
				t.Fatalf("%v: the field changed under its draft", ray)
			}
			f = g
		}
	})
}

// A ray from above the ground to below it meets it, over any number of levels of the
// tree, wherever it crosses edges.
func TestNoRaySlipsThroughGreatFields(t *testing.T) {
	for _, size := range [][2]int{{MaxSize, 11}, {40, 5000}, {700, 600}} {
		f := rough(t, size[0], size[1], 1, 7)
		lo, hi := f.MinMax()
		rapid.Check(t, func(t *rapid.T) {
			ex, ez := f.Extent()
			place := func(label string) mgl64.Vec3 {
				x, z := rapid.Float64Range(0, ex).Draw(t, label+" x"), rapid.Float64Range(0, ez).Draw(t, label+" z")
				if rapid.Bool().Draw(t, label+" on a sample") {
					x, z = math.Round(x), math.Round(z)
				}
				return mgl64.Vec3{x, 0, z}
			}
			from, to := place("from"), place("to")
			y, _ := f.Height(from[0], from[2])
			from[1] = y + rapid.Float64Range(1e-3, 2*float64(hi-lo)).Draw(t, "above")
			y, _ = f.Height(to[0], to[2])
			to[1] = y - rapid.Float64Range(1e-3, float64(hi-lo)).Draw(t, "below")
			up := rapid.Bool().Draw(t, "upwards")
			if up {
				from, to = to, from
			}
			ray := geom.Ray{Origin: from, Dir: to.Sub(from)}
			hit, ok := f.Raycast(ray)
			if !ok || !(hit.T <= 1) {
				t.Fatalf("from %v to %v: hit %v at %v", from, to, ok, hit.T)
			}
			checkHit(t, f, ray, hit)
			if scalar, _ := castBy(f, ray, true); scalar != hit {
				t.Fatalf("from %v to %v: hit %+v, scalar %+v", from, to, hit, scalar)
			}
			// Nothing is nearer: it is on the same side all the way.
			for k := range 200 {
				s := hit.T * float64(k) / 200
				p := ray.At(s)
				y, on := f.Height(p[0], p[2])
				if y -= p[1]; on && math.Abs(y) > 1e-6 && (y > 0) != up {
					t.Fatalf("from %v to %v: hit at %v, but on the other side at %v", from, to, hit.T, s)
				}
			}
		})
	}
}

func TestRaycastToAndBlocked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawRough(t)
		for range 8 {
			ray := drawRay(t, f)
			hit, ok := f.Raycast(ray)
			for _, far := range []float64{math.Inf(1), 2, 1, 0.5, 0, -1, math.NaN()} {
				limit := far * hit.T
				if !ok {
					limit = far
				}
				to, near := f.RaycastTo(ray, limit)
				if near != f.Blocked(ray, limit) {
					t.Fatalf("%v: hit %v up to %v, blocked %v", ray, near, limit, !near)
				}
				if near && !(limit >= 0) {
					t.Fatalf("%v: hit at %v up to %v", ray, to.T, limit)
				}
				if near {
					checkHit(t, f, ray, to)
				}
				if near && !(to.T <= limit*(1+1e-12)) || !near && ok && hit.T < limit*(1-1e-12) {
					t.Fatalf("%v: hit %v at %v up to %v, at %v without limit", ray, near, to.T, limit, hit.T)
				}
			}
		}
	})
}

// drawBundles is rays in bundles along an axis; those of a bundle begin and cross here
// and there.
func drawBundles(t *rapid.T, f *Field) (rays []geom.Ray) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "bundles"), 2))
	lo, hi := f.MinMax()
	size := [2]float64{float64(f.cols - 1), float64(f.rows - 1)}
	for range 10 {
		along, sign := r.IntN(2), float64(1-2*r.IntN(2))
		middle := r.Float64() * size[1-along]
		for range packSize {
			from := 0.6 * r.Float64() * size[along]
			if sign < 0 {
				from = size[along] - from
			}
			p := [2]float64{from, middle + 4*(r.Float64()-0.5)}
			d := [2]float64{sign, 0.15 * (r.Float64() - 0.5)}
			rays = append(rays, geom.Ray{
				Origin: mgl64.Vec3{
					f.origin[0] + p[along]*f.spacing,
					float64(lo) + 1.2*r.Float64()*float64(hi-lo),
					f.origin[1] + p[1-along]*f.spacing,
				},
				Dir: mgl64.Vec3{d[along], -0.1 * r.Float64(), d[1-along]},
			})
		}
	}
	return rays
}

// Many rays at once find what each finds alone, bit for bit, also where they go
// together.
func TestAppendHits(t *testing.T) {
	great := rough(t, 300, 220, 0.5, 12).WithOrigin(1000, -70)
	rapid.Check(t, func(t *rapid.T) {
		f := great
		switch rapid.IntRange(0, 2).Draw(t, "field") {
		case 0:
			f = drawRough(t)
		case 1:
			f = drawField(t)
		}
		var rays []geom.Ray
		for len(rays) < 40 {
			ray := drawRay(t, f)
			// A few around it, like pixels, or by themselves.
			spread := rapid.SampledFrom([]float64{1e-9, 1e-3, 0.03}).Draw(t, "spread")
			beside := rapid.SampledFrom([]float64{0, 0, 0.3}).Draw(t, "beside") * f.spacing
			for i := range rapid.IntRange(1, 17).Draw(t, "rays") {
				r := ray
				turn, move := float64(i)*spread*r.Dir.Len(), float64(i)*beside
				r.Dir = r.Dir.Add(mgl64.Vec3{turn, -turn / 3, turn / 2})
				r.Origin = r.Origin.Add(mgl64.Vec3{move, 0, -move})
				rays = append(rays, r)
			}
		}
		rays = append(rays, drawBundles(t, f)...)
		hits := f.AppendHits(make([]Hit, 1), rays)
		if len(hits) != len(rays)+1 {
			t.Fatalf("%d hits of %d rays", len(hits)-1, len(rays))
		}
		for i, got := range hits[1:] {
			want, ok := f.Raycast(rays[i])
			if !ok {
				want = missed
			}
			if got != want {
				t.Fatalf("ray %d of %d, %v: %+v, alone %+v", i, len(rays), rays[i], got, want)
			}
		}
	})
}

func TestRaysAlongLevelGround(t *testing.T) {
	f, err := Flat(130, 70, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, dir mgl64.Vec3
		at        float64
		hit       bool
	}{
		{mgl64.Vec3{-10, 0, 7}, mgl64.Vec3{1, 0, 0}, 10, true},
		{mgl64.Vec3{-10, 0, 8}, mgl64.Vec3{2, 0, 0}, 5, true},
		{mgl64.Vec3{-10, 1, 8}, mgl64.Vec3{2, 0, 0}, 0, false},
		{mgl64.Vec3{-10, 1, 8}, mgl64.Vec3{1, -0.05, 0}, 20, true},
		{mgl64.Vec3{-10, 1, 8}, mgl64.Vec3{1, -0.2, 0}, 0, false}, // below the rim
		{mgl64.Vec3{-10, 0, 138}, mgl64.Vec3{1, 0, 0}, 10, true},  // along the far rim
		{mgl64.Vec3{-10, 0, 0}, mgl64.Vec3{1, 0, 0}, 10, true},
		{mgl64.Vec3{258, 3, -1}, mgl64.Vec3{0, -1, 1}, 3, true},
		{mgl64.Vec3{258.01, 3, -1}, mgl64.Vec3{0, -1, 1}, 0, false},
		{mgl64.Vec3{100, 0, 7}, mgl64.Vec3{0, 1, 0}, 0, true},
		{mgl64.Vec3{100, 3, 7}, mgl64.Vec3{0, 1, 0}, 0, false},
		{mgl64.Vec3{100, -3, 7}, mgl64.Vec3{0, 1.5, 0}, 2, true},
		{mgl64.Vec3{258, 5, 138}, mgl64.Vec3{0, -1, 0}, 5, true},
		{mgl64.Vec3{10, -4, 10}, mgl64.Vec3{1, 1, 1}, 4, true},
		{mgl64.Vec3{10, -4, 10}, mgl64.Vec3{1, -1, 1}, 0, false},
	} {
		hit, ok := f.Raycast(geom.Ray{Origin: c.from, Dir: c.dir})
		if ok != c.hit || !(math.Abs(hit.T-c.at) <= 1e-11) {
			t.Errorf("from %v along %v: hit %v at %v, expected %v at %v", c.from, c.dir, ok, hit.T, c.hit, c.at)
		}
	}
}

// What is no ray meets nothing, and nothing breaks.
func TestRaysThatAreNone(t *testing.T) {
	f := rough(t, 70, 70, 1, 3)
	values := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1e-320, 35}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var ray geom.Ray
		bad := false
		for i := range ray.Dir {
			ray.Origin[i], ray.Dir[i] = values[r.IntN(len(values))], values[r.IntN(len(values))]
			for _, v := range []float64{ray.Origin[i], ray.Dir[i]} {
				bad = bad || math.IsNaN(v) || math.IsInf(v, 0)
			}
		}
		for _, scalar := range []bool{false, true} {
			hit, ok := castBy(f, ray, scalar)
			if none := bad || ray.Dir == (mgl64.Vec3{}); none && ok {
				t.Fatalf("%v: hit %+v", ray, hit)
			}
		}
	}
}

// Rays and drafts on several goroutines: for the race detector.
func TestRaysBesideDrafts(t *testing.T) {
	f := rough(t, 200, 150, 1, 6)
	ray := geom.Ray{Origin: mgl64.Vec3{3, 60, 5}, Dir: mgl64.Vec3{1, -0.4, 0.6}}
	want, ok := f.Raycast(ray)
	if !ok {
		t.Fatal("the ray misses")
	}
	var all sync.WaitGroup
	for k := range 3 {
		all.Go(func() {
			d := f.Draft()
			for i := range 20 {
				d.Heights(i%4, k%3)[i*7] = 900
				if hit, _ := f.Raycast(ray); hit != want {
					t.Errorf("hit %+v, expected %+v", hit, want)
				}
				g, _ := d.Field()
				g.Raycast(ray)
			}
		})
	}
	all.Wait()
}
