package scatter

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// Point is a place on the ground with the chances that it was dealt.
type Point struct {
	Position mgl64.Vec3 // world; on the full-detail surface
	Normal   mgl64.Vec3 // unit, of the ground's triangle
	Up       mgl64.Vec3 // unit, which way the thing stands
	Yaw      float64    // radians about Up, 0–2π
	Scale    float64
	Pick     uint32 // at random, to choose among assets: Pick % n
}

// upright is the direction that things stand in which do not follow the ground.
var upright = mgl64.Vec3{0, 1, 0}

// lean is up, turned towards a normal by a share of 0–1.
func lean(normal mgl64.Vec3, share float64) mgl64.Vec3 {
	switch share {
	case 0:
		return upright
	case 1:
		return normal
	}
	return upright.Mul(1 - share).Add(normal.Mul(share)).Normalize()
}

// Numbers that make further hashes of a candidate's.
const (
	saltStand = 0xd1b54a32d192ed03
	saltPick  = 0x8cb92ba72f3d8dd7
)

// deal gives a point its chances, from the hash of its candidate.
func (r *Rules) deal(p *Point, hash uint64) {
	h := mix(hash ^ saltStand)
	p.Scale = 1
	if r.Scale != (Range{}) {
		p.Scale = min(r.Scale.Min+(r.Scale.Max-r.Scale.Min)*unit(h), r.Scale.Max)
	}
	if r.RandomYaw {
		p.Yaw = 2 * math.Pi * unit(h<<32)
	}
	p.Pick = uint32(mix(hash^saltPick) >> 32)
	p.Up = lean(p.Normal, r.AlignToSurface)
}

// ground is a place on the field.
type ground struct {
	y       float64
	normal  mgl64.Vec3
	corners [3][2]int // samples of the triangle
	share   [3]float64
}

// groundAt finds the triangle under world x, z; ok is false off the field and over a
// hole.
func groundAt(f *terrain.Field, x, z float64) (g ground, ok bool) {
	y, ok := f.Height(x, z)
	if !ok {
		return ground{}, false
	}
	c, r, u, v, _ := f.Cell(x, z)
	g.y = y
	g.corners = [3][2]int{{c, r}, {c + 1, r}, {c, r + 1}}
	g.share = [3]float64{1 - u - v, u, v}
	side := 1.0
	if u+v > 1 {
		g.corners = [3][2]int{{c + 1, r + 1}, {c, r + 1}, {c + 1, r}}
		g.share = [3]float64{u + v - 1, 1 - u, 1 - v}
		side = -1
	}
	h := func(k int) float64 { return float64(f.Sample(g.corners[k][0], g.corners[k][1])) }
	dx, dz := side*(h(1)-h(0)), side*(h(2)-h(0))
	g.normal = mgl64.Vec3{-dx, f.Spacing(), -dz}.Normalize()
	return g, true
}

// weight is how much of the ground some layers make up, 0–1.
func (g *ground) weight(f *terrain.Field, layers []uint8) float64 {
	sum := 0.0
	for k, c := range g.corners {
		s := f.SplatAt(c[0], c[1])
		over, third := float64(s.Alpha)/255, float64(s.Alpha2)/255
		for _, part := range [3]struct {
			id     uint8
			weight float64
		}{{s.Base, (1 - over) * (1 - third)}, {s.Over, over * (1 - third)}, {s.Third, third}} {
			for _, l := range layers {
				if l == part.id {
					sum += part.weight * g.share[k]
					break
				}
			}
		}
	}
	return sum
}

// likes tells whether the rules let something grow there.
func (r *Rules) likes(f *terrain.Field, g *ground) bool {
	return r.Height.has(g.y) &&
		(r.Slope == (Range{}) || r.Slope.has(math.Acos(min(g.normal[1], 1)))) &&
		(r.Layers == nil || g.weight(f, r.Layers) > r.MinWeight)
}
