package horizon

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// Test is the ground in one view. It implements cull.HorizonTest; its memory grows
// with what is asked of it and is used again by the next Begin. It is not safe for
// concurrent use.
type Test struct {
	ground *Ground
	blind  bool // the ground hides nothing in this view

	ortho   bool
	eye     geom.Vec3
	gx, gz  float64 // the eye in cells from sample (0, 0); 0 in an orthographic view
	scale   float64 // cells a metre
	spacing float64 // metres a cell
	slack   float64 // see cull.View
	off     float64 // by how much heights are taken for lower, for float32
	slope   float64 // an orthographic view: metres that a line of sight climbs a cell of d
	drift   float64 // and cells that it goes sideways
	axis    int     // and the only fan: its axis and sign
	sign    float64

	fans  [4]fan
	line  []float32
	chain chain

	walls   []*walls // by chunk, of this field or others with as many
	cols    int      // chunks
	scratch scratch
}

// farthest bounds how far from sample (0, 0) an eye or a box may be, in cells:
// beyond, places among the samples are rounded too much.
const farthest = 4e6

// leastTurn is the part of a line of sight that must be level in an orthographic
// view. Steeper ones hardly pass over one cell before they end.
const leastTurn = 1e-3

func (t *Test) begin(g *Ground, v *cull.View) {
	f := g.field
	ox, oz := f.Origin()
	lo, hi := f.MinMax()
	t.ground, t.ortho, t.eye, t.slack, t.scale, t.spacing = g, v.Ortho, v.Eye, v.Slack, 1/f.Spacing(), f.Spacing()
	// What is drawn, and what lod measures of it, is float32.
	t.off = math.Max(math.Abs(float64(lo)), math.Abs(float64(hi))) * 0x1p-21
	cols, rows := f.ChunkGrid()
	if t.cols != cols || len(t.walls) != cols*rows {
		t.cols, t.walls = cols, make([]*walls, cols*rows)
	}
	for i := range t.fans {
		t.fans[i].ready = false
	}
	// A little more than lod's bound, which is compared in float32.
	t.slack *= 1 + 1e-5
	if t.ortho {
		t.gx, t.gz = 0, 0
		t.blind = !t.parallel(v)
		return
	}
	t.gx, t.gz = (v.Eye[0]-ox)*t.scale, (v.Eye[2]-oz)*t.scale
	t.blind = !(t.slack >= 0 && t.slack < 1) ||
		!(math.Abs(t.gx) < farthest && math.Abs(t.gz) < farthest && math.Abs(v.Eye[1]) < 1e9) ||
		!t.clear(nearReach(v.ViewProj))
}

// nearReach is the distance from the eye to the farthest point of the near plane's
// rectangle; infinite when the matrix has none.
func nearReach(m mgl64.Mat4) float64 {
	reach := 0.0
	inv := m.Inv()
	for i := range 4 {
		p := inv.Mul4x1(mgl64.Vec4{float64(i&1)*2 - 1, float64(i>>1)*2 - 1, -1, 1})
		if d := p.Vec3().Mul(1 / p[3]).Len(); d >= 0 {
			reach = max(reach, d)
		} else {
			return math.Inf(1)
		}
	}
	if reach == 0 {
		return math.Inf(1)
	}
	return reach
}

// clear tells whether the eye is above the ground, or beside it, and no ground within
// reach of it, which the near plane might cut away. A hole below the eye is not ground,
// but its cells are taken for it.
func (t *Test) clear(reach float64) bool {
	f := t.ground.field
	reach += t.slack*reach + t.off
	if _, hi := f.MinMax(); t.eye[1] > float64(hi)+reach {
		return true
	}
	cols, rows := f.Size()
	r := reach * t.scale
	c0, c1 := int(max(t.gx-r, 0)), int(min(t.gx+r, float64(cols-1)))
	r0, r1 := int(max(t.gz-r, 0)), int(min(t.gz+r, float64(rows-1)))
	if t.gx+r < 0 || t.gz+r < 0 || t.gx-r > float64(cols-1) || t.gz-r > float64(rows-1) {
		return true
	}
	if c1-c0 > mostNear || r1-r0 > mostNear {
		return false
	}
	if t.touches(rimSlack) && !(t.eye[1] > t.surface(t.gx, t.gz)+reach) {
		return false
	}
	s := f.Spacing()
	for row := r0; row <= min(r1, rows-2); row++ {
		for col := c0; col <= min(c1, cols-2); col++ {
			corner := func(dc, dr int) geom.Vec3 {
				return geom.Vec3{
					(float64(col+dc) - t.gx) * s,
					float64(f.Sample(col+dc, row+dr)) - t.eye[1],
					(float64(row+dr) - t.gz) * s,
				}
			}
			a, b, c, d := corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)
			if !(apart(a, c, b) > reach && apart(b, c, d) > reach) {
				return false
			}
		}
	}
	return true
}

