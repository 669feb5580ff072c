package hull

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ridgeline/occluders/geom"
)

// benchPoints are those on which other programs are measured, where RIDGELINE_PEERS
// names the folder of their data, or else points of the same kind.
func benchPoints(tb testing.TB, shape string, n int) []geom.Vec3 {
	points := make([]geom.Vec3, n)
	if folder := os.Getenv("RIDGELINE_PEERS"); folder != "" {
		data, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("pts_%s_%d.f64", shape, n)))
		if err != nil {
			tb.Fatal(err)
		}
		for i := range points {
			for k := range 3 {
				points[i][k] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*(3*i+k):]))
			}
		}
		return points
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range points {
		points[i] = shapes(shape, r, i, n)
	}
	return points
}

func BenchmarkOf(b *testing.B) {
	for _, shape := range []string{"ball", "sphere"} {
		for _, n := range []int{1000, 10000, 100000} {
			b.Run(fmt.Sprintf("%s%d", shape, n), func(b *testing.B) {
				points := benchPoints(b, shape, n)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Of(points); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkOfGrid(b *testing.B) {
	for _, n := range []int{10, 22, 46} {
		b.Run(fmt.Sprint(n*n*n), func(b *testing.B) {
			var points []geom.Vec3
			for i := range n * n * n {
				points = append(points, geom.Vec3{float64(i % n), float64(i / n % n), float64(i / n / n)})
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Of(points); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOfBox(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := OfBox(geom.Box{Min: geom.Vec3{1, 2, 3}, Max: geom.Vec3{4, 5, 7}}); err != nil {
			b.Fatal(err)
		}
	}
}
