package render

import (
	"fmt"
	"image"
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"golang.org/x/image/draw"
)

// maxLayerSize bounds the width and height of the ground textures; greater pictures
// are made smaller.
const maxLayerSize = 1024

// layers are the ground textures on the GPU: one texture array, all of one size,
// with a grey one behind the last for ids that name no layer.
type layers struct {
	texture uint32
	size    int // width and height, a power of two
	has     []*image.NRGBA
	scales  []float64
}

// set brings the GPU to a list of layers.
func (l *layers) set(want []LayerTexture) error {
	if len(want) > MaxLayers {
		return fmt.Errorf("%d ground textures, expected at most %d", len(want), MaxLayers)
	}
	size := 1
	for i, w := range want {
		if w.Pixels == nil {
			continue
		}
		s := w.Pixels.Rect.Size()
		if s.X < 1 || s.Y < 1 {
			return fmt.Errorf("the picture of ground texture %d has no pixels", i)
		}
		size = max(size, min(maxLayerSize, 1<<bits.Len(uint(max(s.X, s.Y)-1))))
	}
	var depth int32
	if gl.GetIntegerv(gl.MAX_ARRAY_TEXTURE_LAYERS, &depth); len(want)+1 > int(depth) {
		return fmt.Errorf("%d ground textures, this driver can hold %d", len(want), depth-1)
	}
	whole := l.texture == 0 || size != l.size || len(want) != len(l.has)
	if whole {
		l.allocate(size, len(want)+1)
	}
	gl.ActiveTexture(gl.TEXTURE1)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, l.texture)
	l.scales = l.scales[:0]
	for i, w := range want {
		if whole || w.Pixels != l.has[i] {
			l.upload(i, w.Pixels)
			l.has[i] = w.Pixels
		}
		scale := w.Scale
		if !(scale > 0) || math.IsInf(scale, 0) {
			scale = 1
		}
		l.scales = append(l.scales, scale)
	}
	if whole {
		l.upload(len(want), nil)
	}
	l.scales = append(l.scales, 1)
	return nil
}

func (l *layers) allocate(size, count int) {
	l.release()
	l.size = size
	l.has = make([]*image.NRGBA, count-1)
	gl.GenTextures(1, &l.texture)
	gl.ActiveTexture(gl.TEXTURE1)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, l.texture)
	levels := bits.Len(uint(size))
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAX_LEVEL, int32(levels-1))
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_WRAP_S, gl.REPEAT)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_WRAP_T, gl.REPEAT)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	for k := range levels {
		s := int32(size >> k)
		gl.TexImage3D(gl.TEXTURE_2D_ARRAY, int32(k), gl.SRGB8_ALPHA8, s, s, int32(count), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	}
}

// upload writes a layer and its mip levels into the array that is bound.
func (l *layers) upload(i int, m *image.NRGBA) {
	pix := square(m, l.size)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_PIXELS, 0)
	gl.PixelStorei(gl.UNPACK_SKIP_ROWS, 0)
	for k, s := int32(0), l.size; s >= 1; k, s = k+1, s/2 {
		if k > 0 {
			pix = halve(pix, s)
		}
		gl.TexSubImage3D(gl.TEXTURE_2D_ARRAY, k, 0, 0, int32(i), int32(s), int32(s), 1,
			gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&pix[0]))
	}
}

// square gives a picture's pixels at size×size; grey for none.
func square(m *image.NRGBA, size int) []byte {
	out := image.NewNRGBA(image.Rect(0, 0, size, size))
	switch {
	case m == nil:
		for i := range out.Pix {
			out.Pix[i] = 0x80
		}
	case m.Rect.Dx() == size && m.Rect.Dy() == size:
		for y := range size {
			copy(out.Pix[y*out.Stride:][:size*4], m.Pix[m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y):])
		}
	default:
		draw.CatmullRom.Scale(out, out.Rect, m, m.Rect, draw.Src, nil)
	}
	return out.Pix
}

// halve averages 2×2 pixels in linear light; size is that of the result.
func halve(pix []byte, size int) []byte {
	out := make([]byte, size*size*4)
	for y := range size {
		for x := range size {
			i := (2*y*2*size + 2*x) * 4
			j := i + 2*size*4
			o := (y*size + x) * 4
			for c := range 3 {
				sum := linearOf[pix[i+c]] + linearOf[pix[i+4+c]] + linearOf[pix[j+c]] + linearOf[pix[j+4+c]]
				out[o+c] = encode(sum / 4)
			}
			out[o+3] = 255
		}
	}
	return out
}

// linearOf decodes 8-bit sRGB; encoded is its inverse on a grid fine enough for
// every 8-bit code to come back.
var (
	linearOf = func() (t [256]float32) {
		for i := range t {
			t[i] = float32(linear(float64(i) / 255))
		}
		return t
	}()
	encoded = func() (t [1<<14 + 1]uint8) {
		for i := range t {
			v := float64(i) / (1 << 14)
			if v <= 0.0031308 {
				v *= 12.92
			} else {
				v = 1.055*math.Pow(v, 1/2.4) - 0.055
			}
			t[i] = uint8(math.Round(v * 255))
		}
		return t
	}()
)

func encode(v float32) uint8 { return encoded[int(v*(1<<14)+0.5)] }

func (l *layers) release() {
	if l.texture != 0 {
		gl.DeleteTextures(1, &l.texture)
	}
	*l = layers{}
}
