package panel

import (
	"fmt"
	"image"
	"math"
	"path/filepath"
	"strings"

	"gioui.org/layout"

	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/occluders/cull"
	"ridgeline/terrain/brush"
	"ridgeline/terrain/fault"
	"ridgeline/widgets"
)

// menus is the menu bar.
type menus struct {
	sh  *Shell
	bar widgets.MenuBar
}

// The items of menus that are no commands of the session.
const (
	itemKeys   = "window:keys"
	itemAbout  = "window:about"
	itemStart  = "window:welcome"
	itemArray  = "window:array"
	itemParent = "window:parent"
)

// sides are the views that view.from knows, in the order of viewTitles.
var (
	sides      = [...]string{"perspective", "front", "side", "top"}
	viewTitles = [...]string{sPersp, sFront, sSide, sTop}
)

const (
	viewPerspective = iota
	viewFront
	viewSide
	viewTop
)

// viewOf tells which of the views the camera has.
func viewOf(s *session.Session) int {
	c := &s.View.Rig.Camera
	f := c.Forward()
	switch {
	case !c.Ortho:
		return viewPerspective
	case math.Abs(f[1]) > 0.7:
		return viewTop
	case math.Abs(f[0]) > 0.7:
		return viewSide
	}
	return viewFront
}

// details are the errors in pixels that the View menu offers.
var details = [...]float64{1, 2, 3, 5, 8}

// opIcons and opHelp go with session.SculptOps.
var opIcons = map[brush.Op]icons.Name{
	brush.Raise: icons.Raise, brush.Lower: icons.Lower, brush.Smooth: icons.Smooth, brush.Flatten: icons.Flatten,
}

var opHelp = map[brush.Op]string{
	brush.Raise: sOpRaise, brush.Lower: sOpLower, brush.Smooth: sOpSmooth, brush.Flatten: sOpFlatten,
}

var modeIcons = map[session.Mode]icons.Name{
	session.ModeSelect: icons.Select, session.ModeSculpt: icons.Sculpt, session.ModePaint: icons.Paint,
	session.ModeObject: icons.Object, session.ModeOccluder: icons.Occluder, session.ModePortal: icons.Portal, session.ModeMarker: icons.Marker,
	session.ModeMeasure: icons.Measure, session.ModeWalk: icons.Walk,
}

// item is a menu item that runs a line. Without a title it has the command's.
func (m *menus) item(line, title string, icon icons.Name) widgets.MenuItem {
	if title == "" {
		id, _, _ := strings.Cut(line, " ")
		if c, ok := m.sh.s.Env.Registry.Lookup(id); ok {
			title = c.Title
		}
	}
	return widgets.MenuItem{ID: line, Title: title, Keys: m.sh.s.Keys.Hint(line), Icon: icon, Reason: m.sh.why(line)}
}

func (m *menus) checked(line, title string, on bool) widgets.MenuItem {
	it := m.item(line, title, icons.None)
	it.Checked = on
	return it
}

var separator = widgets.MenuItem{Separator: true}

func (m *menus) build() []widgets.Menu {
	return []widgets.Menu{
		{Title: sFile, Items: m.file()},
		{Title: sEdit, Items: m.edit()},
		{Title: sView, Items: m.view()},
		{Title: sTerrain, Items: m.terrain()},
		{Title: sThingsMenu, Items: m.object()},
		{Title: sHelp, Items: []widgets.MenuItem{
			m.item("view.palette", sPalette, icons.Palette),
			m.item("view.panel name=console", sConsole, icons.Console),
			separator,
			{ID: itemStart, Title: sStart},
			{ID: itemKeys, Title: sKeyList},
			{ID: itemAbout, Title: sAboutTitle},
		}},
	}
}

func (m *menus) file() []widgets.MenuItem {
	return []widgets.MenuItem{
		m.item("app.new", "", icons.New),
		m.item("app.open", "", icons.Open),
		m.recent(),
		m.item("app.sample", "", icons.None),
		m.item("app.village", "", icons.None),
		separator,
		m.item("app.save", "", icons.Save),
		m.item("app.saveas", "", icons.None),
		separator,
		m.item("app.import", "", icons.Import),
		m.item("app.assets", "", icons.Assets),
		m.item("app.export", "", icons.Export),
		separator,
		m.item("app.quit", "", icons.None),
	}
}

