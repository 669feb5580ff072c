package editor

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/document/store"
	"ridgeline/editor/session"
	sampleVillage "ridgeline/editor/village"
	"ridgeline/occluders/cull"
	"ridgeline/viewport/host"
)

// BenchmarkVillage draws the Village from some of its views, with all tests of
// visibility, without each of them, and with none. A frame is finished when the
// rasteriser is done with it. Beside the mean time of a frame it tells the least, what
// all processors spent on one, which other work on the machine hardly changes, what the
// tests took of it, and how many entries and triangles were drawn.
func BenchmarkVillage(b *testing.B) {
	path := filepath.Join(b.TempDir(), "v.ridge")
	if err := sampleVillage.Save(b.Context(), path); err != nil {
		b.Fatal(err)
	}
	level, _, err := store.Open(b.Context(), path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := session.New(level, session.Options{Temporary: true, Path: path})
	defer s.Close()
	s.LoadTextures()
	s.LoadModels(b.Context())
	size := image.Pt(1280, 720)
	s.Resize(size, 1)
	s.Tick(0)
	s.Scene().Complete()
	device, err := host.NewHeadlessGL()
	if err != nil {
		b.Fatal(err)
	}
	defer device.Close()
	c := &scene{s: s}
	if err := device.Do(c.Init); err != nil {
		b.Fatal(err)
	}
	defer device.Do(func() error { c.Release(); return nil })

	type setting struct {
		name string
		off  cull.Tests
	}
	settings := []setting{{"all", 0}, {"none", cull.All}, {"frustum-only", cull.All &^ cull.Only(cull.Frustum)}}
	for t := cull.Frustum; t < cull.NumTests; t++ {
		settings = append(settings, setting{"without-" + t.String(), cull.Only(t)})
	}
	var names []string
	for name := range level.Settings.Bookmarks {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		at := level.Settings.Bookmarks[name]
		for _, set := range settings {
			b.Run(fmt.Sprintf("%s/%s", name, set.name), func(b *testing.B) {
				s.View.Place(at.Eye, at.Look)
				s.Tick(0)
				s.Env.View.Off = set.off
				defer func() { s.Env.View.Off = 0 }()
				best, spent := time.Hour, time.Duration(0)
				_, err := device.Render(size, 1, func(t host.Target) error {
					if err := c.Draw(t); err != nil { // what comes once
						return err
					}
					spent = -busy(b)
					for b.Loop() {
						since := time.Now()
						if err := c.Draw(t); err != nil {
							return err
						}
						gl.Finish()
						best = min(best, time.Since(since))
					}
					spent += busy(b)
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				v := viewOf(s, size)
				run, _ := s.Culling.Run(cull.ViewOf(v.Eye, v.ViewProj), size)
				took := 0.0
				for _, t := range run.Stats {
					took += float64(t.Time.Nanoseconds())
				}
				b.ReportMetric(best.Seconds()*1e3, "best-ms")
				b.ReportMetric(spent.Seconds()*1e3/float64(b.N), "cpu-ms")
				b.ReportMetric(took/1e3, "cull-µs")
				b.ReportMetric(float64(len(run.Drawn)), "drawn")
				b.ReportMetric(float64(c.stats.Triangles+c.stats.InstanceTriangles), "triangles")
			})
		}
	}
}

// busy is what the process has had of all processors.
func busy(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
