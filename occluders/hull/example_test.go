package hull_test

import (
	"errors"
	"fmt"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// The corners of a box, and what else is in it.
func ExampleOf() {
	h, err := hull.Of([]geom.Vec3{
		{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {0, 0, 3}, {2, 0, 3}, {0, 1, 3}, {2, 1, 3},
		{1, 0, 1}, {1, 0.5, 2}, // on a face, inside
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(h.Vertices), "vertices,", len(h.Faces), "faces,", h.Volume(), "m³")
	_, err = hull.Of([]geom.Vec3{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}})
	fmt.Println(errors.Is(err, hull.ErrFlat), err)
	// Output:
	// 8 vertices, 6 faces, 6 m³
	// true all points lie in a plane
}

func ExampleHull_Shrink() {
	h, _ := hull.OfBox(geom.Box{Max: geom.Vec3{4, 3, 5}})
	s, _ := h.Shrink(0.5)
	fmt.Println(s.Bounds())
	_, err := h.Shrink(2)
	fmt.Println(err)
	// Output:
	// {[0.5 0.5 0.5] [3.5 2.5 4.5]}
	// there is no space left inside
}

func ExampleHull_Ray() {
	h, _ := hull.OfBox(geom.Box{Max: geom.Vec3{1, 1, 1}})
	fmt.Println(h.Ray(geom.Ray{Origin: geom.Vec3{-2, 0.5, 0.5}, Dir: geom.Vec3{1, 0, 0}}))
	// Output: 2 3 true
}

func ExampleClipPolygon() {
	door := []geom.Vec3{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}
	wall := geom.Plane{N: geom.Vec3{1, 0, 0}, D: -1} // positive from x = 1 on
	fmt.Println(hull.ClipPolygon(nil, door, wall))
	// Output: [[1 0 0] [2 0 0] [2 2 0] [1 2 0]]
}
