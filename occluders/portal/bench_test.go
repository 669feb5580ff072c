package portal

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// grid is n×n rooms with up to two openings in each wall, the outer ones too.
func grid(n int, doors float64) *world {
	return newWorld(random(5), plan{nx: n, ny: 1, nz: n, doors: doors, place: place{turn: mgl64.Ident3()}})
}

// doors is n×n rooms of 5 m with a door of 1 m by 2 m in each wall between two.
func doors(n int) *world {
	w := &world{place: place{turn: mgl64.Ident3()}, count: n * n}
	r := random(11)
	for i := range n * n {
		x, z := float64(i%n)*5, float64(i/n)*5
		w.rooms = append(w.rooms, geom.Box{Min: Vec3{x, 0, z}, Max: Vec3{x + 5, 3, z + 5}})
		w.cell = append(w.cell, i)
		at := 0.5 + 3*r.Float64()
		if i%n < n-1 {
			w.openings = append(w.openings, opening{Portal: Portal{From: i, To: i + 1,
				Polygon: []Vec3{{x + 5, 0, z + at}, {x + 5, 0, z + at + 1}, {x + 5, 2, z + at + 1}, {x + 5, 2, z + at}}}})
		}
		if i/n < n-1 {
			w.openings = append(w.openings, opening{Portal: Portal{From: i, To: i + n,
				Polygon: []Vec3{{x + at, 0, z + 5}, {x + at, 2, z + 5}, {x + at + 1, 2, z + 5}, {x + at + 1, 0, z + 5}}}})
		}
	}
	w.build()
	return w
}

// around is views from the middles of rooms, around them.
func (w *world) around(count int) []*camera {
	r := random(3)
	var out []*camera
	for i := range count {
		s, c := math.Sincos(float64(i))
		eye := w.rooms[r.IntN(len(w.rooms))].Center()
		out = append(out, w.camera(eye, Vec3{c, 0.05, s}, mgl64.Perspective(1.2, 1.6, 0.1, 500), 0.1, false))
	}
	return out
}

// BenchmarkTrace looks around in 100 rooms; one op is one view.
func BenchmarkTrace(b *testing.B) {
	for _, w := range []*world{doors(10), grid(10, 0.5), grid(10, 1)} {
		views := w.around(64)
		b.Run(fmt.Sprintf("rooms=100/portals=%d", w.graph.Portals()), func(b *testing.B) {
			var t Tracer
			b.ReportAllocs()
			i, windows, steps := 0, 0, 0
			for b.Loop() {
				t.Trace(w.graph, &views[i%len(views)].View)
				windows += len(t.nodes)
				steps += t.steps
				i++
			}
			b.ReportMetric(float64(windows)/float64(i), "windows/op")
			b.ReportMetric(float64(steps)/float64(i), "looks/op")
		})
	}
}

// BenchmarkAppendWindows also hands the windows out.
func BenchmarkAppendWindows(b *testing.B) {
	w := grid(10, 0.5)
	views := w.around(64)
	var t Tracer
	var dst []Window
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		dst = t.AppendWindows(dst[:0], w.graph, &views[i%len(views)].View)
		i++
	}
}

// BenchmarkSees tests one thing.
func BenchmarkSees(b *testing.B) {
	w := grid(10, 0.5)
	var t Tracer
	t.Trace(w.graph, &w.around(1)[0].View)
	r := random(1)
	var boxes []geom.Box
	var cells [][]int32
	for range 1000 {
		p := inBox(r, w.box)
		x := geom.Box{Min: p, Max: p.Add(Vec3{0.5, 1, 0.5})}
		boxes = append(boxes, x)
		cells = append(cells, w.graph.AppendCells(nil, x))
	}
	i := 0
	for b.Loop() {
		t.Sees(cells[i%1000], boxes[i%1000])
		i++
	}
}

// BenchmarkAppendCells finds the cells of one thing among 10 000.
func BenchmarkAppendCells(b *testing.B) {
	w := grid(100, 0.5)
	r := random(1)
	var dst []int32
	b.ReportAllocs()
	for b.Loop() {
		p := inBox(r, w.box)
		dst = w.graph.AppendCells(dst[:0], geom.Box{Min: p, Max: p.Add(Vec3{0.5, 1, 0.5})})
	}
}

// BenchmarkLink finds the cells of one portal among a thousand.
func BenchmarkLink(b *testing.B) {
	w := doors(32)
	cells, polygon := w.cells(), w.portals()[500].Polygon
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := Link(cells, polygon, 1); !ok {
			b.Fatal("it joins nothing")
		}
	}
}
