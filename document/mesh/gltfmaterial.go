package mesh

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"ridgeline/terrain/fault"
)

// transformValue is the value of KHR_texture_transform.
type transformValue struct {
	Offset   []float64 `json:"offset"`
	Rotation float64   `json:"rotation"`
	Scale    []float64 `json:"scale"`
	TexCoord *int      `json:"texCoord"`
}

// textureTransform reads the extension of a texture reference.
func textureTransform(place string, t *gltf.TextureInfo) (v transformValue, err error) {
	v = transformValue{Offset: []float64{0, 0}, Scale: []float64{1, 1}}
	place += ".extensions." + extTransform
	if _, err := extension(t.Extensions, extTransform, &v); err != nil {
		return v, &fault.Error{Place: place, Found: "a value of another form", Want: "offset, rotation, scale and texCoord", Err: err}
	}
	switch {
	case len(v.Offset) != 2:
		return v, bad(place+".offset", count(len(v.Offset), "number"), "2")
	case len(v.Scale) != 2:
		return v, bad(place+".scale", count(len(v.Scale), "number"), "2")
	}
	for _, x := range []float64{v.Offset[0], v.Offset[1], v.Scale[0], v.Scale[1], v.Rotation} {
		if math.Abs(x) > 1e6 {
			return v, bad(place, fmt.Sprint(x), "at most a million")
		}
	}
	return v, nil
}

// baseTexture is the reference to a material's base colour texture, or nil.
func (d *document) baseTexture(material *int) *gltf.TextureInfo {
	if material == nil || d.Materials[*material].PBRMetallicRoughness == nil {
		return nil
	}
	return d.Materials[*material].PBRMetallicRoughness.BaseColorTexture
}

// textureSet is the number of the texture coordinates that a material uses.
func (r *gltfReader) textureSet(material *int) (set int, textured bool, err error) {
	t := r.doc.baseTexture(material)
	if t == nil {
		return 0, false, nil
	}
	v, err := textureTransform(fmt.Sprintf("materials[%d].pbrMetallicRoughness.baseColorTexture", *material), t)
	set = t.TexCoord
	if v.TexCoord != nil {
		set = *v.TexCoord
	}
	return set, true, err
}

// material gives the model's index of a material of the document; nil is the one
// that primitives without have.
func (r *gltfReader) material(index *int) (int, error) {
	key := -1
	if index != nil {
		key = *index
	}
	if i, ok := r.materials[key]; ok {
		return i, nil
	}
	m := plainMaterial()
	if index != nil {
		if err := r.readMaterial(&m, key); err != nil {
			return 0, err
		}
	}
	i := len(r.build.m.Materials)
	r.build.m.Materials = append(r.build.m.Materials, m)
	r.materials[key] = i
	return i, nil
}

// plainMaterial is what is shown where a file names none.
func plainMaterial() Material {
	return Material{BaseColor: [4]float32{1, 1, 1, 1}, Image: -1, UV: mgl32.Ident3(), Cutoff: 0.5}
}

func (r *gltfReader) readMaterial(m *Material, index int) error {
	g := r.doc.Materials[index]
	m.Name = g.Name
	m.DoubleSided = g.DoubleSided
	_, m.Unlit = g.Extensions[extUnlit]
	switch g.AlphaMode {
	case gltf.AlphaMask:
		m.Alpha = Mask
	case gltf.AlphaBlend:
		m.Alpha = Blend
	}
	m.Cutoff = float32(min(g.AlphaCutoffOrDefault(), 1e6))
	factors := g.EmissiveFactor[:]
	if p := g.PBRMetallicRoughness; p != nil {
		base := p.BaseColorFactorOrDefault()
		factors = append(factors[:3:3], base[:]...)
		for k, x := range base {
			m.BaseColor[k] = float32(min(max(x, 0), 1))
		}
		if p.MetallicRoughnessTexture != nil {
			r.otherTexture(p.MetallicRoughnessTexture.Index, "metal and roughness")
		}
	}
	for k, x := range g.EmissiveFactor {
		m.Emissive[k] = float32(min(max(x, 0), 1))
	}
	for _, x := range factors {
		if x < 0 || x > 1 {
			r.notes.add("Material %s has factors outside 0 to 1; they were limited.", r.doc.materialName(index))
		}
	}
	if g.NormalTexture != nil && g.NormalTexture.Index != nil {
		r.otherTexture(*g.NormalTexture.Index, "normal")
	}
	if g.OcclusionTexture != nil && g.OcclusionTexture.Index != nil {
		r.otherTexture(*g.OcclusionTexture.Index, "occlusion")
	}
	if g.EmissiveTexture != nil {
		r.otherTexture(g.EmissiveTexture.Index, "emission")
		// Without the picture the whole surface would glow.
		m.Emissive = [3]float32{}
	}
	if t := r.doc.baseTexture(&index); t != nil {
		return r.readBaseTexture(m, index, t)
	}
	return nil
}

