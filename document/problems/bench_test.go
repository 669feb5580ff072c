package problems_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/problems/problemtest"
)

// BenchmarkFind looks for the problems of large levels.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct {
		name               string
		objects, occluders int
		width              float64 // of the square that they stand in, in metres
		half               float64 // the size of the occluders
		same               bool    // all occluders in one place
	}{
		{"1000 occluders 2000 objects", 2000, 1000, 1000, 1.9, false},
		{"10000 occluders 2000 objects", 2000, 10_000, 2000, 1.9, false},
		{"10000 small occluders 2000 objects", 2000, 10_000, 2000, 0.01, false},
		{"1000 occluders in one place", 2000, 1000, 1000, 1.9, true},
		{"1000 small occluders in one place", 2000, 1000, 1000, 0.01, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			doc := problemtest.Level(b, false)
			r := rand.New(rand.NewPCG(1, 2))
			var list []document.Entity
			at := func() mgl64.Vec3 { return mgl64.Vec3{r.Float64() * c.width, 0, r.Float64() * c.width} }
			for i := range c.objects {
				list = append(list, document.Entity{Translation: at(), Data: document.Object{Asset: []string{"rock", "lamp"}[i%2]}})
			}
			for i := range c.occluders {
				e := document.Entity{Translation: list[2*(i%(c.objects/2))].Translation, Data: document.Occluder{Points: problemtest.Corners(problemtest.Box(-c.half, -c.half, -c.half, c.half, c.half, c.half))}}
				switch {
				case c.same:
					e.Translation = list[0].Translation
				case i >= c.objects/2: // that stand for nothing
					e.Translation = at()
				}
				list = append(list, e)
			}
			problemtest.Put(b, doc, list...)
			s := problemtest.Stage(doc.Level(), problemtest.Models())
			for b.Loop() {
				found, err := problems.Find(context.Background(), s, problems.Options{})
				if err != nil {
					b.Fatal(err)
				}
				n := map[problems.Kind]int{}
				for _, p := range found {
					n[p.Kind]++
				}
				b.ReportMetric(float64(n[problems.Useless]), "useless")
			}
		})
	}
}
