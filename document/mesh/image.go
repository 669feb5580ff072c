package mesh

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
)

// claim is the least number of bytes that a picture can have: Deflate packs at most
// 1032 bytes into one, and the least that a progressive JPEG spends on 64 pixels is a
// bit. A header that claims more has no data for it.
func claim(format string, c image.Config) int {
	pixels := c.Width * c.Height
	if format == "jpeg" {
		return pixels / (8 * 64 * 4)
	}
	bits := 1
	switch c.ColorModel {
	case color.NRGBA64Model:
		bits = 32
	case color.RGBA64Model:
		bits = 48
	case color.NRGBAModel:
		bits = 16
	case color.RGBAModel:
		bits = 24
	case color.Gray16Model:
		bits = 16
	}
	return pixels * bits / (8 * 1032)
}

// pictures decodes the images of one model and keeps count of what they take.
type pictures struct {
	pixels int
}

// decode decodes a PNG or JPEG. What the header claims is held against the limits
// and against the length of the data before memory is taken for it. The error is a
// phrase for a note.
func (p *pictures) decode(data []byte) (*image.NRGBA, error) {
	var config func([]byte) (image.Config, error)
	var full func([]byte) (image.Image, error)
	var format string
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		format = "png"
		config = func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) }
		full = func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		format = "jpeg"
		config = func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) }
		full = func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }
	default:
		return nil, fmt.Errorf("it is neither PNG nor JPEG")
	}
	c, err := config(data)
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	size := fmt.Sprintf("%d×%d pixels", c.Width, c.Height)
	switch {
	case c.Width < 1 || c.Height < 1:
		return nil, fmt.Errorf("it has %s", size)
	case c.Width > MaxImageSide || c.Height > MaxImageSide || c.Width*c.Height > MaxPixels:
		return nil, fmt.Errorf("it has %s, more than %d on a side or %d million", size, MaxImageSide, MaxPixels>>20)
	case claim(format, c) > len(data):
		return nil, fmt.Errorf("it has %s but only %d bytes", size, len(data))
	case p.pixels+c.Width*c.Height > MaxAllPixels:
		return nil, fmt.Errorf("the model's pictures have more than %d million pixels", MaxAllPixels>>20)
	}
	// Counted whether or not it can be decoded: trying takes as long.
	p.pixels += c.Width * c.Height
	img, err := guard(func() (image.Image, error) { return full(data) })
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return nrgba(img), nil
}

// guard turns a panic of a decoder into an error.
func guard(decode func() (image.Image, error)) (img image.Image, err error) {
	defer func() {
		if r := recover(); r != nil {
			img, err = nil, fmt.Errorf("%v", r)
		}
	}()
	return decode()
}

// nrgba converts to the one form that models have, from (0, 0) and without gaps.
func nrgba(img image.Image) *image.NRGBA {
	b := img.Bounds()
	if n, ok := img.(*image.NRGBA); ok && b.Min == (image.Point{}) && n.Stride == 4*b.Dx() {
		return n
	}
	n := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	switch m := img.(type) {
	case *image.YCbCr:
		for y := range b.Dy() {
			row := n.Pix[y*n.Stride:]
			for x := range b.Dx() {
				i, j := m.YOffset(b.Min.X+x, b.Min.Y+y), m.COffset(b.Min.X+x, b.Min.Y+y)
				row[4*x], row[4*x+1], row[4*x+2] = color.YCbCrToRGB(m.Y[i], m.Cb[j], m.Cr[j])
				row[4*x+3] = 255
			}
		}
	case *image.Paletted:
		var colors [256]color.NRGBA
		for i, c := range m.Palette {
			colors[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
		for y := range b.Dy() {
			row := n.Pix[y*n.Stride:]
			for x, i := range m.Pix[y*m.Stride:][:b.Dx()] {
				c := colors[i]
				row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = c.R, c.G, c.B, c.A
			}
		}
	case *image.RGBA:
		if m.Opaque() { // as PNG files without alpha are
			for y := range b.Dy() {
				copy(n.Pix[y*n.Stride:][:n.Stride], m.Pix[y*m.Stride:])
			}
			break
		}
		draw.Draw(n, n.Bounds(), img, b.Min, draw.Src)
	default:
		draw.Draw(n, n.Bounds(), img, b.Min, draw.Src)
	}
	return n
}

// opaque reports whether no pixel is transparent.
func opaque(img *image.NRGBA) bool {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] != 255 {
			return false
		}
	}
	return true
}
