package brush

import (
	"fmt"
	"image"
	"math"

	"ridgeline/terrain"
)

// Stroke is a stroke in the making. Between its calls nobody else may write what
// it changes, the heights or the splats, of the draft; the draft's Field may be
// taken at any time. It is not safe for concurrent use.
type Stroke struct {
	draft *terrain.Draft
	brush Brush

	radius  float64 // in samples, as all that follows
	step    float64 // between dabs
	lattice float64 // dab centres are multiples of it
	x, z    float64 // the last point
	since   float64 // length of the line since the last dab
	bounds  image.Rectangle

	shape shape
	level float32 // flatten's aim, metres

	now     disc // the dab in work
	work    work
	canvas  canvas
	prepare func() (parts int)
	part    func(from, to int) // does some of the parts
}

// Begin places the first dab of a stroke at world x, z. Numbers that are out of
// range or not finite are errors, and nothing is changed. A first point off the
// terrain is none: flatten then takes the height of the nearest point on it.
func Begin(d *terrain.Draft, b Brush, x, z float64) (*Stroke, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	f := d.View()
	if err := checkPoint(f, x, z); err != nil {
		return nil, err
	}
	if b.Op != Raise && b.Op != Lower {
		b.Strength = min(b.Strength, 1)
	}
	s := &Stroke{draft: d, brush: b}
	s.x, s.z = toSamples(f, x, z)
	s.radius = b.Radius / f.Spacing()
	s.step = s.radius * b.spacing()
	_, exp := math.Frexp(min(s.radius, 1))
	s.lattice = math.Ldexp(1, exp-1) / 1024
	s.shape = shapeOf(b, s.radius)
	if b.Op == Flatten {
		s.level = float32(b.Level)
		if !b.UseLevel {
			s.level = float32(surface(f, x, z))
		}
	}
	switch b.Op {
	case Raise, Lower:
		s.prepare, s.part = s.gather, s.raise
	case Smooth:
		s.prepare, s.part = s.divide, s.smooth
	case Flatten:
		s.prepare, s.part = s.gather, s.flatten
	case Paint:
		s.canvas.tiles = make(map[image.Point]*painted)
		s.prepare, s.part = s.unroll, s.paint
	}
	s.dab(s.x, s.z)
	return s, nil
}

// To draws the line on to world x, z and gives the samples that its dabs may have
// changed. A point that is not finite, or out of range, is an error and draws
// nothing.
func (s *Stroke) To(x, z float64) (image.Rectangle, error) {
	f := s.draft.View()
	if err := checkPoint(f, x, z); err != nil {
		return image.Rectangle{}, err
	}
	x0, z0 := s.x, s.z
	x1, z1 := toSamples(f, x, z)
	length := math.Hypot(x1-x0, z1-z0)
	if length == 0 {
		return image.Rectangle{}, nil
	}
	s.x, s.z = x1, z1
	l := leg{x: x0, z: z0, dx: (x1 - x0) / length, dz: (z1 - z0) / length, first: s.step - s.since, step: s.step}
	// A dab that falls on the end belongs to this leg, also when rounding puts it
	// just behind.
	if n := math.Floor((length-l.first)/s.step + 1e-7); n >= 0 {
		l.count = int64(n) + 1
		s.since = length - (l.first + n*s.step)
	} else {
		s.since += length
		return image.Rectangle{}, nil
	}
	var all image.Rectangle
	cols, rows := f.Size()
	l.each(s.radius, float64(cols-1), float64(rows-1), func(i int64) {
		all = all.Union(s.dab(l.at(i)))
	})
	return all, nil
}

// Bounds gives the samples that the stroke may have changed so far, the first dab
// included.
func (s *Stroke) Bounds() image.Rectangle { return s.bounds }

// MaxHold is the greatest number of dabs that Hold takes at once.
const MaxHold = 100_000

