package document

import (
	"fmt"
	"maps"
	"math"
	"unicode/utf8"

	"github.com/go-gl/mathgl/mgl64"
)

// Settings are the parts of a level that are neither ground nor things.
type Settings struct {
	Sun         Sun
	HeightRange HeightRange
	// Geo keeps where an imported heightmap lies on the Earth and the like.
	Geo       map[string]string
	Camera    Camera            // where the view starts; unset when Eye is Look
	Bookmarks map[string]Camera // by name
	// EntityLayers are the layers of the outliner, in its order.
	EntityLayers []EntityLayer
	Nodes        NodeTree
	Extra        Extra
}

// Sun is the light of the level.
type Sun struct {
	Azimuth   float64    // radians from north (−Z), clockwise seen from above
	Elevation float64    // radians above the horizon
	Color     mgl64.Vec3 // linear, each at least 0
	Intensity float64    // factor on Color, at least 0
	Ambient   float64    // share of light that comes from everywhere, 0–1
	Baked     bool       // the terrain's baked light was made with this sun
	Extra     Extra
}

// DefaultSun stands in the south-east, 45° high.
func DefaultSun() Sun {
	return Sun{Azimuth: 3 * math.Pi / 4, Elevation: math.Pi / 4, Color: mgl64.Vec3{1, 1, 1}, Intensity: 1, Ambient: 0.3}
}

// Direction is the unit vector from the ground to the sun.
func (s Sun) Direction() mgl64.Vec3 {
	c := math.Cos(s.Elevation)
	return mgl64.Vec3{c * math.Sin(s.Azimuth), math.Sin(s.Elevation), -c * math.Cos(s.Azimuth)}
}

// Validate tells what is wrong with the sun.
func (s Sun) Validate() error {
	switch {
	case !finite(s.Azimuth):
		return fmt.Errorf("the sun's azimuth is not finite")
	case !(math.Abs(s.Elevation) <= math.Pi/2+1e-9):
		return fmt.Errorf("the sun's elevation is %g rad, expected −π/2 to π/2", s.Elevation)
	case !finite(s.Color[:]...) || min(s.Color[0], s.Color[1], s.Color[2]) < 0:
		return fmt.Errorf("the sun's colour is %v, expected numbers of at least 0", s.Color)
	case !(s.Intensity >= 0) || !finite(s.Intensity):
		return fmt.Errorf("the sun's intensity is %g, expected at least 0", s.Intensity)
	case !(s.Ambient >= 0 && s.Ambient <= 1):
		return fmt.Errorf("the ambient light is %g, expected 0 to 1", s.Ambient)
	}
	return nil
}

// HeightRange is how the integers of an imported heightmap became metres: 0 is
// Min, 2^Bits−1 is Max. A 16-bit export inverts it.
type HeightRange struct {
	Min, Max float64
	Bits     int // 1–32
	Set      bool
}

// Validate tells what is wrong with the range.
func (h HeightRange) Validate() error {
	if h.Set && (!finite(h.Min, h.Max) || h.Min > h.Max || h.Bits < 1 || h.Bits > 32) {
		return fmt.Errorf("the height range is %g to %g with %d bits, expected two ascending numbers and 1 to 32 bits", h.Min, h.Max, h.Bits)
	}
	return nil
}

// Camera is a place and what is looked at from there, both in the world.
type Camera struct{ Eye, Look mgl64.Vec3 }

// MaxCamera bounds the coordinates of cameras, in metres: no level reaches so far,
// and matrices of it still are numbers.
const MaxCamera = 1e12

// IsSet reports whether the camera looks anywhere.
func (c Camera) IsSet() bool { return c.Eye != c.Look }

// Validate tells what is wrong with the camera.
func (c Camera) Validate() error {
	if !finite(c.Eye[:]...) || !finite(c.Look[:]...) {
		return fmt.Errorf("the camera at %v looking at %v is not finite", c.Eye, c.Look)
	}
	for i := range 3 {
		if math.Abs(c.Eye[i]) > MaxCamera || math.Abs(c.Look[i]) > MaxCamera {
			return fmt.Errorf("the camera at %v looking at %v is out of range, expected coordinates within ±%g m", c.Eye, c.Look, MaxCamera)
		}
	}
	return nil
}

// Validate tells what is wrong with the settings.
func (s *Settings) Validate() error {
	if err := s.Sun.Validate(); err != nil {
		return err
	}
	if err := s.HeightRange.Validate(); err != nil {
		return err
	}
	if err := s.Camera.Validate(); err != nil {
		return err
	}
	for k, v := range s.Geo {
		if !utf8.ValidString(k) || !utf8.ValidString(v) {
			return fmt.Errorf("geographic metadata %q: not valid UTF-8", k)
		}
	}
	for name, c := range s.Bookmarks {
		if err := checkBookmark(name, c); err != nil {
			return err
		}
	}
	if err := s.Nodes.Validate(); err != nil {
		return err
	}
	return checkEntityLayers(s.EntityLayers)
}

func checkBookmark(name string, c Camera) error {
	if name == "" || !utf8.ValidString(name) {
		return fmt.Errorf("a camera bookmark has no name, or one that is not valid UTF-8")
	}
	if err := c.Validate(); err != nil {
		return fmt.Errorf("bookmark %q: %w", name, err)
	}
	if !c.IsSet() {
		return fmt.Errorf("bookmark %q: the eye is the point that is looked at", name)
	}
	return nil
}

// with copies m with one entry changed.
func with[V any](m map[string]V, key string, v V) map[string]V {
	c := maps.Clone(m)
	if c == nil {
		c = make(map[string]V, 1)
	}
	c[key] = v
	return c
}

// without copies m less one entry; nil when none is left.
func without[V any](m map[string]V, key string) map[string]V {
	c := maps.Clone(m)
	delete(c, key)
	if len(c) == 0 {
		return nil
	}
	return c
}
