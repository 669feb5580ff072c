package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// An eye so close to a wall that the near plane cuts it open sees past it: nothing of
// that is removed. Some eyes stand in walls, slabs and floors.
func TestVillageFromItsWalls(t *testing.T) {
	inDir(t)
	newVillage(t, "v.ridge")
	look := func(eye, at mgl64.Vec3, near string) {
		t.Helper()
		r := cullOf(t, "v.ridge", "--eye", triple(eye), "--look", triple(at), "--size", "640x360", "--oracle")
		for _, f := range r.FalseCulls {
			t.Errorf("%s: %s %s can be seen from %v towards %v, but was removed by %s", near, f.ID, f.Name, eye, at, f.Verdict)
		}
	}
	look(mgl64.Vec3{285.8, 17.46, 462.48}, mgl64.Vec3{285.8, 17.46, 468}, "before a wall")
	look(mgl64.Vec3{290, 18.6, 469}, mgl64.Vec3{283, 16, 466}, "in a ceiling")

	eyes := 12
	switch {
	case os.Getenv("RIDGELINE_SOAK") != "":
		eyes = 5000
	case testing.Short():
		return
	}
	// Corners of occluders and rooms, three of one span some plane through it or along it.
	var shapes [][]mgl64.Vec3
	var names []string
	l := read(t, "v.ridge")
	for e := range l.Entities() {
		m, _ := l.World(e.ID)
		add := func(points []mgl64.Vec3) {
			var placed []mgl64.Vec3
			for _, p := range points {
				placed = append(placed, mgl64.TransformCoordinate(p, m))
			}
			shapes, names = append(shapes, placed), append(names, e.Name)
		}
		switch d := e.Data.(type) {
		case document.Occluder:
			add(d.Points)
		case document.Cell:
			for _, p := range d.Pieces {
				add(p)
			}
		}
	}
	r := rand.New(rand.NewPCG(9, 4))
	for range eyes {
		i := r.IntN(len(shapes))
		corner := func() mgl64.Vec3 { return shapes[i][r.IntN(len(shapes[i]))] }
		a, b, c := corner(), corner(), corner()
		u, v := r.Float64(), r.Float64()
		eye := a.Add(b.Sub(a).Mul(u)).Add(c.Sub(a).Mul(v * (1 - u)))
		off := []float64{0.01, 0.05, 0.2, 0.5}[r.IntN(4)]
		for k := range eye {
			eye[k] += off * (2*r.Float64() - 1)
		}
		at := eye.Add(mgl64.Vec3{r.NormFloat64(), r.NormFloat64() / 3, r.NormFloat64()}.Mul(5))
		look(eye, at, "at "+names[i])
	}
}

func triple(p mgl64.Vec3) string { return fmt.Sprintf("%.9g,%.9g,%.9g", p[0], p[1], p[2]) }
