package runtime_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// Instances are written in 32 bits. What is drawn of each lies within the box that is
// culled, to the last bit, however far apart they stand.
func TestInstancesStayInTheirBoxes(t *testing.T) {
	l := level(t, 20, 20, 1)
	var list []document.Entity
	asset := ""
	for e := range l.Entities() {
		if o, ok := e.Data.(document.Object); ok {
			asset = o.Asset
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 300 {
		s := 0.1 + 3*r.Float64()
		list = append(list, document.Entity{
			ID: document.ID(i + 1), Kind: document.KindObject, Data: document.Object{Asset: asset},
			Translation: mgl64.Vec3{4000 * r.NormFloat64(), 50 * r.NormFloat64(), 4000 * r.NormFloat64()},
			Rotation:    mgl64.Quat{W: r.NormFloat64(), V: mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}.Normalize(),
			Scale:       mgl64.Vec3{s, s * (0.5 + r.Float64()), -s},
		})
	}
	l, err := l.WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	game := open(t, export(t, l, glb.Options{Instancing: true}))
	c := game.Culler()
	c.Off = cull.All
	drawn := 0
	for _, d := range c.Run(views(level(t, 20, 20, 0), 1)[0]).Draws {
		if d.Instance < 0 {
			continue
		}
		drawn++
		b := geom.EmptyBox()
		for k := range game.Meshes[d.Mesh].Primitives {
			g, err := game.Geometry(d.Mesh, k)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range g.Positions {
				b = b.Add(mgl64.TransformCoordinate(geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, d.World))
			}
		}
		within := false
		for e := range game.Entries() {
			box := game.Box(e)
			within = within || box.Contains(b.Min) && box.Contains(b.Max) && box.Size().Sub(b.Size()).Len() < 0.1
		}
		if !within {
			t.Errorf("the instance %d is drawn in %v, where no box is", d.Instance, b)
		}
	}
	if drawn != len(list) {
		t.Errorf("%d instances are drawn, expected %d", drawn, len(list))
	}
}
