package cull_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// peerBoxes reads boxes of the peers' inputs, where these are.
func peerBoxes(tb testing.TB, name string) (boxes []geom.Box) {
	dir := os.Getenv("RIDGELINE_PEERS")
	if dir == "" {
		tb.Skip("RIDGELINE_PEERS names no folder")
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		tb.Fatal(err)
	}
	for ; len(data) >= 24; data = data[24:] {
		var f [6]float64
		for i := range f {
			f[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
		boxes = append(boxes, geom.Box{Min: geom.Vec3{f[0], f[1], f[2]}, Max: geom.Vec3{f[3], f[4], f[5]}})
	}
	return boxes
}

// peerScene is the peers' scene: 10 000 boxes and some occluders.
func peerScene(tb testing.TB, occluders int) *cull.Scene {
	s := &cull.Scene{Tree: nodetree.Build(peerBoxes(tb, "occ_tests_10000.f32"), nodetree.Options{Split: nodetree.Oct})}
	for _, b := range peerBoxes(tb, fmt.Sprintf("occ_boxes_%d.f32", occluders)) {
		s.Occluders = append(s.Occluders, cull.Shape{Hull: hullOf(tb, b)})
	}
	return s
}

// BenchmarkPipeline runs all tests on the peers' 10 000 boxes at 1280×720. Intel's
// masked occlusion culling, AVX2, takes 309, 446 and 583 µs for the occluders alone.
func BenchmarkPipeline(bench *testing.B) {
	v := cull.ViewOf(geom.Vec3{0, 3, 0}, mgl64.Perspective(mgl64.DegToRad(60), 1280.0/720, 0.1, 1000))
	for _, n := range []int{32, 128, 512} {
		s := peerScene(bench, n)
		for _, c := range []struct {
			name  string
			tests cull.Tests
		}{{"all", cull.All}, {"occluder", cull.Only(cull.Occluder)}} {
			bench.Run(fmt.Sprintf("%s/%d", c.name, n), func(bench *testing.B) {
				var culler cull.Culler
				r := culler.Run(s, v, size, c.tests)
				bench.ReportAllocs()
				for bench.Loop() {
					r = culler.Run(s, v, size, c.tests)
				}
				bench.ReportMetric(100*float64(r.Stats[cull.Occluder].Removed)/float64(max(r.Stats[cull.Occluder].Tried, 1)), "%hidden")
				bench.ReportMetric(float64(len(r.Drawn)), "drawn")
			})
		}
	}
}

// BenchmarkHouse runs all tests on a house of many rooms, from all over it.
func BenchmarkHouse(bench *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	w := culltest.NewWorld()
	p := culltest.Plan{Kind: culltest.Grid, Doors: 0.8, Out: 0.3, Floors: 4}
	if err := w.AddRooms(culltest.NewRooms(r, p), mgl64.Ident4()); err != nil {
		bench.Fatal(err)
	}
	for range 5000 {
		c := w.Cells[r.IntN(len(w.Cells))]
		at := culltest.Inside(r, c[0].Vertices)
		w.AddBox(cube(at, 0.2))
	}
	s, _, err := w.Scene()
	if err != nil {
		bench.Fatal(err)
	}
	var views []cull.View
	for range 64 {
		views = append(views, look(culltest.Inside(r, w.Cells[r.IntN(len(w.Cells))][0].Vertices), geom.Vec3{r.NormFloat64(), 0, r.NormFloat64()}))
	}
	var culler cull.Culler
	removed, tried, i := 0, 0, 0
	bench.ReportAllocs()
	for bench.Loop() {
		rep := culler.Run(s, views[i%len(views)], size, cull.All)
		removed, tried = removed+rep.Stats[cull.Portal].Removed, tried+rep.Stats[cull.Portal].Tried
		i++
	}
	bench.ReportMetric(100*float64(removed)/float64(tried), "%removed")
}

// After some frames of all kinds nothing takes memory, whatever the view.
func TestRandomViewsTakeNoMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	r := rand.New(rand.NewPCG(8, 8))
	for kind := range culltest.NumKinds {
		w, err := culltest.New(r, kind)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := w.Scene()
		if err != nil {
			t.Fatal(err)
		}
		var cameras []*culltest.Camera
		for range 30 {
			cameras = append(cameras, w.RandomCamera(r, culltest.RandomLens(r)))
		}
		var c cull.Culler
		all := func() {
			for _, k := range cameras {
				c.Run(s, k.View, k.Size, cull.All)
			}
		}
		all()
		all()
		if n := testing.AllocsPerRun(3, all); n > 0 {
			t.Errorf("%v: %g allocations in %d views", kind, n, len(cameras))
		}
	}
}
