package runtime

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
	"ridgeline/export/pack"
	"ridgeline/terrain/fault"
)

// Material is how triangles look. What levels do not have is not read.
type Material struct {
	Name        string
	BaseColor   mgl32.Vec4 // linear, straight alpha
	Picture     int        // index of Level.Pictures; −1 for none
	Wrap        [2]mesh.Wrap
	Nearest     bool // magnified without interpolation
	Alpha       mesh.AlphaMode
	Cutoff      float32 // of mesh.Mask
	DoubleSided bool
	Unlit       bool
	Emissive    mgl32.Vec3 // linear
	// Layers are those that ground of this material shows, whose weights are the
	// vertices' colours; nil for all else.
	Layers []Layer
}

// MaxLayers is how many layers a material of the ground has at most.
const MaxLayers = pack.MaxLayers

// Layer is a ground texture.
type Layer struct {
	Name    string
	Picture int     // index of Level.Pictures; −1 for none
	Scale   float64 // metres that the picture covers once
	Tint    mgl64.Vec3
}

func (l *Level) readMaterials() error {
	doc := l.file.doc
	for _, i := range doc.Images {
		l.Pictures = append(l.Pictures, PictureInfo{i.Name, i.MimeType})
	}
	for i, g := range doc.Materials {
		if err := checkMaterial(g); err != nil {
			return below(fmt.Sprintf("materials[%d]", i), err)
		}
		m := Material{
			Name: g.Name, BaseColor: mgl32.Vec4{1, 1, 1, 1}, Picture: -1, Cutoff: float32(g.AlphaCutoffOrDefault()),
			DoubleSided: g.DoubleSided, Emissive: mgl32.Vec3{float32(g.EmissiveFactor[0]), float32(g.EmissiveFactor[1]), float32(g.EmissiveFactor[2])},
		}
		_, m.Unlit = g.Extensions["KHR_materials_unlit"]
		switch g.AlphaMode {
		case gltf.AlphaMask:
			m.Alpha = mesh.Mask
		case gltf.AlphaBlend:
			m.Alpha = mesh.Blend
		}
		if p := g.PBRMetallicRoughness; p != nil {
			for k, v := range p.BaseColorFactorOrDefault() {
				m.BaseColor[k] = float32(v)
			}
			if t := p.BaseColorTexture; t != nil {
				m.Picture = l.pictureOf(t.Index)
				if s := doc.Textures[t.Index].Sampler; s != nil {
					m.Wrap = [2]mesh.Wrap{wrapOf(doc.Samplers[*s].WrapS), wrapOf(doc.Samplers[*s].WrapT)}
					m.Nearest = doc.Samplers[*s].MagFilter == gltf.MagNearest
				}
			}
		}
		var err error
		if m.Layers, err = l.layers(g); err != nil {
			return below(fmt.Sprintf("materials[%d].extras.layers", i), err)
		}
		l.Materials = append(l.Materials, m)
	}
	return nil
}

func (l *Level) pictureOf(texture int) int {
	if texture < 0 || texture >= len(l.file.doc.Textures) || l.file.doc.Textures[texture].Source == nil {
		return -1
	}
	return *l.file.doc.Textures[texture].Source
}

// checkMaterial checks the numbers of a material.
func checkMaterial(g *gltf.Material) error {
	check := func(place string, list []float64, most float64) error {
		for _, v := range list {
			if !(v >= 0 && v <= most) {
				return &fault.Error{Place: place, Found: fmt.Sprint(list), Want: fmt.Sprintf("numbers from 0 to %g", most)}
			}
		}
		return nil
	}
	if p := g.PBRMetallicRoughness; p != nil {
		base := p.BaseColorFactorOrDefault()
		if err := check("pbrMetallicRoughness.baseColorFactor", base[:], 1); err != nil {
			return err
		}
	}
	if err := check("emissiveFactor", g.EmissiveFactor[:], 1); err != nil {
		return err
	}
	return check("alphaCutoff", []float64{g.AlphaCutoffOrDefault()}, math.MaxFloat32)
}

// layers reads the layers of the ground in a material's extras; nil without.
func (l *Level) layers(g *gltf.Material) ([]Layer, error) {
	var list []struct {
		Name    string     `json:"name"`
		Texture int        `json:"texture"`
		Scale   float64    `json:"scale"`
		Tint    mgl64.Vec3 `json:"tint"`
	}
	if ok, err := extra(g.Extras, "layers", &list); !ok || err != nil {
		return nil, err
	}
	if n := len(list); n < 1 || n > MaxLayers {
		return nil, &fault.Error{Found: fmt.Sprintf("%d layers", n), Want: fmt.Sprintf("1 to %d", MaxLayers)}
	}
	var out []Layer
	for i, v := range list {
		place := fmt.Sprintf("[%d]", i)
		if v.Texture < -1 || v.Texture >= len(l.file.doc.Textures) {
			return nil, &fault.Error{Place: place + ".texture", Found: fmt.Sprint(v.Texture), Want: fmt.Sprintf("one of %d textures, or -1 for none", len(l.file.doc.Textures))}
		}
		if !(v.Scale > 0) {
			return nil, &fault.Error{Place: place + ".scale", Found: fmt.Sprint(v.Scale), Want: "more than 0"}
		}
		for _, x := range v.Tint {
			if !(x >= 0 && x <= 1) {
				return nil, &fault.Error{Place: place + ".tint", Found: fmt.Sprint(v.Tint), Want: "numbers from 0 to 1"}
			}
		}
		out = append(out, Layer{v.Name, l.pictureOf(v.Texture), v.Scale, v.Tint})
	}
	return out, nil
}

func wrapOf(w gltf.WrappingMode) mesh.Wrap {
	switch w {
	case gltf.WrapClampToEdge:
		return mesh.Clamp
	case gltf.WrapMirroredRepeat:
		return mesh.Mirror
	}
	return mesh.Repeat
}
