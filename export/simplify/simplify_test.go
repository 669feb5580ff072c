package simplify

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// grid is a height field as a mesh, as the peers make it.
func grid(n int, height func(x, z int) float64) Mesh {
	var m Mesh
	for z := range n {
		for x := range n {
			m.Positions = append(m.Positions, mgl32.Vec3{float32(x), float32(height(x, z)), float32(z)})
		}
	}
	for z := range n - 1 {
		for x := range n - 1 {
			a := uint32(z*n + x)
			b, c := a+1, a+uint32(n)
			m.Indices = append(m.Indices, a, c, b, b, c, c+1)
		}
	}
	return m
}

// peerGrid reads a terrain of the peers' inputs, where these are.
func peerGrid(tb testing.TB, n int) Mesh {
	data := peerFile(tb, fmt.Sprintf("h%d.r16", n))
	return grid(n, func(x, z int) float64 {
		return float64(binary.LittleEndian.Uint16(data[2*(z*n+x):])) / 65535 * 0.25 * float64(n-1)
	})
}

func peerFile(tb testing.TB, name string) []byte {
	dir := os.Getenv("RIDGELINE_PEERS")
	if dir == "" {
		tb.Skip("RIDGELINE_PEERS names no folder")
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func peerBlob(tb testing.TB) (m Mesh) {
	pos, idx := peerFile(tb, "blob.pos"), peerFile(tb, "blob.idx")
	for ; len(pos) >= 12; pos = pos[12:] {
		var p mgl32.Vec3
		for a := range p {
			p[a] = math.Float32frombits(binary.LittleEndian.Uint32(pos[4*a:]))
		}
		m.Positions = append(m.Positions, p)
	}
	for ; len(idx) >= 4; idx = idx[4:] {
		m.Indices = append(m.Indices, binary.LittleEndian.Uint32(idx))
	}
	return m
}

// upright measures the vertical distance of a terrain from a level of it at its samples.
func upright(m *Mesh, r *Result) (rms, worst float64) {
	sum, count := 0.0, 0
	n := int(math.Sqrt(float64(len(m.Positions))))
	seen := make([]bool, len(m.Positions))
	for t := 0; t < len(r.Indices); t += 3 {
		a, b, c := m.Positions[r.Indices[t]], m.Positions[r.Indices[t+1]], m.Positions[r.Indices[t+2]]
		area := float64(b[0]-a[0])*float64(c[2]-a[2]) - float64(c[0]-a[0])*float64(b[2]-a[2])
		if area == 0 {
			continue
		}
		for z := int(min(a[2], b[2], c[2])); z <= int(max(a[2], b[2], c[2])); z++ {
			for x := int(min(a[0], b[0], c[0])); x <= int(max(a[0], b[0], c[0])); x++ {
				dx, dz := float64(x)-float64(a[0]), float64(z)-float64(a[2])
				u := (dx*float64(c[2]-a[2]) - float64(c[0]-a[0])*dz) / area
				v := (float64(b[0]-a[0])*dz - dx*float64(b[2]-a[2])) / area
				if u < -1e-9 || v < -1e-9 || u+v > 1+1e-9 || seen[z*n+x] {
					continue
				}
				seen[z*n+x] = true
				y := float64(a[1]) + u*float64(b[1]-a[1]) + v*float64(c[1]-a[1])
				d := math.Abs(y - float64(m.Positions[z*n+x][1]))
				sum += d * d
				count++
				worst = max(worst, d)
			}
		}
	}
	return math.Sqrt(sum / float64(count)), worst
}

func collapsed(tb testing.TB, m Mesh, o Options) *Sequence {
	tb.Helper()
	s, err := Collapse(context.Background(), m, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkTerrain: meshoptimizer takes 291 ms for 513² to 10 %, rms 0.54 and at most 4.0
// off; three.js 2.0 s for 129² to 10 % of the vertices by Melax's cost, rms 0.66.
func BenchmarkTerrain(b *testing.B) {
	for _, c := range []struct {
		n    int
		cost Cost
		part float64
	}{{129, Melax, 0.1}, {129, Quadric, 0.1}, {513, Quadric, 0.1}, {513, Quadric, 0.01}} {
		m := peerGrid(b, c.n)
		b.Run(fmt.Sprintf("%d/cost %d/%g", c.n, c.cost, c.part), func(b *testing.B) {
			var r Result
			var s *Sequence
			for b.Loop() {
				n := int(c.part * float64(len(m.Indices)/3))
				s = collapsed(b, m, Options{Cost: c.cost, Least: n}) // as others do
				r = s.At(Target{Triangles: n})
			}
			rms, worst := upright(&m, &r)
			b.ReportMetric(rms, "rms")
			b.ReportMetric(worst, "worst")
			b.ReportMetric(r.Error, "said")
			b.ReportMetric(float64(len(r.Indices)/3), "triangles")
		})
	}
}

// BenchmarkBlob: meshoptimizer takes 31 ms to 10 %.
func BenchmarkBlob(b *testing.B) {
	m := peerBlob(b)
	var r Result
	for b.Loop() {
		n := len(m.Indices) / 30
		r = collapsed(b, m, Options{Least: n}).At(Target{Triangles: n})
	}
	worst, rms := hausdorff(m.Positions, m.Indices, r.Indices)
	b.ReportMetric(worst, "worst")
	b.ReportMetric(rms, "rms")
	b.ReportMetric(float64(len(r.Indices)/3), "triangles")
	b.ReportMetric(r.Error, "said")
}
