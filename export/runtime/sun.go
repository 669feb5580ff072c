package runtime

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

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

// readSun reads the first directional light that a node has. Extras of another form are
// somebody else's.
func (l *Level) readSun() error {
	doc := l.file.doc
	var lights struct {
		Lights []struct {
			Type      string
			Color     *[3]float64
			Intensity *float64
		}
	}
	if ok, err := extension(doc.Extensions, extLights, &lights); !ok || err != nil {
		return err
	}
	for i, n := range doc.Nodes {
		at := struct{ Light int }{-1}
		if ok, err := extension(n.Extensions, extLights, &at); err != nil {
			return placed(fmt.Sprintf("nodes[%d]", i), err)
		} else if !ok {
			continue
		}
		if at.Light < 0 || at.Light >= len(lights.Lights) {
			return placed(fmt.Sprintf("nodes[%d].extensions.%s", i, extLights), &fault.Error{Found: fmt.Sprintf("light %d", at.Light), Want: fmt.Sprintf("one of %d lights", len(lights.Lights))})
		}
		light := &lights.Lights[at.Light]
		if light.Type != "directional" {
			continue
		}
		s := Sun{Light: mgl64.Vec3{1, 1, 1}, Direction: l.Nodes[i].World.Col(2).Vec3()}
		if light.Color != nil {
			s.Light = *light.Color
		}
		if light.Intensity != nil {
			s.Light = s.Light.Mul(*light.Intensity)
		}
		// A white surface reflects a πth of what it gets in each direction.
		s.Light = s.Light.Mul(1 / math.Pi)
		var extras struct {
			Ambient float64
			Baked   bool
		}
		if json.Unmarshal(l.Nodes[i].Extras, &extras) == nil {
			s.Ambient, s.Baked = extras.Ambient, extras.Baked
		}
		if size := s.Direction.Len(); size > 0 && !math.IsInf(size, 0) {
			s.Direction = s.Direction.Mul(1 / size)
			l.Sun = &s
			return nil
		}
	}
	return nil
}

// extension reads one of some extensions, whoever made them.
func extension(all gltf.Extensions, name string, into any) (ok bool, err error) {
	value, ok := all[name]
	if !ok {
		return false, nil
	}
	raw, is := value.(json.RawMessage)
	if !is {
		if raw, err = json.Marshal(value); err != nil {
			return false, placed("extensions."+name, err)
		}
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return false, placed("extensions."+name, err)
	}
	return true, nil
}
