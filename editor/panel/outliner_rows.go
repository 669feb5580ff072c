package panel

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// outlineRow is a row of the outliner: a thing, or a layer with the things on it.
// What it looks like is read from the level when it is drawn.
type outlineRow struct {
	id    document.ID // 0 for a layer
	layer int         // of outliner.layers, for a layer
	depth int
	found bool // it matches the search; always, without one
}

// outlineState is what the rows depend on.
type outlineState struct {
	revision, version, folds int
	query                    string
	layers                   bool
}

// layerID tells the rows of layers apart. Ids of things are smaller.
func layerID(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64() | 1<<63
}

// rebuild lists the rows anew if they may differ.
func (o *outliner) rebuild() {
	s := o.sh.s
	now := outlineState{s.Revision(), s.OutlineVersion(), o.folds, strings.ToLower(strings.TrimSpace(o.search.Text())), o.view.Selected == viewLayers}
	if now == o.built && o.rows != nil {
		return
	}
	if now.revision != o.built.revision {
		o.open, o.shutLayers = map[document.ID]bool{}, map[string]bool{}
		o.chosen = chosenLayer{}
	}
	if now.query != o.built.query {
		o.shut = map[document.ID]bool{}
	}
	if now.version != o.built.version || o.below == nil {
		o.below = map[document.ID]int{}
	}
	o.built = now
	o.rows = o.rows[:0]
	if o.rows == nil {
		o.rows = []outlineRow{}
	}
	l, words := s.Level(), strings.Fields(now.query)
	if now.layers {
		o.listLayers(l, words)
		return
	}
	for e := range l.Entities() {
		if e.Parent == 0 {
			o.list(l, e, 0, words)
		}
	}
}

// matches reports whether a thing has all the words of a search in its name, its
// assets or its kind.
func matches(e *document.Entity, words []string) bool {
	name, more := strings.ToLower(e.Name), ""
	for _, w := range words {
		if strings.Contains(name, w) {
			continue
		}
		if more == "" {
			more = strings.ToLower(strings.Join(append(assetsOf(e), kindTitle(kindOf(e))), "\n"))
		}
		if !strings.Contains(more, w) {
			return false
		}
	}
	return true
}

// list lists a thing, and what stands below it if that is open. With a search, it is
// listed only if it or something below matches, which it reports.
func (o *outliner) list(l *document.Level, e *document.Entity, depth int, words []string) bool {
	first := len(o.rows)
	found := matches(e, words)
	o.rows = append(o.rows, outlineRow{id: e.ID, depth: depth, found: found})
	open := o.isOpen(e.ID)
	if !open && len(words) == 0 {
		return true
	}
	for c := range l.Children(e.ID) {
		found = o.list(l, c, depth+1, words) || found
	}
	switch {
	case !found:
		o.rows = o.rows[:first]
	case !open:
		o.rows = o.rows[:first+1]
	}
	return found
}

// isOpen reports whether what stands below a thing is listed. A search opens all
// that the user doesn't close.
func (o *outliner) isOpen(id document.ID) bool {
	if o.built.query != "" {
		return !o.shut[id]
	}
	return o.open[id]
}