// Hold places n more dabs at the last point, as for a pointer that rests there,
// and gives the samples they may have changed. The spacing of later dabs does not
// depend on it.
func (s *Stroke) Hold(n int) (image.Rectangle, error) {
	if n < 0 || n > MaxHold {
		return image.Rectangle{}, fmt.Errorf("%d dabs are out of range, expected 0 to %d", n, MaxHold)
	}
	var all image.Rectangle
	for range n {
		all = all.Union(s.dab(s.x, s.z))
	}
	return all, nil
}

// dab places one dab; the centre is in samples.
func (s *Stroke) dab(x, z float64) image.Rectangle {
	d := disc{x: s.snap(x), z: s.snap(z), r: s.radius}
	d.rect = d.reach(s.draft.View())
	if d.rect.Empty() || s.brush.Strength == 0 {
		return image.Rectangle{}
	}
	s.now = d
	share(d.workers(), s.prepare(), s.part)
	s.bounds = s.bounds.Union(d.rect)
	return d.rect
}

// snap rounds a dab's centre to the lattice. The border between two steps is
// irrational, so that simple fractions never lie on it.
func (s *Stroke) snap(v float64) float64 {
	return math.Floor(v/s.lattice+math.Phi-1) * s.lattice
}

func toSamples(f *terrain.Field, x, z float64) (float64, float64) {
	ox, oz := f.Origin()
	return (x - ox) / f.Spacing(), (z - oz) / f.Spacing()
}

func checkPoint(f *terrain.Field, x, z float64) error {
	ox, oz := f.Origin()
	if !(math.Abs(x-ox) <= MaxCoordinate && math.Abs(z-oz) <= MaxCoordinate) {
		return fmt.Errorf("the point %g,%g is out of range, expected at most %g m from the terrain's origin", x, z, float64(MaxCoordinate))
	}
	return nil
}

// leg is a straight part of a stroke with its dabs, in samples.
type leg struct {
	x, z   float64 // start
	dx, dz float64 // unit direction
	first  float64 // from the start to the first dab
	step   float64
	count  int64 // dabs
}

func (l *leg) at(i int64) (x, z float64) {
	t := l.first + float64(i)*l.step
	return l.x + t*l.dx, l.z + t*l.dz
}

// between gives the dabs from t0 to t1 along the leg, and one more on each side
// to make up for rounding.
func (l *leg) between(t0, t1 float64) (from, to int64) {
	a := math.Ceil((t0-l.first)/l.step) - 1
	b := math.Floor((t1-l.first)/l.step) + 2
	n := float64(l.count)
	return int64(min(max(a, 0), n)), int64(min(max(b, 0), n))
}

// each calls do, in order, for the dabs of radius r that may reach a sample of
// the field, which ends at w, h.
func (l *leg) each(r, w, h float64, do func(i int64)) {
	t0, t1 := 0.0, l.first+float64(l.count)*l.step
	for _, axis := range [2]struct{ p, d, end float64 }{{l.x, l.dx, w}, {l.z, l.dz, h}} {
		pad := r + l.step
		a, b := -pad-axis.p, axis.end+pad-axis.p
		if axis.d == 0 {
			if a > 0 || b < 0 {
				return
			}
			continue
		}
		a, b = a/axis.d, b/axis.d
		t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
	}
	if !(t0 <= t1) {
		return
	}
	from, to := l.between(t0, t1)
	if r >= 0.5 {
		for i := from; i < to; i++ {
			do(i)
		}
		return
	}
	// The brush is smaller than a sample: only dabs near a column (near a row, for
	// a steep leg) can reach one.
	p, d, end := l.x, l.dx, w
	if math.Abs(l.dz) > math.Abs(l.dx) {
		p, d, end = l.z, l.dz, h
	}
	a, b := p+t0*d, p+t1*d
	lo, hi := int(max(math.Floor(min(a, b)), 0)), int(min(math.Ceil(max(a, b)), end))
	next := from
	for n := range hi - lo + 1 {
		c := float64(lo + n)
		if d < 0 {
			c = float64(hi - n)
		}
		u, v := (c-r-p)/d, (c+r-p)/d
		i, j := l.between(min(u, v), max(u, v))
		for i = max(i, next); i < min(j, to); i++ {
			do(i)
		}
		next = max(next, j)
	}
}