func (d *document) materialName(i int) string {
	if name := d.Materials[i].Name; name != "" {
		return fmt.Sprintf("%q", clip(name))
	}
	return fmt.Sprint(i)
}

// otherTexture tells of a texture that isn't shown. Its file still belongs to the
// model.
func (r *gltfReader) otherTexture(texture int, what string) {
	r.notes.add("Textures for %s are not supported; they are not shown.", what)
	if s := r.doc.Textures[texture].Source; s != nil {
		if uri := r.doc.Images[*s].URI; uri != "" && !isData(uri) {
			r.files.keep(uri, true)
		}
	}
}

func (r *gltfReader) readBaseTexture(m *Material, index int, t *gltf.TextureInfo) error {
	v, err := textureTransform(fmt.Sprintf("materials[%d].pbrMetallicRoughness.baseColorTexture", index), t)
	if err != nil {
		return err
	}
	m.UV = matrixUV([2]float64(v.Offset), [2]float64(v.Scale), v.Rotation)
	texture := r.doc.Textures[t.Index]
	if s := texture.Sampler; s != nil {
		sampler := r.doc.Samplers[*s]
		m.WrapS, m.WrapT = wrapOf(sampler.WrapS), wrapOf(sampler.WrapT)
		m.Nearest = sampler.MagFilter == gltf.MagNearest
	}
	if texture.Source == nil {
		r.notes.add("Material %s has a texture without picture; it is shown without.", r.doc.materialName(index))
		return nil
	}
	m.Image, err = r.image(*texture.Source)
	return err
}

func wrapOf(w gltf.WrappingMode) Wrap {
	switch w {
	case gltf.WrapClampToEdge:
		return Clamp
	case gltf.WrapMirroredRepeat:
		return Mirror
	}
	return Repeat
}

// image gives the model's index of an image of the document. One that can't be read
// is a note, and −1.
func (r *gltfReader) image(index int) (int, error) {
	if i, ok := r.images[index]; ok {
		return i, nil
	}
	g := r.doc.Images[index]
	i, err := r.readImage(index)
	if ctxErr := contextError(err); ctxErr != nil {
		return 0, ctxErr
	}
	if err != nil {
		name := fmt.Sprint(index)
		if g.URI != "" && !isData(g.URI) {
			name = fmt.Sprintf("%q", clip(g.URI))
		} else if g.Name != "" {
			name = fmt.Sprintf("%q", clip(g.Name))
		}
		r.notes.add("Picture %s is not shown: %s.", name, reason(err))
		i = -1
	}
	r.images[index] = i
	return i, nil
}

// reason is what an error says, without the place.
func reason(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return (&fault.Error{Found: e.Found, Want: e.Want, Err: e.Err}).Error()
	}
	return err.Error()
}

func (r *gltfReader) readImage(index int) (int, error) {
	g := r.doc.Images[index]
	place := fmt.Sprintf("images[%d].uri", index)
	var data []byte
	var err error
	var source string // the same one needs no second picture
	switch {
	case g.BufferView != nil:
		source = fmt.Sprint("view ", *g.BufferView)
	case !isData(g.URI):
		source = "file " + g.URI
	}
	if i, ok := r.sources[source]; ok {
		return i, nil
	}
	switch {
	case g.BufferView != nil:
		data, err = r.view(*g.BufferView)
	case isData(g.URI):
		data, err = decodeDataURI(place, g.URI)
	default:
		data, err = r.companion(place, g.URI)
	}
	if err != nil {
		return -1, err
	}
	pixels, err := r.pictures.decode(data)
	if err != nil {
		return -1, err
	}
	i := len(r.build.m.Images)
	r.build.m.Images = append(r.build.m.Images, Image{Name: g.Name, Pixels: pixels, Opaque: opaque(pixels)})
	if source != "" {
		r.sources[source] = i
	}
	return i, r.ctx.Err()
}
