package scatter

import (
	"errors"
	"fmt"
	"math"

	"ridgeline/terrain"
)

// The ranges of a scatter's numbers.
const (
	MaxDensity = 100.0 // points per square metre
	MinSpacing = 0.01  // metres
	MaxSpacing = 10_000.0
	MinScale   = 1e-3
	MaxScale   = 1e3

	// MaxPoints is the most that one call of Append appends.
	MaxPoints = 1_000_000
	// MaxPlaces is the most places that one call of Append tries. What slope, height
	// and layers take away has been tried, too.
	MaxPlaces = 100_000_000
	// MaxCoordinate bounds areas, in metres from the world's origin.
	MaxCoordinate = 1e10
)

// Range is an interval with both its ends. The zero value is no limit.
type Range struct{ Min, Max float64 }

func (r Range) has(v float64) bool { return r == (Range{}) || v >= r.Min && v <= r.Max }

func (r Range) check(what, unit string, lo, hi float64) error {
	if !(r.Min >= lo && r.Max <= hi && r.Min <= r.Max) {
		return fmt.Errorf("a %s from %g to %g%s is out of range, expected %g to %g", what, r.Min, r.Max, unit, lo, hi)
	}
	return nil
}

// Rules say how densely points lie, where, and how they stand. The zero value sows
// nothing.
type Rules struct {
	Density float64 // points per square metre of the map, 0–MaxDensity; see Effective
	Spacing float64 // metres between any two points on the map; 0 is MinSpacing
	Seed    uint64  // another seed, another pattern

	Slope  Range // of the ground, radians from level, 0–π/2
	Height Range // of the ground, metres
	// Layers are the ground textures to grow on: where their weights add up to more
	// than MinWeight, 0–1. Nil is everywhere.
	Layers    []uint8
	MinWeight float64

	Scale          Range   // of the points, MinScale–MaxScale; the zero value is 1
	RandomYaw      bool    // any direction; otherwise 0
	AlignToSurface float64 // 0 stands upright, 1 along the ground's normal
}

// Check names the first number of the rules that is out of range.
func (r Rules) Check() error {
	if !(r.Density >= 0 && r.Density <= MaxDensity) {
		return fmt.Errorf("a density of %g points per square metre is out of range, expected 0 to %g", r.Density, float64(MaxDensity))
	}
	if r.Spacing != 0 && !(r.Spacing >= MinSpacing && r.Spacing <= MaxSpacing) {
		return fmt.Errorf("a spacing of %g m is out of range, expected %g to %g", r.Spacing, MinSpacing, MaxSpacing)
	}
	if !(r.AlignToSurface >= 0 && r.AlignToSurface <= 1) {
		return fmt.Errorf("an alignment of %g is out of range, expected 0 to 1", r.AlignToSurface)
	}
	if !(r.MinWeight >= 0 && r.MinWeight <= 1) {
		return fmt.Errorf("a layer weight of %g is out of range, expected 0 to 1", r.MinWeight)
	}
	scale := r.Scale
	if scale == (Range{}) {
		scale = Range{1, 1}
	}
	return errors.Join(
		r.Slope.check("slope", " radians", 0, math.Pi/2),
		r.Height.check("height", " m", -terrain.MaxHeight, terrain.MaxHeight),
		scale.check("scale", "", MinScale, MaxScale),
	)
}

// spacing is the distance that is kept.
func (r Rules) spacing() float64 {
	if r.Spacing == 0 {
		return MinSpacing
	}
	return r.Spacing
}

// Effective is the density that is reached on ground that the rules like, in points
// per square metre: Density, or as much as the spacing leaves room for.
func (r Rules) Effective() float64 {
	return min(r.Density, Densest(r.spacing()))
}
