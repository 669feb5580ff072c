package glb

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
)

const (
	extTransform = "KHR_texture_transform"
	extUnlit     = "KHR_materials_unlit"

	extQuantization = "KHR_mesh_quantization"
	extInstancing   = "EXT_mesh_gpu_instancing"
	extLights       = "KHR_lights_punctual"
)

// transform is the value of KHR_texture_transform.
type transform struct {
	Offset   [2]float64 `json:"offset"`
	Rotation float64    `json:"rotation,omitempty"` // radians
	Scale    [2]float64 `json:"scale"`
}

// addMaterial adds a material of a model. images are those of the file by the
// model's own.
func (p *plan) addMaterial(m *mesh.Material, images []int) (int, error) {
	out := &gltf.Material{
		Name: m.Name,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorFactor: &[4]float64{float64(m.BaseColor[0]), float64(m.BaseColor[1]), float64(m.BaseColor[2]), float64(m.BaseColor[3])},
			MetallicFactor:  gltf.Float(0),
			RoughnessFactor: gltf.Float(1),
		},
		DoubleSided:    m.DoubleSided,
		EmissiveFactor: [3]float64{float64(m.Emissive[0]), float64(m.Emissive[1]), float64(m.Emissive[2])},
	}
	switch m.Alpha {
	case mesh.Mask:
		out.AlphaMode, out.AlphaCutoff = gltf.AlphaMask, gltf.Float(float64(m.Cutoff))
	case mesh.Blend:
		out.AlphaMode = gltf.AlphaBlend
	}
	if m.Unlit {
		out.Extensions = gltf.Extensions{extUnlit: struct{}{}}
		p.uses(extUnlit)
	}
	if m.Image >= 0 {
		sampler := p.addSampler(samplerKey{m.WrapS, m.WrapT, m.Nearest})
		image := images[m.Image]
		info := &gltf.TextureInfo{Index: p.addTexture(p.doc.Images[image].Name, textureKey{image, sampler})}
		if m.UV != mgl32.Ident3() {
			t, err := transformOf(m.UV)
			if err != nil {
				return 0, fmt.Errorf("material %q: %w", m.Name, err)
			}
			info.Extensions = gltf.Extensions{extTransform: t}
			p.uses(extTransform)
		}
		out.PBRMetallicRoughness.BaseColorTexture = info
	}
	p.doc.Materials = append(p.doc.Materials, out)
	return len(p.doc.Materials) - 1, nil
}

// needs lists an extension as used and required.
func (p *plan) needs(extension string) {
	p.uses(extension)
	if !slices.Contains(p.doc.ExtensionsRequired, extension) {
		p.doc.ExtensionsRequired = append(p.doc.ExtensionsRequired, extension)
		slices.Sort(p.doc.ExtensionsRequired)
	}
}

// uses lists an extension as used: what does not know it still shows the level.
func (p *plan) uses(extension string) {
	if !slices.Contains(p.doc.ExtensionsUsed, extension) {
		p.doc.ExtensionsUsed = append(p.doc.ExtensionsUsed, extension)
		slices.Sort(p.doc.ExtensionsUsed)
	}
}

// transformOf takes a matrix of texture coordinates apart, into what mesh puts
// together: columns (cos·u, −sin·u), (sin·v, cos·v) and the offset.
func transformOf(m mgl32.Mat3) (transform, error) {
	a, b, c, d := float64(m[0]), float64(m[1]), float64(m[3]), float64(m[4])
	t := transform{Offset: [2]float64{float64(m[6]), float64(m[7])}, Scale: [2]float64{a, d}}
	if b != 0 || c != 0 {
		// The longer column tells the angle more exactly; one may be zero.
		if a*a+b*b >= c*c+d*d {
			t.Rotation = math.Atan2(-b, a)
		} else {
			t.Rotation = math.Atan2(c, d)
		}
		sin, cos := math.Sincos(t.Rotation)
		t.Scale = [2]float64{a*cos - b*sin, c*sin + d*cos}
	}
	sin, cos := math.Sincos(t.Rotation)
	size := max(math.Abs(a), math.Abs(b), math.Abs(c), math.Abs(d))
	for _, e := range [4]float64{a - cos*t.Scale[0], b + sin*t.Scale[0], c - sin*t.Scale[1], d - cos*t.Scale[1]} {
		if !(math.Abs(e) <= 1e-5*size) {
			return t, fmt.Errorf("its texture is sheared, which glTF cannot say")
		}
	}
	return t, nil
}
