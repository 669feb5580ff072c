package scatter

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain/brush"
)

// Area is where to sow or erase: a Rect, Disc, Stroke or Polygon.
type Area interface {
	// bounds is a rectangle around it.
	bounds() Rect
	// cover is the share of the density at world x, z, 0–1.
	cover(x, z float64) float64
	// within is an area that covers r the same way and takes less time, nil when it
	// does not reach r.
	within(r Rect) Area
	check() error
}

// Rect is a rectangle of the map in world metres: (x, z) of its corners.
type Rect struct{ Min, Max mgl64.Vec2 }

func (r Rect) bounds() Rect { return r }

func (r Rect) cover(x, z float64) float64 {
	if x >= r.Min[0] && x <= r.Max[0] && z >= r.Min[1] && z <= r.Max[1] {
		return 1
	}
	return 0
}

func (r Rect) within(o Rect) Area {
	if r.intersect(o).empty() {
		return nil
	}
	return r
}

func (r Rect) check() error { return checkPoints(r.Min, r.Max) }

func (r Rect) empty() bool { return !(r.Min[0] <= r.Max[0] && r.Min[1] <= r.Max[1]) }

func (r Rect) intersect(o Rect) Rect {
	for k := range r.Min {
		r.Min[k], r.Max[k] = max(r.Min[k], o.Min[k]), min(r.Max[k], o.Max[k])
	}
	return r
}

// around is the least rectangle of points, widened on all sides.
func around(pad float64, points ...mgl64.Vec2) Rect {
	inf := math.Inf(1)
	r := Rect{mgl64.Vec2{inf, inf}, mgl64.Vec2{-inf, -inf}}
	for _, p := range points {
		for k := range p {
			r.Min[k], r.Max[k] = min(r.Min[k], p[k]-pad), max(r.Max[k], p[k]+pad)
		}
	}
	return r
}

// Disc is a dab of a round brush. Its density falls off from Hardness·Radius to
// Radius as brush.Falloff does.
type Disc struct {
	X, Z     float64 // world
	Radius   float64 // metres, brush.MinRadius–brush.MaxRadius
	Hardness float64 // 0–1
}

func (d Disc) bounds() Rect { return around(d.Radius, mgl64.Vec2{d.X, d.Z}) }

func (d Disc) cover(x, z float64) float64 {
	return brush.Falloff(brush.Brush{Radius: d.Radius, Hardness: d.Hardness}, math.Hypot(x-d.X, z-d.Z))
}

func (d Disc) within(r Rect) Area {
	if c := (mgl64.Vec2{d.X, d.Z}); distance(r, c) > loose(d.Radius, c) {
		return nil
	}
	return d
}

// loose is a little more than a radius around a point, so that rounding hides
// nothing.
func loose(radius float64, p mgl64.Vec2) float64 {
	return radius + 1e-9*(radius+math.Abs(p[0])+math.Abs(p[1]))
}

func (d Disc) check() error {
	if err := (brush.Brush{Radius: d.Radius, Hardness: d.Hardness}).Check(); err != nil {
		return err
	}
	return checkPoints(mgl64.Vec2{d.X, d.Z})
}

// distance is how far p lies from the rectangle, 0 inside.
func distance(r Rect, p mgl64.Vec2) float64 {
	return math.Hypot(gap(p[0], r.Min[0], r.Max[0]-r.Min[0]), gap(p[1], r.Min[1], r.Max[1]-r.Min[1]))
}

// Stroke is a path of a round brush: at each place, the dab that covers it best.
// A path may be cut anywhere; its parts together uncover the same points.
type Stroke struct {
	Path     []mgl64.Vec2 // world x and z; one point is a dab
	Radius   float64      // metres, brush.MinRadius–brush.MaxRadius
	Hardness float64      // 0–1
}

func (s Stroke) bounds() Rect { return around(s.Radius, s.Path...) }

func (s Stroke) check() error {
	if len(s.Path) == 0 {
		return fmt.Errorf("a stroke has no point, expected at least one")
	}
	if err := (brush.Brush{Radius: s.Radius, Hardness: s.Hardness}).Check(); err != nil {
		return err
	}
	return checkPoints(s.Path...)
}

// segments is a Stroke as its straight parts.
type segments struct {
	parts []segment
	brush brush.Brush
	all   Rect
}

