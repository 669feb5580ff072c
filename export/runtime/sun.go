package runtime

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/export/strict"
	"ridgeline/terrain/fault"
)

// Sun is the light of a level. A surface shows its colour times
//
//	Ambient + Light · max(0, normal · Direction)
//
// and ground its colour times the light in its vertices instead, if that is Baked.
type Sun struct {
	Direction mgl64.Vec3 // to the sun, unit length, in the level's frame
	Light     mgl64.Vec3 // linear
	Ambient   float64
	Baked     bool // the light of the ground's vertices is of this sun
}

// light is one of KHR_lights_punctual. What is left out is as the extension has it.
type light struct {
	Type      string      `json:"type"`
	Color     *[3]float64 `json:"color,omitempty"`
	Intensity *float64    `json:"intensity,omitempty"`
}

// radiance is the light's colour times its intensity.
func (l *light) radiance() (v mgl64.Vec3, err error) {
	v = mgl64.Vec3{1, 1, 1}
	if l.Color != nil {
		v = *l.Color
		for _, x := range v {
			if !(x >= 0 && x <= 1+1e-6) {
				return v, &fault.Error{Place: "color", Found: fmt.Sprint(*l.Color), Want: "numbers from 0 to 1"}
			}
		}
	}
	if l.Intensity != nil {
		if !(*l.Intensity >= 0 && *l.Intensity <= math.MaxFloat32) {
			return v, &fault.Error{Place: "intensity", Found: fmt.Sprint(*l.Intensity), Want: "0 or more"}
		}
		v = v.Mul(*l.Intensity)
	}
	return v, nil
}

// readSun reads the first directional light that a node has, whoever wrote it, and what a
// level's sun has beside it.
func (l *Level) readSun() error {
	doc := l.file.doc
	var lights struct {
		Lights []light `json:"lights"`
	}
	place := "extensions." + extLights
	if ok, err := extension(doc.Extensions, extLights, &lights); !ok || err != nil {
		return below(place, err)
	}
	list := make([]mgl64.Vec3, len(lights.Lights))
	for i := range list {
		var err error
		place := fmt.Sprintf("%s.lights[%d]", place, i)
		if list[i], err = lights.Lights[i].radiance(); err != nil {
			return below(place, err)
		}
		switch t := lights.Lights[i].Type; t {
		case "directional", "point", "spot":
		default:
			return &fault.Error{Place: place + ".type", Found: fmt.Sprintf("%q", clip(t)), Want: "directional, point or spot"}
		}
	}
	for i, n := range doc.Nodes {
		var at struct {
			Light int `json:"light"`
		}
		place := fmt.Sprintf("nodes[%d].extensions.%s", i, extLights)
		if ok, err := extension(n.Extensions, extLights, &at); err != nil {
			return below(place, err)
		} else if !ok {
			continue
		}
		if at.Light < 0 || at.Light >= len(list) {
			return &fault.Error{Place: place, Found: fmt.Sprintf("light %d", at.Light), Want: fmt.Sprintf("one of %d lights", len(list))}
		}
		if lights.Lights[at.Light].Type != "directional" || l.Sun != nil {
			continue
		}
		d := l.Nodes[i].World.Col(2).Vec3()
		size := d.Len()
		if !(size > 0) || math.IsInf(size, 0) {
			return &fault.Error{Place: place, Found: fmt.Sprintf("a light along %v", d), Want: "a node that is not scaled to nothing"}
		}
		// A white surface reflects a πth of what it gets in each direction.
		l.Sun = &Sun{Light: list[at.Light].Mul(1 / math.Pi), Direction: d.Mul(1 / size)}
		if err := l.Sun.readExtras(l.Nodes[i].Extras); err != nil {
			return below(fmt.Sprintf("nodes[%d].extras", i), err)
		}
	}
	return nil
}

// readExtras reads what a level's sun has in the extras of its node. Those of another kind
// are somebody else's.
func (s *Sun) readExtras(raw json.RawMessage) error {
	var kind struct{ Kind string }
	if json.Unmarshal(raw, &kind) != nil || kind.Kind != "sun" {
		return nil
	}
	var extras struct {
		Ambient float64 `json:"ambient"`
		Baked   bool    `json:"baked,omitempty"`
	}
	if err := strict.Unmarshal(raw, &extras); err != nil {
		return err
	}
	if !(extras.Ambient >= 0 && extras.Ambient <= 1) {
		return &fault.Error{Place: "ambient", Found: fmt.Sprint(extras.Ambient), Want: "0 to 1"}
	}
	s.Ambient, s.Baked = extras.Ambient, extras.Baked
	return nil
}
