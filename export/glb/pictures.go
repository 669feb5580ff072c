package glb

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/png"

	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
)

// pictures are the images of the file.
type pictures struct {
	byHash map[[sha256.Size]byte]int // image with these bytes
	kept   map[int][]byte            // PNG file of an image
	bytes  int                       // of kept
	limit  int
}

// pictureOf is an image of the file and what it shows.
type pictureOf struct {
	image  int
	pixels *image.NRGBA
	file   []byte // instead, the file that it is already
}

// addPicture gives the image of the file that shows these pixels. written tells
// whether it is a new one: pictures that several models have stand in the file once,
// under their first name.
func (p *plan) addPicture(name string, pixels *image.NRGBA) (index int, written bool, err error) {
	data, err := encode(pixels)
	if err != nil {
		return 0, false, err
	}
	index, written = p.addEncoded(name, data)
	return index, written, nil
}

// addEncoded is addPicture for a picture that is a file, a PNG or JPEG.
func (p *plan) addEncoded(name string, data []byte) (index int, written bool) {
	hash := sha256.Sum256(data)
	if i, ok := p.pictures.byHash[hash]; ok {
		return i, false
	}
	index = len(p.doc.Images)
	p.pictures.byHash[hash] = index
	if p.pictures.bytes+len(data) <= p.pictures.limit {
		p.pictures.kept[index] = data
		p.pictures.bytes += len(data)
	}
	image := &gltf.Image{Name: name, MimeType: "image/png"}
	if bytes.HasPrefix(data, []byte{0xff, 0xd8}) {
		image.MimeType = "image/jpeg"
	}
	if p.apart {
		p.apartBytes += int64(len(data))
	} else {
		image.BufferView = gltf.Index(p.addView(len(data), 0, gltf.TargetNone))
	}
	p.doc.Images = append(p.doc.Images, image)
	return index, true
}

// picture is the PNG file of an image.
func (p *pictures) picture(of pictureOf) ([]byte, error) {
	if data, ok := p.kept[of.image]; ok {
		return data, nil
	}
	if of.file != nil {
		return of.file, nil
	}
	return encode(of.pixels)
}

// encode makes a PNG file. The same pixels give the same bytes.
func encode(pixels *image.NRGBA) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, pixels)
	return b.Bytes(), err
}

// samplerKey says how a texture is read; the zero value repeats and interpolates.
type samplerKey struct {
	wrapS, wrapT mesh.Wrap
	nearest      bool
}

type textureKey struct {
	image, sampler int
}

func (p *plan) addSampler(k samplerKey) int {
	if i, ok := p.samplers[k]; ok {
		return i
	}
	s := &gltf.Sampler{
		MagFilter: gltf.MagLinear, MinFilter: gltf.MinLinearMipMapLinear, WrapS: wrapping(k.wrapS), WrapT: wrapping(k.wrapT),
	}
	if k.nearest {
		s.MagFilter = gltf.MagNearest
	}
	p.samplers[k] = len(p.doc.Samplers)
	p.doc.Samplers = append(p.doc.Samplers, s)
	return p.samplers[k]
}

func wrapping(w mesh.Wrap) gltf.WrappingMode {
	switch w {
	case mesh.Clamp:
		return gltf.WrapClampToEdge
	case mesh.Mirror:
		return gltf.WrapMirroredRepeat
	}
	return gltf.WrapRepeat
}

func (p *plan) addTexture(name string, k textureKey) int {
	if i, ok := p.textures[k]; ok {
		return i
	}
	p.textures[k] = len(p.doc.Textures)
	p.doc.Textures = append(p.doc.Textures, &gltf.Texture{Name: name, Sampler: gltf.Index(k.sampler), Source: gltf.Index(k.image)})
	return p.textures[k]
}
