package shade

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Sun is the light that is baked.
type Sun struct {
	Azimuth   float64    // bearing of the sun, radians clockwise from north (−Z)
	Elevation float64    // radians over the horizon, −π/2 to π/2
	Color     mgl64.Vec3 // linear, of light that falls straight on the ground, 0–1
	Intensity float64    // multiplies Color, 0–MaxIntensity
	Ambient   mgl64.Vec3 // linear, light from everywhere, 0–1
}

// MaxIntensity is the greatest intensity of a sun.
const MaxIntensity = 1000.0

// Check names the first number of the sun that is out of range.
func (s Sun) Check() error {
	switch {
	case math.IsNaN(s.Azimuth) || math.IsInf(s.Azimuth, 0):
		return fmt.Errorf("an azimuth of %g is not a number of radians", s.Azimuth)
	case !(math.Abs(s.Elevation) <= math.Pi/2):
		return fmt.Errorf("an elevation of %g is out of range, expected −π/2 to π/2 radians", s.Elevation)
	case !(s.Intensity >= 0 && s.Intensity <= MaxIntensity):
		return fmt.Errorf("an intensity of %g is out of range, expected 0 to %g", s.Intensity, float64(MaxIntensity))
	}
	for i := range 3 {
		if !(s.Color[i] >= 0 && s.Color[i] <= 1) {
			return fmt.Errorf("a sun colour of %g is out of range, expected 0 to 1", s.Color[i])
		}
		if !(s.Ambient[i] >= 0 && s.Ambient[i] <= 1) {
			return fmt.Errorf("an ambient colour of %g is out of range, expected 0 to 1", s.Ambient[i])
		}
	}
	return nil
}

// SunDirection is the unit vector towards a sun at that azimuth and elevation in
// radians: azimuth 0 is −Z, π/2 is +X.
func SunDirection(azimuth, elevation float64) mgl64.Vec3 {
	sa, ca := math.Sincos(azimuth)
	se, ce := math.Sincos(elevation)
	return mgl64.Vec3{sa * ce, se, -ca * ce}
}
