package panel

import (
	"fmt"
	"hash/fnv"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/unit"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// assets is the lower part of the left column in the modes that work with meshes:
// what the level has to place. A card is clicked to choose it, or dragged into the
// level.
type assets struct {
	sh     *Shell
	fold   widgets.Section
	cards  widgets.Cards
	search widgets.Field
	add    widgets.Button
	first  widgets.Button // to import, while there is nothing
	menu   widgets.ContextMenu
	rename renameDialog

	list    []string // names as they are shown
	built   assetState
	pics    map[*image.NRGBA]paint.ImageOp
	about   string // the asset that the menu is about, "" for none
	carried string // that is being dragged
	toggled string // that the press of the drag took in or out
	over    bool   // a drop would place it
}

// assetState is what the list depends on.
type assetState struct {
	revision, things, library int
	query                     string
}

// How much of the column the assets have, in dp. In a low window the options come
// first: they need the height, and cards can be scrolled.
const (
	assetsPart   = 0.42 // of the column, before anybody moved the border
	assetsMost   = 340
	assetsLeast  = 168 // the heading, the search and a row of small cards
	smallBelow   = 160 // height for the cards below which they are small
	smallCard    = 56
	optionsFirst = 360 // that the options keep before anybody moved the border
	optionsLeast = 240
)

// share is the assets' height in a column that is high dp high, before anybody moved
// the border.
func (a *assets) share(high unit.Dp) unit.Dp {
	return max(assetsLeast, min(assetsMost, high*assetsPart, high-optionsFirst))
}

// stocked reports whether the mode works with assets.
func (a *assets) stocked() bool {
	s := a.sh.s
	return s.Shown(panelAssets) && (s.Mode == session.ModeSelect || s.Mode == session.ModeObject)
}

// assetID tells cards apart.
func assetID(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64() | 1
}

// rebuild lists the assets anew if there may be others: those of the level, and
// those that things name and the level has not.
func (a *assets) rebuild() {
	s := a.sh.s
	now := assetState{s.Revision(), s.ThingsVersion(), s.LibraryCount(), strings.ToLower(strings.TrimSpace(a.search.Text()))}
	if now == a.built && a.list != nil {
		return
	}
	a.built = now
	a.list = []string{}
	for _, as := range s.Level().Assets {
		a.list = append(a.list, as.Name)
	}
	for _, name := range s.MissingAssets() {
		if !slices.Contains(a.list, name) {
			a.list = append(a.list, name)
		}
	}
	words := strings.Fields(now.query)
	a.list = slices.DeleteFunc(a.list, func(name string) bool {
		name = strings.ToLower(name)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) })
	})
	slices.SortStableFunc(a.list, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	for pix := range a.pics {
		if !slices.ContainsFunc(a.list, func(name string) bool { return s.Thumbnail(name) == pix }) {
			delete(a.pics, pix)
		}
	}
}

func (a *assets) layout(gtx layout.Context) layout.Dimensions {
	a.events(gtx)
	a.rebuild()
	n := len(a.sh.s.Level().Assets)
	count := a.sh.th.Dim(widgets.FormatCount(float64(n)))
	return a.sh.th.Section(&a.fold, sAssets).Layout(gtx, a.body,
		func(gtx layout.Context) layout.Dimensions {
			if a.add.Clicked(gtx) {
				a.sh.run("app.assets")
			}
			b := a.sh.th.IconButton(&a.add, icons.Plus, sImportMesh)
			b.Tip = widgets.Tip{Title: sImportMesh, Keys: a.sh.s.Keys.Hint("app.assets"), Help: sImportHelp}
			b.Reason = a.sh.why("app.assets")
			return b.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Right: 6}.Layout(gtx, count.Layout)
		},
	)
}

