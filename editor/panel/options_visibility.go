package panel

import (
	"fmt"
	"slices"
	"strconv"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/icons"
	"ridgeline/widgets"
)

var formTitles = map[tool.Form]string{tool.FormBox: sFormBox, tool.FormPolygon: sFormPolygon, tool.FormFlat: sFormFlat, tool.FormHole: sFormHole}

// stateTitles go with document.PortalStates.
var stateTitles = []string{sStateOpen, sStateClosed, sStateOneWay}

// draws are the ways of drawing a kind of thing: titles, and the lines that choose them.
func draws(what document.Kind) (forms []tool.Form, titles, lines []string) {
	for _, f := range tool.Forms {
		if (f == tool.FormFlat || f == tool.FormHole) && what != document.KindOccluder {
			continue
		}
		title := formTitles[f]
		if what == document.KindPortal && f == tool.FormBox {
			title = sFormRectangle
		}
		forms, titles = append(forms, f), append(titles, title)
		lines = append(lines, string(what)+".draw name="+string(f))
	}
	return forms, titles, lines
}

// drafting are the options of drawing occluders, cells and portals.
func (o *options) drafting(gtx layout.Context) layout.Dimensions {
	f, s := &o.fields, o.sh.s
	d := s.Draft()
	p := d.Options
	forms, titles, lines := draws(p.What)
	var rows []layout.Widget
	if s.Mode == session.ModePortal {
		now := 0
		if p.What == document.KindPortal {
			now = 1
		}
		form := string(p.Form)
		rows = append(rows, f.segments(sDrawWhat, []string{sCells, sPortals}, []string{"cell.draw name=" + form, "portal.draw name=" + form}, now))
	}
	rows = append(rows, f.segments(sDrawForm+string(p.What), titles, lines, slices.Index(forms, p.Form)), f.text(draftHelp(p)))
	if d.Solid() {
		rows = append(rows, f.track(quantity{
			title: sDraftHeight, unit: uMetre, min: tool.MinHeight, max: tool.MaxHeight, low: 0.1, high: 20, log: true, decimals: 2,
			value: p.Height, set: func(v float64) { p.Height = v }, help: sDraftHeightHelp,
		}))
	}
	if p.What == document.KindOccluder {
		rows = append(rows,
			f.check(sDraftAttach, sDraftAttachHelp, "", p.Attach, func(on bool) string { return "draft.set attach=" + yesNo(on) }),
		)
	}
	if p.What == document.KindCell {
		rows = append(rows,
			f.check(sDraftPiece, sDraftPieceHelp, "", p.Piece, func(on bool) string { return "draft.set piece=" + yesNo(on) }),
		)
	}
	if p.What == document.KindPortal {
		now := max(0, slices.Index(document.PortalStates, p.State))
		rows = append(rows,
			f.choice(sPortalState, stateTitles, now, func(i int) { o.sh.run("draft.set state=" + string(document.PortalStates[i])) }),
			f.track(quantity{
				title: sReach, unit: uMetre, min: 1e-3, max: 1000, low: 0.05, high: 10, log: true, decimals: 2,
				value: p.Reach, set: func(v float64) { p.Reach = v }, help: sReachHelp,
			}),
		)
	}
	if n := d.Pending(); n > 0 {
		text := cornersText(n)
		if d.Pulling() {
			text = tool.Metres(d.Height())
		}
		rows = append(rows, func(gtx layout.Context) layout.Dimensions { return o.sh.note(gtx, text, icons.Info) }, columns(6,
			f.act(sFinish, sFinishDraftHelp, icons.Check, "Enter", o.sh.why("draft.finish"), func() { o.sh.run("draft.finish") }),
			f.act(sGiveUp, sGiveUpDraftHelp, icons.Close, "Esc", "", func() { o.sh.run("draft.giveup") }),
		))
	}
	return stack(gtx, 8, 6, rows...)
}

func draftHelp(p *tool.Drafting) string {
	switch {
	case p.What == document.KindPortal:
		return sDrawPortalHelp
	case p.Form == tool.FormHole:
		return sDrawHoleHelp
	case p.Form == tool.FormFlat:
		return sDrawFlatHelp
	case p.Form == tool.FormPolygon:
		return sDrawPolygonHelp
	}
	return sDrawBoxHelp
}

