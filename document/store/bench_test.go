package store

import (
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ridgeline/document"
	"ridgeline/terrain"
)

// hills is a level of 4097² samples with rough ground and four painted layers.
func hills(b *testing.B) *document.Level {
	const n = 4097
	f, err := terrain.FromTiles(n, n, 1, func(tx, ty int) terrain.Tile {
		rng := rand.New(rand.NewPCG(uint64(tx), uint64(ty)))
		t := terrain.Tile{Heights: new(terrain.Heights), Splats: new(terrain.Splats), Light: new(terrain.Light), Flags: new(terrain.Flags)}
		for i := range t.Heights {
			x, y := float64(tx*64+i%64), float64(ty*64+i/64)
			h := 300*math.Sin(x/700)*math.Cos(y/500) + 40*math.Sin(x/60+y/90) + 3*math.Sin(x/7)*math.Sin(y/5) + rng.Float64()*0.3
			t.Heights[i] = float32(h)
			t.Splats[i] = terrain.Splat{Base: 0, Over: 1 + uint8(int(x/200)%3), Alpha: uint8(max(0, min(255, h)))}
			l := uint8(128 + 100*math.Sin(x/60+y/90))
			t.Light[i] = terrain.RGB{R: l, G: l, B: l}
		}
		return t
	})
	must(b, err)
	return document.NewLevel(f)
}

// dab raises a round of the given radius.
func dab(at image.Point, radius int) func(*document.Tx) error {
	return func(tx *document.Tx) error {
		d := tx.Level().Terrain.Draft()
		for y := at.Y - radius; y <= at.Y+radius; y++ {
			for x := at.X - radius; x <= at.X+radius; x++ {
				if r := math.Hypot(float64(x-at.X), float64(y-at.Y)) / float64(radius); r < 1 {
					d.Heights(x/64, y/64)[y%64*64+x%64] += float32(1 - r*r)
				}
			}
		}
		f, _ := d.Field()
		return tx.SetTerrain(f)
	}
}

func BenchmarkLevel4097(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.ridge")
	level := hills(b)
	saved, stats, err := Save(background, path, level, nil, nil)
	must(b, err)
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			_, _, err := Open(background, path, Options{})
			must(b, err)
		}
		b.ReportMetric(float64(stats.Bytes)/1e6, "MB-on-disk")
	})
	b.Run("SaveAll", func(b *testing.B) {
		for b.Loop() {
			other := filepath.Join(b.TempDir(), "b.ridge")
			_, s, err := Save(background, other, level, nil, nil)
			must(b, err)
			b.ReportMetric(float64(s.Bytes)/1e6, "MB-written")
			b.ReportMetric(float64(s.Regions), "regions")
			must(b, os.RemoveAll(Folder(other)))
		}
	})
	// The machine's own limit: the same bytes in one file.
	b.Run("SaveAll/PlainWrite", func(b *testing.B) {
		data := make([]byte, stats.Bytes)
		for b.Loop() {
			must(b, replace(filepath.Join(b.TempDir(), "plain"), data, 0o666))
		}
	})
	d := document.New(level, document.Options{})
	b.Run("SaveAfterStroke", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			must(b, d.Do("dab", dab(image.Pt(2000, 1500), 128)))
			b.StartTimer()
			next, s, err := Save(background, path, d.Level(), saved, nil)
			must(b, err)
			saved = next
			b.ReportMetric(float64(s.Bytes)/1e3, "kB-written")
			b.ReportMetric(float64(s.Regions), "regions")
		}
	})
	b.Run("Undo", func(b *testing.B) {
		for _, radius := range []int{8, 128, 512} {
			b.Run(map[int]string{8: "r8", 128: "r128", 512: "r512"}[radius], func(b *testing.B) {
				must(b, d.Do("dab", dab(image.Pt(2000, 1500), radius)))
				for i := 0; b.Loop(); i++ {
					if i%2 == 0 {
						d.Undo()
					} else {
						d.Redo()
					}
				}
				b.ReportMetric(float64(d.HistoryBytes())/float64(len(d.History()))/1e3, "kB-a-step")
			})
		}
	})
}

func BenchmarkManifest100kEntities(b *testing.B) {
	l := flat(b, 2, 2)
	list := make([]document.Entity, 100_000)
	for i := range list {
		list[i] = document.Entity{ID: document.ID(i + 1), Kind: document.KindObject, Name: "tree", Data: document.Object{Asset: "Tree"}}
		list[i].Translation[0] = float64(i) * 1.37
	}
	l, err := l.WithEntities(list)
	must(b, err)
	data, err := encodeManifest(l, nil, nil)
	must(b, err)
	b.Run("Encode", func(b *testing.B) {
		for b.Loop() {
			_, err := encodeManifest(l, nil, nil)
			must(b, err)
		}
		b.ReportMetric(float64(len(data))/1e6, "MB")
	})
	b.Run("Parse", func(b *testing.B) {
		for b.Loop() {
			if _, problems := parseManifest(data); len(problems) > 0 {
				b.Fatal(problems)
			}
		}
	})
}
