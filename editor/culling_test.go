package editor

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/editor/session"
	"ridgeline/occluders/cull"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// golden compares a picture with the one that is kept. Drivers differ by a little in
// many pixels, and by much in few.
func golden(t *testing.T, name string, got *image.NRGBA) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	if *update {
		w, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := png.Encode(w, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s: %v, expected %v", name, got.Bounds(), want.Bounds())
	}
	far := 0
	b := got.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			a, c := got.NRGBAAt(x, y), color.NRGBAModel.Convert(want.At(x, y)).(color.NRGBA)
			for _, d := range [...]int{int(a.R) - int(c.R), int(a.G) - int(c.G), int(a.B) - int(c.B)} {
				if d < -24 || d > 24 {
					far++
					break
				}
			}
		}
	}
	if limit := b.Dx() * b.Dy() / 500; far > limit {
		t.Errorf("%s: %d pixels differ, at most %d may", name, far, limit)
	}
}

// What culling removes is shown over the level as it is meant to be.
func TestCullingPictures(t *testing.T) {
	at := func(x, y, z float64) *mgl64.Vec3 { return &mgl64.Vec3{x, y, z} }
	const from = "camera.set eye=128,6,240 look=128,4,60; "
	for _, c := range []struct {
		name      string
		do        string
		overlays  []string
		eye, look *mgl64.Vec3
		ui        bool
	}{
		{name: "ghosts-live", do: from, overlays: []string{"ghosts"}, eye: &xlevel.CullingEye, look: &xlevel.CullingLook},
		{name: "frozen", do: from + "cull.freeze; select ids=Barrel", eye: at(270, 130, 290), look: at(100, 0, 120)},
		{name: "frozen-ui", do: from + "cull.freeze; select ids=Barn; view.overlay efficiency", eye: at(270, 130, 290), look: at(100, 0, 120), ui: true},
		{name: "portals", do: from + "portal.set id=Arch state=open; cull.freeze", overlays: []string{"portalview"}, eye: at(150, 24, 130), look: at(112, 0, 88)},
		{name: "portals-inside", do: from, overlays: []string{"portalview"}, eye: at(124, 2, 82), look: at(110, 2, 90)},
		{name: "occludees", do: from, overlays: []string{"occludees"}, eye: &xlevel.CullingEye, look: &xlevel.CullingLook},
		{name: "heat", do: "cull.heatmap step=8", eye: at(270, 130, 290), look: at(100, 0, 120), ui: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Picture{
				Level: xlevel.Culling(t), Name: "Culling", Size: image.Pt(960, 600), Eye: c.eye, Look: c.look,
				Do: c.do, Overlays: c.overlays, UI: c.ui,
			}
			if c.ui {
				p.Size = image.Pt(1440, 900)
			}
			m, err := p.Draw(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "culling-"+c.name, m)
		})
	}
}

// The check of the window draws what it compares with, and finds what was removed
// wrongly and nothing else; while idle it goes with the view, and then comes to rest.
func TestCheckInWindow(t *testing.T) {
	for name, level := range map[string]*document.Level{"sample": sampleLevel(t), "culling": xlevel.Culling(t)} {
		w := newTwin(t, level, "", image.Pt(960, 640))
		k := &w.s.Culling
		check := func(what string) session.CheckResult {
			t.Helper()
			w.settle()
			r, ok := k.Result()
			if !ok || !r.Now || !r.Full || len(r.False) > 0 {
				t.Errorf("%s, %s: %+v, %v", name, what, r, ok)
			}
			return r
		}
		w.run("cull.oracle")
		check("at first")
		w.s.View.Place(xlevel.CullingEye, xlevel.CullingLook)
		w.settle()
		if r, _ := k.Result(); r.Now {
			t.Errorf("%s: the result passes for that of another view", name)
		}
		w.run("cull.oracle idle=yes")
		if name == "culling" {
			// No wall stands where the occluders are: what is behind them can be seen.
			w.settle()
			r, _ := k.Result()
			for _, id := range []document.ID{xlevel.Crate, xlevel.Barrel} {
				if !slices.ContainsFunc(r.Things, func(f session.FalseCull) bool { return f.ID == id && f.Verdict == cull.ByOccluder }) {
					t.Errorf("that %d is removed wrongly is not found: %+v", id, r.Things)
				}
			}
			w.run("occluder.set id=Wall off=yes; occluder.set id=Tower off=yes")
		}
		r := check("idle")
		if name == "culling" {
			if r.Hidden == 0 || r.Efficiency() < 0.5 {
				t.Errorf("%d hidden, of which %.0f%% were removed", r.Hidden, 100*r.Efficiency())
			}
			w.run("cull.freeze")
			w.s.View.Place(mgl64.Vec3{270, 130, 290}, mgl64.Vec3{100, 0, 120})
			if f := check("frozen"); f.Hidden != r.Hidden {
				t.Errorf("frozen %d are hidden, before %d", f.Hidden, r.Hidden)
			}
			w.run("cull.set frustum=no")
			check("without the frustum")
			w.run("object.delete id=Crate")
			check("after an edit")
		}
	}
}

// The status bar counts what is drawn as the panel of culling does, frozen or not.
func TestDrawnIsCountedAlike(t *testing.T) {
	w := newTwin(t, xlevel.Culling(t), "", image.Pt(960, 640))
	see := func(eye, look mgl64.Vec3) {
		w.s.View.Place(eye, look)
		w.settle()
		f, r := w.program.figures(), w.s.Culling.Report()
		if f.Objects+f.Chunks != len(r.Drawn) || f.AllObjects+f.AllChunks != r.Entries || f.Objects == 0 || f.Chunks == 0 {
			t.Errorf("from %v: %+v of %d drawn of %d", eye, f, len(r.Drawn), r.Entries)
		}
	}
	see(xlevel.CullingEye, xlevel.CullingLook)
	w.s.Run("cull.freeze")
	see(mgl64.Vec3{270, 130, 290}, mgl64.Vec3{100, 0, 120})
	see(mgl64.Vec3{270, 130, 290}, mgl64.Vec3{400, 100, 400}) // away from it all
}

// Commands before a picture of the whole window change its panels, too.
func TestPanelsOfPictures(t *testing.T) {
	draw := func(do string) *image.NRGBA {
		m, err := Picture{Level: xlevel.Culling(t), Size: image.Pt(960, 600), UI: true, Do: do}.Draw(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	bare, with, twice := draw("select.none"), draw("view.panel outliner; view.panel console"), draw("view.panel outliner; view.panel outliner")
	if bytes.Equal(bare.Pix, with.Pix) || !bytes.Equal(bare.Pix, twice.Pix) {
		t.Error("view.panel changes nothing, or not back")
	}
}
