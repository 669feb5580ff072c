package panel

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// visiblePart is what occluders, cells and portals have.
type visiblePart struct {
	off    widgets.Check
	cuts   [3]widgets.Button // across X, Y, Z
	merge  widgets.Button
	shrink widgets.Button
	by     widgets.Number
	attach widgets.Button
	detach widgets.Button

	states widgets.Choices
	reach  widgets.Number
	flip   widgets.Button
	snap   widgets.Button
	doors  widgets.Button // selects the portals of a cell
}

// visible is what the selected occluders, cells and portals have in common.
type visible struct {
	occluders []document.ID
	off       common[bool]
	occluder  session.OccluderFacts // of the only one

	cells []document.ID
	cell  session.CellFacts

	portals []document.ID
	state   common[document.PortalState]
	reach   commonNumber
	portal  session.PortalFacts
}

// add takes in an entity, and reports whether it is of these kinds.
func (v *visible) add(s *session.Session, e *document.Entity) {
	switch d := e.Data.(type) {
	case document.Occluder:
		v.occluders = append(v.occluders, e.ID)
		v.off.add(d.Off)
		v.occluder, _ = s.OccluderFacts(e.ID)
	case document.Cell:
		v.cells = append(v.cells, e.ID)
		v.cell, _ = s.CellFacts(e.ID)
	case document.Portal:
		v.portals = append(v.portals, e.ID)
		if d.State == "" {
			d.State = document.PortalOpen
		}
		if d.Reach == 0 {
			d.Reach = document.PortalReach
		}
		v.state.add(d.State)
		v.reach.add(d.Reach)
		v.portal, _ = s.PortalFacts(e.ID)
	}
}

func (ip *inspector) factRow(name, text string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions { return ip.sh.fact(gtx, name, text, labelColumn) }
}

// action is a button that runs a line.
func (ip *inspector) action(b *widgets.Button, title, help string, icon icons.Name, reason string, line func() string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		if b.Clicked(gtx) {
			ip.sh.run(line())
			ip.sh.again = true
		}
		d := ip.sh.th.Button(b, title)
		d.Icon, d.Reason = icon, reason
		d.Tip = widgets.Tip{Title: title, Help: help}
		return d.Layout(gtx)
	}
}

// nameOf is the name of a thing of the level.
func (ip *inspector) nameOf(id document.ID) string {
	if e, ok := ip.sh.s.Level().Entity(id); ok {
		return titleOf(e)
	}
	return sOutsideCell
}

func (ip *inspector) namesOf(ids []document.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = ip.nameOf(id)
	}
	return strings.Join(names, ", ")
}

// volume writes cubic metres.
func volume(v float64) string { return widgets.FormatNumber(v, 2) + " m³" }

// occluder is the part of occluders.
func (w *visiblePart) occluder(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	v := &p.visible
	ids := idWords(v.occluders...)
	if on, ok := w.off.Update(gtx); ok {
		sh.run(callLine("occluder.set", "id", ids, "off", yesNo(on)))
		p = ip.pick()
		v = &p.visible
	}
	w.off.Value, w.off.Mixed = v.off.value, v.off.mixed
	var list []layout.Widget
	warn := func(text string) {
		list = append(list, func(gtx layout.Context) layout.Dimensions { return sh.note(gtx, text, icons.Warning) })
	}
	if len(v.occluders) == 1 {
		f := &v.occluder
		list = append(list, func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, w.occluderFacts(ip, f)...) })
		if f.Fault != nil {
			warn(fmt.Sprintf(sNoShape, sentence(f.Fault)))
		}
		if len(f.Doors) > 0 {
			warn(fmt.Sprintf(sCrossedBy, ip.namesOf(f.Doors)))
		}
	}
	list = append(list, func(gtx layout.Context) layout.Dimensions {
		c := th.Check(&w.off, sHidesNothing)
		c.Reason, c.Tip = reason, widgets.Tip{Title: sHidesNothing, Help: sHidesNothingHelp}
		gtx.Constraints.Min = image.Point{}
		return c.Layout(gtx)
	})
	list = append(list, w.attaching(ip, p, reason), w.shaping(gtx, ip, p, reason), w.cutting(ip, p, reason))
	return stack(gtx, 8, 6, list...)
}

