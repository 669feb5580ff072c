package main

import (
	"context"
	"image"
	"time"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/viewport/camera"
	"ridgeline/viewport/host"
)

var flight = map[key.Name]camera.Keys{
	"W": camera.Ahead, "S": camera.Back, "A": camera.LeftKey, "D": camera.RightKey,
	"Q": camera.Down, "E": camera.Up, key.NameShift: camera.Fast,
}

// game is a viewer in a window: a host.Scene and a host.UI.
type game struct {
	*viewer
	view image.Point
	held camera.Keys
	then time.Time
}

func (v *viewer) window(ctx context.Context) error {
	g := &game{viewer: v}
	w := host.NewWindow(host.Options{Title: "Ridgeline view", Width: unit.Dp(v.size.X), Height: unit.Dp(v.size.Y)}, g, g)
	defer context.AfterFunc(ctx, func() { w.Post(w.RequestClose) })()
	return w.Run()
}

func (g *game) Init() error               { return g.draws.init() }
func (g *game) Dirty() bool               { return true }
func (g *game) Draw(t host.Target) error  { return g.draw(t) }
func (g *game) Release()                  { g.draws.release() }
func (g *game) Viewport() image.Rectangle { return image.Rectangle{Max: g.view} }

func (g *game) Layout(gtx layout.Context) {
	g.view = gtx.Constraints.Max
	event.Op(gtx.Ops, g)
	gtx.Execute(key.FocusCmd{Tag: g})
	filters := []event.Filter{
		key.FocusFilter{Target: g}, key.Filter{Focus: g, Name: "C"},
		pointer.Filter{Target: g, Kinds: pointer.Press | pointer.Release | pointer.Drag | pointer.Cancel | pointer.Scroll, ScrollY: pointer.ScrollRange{Min: -1e6, Max: 1e6}},
	}
	for name := range flight {
		filters = append(filters, key.Filter{Focus: g, Name: name, Optional: key.ModShift})
	}
	for e, ok := gtx.Event(filters...); ok; e, ok = gtx.Event(filters...) {
		g.take(e)
	}
	g.rig.Hold(g.held)
	if g.rig.Advance(min(gtx.Now.Sub(g.then).Seconds(), 0.1)) || g.rig.Dragging() != camera.NoDrag {
		gtx.Execute(op.InvalidateCmd{})
	}
	g.then = gtx.Now
}

func (g *game) take(e event.Event) {
	switch e := e.(type) {
	case key.FocusEvent:
		g.held = 0
	case key.Event:
		if g.held &^= flight[e.Name]; e.State == key.Press {
			g.held |= flight[e.Name]
		}
		if e.Name == "C" && e.State == key.Press {
			g.culler.Off ^= cull.All
		}
	case pointer.Event:
		at := mgl64.Vec2{float64(e.Position.X), float64(e.Position.Y)}
		switch e.Kind {
		case pointer.Press:
			g.rig.Begin(camera.LookDrag, at)
		case pointer.Drag:
			g.rig.Move(at)
		case pointer.Scroll:
			g.rig.Wheel(float64(-e.Scroll.Y)/100, at)
		default:
			g.rig.End()
		}
	}
}
