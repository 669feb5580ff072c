package editor

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// stateRegions are the places outside the viewport where the window may tell of an
// edit. Nothing else there may change with one.
func stateRegions(w *twin) []stateRegion {
	help := w.find("Help")
	return []stateRegion{
		{"the title in the menu bar", image.Rect(help.Max.X, help.Min.Y, w.size.X, help.Max.Y), true}, // "edited"
		{"the button Undo", w.find("Undo"), true},
		{"the button Redo", w.find("Redo"), false},              // only after undo
		{"the size of the level", w.find("Size of all"), false}, // unless the stroke stays within it
		{"the status bar", w.statusBar(), true},
	}
}

type stateRegion struct {
	name  string
	place image.Rectangle
	told  bool // a stroke always shows here
}

// onlyStateChanged checks what an edit changed outside the viewport, by two
// pictures of the window.
func onlyStateChanged(t *testing.T, w *twin, before, after *image.NRGBA) {
	t.Helper()
	but := []image.Rectangle{w.shell.Viewport()}
	for _, r := range stateRegions(w) {
		if r.told && differing(before, after, r.place, 0).n == 0 {
			t.Errorf("%s shows nothing of the stroke", r.name)
		}
		but = append(but, r.place)
	}
	if d := differing(before, after, before.Rect, tolerance, but...); d.n > 0 {
		t.Errorf("outside the viewport and where the window tells of edits %v", d)
	}
}

// strokePause is how long a stroke rests at each point, in seconds: longer than it
// takes until a brush that rests goes on raising.
const strokePause = 0.15

// sculpt changes to that mode.
func (e *running) sculpt() {
	e.t.Helper()
	e.do("key", "b")
	e.rest()
}

// stroke drags the brush along a way and leaves the pointer at its beginning.
func (e *running) stroke(way ...image.Point) {
	e.t.Helper()
	args := []any{"mousemove", way[0].X, way[0].Y, "mousedown", 1}
	for _, p := range way[1:] {
		args = append(args, "mousemove", p.X, p.Y, "sleep", strokePause)
	}
	e.do(append(args, "mouseup", 1, "mousemove", way[0].X, way[0].Y)...)
}

// brushed is where in the window a stroke along a way may change the picture:
// under the brush, as the ground was and as it became, with a seam around it, whose
// light follows the slope; and around that, where the ground may be drawn in other
// detail than before, the chunks of the stroke and those beside them.
func (w *twin) brushed(way []image.Point, old, now *terrain.Field) (under, around []image.Rectangle) {
	w.t.Helper()
	var line []mgl64.Vec3
	for _, p := range way {
		line = append(line, w.ground(p))
	}
	step := old.Spacing()
	reach := w.s.Brush.Radius + 2*step
	cols, rows := old.Size()
	chunks := map[image.Point]bool{}
	for row := range rows - 1 {
		for col := range cols - 1 {
			if distanceTo(line, (float64(col)+0.5)*step, (float64(row)+0.5)*step) > reach {
				continue
			}
			cell := geom.EmptyBox()
			for _, c := range [...]image.Point{{X: col, Y: row}, {X: col + 1, Y: row}, {X: col, Y: row + 1}, {X: col + 1, Y: row + 1}} {
				for _, f := range [...]*terrain.Field{old, now} {
					cell = cell.Add(mgl64.Vec3{float64(c.X) * step, float64(f.Sample(c.X, c.Y)), float64(c.Y) * step})
				}
			}
			under = append(under, w.project(cell).Inset(-w.detail()))
			for i := range 9 {
				chunks[image.Pt(col/terrain.TileSize+i%3-1, row/terrain.TileSize+i/3-1)] = true
			}
		}
	}
	w1, h1 := old.ChunkGrid()
	for c := range chunks {
		if c.In(image.Rect(0, 0, w1, h1)) {
			around = append(around, w.project(old.ChunkBox(c.X, c.Y)).Inset(-w.detail()))
		}
	}
	return under, around
}

// detail is by how many pixels the ground may be drawn off its place, and one for
// rounding.
func (w *twin) detail() int { return int(math.Ceil(w.s.Settings.View.MaxError)) + 1 }

