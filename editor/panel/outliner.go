package panel

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// outliner is the list of all that stands in the level: as a tree of what is part of
// what, or by layer. The rows are made anew only when something came, went or has
// another name, parent or layer; what they show is read when they are drawn.
type outliner struct {
	sh     *Shell
	tree   widgets.Tree
	search widgets.Field
	view   widgets.Choices
	add    widgets.Button
	menu   widgets.ContextMenu

	open       map[document.ID]bool // things whose children are listed
	shut       map[document.ID]bool // … and are not, though a search would list them
	shutLayers map[string]bool
	folds      int // grows with every change of these

	rows   []outlineRow
	built  outlineState
	layers []document.EntityLayer // that rows show
	count  map[string]int         // of what is listed on them
	below  map[document.ID]int

	chosen chosenLayer
	seen   []document.ID // the selection, as of the last frame
	own    bool          // it is what was clicked here, so it is in view
	naming string        // the layer whose name is to be typed as soon as it has a row
}

// chosenLayer is the layer whose row is selected.
type chosenLayer struct {
	on   bool
	name string
}

func (c chosenLayer) is(name string) bool { return c.on && c.name == name }

// The views of the outliner.
const (
	viewTree = iota
	viewLayers
)

// The toggles of the rows.
const (
	toggleHide = iota
	toggleLock
)

func (o *outliner) layout(gtx layout.Context) layout.Dimensions {
	th, size := o.sh.th, gtx.Constraints.Max
	widgets.Fill(gtx, th.Color.Panel)
	if _, ok := o.view.Update(gtx); ok {
		o.chosen = chosenLayer{}
		o.seen = nil // show the selection in the other view
	}
	for {
		ev, ok := o.search.Update(gtx)
		if !ok {
			break
		}
		if ev.Kind == widgets.FieldCancelled && ev.Text != "" {
			o.search.SetText("")
		}
	}
	if o.add.Clicked(gtx) {
		o.addLayer()
	}
	o.events(gtx)
	o.menuEvents(gtx)
	o.rebuild()
	o.follow()
	if i := slices.IndexFunc(o.rows, func(r outlineRow) bool { return r.id == 0 && o.layers[r.layer].Name == o.naming }); o.naming != "" && i >= 0 {
		o.tree.ScrollTo(i)
	}

	head := gtx.Dp(th.Size.Row) + 2*gtx.Dp(6)
	in(gtx, image.Rect(0, 0, size.X, head), o.head)
	in(gtx, image.Rect(0, head, size.X, size.Y), func(gtx layout.Context) layout.Dimensions {
		return th.ContextArea(gtx, &o.menu, o.items(), o.rowsArea)
	})
	o.startNaming()
	return layout.Dimensions{Size: size}
}

// head is the search and the choice of the view.
func (o *outliner) head(gtx layout.Context) layout.Dimensions {
	th, size := o.sh.th, gtx.Constraints.Max
	pad, row := gtx.Dp(6), gtx.Dp(th.Size.Row)
	right := size.X - pad
	if o.view.Selected == viewLayers {
		right -= row
		in(gtx, image.Rect(right, pad, right+row, pad+row), func(gtx layout.Context) layout.Dimensions {
			b := th.IconButton(&o.add, icons.Plus, sNewLayer)
			b.Reason = o.sh.why("outline.layer name=x")
			return b.Layout(gtx)
		})
		right -= pad
	}
	w := gtx.Dp(124)
	in(gtx, image.Rect(right-w, pad, right, pad+row), th.Segments(&o.view, sAsTree, sByLayer).Layout)
	in(gtx, image.Rect(pad, pad, right-w-pad, pad+row), func(gtx layout.Context) layout.Dimensions {
		f := th.SearchField(&o.search, sSearchThings)
		f.Label = sSearchLevel
		return f.Layout(gtx)
	})
	return layout.Dimensions{Size: size}
}