// touches tells whether a cell that is no hole lies below or above the eye, or within
// some cells of that place.
func (t *Test) touches(slack float64) bool {
	f := t.ground.field
	cols, rows := f.Size()
	for i := range 4 {
		c := int(math.Floor(t.gx + slack*float64(i&1*2-1)))
		r := int(math.Floor(t.gz + slack*float64(i>>1*2-1)))
		if c >= 0 && r >= 0 && c < cols-1 && r < rows-1 && !f.IsHole(c, r) {
			return true
		}
	}
	return false
}

// surface is the height of the ground at a place in cells, as if it had no holes; that
// of the nearest place of the field beside it.
func (t *Test) surface(x, z float64) float64 {
	f := t.ground.field
	cols, rows := f.Size()
	x, z = min(max(x, 0), float64(cols-1)), min(max(z, 0), float64(rows-1))
	c, r := min(int(x), cols-2), min(int(z), rows-2)
	u, v := x-float64(c), z-float64(r)
	at := func(dc, dr int) float64 { return float64(f.Sample(c+dc, r+dr)) }
	if u+v <= 1 {
		return at(0, 0)*(1-u-v) + at(1, 0)*u + at(0, 1)*v
	}
	return at(1, 1)*(u+v-1) + at(0, 1)*(1-u) + at(1, 0)*(1-v)
}

// mostNear is how many cells along a side are looked at for ground within reach.
const mostNear = 64

// apart is a lower bound of the distance from the origin to a triangle.
func apart(a, b, c geom.Vec3) float64 {
	d := geom.BoxOf(a, b, c).DistanceTo(geom.Vec3{})
	n := b.Sub(a).Cross(c.Sub(a))
	if l := n.Len(); l > 0 {
		d = max(d, math.Abs(n.Dot(a))/l)
	}
	return d
}

// parallel prepares an orthographic view and tells whether the ground hides anything
// in it: lines of sight must not be upright, and must come from above the ground or
// from beside it.
func (t *Test) parallel(v *cull.View) bool {
	f := t.ground.field
	fx, fy, fz := v.Forward[0], v.Forward[1], v.Forward[2]
	major, side := fx, fz
	t.axis = 0
	if math.Abs(fz) > math.Abs(fx) {
		major, side = fz, fx
		t.axis = 1
	}
	if !(math.Abs(major) >= leastTurn) || !(t.slack >= 0 && t.slack < math.MaxFloat64) {
		return false
	}
	t.sign = math.Copysign(1, major)
	t.slope, t.drift = fy/math.Abs(major)*f.Spacing(), side/math.Abs(major)

	b := geom.EmptyBox()
	inv := v.ViewProj.Inv()
	for i := range 4 {
		p := inv.Mul4x1(mgl64.Vec4{float64(i&1)*2 - 1, float64(i>>1)*2 - 1, -1, 1})
		b = b.Add(p.Vec3().Mul(1 / p[3]).Add(v.Eye))
	}
	_, hi := f.MinMax()
	w, d := f.Extent()
	ox, oz := f.Origin()
	// Lines of sight are taken for endless, so no ground may lie where they come from.
	ahead := b.Max[0] < ox && fx > 0 || b.Min[0] > ox+w && fx < 0 ||
		b.Max[2] < oz && fz > 0 || b.Min[2] > oz+d && fz < 0
	return ahead || fy <= 0 && b.Min[1] > float64(hi)+t.slack+t.off
}
