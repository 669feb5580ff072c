package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/geom"
)

// crowd is a level of n objects of 100 meshes over 2 km, on a grid that is shaken.
func crowd(b *testing.B, n int) (*document.Document, *shelf) {
	lib := &shelf{models: map[string]*Model{}}
	var assets []document.Asset
	for i := range 100 {
		name := fmt.Sprintf("m%02d", i)
		lib.models[name] = soup(200, 3, uint64(i+1))
		assets = append(assets, document.Asset{Name: name, File: fmt.Sprintf("asset:%032x.glb", i)})
	}
	doc := world(b, 0)
	err := doc.Do("crowd", func(tx *document.Tx) error {
		if err := tx.SetAssets(assets); err != nil {
			return err
		}
		side := int(math.Ceil(math.Sqrt(float64(n))))
		for i := range n {
			x, z := float64(i%side), float64(i/side)
			err := tx.Put(document.Entity{
				ID: tx.NewID(), Kind: document.KindObject, Data: document.Object{Asset: assets[i*7%100].Name},
				Translation: mgl64.Vec3{x*20 + 3*math.Sin(z), 0, z*20 + 3*math.Cos(x)}, Rotation: mgl64.QuatRotate(x+z, mgl64.Vec3{0, 1, 0}),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return doc, lib
}

// over looks over the crowd from one corner, so that about a third is in sight.
func over() geom.Frustum {
	eye := mgl64.Vec3{-100, 120, -100}
	vp := mgl64.Perspective(1, 16.0/9, 1, 5000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{1, -0.1, 1}, mgl64.Vec3{0, 1, 0}))
	return geom.FrustumOf(eye, vp)
}

func BenchmarkRebuild10k(b *testing.B) {
	doc, lib := crowd(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		New(lib).Update(doc.Level(), nil)
	}
}

func BenchmarkVisible10k(b *testing.B) {
	doc, lib := crowd(b, 10_000)
	s := New(lib)
	s.Update(doc.Level(), nil)
	f := over()
	var v Visible
	b.ReportAllocs()
	for b.Loop() {
		s.Visible(&v, &f)
	}
	b.ReportMetric(float64(len(v.Items)), "items")
}

func BenchmarkMoveOneOf10k(b *testing.B) {
	doc, lib := crowd(b, 10_000)
	s := New(lib)
	s.Update(doc.Level(), nil)
	doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
	n := 0.0
	b.ReportAllocs()
	for b.Loop() {
		n++
		must(b, doc.Do("move", func(tx *document.Tx) error {
			e, _ := tx.Level().Entity(5000)
			c := e.Clone()
			c.Translation[0] = math.Mod(n, 100)
			return tx.Put(c)
		}))
	}
}

// A scatter so dense that all of it is in one node of the tree is sown and undone.
func BenchmarkUndoScatter(b *testing.B) {
	for _, n := range []int{2_000, 11_406, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			doc, lib := crowd(b, 400)
			s := New(lib)
			s.Update(doc.Level(), nil)
			doc.Subscribe(func(l *document.Level, c document.Change) { s.Update(l, &c) })
			side := int(math.Ceil(math.Sqrt(float64(n))))
			sc := document.Scatter{Assets: []string{"m01"}}
			for i := range n {
				sc.Points = append(sc.Points, document.ScatterPoint{Position: mgl64.Vec3{float64(i%side) / float64(side), 0, float64(i/side) / float64(side)}.Mul(100), Scale: 1})
			}
			b.ReportAllocs()
			for b.Loop() {
				must(b, doc.Do("scatter", func(tx *document.Tx) error {
					return tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindScatter, Data: sc})
				}))
				if _, ok := doc.Undo(); !ok {
					b.Fatal("nothing to undo")
				}
			}
		})
	}
}

func BenchmarkPick10k(b *testing.B) {
	doc, lib := crowd(b, 10_000)
	s := New(lib)
	s.Update(doc.Level(), nil)
	n, hits := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		x, z := float64(n*37%2000), float64(n*91%2000)
		if _, ok := s.Pick(geom.Ray{Origin: mgl64.Vec3{-100, 120, -100}, Dir: mgl64.Vec3{x + 100, -120, z + 100}}, nil); ok {
			hits++
		}
	}
	b.ReportMetric(float64(hits)/float64(n), "hits/ray")
}

// Finding what is in sight and picking take no memory once warm.
func TestQueriesDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector lets pools forget")
	}
	doc := world(t, 0)
	for i := range 50 {
		must(t, doc.Do("place", func(tx *document.Tx) error {
			return tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindObject, Translation: mgl64.Vec3{float64(i * 8), 10, 100}, Data: document.Object{Asset: "rock", Geometry: i%3 == 0}})
		}))
	}
	s := New(newShelf())
	s.Update(doc.Level(), nil)
	eye := mgl64.Vec3{200, 60, -50}
	f := geom.FrustumOf(eye, mgl64.Perspective(1, 1.6, 1, 1000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -0.3, 1}, mgl64.Vec3{0, 1, 0})))
	var v Visible
	if n := testing.AllocsPerRun(20, func() { s.Visible(&v, &f) }); n != 0 || len(v.Items) == 0 {
		t.Errorf("finding %d items takes %g allocations", len(v.Items), n)
	}
	r := geom.Ray{Origin: eye, Dir: mgl64.Vec3{0.1, -45, 150}}
	if n := testing.AllocsPerRun(20, func() { s.Pick(r, nil) }); n > 3 {
		t.Errorf("picking takes %g allocations", n)
	}
}
