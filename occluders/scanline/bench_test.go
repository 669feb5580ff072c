package scanline

import (
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// peerBoxes reads boxes of the peers' inputs, where these are.
func peerBoxes(tb testing.TB, name string) []geom.Box {
	dir := os.Getenv("RIDGELINE_PEERS")
	if dir == "" {
		tb.Skip("RIDGELINE_PEERS names no folder")
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		tb.Fatal(err)
	}
	var boxes []geom.Box
	for ; len(data) >= 24; data = data[24:] {
		var f [6]float64
		for i := range f {
			f[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
		boxes = append(boxes, geom.Box{Min: vec3{f[0], f[1], f[2]}, Max: vec3{f[3], f[4], f[5]}})
	}
	return boxes
}

func peerHulls(tb testing.TB, count int) (hulls []*hull.Hull) {
	for _, box := range peerBoxes(tb, fmt.Sprintf("occ_boxes_%d.f32", count)) {
		hulls = append(hulls, boxHull(box))
	}
	return hulls
}

// peerBegin begins the peers' view.
func peerBegin(b *Buffer) {
	proj := mgl64.Perspective(mgl64.DegToRad(60), 1280.0/720, 0.1, 1000)
	b.Begin(vec3{0, 3, 0}, proj, image.Pt(1280, 720), 0.1)
}

var peerCases = []struct{ hulls, boxes int }{{32, 10000}, {128, 1000}, {128, 10000}, {512, 10000}}

// BenchmarkPeers builds and tests. Intel's masked occlusion culling, AVX2, takes 309,
// 88, 446 and 583 µs and hides 69–71 % in the last case.
func BenchmarkPeers(bench *testing.B) {
	for _, c := range peerCases {
		hulls := peerHulls(bench, c.hulls)
		boxes := peerBoxes(bench, "occ_tests_10000.f32")[:c.boxes]
		bench.Run(fmt.Sprintf("all/%d+%d", c.hulls, c.boxes), func(bench *testing.B) {
			var b Buffer
			var hidden []bool
			bench.ReportAllocs()
			for bench.Loop() {
				peerBuild(&b, hulls)
				hidden = b.AppendHidden(hidden[:0], boxes)
			}
			report(bench, &b, hidden)
		})
		bench.Run(fmt.Sprintf("build/%d+%d", c.hulls, c.boxes), func(bench *testing.B) {
			var b Buffer
			for bench.Loop() {
				peerBuild(&b, hulls)
			}
		})
		bench.Run(fmt.Sprintf("scalar/%d+%d", c.hulls, c.boxes), func(bench *testing.B) {
			var b Buffer
			var hidden []bool
			peerBuild(&b, hulls)
			for bench.Loop() {
				hidden = b.appendScalar(hidden[:0], boxes)
			}
			report(bench, &b, hidden)
		})
	}
}

func peerBuild(b *Buffer, hulls []*hull.Hull) {
	peerBegin(b)
	for i, h := range hulls {
		b.Add(int32(i), h)
	}
	b.End()
}

func report(bench *testing.B, b *Buffer, hidden []bool) {
	n := 0
	for _, h := range hidden {
		if h {
			n++
		}
	}
	bench.ReportMetric(100*float64(n)/float64(len(hidden)), "%hidden")
	bench.ReportMetric(float64(b.stats.Spans), "spans")
}