func (a *assets) body(gtx layout.Context) layout.Dimensions {
	th, size := a.sh.th, gtx.Constraints.Max
	pad, row := gtx.Dp(8), gtx.Dp(th.Size.Row)
	if len(a.list) == 0 && a.built.query == "" {
		in(gtx, image.Rectangle{Max: size}, a.empty)
		return layout.Dimensions{Size: size}
	}
	in(gtx, image.Rect(pad, pad, size.X-pad, pad+row), func(gtx layout.Context) layout.Dimensions {
		f := th.SearchField(&a.search, sSearchAssets)
		return f.Layout(gtx)
	})
	in(gtx, image.Rect(0, 2*pad+row, size.X, size.Y), func(gtx layout.Context) layout.Dimensions {
		return th.ContextArea(gtx, &a.menu, a.items(), func(gtx layout.Context) layout.Dimensions {
			c := th.Cards(&a.cards, sAssets)
			c.Drags, c.HideGhost = true, a.over
			if gtx.Constraints.Max.Y < gtx.Dp(smallBelow) {
				c.Size = smallCard
			}
			c.Empty = fmt.Sprintf(sNotFound, a.search.Text())
			return c.Layout(gtx, len(a.list), a.card)
		})
	})
	return layout.Dimensions{Size: size}
}

// empty is what a level without assets shows.
func (a *assets) empty(gtx layout.Context) layout.Dimensions {
	if a.first.Clicked(gtx) {
		a.sh.run("app.assets")
	}
	return stack(gtx, 12, 10,
		a.sh.options.fields.text(sNoAssets),
		func(gtx layout.Context) layout.Dimensions {
			b := a.sh.th.Button(&a.first, sImportMesh)
			b.Icon, b.Importance, b.Reason = icons.Import, widgets.Primary, a.sh.why("app.assets")
			b.Tip.Keys = a.sh.s.Keys.Hint("app.assets")
			return b.Layout(gtx)
		},
	)
}

// card is what card i shows.
func (a *assets) card(i int) widgets.Card {
	s, name := a.sh.s, a.list[i]
	c := widgets.Card{ID: assetID(name), Title: name, Selected: a.chosen(name), Icon: icons.Object}
	info, ok := s.Asset(name)
	switch {
	case !ok:
		c.Icon, c.Badge, c.BadgeTip, c.Dim, c.Fixed = icons.Object, icons.Warning, sNotOfLevel, true, true
	case info.Err != nil:
		c.Badge, c.BadgeTip = icons.Warning, capital(sentence(info.Err))
	case info.Model == nil:
		c.Icon, c.Dim = icons.Reload, true
	}
	c.Detail = a.facts(name)
	if pix := s.Thumbnail(name); pix != nil {
		c.Picture = widgets.Picture(a.picture(pix))
	}
	return c
}

// chosen reports whether an asset is one to place or scatter.
func (a *assets) chosen(name string) bool {
	s := a.sh.s
	if s.Mode == session.ModeObject && s.Strewing {
		return slices.Contains(s.Strew.Assets, name)
	}
	return s.Place.Asset == name
}

// facts tell of an asset in a line, with how often it is used.
func (a *assets) facts(name string) string {
	text := a.measures(name)
	switch used := a.sh.s.Scene().Users(name); {
	case used == 1:
		text += " · " + sUsedOnce
	case used > 1:
		text += " · " + fmt.Sprintf(sUsedTimes, widgets.FormatCount(float64(used)))
	}
	return text
}

// measures tell how many triangles an asset has and how large it is.
func (a *assets) measures(name string) string {
	info, ok := a.sh.s.Asset(name)
	switch {
	case !ok:
		return sNotOfLevel
	case info.Err != nil:
		return sCannotShow
	case info.Model == nil:
		return sLoadingIt
	}
	return trianglesText(info.Model.Triangles()) + " · " + extent(info.Model.Bounds.Size())
}

func trianglesText(n int) string {
	if n == 1 {
		return sOneTriangle
	}
	return fmt.Sprintf(sManyTriangles, widgets.FormatCount(float64(n)))
}

// picture is a thumbnail as it is drawn.
func (a *assets) picture(pix *image.NRGBA) paint.ImageOp {
	p, ok := a.pics[pix]
	if !ok {
		if a.pics == nil {
			a.pics = map[*image.NRGBA]paint.ImageOp{}
		}
		p = paint.NewImageOp(pix)
		a.pics[pix] = p
	}
	return p
}

