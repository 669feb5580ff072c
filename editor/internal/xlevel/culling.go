package xlevel

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
)

// The entities of Culling.
const (
	Wall document.ID = iota + 1
	Tower
	Kitchen
	Hall
	Door  // shut, from outside into the kitchen
	Arch  // shut, between kitchen and hall
	Pane  // open, from outside into the hall
	Stove // in the kitchen
	Chair // in the hall
	Barn  // behind the hill
	Crate // behind the wall
	Barrel
	Tree // in sight
	Left // beside the view
)

// CullingEye and CullingLook are where the things of Culling are seen or hidden from.
var (
	CullingEye  = mgl64.Vec3{128, 6, 240}
	CullingLook = mgl64.Vec3{128, 4, 60}
)

// Culling is a level of which each test removes something: ground with a hill, two
// rooms, and two occluders side by side. The asset of its objects is missing, so that they are cubes.
func Culling(t testing.TB) *document.Level {
	t.Helper()
	const n = 257
	h := make([]float32, n*n)
	for z := range n {
		for x := range n {
			dx, dz := float64(x-50), float64(z-110)
			h[z*n+x] = float32(30 * math.Exp(-dx*dx/900-dz*dz/200))
		}
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	l := document.NewLevel(f)
	list := []document.Entity{
		{Name: "Wall", Data: document.Occluder{Points: box(mgl64.Vec3{150, 0, 150}, mgl64.Vec3{160, 12, 152})}},
		{Name: "Tower", Data: document.Occluder{Points: box(mgl64.Vec3{160, 0, 150}, mgl64.Vec3{170, 16, 154})}},
		{Name: "Kitchen", Data: document.Cell{Pieces: [][]mgl64.Vec3{box(mgl64.Vec3{100, 0, 80}, mgl64.Vec3{112, 5, 92})}}},
		{Name: "Hall", Data: document.Cell{Pieces: [][]mgl64.Vec3{box(mgl64.Vec3{112, 0, 80}, mgl64.Vec3{126, 5, 92})}}},
		{Name: "Door", Data: document.Portal{State: document.PortalClosed, Points: []mgl64.Vec3{{104, 0.2, 92}, {108, 0.2, 92}, {108, 4, 92}, {104, 4, 92}}}},
		{Name: "Arch", Data: document.Portal{State: document.PortalClosed, Points: []mgl64.Vec3{{112, 0.2, 84}, {112, 0.2, 88}, {112, 4, 88}, {112, 4, 84}}}},
		{Name: "Pane", Data: document.Portal{Points: []mgl64.Vec3{{115, 0.5, 92}, {123, 0.5, 92}, {123, 4, 92}, {115, 4, 92}}}},
		{Name: "Stove", Translation: mgl64.Vec3{106, 1.5, 86}, Scale: mgl64.Vec3{2, 2, 2}, Data: document.Object{Asset: "Box"}},
		{Name: "Chair", Translation: mgl64.Vec3{120, 1.5, 86}, Scale: mgl64.Vec3{2, 2, 2}, Data: document.Object{Asset: "Box"}},
		{Name: "Barn", Translation: mgl64.Vec3{20, 2, 60}, Scale: mgl64.Vec3{8, 5, 8}, Data: document.Object{Asset: "Box"}},
		{Name: "Crate", Translation: mgl64.Vec3{164, 2, 120}, Scale: mgl64.Vec3{3, 3, 3}, Data: document.Object{Asset: "Box"}},
		{Name: "Barrel", Translation: mgl64.Vec3{171, 2, 120}, Scale: mgl64.Vec3{4, 4, 4}, Data: document.Object{Asset: "Box"}},
		{Name: "Tree", Translation: mgl64.Vec3{132, 5, 150}, Scale: mgl64.Vec3{3, 10, 3}, Data: document.Object{Asset: "Box"}},
		{Name: "Left", Translation: mgl64.Vec3{6, 2, 230}, Scale: mgl64.Vec3{4, 4, 4}, Data: document.Object{Asset: "Box"}},
	}
	for i := range list {
		list[i].ID, list[i].Kind = document.ID(i+1), list[i].Data.Kind()
	}
	if l, err = l.WithEntities(list); err != nil {
		t.Fatal(err)
	}
	return l
}

func box(lo, hi mgl64.Vec3) (out []mgl64.Vec3) {
	for i := range 8 {
		p := lo
		for axis := range 3 {
			if i>>axis&1 != 0 {
				p[axis] = hi[axis]
			}
		}
		out = append(out, p)
	}
	return out
}
