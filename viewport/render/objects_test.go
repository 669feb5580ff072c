package render

import (
	"image/color"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/viewport/overlay"
)

// scenes are what the golden pictures of objects show.
func (y *yard) scenes() map[string]func(v *View) {
	at := func(x, yaw float64) mgl64.Mat4 { return stand(x, 0, 0, yaw) }
	return map[string]func(v *View){
		// A box, a mirrored one, one that is turned and scaled unevenly, half in the hill.
		"boxes": func(v *View) {
			v.Instances = []Instance{
				{Model: y.crate, World: at(1, 0.4)},
				{Model: y.crate, World: at(5, 0.4).Mul4(mgl64.Scale3D(-1, 1, 1))},
				{Model: y.crate, World: at(-6, 0.9).Mul4(mgl64.Scale3D(2, 1, 0.5)).Mul4(mgl64.HomogRotate3DY(0.5))},
				{Model: y.crate, World: stand(-2.5, 1.2, 3, 0.4).Mul4(mgl64.Scale3D(1, -0.7, 1)), Tint: color.NRGBA{80, 120, 255, 140}},
			}
		},
		"mask": func(v *View) {
			for i := range 4 {
				v.Instances = append(v.Instances, Instance{Model: y.fence, World: stand(4*float64(i)-6, 0.5, -2*float64(i), 0.5)})
				v.Instances = append(v.Instances, Instance{Model: y.fence, World: stand(9*float64(i)-16, 0, -26, 0)})
			}
		},
		"blend": func(v *View) {
			v.Instances = []Instance{
				{Model: y.glass, World: stand(1.2, 0, 2, 0.2)},
				{Model: y.green, World: stand(0, 0, 0, 0.2)},
				{Model: y.crate, World: stand(0.6, 0, -4, 0.2)},
				{Model: y.glass, World: stand(-6, 1, 0.5, 0.2)},
				{Model: y.green, World: stand(-1.2, 0, 3, 0.2)},
			}
		},
		"outlines": func(v *View) {
			v.Instances = []Instance{
				{Model: y.crate, World: at(2, 0.4), Outline: Selected},
				{Model: y.crate, World: at(-7, 0.4).Mul4(mgl64.Scale3D(1, 1.7, 1)), Outline: Selected},
				{Model: y.tree, World: at(5.5, 1), Outline: Hovered},
				{Model: y.fence, World: stand(-1, 0, 2, 0), Outline: Selected},
				{Model: y.crate, World: stand(1, 0, 4, 0)},
				{Model: y.tree, World: stand(14, 0, -22, 0), Outline: Selected, Billboard: 15},
			}
		},
		// Each model has its picture beside it.
		"billboards": func(v *View) {
			for i := range 4 {
				x := 4*float64(i) - 6
				v.Instances = append(v.Instances, Instance{Model: y.tree, World: stand(x-0.1, 0.2, 0, float64(i))})
				v.Instances = append(v.Instances, Instance{Model: y.tree, World: stand(x+1.9, 0.2, 0, float64(i)), Billboard: 3})
			}
			v.Instances = append(v.Instances, Instance{Model: y.tree, World: stand(-3, 0, -14, 0).Mul4(mgl64.Scale3D(-1.5, 2, 1.5))})
			v.Instances = append(v.Instances, Instance{Model: y.tree, World: stand(4, 0, -14, 0).Mul4(mgl64.Scale3D(-1.5, 2, 1.5)), Billboard: 3})
		},
		"shapes": func(v *View) {
			s := new(overlay.Shapes)
			for i, d := range []overlay.Depth{overlay.Tested, overlay.Faint, overlay.OnTop} {
				c := []color.NRGBA{{255, 80, 60, 255}, {255, 210, 60, 255}, {90, 220, 255, 255}}[i]
				x := 4*float64(i) - 5
				p := overlay.Pen{Colour: c, Width: 2, Depth: d}
				s.Box(geom.Box{Min: mgl64.Vec3{x, -1, -3}, Max: mgl64.Vec3{x + 2.5, 2, 1}}, p)
				s.Polygon([]mgl64.Vec3{{x, 1, 2}, {x + 3, 1, 2}, {x + 3, 1, -3}, {x + 1.5, 1, 0}, {x, 1, -3}}, p.WithAlpha(0.4))
				s.Arrow(mgl64.Vec3{x + 1, 0, -4}, mgl64.Vec3{x + 1, 5, -4}, 1, overlay.Pen{Colour: c, Width: 4, Depth: d})
				s.Circle(mgl64.Vec3{x + 1, 0.3, 0}, mgl64.Vec3{0, 1, 0}, 1.8, overlay.Pen{Colour: c, Width: 1, Depth: d})
			}
			v.Shapes = s
			v.Instances = []Instance{
				{Model: y.crate, World: stand(0, 0, 0, 0.4)},
				{Model: y.crate, World: stand(3.5, 0, 0, 0.4)},
				{Model: y.crate, World: stand(-3, 0, -1, 0.4)},
			}
		},
	}
}

func yardView(w, h int) View {
	return look(mgl64.Vec3{1, 5, 13}, mgl64.Vec3{0, 1, 0}, w, h, 0.2, 300)
}

func TestGoldenObjects(t *testing.T) {
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		for name, change := range y.scenes() {
			v := yardView(320, 180)
			change(&v)
			golden(t, r, name, 320, 180, &v)
		}
	})
}

// TestLookObjects writes big pictures for looking at, where RIDGELINE_LOOK names a folder.
func TestLookObjects(t *testing.T) {
	if os.Getenv("RIDGELINE_LOOK") == "" {
		t.Skip("RIDGELINE_LOOK names no folder")
	}
	y := newYard(t)
	withGL(t, func(r *Renderer) {
		update1(t, r, y.world)
		for name, change := range y.scenes() {
			v := yardView(960, 540)
			change(&v)
			m, s := shoot(t, r, 960, 540, &v)
			t.Log(save(t, m, "-"+name), s)
		}
	})
}
