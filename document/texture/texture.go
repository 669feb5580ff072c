package texture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // the formats of asset textures
	_ "image/png"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/sync/errgroup"

	"ridgeline/document"
	"ridgeline/terrain/fault"
	"ridgeline/terrain/ground"
)

// Size is the edge of a texture in pixels.
const Size = 512

// maxPixels bounds the pictures that are decoded, whatever their headers claim.
const maxPixels = 8192 * 8192

// Load gives the texture of a layer, Size×Size. assets is the level's assets
// folder, which may be empty for a level without files. The picture is never nil:
// with an error it is Missing.
func Load(l document.Layer, assets string) (*image.NRGBA, error) {
	if name, ok := strings.CutPrefix(l.Texture, document.BuiltinPrefix); ok {
		m, err := ground.Generate(name, Size)
		if err != nil {
			return Missing(), fmt.Errorf("layer %q: %w", l.Name, err)
		}
		return m, nil
	}
	name := strings.TrimPrefix(l.Texture, document.AssetPrefix)
	m, err := read(filepath.Join(assets, filepath.Base(name)))
	if err != nil {
		return Missing(), fmt.Errorf("layer %q: %w", l.Name, err)
	}
	return m, nil
}

// Bytes gives the picture file of a layer's texture as the level has it, a PNG or JPEG; nil
// for a procedural one.
func Bytes(l document.Layer, assets string) ([]byte, error) {
	if strings.HasPrefix(l.Texture, document.BuiltinPrefix) {
		return nil, nil
	}
	data, _, err := ReadFile(filepath.Join(assets, filepath.Base(strings.TrimPrefix(l.Texture, document.AssetPrefix))))
	if err != nil {
		return nil, fmt.Errorf("layer %q: %w", l.Name, err)
	}
	return data, nil
}

// LoadAll loads the textures of all layers at once. The pictures are never nil;
// errs has one entry for each that could not be loaded.
func LoadAll(layers []document.Layer, assets string) (textures []*image.NRGBA, errs []error) {
	textures = make([]*image.NRGBA, len(layers))
	failed := make([]error, len(layers))
	var group errgroup.Group
	group.SetLimit(4)
	for i, l := range layers {
		group.Go(func() error {
			textures[i], failed[i] = Load(l, assets)
			return nil
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return textures, errs
}

// Check tells whether data is a picture that can be a texture.
func Check(file string, data io.ReadSeeker) error {
	c, _, err := image.DecodeConfig(data)
	if err != nil {
		return &fault.Error{Op: "read a texture", File: file, Found: "no PNG or JPEG picture", Err: err}
	}
	if c.Width < 1 || c.Height < 1 || c.Width*c.Height > maxPixels {
		return &fault.Error{Op: "read a texture", File: file, Place: "header",
			Found: fmt.Sprintf("a picture of %d×%d pixels", c.Width, c.Height), Want: "1×1 to 8192×8192"}
	}
	_, err = data.Seek(0, io.SeekStart)
	return err
}

const aPicture = "a PNG or JPEG picture"

// maxFile bounds the picture files that are taken into a level, in bytes.
const maxFile = 64 << 20

// ReadFile reads a picture file that is to become a texture of a level, and gives
// the extension that it is kept under. What is no usable picture is an error.
func ReadFile(file string) (data []byte, ext string, err error) {
	const op = "read a texture"
	f, info, err := fault.Open(op, file, aPicture)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if info.Size() > maxFile {
		return nil, "", &fault.Error{Op: op, File: file, Found: fmt.Sprintf("%d bytes", info.Size()), Want: fmt.Sprintf("at most %d", maxFile)}
	}
	if data, err = io.ReadAll(io.LimitReader(f, maxFile)); err != nil {
		return nil, "", fault.Wrap(op, file, err)
	}
	if err := Check(file, bytes.NewReader(data)); err != nil {
		return nil, "", err
	}
	_, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, "", fault.Wrap(op, file, err)
	}
	return data, map[string]string{"png": "png", "jpeg": "jpg"}[format], nil
}

func read(file string) (*image.NRGBA, error) {
	f, _, err := fault.Open("read a texture", file, aPicture)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := Check(file, f); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(f)
	if err != nil {
		return nil, fault.Wrap("read a texture", file, err)
	}
	out := image.NewNRGBA(image.Rect(0, 0, Size, Size))
	draw.CatmullRom.Scale(out, out.Rect, m, m.Bounds(), draw.Src, nil)
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out, nil
}

// Missing is the picture that stands for a texture that cannot be had.
func Missing() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, Size, Size))
	for y := range Size {
		for x := range Size {
			c := color.NRGBA{R: 40, G: 40, B: 44, A: 255}
			if (x/64+y/64)%2 == 0 {
				c = color.NRGBA{R: 220, G: 40, B: 200, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}
