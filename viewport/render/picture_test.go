package render

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
	textures "ridgeline/terrain/ground"
)

// valley is the world of the golden pictures: hills with all the textures that the
// project makes, by height and slope, a pond's hole, and light that is baked on one
// side.
func valley(t testing.TB) World {
	t.Helper()
	f := hills(t, 385, 321, 2, 90, 0.47, 7)
	names := textures.Names()
	w := World{Sun: afternoon}
	index := map[string]uint8{}
	for i, n := range names {
		m, err := textures.Generate(n, 512)
		if err != nil {
			t.Fatal(err)
		}
		index[n] = uint8(i)
		w.Layers = append(w.Layers, LayerTexture{m, 6})
	}
	share := func(v, a, b float64) uint8 { return uint8(255 * min(max((v-a)/(b-a), 0), 1)) }
	w.Field = paint(f, func(c, r int) (terrain.Splat, terrain.RGB) {
		h := float64(f.Sample(c, r)) + 9*noise(float64(c)/9, float64(r)/9, 3)
		steep := 1 - f.Normal(c, r)[1]
		s := terrain.Splat{Base: index["grass"], Over: index["dirt"], Third: index["rock"],
			Alpha: share(noise(float64(c)/14, float64(r)/14, 5), 0.15, 0.5), Alpha2: share(steep, 0.14, 0.24)}
		switch {
		case h > 52:
			s.Over, s.Alpha = index["snow"], share(h, 52, 62)
		case h < -30:
			s.Over, s.Alpha = index["sand"], share(-h, 30, 36)
		}
		return s, terrain.RGB{R: 255, G: 255, B: 255}
	})
	return w
}

// golden compares a view with testdata, drawing it three times.
func golden(t *testing.T, r *Renderer, name string, w, h int, v *View) {
	t.Helper()
	var m *image.NRGBA
	for i := range 3 {
		again, _ := shoot(t, r, w, h, v)
		if i > 0 {
			if share, worst, err := compare(m, again, 0); share > 0 || err != nil {
				t.Errorf("%s drawn again differs: %.3f %%, up to %d (%v)", name, share*100, worst, err)
			}
		}
		m = again
	}
	kept(t, name, m)
}

// kept compares a picture with the one in testdata.
func kept(t *testing.T, name string, m *image.NRGBA) {
	t.Helper()
	shot := name
	name = filepath.Join("testdata", t.Name(), name+".png")
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatalf("%v; it is now at %s, run with -update to keep it", err, save(t, m, "-"+shot))
	}
	defer f.Close()
	decoded, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	want := image.NewNRGBA(decoded.Bounds())
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			want.Set(x, y, decoded.At(x, y))
		}
	}
	if share, worst, err := compare(m, want, 6); !(share <= 0.005) || err != nil {
		t.Errorf("%s: %.2f %% of the pixels differ, up to %d (%v); the picture is at %s", shot, share*100, worst, err, save(t, m, "-"+shot))
	}
}

func TestGolden(t *testing.T) {
	w := valley(t)
	withGL(t, func(r *Renderer) {
		if err := r.Update(w); err != nil {
			t.Fatal(err)
		}
		shot := func(name string, change func(v *View)) {
			v := look(mgl64.Vec3{300, 95, 30}, mgl64.Vec3{380, 20, 320}, 320, 180, 0.5, 3000)
			change(&v)
			golden(t, r, name, 320, 180, &v)
		}
		shot("lit", func(*View) {})
		shot("coarse", func(v *View) { v.MaxError = 20 })
		shot("wire", func(v *View) { v.Overlays = Wire; v.MaxError = 8 })
		shot("bounds", func(v *View) { v.Overlays = Bounds; v.MaxError = 8 })
		shot("ring", func(v *View) {
			v.Rings = []Ring{{X: 330, Z: 190, Radius: 50, Inner: 25, Colour: color.NRGBA{255, 190, 70, 255}}}
		})
		shot("top", func(v *View) {
			m := mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, -1})
			v.Eye = mgl64.Vec3{384, 500, 320}
			v.ViewProj = mgl64.Ortho(-570, 570, -320, 320, 1, 1000).Mul4(m)
		})
	})
}

// TestLook writes big pictures for looking at, where RIDGELINE_LOOK names a folder.
func TestLook(t *testing.T) {
	if os.Getenv("RIDGELINE_LOOK") == "" {
		t.Skip("RIDGELINE_LOOK names no folder")
	}
	w := valley(t)
	withGL(t, func(r *Renderer) {
		if err := r.Update(w); err != nil {
			t.Fatal(err)
		}
		for i, eye := range []mgl64.Vec3{{300, 95, 30}, {330, 0, 190}, {600, 180, 600}} {
			if y, ok := w.Field.Height(eye[0], eye[2]); ok && eye[1] < y+2 {
				eye[1] = y + 2
			}
			v := look(eye, mgl64.Vec3{380, 10, 320}, 1280, 720, 0.3, 3000)
			v.Rings = []Ring{{X: 330, Z: 190, Radius: 50, Inner: 25, Colour: color.NRGBA{255, 190, 70, 255}}}
			m, s := shoot(t, r, 1280, 720, &v)
			t.Log(save(t, m, string(rune('0'+i))), s)
		}
	})
}
