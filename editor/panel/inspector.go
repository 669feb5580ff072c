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

// inspector shows what is selected and edits all of it at once; of nothing, it tells
// what stands in the level.
type inspector struct {
	sh *Shell

	picked picked
	of     pickedOf
	angles map[document.ID]setAngles

	gesture gesture

	name           widgets.Entry
	layer          widgets.Choice
	parent         widgets.Button
	hidden, locked widgets.Check
	unlock         widgets.Button

	place, turn, scale widgets.Vector
	uneven             bool // the zero value scales evenly
	even               bool
	evenly             widgets.Button

	object     objectPart
	marker     markerPart
	point      session.MarkerPoint // that is shown as chosen
	scatter    scatterPart
	visible    visiblePart
	properties widgets.Properties
	level      levelPart
}

// labelAbove is wider than any column, so that the label of a vector goes above.
const labelAbove = 1e5

// labelColumn is the width of the names left of the widgets.
const labelColumn = 92

func (ip *inspector) layout(gtx layout.Context) layout.Dimensions {
	sh := ip.sh
	ip.settle()
	ip.even = !ip.uneven
	p := ip.pick()
	if len(p.ids) == 0 {
		return ip.level.layout(gtx, ip)
	}
	ip.events(gtx, p)
	p = ip.pick() // what was just done shows at once
	reason, own := p.reason, p.own
	parts := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions { return ip.head(gtx, p, reason, own) },
	}
	part := func(title string, n int, body layout.Widget) {
		if n > 0 && n < len(p.ids) {
			title = fmt.Sprintf(sOfSeveral, title, n, len(p.ids))
		}
		parts = append(parts, func(gtx layout.Context) layout.Dimensions { return sh.section(gtx, title, body) })
	}
	part(sTransform, 0, func(gtx layout.Context) layout.Dimensions { return ip.transform(gtx, p, reason) })
	if n := len(p.objects); n > 0 {
		part(sMesh, n, func(gtx layout.Context) layout.Dimensions { return ip.object.mesh(gtx, ip, p, reason) })
		part(sCollision, n, func(gtx layout.Context) layout.Dimensions { return ip.object.collide(gtx, ip, p, reason) })
	}
	if n := len(p.markers); n > 0 {
		part(sMarker, n, func(gtx layout.Context) layout.Dimensions { return ip.marker.layout(gtx, ip, p, reason) })
	}
	if n := len(p.scatters); n > 0 {
		part(sScatter, n, func(gtx layout.Context) layout.Dimensions { return ip.scatter.layout(gtx, ip, p, reason) })
	}
	if n := len(p.visible.occluders); n > 0 {
		part(sOccluder, n, func(gtx layout.Context) layout.Dimensions { return ip.visible.occluder(gtx, ip, p, reason) })
	}
	if n := len(p.visible.cells); n > 0 {
		part(sCell, n, func(gtx layout.Context) layout.Dimensions { return ip.visible.cell(gtx, ip, p) })
	}
	if n := len(p.visible.portals); n > 0 {
		part(sPortal, n, func(gtx layout.Context) layout.Dimensions { return ip.visible.portal(gtx, ip, p, reason) })
	}
	part(sProperties, 0, func(gtx layout.Context) layout.Dimensions { return ip.table(gtx, p, reason) })
	return stack(gtx, 0, 0, parts...)
}

// events does what the user did with the widgets that all things have.
func (ip *inspector) events(gtx layout.Context, p *picked) {
	sh := ip.sh
	if name, ok := ip.name.Update(gtx); ok {
		if name = strings.TrimSpace(name); name != "" {
			sh.run(setLine(p.ids, "name", name))
		}
	}
	if i, ok := ip.layer.Update(gtx); ok {
		ip.setLayer(p, i)
	}
	if ip.parent.Clicked(gtx) && p.parent.value != 0 {
		sh.s.Select(p.parent.value)
		sh.again = true
	}
	if on, ok := ip.hidden.Update(gtx); ok {
		sh.run(setLine(p.ids, "hidden", yesNo(on)))
	}
	if on, ok := ip.locked.Update(gtx); ok {
		sh.run(setLine(p.ids, "locked", yesNo(on)))
	}
	if ip.unlock.Clicked(gtx) {
		sh.run(setLine(p.ids, "locked", "no"))
	}
	if ip.evenly.Clicked(gtx) {
		ip.uneven = !ip.uneven
		sh.again = true
	}
	for _, v := range []struct {
		vector *widgets.Vector
		edit   func(*picked, int) edit
	}{{&ip.place, ip.placeEdit}, {&ip.turn, ip.turnEdit}, {&ip.scale, ip.scaleEdit}} {
		for {
			c, ok := v.vector.Update(gtx)
			if !ok {
				break
			}
			ip.change(c.Change, v.edit(p, c.Axis))
		}
	}
}

