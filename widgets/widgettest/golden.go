package widgettest

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gioui.org/op"
)

// Two pictures count as the same when hardly a pixel differs by more than a little:
// renderers round edges differently. A letter more or less is over the limit.
const (
	maxStep   = 12 // of 255, per channel
	maxPixels = 8
)

// Photographer draws an operation list; a gallery.Camera is one.
type Photographer interface {
	Picture(ops *op.Ops) (*image.RGBA, error)
}

// Golden draws the widget and compares its picture with testdata/<name>.png, as
// the function Golden does. It is drawn three times: what a cache makes stale
// shows in the later ones.
func (h *Harness) Golden(cam Photographer, name string, update bool) {
	h.T.Helper()
	var img *image.RGBA
	for range 3 {
		h.Frame()
		var err error
		if img, err = cam.Picture(&h.Ops); err != nil {
			h.T.Fatal(err)
		}
	}
	Golden(h.T, name, img, update)
}

// Golden compares a picture with testdata/<name>.png. With update it becomes that
// file instead. A picture that differs is kept beside the test's artifacts.
func Golden(t testing.TB, name string, img *image.RGBA, update bool) {
	t.Helper()
	golden := filepath.Join("testdata", name+".png")
	if update {
		writePNG(t, golden, img)
		return
	}
	f, err := os.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := Difference(img, want); n > maxPixels {
		bad := filepath.Join(t.ArtifactDir(), name+".png")
		writePNG(t, bad, img)
		t.Errorf("%s: %d pixels differ; the picture is %s", name, n, bad)
	}
}

// Difference is the number of pixels that differ visibly, all of them for another
// size.
func Difference(a *image.RGBA, b image.Image) int {
	if a.Bounds() != b.Bounds() {
		return a.Rect.Dx() * a.Rect.Dy()
	}
	n := 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			r, g, bl, _ := b.At(x, y).RGBA()
			p := a.RGBAAt(x, y)
			if step(p.R, r) > maxStep || step(p.G, g) > maxStep || step(p.B, bl) > maxStep {
				n++
			}
		}
	}
	return n
}

func step(a uint8, b uint32) int {
	d := int(a) - int(b>>8)
	return max(d, -d)
}

func writePNG(t testing.TB, name string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