// recent lists the levels opened last, by name, with the folder where names repeat.
func (m *menus) recent() widgets.MenuItem {
	it := widgets.MenuItem{Title: sRecent}
	paths := m.sh.s.Memory.Recent
	if len(paths) == 0 {
		it.Reason = sNoRecent
		return it
	}
	names := map[string]int{}
	for _, p := range paths {
		names[filepath.Base(p)]++
	}
	for _, p := range paths {
		title := filepath.Base(p)
		if names[title] > 1 {
			title = filepath.Join(filepath.Base(filepath.Dir(p)), title)
		}
		it.Items = append(it.Items, widgets.MenuItem{ID: openLine(p), Title: clipText(title, 48)})
	}
	return it
}

func openLine(path string) string {
	return command.Call{ID: "file.open", Args: []command.Arg{{Value: path}}}.String()
}

func (m *menus) edit() []widgets.MenuItem {
	doc := m.sh.s.Document()
	undo, redo := m.item("undo", sUndo, icons.Undo), m.item("redo", sRedo, icons.Redo)
	steps, at := doc.History(), doc.Position()
	if at > 0 {
		undo.Title += " " + quoted(steps[at-1].Name)
	}
	if at < len(steps) {
		redo.Title += " " + quoted(steps[at].Name)
	}
	similar := widgets.MenuItem{Title: sSimilar, Icon: icons.Select, Reason: m.sh.why("edit.duplicate")}
	for _, by := range [...]struct{ name, title string }{{"asset", sByAsset}, {"kind", sByKind}, {"layer", sByLayerOf}, {"name", sByName}} {
		line := "select.similar by=" + by.name
		if by.name == "asset" {
			line = "select.similar" // which has a key
		}
		similar.Items = append(similar.Items, m.item(line, by.title, icons.None))
	}
	return []widgets.MenuItem{
		undo, redo,
		separator,
		m.item("edit.duplicate", "", icons.Duplicate),
		m.item("edit.delete", "", icons.Trash),
		separator,
		m.item("select.all", "", icons.None),
		m.item("select.none", "", icons.None),
		similar,
	}
}

func quoted(name string) string { return "“" + clipText(name, 40) + "”" }

func (m *menus) view() []widgets.MenuItem {
	s := m.sh.s
	items := []widgets.MenuItem{
		m.checked("view.overlay name=wire", sWire, s.Shown("overlay wire")),
		m.checked("view.overlay name=bounds", sBounds, s.Shown("overlay bounds")),
		m.checked("view.overlay name=nodes", sNodeTree, s.Shown("overlay nodes")),
		m.checked("view.overlay name=markers", sMarkers, s.Shown("overlay markers")),
		m.checked("cull.boxes", sBothBoxes, s.Shown("overlay occluders") && s.Shown("overlay occludees")),
		m.checked("view.rooms", sBothRooms, s.Shown("overlay cells") && s.Shown("overlay portals")),
		m.culling(),
		separator,
	}
	for i, side := range sides {
		items = append(items, m.checked("view.from name="+side, viewTitles[i], viewOf(s) == i))
	}
	detail := widgets.MenuItem{Title: sDetail}
	for _, px := range details {
		detail.Items = append(detail.Items, m.checked(
			fmt.Sprintf("view.error pixels=%g", px), detailTitle(px), s.Settings.View.MaxError == px))
	}
	panels := widgets.MenuItem{Title: sPanels}
	for _, p := range [...]struct{ name, title string }{
		{panelOutliner, sOutliner}, {panelInspector, sInspector}, {panelLayers, sLayers}, {panelSun, sWorld}, {panelHistory, sHistory}, {panelCulling, sCulling}, {panelProblems, sProblems},
		{panelAssets, sAssets}, {panelNodes, sNodeTree}, {panelConsole, sConsole},
	} {
		panels.Items = append(panels.Items, m.checked("view.panel name="+p.name, p.title, s.Shown(p.name)))
	}
	return append(items, separator,
		m.item("view.frame", sFrame, icons.Frame), m.item("view.selection", "", icons.None), detail,
		separator, m.mode(session.ModeWalk, sWalkThrough), m.modes(), panels)
}

