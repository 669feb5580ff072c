package render

import (
	"image"
	"image/color"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/document/mesh"
)

// onGrey lays a picture over grey, to be compared and looked at.
func onGrey(m *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(m.Rect)
	for i := 0; i < len(m.Pix); i += 4 {
		a := int(m.Pix[i+3])
		for c := range 3 {
			out.Pix[i+c] = uint8((int(m.Pix[i+c])*a + 96*(255-a)) / 255)
		}
		out.Pix[i+3] = 255
	}
	return out
}

func TestThumbnails(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		for name, m := range map[string]*mesh.Model{"crate": y.crate, "fence": y.fence, "glass": y.glass, "tree": y.tree, "missing": nil} {
			got, err := r.Thumbnail(m, 96)
			if err != nil {
				t.Fatal(err)
			}
			if e := gl.GetError(); e != 0 {
				t.Fatalf("%s: OpenGL error 0x%x", name, e)
			}
			// It fills one of the picture's directions but for a rim, and no more.
			box := image.Rectangle{Min: image.Pt(96, 96)}
			for y := range 96 {
				for x := range 96 {
					if got.NRGBAAt(x, y).A > 127 {
						box.Min.X, box.Min.Y = min(box.Min.X, x), min(box.Min.Y, y)
						box.Max.X, box.Max.Y = max(box.Max.X, x+1), max(box.Max.Y, y+1)
					}
				}
			}
			if n := max(box.Dx(), box.Dy()); name != "glass" && (n < 86 || n > 93) {
				t.Errorf("%s covers %v of 96 pixels", name, box)
			}
			kept(t, name, onGrey(got))
		}
		if len(r.bodies.of) != 0 {
			t.Errorf("%d models are kept", len(r.bodies.of))
		}
		empty := build("empty", matter(color.NRGBA{255, 255, 255, 255})).done(t)
		if m, err := r.Thumbnail(empty, 8); err != nil || m.Pix[3] != 0 {
			t.Errorf("a model without triangles: %v", err)
		}
		for _, size := range []int{0, -1, 4096} {
			if _, err := r.Thumbnail(y.crate, size); err == nil {
				t.Errorf("a thumbnail of %d pixels", size)
			}
		}
		bad := *y.crate
		bad.Indices = append([]uint32{9999}, bad.Indices[1:]...)
		if _, err := r.Thumbnail(&bad, 16); err == nil {
			t.Error("a picture of a model with an index that is not there")
		}
		// A model that faces away is seen all the same.
		back := build("back", matter(color.NRGBA{255, 255, 255, 255})).quad(0, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{-1, 0, 0}, mgl32.Vec3{0, 1, 0}).done(t)
		if m, err := r.Thumbnail(back, 8); err != nil || m.NRGBAAt(4, 4).A != 255 {
			t.Errorf("a model that faces away: %v", err)
		}
		// Thumbnails between frames leave the frames alone.
		update1(t, r, y.world)
		v := yardView(64, 36)
		v.Instances = []Instance{{Model: y.crate, World: stand(0, 0, 0, 0)}}
		before, s0 := shoot(t, r, 64, 36, &v)
		if _, err := r.Thumbnail(y.tree, 300); err != nil {
			t.Fatal(err)
		}
		after, s1 := shoot(t, r, 64, 36, &v)
		if share, _, _ := compare(before, after, 0); share > 0 || s0.Draws != s1.Draws {
			t.Error("a frame after a thumbnail differs")
		}
	})
}

// A thumbnail's colour is straight: where glass is, it is that of the glass.
func TestThumbnailAlpha(t *testing.T) {
	pane := matter(color.NRGBA{220, 60, 50, 128})
	pane.Alpha, pane.Unlit, pane.DoubleSided = mesh.Blend, true, true
	m := build("pane", pane).quad(0, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}).done(t)
	withGL(t, func(r *Renderer) {
		got, err := r.Thumbnail(m, 32)
		if err != nil {
			t.Fatal(err)
		}
		c := got.NRGBAAt(16, 16)
		if far(c.R, 220) || far(c.G, 60) || far(c.B, 50) || far(c.A, 128) {
			t.Errorf("the pane is %v (%s)", c, save(t, got, ""))
		}
		if corner := got.NRGBAAt(0, 0); corner.A != 0 {
			t.Errorf("the corner is %v", corner)
		}
	})
}

func BenchmarkThumbnail(b *testing.B) {
	m := tree(b)
	withGL(b, func(r *Renderer) {
		for b.Loop() {
			if _, err := r.Thumbnail(m, 96); err != nil {
				b.Fatal(err)
			}
		}
	})
}
