package portal

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Two cells that lie by turns: most of each is beyond the other, seen from the portal
// between them, which still does not face the wrong way.
func TestCellsByTurns(t *testing.T) {
	room := func(x0, x1 float64) *hull.Hull {
		return boxHull(geom.Box{Min: Vec3{x0, -2, -2}, Max: Vec3{x1, 2, 2}}, place{turn: mgl64.Ident3()})
	}
	cells := [][]*hull.Hull{{room(0, 1), room(-4, -1)}, {room(-1, 0), room(1, 4)}}
	p := Portal{From: 0, To: 1, Polygon: []Vec3{{0, -2, -2}, {0, 2, -2}, {0, 2, 2}, {0, -2, 2}}}
	if n := p.Polygon[1].Sub(p.Polygon[0]).Cross(p.Polygon[2].Sub(p.Polygon[1])); n[0] < 0 {
		t.Fatal("the portal is made the wrong way round")
	}
	g, err := Build(cells, []Portal{p})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range g.Faults {
		if f.Reason == WrongWay {
			t.Error(f)
		}
	}
	w := &world{place: place{turn: mgl64.Ident3()}}
	c := w.camera(Vec3{0.5, 0, 0}, Vec3{-1, 0, 0}, mgl64.Perspective(1, 1, 0.1, 100), 0.1, false)
	box := geom.Box{Min: Vec3{-0.6, -0.1, -0.1}, Max: Vec3{-0.4, 0.1, 0.1}}
	var tr Tracer
	tr.Trace(g, &c.View)
	if !tr.Sees(g.AppendCells(nil, box), box) {
		t.Error("what is right behind the portal is not seen")
	}
}
