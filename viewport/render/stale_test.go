package render

import (
	"image/color"
	"testing"

	"ridgeline/terrain"
)

// Light that was baked before the sun or the ground changed is not shown: the
// picture is that of a world that was never baked.
func TestStaleLightIsNotShown(t *testing.T) {
	f, err := terrain.Flat(9, 9, 1)
	if err != nil {
		t.Fatal(err)
	}
	red := paint(f, func(c, r int) (terrain.Splat, terrain.RGB) {
		return terrain.Splat{}, terrain.RGB{R: 0xff}
	})
	world := World{Field: f, Layers: []LayerTexture{{plain(color.NRGBA{200, 200, 200, 255}), 4}}}
	world.Sun.Ambient = [3]float32{1, 1, 1}
	withGL(t, func(r *Renderer) {
		v, n := above(f, 8, 8)
		shot := func(f *terrain.Field, baked bool) color.NRGBA {
			world.Field, world.Sun.Baked = f, baked
			if err := r.Update(world); err != nil {
				t.Fatal(err)
			}
			m, _ := shoot(t, r, n, n, &v)
			return m.NRGBAAt(n/2, n/2)
		}
		never, stale, baked := shot(f, false), shot(red, false), shot(red, true)
		if stale != never || baked.G != 0 || baked.R == 0 {
			t.Errorf("never baked %v, stale %v, baked %v", never, stale, baked)
		}
	})
}
