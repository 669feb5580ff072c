package texture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ridgeline/document"
)

func TestEveryBuiltinLoads(t *testing.T) {
	for _, n := range document.Builtins {
		m, err := Load(document.Layer{Name: n, Texture: document.BuiltinPrefix + n, UVScale: 1}, "")
		if err != nil || m.Rect != image.Rect(0, 0, Size, Size) {
			t.Errorf("%s: %v", n, err)
		}
	}
}

func TestAssets(t *testing.T) {
	dir := t.TempDir()
	small := image.NewNRGBA(image.Rect(0, 0, 3, 5))
	for i := range small.Pix {
		small.Pix[i] = 200
	}
	var b bytes.Buffer
	if err := png.Encode(&b, small); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(b.Bytes())
	copy(huge[16:], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60}) // 60000×60000, and a wrong checksum
	for name, data := range map[string][]byte{"good.png": b.Bytes(), "cut.png": b.Bytes()[:60], "text.png": []byte("hello"), "huge.png": huge} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"good.png": "", "cut.png": "cut.png", "text.png": "no PNG or JPEG picture", "huge.png": "huge.png", "none.png": "no such file",
	} {
		m, err := Load(document.Layer{Name: "L", Texture: document.AssetPrefix + name, UVScale: 1}, dir)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", name, err, want)
		}
		if m == nil || m.Rect.Dx() != Size {
			t.Errorf("%s: no picture", name)
		}
		data, berr := Bytes(document.Layer{Name: "L", Texture: document.AssetPrefix + name}, dir)
		if (berr == nil) != (err == nil) || err == nil && !bytes.Equal(data, b.Bytes()) {
			t.Errorf("%s: %d bytes, %v", name, len(data), berr)
		}
		if err == nil && m.NRGBAAt(250, 250) != (color.NRGBA{200, 200, 200, 255}) {
			t.Errorf("%s: the colour is %v", name, m.NRGBAAt(250, 250))
		}
	}
}

func TestLoadAllKeepsOrder(t *testing.T) {
	layers := []document.Layer{{Name: "a", Texture: "builtin:grass"}, {Name: "b", Texture: "builtin:nothing"}, {Name: "c", Texture: "builtin:snow"}}
	m, errs := LoadAll(layers, "")
	if len(m) != 3 || len(errs) != 1 || !strings.Contains(errs[0].Error(), `layer "b"`) {
		t.Fatalf("%d textures, errors %v", len(m), errs)
	}
	want, _ := Load(layers[2], "")
	if !bytes.Equal(m[2].Pix, want.Pix) {
		t.Error("the third texture is not the third layer's")
	}
}
