package brush

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ridgeline/terrain"
)

// Op is what a brush does.
type Op uint8

// The operations.
const (
	Raise Op = iota
	Lower
	Smooth
	Flatten
	Paint
	opCount
)

var opNames = [opCount]string{"raise", "lower", "smooth", "flatten", "paint"}

// laterNames are sculpting operations that are planned, so that they can be told
// from a slip of the pen.
var laterNames = []string{"set", "ramp", "noise", "terrace", "sharpen", "pinch", "smudge", "erode", "thermal",
	"stamp", "clone", "hole", "unhole", "lift", "shave"}

// String is the name of the operation as in scripts.
func (o Op) String() string {
	if o < opCount {
		return opNames[o]
	}
	return fmt.Sprintf("op %d", uint8(o))
}

// OpNames lists the operations on heights that ParseOp takes.
func OpNames() []string { return slices.Clone(opNames[:Paint]) }

// ParseOp gives the operation on heights of that name.
func ParseOp(name string) (Op, error) {
	if i := slices.Index(opNames[:Paint], name); i >= 0 {
		return Op(i), nil
	}
	want := strings.Join(opNames[:Paint], ", ")
	if slices.Contains(laterNames, name) {
		return 0, fmt.Errorf("the operation %q comes later, expected one of %s", name, want)
	}
	return 0, fmt.Errorf("there is no operation %q, expected one of %s", name, want)
}

// The ranges of a brush's numbers.
const (
	MinRadius = 0.01 // metres
	MaxRadius = 1e6
	// MaxStrength is the most that one dab raises or lowers, in metres: from one
	// end of the range of heights to the other.
	MaxStrength = 2 * terrain.MaxHeight

	DefaultSpacing = 0.25 // of the radius
	MinSpacing     = 0.01
	MaxSpacing     = 10.0

	// MaxCoordinate bounds the points of a stroke, in metres from the terrain's
	// origin.
	MaxCoordinate = 1e10
)

// Brush says what a stroke does.
type Brush struct {
	Op       Op
	Radius   float64 // metres, MinRadius–MaxRadius
	Strength float64 // raise, lower: metres per dab at the centre, 0–MaxStrength; others: a weight, clamped to 0–1
	Hardness float64 // 0–1: the part of the radius with full strength
	Spacing  float64 // distance between dabs in radii, MinSpacing–MaxSpacing; 0 is DefaultSpacing
	Layer    uint8   // paint: the layer whose weight rises

	// Level is the height in metres that flatten aims at when UseLevel is set;
	// otherwise it is the height under the first point.
	Level    float64
	UseLevel bool
}

// Check names the first number of the brush that is out of range.
func (b Brush) Check() error {
	if b.Op >= opCount {
		return fmt.Errorf("there is no brush %v", b.Op)
	}
	top, unit := math.Inf(1), ""
	if b.Op == Raise || b.Op == Lower {
		top, unit = MaxStrength, " m"
	}
	switch {
	case !(b.Radius >= MinRadius && b.Radius <= MaxRadius):
		return fmt.Errorf("a radius of %g m is out of range, expected %g to %g", b.Radius, MinRadius, MaxRadius)
	case !(b.Strength >= 0 && b.Strength <= top):
		return fmt.Errorf("a strength of %g%s is out of range, expected 0 to %g", b.Strength, unit, top)
	case !(b.Hardness >= 0 && b.Hardness <= 1):
		return fmt.Errorf("a hardness of %g is out of range, expected 0 to 1", b.Hardness)
	case b.Spacing != 0 && !(b.Spacing >= MinSpacing && b.Spacing <= MaxSpacing):
		return fmt.Errorf("a spacing of %g radii is out of range, expected %g to %g", b.Spacing, MinSpacing, MaxSpacing)
	case b.Op == Flatten && b.UseLevel && !(math.Abs(b.Level) <= terrain.MaxHeight):
		return fmt.Errorf("a level of %g m is out of range, expected %g to %g", b.Level, -terrain.MaxHeight, terrain.MaxHeight)
	}
	return nil
}

// spacing is the distance between dabs in radii.
func (b Brush) spacing() float64 {
	if b.Spacing == 0 {
		return DefaultSpacing
	}
	return b.Spacing
}

// edge is 1/(1 − h²), the steepness of the falloff. A hard brush has the largest
// number that stays finite however it is used.
func (b Brush) edge() float64 {
	return min(1/(1-b.Hardness*b.Hardness), 1e30)
}

// Falloff is the share of the brush's strength at a distance in metres from its
// centre, 0–1.
func Falloff(b Brush, distance float64) float64 {
	q := distance / b.Radius
	t := min(max((1-q*q)*b.edge(), 0), 1)
	return t * t * (3 - 2*t)
}
