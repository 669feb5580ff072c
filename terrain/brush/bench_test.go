package brush

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ridgeline/terrain"
)

// benchField is 4097² samples, a metre apart.
func benchField(b *testing.B) *terrain.Field {
	const n = 4097
	f, err := terrain.FromTiles(n, n, 1, func(tx, ty int) terrain.Tile {
		t := blank
		t.Heights = new(terrain.Heights)
		for i := range t.Heights {
			x, z := tx*side+i%side, ty*side+i/side
			if x < n && z < n {
				t.Heights[i] = float32(100 * math.Sin(float64(x)/90) * math.Cos(float64(z)/70))
			}
		}
		return t
	})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

var blank = func() terrain.Tile {
	f, err := terrain.Flat(2, 2, 1)
	if err != nil {
		panic(err)
	}
	return f.Tile(0, 0)
}()

func BenchmarkDab(b *testing.B) {
	f := benchField(b)
	for _, radius := range []float64{8, 128, 512} {
		for _, op := range []Op{Raise, Smooth, Flatten, Paint} {
			brush := Brush{Op: op, Radius: radius, Strength: 0.5, Layer: 1}
			begin := func(b *testing.B, d *terrain.Draft, x, z float64) *Stroke {
				s, err := Begin(d, brush, x, z)
				if err != nil {
					b.Fatal(err)
				}
				return s
			}
			name := fmt.Sprintf("radius%g/%v", radius, op)
			// The draft copies every plane under the dab.
			b.Run(name+"/first", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					d := f.Draft()
					x := radius + rand.Float64()*(4096-2*radius)
					b.StartTimer()
					begin(b, d, x, 2000)
				}
			})
			// The planes are the draft's own, but not in the cache.
			b.Run(name+"/steady", func(b *testing.B) {
				d := f.Draft()
				s := begin(b, d, 2048, 2048)
				const n = 64
				var at [n][2]float64
				for i := range at {
					at[i] = [2]float64{radius + rand.Float64()*(4096-2*radius), radius + rand.Float64()*(4096-2*radius)}
					s.dab(at[i][0], at[i][1])
				}
				b.ReportAllocs()
				b.ResetTimer()
				i := 0
				for b.Loop() {
					s.dab(at[i%n][0], at[i%n][1])
					i++
				}
			})
			// A held pointer: the same samples again.
			b.Run(name+"/held", func(b *testing.B) {
				s := begin(b, f.Draft(), 2048.3, 2048.3)
				b.ReportAllocs()
				for b.Loop() {
					s.dab(2048.3, 2048.3)
				}
			})
			// Copying, one dab, and the new field with its pyramid.
			b.Run(name+"/publish", func(b *testing.B) {
				d := f.Draft()
				for b.Loop() {
					b.StopTimer()
					begin(b, d, 2048.3, 2048.3)
					b.StartTimer()
					d.Field()
				}
			})
		}
	}
}