// layerTitles are what can be chosen as the layer, the first of which is none.
func (ip *inspector) layerTitles(p *picked) []string {
	titles := []string{""}
	for _, g := range ip.sh.s.Level().Settings.EntityLayers {
		titles = append(titles, g.Name)
	}
	if !p.layer.mixed && !slices.Contains(titles, p.layer.value) {
		titles = append(titles, p.layer.value)
	}
	return titles
}

// setLayer puts what is selected on a layer; the choice behind the last makes one.
func (ip *inspector) setLayer(p *picked, i int) {
	titles := ip.layerTitles(p)
	if i < len(titles) {
		ip.sh.run(setLine(p.ids, "layer", titles[i]))
		return
	}
	ip.sh.pick(pickNewLayer)
}

// head is what all things have but for where they are.
func (ip *inspector) head(gtx layout.Context, p *picked, reason string, own bool) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	ip.name.Value, ip.name.Mixed = p.name.value, p.name.mixed
	ip.hidden.Value, ip.hidden.Mixed = p.hidden.value, p.hidden.mixed
	ip.locked.Value, ip.locked.Mixed = p.locked.value, p.locked.mixed
	titles := ip.layerTitles(p)
	ip.layer.Mixed, ip.layer.Selected = p.layer.mixed, max(0, slices.Index(titles, p.layer.value))
	titles[0] = sNoLayer
	titles = append(titles, sNewLayerDot)
	readOnly := ""
	if sh.s.ReadOnly() {
		readOnly = reason
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions {
			if reason == "" {
				return layout.Dimensions{}
			}
			return ip.fixed(gtx, reason, own)
		},
		func(gtx layout.Context) layout.Dimensions { return ip.named(gtx, p, reason) },
		func(gtx layout.Context) layout.Dimensions {
			return sh.labelled(gtx, sLayer, func(gtx layout.Context) layout.Dimensions {
				c := th.Choice(&ip.layer, sLayer, titles...)
				c.Reason = reason
				return c.Layout(gtx)
			})
		},
		func(gtx layout.Context) layout.Dimensions { return ip.parentRow(gtx, p) },
		columns(8,
			func(gtx layout.Context) layout.Dimensions {
				c := th.Check(&ip.hidden, sHidden)
				c.Reason = reason
				gtx.Constraints.Min = image.Point{}
				return c.Layout(gtx)
			},
			func(gtx layout.Context) layout.Dimensions {
				c := th.Check(&ip.locked, sLocked)
				c.Reason = readOnly
				gtx.Constraints.Min = image.Point{}
				return c.Layout(gtx)
			},
		),
	)
}

// fixed says why nothing can be changed, with a button where that helps.
func (ip *inspector) fixed(gtx layout.Context, reason string, own bool) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	icon := icons.Lock
	if !own {
		return sh.note(gtx, reason+".", icon)
	}
	w := gtx.Dp(72)
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	inside := gtx
	inside.Constraints = layout.Constraints{Max: image.Pt(size.X-w-gtx.Dp(8), size.Y)}
	loose(gtx, image.Pt(0, gtx.Dp(3)), inside.Constraints.Max, func(gtx layout.Context) layout.Dimensions {
		return sh.note(gtx, reason+".", icon)
	})
	in(gtx, image.Rect(size.X-w, 0, size.X, size.Y), th.Button(&ip.unlock, sUnlockIt).Layout)
	return layout.Dimensions{Size: size}
}

// named is the kind and the name in one row.
func (ip *inspector) named(gtx layout.Context, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	return stack(gtx, 0, 4,
		func(gtx layout.Context) layout.Dimensions {
			size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.IconSize)+gtx.Dp(4))
			icon := icons.Outliner
			if len(p.kinds) == 1 {
				icon = iconOf(p.entities[0])
			}
			px := gtx.Dp(th.Size.IconSize)
			ic := th.Icon(icon)
			ic.Color = th.Color.Dim
			loose(gtx, image.Pt(0, (size.Y-px)/2), size, ic.Layout)
			sh.oneLine(gtx, th.Heading(p.title()), image.Rect(px+gtx.Dp(8), 0, size.X, size.Y))
			return layout.Dimensions{Size: size}
		},
		func(gtx layout.Context) layout.Dimensions {
			e := th.Entry(&ip.name, sName)
			e.Hint, e.Reason = sName, reason
			e.Check = func(text string) string {
				if strings.TrimSpace(text) == "" {
					return sNameNeeded
				}
				return ""
			}
			return e.Layout(gtx)
		},
	)
}