// meshes are the selected objects that have one.
func (o *options) meshes() (ids []document.ID) {
	for _, e := range o.sh.s.Entities() {
		if d, ok := document.ObjectOf(e); ok && d.Asset != "" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// whyNoHull tells why no occluder can be made of what is selected.
func (o *options) whyNoHull() string {
	if len(o.meshes()) == 0 {
		return sFromNothing
	}
	return o.sh.why("occluder.from")
}

// leaks are what can be done with a hull that is not inside its mesh, as occluder.from
// names it, and their titles.
var (
	leaks      = []string{"on", "warn", "off"}
	leakTitles = []string{sFromRefuse, sFromWarn, sFromIgnore}
)

// hulling makes an occluder of what is selected.
func (o *options) hulling(gtx layout.Context) layout.Dimensions {
	f, p := &o.fields, o.sh.s.Draft().Options
	return stack(gtx, 8, 6,
		columns(6,
			f.number(quantity{title: sFromShrink, unit: uMetre, min: 0, max: 1e4, step: 0.05, decimals: 2, value: p.Shrink, set: func(v float64) { p.Shrink = v }, help: sFromShrinkHelp}),
			f.number(quantity{title: sFromFaces, min: 4, max: 1024, step: 1, integer: true, value: float64(p.Faces), set: func(v float64) { p.Faces = int(v) }, help: sFromFacesHelp}),
		),
		f.choice(sFromCheck, leakTitles, max(0, slices.Index(leaks, p.Check)), func(i int) { p.Check = leaks[i] }),
		f.act(sFromSelection, sFromHelp, icons.Occluder, "", o.whyNoHull(), func() {
			o.sh.run(callLine("occluder.from", "object", idWords(o.meshes()...), "shrink", number(p.Shrink), "faces", strconv.Itoa(p.Faces), "check", p.Check))
		}),
	)
}

func (o *options) draftHints() []hint {
	d := o.sh.s.Draft()
	if d.Pulling() {
		return []hint{{sMoveMouse, sPullIt}, {sClick, sMakeIt}, {"Ctrl+Z", sTakeBack}, {"Esc", sGiveItUp}}
	}
	list := []hint{{sLeftDrag, sDrawSide}}
	if d.Options.Form == tool.FormBox {
		list = append(list, hint{sClick, sSelectShape})
	} else {
		list = append(list, hint{sClick, sDrawCorner}, hint{"Enter", sFinishIt}, hint{sShiftClick, sSelectShape})
	}
	return append(list, hint{sDragCorner, sBendIt}, hint{sDragEdge, sNewCorner}, hint{o.sh.s.Keys.Hint("edit.delete"), sDeleteCorner}, hint{"Esc", sGiveItUp})
}

// draftingHint is what can be done in the middle of drawing.
func draftingHint(d *tool.Draft) string {
	switch {
	case d.Pulling():
		return fmt.Sprintf(sHintPull, tool.Metres(d.Height()))
	case d.Pending() > 0:
		return fmt.Sprintf(sHintDrawCorners, cornersText(d.Pending()))
	}
	return ""
}

// draftHint is what the mouse does at rest.
func draftHint(d *tool.Draft) string {
	box := d.Options.Form == tool.FormBox
	switch face := d.Options.What == document.KindPortal; {
	case face && box:
		return sHintDrawFace
	case face:
		return sHintFaceClicks
	case box:
		return sHintDrawBox
	case d.Options.Form == tool.FormHole:
		return sHintDrawHole
	}
	return sHintDrawClicks
}

// visibility is the menu of what makes visibility.
func (m *menus) visibility() widgets.MenuItem {
	s := m.sh.s
	menu := widgets.MenuItem{Title: sNewVisible, Icon: icons.Occluder}
	for i, what := range []document.Kind{document.KindOccluder, document.KindCell, document.KindPortal} {
		if i > 0 {
			menu.Items = append(menu.Items, separator)
		}
		forms, titles, lines := draws(what)
		for k, f := range forms {
			d := s.Draft()
			on := d != nil && d.Options.What == what && d.Options.Form == f
			menu.Items = append(menu.Items, m.checked(lines[k], fmt.Sprintf([...]string{sNewOccluder, sNewCell, sNewPortal}[i], lower(titles[k])), on))
		}
	}
	return menu
}
