package nodetree

import (
	"encoding/binary"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// The benchmarks run over the meshes on which other programs are measured, where
// RIDGELINE_PEERS names the folder of their data, and over real ground: SRTM heights
// of Andorra and around, mirrored to the size of the other.

// ground is a mesh of 513×513 heights, 524 288 triangles, a metre apart and up to a
// quarter of its width high.
type ground struct {
	name      string
	positions []mgl32.Vec3
	indices   []uint32
}

const groundSide = 513

// grounds are the meshes at hand.
func grounds(b *testing.B) (all []ground) {
	f, err := os.Open("../../testdata/n42e001_257_16bit.png")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		b.Fatal(err)
	}
	grey := picture.(*image.Gray16)
	all = append(all, groundOf("srtm", func(x, z int) uint16 {
		mirror := func(i int) int { return min(i, groundSide-1-i) }
		return grey.Gray16At(mirror(x), mirror(z)).Y
	}))
	folder := os.Getenv("RIDGELINE_PEERS")
	if folder == "" {
		return all
	}
	data, err := os.ReadFile(filepath.Join(folder, "h513.r16"))
	if err != nil {
		b.Fatal(err)
	}
	return append(all, groundOf("peers", func(x, z int) uint16 {
		return binary.LittleEndian.Uint16(data[2*(z*groundSide+x):])
	}))
}

func groundOf(name string, height func(x, z int) uint16) ground {
	low, high := uint16(math.MaxUint16), uint16(0)
	for i := range groundSide * groundSide {
		h := height(i%groundSide, i/groundSide)
		low, high = min(low, h), max(high, h)
	}
	if name == "peers" { // their mesh takes the range of the numbers, not of the heights
		low, high = 0, math.MaxUint16
	}
	g := ground{name: name, indices: gridIndices(groundSide)}
	scale := 0.25 * float32(groundSide-1) / float32(high-low)
	for i := range groundSide * groundSide {
		x, z := i%groundSide, i/groundSide
		g.positions = append(g.positions, mgl32.Vec3{float32(x), float32(height(x, z)-low) * scale, float32(z)})
	}
	return g
}

// randomRays come from above the ground and go to points at a middle height.
func randomRays(count int) []geom.Ray {
	s, size := random(99), float32(groundSide-1)
	rays := make([]geom.Ray, count)
	for i := range rays {
		ox, oz, tx, tz := s.float()*size, s.float()*size, s.float()*size, s.float()*size
		o := geom.Vec3{float64(ox), float64(size) * 0.375, float64(oz)}
		d := geom.Vec3{float64(tx), float64(size) * 0.125, float64(tz)}.Sub(o)
		rays[i] = geom.Ray{Origin: o, Dir: d.Normalize()}
	}
	return rays
}

// cameraRays are those of a picture of 1280×720 points, row by row.
func cameraRays() (rays []geom.Ray) {
	size := float64(groundSide - 1)
	eye := geom.Vec3{size * .5, size * .25, -size * .05}
	f := geom.Vec3{0, -.35, 1}.Normalize()
	up := geom.Vec3{0, f[2], -f[1]}
	th, aspect := math.Tan(math.Pi/6), 1280.0/720
	for y := range 720 {
		for x := range 1280 {
			u := (2*(float64(x)+.5)/1280 - 1) * th * aspect
			w := (1 - 2*(float64(y)+.5)/720) * th
			rays = append(rays, geom.Ray{Origin: eye, Dir: geom.Vec3{u, f[1] + up[1]*w, f[2] + up[2]*w}.Normalize()})
		}
	}
	return rays
}

// cameraFrustum is what that camera sees.
func cameraFrustum() geom.Frustum {
	size := float64(groundSide - 1)
	proj := mgl64.Perspective(math.Pi/3, 1280.0/720, size/500, 3*size)
	return geom.FrustumOf(geom.Vec3{size * .5, size * .25, -size * .05}, proj.Mul4(mgl64.LookAtV(geom.Vec3{}, geom.Vec3{0, -.35, 1}, geom.Vec3{0, 1, 0})))
}

func BenchmarkBuildTriangles(b *testing.B) {
	for _, g := range grounds(b) {
		for _, o := range []struct {
			name string
			Options
		}{{"quad256", Options{}}, {"quad8", Options{MinSize: 8}}, {"oct8", Options{Split: Oct, MinSize: 8}}} {
			b.Run(g.name+"/"+o.name, func(b *testing.B) {
				var t *Triangles
				for b.Loop() {
					t = BuildTriangles(g.positions, g.indices, o.Options)
				}
				s := t.Stats()
				b.ReportMetric(float64(s.Nodes), "nodes")
				b.ReportMetric(float64(s.Listings), "listings")
				b.ReportMetric(float64(s.Bytes)/float64(s.Items), "B/triangle")
			})
		}
	}
}

