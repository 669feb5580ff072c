package editor

import (
	"errors"
	"image"
	"math"
	"os"
	"path/filepath"

	"gioui.org/io/pointer"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/store"
)

// A source file that is replaced on the disk shows in the level a moment later, and
// the editor says so.
func (v *village) testSource() {
	w := v.w
	was, ok := w.s.Level().Asset("House")
	if !ok {
		v.t.Fatal("the level has no House")
	}
	before := v.shot()
	barn := v.body(barnID)
	// As programs do that write a whole new file.
	if err := os.Rename(filepath.Join(v.meshes, "building-garage.glb"), filepath.Join(v.meshes, "House.glb")); err != nil {
		v.t.Fatal(err)
	}
	w.s.ReloadAsset("House")
	v.looks() // with the message
	after := v.shot()
	keepPicture(v.t, after, "1-reloaded.png")
	if now, ok := v.newest().Asset("House"); !ok || now.File == was.File {
		v.wrong("the file of House was replaced, but the level still has %s", now.File)
	}
	if d := differing(before, after, barn, tolerance); d.n < barn.Dx()*barn.Dy()/8 {
		v.wrong("the file of House was replaced, but within %v, where it is seen, only %v", barn, d)
	}
	told := false
	lines, _ := w.s.Lines()
	for _, l := range lines {
		told = told || l.Text == "House was read again from House.glb, which has changed."
	}
	if !told {
		v.wrong("nothing tells of the new file; the messages are %v", lines)
	}
	v.clickBoth(w.middle("Dismiss"), v.away)
	v.both("ctrl+z", "undo")
	v.looks()
	if d := differing(before, v.shot(), w.shell.Viewport(), 0); d.n > 0 {
		v.wrong("after undoing the reload, %v", d)
	}
}

// A stroke of the scatter brush strews meshes over the ground below it. Of a kill in
// the middle of another, nothing but that one is lost.
func (v *village) testScatter() {
	w := v.w
	v.both("o", "mode name=object")
	v.clickBoth(w.middle("Scatter"), v.away) // which takes the asset that was dropped last
	small := "brush.set name=radius value=3; strew.set density=30 spacing=0.5"
	v.command(small)
	w.run(small)
	v.looks()
	v.keep("1-brush.png")
	a, b := w.spot(0.35, 0.8), w.spot(0.65, 0.8)
	v.do(pulled(a, b)...)
	w.pull(a, b)
	v.do("mousemove", v.away.X, v.away.Y)
	w.mouse(pointer.Move, v.away, 0)
	v.agrees("a stroke of the scatter brush")
	v.looks()
	v.keep("2-strewn.png")

	kept := v.newest()
	scatters := 0
	line := []mgl64.Vec3{w.ground(a), w.ground(b)}
	for e := range kept.Entities() {
		s, ok := e.Data.(document.Scatter)
		if !ok {
			continue
		}
		scatters++
		if len(s.Points) < 3 {
			v.wrong("the stroke strewed %d trees, expected some", len(s.Points))
		}
		world := e.Local()
		for i := range s.Points {
			p := mgl64.TransformCoordinate(s.Points[i].Position, world)
			y, ok := kept.Terrain.Height(p[0], p[2])
			if !ok || math.Abs(y-p[1]) > 1e-3 || distanceTo(line, p[0], p[2]) > w.s.Brush.Radius+1e-3 {
				v.wrong("a tree stands at %v, expected the ground at the height %v, within %v m of the stroke from %v to %v", p, y, w.s.Brush.Radius, line[0], line[1])
			}
		}
	}
	if scatters != 1 {
		v.wrong("the level has %d scatters, expected the stroke's", scatters)
	}

	// Killed while a second stroke has strewn something already.
	before := v.shot()
	c, d := w.spot(0.15, 0.62), w.spot(0.25, 0.6)
	v.do("mousemove", c.X, c.Y, "mousedown", 1, "mousemove", d.X, d.Y)
	open := image.Rectangle{Min: c, Max: d}.Canon().Inset(-40)
	v.eventually("the second stroke strews nothing", func() error {
		now, err := v.x.Capture(v.window)
		if err == nil && differing(before, now, w.find("Outliner"), tolerance).n+differing(before, now, open, tolerance).n < 200 {
			err = errors.New("the picture is as before")
		}
		return err
	})
	v.keep("3-killed.png")
	v.kill()
	v.do("mouseup", 1)
	cli(v.t, "check", v.path)
	recovered, info := load(v.t, v.path, true)
	if info.Autosave == 0 {
		v.t.Error("there is nothing to recover")
	}
	if got, want := described(recovered), described(kept); got != want {
		v.t.Errorf("recovered is\n%sexpected what was there before the open stroke,\n%s", got, want)
	}
	for _, a := range recovered.Assets {
		if _, err := store.ReadAsset(v.path, a.File); err != nil {
			v.t.Errorf("the asset %s: %v", a.Name, err)
		}
	}

	v.running = v.desk.open(v.path)
	v.keep("4-offer.png")
	v.do("key", "Return")
	v.titled("• village – Ridgeline")
	again := newTwin(v.t, recovered, v.path, windowSize)
	again.mouse(pointer.Move, v.away, 0)
	view := w.shell.Viewport()
	message := image.Rect(view.Max.X-400, view.Max.Y-120, view.Max.X, view.Max.Y)
	v.do("mousemove", v.away.X, v.away.Y)
	v.shows(again.picture(), view, message)
	v.keep("5-recovered.png")
	v.saveLevel(v.path)
	v.titled("village – Ridgeline")
	saved, _ := load(v.t, v.path, false)
	if got, want := described(saved), described(kept); got != want {
		v.t.Errorf("saved is\n%sexpected\n%s", got, want)
	}
}
