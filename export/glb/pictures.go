package glb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"image"
	"image/png"
	"runtime"

	"github.com/qmuntal/gltf"
	"golang.org/x/sync/errgroup"

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

// addEncoded gives the image of the file that has the bytes of a PNG or JPEG. written
// tells whether it is a new one: pictures that several models have stand in the file once,
// under their first name.
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

// encodeEach makes PNG files of n pictures on all processors and hands them to do in their
// order; those for which pixels gives nil have no data. No more of them than there are
// processors wait for do.
func encodeEach(ctx context.Context, n int, pixels func(i int) *image.NRGBA, do func(i int, data []byte)) error {
	workers := runtime.GOMAXPROCS(0)
	files := make([][]byte, workers)
	for first := 0; first < n; first += workers {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var group errgroup.Group
		last := min(first+workers, n)
		for i := first; i < last; i++ {
			files[i-first] = nil
			m := pixels(i)
			if m == nil {
				continue
			}
			group.Go(func() (err error) {
				files[i-first], err = encode(m)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for i := first; i < last; i++ {
			do(i, files[i-first])
		}
	}
	return nil
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
