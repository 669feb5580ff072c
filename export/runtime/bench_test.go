package runtime_test

import (
	"context"
	"image"
	"os"
	"testing"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/export/glb"
	"ridgeline/export/runtime"
	"ridgeline/occluders/cull"
	"ridgeline/terrain"
)

// large is a level of 1025×1025 samples that shows four layers, and 1000 objects.
func large(b *testing.B) *document.Level {
	b.Helper()
	l := level(b, 1025, 1025, 1000)
	l.Layers = l.Layers[:4]
	d := l.Terrain.Draft()
	cols, rows := l.Terrain.TileGrid()
	for y := range rows {
		for x := range cols {
			s := d.Splats(x, y)
			for i := range s {
				k := uint8((i/16 + x + y) % 3)
				s[i] = terrain.Splat{Base: k, Over: k + 1, Alpha: uint8(i * 37)}
			}
		}
	}
	l.Terrain, _ = d.Field()
	return l
}

// BenchmarkOpen opens a large level: its structure, visibility and heights.
func BenchmarkOpen(b *testing.B) {
	l := large(b)
	for name, path := range map[string]string{"glb": export(b, l, glb.Options{}), "pack": exportPack(b, l, glb.Options{})} {
		b.Run(name, func(b *testing.B) {
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				l, err := runtime.Open(context.Background(), path)
				if err != nil {
					b.Fatal(err)
				}
				l.Close()
			}
		})
	}
}

// BenchmarkLoad opens a large level and reads all that is in it.
func BenchmarkLoad(b *testing.B) {
	path := export(b, large(b), glb.Options{})
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		l, err := runtime.Open(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		for i, m := range l.Meshes {
			for k := range m.Primitives {
				if _, err := l.Geometry(i, k); err != nil {
					b.Fatal(err)
				}
			}
		}
		for i := range l.Pictures {
			if _, err := l.Decode(i); err != nil {
				b.Fatal(err)
			}
		}
		l.Close()
	}
}

// BenchmarkCull culls a large level for one view after another: in the editor, and in a
// game, which also chooses levels of detail.
func BenchmarkCull(b *testing.B) {
	l := large(b)
	list := views(l, 64)
	for i := range list {
		list[i].Size = image.Pt(1280, 720)
	}
	b.Run("editor", func(b *testing.B) {
		s := scene.New(library{scene.NewModel(cube())})
		s.Update(l, nil)
		s.Complete()
		var c cull.Culler
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			v := &list[i%len(list)]
			view := cull.ViewOf(v.Eye, v.ViewProj)
			view.Slack = view.PixelSlack(runtime.DefaultMaxError+1.0/64, v.Size.Y)
			s.Cull(&c, view, v.Size, cull.All)
			i++
		}
	})
	b.Run("game", func(b *testing.B) {
		game, err := runtime.Open(context.Background(), export(b, l, glb.Options{}))
		if err != nil {
			b.Fatal(err)
		}
		defer game.Close()
		c := game.Culler()
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			c.Run(list[i%len(list)])
			i++
		}
	})
}