// framed paints the thumbnail of an asset over the constraints, or an icon where it
// has none.
func (a *assets) framed(gtx layout.Context, name string) layout.Dimensions {
	th, size := a.sh.th, gtx.Constraints.Max
	defer clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(4)).Push(gtx.Ops).Pop()
	fill(gtx, th.Color.Field, image.Rectangle{Max: size})
	if pix := a.sh.s.Thumbnail(name); pix != nil {
		return widgets.Picture(a.picture(pix))(gtx)
	}
	ic := th.Icon(icons.Object)
	ic.Color = th.Color.Dim
	px := gtx.Dp(th.Size.IconSize)
	loose(gtx, size.Sub(image.Pt(px, px)).Div(2), size, ic.Layout)
	return layout.Dimensions{Size: size}
}

// named finds the asset of a card by its ID, as the list may have changed since.
func (a *assets) named(ev widgets.CardsEvent) string {
	for _, name := range a.list {
		if assetID(name) == ev.ID {
			return name
		}
	}
	return ""
}

func (a *assets) events(gtx layout.Context) {
	for {
		ev, ok := a.search.Update(gtx)
		if !ok {
			break
		}
		if ev.Kind == widgets.FieldCancelled && ev.Text != "" {
			a.search.SetText("")
		}
	}
	for {
		ev, ok := a.cards.Update(gtx)
		if !ok {
			break
		}
		a.sh.again = true
		name := a.named(ev)
		switch ev.Kind {
		case widgets.CardsSelect:
			a.choose(name, ev)
		case widgets.CardsActivate:
			if name != "" {
				a.sh.run(callLine("place.with", "name", "click"))
				a.sh.run(callLine("place.asset", "name", name))
			}
		case widgets.CardsContext:
			a.about = name
		case widgets.CardsDelete:
			if name != "" {
				a.sh.run(callLine("asset.remove", "name", name))
			}
		default:
			if a.drag(name, ev) {
				a.sh.unfocus(gtx) // the keys are for what was placed
			}
		}
	}
	a.menuEvents(gtx)
}

// choose takes what was clicked to place it, or in or out of what is scattered.
func (a *assets) choose(name string, ev widgets.CardsEvent) {
	s := a.sh.s
	a.toggled = ""
	if _, ok := s.Level().Asset(name); !ok {
		return
	}
	switch {
	case s.Mode != session.ModeObject:
		s.Place.Asset = name
	case !s.Strewing:
		a.sh.run(callLine("place.asset", "name", name))
	default:
		a.toggled = name
		a.sh.run(callLine("strew.asset", "name", name))
	}
}

// drag carries a card into the level, and reports whether it arrived there.
func (a *assets) drag(name string, ev widgets.CardsEvent) (arrived bool) {
	s, v := a.sh.s, a.sh.mouse.area
	x, y := float64(ev.Window.X-v.Min.X), float64(ev.Window.Y-v.Min.Y)
	inside := ev.Window.In(v)
	switch ev.Kind {
	case widgets.CardsDragBegin:
		if a.toggled != "" { // it was meant for the drag
			a.sh.run(callLine("strew.asset", "name", a.toggled))
			a.toggled = ""
		}
		a.carried = name
		fallthrough
	case widgets.CardsDragMove:
		if a.over = inside && a.carried != ""; a.over {
			a.over = s.DragAsset(a.carried, x, y)
		} else {
			s.CancelDropAsset()
		}
	case widgets.CardsDrop:
		s.CancelDropAsset()
		if arrived = inside && a.carried != ""; arrived {
			s.DropAsset(a.carried, x, y)
		}
		a.carried, a.over = "", false
	case widgets.CardsDragCancel:
		s.CancelDropAsset()
		a.carried, a.over = "", false
	}
	return arrived
}

// The items of the menu of a card that are no lines to run.
const (
	pickAssetRename = "asset:rename"
	pickAssetPlace  = "asset:place"
)

