package culltest

import (
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Kind is a kind of random world.
type Kind uint8

// The kinds of worlds.
const (
	Bricks Kind = iota // solids of all sizes, some through each other
	Gaps               // walls of pieces that abut, or with gaps down to 10 µm
	Sheets             // panels with and without holes
	House              // rooms, things in them and around
	Street             // houses of one room, and solids
	NumKinds
)

// String is the kind's name.
func (k Kind) String() string { return [...]string{"bricks", "gaps", "sheets", "house", "street"}[k] }

// Place is a random matrix of parents: turned, mirrored, unevenly scaled, moved.
func Place(r *rand.Rand, at geom.Vec3) mgl64.Mat4 {
	m := mgl64.Translate3D(at[0], at[1], at[2])
	switch r.IntN(4) {
	case 1:
		m = m.Mul4(mgl64.HomogRotate3DY(7 * r.Float64()))
	case 2:
		m = m.Mul4(mgl64.HomogRotate3DY(7 * r.Float64())).Mul4(mgl64.Scale3D(-1, 1, 1))
	case 3: // a stretched parent and a turned child: edges are no longer square
		m = m.Mul4(mgl64.Scale3D(0.5+2*r.Float64(), 0.7+r.Float64(), -0.5-2*r.Float64())).
			Mul4(mgl64.HomogRotate3DY(7 * r.Float64())).Mul4(mgl64.HomogRotate3DZ(0.3 * r.NormFloat64()))
	}
	return m
}

// New makes a world of a kind.
func New(r *rand.Rand, kind Kind) (*World, error) {
	w := NewWorld()
	var base geom.Vec3
	if r.IntN(3) == 0 {
		base = geom.Vec3{1e5, 300, -1e5}
	}
	var err error
	switch kind {
	case Bricks:
		err = w.bricks(r, base, 3+r.IntN(25), 30)
	case Gaps:
		err = w.gapped(r, base)
	case Sheets:
		w.sheets(r, base)
	case House:
		err = w.house(r, Place(r, base), RandomPlan(r), 25)
		if err == nil && r.IntN(2) == 0 {
			err = w.bricks(r, base, 4, 25)
		}
	case Street:
		p := RandomPlan(r)
		p.Kind, p.Floors = Single, 1
		for i := range 2 + r.IntN(4) {
			at := base.Add(geom.Vec3{float64(i) * 16, 0, 8 * r.Float64()})
			if err = w.house(r, Place(r, at), p, 6); err != nil {
				return nil, err
			}
		}
		err = w.bricks(r, base, 4, 40)
	}
	if err != nil {
		return nil, err
	}
	w.around(r, base, 15)
	return w, nil
}

func solidOf(corner func(i int) geom.Vec3) (*hull.Hull, error) {
	var points []geom.Vec3
	for i := range 8 {
		points = append(points, corner(i))
	}
	return hull.Of(points)
}

func turn(r *rand.Rand) mgl64.Mat3 {
	switch r.IntN(3) {
	case 0:
		return mgl64.Ident3()
	case 1:
		return mgl64.Rotate3DY(7 * r.Float64())
	}
	return mgl64.Rotate3DX(7 * r.Float64()).Mul3(mgl64.Rotate3DY(7 * r.Float64())).Mul3(mgl64.Rotate3DZ(7 * r.Float64()))
}

// bricks adds solids around a place.
func (w *World) bricks(r *rand.Rand, at geom.Vec3, n int, reach float64) error {
	for range n {
		c := at.Add(geom.Vec3{r.NormFloat64() * reach / 2, r.NormFloat64() * 3, r.NormFloat64() * reach / 2})
		half := geom.Vec3{0.2 + 4*r.Float64(), 0.2 + 4*r.Float64(), 0.05 + 3*r.Float64()*r.Float64()}
		m := turn(r)
		grown := func(by float64) (*hull.Hull, error) {
			return solidOf(func(i int) geom.Vec3 {
				p := half
				for a := range p {
					p[a] += by
					if i>>a&1 == 0 {
						p[a] = -p[a]
					}
				}
				return c.Add(m.Mul3x1(p))
			})
		}
		h, err := grown(0)
		if err != nil {
			return err
		}
		solid := h
		if r.IntN(3) == 0 { // which the occluder does not fill
			if solid, err = grown(cull.Skin * (1 - 1e-9) * r.Float64()); err != nil {
				return err
			}
		}
		w.AddCore(solid, h)
	}
	return nil
}

// gapped adds a wall of pieces with things before and behind it.
func (w *World) gapped(r *rand.Rand, at geom.Vec3) error {
	gap := []float64{0, 0, 1e-3, 1e-3, 1e-5, 0.05}[r.IntN(6)]
	nx, ny := 1+r.IntN(5), 1+r.IntN(4)
	width, height, thick := 4+16*r.Float64(), 3+9*r.Float64(), []float64{0.02, 0.3, 3}[r.IntN(3)]
	shear := []float64{0, 0.6}[r.IntN(2)]
	place := Place(r, at)
	at3 := func(u, v, d float64) geom.Vec3 {
		return mgl64.TransformCoordinate(geom.Vec3{u*width + shear*v*height, v * height, d * thick}, place)
	}
	for i := range nx {
		for j := range ny {
			h, err := solidOf(func(n int) geom.Vec3 {
				u := float64(i+n&1)/float64(nx) + gap/2/width*float64(1-2*(n&1))
				v := float64(j+n>>1&1)/float64(ny) + gap/2/height*float64(1-2*(n>>1&1))
				return at3(u, v, float64(n>>2))
			})
			if err != nil {
				return err
			}
			w.AddHull(h)
			if gap > 0 && nx > 1 {
				at, along := at3(float64(max(i, 1))/float64(nx), (float64(j)+r.Float64())/float64(ny), 0.5), at3(0, 0, 1).Sub(at3(0, 0, 0))
				w.AddSlit(at, along)
				if r.IntN(3) == 0 { // something behind it
					d := (2*float64(r.IntN(2)) - 1) * (along.Len() + 6*r.Float64())
					w.AddBox(boxAt(r, at.Add(along.Normalize().Mul(d)), 0.4))
				}
			}
		}
	}
	for range 30 {
		p := at3(1.6*r.Float64()-0.3, 1.4*r.Float64()-0.2, 0).Add(at3(0, 0, 1).Sub(at3(0, 0, 0)).Normalize().Mul(20*r.Float64() - 10))
		w.AddBox(boxAt(r, p, math.Pow(10, -2*r.Float64())))
	}
	return nil
}

// sheets adds panels.
func (w *World) sheets(r *rand.Rand, at geom.Vec3) {
	for range 2 + r.IntN(6) {
		m := turn(r)
		c := at.Add(geom.Vec3{20*r.Float64() - 10, 2 * r.NormFloat64(), 20*r.Float64() - 10})
		n := 3 + r.IntN(6)
		var points, hole []geom.Vec3
		for i := range n {
			s, k := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			d := 2 + 5*r.Float64()
			points = append(points, c.Add(m.Mul3x1(geom.Vec3{d * k, d * s, 0})))
		}
		if r.IntN(2) == 0 {
			for i := range 4 {
				s, k := math.Sincos(2 * math.Pi * float64(i) / 4)
				hole = append(hole, c.Add(m.Mul3x1(geom.Vec3{0.4 * k, 0.4 * s, 0})))
			}
		}
		w.AddPanel(points, hole)
	}
}

// house adds rooms and things in them.
func (w *World) house(r *rand.Rand, m mgl64.Mat4, p Plan, things int) error {
	rooms := NewRooms(r, p)
	if err := w.AddRooms(rooms, m); err != nil {
		return err
	}
	for range things {
		c := rooms.Cells[r.IntN(len(rooms.Cells))]
		w.AddBox(boxAt(r, mgl64.TransformCoordinate(Inside(r, c[r.IntN(len(c))]), m), 0.6))
	}
	for _, q := range rooms.Portals {
		if r.IntN(2) == 0 { // in a door
			w.AddBox(boxAt(r, mgl64.TransformCoordinate(Inside(r, q.Polygon), m), 0.05))
		}
	}
	return nil
}

// around adds things everywhere.
func (w *World) around(r *rand.Rand, at geom.Vec3, n int) {
	for range n {
		p := at.Add(geom.Vec3{r.NormFloat64() * 20, r.NormFloat64() * 4, r.NormFloat64() * 20})
		w.AddBox(boxAt(r, p, []float64{0.1, 0.5, 3}[r.IntN(3)]))
	}
}

// boxAt is a box around a place with edges of up to twice a size.
func boxAt(r *rand.Rand, p geom.Vec3, size float64) geom.Box {
	h := geom.Vec3{r.Float64(), r.Float64(), r.Float64()}.Mul(size)
	return geom.Box{Min: p.Sub(h), Max: p.Add(h)}
}