// rowsArea is the tree of rows.
func (o *outliner) rowsArea(gtx layout.Context) layout.Dimensions {
	st := o.sh.th.Tree(&o.tree, sOutliner)
	st.Toggles = []widgets.TreeToggle{
		toggleHide: {Title: sHide, TitleOn: sShow, Off: icons.Eye, On: icons.EyeOff},
		toggleLock: {Title: sLock, TitleOn: sUnlock, Off: icons.Unlock, On: icons.Lock, Quiet: true},
	}
	st.Renames = o.sh.why("object.set") == ""
	if st.Renames {
		st.Drop = o.mayDrop
	}
	if n := len(o.seen); n > 1 {
		st.Dragged = fmt.Sprintf(sThings, n)
	}
	st.Empty = o.empty()
	return st.Layout(gtx, len(o.rows), o.row)
}

// empty says why there are no rows.
func (o *outliner) empty() string {
	keys := o.sh.s.Keys
	object, marker := keys.Hint("mode name=object"), keys.Hint("mode name=marker")
	switch {
	case o.built.query != "":
		return fmt.Sprintf(sNotFound, strings.TrimSpace(o.search.Text()))
	case object == "" || marker == "":
		return fmt.Sprintf(sNothingYet, sPlaceModes)
	}
	return fmt.Sprintf(sNothingYet, fmt.Sprintf(sPlaceWith, object, marker))
}

// events does what the user did in the tree.
func (o *outliner) events(gtx layout.Context) {
	o.layerKeys(gtx)
	for {
		ev, ok := o.tree.Update(gtx)
		if !ok {
			return
		}
		switch ev.Kind {
		case widgets.TreeSelect:
			o.selects(ev)
		case widgets.TreeActivate:
			if name, is := o.layerAt(ev); is {
				o.naming = name
			} else {
				o.sh.run("view.selection")
			}
		case widgets.TreeExpand:
			o.expand(ev)
		case widgets.TreeRename:
			o.renamed(ev)
		case widgets.TreeToggled:
			o.toggled(ev)
		case widgets.TreeDrop:
			o.dropped(ev)
		case widgets.TreeContext:
			if ev.Row >= 0 {
				o.tree.SetCurrent(ev.Row) // what Rename is about
			}
		}
		o.sh.again = true
	}
}

// layerAt is the layer whose row an event is about.
func (o *outliner) layerAt(ev widgets.TreeEvent) (name string, ok bool) {
	if ev.ID>>63 == 0 {
		return "", false
	}
	for i := range o.layers {
		if layerID(o.layers[i].Name) == ev.ID {
			return o.layers[i].Name, true
		}
	}
	return "", false
}

// selects changes what is selected.
func (o *outliner) selects(ev widgets.TreeEvent) {
	s := o.sh.s
	name, layer := o.layerAt(ev)
	o.chosen = chosenLayer{layer && ev.Mode == widgets.SelectOnly, name}
	var ids []document.ID
	switch ev.Mode {
	case widgets.SelectOnly:
		if !layer && ev.Row >= 0 {
			ids = []document.ID{document.ID(ev.ID)}
		}
	case widgets.SelectToggle:
		if layer {
			return
		}
		ids = slices.Clone(s.Selection())
		if i, had := slices.BinarySearch(ids, document.ID(ev.ID)); had {
			ids = slices.Delete(ids, i, i+1)
		} else {
			ids = slices.Insert(ids, i, document.ID(ev.ID))
		}
	default:
		if ev.Mode == widgets.SelectMore {
			ids = slices.Clone(s.Selection())
		}
		for i := max(0, ev.First); i <= ev.Last && i < len(o.rows); i++ {
			if id := o.rows[i].id; id != 0 {
				ids = append(ids, id)
			}
		}
	}
	s.Select(ids...)
	o.own = true
}

// expand opens or closes a row, and with All what stands below it.
func (o *outliner) expand(ev widgets.TreeEvent) {
	o.folds++
	if name, is := o.layerAt(ev); is {
		o.shutLayers[name] = !ev.Open
		if ev.All {
			for i := range o.layers {
				o.shutLayers[o.layers[i].Name] = !ev.Open
			}
		}
		return
	}
	o.setOpen(document.ID(ev.ID), ev.Open, ev.All)
}

func (o *outliner) setOpen(id document.ID, open, all bool) {
	if o.built.query != "" {
		o.shut[id] = !open
	} else {
		o.open[id] = open
	}
	if all {
		for c := range o.sh.s.Level().Children(id) {
			o.setOpen(c.ID, open, true)
		}
	}
}