type segment struct{ a, b mgl64.Vec2 }

func (s Stroke) segments() segments {
	out := segments{brush: brush.Brush{Radius: s.Radius, Hardness: s.Hardness}, all: s.bounds()}
	for i := range max(len(s.Path)-1, 1) {
		out.parts = append(out.parts, segment{s.Path[i], s.Path[min(i+1, len(s.Path)-1)]})
	}
	return out
}

func (s Stroke) cover(x, z float64) float64 { return s.segments().cover(x, z) }

func (s Stroke) within(r Rect) Area { return s.segments().within(r) }

func (s segments) bounds() Rect { return s.all }

func (s segments) check() error { return nil }

func (s segments) cover(x, z float64) float64 {
	best := math.Inf(1)
	for _, p := range s.parts {
		best = min(best, p.distance(mgl64.Vec2{x, z}))
	}
	return brush.Falloff(s.brush, best)
}

// within drops the parts that certainly do not reach r: those whose bounds are too
// far from it, or that lie too far from its middle.
func (s segments) within(r Rect) Area {
	half := r.Max.Sub(r.Min).Mul(0.5)
	middle := r.Min.Add(half)
	radius := loose(s.brush.Radius, middle)
	kept := segments{brush: s.brush, all: s.all}
	for _, p := range s.parts {
		if !around(radius, p.a, p.b).intersect(r).empty() && p.distance(middle) <= half.Len()+radius {
			kept.parts = append(kept.parts, p)
		}
	}
	if kept.parts == nil {
		return nil
	}
	return kept
}

func (s segment) distance(p mgl64.Vec2) float64 {
	d, v := s.b.Sub(s.a), p.Sub(s.a)
	if l := d.Dot(d); l > 0 {
		v = v.Sub(d.Mul(min(max(v.Dot(d)/l, 0), 1)))
	}
	return v.Len()
}

// Polygon is an area of the map, closed from the last point to the first. Where it
// crosses itself, inside is what an odd number of its sides separates from outside.
type Polygon []mgl64.Vec2 // world x and z

func (p Polygon) bounds() Rect { return around(0, p...) }

func (p Polygon) check() error {
	if len(p) < 3 {
		return fmt.Errorf("a polygon of %d points has no inside, expected at least 3", len(p))
	}
	return checkPoints(p...)
}

func (p Polygon) cover(x, z float64) float64 { return p.sides().cover(x, z) }

func (p Polygon) within(r Rect) Area { return p.sides().within(r) }

// sides are those of a Polygon.
type sides struct {
	parts []segment
	all   Rect
}

func (p Polygon) sides() sides {
	out := sides{all: p.bounds()}
	for i, a := range p {
		out.parts = append(out.parts, segment{a, p[(i+1)%len(p)]})
	}
	return out
}

func (s sides) bounds() Rect { return s.all }

func (s sides) check() error { return nil }

// cover counts the sides that lie towards smaller x.
func (s sides) cover(x, z float64) float64 {
	inside := 0
	for _, e := range s.parts {
		if (e.a[1] <= z) == (e.b[1] <= z) {
			continue
		}
		at := e.a[0] + (z-e.a[1])/(e.b[1]-e.a[1])*(e.b[0]-e.a[0])
		at = min(max(at, min(e.a[0], e.b[0])), max(e.a[0], e.b[0])) // also when rounded
		if at < x {
			inside ^= 1
		}
	}
	return float64(inside)
}

// within keeps the sides that a line from r towards smaller x may cross.
func (s sides) within(r Rect) Area {
	kept := sides{all: s.all}
	for _, e := range s.parts {
		if min(e.a[1], e.b[1]) <= r.Max[1] && max(e.a[1], e.b[1]) >= r.Min[1] && min(e.a[0], e.b[0]) <= r.Max[0] {
			kept.parts = append(kept.parts, e)
		}
	}
	if kept.parts == nil {
		return nil
	}
	return kept
}

func checkPoints(points ...mgl64.Vec2) error {
	for _, p := range points {
		if !(math.Abs(p[0]) <= MaxCoordinate && math.Abs(p[1]) <= MaxCoordinate) {
			return fmt.Errorf("the point %g,%g is out of range, expected at most %g m from the origin", p[0], p[1], float64(MaxCoordinate))
		}
	}
	return nil
}