// occluderFacts are what is known of one occluder.
func (w *visiblePart) occluderFacts(ip *inspector, f *session.OccluderFacts) (rows []layout.Widget) {
	owner := sNothing
	if f.Owner != 0 {
		owner = ip.nameOf(f.Owner)
	}
	if f.Fault == nil {
		form, size, amount := sHull, sVolume, volume(f.Volume)
		corners := fmt.Sprintf(sCornersFaces, countText(f.Corners), countText(f.Faces))
		if f.Polygon {
			form, size, amount, corners = sFlatPolygon, sArea, surface(f.Area), countText(f.Corners)
		}
		if f.Hole {
			form = sHoledPolygon
		}
		rows = append(rows, ip.factRow(sDrawForm, form), ip.factRow(sCornersOf, corners), ip.factRow(size, amount))
	}
	return append(rows, ip.factRow(sBelongsTo, owner))
}

// why is the reason why something cannot be done: the first that there is.
func why(reasons ...string) string {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}

// attaching joins occluders with an object that is selected too, and parts them.
func (w *visiblePart) attaching(ip *inspector, p *picked, reason string) layout.Widget {
	ids := idWords(p.visible.occluders...)
	var object document.ID
	noObject := sSelectObject
	for _, e := range p.entities {
		if e.Kind == document.KindObject {
			if object != 0 {
				noObject = sOneObject
			} else {
				object, noObject = e.ID, ""
			}
		}
	}
	free := sAttachedNot
	for _, e := range p.entities {
		if e.Kind == document.KindOccluder && e.Parent != 0 {
			free = ""
		}
	}
	return columns(6,
		ip.action(&w.attach, sAttach, sAttachHelp, icons.Link, why(reason, noObject), func() string {
			return callLine("occluder.set", "id", ids, "object", idWords(object))
		}),
		ip.action(&w.detach, sDetach, sDetachHelp, icons.Unlink, why(reason, free), func() string {
			return callLine("occluder.set", "id", ids, "object", "0")
		}),
	)
}

// hulls tells why some occluders are not all hulls; "" if they are.
func (p *picked) hulls() string {
	for _, e := range p.entities {
		if o, ok := e.Data.(document.Occluder); ok && o.Polygon {
			return sHullsOnly
		}
	}
	return ""
}

// shaping makes hulls smaller, and one of several.
func (w *visiblePart) shaping(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Widget {
	sh, ids := ip.sh, p.visible.occluders
	n := &w.by
	n.Min, n.Max, n.Step, n.Decimals = 0.001, 1e4, 0.05, 3
	if n.Value == 0 {
		n.Value = 0.1
	}
	for {
		c, ok := n.Update(gtx)
		if !ok {
			break
		}
		n.Value = c.Value
		sh.again = true
	}
	few := ""
	if len(ids) < 2 {
		few = sSelectTwo
	}
	return func(gtx layout.Context) layout.Dimensions {
		return stack(gtx, 0, 6,
			columns(6,
				func(gtx layout.Context) layout.Dimensions {
					d := sh.th.Number(n, uMetre)
					d.Label, d.Reason = sShrinkBy, why(reason, p.hulls())
					d.Tip = widgets.Tip{Title: sShrinkBy, Help: sShrinkHelp}
					return d.Layout(gtx)
				},
				ip.action(&w.shrink, sShrink, sShrinkHelp, icons.None, why(reason, p.hulls()), func() string {
					return callLine("occluder.shrink", "id", idWords(ids...), "by", number(n.Value))
				}),
			),
			ip.action(&w.merge, sMerge, sMergeHelp, icons.Group, why(reason, p.hulls(), few), func() string {
				return callLine("occluder.merge", "ids", idWords(ids...))
			}),
		)
	}
}

// cutting cuts an occluder in two through its middle, across an axis.
func (w *visiblePart) cutting(ip *inspector, p *picked, reason string) layout.Widget {
	ids := p.visible.occluders
	single := ""
	if len(ids) != 1 {
		single = sOneOccluder
	}
	list := make([]layout.Widget, 3)
	for i, axis := range [...]string{"X", "Y", "Z"} {
		list[i] = ip.action(&w.cuts[i], sCut+" "+axis, sCutHelp, icons.None, why(reason, single), func() string {
			c := ip.sh.s.Scene().BoundsOf(ids[0]).Center()
			normal := [...]string{"1,0,0", "0,1,0", "0,0,1"}[i]
			return callLine("occluder.cut", "id", idWords(ids...), "point", number(c[0])+","+number(c[1])+","+number(c[2]), "normal", normal)
		})
	}
	return columns(6, list...)
}

// cell is the part of cells.
func (w *visiblePart) cell(gtx layout.Context, ip *inspector, p *picked) layout.Dimensions {
	sh, v := ip.sh, &p.visible
	if len(v.cells) != 1 {
		return stack(gtx, 8, 6, func(gtx layout.Context) layout.Dimensions { return sh.note(gtx, sOneCell, icons.Info) })
	}
	f := v.cell
	rows := []layout.Widget{
		ip.factRow(sPieces, countText(f.Pieces)), ip.factRow(sCornersOf, countText(f.Corners)), ip.factRow(sVolume, volume(f.Volume)),
		ip.factRow(sThingsInside, countText(f.Inside)), ip.factRow(sPortals, countText(len(f.Portals))),
	}
	none := ""
	if len(f.Portals) == 0 {
		none = sNoPortals
	}
	list := []layout.Widget{func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, rows...) }}
	if f.Fault != nil {
		list = append(list, func(gtx layout.Context) layout.Dimensions {
			return sh.note(gtx, fmt.Sprintf(sNoShape, sentence(f.Fault)), icons.Warning)
		})
	}
	list = append(list, func(gtx layout.Context) layout.Dimensions {
		if w.doors.Clicked(gtx) {
			sh.s.Select(f.Portals...)
			sh.again = true
		}
		b := sh.th.Button(&w.doors, sSelectPortals)
		b.Icon, b.Reason = icons.Portal, none
		return b.Layout(gtx)
	})
	return stack(gtx, 8, 6, list...)
}

