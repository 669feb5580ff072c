package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// ridges is ground with slopes that are longer than chunks, some of it with holes.
func ridges(r *rand.Rand) *terrain.Field {
	const n = 321
	h := make([]float32, n*n)
	tall, p, q := 20+80*r.Float64(), 0.006+0.02*r.Float64(), 0.01*r.Float64()
	rough, roof := []float64{0, 0.05, 1}[r.IntN(3)], r.IntN(3) > 0
	for z := range n {
		for x := range n {
			u := p*float64(x) + q*float64(z)
			v := math.Sin(u)
			if roof { // of even slopes
				v = math.Abs(math.Mod(u, 4)-2) - 1
			}
			h[z*n+x] = float32(tall*v + rough*r.Float64())
		}
	}
	f, err := terrain.FromHeights(n, n, []float64{1, 4}[r.IntN(2)], h)
	if err != nil {
		panic(err)
	}
	f = f.WithOrigin([]float64{0, 1e5}[r.IntN(2)], 0)
	d := f.Draft()
	for range []int{0, 1, 4, 20}[r.IntN(4)] {
		hole(d, f, r.IntN(n-1), r.IntN(n-1), 1+r.IntN(12), 1+r.IntN(12))
	}
	f, _ = d.Field()
	return f
}

// facesAway reports whether each triangle of a chunk turns its back to an eye.
func (s *skin) facesAway(chunk int, eye geom.Vec3) bool {
	for i := s.begins[chunk]; i < s.begins[chunk+1]; i++ {
		if t := &s.triangles[i]; t.n.Dot(eye.Sub(t.a)) >= 0 {
			return false
		}
	}
	return true
}

// Ground that faces away is removed, most of it, and none of which a point shows, full
// or as it is drawn with the greatest error.
func TestGroundThatFacesAway(t *testing.T) {
	away, removed, shown, past := 0, 0, 0, 0
	fields := 10
	if few() {
		fields = 2
	}
	for seed := range fields {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		f := ridges(r)
		p := &place{World: culltest.NewWorld(), scene: New(newShelf()), field: f}
		p.scene.Update(document.NewLevel(f), nil)
		p.scene.Complete()
		p.chunks = p.scene.cols * p.scene.rows
		for e := range p.scene.tree.Len() {
			p.AddBox(p.scene.tree.Box(e))
		}
		p.snap.Update(f, nil)
		p.full = newSkin(f, wholePatches(f))
		tr := &trial{place: p}
		x, z := f.Origin()
		w, d := f.Extent()
		for view := range 24 {
			tr.maxError = []float64{0, 1, 3, 30}[view%4]
			l := culltest.RandomLens(r)
			l.Ortho, l.Near = false, 0.1
			l.Half = math.Tan([]float64{5, 60, 120}[r.IntN(3)] * math.Pi / 360)
			eye := geom.Vec3{x + w*(1.2*r.Float64()-0.1), 0, z + d*(1.2*r.Float64()-0.1)}
			if y, ok := f.Height(eye[0], eye[2]); ok {
				eye[1] = y + []float64{0.5, 2, 20}[r.IntN(3)]
			}
			c := l.Look(eye, geom.Vec3{x + w/2, 0, z + d/2}.Sub(eye), geom.Vec3{0, 1, 0})
			tr.run(c)
			tr.draw(c)
			shown += len(tr.turned)
			if len(p.scene.Visibility().Scene.Openings) > 0 {
				past += len(tr.turned)
			}
			for _, ground := range []*skin{p.full, &tr.drawn} {
				if err := tr.prove(r, c, ground, 40); err != nil {
					t.Fatalf("field %d, view %d, error %g: %v", seed, view, tr.maxError, err)
				}
			}
			if tr.maxError > 1 || !p.scene.Visibility().Scene.Above(eye) {
				continue
			}
			for i := range p.chunks {
				if cx, cy := i%p.scene.cols, i/p.scene.cols; cx == 0 || cy == 0 || cx == p.scene.cols-1 || cy == p.scene.rows-1 {
					continue // it is not asked where the ground ends
				}
				if p.full.facesAway(i, eye) {
					away++
					if tr.by[1][i] == cull.ByBackface {
						removed++
					}
				}
			}
		}
	}
	t.Logf("%d of %d chunks that face away are removed; %d removed in all, %d of them beside holes", removed, away, shown, past)
	// The slopes of a chunk are bounded as a whole, so that those that bend are kept.
	if shown == 0 || !few() && past == 0 || !few() && (away < 4*fields || float64(removed) < 0.1*float64(away)) {
		t.Errorf("only %d of %d chunks that face away are removed", removed, away)
	}
}