// culling lists what tells of culling.
func (m *menus) culling() widgets.MenuItem {
	s := m.sh.s
	it := widgets.MenuItem{Title: sCulling, Items: []widgets.MenuItem{
		m.checked("cull.freeze", sFreezeIt, s.Culling.Frozen()),
		m.checked("view.overlay name=occluders", sOccluders, s.Shown("overlay occluders")),
		m.checked("view.overlay name=occludees", sOccludees, s.Shown("overlay occludees")),
		m.checked("view.overlay name=cells", sCells, s.Shown("overlay cells")),
		m.checked("view.overlay name=portals", sPortals, s.Shown("overlay portals")),
		separator,
		m.checked("view.overlay name=efficiency", sEffFigures, s.Shown("overlay efficiency")),
		m.checked("view.overlay name=ghosts", sGhostsItem, s.Shown("overlay ghosts")),
		m.checked("view.overlay name=frustum", sFrustumItem, s.Shown("overlay frustum")),
		m.checked("view.overlay name=portalview", sPortalView, s.Shown("overlay portalview")),
		m.checked("view.overlay name=heat", sHeatItem, s.Shown("overlay heat")),
		separator,
		m.checked("cull.toggle name=portals", sTestPortals, s.Culling.Tests().Has(cull.Portal)),
		m.checked("cull.toggle name=occlusion", sTestOcclusion, s.Culling.Tests().Has(cull.Terrain) && s.Culling.Tests().Has(cull.Occluder)),
		separator,
		m.item("cull.oracle", sCheckNow, icons.Search),
		m.item("cull.heatmap", sMakeHeat, icons.None),
	}}
	return it
}

// modes lists all modes.
func (m *menus) modes() widgets.MenuItem {
	it := widgets.MenuItem{Title: sModes}
	for _, mode := range session.Modes {
		it.Items = append(it.Items, m.mode(mode.Mode, mode.Title))
	}
	return it
}

func (m *menus) mode(mode session.Mode, title string) widgets.MenuItem {
	it := m.checked("mode name="+string(mode), title, m.sh.s.Mode == mode)
	if !it.Checked {
		it.Icon = modeIcons[mode]
	}
	return it
}

func detailTitle(px float64) string {
	if px == 1 {
		return sOffByOne
	}
	return fmt.Sprintf(sOffBy, widgets.FormatNumber(px, 1))
}

func (m *menus) terrain() []widgets.MenuItem {
	s := m.sh.s
	items := []widgets.MenuItem{m.mode(session.ModeSculpt, sSculptIt), m.mode(session.ModePaint, sPaintIt), separator}
	for _, op := range session.SculptOps {
		it := m.checked("brush.op op="+op.String(), opTitle(op), s.Mode == session.ModeSculpt && s.Sculpt.Op == op)
		if !it.Checked {
			it.Icon = opIcons[op]
		}
		items = append(items, it)
	}
	return append(items, separator, m.item(bakeLine, sBake, icons.Sun))
}