// listLayers lists the layers in their order, those that only things name behind
// them, and at the end what lies on none.
func (o *outliner) listLayers(l *document.Level, words []string) {
	o.layers = o.layers[:0]
	index := map[string]int{}
	for _, g := range l.Settings.EntityLayers {
		index[g.Name] = len(o.layers)
		o.layers = append(o.layers, g)
	}
	listed := len(o.layers)
	on := make([][]document.ID, listed)
	var none []document.ID
	for e := range l.Entities() {
		if !matches(e, words) {
			continue
		}
		if e.Layer == "" {
			none = append(none, e.ID)
			continue
		}
		i, ok := index[e.Layer]
		if !ok {
			i = len(o.layers)
			index[e.Layer] = i
			o.layers = append(o.layers, document.EntityLayer{Name: e.Layer})
			on = append(on, nil)
		}
		on[i] = append(on[i], e.ID)
	}
	order := make([]int, len(o.layers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order[listed:], func(a, b int) int { return strings.Compare(o.layers[a].Name, o.layers[b].Name) })
	o.count = map[string]int{}
	put := func(i int, name string, ids []document.ID) {
		o.count[name] = len(ids)
		if len(words) > 0 && len(ids) == 0 {
			return
		}
		o.rows = append(o.rows, outlineRow{layer: i, found: true})
		if o.shutLayers[name] {
			return
		}
		for _, id := range ids {
			o.rows = append(o.rows, outlineRow{id: id, depth: 1, found: true})
		}
	}
	for _, i := range order {
		put(i, o.layers[i].Name, on[i])
	}
	if l.Len() > 0 {
		o.layers = append(o.layers, document.EntityLayer{})
		put(len(o.layers)-1, "", none)
	}
}

// row is what row i looks like.
func (o *outliner) row(i int) widgets.TreeRow {
	r := &o.rows[i]
	if r.id == 0 {
		return o.layerRow(r)
	}
	l := o.sh.s.Level()
	e, ok := l.Entity(r.id)
	if !ok { // it went a moment ago
		return widgets.TreeRow{ID: uint64(r.id), Depth: r.depth, Fixed: true}
	}
	out := widgets.TreeRow{
		ID: uint64(r.id), Depth: r.depth, Label: titleOf(e), Name: e.Name, Icon: iconOf(e),
	}
	_, out.Selected = slices.BinarySearch(o.seen, r.id)
	if !o.built.layers {
		children := o.children(l, r.id)
		out.Expandable, out.Expanded = children > 0, o.isOpen(r.id)
		if out.Expandable && !out.Expanded {
			out.Detail = countText(children)
		}
	}
	hidden, locked := l.Effective(e)
	out.Dim = hidden || !r.found
	out.Toggles[toggleHide], out.Toggles[toggleLock] = toggleState(e.Hidden, hidden), toggleState(e.Locked, locked)
	switch d := e.Data.(type) {
	case document.Scatter:
		out.Detail = countText(len(d.Points))
	case document.Marker:
		if d.Color != (document.Marker{}).Color {
			out.IconColor = session.MarkerColour(d.Color)
		}
	}
	if bad := o.missing(e); bad != "" {
		out.Badge, out.BadgeTip = icons.Warning, bad
	}
	return out
}

// children counts what stands directly below a thing, once.
func (o *outliner) children(l *document.Level, id document.ID) int {
	n, ok := o.below[id]
	if !ok {
		for range l.Children(id) {
			n++
		}
		o.below[id] = n
	}
	return n
}

func countText(n int) string { return widgets.FormatCount(float64(n)) }

func toggleState(own, effective bool) widgets.ToggleState {
	switch {
	case own:
		return widgets.ToggleOn
	case effective:
		return widgets.ToggleInherited
	}
	return widgets.ToggleOff
}

func (o *outliner) layerRow(r *outlineRow) widgets.TreeRow {
	g := &o.layers[r.layer]
	out := widgets.TreeRow{
		ID: layerID(g.Name), Label: g.Name, Name: g.Name, Icon: icons.Layers, Fixed: true,
		Detail: countText(o.count[g.Name]), Expandable: o.count[g.Name] > 0, Expanded: !o.shutLayers[g.Name],
		Selected: o.chosen.is(g.Name),
	}
	if g.Name == "" {
		out.Label, out.Icon = sNoLayer, icons.None
		return out
	}
	hidden, locked := false, false
	for _, now := range o.sh.s.Level().Settings.EntityLayers {
		if now.Name == g.Name {
			hidden, locked = now.Hidden, now.Locked
		}
	}
	out.Dim = hidden
	out.Toggles[toggleHide], out.Toggles[toggleLock] = toggleState(hidden, false), toggleState(locked, false)
	return out
}

// missing tells what is wrong with the assets that a thing shows; "" for nothing.
func (o *outliner) missing(e *document.Entity) string {
	for _, name := range assetsOf(e) {
		switch info, ok := o.sh.s.Asset(name); {
		case !ok:
			return fmt.Sprintf(sMissingAsset, name)
		case info.Err != nil:
			return fmt.Sprintf(sUnreadable, name, sentence(info.Err))
		}
	}
	return ""
}

// assetsOf are the assets that a thing shows.
func assetsOf(e *document.Entity) []string {
	switch d := e.Data.(type) {
	case document.Object:
		if d.Asset != "" {
			return []string{d.Asset}
		}
	case document.Scatter:
		return slices.Clone(d.Assets)
	}
	return nil
}

// kindOf is the kind of a thing as the interface tells it.
func kindOf(e *document.Entity) document.Kind {
	if o, ok := document.ObjectOf(e); ok {
		switch {
		case o.Asset == "":
			return kindGroup
		case o.Geometry:
			return kindGeometry
		}
	}
	return e.Kind
}

// kindTitle is the name of a kind; files may hold kinds that nobody knows.
func kindTitle(k document.Kind) string {
	if t, ok := kindTitles[k]; ok {
		return t[0]
	}
	return capital(string(k))
}

// kindPlural names several of a kind.
func kindPlural(k document.Kind) string {
	if t, ok := kindTitles[k]; ok {
		return t[1]
	}
	return string(k)
}

// titleOf is a thing's name, or what it is where it has none.
func titleOf(e *document.Entity) string {
	if e.Name != "" {
		return e.Name
	}
	return kindTitle(kindOf(e)) + " " + strconv.FormatUint(uint64(e.ID), 10)
}

var kindIcons = map[document.Kind]icons.Name{
	document.KindObject: icons.Object, kindGroup: icons.Group, kindGeometry: icons.Wire,
	document.KindOccluder: icons.Occluder, document.KindCell: icons.Cell, document.KindPortal: icons.Portal,
	document.KindMarker: icons.MarkerPoint, document.KindScatter: icons.Scatter, document.KindWater: icons.Water,
	document.KindSky: icons.Sky, document.KindLight: icons.Light, document.KindCamera: icons.Camera,
}

var shapeIcons = map[document.MarkerShape]icons.Name{
	document.MarkerPoint: icons.MarkerPoint, document.MarkerLine: icons.MarkerLine, document.MarkerArea: icons.MarkerArea,
}

func iconOf(e *document.Entity) icons.Name {
	if m, ok := e.Data.(document.Marker); ok {
		if i, ok := shapeIcons[m.Shape]; ok {
			return i
		}
	}
	if i, ok := kindIcons[kindOf(e)]; ok {
		return i
	}
	return icons.Tag
}
