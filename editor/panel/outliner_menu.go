package panel

import (
	"fmt"
	"strconv"
	"strings"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// The items of the outliner's menu that are no lines to run.
const (
	pickRename   = "outliner:rename"
	pickNewLayer = "outliner:layer"
	pickAddLayer = "outliner:addlayer"
	pickOnLayer  = "outliner:onlayer"
	pickShow     = "outliner:show"
	pickUnlock   = "outliner:unlock"
	pickGeometry = "outliner:geometry " // with yes or no behind it
	pickToLayer  = "outliner:to "       // with the index of the layer behind it, -1 for none
)

// items are what a right click offers: for what is selected, for the layer that is
// chosen, or else for the level.
func (o *outliner) items() []widgets.MenuItem {
	switch {
	case o.chosen.on && o.chosen.name != "":
		return o.layerItems()
	case len(o.seen) > 0:
		return thingItems(o.sh)
	}
	out := []widgets.MenuItem{
		o.sh.menus.item("select.all", sSelectAll, icons.None),
		o.sh.menus.item("edit.showall", sShowAll, icons.Eye),
	}
	if o.built.layers {
		out = append(out, separator, widgets.MenuItem{ID: pickAddLayer, Title: sNewLayer, Icon: icons.Plus, Reason: o.sh.why("outline.layer name=x")})
	}
	return out
}

// thingItems are what can be done with what is selected.
func thingItems(sh *Shell) []widgets.MenuItem {
	item := sh.menus.item
	mirror := widgets.MenuItem{Title: sMirror, Icon: icons.Mirror, Reason: sh.why("edit.mirror name=x")}
	for _, axis := range [...]string{"x", "y", "z"} {
		mirror.Items = append(mirror.Items, item("edit.mirror name="+axis, fmt.Sprintf(sMirrorAxis, strings.ToUpper(axis)), icons.None))
	}
	edit := sh.why("edit.hide")
	p := sh.inspector.pick()
	geometry := widgets.MenuItem{ID: pickGeometry + "yes", Title: sGeometry, Icon: icons.Wire, Reason: edit}
	switch {
	case len(p.objects) == 0:
		geometry.Reason = sNoMesh
	case p.geometry.value && !p.geometry.mixed:
		geometry.ID, geometry.Title = pickGeometry+"no", sNoGeometry
	}
	hide, lock := item("edit.hide", sHide, icons.EyeOff), item("edit.lock", sLock, icons.Lock)
	if p.hidden.value && !p.hidden.mixed {
		hide = widgets.MenuItem{ID: pickShow, Title: sShow, Icon: icons.Eye, Reason: edit}
	}
	if p.locked.value && !p.locked.mixed {
		lock = widgets.MenuItem{ID: pickUnlock, Title: sUnlock, Icon: icons.Unlock, Reason: edit}
	}
	to := widgets.MenuItem{Title: sToLayer, Icon: icons.Layers, Reason: edit}
	for i, g := range sh.s.Level().Settings.EntityLayers {
		to.Items = append(to.Items, widgets.MenuItem{ID: pickToLayer + strconv.Itoa(i), Title: g.Name})
	}
	if len(to.Items) > 0 {
		to.Items = append(to.Items, separator)
	}
	to.Items = append(to.Items,
		widgets.MenuItem{ID: pickToLayer + "-1", Title: sNoLayer},
		widgets.MenuItem{ID: pickNewLayer, Title: sNewLayerDot, Icon: icons.Plus})
	rename := widgets.MenuItem{ID: pickRename, Title: sRename, Keys: "F2", Icon: icons.Pencil, Reason: edit}
	return []widgets.MenuItem{
		item("view.selection", sFrameIt, icons.Frame),
		item("select.similar", sSimilar, icons.Select),
		separator,
		rename,
		item("edit.duplicate", sDuplicate, icons.Duplicate),
		item("edit.group", sGroup, icons.Group),
		item("edit.ungroup", sUngroup, icons.Ungroup),
		item("edit.unparent", sTakeOut, icons.Unlink),
		separator,
		mirror,
		item("edit.ground", sDrop, icons.Flatten),
		geometry,
		separator,
		hide, lock, to,
		separator,
		item("edit.delete", sDelete, icons.Trash),
	}
}

func (o *outliner) layerItems() []widgets.MenuItem {
	name := o.chosen.name
	var g document.EntityLayer
	for _, l := range o.sh.s.Level().Settings.EntityLayers {
		if l.Name == name {
			g = l
		}
	}
	edit := o.sh.why("outline.layer name=x")
	set := func(arg string, on bool, title string, icon icons.Name) widgets.MenuItem {
		return widgets.MenuItem{ID: callLine("outline.layer", "name", name, arg, yesNo(!on)), Title: title, Icon: icon, Reason: edit}
	}
	hide, lock := set("hidden", g.Hidden, sHide, icons.EyeOff), set("locked", g.Locked, sLock, icons.Lock)
	if g.Hidden {
		hide.Title, hide.Icon = sShow, icons.Eye
	}
	if g.Locked {
		lock.Title, lock.Icon = sUnlock, icons.Unlock
	}
	return []widgets.MenuItem{
		{ID: pickOnLayer, Title: sSelectLayer, Icon: icons.Select},
		separator,
		{ID: pickRename, Title: sRename, Keys: "F2", Icon: icons.Pencil, Reason: edit},
		hide, lock,
		separator,
		{ID: callLine("outline.layer", "name", name, "remove", "yes"), Title: sDeleteLayer, Icon: icons.Trash, Reason: edit},
	}
}

// menuEvents does what was picked.
func (o *outliner) menuEvents(gtx layout.Context) {
	for {
		id, ok := o.menu.Update(gtx)
		if !ok {
			return
		}
		switch {
		case id == pickRename && o.chosen.on:
			o.naming = o.chosen.name
		case id == pickRename:
			o.tree.Rename(o.tree.Current())
		case id == pickAddLayer:
			o.addLayer()
		case id == pickOnLayer:
			o.selectLayer(o.chosen.name)
		default:
			o.sh.pick(id)
		}
		o.sh.again = true
	}
}

// pick does what an item of thingItems stands for.
func (sh *Shell) pick(id string) {
	ids := idWords(sh.s.Selection()...)
	yes, geometry := strings.CutPrefix(id, pickGeometry)
	switch n, to := strings.CutPrefix(id, pickToLayer); {
	case geometry:
		sh.run(setLine(sh.inspector.pick().objects, "geometry", yes))
	case id == pickShow:
		sh.run(callLine("object.set", "id", ids, "hidden", "no"))
	case id == pickUnlock:
		sh.run(callLine("object.set", "id", ids, "locked", "no"))
	case id == pickNewLayer:
		name := sh.outliner.freeLayer()
		sh.runAll(sToLayer+" "+name, callLine("outline.layer", "name", name), callLine("object.set", "id", ids, "layer", name))
	case to:
		name := ""
		layers := sh.s.Level().Settings.EntityLayers
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(layers) {
			name = layers[i].Name
		}
		sh.run(callLine("object.set", "id", ids, "layer", name))
	default:
		sh.run(id)
	}
}

// selectLayer selects all that lies on a layer.
func (o *outliner) selectLayer(name string) {
	var ids []document.ID
	for e := range o.sh.s.Level().Entities() {
		if e.Layer == name {
			ids = append(ids, e.ID)
		}
	}
	o.sh.s.Select(ids...)
}