func BenchmarkRays(b *testing.B) {
	for _, g := range grounds(b) {
		t := BuildTriangles(g.positions, g.indices, Options{})
		for _, k := range []struct {
			name string
			rays []geom.Ray
		}{{"random", randomRays(1000000)}, {"camera", cameraRays()}} {
			b.Run(g.name+"/"+k.name, func(b *testing.B) {
				hits, sum := 0, 0.0
				for b.Loop() {
					hits, sum = 0, 0
					for i := range k.rays {
						if h, ok := t.Nearest(k.rays[i], math.Inf(1), nil); ok {
							hits++
							sum += h.T
						}
					}
				}
				b.ReportMetric(float64(b.N)*float64(len(k.rays))/b.Elapsed().Seconds()/1e6, "Mrays/s")
				b.ReportMetric(float64(hits), "hits")
				b.ReportMetric(sum/float64(hits), "mean_t")
			})
		}
	}
}

func BenchmarkVisibleTriangles(b *testing.B) {
	f := cameraFrustum()
	for _, g := range grounds(b) {
		for _, o := range []struct {
			name string
			Options
		}{{"quad32", Options{MinSize: 32}}, {"oct32", Options{Split: Oct, MinSize: 32}}} {
			t := BuildTriangles(g.positions, g.indices, o.Options)
			b.Run(g.name+"/"+o.name, func(b *testing.B) {
				var dst []int32
				for b.Loop() {
					dst = t.AppendVisible(dst[:0], &f)
				}
				b.ReportMetric(float64(len(dst)), "visible")
			})
		}
	}
}

func BenchmarkOverlappingTriangles(b *testing.B) {
	for _, g := range grounds(b) {
		t := BuildTriangles(g.positions, g.indices, Options{})
		b.Run(g.name, func(b *testing.B) {
			var dst []int32
			i := 0
			for b.Loop() {
				p := g.positions[i*7919%len(g.positions)]
				i++
				c := geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
				dst = t.AppendOverlapping(dst[:0], geom.Box{Min: c.Sub(geom.Vec3{.4, .9, .4}), Max: c.Add(geom.Vec3{.4, .9, .4})})
			}
			b.ReportMetric(float64(len(dst)), "found")
		})
	}
}

// objects are boxes as large as trees and houses in a square of 4 km.
func objects(n int) []geom.Box {
	s := random(1)
	boxes := make([]geom.Box, n)
	for i := range boxes {
		p := geom.Vec3{float64(s.float()) * 4000, float64(s.float()) * 100, float64(s.float()) * 4000}
		boxes[i] = geom.BoxOf(p, p.Add(geom.Vec3{2 + 20*float64(s.float()), 3 + 20*float64(s.float()), 2 + 20*float64(s.float())}))
	}
	return boxes
}

func BenchmarkObjects(b *testing.B) {
	boxes := objects(10000)
	proj := mgl64.Perspective(math.Pi/3, 1280.0/720, 1, 1500)
	f := geom.FrustumOf(geom.Vec3{2000, 60, 2000}, proj.Mul4(mgl64.LookAtV(geom.Vec3{}, geom.Vec3{1, -0.1, 0.4}, geom.Vec3{0, 1, 0})))
	for _, split := range []struct {
		name string
		Options
	}{{"quad", Options{}}, {"oct", Options{Split: Oct}}} {
		b.Run(split.name+"/build", func(b *testing.B) {
			var t *Tree
			for b.Loop() {
				t = Build(boxes, split.Options)
			}
			s := t.Stats()
			b.ReportMetric(float64(s.Nodes), "nodes")
			b.ReportMetric(float64(s.Listings), "listings")
			b.ReportMetric(float64(s.Bytes)/float64(s.Items), "B/item")
		})
		t := Build(boxes, split.Options)
		b.Run(split.name+"/visible", func(b *testing.B) {
			var dst []int32
			for b.Loop() {
				dst = t.AppendVisible(dst[:0], &f)
			}
			b.ReportMetric(float64(len(dst)), "visible")
		})
		b.Run(split.name+"/overlapping", func(b *testing.B) {
			var dst []int32
			i := 0
			for b.Loop() {
				dst = t.AppendOverlapping(dst[:0], boxes[i%len(boxes)])
				i++
			}
		})
		b.Run(split.name+"/nearest box", func(b *testing.B) {
			rays := randomRays(1000)
			i := 0
			for b.Loop() {
				r := rays[i%len(rays)]
				i++
				r.Origin = r.Origin.Mul(4000.0 / 512)
				t.Walk(r, 1e9, func(_ int, enter float64) float64 { return enter })
			}
		})
		b.Run(split.name+"/move", func(b *testing.B) {
			i := 0
			for b.Loop() {
				t.Move(i%len(boxes), boxes[i*7%len(boxes)].Translate(geom.Vec3{3, 0, 5}))
				i++
			}
		})
	}
	b.Run("one by one/visible", func(b *testing.B) {
		var dst []int32
		for b.Loop() {
			dst = dst[:0]
			for i := range boxes {
				if f.Box(boxes[i]) != geom.Outside {
					dst = append(dst, int32(i))
				}
			}
		}
		b.ReportMetric(float64(len(dst)), "visible")
	})
}