// follow shows what was selected elsewhere: it opens what stands above, and scrolls
// to the first.
func (o *outliner) follow() {
	sel := o.sh.s.Selection()
	if slices.Equal(sel, o.seen) && o.seen != nil {
		return
	}
	own := o.own
	o.own = false
	o.seen = append([]document.ID{}, sel...)
	if len(sel) == 0 {
		return
	}
	o.chosen = chosenLayer{}
	if own {
		return
	}
	l := o.sh.s.Level()
	for _, id := range sel[:min(len(sel), maxRevealed)] {
		e, ok := l.Entity(id)
		if o.built.layers && ok && o.shutLayers[e.Layer] {
			delete(o.shutLayers, e.Layer)
			o.folds++
		}
		for p, ok := e, ok; ok && !o.built.layers; {
			if p, ok = l.Entity(p.Parent); ok && !o.isOpen(p.ID) {
				o.setOpen(p.ID, true, false)
				o.folds++
			}
		}
	}
	o.rebuild()
	if i := slices.IndexFunc(o.rows, func(r outlineRow) bool { return r.id == sel[0] }); i >= 0 {
		o.tree.ScrollTo(i)
	}
}

// maxRevealed is for how many of the selected things the tree is opened.
const maxRevealed = 100

// renamed takes the name that was typed into a row.
func (o *outliner) renamed(ev widgets.TreeEvent) {
	text := strings.TrimSpace(ev.Text)
	if name, is := o.layerAt(ev); is {
		if text != "" && text != name && name != "" {
			o.sh.run(callLine("outline.layer", "name", name, "rename", text))
			o.shutLayers[text] = o.shutLayers[name]
			if o.chosen.on {
				o.chosen.name = text
			}
		}
		return
	}
	e, ok := o.sh.s.Level().Entity(document.ID(ev.ID))
	if ok && text != "" && text != e.Name {
		o.sh.run(callLine("object.set", "id", idWords(e.ID), "name", text))
	}
}

// toggled sets the toggles that were swept over, as one step.
func (o *outliner) toggled(ev widgets.TreeEvent) {
	l := o.sh.s.Level()
	arg := [...]string{toggleHide: "hidden", toggleLock: "locked"}[ev.Column]
	value := yesNo(ev.On)
	var lines []string
	var ids, free []document.ID
	for _, id := range ev.IDs {
		if name, is := o.layerAt(widgets.TreeEvent{ID: id}); is {
			if name != "" {
				lines = append(lines, callLine("outline.layer", "name", name, arg, value))
			}
			continue
		}
		ids = append(ids, document.ID(id))
		if e, ok := l.Entity(document.ID(id)); ok {
			if _, locked := l.Effective(e); !locked {
				free = append(free, e.ID)
			}
		}
	}
	if ev.Column == toggleHide && len(free) > 0 {
		ids = free // what is locked stays as it is, and the rest needn't
	}
	if len(ids) > 0 {
		lines = append(lines, callLine("object.set", "id", idWords(ids...), arg, value))
	}
	if len(lines) == 0 {
		return
	}
	verb := [...][2]string{toggleHide: {sShow, sHide}, toggleLock: {sUnlock, sLock}}[ev.Column]
	name := verb[0]
	if ev.On {
		name = verb[1]
	}
	o.sh.runAll(name+" "+fmt.Sprintf(sThings, len(ev.IDs)), lines...)
}

// mayDrop tells whether what is selected can be dropped at a place: into what it
// becomes a part of, beside something, to be a part of the same, or on a layer.
func (o *outliner) mayDrop(row int, where widgets.DropWhere) bool {
	l := o.sh.s.Level()
	if o.built.layers {
		return row >= 0 && row < len(o.rows)
	}
	to, ok := o.dropParent(l, row, where)
	if !ok {
		return false
	}
	moves := false
	for _, id := range o.seen {
		e, ok := l.Entity(id)
		moves = moves || ok && e.Parent != to
	}
	return moves // the tree itself drops nothing into what is dragged
}

