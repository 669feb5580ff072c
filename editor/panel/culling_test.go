package panel

import (
	"image"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/editor/session"
	"ridgeline/occluders/cull"
)

// openCulling opens the panel of culling on the level that is made for it.
func openCulling(t testing.TB, w, h int, scale float32, closed ...string) *rig {
	t.Helper()
	r := openRig(t, w, h, scale, append(closed, panelLayers)...)
	// A test takes as many hundredths of a millisecond as it is in the list.
	var now time.Duration
	r.s.Culling.Clock = func() time.Duration { now += 10 * time.Microsecond; return now }
	r.s.NewLevel(xlevel.Culling(t), "")
	r.settle()
	r.s.TakeNotices()
	r.s.View.Place(xlevel.CullingEye, xlevel.CullingLook)
	r.Frame()
	r.Click(sCulling)
	r.cull()
	return r
}

// cull culls as the picture of the level would, and shows what came of it.
func (r *rig) cull() {
	size := image.Pt(r.shell.Viewport().Dx(), r.shell.Viewport().Dy())
	c := &r.s.View.Rig.Camera
	r.s.Scene().Complete()
	r.s.Culling.Run(cull.ViewOf(c.Eye, c.ViewProj(mgl64.Vec2{float64(size.X), float64(size.Y)})), size)
	r.s.View.TakeDirty()
	r.Frame()
	r.Frame()
}

// fly makes the frames of a flight over the level.
func (r *rig) fly(frames int) {
	for i := range frames {
		a := float64(i) / float64(frames)
		r.s.View.Place(xlevel.CullingEye.Add(mgl64.Vec3{80 * (a - 1), 4 * a, -60 * a * (1 - a)}), xlevel.CullingLook)
		size := r.shell.Viewport().Size()
		c := &r.s.View.Rig.Camera
		r.s.Culling.Run(cull.ViewOf(c.Eye, c.ViewProj(mgl64.Vec2{float64(size.X), float64(size.Y)})), size)
	}
	r.s.View.Place(xlevel.CullingEye, xlevel.CullingLook)
	r.Frame()
	r.cull()
}

// check makes all steps of a check, for which the given things can be seen, and all
// that is drawn.
func (r *rig) check(seen ...document.ID) {
	r.T.Helper()
	k := &r.s.Culling
	cols, rows := r.s.Scene().ChunkGrid()
	for k.CheckDue() {
		q, ok := k.NextCheck()
		if !ok {
			r.T.Fatal("a check is due that has no next step")
		}
		k.Checked(q, func(e int32) bool {
			for _, id := range seen {
				if e == int32(cols*rows)+r.s.Scene().Of(id)[0] {
					return true
				}
			}
			return k.Report().Verdicts[e] == cull.Drawn
		}, nil)
	}
	r.cull()
}

func TestCullingPanel(t *testing.T) {
	r := openCulling(t, 1280, 900, 1, panelOutliner)
	// The switches of tests.
	r.Click(testTitles[cull.Backface])
	if r.s.Culling.Tests() != cull.All.With(cull.Backface, false) {
		t.Errorf("after a click: %v", r.s.Culling.Tests())
	}
	r.Click(testTitles[cull.Backface])
	r.Click(sFreezeIt)
	if !r.s.Culling.Frozen() {
		t.Error("it is not frozen")
	}
	r.Click(sFreezeIt)
	r.cull()

	// Why something is not drawn.
	r.s.Select(xlevel.Crate)
	r.cull()
	if !r.Has("Hidden by occluder Wall") {
		t.Errorf("the panel doesn't tell why")
	}
	// The ranking selects what is clicked.
	r.Click("Tower")
	if sel := r.s.Selection(); len(sel) != 1 || sel[0] != xlevel.Tower {
		t.Errorf("a click in the ranking selected %v", sel)
	}
	// The check, and what it finds.
	r.Click(sCheckNow)
	r.check(xlevel.Barn)
	r.Click("Barn")
	if sel := r.s.Selection(); len(sel) != 1 || sel[0] != xlevel.Barn {
		t.Errorf("a click among the false culls selected %v", sel)
	}
	r.noErrors()
}

func TestGoldenCulling(t *testing.T) {
	r := openCulling(t, 1280, 900, 1)
	r.fly(250)
	r.s.Select(xlevel.Barrel)
	r.s.Run("view.overlay efficiency; cull.oracle")
	r.check(xlevel.Barn)
	r.MoveTo(600, 700)
	r.shoot("culling-panel")

	r.s.Run("cull.freeze; cull.toggle portals; view.overlay portalview")
	r.Frame()
	r.cull()
	r.MoveTo(600, 700)
	r.shoot("culling-frozen")

	r.open(1280, 720, 2)
	r.s.Run("cull.freeze; cull.toggle portals; view.overlay portalview; view.overlay efficiency; cull.heatmap step=40")
	r.settle()
	r.Click(sCulling)
	r.cull()
	r.MoveTo(600, 700)
	r.shoot("culling-heat-2x")
}

// Menus and keys reach all of it.
func TestCullingMenu(t *testing.T) {
	r := openCulling(t, 1280, 900, 1)
	r.menu(sView, sCulling, sEffFigures)
	if !r.s.Shown("overlay efficiency") {
		t.Error("no figures are shown")
	}
	for k, name := range map[string]string{"F9": "overlay ghosts", "3": "overlay occludees"} {
		r.Key(key.Name(k), 0)
		r.Frame()
		if !r.s.Shown(name) {
			t.Errorf("%s does not show %s", k, name)
		}
	}
	r.Key(key.Name("F8"), 0)
	if got := cull.All &^ r.s.Culling.Tests(); got != cull.Only(cull.Terrain, cull.Occluder) {
		t.Errorf("F8 has switched off %v", got)
	}
	for _, o := range session.Overlays {
		if strings.TrimSpace(o) == "" {
			t.Error("an overlay without a name")
		}
	}
	r.noErrors()
}
