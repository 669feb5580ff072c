package gallery

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// Two pictures count as the same when hardly a pixel differs by more than a little:
// renderers round edges differently. A letter more or less is over the limit.
const (
	maxStep   = 12 // of 255, per channel
	maxPixels = 8
)

// shoot drives a scene and compares its picture with the golden one.
func shoot(t *testing.T, name string, w, h int, scale float32, th *widgets.Theme, root layout.Widget, drive func(*widgettest.Harness)) {
	t.Helper()
	w, h = int(float32(w)*scale), int(float32(h)*scale)
	hs := widgettest.New(t, w, h, scale, func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, th.Color.Gap)
		return root(gtx)
	})
	if drive != nil {
		drive(hs)
	}
	cam, err := NewCamera(w, h)
	if err != nil {
		t.Fatal(err)
	}
	defer cam.Release()
	// Drawn three times: what a cache makes stale shows in the later ones.
	var img *image.RGBA
	for range 3 {
		hs.Frame()
		if img, err = cam.Picture(&hs.Ops); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", name+".png")
	if *update {
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
	if n := difference(img, want); n > maxPixels {
		bad := filepath.Join(t.ArtifactDir(), name+".png")
		writePNG(t, bad, img)
		t.Errorf("%s: %d pixels differ; the picture is %s", name, n, bad)
	}
}

// difference is the number of pixels that differ visibly, all of them for another
// size.
func difference(a *image.RGBA, b image.Image) int {
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

func writePNG(t *testing.T, name string, img image.Image) {
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
