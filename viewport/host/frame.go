package host

import (
	"errors"
	"image"
	"time"

	"gioui.org/io/input"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/viewport/glcontext"
)

// stage is what differs between the hosts: where the frame is shown.
type stage interface {
	// begin makes the level's context current, for a window of the given size.
	begin(size image.Point) error
	// show puts the level's picture into rect and the interface over it. call
	// holds the interface's operations, already in ops; changed tells whether the
	// picture was drawn anew. The level's context is current on entry.
	show(ops *op.Ops, call op.CallOp, p *picture, changed bool, size image.Point, rect image.Rectangle) error
	// release frees the frame's objects and the contexts; the next begin makes new
	// ones.
	release(f *frame)
	// abandon is release after the native display was closed.
	abandon(f *frame)
}

// moment is what a frame is laid out for.
type moment struct {
	size   image.Point
	metric unit.Metric
	now    time.Time
	source input.Source
}

// frame is the one frame function of all hosts and what it keeps between frames.
type frame struct {
	settings
	ui    UI
	scene Scene     // nil: no level, only the interface
	bar   *titleBar // nil: the window has a title of its own, or none
	ready bool      // the scene's Init succeeded in the present context
	level picture
	ops   op.Ops
	stats Stats
}

// drawTwice is draw with one more try after the driver dropped the contexts: the
// scene makes its objects anew.
func (f *frame) drawTwice(m moment, st stage) (sceneErr, err error) {
	sceneErr, err = f.draw(m, st)
	if errors.Is(err, glcontext.ErrLost) {
		st.release(f)
		sceneErr, err = f.draw(m, st)
	}
	return sceneErr, err
}

// draw lays out and shows one frame. The operations it leaves in f.ops go to the
// input router. sceneErr is the scene's own; the frame was shown all the same. err
// means that nothing was shown.
func (f *frame) draw(m moment, st stage) (sceneErr, err error) {
	t0 := time.Now()
	f.ops.Reset()
	// Recorded, so that a host may paint something below the interface although
	// where is known only afterwards.
	recording := op.Record(&f.ops)
	rect := f.layout(layout.Context{
		Ops: &f.ops, Now: m.now, Source: m.source, Metric: m.metric,
		Constraints: layout.Exact(m.size),
	})
	call, whole := finish(recording)
	if !whole {
		f.ops.Reset()
		call = op.Record(&f.ops).Stop()
	}
	t1 := time.Now()
	if err := st.begin(m.size); err != nil {
		return nil, err
	}
	var drawn bool
	if f.scene != nil && !rect.Empty() {
		drawn, sceneErr = f.drawLevel(rect.Size(), m.metric.PxPerDp)
	}
	t2 := time.Now()
	if err := st.show(&f.ops, call, &f.level, drawn, m.size, rect); err != nil {
		return sceneErr, err
	}
	f.stats.Frames++
	f.stats.Layout, f.stats.Level, f.stats.Show = t1.Sub(t0), 0, time.Since(t2)
	if drawn {
		f.stats.Draws++
		f.stats.Level = t2.Sub(t1)
	}
	return sceneErr, nil
}

// finish ends the recording of an interface. It is not whole when the interface
// recovered from a panic of its own and left operations open.
func finish(recording op.MacroOp) (call op.CallOp, whole bool) {
	defer func() { whole = recover() == nil }()
	return recording.Stop(), true
}

// layout lays out the interface, below the title bar if there is one, and returns
// where the level is seen in the window.
func (f *frame) layout(gtx layout.Context) image.Rectangle {
	window := image.Rectangle{Max: gtx.Constraints.Max}
	var inside image.Point
	if f.bar != nil {
		inside.Y = f.bar.layout(gtx)
		gtx.Constraints = layout.Exact(window.Max.Sub(inside))
		defer op.Offset(inside).Push(gtx.Ops).Pop()
	}
	f.ui.Layout(gtx)
	return f.ui.Viewport().Add(inside).Intersect(window)
}

func (f *frame) drawLevel(size image.Point, scale float32) (bool, error) {
	if !f.ready {
		if err := f.scene.Init(); err != nil {
			return false, err
		}
		f.ready = true
	}
	drawn, err := f.level.draw(f.scene, size, scale, f.check)
	if drawn && f.finish {
		gl.Finish()
	}
	return drawn, err
}

// release frees the scene's objects and the picture. lost means that the context
// is gone and none is current.
func (f *frame) release(lost bool) {
	if f.ready {
		f.scene.Release()
		f.ready = false
	}
	if lost {
		f.level = picture{}
	} else {
		f.level.release()
	}
}
