package glb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
)

// BenchmarkWriteLevel writes 1025×1025 samples of four layers and 1000 objects of 20
// meshes with 2000 triangles and a picture of 512×512 each.
func BenchmarkWriteLevel(b *testing.B) {
	s := testScene(b, 1025, 1025, 2)
	models := map[string]*mesh.Model{}
	for i := range 20 {
		m := plain("a")
		m.Image = 0
		model := testModel(b, 2000, m)
		model.Images[0].Pixels = picture(uint8(i), 512, 512)
		models[fmt.Sprintf("mesh %02d", i)] = model
	}
	r := rand.New(rand.NewPCG(1, 1))
	var list []document.Entity
	for i := range 1000 {
		list = append(list, document.Entity{
			ID: document.ID(i + 1), Kind: document.KindObject, Name: fmt.Sprint("object ", i),
			Translation: mgl64.Vec3{r.Float64() * 2000, 0, r.Float64() * 2000},
			Rotation:    mgl64.QuatRotate(r.Float64(), mgl64.Vec3{0, 1, 0}),
			Data:        document.Object{Asset: fmt.Sprintf("mesh %02d", i%20)},
		})
	}
	s.Level = withThings(b, s.Level, models, list...)
	s.Models = library(models)
	benchmark(b, s)
}

// BenchmarkWritePoints writes a scatter of 100 000 points.
func BenchmarkWritePoints(b *testing.B) {
	models := map[string]*mesh.Model{"a": testModel(b, 12, plain("a"))}
	r := rand.New(rand.NewPCG(1, 1))
	d := document.Scatter{Assets: []string{"a"}}
	for range 100000 {
		d.Points = append(d.Points, document.ScatterPoint{Position: mgl64.Vec3{r.Float64(), r.Float64(), r.Float64()}, Yaw: r.Float64(), Scale: 1 + r.Float64()})
	}
	s := Scene{Models: library(models)}
	s.Level = withThings(b, noTerrain(b), models, document.Entity{ID: 1, Kind: document.KindScatter, Data: d})
	benchmark(b, s)
}

// benchmark also tells the largest heap that was seen while writing, less what was
// there before.
func benchmark(b *testing.B, s Scene) {
	b.ReportAllocs()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	c := &counter{}
	for b.Loop() {
		c.n = 0
		if _, err := Write(context.Background(), c, s, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(c.n)
	b.ReportMetric(float64(max(c.peak, before)-before)/1e6, "peak-MB")
}

// counter counts what is written and watches the heap.
type counter struct {
	n    int64
	peak uint64
}

func (c *counter) Write(p []byte) (int, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.peak = max(c.peak, m.HeapAlloc)
	c.n += int64(len(p))
	return len(p), nil
}
