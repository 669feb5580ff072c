package panel

import (
	"image"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// toolbar is the row of modes, with what is needed often at its end.
type toolbar struct {
	sh    *Shell
	modes widgets.Choices
	gizmo widgets.Choices
	tools [toolCount]widgets.Button
	view  widgets.Choice
}

// The buttons of the toolbar beside the modes.
const (
	toolUndo = iota
	toolRedo
	toolSave
	toolSpace
	toolSnap
	toolWire
	toolBounds
	toolNodes
	toolMarkers
	toolFrame
	toolConsole
	toolPalette
	toolCount
)

// toolLines are what the buttons run.
var toolLines = [toolCount]struct {
	line, title string
	icon        icons.Name
	shown       string // what Session.Shown tells of it: the button is a switch
}{
	toolUndo:    {"undo", sUndo, icons.Undo, ""},
	toolRedo:    {"redo", sRedo, icons.Redo, ""},
	toolSave:    {"app.save", sSave, icons.Save, ""},
	toolSpace:   {"gizmo.space name=other", sLocalAxes, icons.Local, ""},
	toolSnap:    {"snap.toggle", sSnap, icons.Snap, ""},
	toolWire:    {"view.overlay name=wire", sWire, icons.Wire, "overlay wire"},
	toolBounds:  {"view.overlay name=bounds", sBounds, icons.Bounds, "overlay bounds"},
	toolNodes:   {"view.overlay name=nodes", sNodeTree, icons.NodeTree, "overlay nodes"},
	toolMarkers: {"view.overlay name=markers", sMarkers, icons.Markers, "overlay markers"},
	toolFrame:   {"view.frame", sFrame, icons.Frame, ""},
	toolConsole: {"view.panel name=console", sConsole, icons.Console, panelConsole},
	toolPalette: {"view.palette", sPalette, icons.Palette, ""},
}

// modeItems are the buttons of the modes.
func (t *toolbar) modeItems() []widgets.ChoiceItem {
	items := make([]widgets.ChoiceItem, len(session.Modes))
	for i, m := range session.Modes {
		it := widgets.ChoiceItem{Icon: modeIcons[m.Mode], Title: m.Title}
		line := "mode name=" + string(m.Mode)
		it.Keys, it.Reason = t.sh.s.Keys.Hint(line), t.sh.why(line)
		items[i] = it
	}
	return items
}

func (t *toolbar) layout(gtx layout.Context) layout.Dimensions {
	s, th, size := t.sh.s, t.sh.th, gtx.Constraints.Max
	if i, ok := t.modes.Update(gtx); ok {
		t.sh.run("mode name=" + string(session.Modes[i].Mode))
	}
	for i := range t.tools {
		if t.tools[i].Clicked(gtx) {
			t.sh.run(toolLines[i].line)
		}
	}
	if i, ok := t.gizmo.Update(gtx); ok {
		t.sh.run(gizmoLines[i])
	}
	if i, ok := t.view.Update(gtx); ok {
		t.sh.run("view.from name=" + sides[i])
	}
	for i, m := range session.Modes {
		if m.Mode == s.Mode {
			t.modes.Selected = i
		}
	}
	t.view.Selected = viewOf(s)
	t.gizmo.Selected = int(s.Picking.Handles.Mode)

	fill(gtx, th.Color.Bar, image.Rectangle{Max: size})
	pad, gap, side := gtx.Dp(8), gtx.Dp(2), gtx.Dp(th.Size.Tool)
	y := (size.Y - side) / 2
	x := pad/2 + loose(gtx, image.Pt(pad/2, y), size, th.ToolGroup(&t.modes, t.modeItems()).Layout).X
	bar := func() {
		x += pad
		fill(gtx, th.Color.Border, image.Rect(x, gtx.Dp(10), x+max(1, int(gtx.Metric.PxPerDp)), size.Y-gtx.Dp(10)))
		x += pad
	}
	bar()
	for _, i := range [...]int{toolUndo, toolRedo, toolSave} {
		x += t.button(gtx, i, image.Pt(x, y)) + gap
	}

	// The right end, from its left. The handles are left out before it.
	right := [...]int{toolWire, toolBounds, toolNodes, toolMarkers, toolFrame}
	last := [...]int{toolConsole, toolPalette}
	view := gtx.Dp(116)
	width := (len(right)+len(last))*(side+gap) + 3*pad + view
	if handles := (len(gizmoLines)+2)*(side+gap) + 3*pad; s.HandlesShown() && x+handles+width <= size.X {
		x -= gap
		bar()
		x += loose(gtx, image.Pt(x, y), size, th.ToolGroup(&t.gizmo, t.gizmoItems()).Layout).X + pad/2
		for _, i := range [...]int{toolSpace, toolSnap} {
			x += t.button(gtx, i, image.Pt(x, y)) + gap
		}
	}
	if x+width > size.X {
		return layout.Dimensions{Size: size}
	}
	x = size.X - width
	for _, i := range right {
		x += t.button(gtx, i, image.Pt(x, y)) + gap
	}
	x += pad / 2
	row := gtx.Dp(th.Size.Row)
	in(gtx, image.Rect(x, (size.Y-row)/2, x+view, (size.Y-row)/2+row), func(gtx layout.Context) layout.Dimensions {
		c := th.Choice(&t.view, sView, viewTitles[:]...)
		c.Tip = widgets.Tip{Title: sView, Keys: s.Keys.Hint("view.from name=" + sides[viewOf(s)])}
		return c.Layout(gtx)
	})
	x += view
	bar()
	x -= gap
	for _, i := range last {
		x += t.button(gtx, i, image.Pt(x, y)) + gap
	}
	return layout.Dimensions{Size: size}
}

// gizmoItems are the buttons of the handles.
func (t *toolbar) gizmoItems() []widgets.ChoiceItem {
	items := make([]widgets.ChoiceItem, len(gizmoLines))
	for i, line := range gizmoLines {
		items[i] = widgets.ChoiceItem{Icon: gizmoIcons[i], Title: gizmoTitles[i], Keys: t.sh.s.Keys.Hint(line), Reason: t.sh.why(line)}
	}
	return items
}

// button draws one button and gives its width.
func (t *toolbar) button(gtx layout.Context, i int, at image.Point) int {
	d, s := &toolLines[i], t.sh.s
	b := t.sh.th.ToolButton(&t.tools[i], d.icon, d.title)
	b.Tip = widgets.Tip{Title: d.title, Keys: s.Keys.Hint(d.line)}
	b.Reason = t.sh.why(d.line)
	b.Selected = d.shown != "" && s.Shown(d.shown)
	switch steps, n := s.Document().History(), s.Document().Position(); {
	case i == toolSpace:
		b.Selected, b.Tip.Help = s.Picking.Handles.Local, sLocalHelp
	case i == toolSnap:
		b.Selected, b.Tip.Help = s.Snapping.On, sSnapHelp
	case i == toolUndo && n > 0:
		b.Tip.Help = steps[n-1].Name
	case i == toolRedo && n < len(steps):
		b.Tip.Help = steps[n].Name
	}
	return loose(gtx, at, gtx.Constraints.Max, b.Layout).X
}
