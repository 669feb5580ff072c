package editor

import (
	"fmt"
	"image"
	"runtime/debug"

	"gioui.org/layout"
	"gioui.org/op"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/editor/panel"
	"ridgeline/editor/session"
	"ridgeline/viewport/host"
	"ridgeline/widgets"
)

// program is the interface of a running editor. It implements host.UI.
type program struct {
	s     *session.Session
	theme *widgets.Theme
	shell *panel.Shell
	scene *scene
	host  host.Host // nil until it is there

	unfocused bool // another window has the keyboard

	panics int // frames in a row whose layout panicked
	fatal  error
}

func newProgram(s *session.Session) *program {
	th := widgets.NewTheme()
	return &program{s: s, theme: th, shell: panel.New(s, th), scene: &scene{s: s}}
}

// maxPanics is how many frames in a row may fail before the editor gives up.
const maxPanics = 3

// Layout implements host.UI. A panic is told and the next frame tries again; the
// level is as the last whole edit left it, and autosaved.
func (a *program) Layout(gtx layout.Context) {
	defer func() {
		r := recover()
		if r == nil {
			a.panics = 0
			return
		}
		a.panics++
		err := a.s.Crashed("drawing the window", r, debug.Stack())
		if a.panics < maxPanics {
			a.s.Fail(err)
			gtx.Execute(op.InvalidateCmd{})
			return
		}
		a.fatal = err
		if a.host != nil {
			a.host.RequestClose()
		}
	}()
	a.tellStats()
	if a.host != nil {
		a.theme.WheelStep = a.host.WheelStep()
	}
	a.shell.Layout(gtx)
	if _, _, wanted := a.s.WantedThumbnail(); wanted {
		gtx.Execute(op.InvalidateCmd{}) // the picture that comes now draws it
	}
	if a.unfocused {
		// Keys that were pressed just before the keyboard was lost come only now, and
		// their release will never be told.
		a.s.ReleaseHeld()
	}
	a.keepPointer(gtx)
	if a.host != nil {
		a.host.SetTitle(windowTitle(a.s))
	}
}

// Viewport implements host.UI.
func (a *program) Viewport() image.Rectangle { return a.shell.Viewport() }

// tellStats hands the last frame's figures to the status bar.
func (a *program) tellStats() { a.shell.SetStats(a.figures()) }

func (a *program) figures() panel.Stats {
	cols, rows := a.s.Level().Terrain.ChunkGrid()
	there := a.s.Scene().Counts()
	f := panel.Stats{
		Triangles: a.scene.stats.Triangles + a.scene.stats.InstanceTriangles,
		AllChunks: cols * rows, AllObjects: there.Objects + there.Points,
	}
	// As the panel of culling counts them: while its camera is frozen, some of what it
	// leaves is beside the picture.
	if r := a.s.Culling.Report(); r != nil && a.s.Culling.Fresh() {
		for _, e := range r.Drawn {
			if _, _, ground := a.s.Scene().Entry(e); ground {
				f.Chunks++
			} else {
				f.Objects++
			}
		}
	}
	if !a.s.Level().HasTerrain() {
		f.Chunks, f.AllChunks = 0, 0
	}
	if a.host != nil {
		h := a.host.Stats()
		f.Frame = h.Layout + h.Level + h.Show
	}
	return f
}

// keepPointer has a turn of the camera go on when the pointer leaves the window,
// by putting it back to the viewport's middle where the system allows it.
func (a *program) keepPointer(gtx layout.Context) {
	v := &a.s.View
	if a.host == nil || !v.Looking() {
		return
	}
	rect := a.shell.Viewport()
	at := v.Pointer()
	in := image.Pt(int(at[0])+rect.Min.X, int(at[1])+rect.Min.Y)
	if in.In(image.Rectangle{Max: gtx.Constraints.Max}.Inset(2)) {
		return
	}
	middle := rect.Min.Add(rect.Size().Div(2))
	if a.host.WarpPointer(middle) {
		v.Warped(mgl64.Vec2{float64(middle.X - in.X), float64(middle.Y - in.Y)})
	}
}

// windowTitle names the level and says whether it is saved.
func windowTitle(s *session.Session) string {
	mark := ""
	if s.Document().Dirty() {
		mark = "• "
	}
	return mark + s.Title() + " – Ridgeline"
}

// stopped is the error with which a run ended, if it was the editor's own.
func (a *program) stopped(err error) error {
	if a.fatal != nil {
		return fmt.Errorf("%w; the level is autosaved", a.fatal)
	}
	return err
}