// dropParent is what a drop would make the parent.
func (o *outliner) dropParent(l *document.Level, row int, where widgets.DropWhere) (document.ID, bool) {
	if where == widgets.DropEmpty {
		return 0, true
	}
	if row < 0 || row >= len(o.rows) {
		return 0, false
	}
	e, ok := l.Entity(o.rows[row].id)
	if !ok {
		return 0, false
	}
	if where == widgets.DropInto {
		return e.ID, true
	}
	return e.Parent, true
}

// dropped does what mayDrop allowed.
func (o *outliner) dropped(ev widgets.TreeEvent) {
	l := o.sh.s.Level()
	ids := idWords(o.sh.s.Selection()...)
	if ids == "" {
		return
	}
	if o.built.layers {
		if name, ok := o.layerOfRow(ev.Row); ok {
			o.sh.run(callLine("object.set", "id", ids, "layer", name))
		}
		return
	}
	if to, ok := o.dropParent(l, ev.Row, ev.Where); ok {
		o.sh.run(callLine("object.parent", "ids", ids, "to", idWords(to)))
		if ev.Where == widgets.DropInto && ev.Row >= 0 {
			o.setOpen(to, true, false)
			o.folds++
		}
	}
}

// layerOfRow is the layer that a row is, or lies on.
func (o *outliner) layerOfRow(row int) (string, bool) {
	for i := min(row, len(o.rows)-1); i >= 0; i-- {
		if r := o.rows[i]; r.id == 0 {
			return o.layers[r.layer].Name, true
		}
	}
	return "", false
}

// layerKeys takes the keys that rename and delete the layer that is chosen.
func (o *outliner) layerKeys(gtx layout.Context) {
	if !o.chosen.on || o.chosen.name == "" {
		return
	}
	for {
		ev, ok := gtx.Event(key.Filter{Focus: &o.tree, Name: key.NameDeleteForward}, key.Filter{Focus: &o.tree, Name: key.NameF2})
		if !ok {
			return
		}
		switch e := ev.(key.Event); {
		case e.State != key.Press:
		case e.Name == key.NameF2:
			o.naming = o.chosen.name
		default:
			o.deleteLayer(o.chosen.name)
		}
		o.sh.again = true
	}
}

// addLayer makes a layer and lets its name be typed.
func (o *outliner) addLayer() {
	name := o.freeLayer()
	o.sh.run(callLine("outline.layer", "name", name))
	o.naming = name
}

// freeLayer is a name that no layer has.
func (o *outliner) freeLayer() string {
	l := o.sh.s.Level()
	taken := map[string]bool{}
	for _, g := range l.Settings.EntityLayers {
		taken[g.Name] = true
	}
	for e := range l.Entities() {
		taken[e.Layer] = true
	}
	n := len(l.Settings.EntityLayers) + 1
	for taken[fmt.Sprintf(sLayerName, n)] {
		n++
	}
	return fmt.Sprintf(sLayerName, n)
}

func (o *outliner) deleteLayer(name string) {
	o.sh.run(callLine("outline.layer", "name", name, "remove", "yes"))
	o.chosen = chosenLayer{}
}

// startNaming opens the field for the name of a layer, whose row is laid out by
// now.
func (o *outliner) startNaming() {
	if o.naming == "" {
		return
	}
	name := o.naming
	o.naming = ""
	i := slices.IndexFunc(o.rows, func(r outlineRow) bool { return r.id == 0 && o.layers[r.layer].Name == name })
	if i >= 0 && o.sh.why("outline.layer name=x") == "" {
		o.chosen = chosenLayer{true, name}
		o.tree.Rename(i)
		o.sh.again = true
	}
}

// callLine is a line of a command with arguments, as name and value in turn.
func callLine(id string, args ...string) string {
	c := command.Call{ID: id}
	for k := 0; k+1 < len(args); k += 2 {
		c.Args = append(c.Args, command.Arg{Name: args[k], Value: args[k+1]})
	}
	return c.String()
}

// idWords writes ids as an argument.
func idWords(ids ...document.ID) string {
	out := make([]byte, 0, 8*len(ids))
	for i, id := range ids {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, uint64(id), 10)
	}
	return string(out)
}

func yesNo(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}
