package editor

import (
	"context"
	"fmt"
	"image"
	"testing"
	"time"

	"gioui.org/f32"
	"gioui.org/io/pointer"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/host"
)

// twin is the editor on the same level as a running one, in this process and
// without a display. It tells what the window should show, and where.
type twin struct {
	t *testing.T
	*program
	h    *host.Offscreen
	size image.Point // of the window

	stamp time.Duration // of the last event of the pointer
}

// windowSize is how large the window is that an editor opens, in pixels: small, as
// the software rasteriser takes its time for every one.
var windowSize = image.Pt(1120, 760)

// newTwin opens a level. Its path is what the window's title tells.
func newTwin(t *testing.T, level *document.Level, path string, size image.Point) *twin {
	t.Helper()
	return twinOf(t, session.New(level, session.Options{Temporary: true, Path: path}), size)
}

// sampleTwin is that of an editor that was told no level.
func sampleTwin(t *testing.T) *twin {
	t.Helper()
	return twinOf(t, session.New(sampleLevel(t), session.Options{Temporary: true, Name: session.SampleName}), windowSize)
}

func sampleLevel(t *testing.T) *document.Level {
	t.Helper()
	sample, err := session.SampleLevel()
	if err != nil {
		t.Fatal(err)
	}
	return sample
}

func twinOf(t *testing.T, s *session.Session, size image.Point) *twin {
	t.Helper()
	s.Brush = firstBrush(t)
	w := &twin{t: t, program: newProgram(s), size: size}
	var err error
	if w.h, err = host.NewOffscreen(host.OffscreenOptions{Size: size, Background: w.theme.Color.Gap}, w.program, w.scene); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w.settle() // finds the places of things, and one for the camera
	return w
}

// firstBrush is the brush of an editor that has just come up: one that fits the
// sample level, which is there before any other is read.
func firstBrush(t *testing.T) tool.Brush {
	t.Helper()
	s := session.New(sampleLevel(t), session.Options{Temporary: true})
	defer s.Close()
	return s.Brush
}

// resize gives the window another size.
func (w *twin) resize(size image.Point) {
	w.size = size
	w.h.Resize(size, 1)
}

// load reads a level, or its autosave if there is a newer one.
func load(t *testing.T, path string, recover bool) (*document.Level, store.Info) {
	t.Helper()
	l, info, err := store.Open(context.Background(), path, store.Options{Recover: recover})
	if err != nil {
		t.Fatal(err)
	}
	return l, info
}

