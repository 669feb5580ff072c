package packer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/export/pack/packer"
)

// large is a level of 1025×1025 samples of three layers, and 1000 objects.
func large(b *testing.B) glb.Scene {
	b.Helper()
	s := scene(b, ground(b, 1025, 1025, 2))
	r := rand.New(rand.NewPCG(1, 1))
	var list []document.Entity
	for i := range 1000 {
		list = append(list, document.Entity{
			ID: document.ID(i + 1), Kind: document.KindObject, Name: fmt.Sprint("object ", i),
			Translation: mgl64.Vec3{r.Float64() * 500, 0, r.Float64() * 500},
			Rotation:    mgl64.QuatRotate(r.Float64(), mgl64.Vec3{0, 1, 0}),
			Data:        document.Object{Asset: "box"},
		})
	}
	var err error
	if s.Level, err = s.Level.WithEntities(list); err != nil {
		b.Fatal(err)
	}
	return s
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

// BenchmarkWrite writes a large level, beside package glb, and tells the largest heap
// that was seen, less what was there before.
func BenchmarkWrite(b *testing.B) {
	s := large(b)
	for _, w := range []struct {
		name  string
		write func(*counter) (glb.Stats, error)
	}{
		{"pack", func(c *counter) (glb.Stats, error) { return packer.Write(context.Background(), c, s, nil) }},
		{"glb", func(c *counter) (glb.Stats, error) { return glb.Write(context.Background(), c, s, nil) }},
	} {
		b.Run(w.name, func(b *testing.B) {
			b.ReportAllocs()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			c := &counter{}
			for b.Loop() {
				c.n = 0
				if _, err := w.write(c); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(c.n)
			b.ReportMetric(float64(max(c.peak, m.HeapAlloc)-m.HeapAlloc)/1e6, "peak-MB")
		})
	}
}

// BenchmarkFile writes a large level to a file and as a folder, and as the limit the same
// bytes at once.
func BenchmarkFile(b *testing.B) {
	s := large(b)
	data := write(b, s)
	dir := b.TempDir()
	b.Run("pack", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			f, err := os.Create(filepath.Join(dir, "a.pack"))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := packer.Write(context.Background(), f, s, nil); err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	})
	b.Run("folder", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := packer.WriteFiles(context.Background(), folder(dir), s, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plain write", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if err := os.WriteFile(filepath.Join(dir, "b.pack"), data, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen opens a large pack, opens and reads it all, holds it against its checksums,
// and as limits reads the plain file and copies it in memory.
func BenchmarkOpen(b *testing.B) {
	data := write(b, large(b))
	path := filepath.Join(b.TempDir(), "a.pack")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	run := func(name string, do func(p *pack.Pack) error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				p, err := pack.Open(path)
				if err == nil {
					err = do(p)
				}
				if err != nil {
					b.Fatal(err)
				}
				p.Close()
			}
		})
	}
	run("open", func(*pack.Pack) error { return nil })
	run("read", func(p *pack.Pack) error {
		for _, f := range p.Index.Files {
			if _, err := p.ReadFile(f.Name); err != nil {
				return err
			}
		}
		return nil
	})
	run("verify", func(p *pack.Pack) error { return p.Verify(context.Background()) })
	b.Run("plain read", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := os.ReadFile(path); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		to := make([]byte, len(data))
		for b.Loop() {
			copy(to, data)
		}
	})
}
