package panel

import (
	"slices"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/widgets"
)

// sideTabs are the tabs below the outliner. A tab is there while its panel is shown.
type sideTabs struct {
	sh     *Shell
	tabs   widgets.Tabs
	open   string   // the panel of the tab that is shown
	before []string // the panels of the last frame
	scroll map[string]*widgets.Scroll
}

// tabTitles are the panels that have tabs, in order.
var tabTitles = [...]struct{ panel, title string }{
	{panelInspector, sInspector}, {panelLayers, sLayers}, {panelSun, sWorld}, {panelHistory, sHistory}, {panelCulling, sCulling}, {panelProblems, sProblems},
}

func (sh *Shell) sideShown() bool {
	return slices.ContainsFunc(sidePanels[:], sh.s.Shown) || sh.s.Shown(panelProblems)
}

// column is the right column: the outliner, and the tabs below it.
func (sh *Shell) column(gtx layout.Context) layout.Dimensions {
	th := sh.th
	widgets.Fill(gtx, th.Color.Panel)
	panels := sh.tabs.settle()
	sh.inspector.point = session.MarkerPoint{}
	defer func() { sh.s.ChoosePoint(sh.inspector.point) }()
	switch {
	case !sh.s.Shown(panelOutliner):
		return sh.tabs.layout(gtx, panels)
	case len(panels) == 0:
		return sh.outliner.layout(gtx)
	}
	sp := th.Split(&sh.things, thingsHeight)
	sp.Label, sp.Axis, sp.MinFixed, sp.MinRest = "Height of the outliner", layout.Vertical, 96, 120
	return sp.Layout(gtx, sh.outliner.layout, func(gtx layout.Context) layout.Dimensions { return sh.tabs.layout(gtx, panels) })
}

// settle gives the panels that have tabs now, and sees to it that one of them is
// open: that which was just shown, or the neighbour of one that was hidden.
func (t *sideTabs) settle() (panels []string) {
	for _, p := range tabTitles {
		if t.sh.s.Shown(p.panel) {
			panels = append(panels, p.panel)
		}
	}
	for _, p := range panels {
		if t.before != nil && !slices.Contains(t.before, p) {
			t.open = p
		}
	}
	if p := t.sh.s.TakeFront(); p != "" {
		t.open = p
	}
	if len(panels) > 0 && !slices.Contains(panels, t.open) {
		t.open = panels[max(0, min(slices.Index(t.before, t.open), len(panels)-1))]
	}
	t.before = panels
	return panels
}

func (t *sideTabs) layout(gtx layout.Context, panels []string) layout.Dimensions {
	th := t.sh.th
	titles := make([]string, len(panels))
	for i, p := range panels {
		for _, known := range tabTitles {
			if known.panel == p {
				titles[i] = known.title
			}
		}
	}
	if i, ok := t.tabs.Update(gtx); ok && i < len(panels) {
		t.open = panels[i]
	}
	t.tabs.Selected = slices.Index(panels, t.open)
	size := gtx.Constraints.Max
	gtx.Constraints.Min = size
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(th.Tabs(&t.tabs, titles...).Layout),
		layout.Flexed(1, t.body),
	)
}

// body is what the open tab shows.
func (t *sideTabs) body(gtx layout.Context) layout.Dimensions {
	sh := t.sh
	var w layout.Widget
	switch t.open {
	case panelInspector:
		w = sh.inspector.layout
	case panelLayers:
		w = sh.layers.layout
	case panelSun:
		w = func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, sh.sun.layout, sh.level.layout) }
	case panelCulling:
		w = sh.culling.layout
	case panelProblems:
		w = func(gtx layout.Context) layout.Dimensions {
			return stack(gtx, 0, 0, sh.suggests.layout, sh.problems.layout)
		}
	case panelHistory:
		return sh.history.layout(gtx)
	default:
		return layout.Dimensions{Size: gtx.Constraints.Max}
	}
	if t.scroll == nil {
		t.scroll = map[string]*widgets.Scroll{}
	}
	sc := t.scroll[t.open]
	if sc == nil {
		sc = new(widgets.Scroll)
		t.scroll[t.open] = sc
	}
	return sh.th.Scroll(gtx, sc, w)
}
