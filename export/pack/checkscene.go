package pack

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ridgeline/terrain"
)

// maxPlace bounds coordinates of bookmarks, in metres, as in the editor.
const maxPlace = 1e12

// CheckBookmarks tells which of some places cannot be looked from. place is where the list
// stands.
func CheckBookmarks(place string, list map[string]Place) error {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		p, place := list[name], fmt.Sprintf("%s[%q]", place, clip(name))
		for _, v := range slices.Concat(p.Eye[:], p.Look[:]) {
			if !(math.Abs(v) <= maxPlace) {
				return bad(place, fmt.Sprint(v), fmt.Sprintf("coordinates within ±%g", float64(maxPlace)))
			}
		}
		switch {
		case name == "":
			return bad(place, "no name", "one")
		case p.Eye == p.Look:
			return bad(place, fmt.Sprintf("the eye %v, which is what is looked at", p.Eye), "two places")
		}
	}
	return nil
}

// colour checks numbers that have to be from 0 to most. What is computed may be above it
// by rounding.
func colour(place string, list []float64, most float64) error {
	for _, v := range list {
		if !(v >= 0 && v <= most*(1+1e-6)) {
			return bad(place, fmt.Sprint(list), fmt.Sprintf("numbers from 0 to %g", most))
		}
	}
	return nil
}

func (c *checker) frame() error {
	f := &c.x.Frame
	if err := among("frame.up", f.Up, "y", "z"); err != nil {
		return err
	}
	if err := among("frame.handedness", f.Handedness, "right"); err != nil {
		return err
	}
	if !(f.UnitsPerMetre > 0) {
		return bad("frame.units_per_metre", fmt.Sprint(f.UnitsPerMetre), "more than 0")
	}
	if f.Root == nil {
		if f.Up != "y" || f.UnitsPerMetre != 1 {
			return bad("frame", fmt.Sprintf("no root for %s up and %g units a metre", f.Up, f.UnitsPerMetre), "a node that turns and scales the level")
		}
		return nil
	}
	if err := one("frame.root", *f.Root, len(c.x.Nodes)); err != nil {
		return err
	}
	if c.x.Nodes[*f.Root].Parent != nil {
		return bad("frame.root", fmt.Sprintf("node %d, which has a parent", *f.Root), "a node without")
	}
	return nil
}

func (c *checker) materials() error {
	layers := 0
	if c.x.Ground != nil {
		layers = len(c.x.Ground.Layers)
	}
	for i := range c.x.Materials {
		m, place := &c.x.Materials[i], fmt.Sprintf("materials[%d]", i)
		if err := among(place+".alpha", m.Alpha, "opaque", "mask", "blend"); err != nil {
			return err
		}
		if err := colour(place+".base_color", m.BaseColor[:], 1); err != nil {
			return err
		}
		if err := colour(place+".emissive", m.Emissive[:], 1); err != nil {
			return err
		}
		if !(m.Cutoff >= 0 && m.Cutoff <= math.MaxFloat32) {
			return bad(place+".cutoff", fmt.Sprint(m.Cutoff), "0 or more")
		}
		if m.Texture != nil {
			if err := one(place+".texture", m.Texture.Texture, len(c.x.Textures)); err != nil {
				return err
			}
		}
		if n := len(m.Layers); m.Layers != nil && (n < 1 || n > MaxLayers) {
			return bad(place+".layers", fmt.Sprintf("%d layers", n), fmt.Sprintf("1 to %d", MaxLayers))
		}
		for k, l := range m.Layers {
			if err := one(place+".layers", l, layers); err != nil {
				return err
			}
			if k > 0 && l <= m.Layers[k-1] {
				return bad(place+".layers", fmt.Sprintf("layer %d behind layer %d", l, m.Layers[k-1]), "ascending ones")
			}
		}
	}
	return nil
}

// views checks what stands at nodes: lights and cameras.
func (c *checker) views() error {
	lit := map[int]bool{}
	for i, l := range c.x.Lights {
		place := fmt.Sprintf("lights[%d]", i)
		if err := one(place+".node", l.Node, len(c.x.Nodes)); err != nil {
			return err
		}
		if lit[l.Node] {
			return bad(place+".node", fmt.Sprintf("node %d, which has a light", l.Node), "one light a node")
		}
		lit[l.Node] = true
		if err := among(place+".type", l.Type, "directional"); err != nil {
			return err
		}
		if err := colour(place+".color", l.Color[:], 1); err != nil {
			return err
		}
		if !(l.Intensity >= 0) {
			return bad(place+".intensity", fmt.Sprint(l.Intensity), "0 or more")
		}
	}
	for i, k := range c.x.Cameras {
		place := fmt.Sprintf("cameras[%d]", i)
		if err := one(place+".node", k.Node, len(c.x.Nodes)); err != nil {
			return err
		}
		if !(k.YFov > 0 && k.YFov < math.Pi) {
			return bad(place+".yfov", fmt.Sprint(k.YFov), "an angle between 0 and π")
		}
		if !(k.Near > 0) {
			return bad(place+".near", fmt.Sprint(k.Near), "more than 0")
		}
	}
	return nil
}

// groundLayers checks the textures of the ground.
func (c *checker) groundLayers(layers []Layer) error {
	for i, l := range layers {
		place := fmt.Sprintf("ground.layers[%d]", i)
		if err := of(place+".texture", l.Texture, len(c.x.Textures)); err != nil {
			return err
		}
		if !(l.Scale > 0) {
			return bad(place+".scale", fmt.Sprint(l.Scale), "more than 0")
		}
		if err := colour(place+".tint", l.Tint[:], 1); err != nil {
			return err
		}
		if l.Weights != "" {
			if err := c.file(place+".weights", l.Weights, -1); err != nil {
				return err
			}
		}
	}
	return nil
}

// heightRange checks what the index tells of heights.
func heightRange(g *Ground) error {
	if !(g.Lowest >= -terrain.MaxHeight && g.Lowest <= g.Highest && g.Highest <= terrain.MaxHeight) {
		return bad("ground", fmt.Sprintf("heights from %g to %g", g.Lowest, g.Highest), fmt.Sprintf("a range within ±%g", float64(terrain.MaxHeight)))
	}
	if !(g.Points.Error >= 0) {
		return bad("ground.points.error", fmt.Sprint(g.Points.Error), "0 or more")
	}
	if g.Heights != nil && !(g.Heights.Error >= 0) {
		return bad("ground.heights.error", fmt.Sprint(g.Heights.Error), "0 or more")
	}
	return nil
}
