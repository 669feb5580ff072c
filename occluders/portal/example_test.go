package portal_test

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

// rooms are a hall and a chamber east of it, with a door between.
func rooms() ([][]*hull.Hull, []geom.Vec3) {
	hall, _ := hull.OfBox(geom.Box{Min: geom.Vec3{0, 0, 0}, Max: geom.Vec3{6, 3, 6}})
	chamber, _ := hull.OfBox(geom.Box{Min: geom.Vec3{6.2, 0, 0}, Max: geom.Vec3{10, 3, 6}})
	door := []geom.Vec3{{6, 0, 2}, {6, 0, 3}, {6, 2, 3}, {6, 2, 2}}
	return [][]*hull.Hull{{hall}, {chamber}}, door
}

func Example() {
	cells, door := rooms()
	from, to, _ := portal.Link(cells, door, 0.5)
	graph, err := portal.Build(cells, []portal.Portal{{Polygon: door, From: from, To: to}})
	if err != nil {
		fmt.Println(err)
		return
	}
	look := func(g *portal.Graph) {
		eye := geom.Vec3{3, 1.5, 2.5}
		toEast := mgl64.Perspective(1, 1.5, 0.1, 100).Mul4(mgl64.LookAtV(geom.Vec3{}, geom.Vec3{1, 0, 0}, geom.Vec3{0, 1, 0}))
		view := portal.View{Eye: eye, Frustum: geom.FrustumOf(eye, toEast), Near: 0.1}
		var tracer portal.Tracer
		tracer.Trace(g, &view)
		chest := geom.Box{Min: geom.Vec3{8, 0, 2.2}, Max: geom.Vec3{8.5, 0.5, 2.8}}
		lamp := geom.Box{Min: geom.Vec3{8, 2, 5}, Max: geom.Vec3{8.2, 2.5, 5.2}}
		fmt.Println(tracer.Sees(g.AppendCells(nil, chest), chest), tracer.Sees(g.AppendCells(nil, lamp), lamp), tracer.AppendClosed(nil, 1))
	}
	look(graph)
	look(graph.SetState(0, portal.Closed))
	// Output:
	// true false []
	// false false [0]
}

func ExampleTracer_AppendWindows() {
	cells, door := rooms()
	graph, _ := portal.Build(cells, []portal.Portal{{Polygon: door, From: 0, To: 1}})
	fmt.Println(len(graph.Faults), graph.AppendNeighbours(nil, 0))

	eye := geom.Vec3{3, 1.5, 2.5}
	toEast := mgl64.Perspective(1, 1.5, 0.1, 100).Mul4(mgl64.LookAtV(geom.Vec3{}, geom.Vec3{1, 0, 0}, geom.Vec3{0, 1, 0}))
	var tracer portal.Tracer
	for _, w := range tracer.AppendWindows(nil, graph, &portal.View{Eye: eye, Frustum: geom.FrustumOf(eye, toEast), Near: 0.1}) {
		fmt.Println("cell", w.Cell, "depth", w.Depth, "through", w.Through, "corners", len(w.Corners))
	}
	// Output:
	// 0 [1]
	// cell 0 depth 0 through [] corners 0
	// cell 1 depth 1 through [0] corners 4
}