// object is the menu of what stands in the level.
func (m *menus) object() []widgets.MenuItem {
	s := m.sh.s
	selected := m.sh.why("edit.duplicate")
	mirror := widgets.MenuItem{Title: sMirror, Icon: icons.Mirror, Reason: selected}
	for _, axis := range [...]string{"x", "y", "z"} {
		mirror.Items = append(mirror.Items, m.item("edit.mirror name="+axis, fmt.Sprintf(sMirrorAxis, strings.ToUpper(axis)), icons.None))
	}
	place := m.checked("place.with name=click", sPlaceMeshes, s.Mode == session.ModeObject && !s.Strewing)
	strew := m.checked("place.with name=brush", sScatterMeshes, s.Mode == session.ModeObject && s.Strewing)
	if !place.Checked {
		place.Icon = icons.Object
	}
	if !strew.Checked {
		strew.Icon = icons.Scatter
	}
	marker := widgets.MenuItem{Title: sNewMarker, Icon: icons.Marker}
	for i, shape := range markerShapes {
		on := s.Mode == session.ModeMarker && s.Marking.Shape == shape
		marker.Items = append(marker.Items, m.checked("marker.shape name="+string(shape), [...]string{sShapePoint, sShapeLine, sShapeArea}[i], on))
	}
	shapes := m.visibility()
	handles := widgets.MenuItem{Title: sHandles, Icon: icons.Move}
	for i, line := range gizmoLines {
		handles.Items = append(handles.Items, m.checked(line, gizmoTitles[i], int(s.Picking.Handles.Mode) == i))
	}
	handles.Items = append(handles.Items, separator,
		m.checked("gizmo.space name=other", sLocalAxes, s.Picking.Handles.Local),
		m.checked("snap.toggle", sSnap, s.Snapping.On))
	return []widgets.MenuItem{
		m.item("app.assets", "", icons.Assets),
		place, strew, marker, shapes,
		separator,
		handles,
		m.item("edit.duplicate", "", icons.Duplicate),
		{ID: itemArray, Title: sArray, Icon: icons.Array, Reason: selected},
		mirror,
		m.item("edit.ground", "", icons.Flatten),
		separator,
		m.item("edit.group", "", icons.Group),
		m.item("edit.ungroup", "", icons.Ungroup),
		{ID: itemParent, Title: sParentTo, Icon: icons.Link, Reason: selected},
		m.item("edit.unparent", "", icons.Unlink),
		separator,
		m.item("edit.hide", "", icons.EyeOff),
		m.item("edit.lock", "", icons.Lock),
		m.item("edit.showall", "", icons.Eye),
		m.item("edit.geometry", "", icons.Wire),
		separator,
		m.item("edit.delete", "", icons.Trash),
	}
}

func opTitle(op brush.Op) string { return capital(op.String()) }

// layout draws the menu bar and, at its end, the level's name.
func (m *menus) layout(gtx layout.Context) layout.Dimensions {
	th, size := m.sh.th, gtx.Constraints.Max
	for {
		id, ok := m.bar.Update(gtx)
		if !ok {
			break
		}
		switch id {
		case itemKeys:
			m.sh.help.keys.Open()
		case itemStart:
			m.sh.welcome.dialog.Open()
		case itemAbout:
			m.sh.help.about.Open()
		case itemArray:
			m.sh.options.array.open()
		case itemParent:
			if c, ok := m.sh.s.Env.Registry.Lookup("object.parent"); ok {
				m.sh.form.open(c)
			}
		default:
			m.sh.run(id)
		}
		m.sh.again = true
	}
	fill(gtx, th.Color.Bar, image.Rectangle{Max: size})
	w := loose(gtx, image.Point{}, size, th.MenuBar(&m.bar, m.build()).Layout).X
	m.title(gtx, image.Rect(w+gtx.Dp(16), 0, size.X-gtx.Dp(12), size.Y))
	return layout.Dimensions{Size: size}
}

// title names the level in the middle of the window, or as near to it as the menus
// allow.
func (m *menus) title(gtx layout.Context, r image.Rectangle) {
	s := m.sh.s
	text := s.Title()
	switch {
	case s.ReadOnly():
		text += " — " + sReadOnly
	case s.Document().Dirty():
		text += " — " + sEdited
	}
	l := m.sh.th.Dim(text)
	size, call := sizeOf(gtx, r.Size(), l.Layout)
	if r.Dx() < gtx.Dp(40) {
		return
	}
	x := max(r.Min.X, min((r.Max.X-size.X)/2, r.Max.X-size.X))
	loose(gtx, image.Pt(x, (r.Dy()-size.Y)/2), size, func(gtx layout.Context) layout.Dimensions {
		call.Add(gtx.Ops)
		return layout.Dimensions{Size: size}
	})
}

// sentence is an error as the panels say it: a sentence without its full stop,
// beside other short texts.
func sentence(err error) string { return strings.TrimSuffix(fault.Sentence(err), ".") }

// capital writes the first letter in upper case.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// clipText shortens a text in its middle to at most n characters.
func clipText(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}