// moved compares a part of two pictures as differing does, but lets pass what only
// moved by some pixels: values that lie between those that were around it before.
func moved(before, after *image.NRGBA, part image.Rectangle, by int, but ...image.Rectangle) difference {
	expected := &image.NRGBA{Pix: bytes.Clone(before.Pix), Stride: before.Stride, Rect: before.Rect}
	part = part.Intersect(before.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			i := before.PixOffset(x, y)
			if bytes.Equal(before.Pix[i:i+3], after.Pix[i:i+3]) {
				continue
			}
			lo, hi := [3]uint8{255, 255, 255}, [3]uint8{}
			around := image.Rect(x-by, y-by, x+by+1, y+by+1).Intersect(part)
			for y := around.Min.Y; y < around.Max.Y; y++ {
				for x := around.Min.X; x < around.Max.X; x++ {
					for c, v := range before.Pix[before.PixOffset(x, y):][:3] {
						lo[c], hi[c] = min(lo[c], v), max(hi[c], v)
					}
				}
			}
			for c := range 3 {
				expected.Pix[i+c] = min(max(after.Pix[i+c], lo[c]), hi[c])
			}
		}
	}
	return differing(expected, after, part, tolerance, but...)
}

// distanceTo is the distance on the map from a point to a line of points.
func distanceTo(line []mgl64.Vec3, x, z float64) float64 {
	best := math.Inf(1)
	for i, b := range line {
		a := line[max(i-1, 0)]
		d, p := mgl64.Vec2{b[0] - a[0], b[2] - a[2]}, mgl64.Vec2{x - a[0], z - a[2]}
		along := 0.0
		if l := d.Dot(d); l > 0 {
			along = min(max(p.Dot(d)/l, 0), 1)
		}
		best = min(best, p.Sub(d.Mul(along)).Len())
	}
	return best
}

// A stroke changes the picture where it was made and nowhere else, undo takes that
// back to the last pixel, and the file that is saved then has it.
func TestStrokeInWindow(t *testing.T) {
	d := newDesk(t)
	path := newLevel(t)
	old, _ := load(t, path, false)
	w := newTwin(t, old, path, windowSize)
	w.sculpt()
	const stronger = 12 // presses of the key, so that the stroke is well seen
	w.s.Run(fmt.Sprintf("brush.strength by=%d", stronger))
	view := w.shell.Viewport()
	way := []image.Point{w.spot(0.42, 0.62), w.spot(0.47, 0.63), w.spot(0.52, 0.64), w.spot(0.57, 0.65)}
	w.point(way[0])

	e := d.open(path)
	e.do("mousemove", way[0].X, way[0].Y, "key", "--repeat", stronger, "b", "equal")
	e.shows(w.picture(), w.aboveStatus())
	before := e.shot()
	keepPicture(t, before, "1-before.png")

	e.stroke(way...)
	after := e.shot()
	keepPicture(t, after, "2-after.png")
	e.titled("• pyrenees – Ridgeline")
	onlyStateChanged(t, w, before, after)

	e.do("key", "ctrl+z")
	undone := e.shot()
	keepPicture(t, undone, "3-undone.png")
	e.titled("pyrenees – Ridgeline")
	if d := differing(before, undone, view, 0); d.n > 0 {
		t.Errorf("after undo %v", d)
	}
	if d := differing(before, undone, w.find("Position under the pointer: east, height, south"), tolerance); d.n > 0 {
		t.Errorf("after undo, the place under the pointer is told otherwise: %v", d)
	}
	but := []image.Rectangle{view}
	for _, r := range stateRegions(w) {
		but = append(but, r.place)
	}
	if d := differing(before, undone, before.Rect, tolerance, but...); d.n > 0 {
		t.Errorf("after undo, around the level %v", d)
	}

	e.do("key", "ctrl+shift+z")
	redone := e.shot()
	if d := differing(after, redone, view, 0); d.n > 0 {
		t.Errorf("after redo %v", d)
	}
	if d := differing(after, redone, w.aboveStatus(), tolerance); d.n > 0 {
		t.Errorf("after redo, around the level %v", d)
	}

	e.saveLevel(path)
	e.titled("pyrenees – Ridgeline")
	now, _ := load(t, path, false)
	middle := w.ground(way[1])
	if was, is := middle[1], heightAt(t, path, middle[0], middle[2]); is < was+1 {
		t.Errorf("the saved level has %v m under the stroke, expected more than %v m", is, was)
	}
	changed := differing(before, after, view, 0)
	for _, p := range way {
		if !p.In(changed.bounds) {
			t.Errorf("the stroke went over %v, but the picture changed only within %v", p, changed.bounds)
		}
	}
	under, around := w.brushed(way, old.Terrain, now.Terrain)
	if d := differing(before, after, view, 0, around...); d.n > 0 {
		t.Errorf("far away from the stroke %v", d)
	}
	if d := moved(before, after, view, w.detail(), under...); d.n > 0 {
		t.Errorf("beside the stroke %v", d)
	}
	// The picture of what was saved is the picture that was seen.
	again := newTwin(t, now, path, windowSize)
	again.sculpt()
	again.s.Brush = w.s.Brush
	again.point(way[0])
	if d := differing(again.picture(), after, view, tolerance); d.n > 0 {
		t.Errorf("the saved level looks otherwise: %v", d)
	}

	e.idle()
}
