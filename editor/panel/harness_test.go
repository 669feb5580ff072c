package panel

import (
	"image/color"
	"math"
	"testing"
	"time"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/terrain"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// rig is a whole window under test.
type rig struct {
	*widgettest.Harness
	T     testing.TB
	s     *session.Session
	shell *Shell
	now   time.Time
	posts chan func()
}

// ground is a small level with a hill.
func testLevel(t testing.TB) *document.Level {
	t.Helper()
	const n = 65
	h := make([]float32, n*n)
	for y := range n {
		for x := range n {
			dx, dy := float64(x-n/2)/n, float64(y-n/2)/n
			h[y*n+x] = float32(40 * math.Exp(-12*(dx*dx+dy*dy)))
		}
	}
	f, err := terrain.FromHeights(n, n, 2, h)
	if err != nil {
		t.Fatal(err)
	}
	return document.NewLevel(f)
}

// newRig opens a window of w × h dp without the panel of layers, whose textures take
// a second to make.
func newRig(t testing.TB, w, h int, scale float32) *rig {
	t.Helper()
	return openRig(t, w, h, scale, panelLayers)
}

// openRig opens a window in which some panels are closed.
func openRig(t testing.TB, w, h int, scale float32, closed ...string) *rig {
	t.Helper()
	r := &rig{T: t, now: widgettest.Start, posts: make(chan func(), 64)}
	r.s = session.New(testLevel(t), session.Options{
		Temporary: true,
		Now:       func() time.Time { return r.now },
		Post:      func(fn func()) { r.posts <- fn },
	})
	t.Cleanup(func() {
		if err := r.s.Close(); err != nil {
			t.Error(err)
		}
	})
	r.s.Memory.Folded = closed
	r.open(w, h, scale)
	return r
}

// open shows the session in a new window.
func (r *rig) open(w, h int, scale float32) {
	th := widgets.NewTheme()
	r.shell = New(r.s, th)
	r.shell.SetStats(Stats{Frame: 14700 * time.Microsecond, Triangles: 48213, Chunks: 61, AllChunks: 64})
	r.Harness = widgettest.New(r.T, int(float32(w)*scale), int(float32(h)*scale), scale, func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, color.NRGBA{R: 0x6c, G: 0x86, B: 0xa6, A: 0xff}) // stands for the level
		r.shell.Layout(gtx)
		return layout.Dimensions{Size: gtx.Constraints.Max}
	})
}

// settle waits until nothing runs in the background.
func (r *rig) settle() {
	r.T.Helper()
	for r.s.Busy() {
		select {
		case fn := <-r.posts:
			fn()
		case <-time.After(30 * time.Second):
			r.T.Fatal("a task does not end")
		}
	}
	r.Frame()
}

// noErrors fails when the session told of an error.
func (r *rig) noErrors() {
	r.T.Helper()
	lines, _ := r.s.Lines()
	for _, l := range lines {
		if l.Severity == session.Error {
			r.T.Error(l.Text)
		}
	}
}

// menu picks an item of the menu bar.
func (r *rig) menu(path ...string) {
	r.T.Helper()
	r.Click(path[0])
	for i, item := range path[1:] {
		if i+2 == len(path) {
			r.Click(item)
		} else {
			r.Hover(item)
		}
	}
}
