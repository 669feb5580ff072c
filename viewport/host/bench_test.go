package host

import (
	"image"
	"runtime"
	"testing"

	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/viewport/glcontext"
)

// blank is an interface that paints nothing: what remains is the host's own cost.
type blank struct{ size image.Point }

func (b blank) Layout(layout.Context)     {}
func (b blank) Viewport() image.Rectangle { return image.Rectangle{Max: b.size} }

// flat is a scene that only clears.
type flat struct{ dirty bool }

func (f *flat) Init() error { return nil }
func (f *flat) Dirty() bool { return f.dirty }
func (f *flat) Release()    {}
func (f *flat) Draw(Target) error {
	gl.ClearColor(0.1, 0.2, 0.3, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	return nil
}

var benchSize = image.Pt(1280, 720)

func BenchmarkOffscreenFrame(b *testing.B) {
	for _, c := range []struct {
		name   string
		ui     UI
		dirty  bool
		read   bool
		finish bool
	}{
		{name: "kept", ui: blank{benchSize}, finish: true},
		{name: "redrawn", ui: blank{benchSize}, dirty: true, finish: true},
		{name: "labels", ui: newTestUI(), finish: true},
		{name: "read", ui: blank{benchSize}, read: true},
	} {
		b.Run(c.name, func(b *testing.B) {
			h, err := NewOffscreen(OffscreenOptions{Size: benchSize, Finish: c.finish}, c.ui, &flat{dirty: c.dirty})
			if err != nil {
				b.Fatal(err)
			}
			defer h.Close()
			frame := func() {
				var err error
				if c.read {
					_, err = h.Frame(someTime)
				} else {
					err = h.Draw(someTime)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			frame()
			b.ReportAllocs()
			for b.Loop() {
				frame()
			}
		})
	}
}

// BenchmarkFrameFunction is the frame of a window, without the router that Gio
// keeps: it must not allocate.
func BenchmarkFrameFunction(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := &frame{ui: blank{benchSize}, scene: &flat{dirty: true}}
	f.defaults()
	st := &direct{open: glcontext.NewOffscreen, set: &f.settings}
	defer func() { st.release(f) }()
	m := moment{size: benchSize, metric: unit.Metric{PxPerDp: 1, PxPerSp: 1}, now: someTime}
	draw := func() {
		if _, err := f.draw(m, st); err != nil {
			b.Fatal(err)
		}
	}
	draw()
	b.ReportAllocs()
	for b.Loop() {
		draw()
	}
}

func BenchmarkCopyingFrame(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := &frame{ui: blank{benchSize}, scene: &flat{dirty: true}}
	f.defaults()
	st := &copying{open: glcontext.NewHeadless, set: &f.settings}
	defer func() { st.release(f) }()
	m := moment{size: benchSize, metric: unit.Metric{PxPerDp: 1, PxPerSp: 1}, now: someTime}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.draw(m, st); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDo(b *testing.B) {
	g := newTestGL(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := g.Do(func() error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFrameAllocatesNothing counts what the host adds to Gio's own allocations:
// the same operations drawn by Gio alone.
func TestFrameAllocatesNothing(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := &frame{ui: blank{image.Pt(64, 64)}, scene: &flat{dirty: true}}
	f.defaults()
	st := &direct{open: glcontext.NewOffscreen, set: &f.settings}
	defer func() { st.release(f) }()
	m := moment{size: image.Pt(64, 64), metric: unit.Metric{PxPerDp: 1, PxPerSp: 1}, now: someTime}
	var err error
	draw := func() { _, err = f.draw(m, st) }
	draw()
	all := testing.AllocsPerRun(100, draw)
	var ops op.Ops
	gio := testing.AllocsPerRun(100, func() {
		ops.Reset()
		recording := op.Record(&ops)
		recording.Stop().Add(&ops)
		if e := st.gpu.Frame(&ops, target, m.size); e != nil {
			err = e
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if all > gio {
		t.Errorf("a frame makes %v allocations, Gio alone %v", all, gio)
	}
}
