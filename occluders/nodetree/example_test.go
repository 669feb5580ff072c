package nodetree_test

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// Of a row of houses, those near the square.
func ExampleTree_AppendOverlapping() {
	var houses []geom.Box
	for i := range 1000 {
		x := float64(20 * i)
		houses = append(houses, geom.BoxOf(geom.Vec3{x, 0, 0}, geom.Vec3{x + 10, 8, 12}))
	}
	tree := nodetree.Build(houses, nodetree.Options{})
	square := geom.BoxOf(geom.Vec3{500, 0, 5}, geom.Vec3{555, 5, 50})
	fmt.Println(tree.AppendOverlapping(nil, square))
	// Output: [25 26 27]
}

// The nearest object that a ray meets: the tree gives those whose box it meets, nearer
// ones first, and how far it is to the best one so far ends the search.
func ExampleTree_Walk() {
	balls := []geom.Sphere{{Center: geom.Vec3{30, 0, 0}, Radius: 2}, {Center: geom.Vec3{10, 0, 0}, Radius: 2}}
	var boxes []geom.Box
	for _, b := range balls {
		r := geom.Vec3{b.Radius, b.Radius, b.Radius}
		boxes = append(boxes, geom.Box{Min: b.Center.Sub(r), Max: b.Center.Add(r)})
	}
	tree := nodetree.Build(boxes, nodetree.Options{})
	nearest, best := -1, 100.0
	tree.Walk(geom.Ray{Dir: geom.Vec3{1, 0, 0}}, best, func(item int, _ float64) float64 {
		if d := balls[item].Center[0] - balls[item].Radius; d < best { // along the ray
			nearest, best = item, d
		}
		return best
	})
	fmt.Println(nearest, best)
	// Output: 1 8
}

func ExampleTriangles_Nearest() {
	positions := []mgl32.Vec3{{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}
	tree := nodetree.BuildTriangles(positions, []uint32{0, 2, 1}, nodetree.Options{})
	ray := geom.Ray{Origin: geom.Vec3{1, 5, 2}, Dir: geom.Vec3{0, -1, 0}}
	hit, ok := tree.Nearest(ray, 100, nil)
	fmt.Println(hit.Triangle, hit.T, hit.U, hit.V, ok)
	// Output: 0 5 0.5 0.25 true
}