// items are what a right click on a card offers, or beside all cards.
func (a *assets) items() []widgets.MenuItem {
	sh, s := a.sh, a.sh.s
	load := sh.menus.item("app.assets", sImportMesh, icons.Import)
	name := a.about
	if name == "" {
		return []widgets.MenuItem{load}
	}
	info, ok := s.Asset(name)
	line := func(id, title string, icon icons.Name) widgets.MenuItem {
		return widgets.MenuItem{ID: callLine(id, "name", name), Title: title, Icon: icon, Reason: sh.why(id)}
	}
	place := widgets.MenuItem{ID: pickAssetPlace, Title: sPlaceIt, Icon: icons.Object, Reason: sh.why("mode name=object")}
	reload := line("app.reload", sReloadIt, icons.Reload)
	rename := widgets.MenuItem{ID: pickAssetRename, Title: sRename, Icon: icons.Pencil, Reason: sh.why("asset.rename")}
	remove := line("asset.remove", sRemoveIt, icons.Trash)
	all := line("select.asset", sSelectShowing, icons.Select)
	switch used := s.Scene().Users(name); {
	case used == 0:
		all.Reason = sNothingShows
	case used == 1 && remove.Reason == "":
		remove.Reason = sOneShows
	case remove.Reason == "":
		remove.Reason = fmt.Sprintf(sManyShow, widgets.FormatCount(float64(used)))
	}
	if !ok {
		place.Reason, reload.Reason, rename.Reason, remove.Reason = sNotOfLevel, sNotOfLevel, sNotOfLevel, sNotOfLevel
	} else if info.Source == "" && reload.Reason == "" {
		reload.Reason = sNoSource
	} else {
		reload.Title += " " + clipText(filepath.Base(info.Source), 32)
	}
	return []widgets.MenuItem{place, all, separator, reload, line("app.relink", sLinkTo, icons.Link), rename, separator, remove, separator, load}
}

func (a *assets) menuEvents(gtx layout.Context) {
	for {
		id, ok := a.menu.Update(gtx)
		if !ok {
			return
		}
		switch id {
		case pickAssetPlace:
			a.sh.run("place.with name=click")
			a.sh.run(callLine("place.asset", "name", a.about))
		case pickAssetRename:
			a.rename.open(a.about)
		default:
			a.sh.run(id)
		}
		a.sh.again = true
	}
}

// renameDialog asks for the name of an asset.
type renameDialog struct {
	sh     *Shell
	dialog widgets.Dialog
	of     string // "" is closed
	field  widgets.Field
	focus  bool
}

func (d *renameDialog) open(name string) {
	d.of, d.focus = name, true
	d.field = widgets.Field{}
	d.field.SetText(name)
	d.dialog.Open()
}

// problem tells why the text cannot be the name.
func (d *renameDialog) problem() string {
	name := strings.TrimSpace(d.field.Text())
	if name == "" {
		return sNameNeeded
	}
	if _, taken := d.sh.s.Level().Asset(name); taken && name != d.of {
		return sNameTaken
	}
	return ""
}

func (d *renameDialog) layout(gtx layout.Context) layout.Dimensions {
	if d.of == "" {
		return layout.Dimensions{}
	}
	for {
		ev, ok := d.field.Update(gtx)
		if !ok {
			break
		}
		switch ev.Kind {
		case widgets.FieldSubmitted:
			d.dialog.Accept()
		case widgets.FieldCancelled:
			d.dialog.Cancel()
		}
	}
	if id, ok := d.dialog.Update(gtx); ok {
		name := strings.TrimSpace(d.field.Text())
		if id == sRename && name != d.of && d.problem() == "" {
			d.sh.run(callLine("asset.rename", "name", d.of, "to", name))
		}
		d.of, d.sh.again = "", true
		return layout.Dimensions{}
	}
	dims := d.sh.th.Dialog(&d.dialog, fmt.Sprintf(sRenameTitle, clipText(d.of, 32)), sRenameText,
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: sRename, Title: sRename, Importance: widgets.Primary, Default: true, Reason: d.problem()},
	).Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		f := d.sh.th.Field(&d.field, sName)
		f.Problem = d.problem()
		return f.Layout(gtx)
	})
	if d.focus {
		d.field.SelectAll()
		d.focus, d.sh.again = false, true
	}
	return dims
}
