package panel

import (
	"fmt"

	"gioui.org/layout"

	"ridgeline/icons"
)

// handles choose what the handles of the selection do, and along whose axes.
func (o *options) handles(gtx layout.Context) layout.Dimensions {
	h := &o.sh.s.Picking.Handles
	space := 0
	if h.Local {
		space = 1
	}
	return stack(gtx, 8, 6,
		o.fields.segments(sHandles, gizmoTitles[:], gizmoLines[:], int(h.Mode)),
		o.fields.segments(sAxes, []string{sWorldAxes, sLocalAxes}, []string{"gizmo.space name=world", "gizmo.space name=local"}, space),
	)
}

// The handles, in the order of gizmo.Mode.
var (
	gizmoTitles = [...]string{sMove, sRotate, sResizeIt}
	gizmoLines  = [...]string{"gizmo name=move", "gizmo name=rotate", "gizmo name=scale"}
	gizmoIcons  = [...]icons.Name{icons.Move, icons.Rotate, icons.Scale}
)

// snapping sets what is snapped to.
func (o *options) snapping(gtx layout.Context) layout.Dimensions {
	f, s := &o.fields, o.sh.s
	n := &s.Snapping
	toggle := func(name string) func(bool) string {
		return func(on bool) string { return "snap.set " + name + "=" + yesNo(on) }
	}
	return stack(gtx, 8, 6,
		columns(6,
			f.check(sSnap, sSnapHelp, s.Keys.Hint("snap.toggle"), n.On, func(bool) string { return "snap.toggle" }),
			f.number(quantity{title: sSnapGrid, label: sGrid, unit: uMetre, min: 0, max: 1e6, step: 0.5, decimals: 3, value: n.Grid, set: func(v float64) { n.Grid = v }, help: sNoneIfZero}),
		),
		columns(6,
			f.number(quantity{title: sSnapAngle, label: sAngle, unit: uDegree, min: 0, max: 180, step: 5, decimals: 2, value: degrees(n.Angle), set: func(v float64) { n.Angle = radians(v) }, help: sNoneIfZero}),
			f.number(quantity{title: sSnapScale, label: sFactor, min: 0, max: 100, step: 0.05, decimals: 3, value: n.Scale, set: func(v float64) { n.Scale = v }, help: sNoneIfZero}),
		),
		f.check(sSnapVertex, sSnapVertexHelp, "", n.Vertex, toggle("vertex")),
		f.check(sSnapSurface, sSnapSurfaceHelp, "", n.Surface, toggle("surface")),
		f.check(sSnapAlign, sSnapAlignHelp, "", n.Align, toggle("align")),
	)
}

// actions are what is done most with what is selected.
func (o *options) actions(gtx layout.Context) layout.Dimensions {
	f, s := &o.fields, o.sh.s
	mirror := make([]layout.Widget, 3)
	for i, axis := range [...]string{"x", "y", "z"} {
		title := sMirror + " " + [...]string{"X", "Y", "Z"}[i]
		mirror[i] = f.button("edit.mirror name="+axis, title, sMirrorHelp, icons.None)
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions { return o.sh.fact(gtx, sSelection, o.selected(), keyColumn) },
		columns(6,
			f.button("edit.duplicate", sDuplicate, sDuplicateHelp, icons.Duplicate),
			f.act(sArray, sArrayHelp, icons.Array, "", o.sh.why("edit.duplicate"), o.array.open),
		),
		columns(6,
			f.button("edit.group", sGroup, sGroupHelp, icons.Group),
			f.button("edit.ungroup", sUngroup, sUngroupHelp, icons.Ungroup),
		),
		columns(6,
			f.button("edit.ground", sToGround, sToGroundHelp, icons.Flatten),
			f.act(sSimilarTo, sSimilarHelp, icons.Select, s.Keys.Hint("select.similar"), o.sh.why("edit.duplicate"), func() { o.sh.run("select.similar") }),
		),
		columns(6, mirror...),
	)
}

// selected tells what is selected in a few words.
func (o *options) selected() string {
	list := o.sh.s.Selection()
	switch len(list) {
	case 0:
		return sNoneSel
	case 1:
		if e, ok := o.sh.s.Level().Entity(list[0]); ok {
			return titleOf(e)
		}
	}
	return fmt.Sprintf(sThings, len(list))
}
