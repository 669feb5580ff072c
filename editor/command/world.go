package command

import (
	"context"
	"image/color"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

func worldCommands() []Command {
	return []Command{{
		ID: "sun.set", Title: "Set the sun", Class: Edit,
		Help: "Moves the sun and changes its light. What is left out stays.",
		Params: []Param{
			{Name: "azimuth", Help: "direction from north, clockwise", Unit: "°", Kind: Number, Min: -360, Max: 360},
			{Name: "elevation", Help: "height above the horizon", Unit: "°", Kind: Number, Min: -90, Max: 90},
			{Name: "color", Help: "colour of its light", Kind: Color},
			{Name: "intensity", Help: "factor on the colour", Kind: Number, Min: 0, Max: 100},
			{Name: "ambient", Help: "share of the light that comes from everywhere", Kind: Number, Min: 0, Max: 1},
		},
		Run: setSun,
	}}
}

func setSun(_ context.Context, env *Env, a Args) error {
	s := env.Doc.Level().Settings.Sun
	was := s
	if !a.Given("azimuth") && !a.Given("elevation") && !a.Given("color") && !a.Given("intensity") && !a.Given("ambient") {
		return bad("", "nothing to change", "azimuth=, elevation=, color=, intensity= or ambient=")
	}
	if a.Given("azimuth") {
		s.Azimuth = mgl64.DegToRad(a.Number("azimuth"))
	}
	if a.Given("elevation") {
		s.Elevation = mgl64.DegToRad(a.Number("elevation"))
	}
	if a.Given("color") {
		s.Color = linear(a.Color("color"))
	}
	if a.Given("intensity") {
		s.Intensity = a.Number("intensity")
	}
	if a.Given("ambient") {
		s.Ambient = a.Number("ambient")
	}
	if s.Azimuth != was.Azimuth || s.Elevation != was.Elevation || s.Color != was.Color ||
		s.Intensity != was.Intensity || s.Ambient != was.Ambient {
		s.Baked = false // the baked light is of another sun now
	}
	return env.Doc.Do("Set the sun", func(tx *document.Tx) error { return tx.SetSun(s) })
}

// linear turns an sRGB colour into linear light (IEC 61966-2-1:1999).
func linear(c color.NRGBA) mgl64.Vec3 {
	var v mgl64.Vec3
	for i, b := range [3]uint8{c.R, c.G, c.B} {
		s := float64(b) / 255
		if s <= 0.04045 {
			v[i] = s / 12.92
		} else {
			v[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return v
}
