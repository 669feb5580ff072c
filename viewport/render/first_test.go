package render

import (
	"github.com/go-gl/mathgl/mgl64"
	"image/color"
	"testing"
)

func TestFirst(t *testing.T) {
	withGL(t, func(r *Renderer) {
		f := hills(t, 513, 513, 1, 60, 0.45, 7)
		w := World{Field: f, Layers: []LayerTexture{{plain(color.NRGBA{90, 110, 60, 255}), 4}, {plain(color.NRGBA{130, 110, 90, 255}), 4}}, Sun: afternoon}
		if err := r.Update(w); err != nil {
			t.Fatal(err)
		}
		v := look(mgl64.Vec3{256, 90, -20}, mgl64.Vec3{256, 10, 200}, 960, 540, 1, 2000)
		v.Rings = []Ring{{X: 230, Z: 120, Radius: 40, Inner: 20, Colour: color.NRGBA{255, 220, 80, 255}}}
		m, s := shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, ""), s)
		v.Overlays = Wire | Bounds
		m, s = shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, "-wire"), s)
	})
}
