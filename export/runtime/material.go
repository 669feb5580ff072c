package runtime

import (
	"encoding/json"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
	"ridgeline/export/pack"
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
	for _, g := range doc.Materials {
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
		m.Layers = l.layers(g)
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

// layers reads a ground material's extras; nil where they are somebody else's.
func (l *Level) layers(g *gltf.Material) []Layer {
	raw, err := json.Marshal(g.Extras)
	if err != nil {
		return nil
	}
	var value struct {
		Layers []struct {
			Name    string     `json:"name"`
			Texture int        `json:"texture"`
			Scale   float64    `json:"scale"`
			Tint    mgl64.Vec3 `json:"tint"`
		} `json:"layers"`
	}
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	if len(value.Layers) > MaxLayers {
		return nil
	}
	var out []Layer
	for _, v := range value.Layers {
		if !(v.Scale > 0) {
			return nil
		}
		out = append(out, Layer{v.Name, l.pictureOf(v.Texture), v.Scale, v.Tint})
	}
	return out
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