// settle lays the window out until it has come to rest.
func (w *twin) settle() *image.NRGBA {
	w.t.Helper()
	m, err := w.h.Settle(time.Unix(0, 0), maxSettle)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// picture is what the window should look like, with all textures and models, apart
// from the parts that tell of the machine and of the time.
func (w *twin) picture() *image.NRGBA {
	w.t.Helper()
	w.s.LoadTextures()
	w.s.LoadModels(context.Background())
	return w.settle()
}

// run runs commands that must not fail.
func (w *twin) run(line string) {
	w.t.Helper()
	if err := w.s.Execute(line); err != nil {
		w.t.Fatal(err)
	}
}

// mouse hands the window an event of the mouse.
func (w *twin) mouse(kind pointer.Kind, p image.Point, b pointer.Buttons) {
	w.stamp += 10 * time.Millisecond
	w.h.Queue(pointer.Event{Kind: kind, Source: pointer.Mouse, Position: f32.Pt(float32(p.X), float32(p.Y)), Buttons: b, Time: w.stamp})
}

// click presses the left button somewhere, and then has the pointer rest elsewhere.
func (w *twin) click(p, rest image.Point) {
	w.t.Helper()
	w.stamp += time.Second // never a double click
	w.mouse(pointer.Move, p, 0)
	w.mouse(pointer.Press, p, pointer.ButtonPrimary)
	w.mouse(pointer.Release, p, 0)
	w.settle()
	w.mouse(pointer.Move, rest, 0)
	w.settle()
}

// sculpt changes to that mode.
func (w *twin) sculpt() {
	w.t.Helper()
	if err := w.s.SetMode(session.ModeSculpt); err != nil {
		w.t.Fatal(err)
	}
}

// point moves the pointer to a pixel of the window.
func (w *twin) point(p image.Point) { w.pointer(session.PointerMove, p, 0) }

func (w *twin) pointer(kind session.PointerKind, p image.Point, b session.Buttons) {
	p = p.Sub(w.shell.Viewport().Min)
	w.s.Pointer(session.Pointer{Kind: kind, X: float64(p.X), Y: float64(p.Y), Button: b})
}

// drag presses a button at the first pixel of the window and lets go at the last.
func (w *twin) drag(b session.Buttons, way ...image.Point) {
	w.pointer(session.PointerMove, way[0], 0)
	w.pointer(session.PointerPress, way[0], b)
	for _, p := range way[1:] {
		w.pointer(session.PointerMove, p, 0)
	}
	w.pointer(session.PointerRelease, way[len(way)-1], b)
}

// ground is the point of the ground that is seen at a pixel of the window.
func (w *twin) ground(p image.Point) mgl64.Vec3 {
	w.t.Helper()
	p = p.Sub(w.shell.Viewport().Min)
	hit, ok := w.s.Level().Terrain.Raycast(w.s.View.Ray(float64(p.X), float64(p.Y)))
	if !ok {
		w.t.Fatalf("there is no ground at %v", p)
	}
	return hit.Point
}

// pixel is where a point of the world is seen in the window.
func (w *twin) pixel(p mgl64.Vec3) image.Point {
	w.t.Helper()
	at, _, ok := w.s.View.Rig.Project(p, w.s.View.Rig.Size)
	if !ok {
		w.t.Fatalf("%v is behind the eye", p)
	}
	return w.shell.Viewport().Min.Add(image.Pt(int(at[0]), int(at[1])))
}

// spot is a pixel of the window, as parts of the viewport's width and height.
func (w *twin) spot(x, y float64) image.Point {
	v := w.shell.Viewport()
	return v.Min.Add(image.Pt(int(x*float64(v.Dx())), int(y*float64(v.Dy()))))
}

// project is where a box of the world is seen in the window.
func (w *twin) project(b geom.Box) (r image.Rectangle) {
	w.t.Helper()
	for i := range 8 {
		p := w.pixel(b.Corner(i))
		r = r.Union(image.Rectangle{Min: p, Max: p.Add(image.Pt(1, 1))})
	}
	return r
}

// find is where a widget is, by what it tells assistive programs.
func (w *twin) find(label string) image.Rectangle {
	w.t.Helper()
	r, ok := w.h.Find(label)
	if !ok {
		w.t.Fatalf("the window has no %q", label)
	}
	return r
}

// middle is where to click on a widget.
func (w *twin) middle(label string) image.Point {
	r := w.find(label)
	return r.Min.Add(r.Size().Div(2))
}

// statusBar is the bar at the bottom, which tells of the pointer, of what is saved,
// and of the last frame's triangles and time.
func (w *twin) statusBar() image.Rectangle {
	return image.Rect(0, w.size.Y-int(w.theme.Size.Status), w.size.X, w.size.Y)
}

// aboveStatus is the window without its status bar.
func (w *twin) aboveStatus() image.Rectangle {
	return image.Rectangle{Max: image.Pt(w.statusBar().Max.X, w.statusBar().Min.Y)}
}

// tolerance is by how much a channel of a pixel may differ between the window and
// the picture made without one.
const tolerance = 2

// difference is where two pictures differ.
type difference struct {
	n      int
	bounds image.Rectangle
	worst  int
	at     image.Point // of the worst
}

func (d difference) Error() string {
	return fmt.Sprintf("%d pixels differ, within %v, the worst at %v by %d", d.n, d.bounds, d.at, d.worst)
}

// differing compares a part of two pictures of one size: a pixel differs when a
// channel does by more than the tolerance. Pixels in the places of but don't count.
func differing(a, b *image.NRGBA, part image.Rectangle, tolerance int, but ...image.Rectangle) (d difference) {
	part = part.Intersect(a.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
	pixels:
		for x := part.Min.X; x < part.Max.X; x++ {
			i, worst := a.PixOffset(x, y), 0
			for c := range 3 {
				v := int(a.Pix[i+c]) - int(b.Pix[i+c])
				worst = max(worst, v, -v)
			}
			if worst <= tolerance {
				continue
			}
			p := image.Pt(x, y)
			for _, r := range but {
				if p.In(r) {
					continue pixels
				}
			}
			d.n++
			d.bounds = d.bounds.Union(image.Rectangle{Min: p, Max: p.Add(image.Pt(1, 1))})
			if worst > d.worst {
				d.worst, d.at = worst, p
			}
		}
	}
	return d
}
