package tool

import (
	"math"
	"strconv"

	"ridgeline/terrain/brush"
)

// Brush is the settings that sculpting and painting share with the tool's options
// and keys.
type Brush struct {
	Radius   float64 // metres
	Strength float64 // raise and lower: metres per second at the centre
	Weight   float64 // smooth, flatten, paint: per dab, 0–1
	Hardness float64 // 0–1
	Spacing  float64 // between dabs, in radii
}

// DefaultBrush is what a new installation starts with.
func DefaultBrush() Brush {
	return Brush{Radius: 20, Strength: 10, Weight: 0.3, Hardness: 0.3, Spacing: brush.DefaultSpacing}
}

// Setting is one number of a Brush.
type Setting int

// The settings of a brush.
const (
	Radius Setting = iota
	Strength
	Weight
	Hardness
	Spacing
	settingCount
)

// Range is what a setting may be.
type Range struct {
	Name string // as in settings files
	Unit string
	// Min and Max bound what can be typed. A slider shows Low to High.
	Min, Max, Low, High float64
	// Log: the slider and the keys work by factors, not by differences.
	Log bool
}

// maxStrength is the strongest brush, in metres a second: in the time of a dab it
// goes from one end of the range of heights to the other.
const maxStrength = brush.MaxStrength * float64(dabsPerSecond)

var ranges = [settingCount]Range{
	Radius:   {"radius", "m", brush.MinRadius, brush.MaxRadius, 0.5, 500, true},
	Strength: {"strength", "m/s", 0, maxStrength, 0.1, 200, true},
	Weight:   {"weight", "", 0, 1, 0, 1, false},
	Hardness: {"hardness", "", 0, 1, 0, 1, false},
	Spacing:  {"spacing", "radii", brush.MinSpacing, brush.MaxSpacing, 0.05, 1, false},
}

// Range gives what a setting may be.
func (s Setting) Range() Range { return ranges[s] }

// StrengthOf is the setting that the strength of an operation comes from.
func StrengthOf(op brush.Op) Setting {
	if op == brush.Raise || op == brush.Lower {
		return Strength
	}
	return Weight
}

func (b *Brush) field(s Setting) *float64 {
	return [settingCount]*float64{&b.Radius, &b.Strength, &b.Weight, &b.Hardness, &b.Spacing}[s]
}

// Get gives a setting.
func (b Brush) Get(s Setting) float64 { return *b.field(s) }

// Set changes a setting, clamped to its range. What is not a number changes
// nothing.
func (b *Brush) Set(s Setting, v float64) {
	if !math.IsNaN(v) {
		*b.field(s) = min(max(v, ranges[s].Min), ranges[s].Max)
	}
}

// keyFactor is by how much a key press changes a setting that works by factors,
// keyStep one that does not.
const (
	keyFactor = 1.15
	keyStep   = 0.05
)

// Grow is one press of the key that makes a setting larger.
func (b *Brush) Grow(s Setting) { b.step(s, 1) }

// Shrink is one press of the key that makes a setting smaller.
func (b *Brush) Shrink(s Setting) { b.step(s, -1) }

func (b *Brush) step(s Setting, sign float64) {
	r, v := ranges[s], b.Get(s)
	switch {
	case !r.Log:
		v = math.Round((v+sign*keyStep)/keyStep) * keyStep
	case v < r.Low/1000 && sign > 0:
		v = r.Low // factors never leave zero
	default:
		v *= math.Pow(keyFactor, sign)
	}
	b.Set(s, Readable(v))
}

// Readable keeps three significant digits of a number.
func Readable(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Sanitize brings settings that were read from a file into their ranges.
func (b *Brush) Sanitize() {
	def := DefaultBrush()
	for s := range settingCount {
		if math.IsNaN(b.Get(s)) {
			*b.field(s) = def.Get(s)
		}
		b.Set(s, b.Get(s))
	}
}

// of makes the brush of one operation.
func (b Brush) of(op brush.Op) brush.Brush {
	s := b.Weight
	if StrengthOf(op) == Strength {
		s = b.Strength * DabTime.Seconds()
	}
	return brush.Brush{Op: op, Radius: b.Radius, Strength: s, Hardness: b.Hardness, Spacing: b.Spacing}
}