// parentRow tells what the things are part of.
func (ip *inspector) parentRow(gtx layout.Context, p *picked) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	text := sNoParent
	e, ok := sh.s.Level().Entity(p.parent.value)
	switch {
	case p.parent.mixed:
		text, ok = sSeveral, false
	case ok:
		text = titleOf(e)
	}
	return sh.labelled(gtx, sParent, func(gtx layout.Context) layout.Dimensions {
		size := gtx.Constraints.Max
		right := size.X
		if ok {
			right -= size.Y
			in(gtx, image.Rect(right, 0, size.X, size.Y), th.IconButton(&ip.parent, icons.Select, sSelectParent).Layout)
		}
		l := th.Label(text)
		if !ok {
			l.Color = th.Color.Dim
		}
		sh.oneLine(gtx, l, image.Rect(0, 0, right-gtx.Dp(4), size.Y))
		return layout.Dimensions{Size: size}
	})
}

// transform is where the things are, how they are turned, and how large.
func (ip *inspector) transform(gtx layout.Context, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	p.place.show(&ip.place)
	p.turn.show(&ip.turn)
	p.scale.show(&ip.scale)
	for i := range 3 {
		ip.place.Axes[i].Step = 1
		ip.turn.Axes[i].Min, ip.turn.Axes[i].Max, ip.turn.Axes[i].Step = -360, 360, 5
		ip.scale.Axes[i].Step = 0.1
	}
	vector := func(v *widgets.Vector, label, unit, tip string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			s := th.Vector(v, label, unit)
			s.Reason, s.LabelWidth = reason, labelAbove
			s.Tip.Help = tip
			return s.Layout(gtx)
		}
	}
	turn, scale := sTurnLocal, sScaleLocal
	if p.parented {
		turn, scale = sTurnParent, sScaleParent
	}
	rows := []layout.Widget{
		vector(&ip.place, sPlaceWorld, uMetre, sPlaceTip),
		vector(&ip.turn, turn, uDegree, sTurnTip),
		func(gtx layout.Context) layout.Dimensions {
			// The switch stands at the end of the line above the numbers.
			d := vector(&ip.scale, scale, "", sScaleTip)(gtx)
			side := gtx.Dp(20)
			in(gtx, image.Rect(d.Size.X-side, 0, d.Size.X, side), func(gtx layout.Context) layout.Dimensions {
				b := th.IconButton(&ip.evenly, icons.Link, sUniform)
				b.Selected, b.Size, b.IconSize, b.Reason = ip.even, 20, 14, reason
				if !ip.even {
					b.Icon = icons.Unlink
				}
				return b.Layout(gtx)
			})
			return d
		},
	}
	if !p.box.IsEmpty() {
		size := p.box.Size()
		if size.Len() > 0 {
			rows = append(rows, func(gtx layout.Context) layout.Dimensions {
				return sh.fact(gtx, sExtentWorld, extent(size), labelColumn)
			})
		}
	}
	return stack(gtx, 8, 6, rows...)
}

// table is the keys and values that the game will understand.
func (ip *inspector) table(gtx layout.Context, p *picked, reason string) layout.Dimensions {
	sh := ip.sh
	for {
		ev, ok := ip.properties.Update(gtx)
		if !ok {
			break
		}
		ids := idWords(p.ids...)
		set := func(key, value string) string {
			return callLine("property.set", "ids", ids, "key", key, "value", value)
		}
		switch ev.Kind {
		case widgets.PropertyAdd, widgets.PropertySet:
			if ev.Kind == widgets.PropertyAdd && ev.Value == "" {
				sh.s.Warn(fmt.Sprintf(sValueNeeded, ev.Key))
				continue
			}
			sh.run(set(ev.Key, ev.Value))
		case widgets.PropertyRemove:
			sh.run(set(ev.Key, ""))
		case widgets.PropertyRename:
			ip.renameProperty(p, ev.Key, ev.To)
		}
	}
	p = ip.pick()
	return stack(gtx, 8, 6, func(gtx layout.Context) layout.Dimensions {
		t := sh.th.Properties(&ip.properties)
		t.Reason = reason
		return t.Layout(gtx, p.properties)
	})
}

// renameProperty gives a property of each thing that has it another key.
func (ip *inspector) renameProperty(p *picked, key, to string) {
	values := map[string][]document.ID{}
	var order []string
	for _, e := range p.entities {
		if v, ok := e.Properties[key]; ok {
			if values[v] == nil {
				order = append(order, v)
			}
			values[v] = append(values[v], e.ID)
		}
	}
	var lines []string
	for _, v := range order {
		ids := idWords(values[v]...)
		lines = append(lines,
			callLine("property.set", "ids", ids, "key", to, "value", v),
			callLine("property.set", "ids", ids, "key", key))
	}
	if len(lines) > 0 {
		ip.sh.runAll(stepName(sRename+" "+key+" of", ip.sh.s.Level(), p.ids), lines...)
	}
}
