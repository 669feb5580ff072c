package main

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor"
	"ridgeline/editor/command"
	"ridgeline/editor/transfer"
	"ridgeline/editor/village"
	"ridgeline/export/glb"
)

// From the exported file alone the example draws what the editor draws of the level: the
// same ground, with its layers, weights and baked light, and the same things in the same
// light. Apart are filters of textures, and levels of detail, at silhouettes above all.
func TestEditorsPicture(t *testing.T) {
	if testing.Short() {
		t.Skip("draws six pictures of the Village")
	}
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "village.ridge")
	if err := village.Save(ctx, path); err != nil {
		t.Fatal(err)
	}
	level, _, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lit, err := command.BakeLight(ctx, level, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc := document.New(level, document.Options{})
	if err := doc.Do(command.BakeName, func(tx *document.Tx) error { return command.TakeLight(tx, lit) }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, camera string
		level        *document.Level
	}{{"live.glb", "square", level}, {"live.pack", "hilltop", level}, {"baked.glb", "hilltop", doc.Level()}} {
		file := filepath.Join(dir, c.file)
		if _, err := (&transfer.Export{Level: c.level, Path: path, GLTF: glb.Options{Sun: true}}).File(ctx, file, nil); err != nil {
			t.Fatal(err)
		}
		at := c.level.Settings.Bookmarks[c.camera]
		size := image.Pt(480, 270)
		p := editor.Picture{Level: c.level, Path: path, Size: size, Eye: &at.Eye, Look: &at.Look}
		want, err := p.Draw(ctx)
		if err != nil {
			t.Fatal(err)
		}
		p.Things = true
		things, err := p.Draw(ctx)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, c.file+" at "+c.camera, draw(t, file, c.camera, size), want, things)
	}
}

func draw(t *testing.T, file, camera string, size image.Point) image.Image {
	t.Helper()
	name := filepath.Join(t.TempDir(), "view.png")
	var out bytes.Buffer
	if err := run(context.Background(), []string{file, "--camera", camera, "--frames", "1", "-o", name, "--size", "480x270"}, &out); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil || m.Bounds().Size() != size {
		t.Fatalf("%v, %v", m.Bounds(), err)
	}
	return m
}

// compare holds ground and things of two pictures against each other; of things tells what
// stands where.
func compare(t *testing.T, name string, got image.Image, want, things *image.NRGBA) {
	t.Helper()
	var count, off [2]int
	var sum [2]float64
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			kind := 1
			switch c := things.NRGBAAt(x, y); {
			case c.R == 0 && c.G == 0 && c.B == 0:
				continue // the sky is the example's own
			case c.R == 255 && c.G == 255 && c.B == 255:
				kind = 0
			}
			r, g, b, _ := got.At(x, y).RGBA()
			c := want.NRGBAAt(x, y)
			worst := 0
			for _, d := range [3]int{int(r>>8) - int(c.R), int(g>>8) - int(c.G), int(b>>8) - int(c.B)} {
				worst = max(worst, d, -d)
			}
			count[kind]++
			sum[kind] += float64(worst)
			if worst > 48 {
				off[kind]++
			}
		}
	}
	for kind, what := range [2]string{"ground", "things"} {
		mean, share := sum[kind]/float64(count[kind]), float64(off[kind])/float64(count[kind])
		t.Logf("%s: %d pixels of %s, %.1f of 255 apart on average, %.2f %% by more than 48", name, count[kind], what, mean, 100*share)
		if mean > 5 || share > 0.01 {
			t.Errorf("%s: the %s is not the editor's", name, what)
		}
	}
}