// portal is the part of portals.
func (w *visiblePart) portal(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	ids := idWords(p.visible.portals...)
	if i, ok := w.states.Update(gtx); ok {
		sh.run(callLine("portal.set", "id", ids, "state", string(document.PortalStates[i])))
		p = ip.pick()
	}
	n := &w.reach
	n.Min, n.Max, n.Step, n.Decimals = 0.001, 1000, 0.1, 3
	for {
		c, ok := n.Update(gtx)
		if !ok {
			break
		}
		e := ip.dataEdit(p.visible.portals, "reach", n, p.visible.reach.mixed, func(e *document.Entity, of func(float64) float64) {
			if d, ok := e.Data.(document.Portal); ok {
				if d.Reach == 0 {
					d.Reach = document.PortalReach
				}
				if d.Reach = of(d.Reach); d.Reach == document.PortalReach {
					d.Reach = 0 // which stands for it
				}
				e.Data = d
			}
		})
		e.line = func(v float64) string { return callLine("portal.set", "id", ids, "reach", number(v)) }
		ip.change(c, e)
		p = ip.pick()
	}
	v := &p.visible
	if !n.Dragging() {
		n.Value, n.Mixed = v.reach.value, v.reach.mixed
	}
	w.states.Selected = slices.Index(document.PortalStates, v.state.value)
	if v.state.mixed {
		w.states.Selected = -1
	}
	list := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions {
			s := th.Segments(&w.states, stateTitles...)
			s.Reason = reason
			return s.Layout(gtx)
		},
	}
	if f := &v.portal; len(v.portals) == 1 {
		rows := []layout.Widget{ip.factRow(sFrontSide, ip.nameOf(f.Front)), ip.factRow(sBackSide, ip.nameOf(f.Back)), ip.factRow(sArea, surface(f.Area))}
		list = append(list, func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, rows...) })
		if !f.Joins {
			text := sJoinsNothing
			if f.Front != 0 {
				text = fmt.Sprintf(sJoinsItself, ip.nameOf(f.Front))
			}
			list = append(list, func(gtx layout.Context) layout.Dimensions { return sh.note(gtx, text, icons.Warning) })
		}
	}
	list = append(list,
		func(gtx layout.Context) layout.Dimensions {
			d := th.Number(n, uMetre)
			d.Label, d.Reason = sReach, reason
			d.Tip = widgets.Tip{Title: sReach, Help: sReachHelp}
			return d.Layout(gtx)
		},
		columns(6,
			ip.action(&w.flip, sFlip, sFlipHelp, icons.Mirror, reason, func() string { return callLine("portal.flip", "id", ids) }),
			ip.action(&w.snap, sSnapPortal, sSnapPortalHelp, icons.Snap, reason, func() string { return callLine("portal.snap", "id", ids) }),
		),
	)
	return stack(gtx, 8, 6, list...)
}
