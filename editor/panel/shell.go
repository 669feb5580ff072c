package panel

import (
	"image"
	"slices"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"

	"ridgeline/editor/session"
	"ridgeline/widgets"
)

// Stats is what the status bar tells of the last picture.
type Stats struct {
	Frame      time.Duration // from the beginning of the layout to the swap
	Triangles  int
	Chunks     int // of the ground, drawn
	AllChunks  int // that the ground has
	Objects    int // drawn
	AllObjects int // that the level has
}

// Shell is the window around the level. Make it with New; it belongs to the
// goroutine of its session.
type Shell struct {
	s  *session.Session
	th *widgets.Theme

	stats    Stats
	viewport image.Rectangle
	again    bool // something was run in this frame: show its result in another

	keys     keyboard
	mouse    mouse
	menus    menus
	tools    toolbar
	options  options
	layers   layers
	sun      sun
	level    levelInfo
	history  history
	culling  culling
	problems troubles
	suggests suggestions

	outliner  outliner
	inspector inspector
	tabs      sideTabs

	status  status
	console console
	palette palette
	ask     askDialog
	form    form
	maker   makerDialog
	importd importDialog
	exportd exportDialog
	prompt  promptDialog
	help    helpDialogs
	welcome welcome
	toasts  widgets.Toasts

	side, things, bottom widgets.Splitter // right column, outliner, console
	left                 widgets.Scroll   // of the left column
	folds                map[string]*widgets.Section
}

// New makes the window of a session. The panels that were closed when the editor
// ended are closed, and the tabs that were open are open.
func New(s *session.Session, th *widgets.Theme) *Shell {
	sh := &Shell{s: s, th: th, folds: map[string]*widgets.Section{}}
	for _, p := range remembered {
		s.Show(p, !slices.Contains(s.Memory.Folded, p))
	}
	for name, sp := range sh.splitters() {
		sp.Size = unit.Dp(s.Memory.Panels[name])
	}
	sh.console.init(sh)
	sh.maker.presets.Selected = -1
	sh.keys.sh, sh.mouse.sh, sh.menus.sh, sh.tools.sh, sh.options.sh = sh, sh, sh, sh, sh
	sh.layers.sh, sh.sun.sh, sh.level.sh, sh.history.sh, sh.status.sh = sh, sh, sh, sh, sh
	sh.palette.sh, sh.ask.sh, sh.form.sh, sh.maker.sh, sh.importd.sh, sh.exportd.sh = sh, sh, sh, sh, sh, sh
	sh.prompt.sh, sh.help.sh, sh.welcome.sh = sh, sh, sh
	sh.outliner.sh, sh.inspector.sh, sh.tabs.sh = sh, sh, sh
	sh.culling.sh = sh
	sh.problems.sh, sh.suggests.sh = sh, sh
	sh.tabs.open = s.Memory.Tabs[tabsSide]
	if s.Memory.Tabs[tabsOutliner] == tabByLayer {
		sh.outliner.view.Selected = viewLayers
	}
	return sh
}

// The places that have tabs, and how the outliner's are called where they are
// remembered. The column's are called as the panels.
const (
	tabsSide     = "side"
	tabsOutliner = "outliner"
	tabByLayer   = "layers"
)

// The names by which Session.Shown knows the panels.
const (
	panelOutliner  = "outliner"
	panelInspector = "inspector"
	panelLayers    = "layers"
	panelSun       = "sun"
	panelHistory   = "history"
	panelCulling   = "culling"
	panelConsole   = "console"
	panelPalette   = "palette"
	panelAssets    = "assets"
	panelNodes     = "nodes"
	panelProblems  = "problems"
)

// sidePanels are those of the right column, from its top.
var sidePanels = [...]string{panelOutliner, panelInspector, panelLayers, panelSun, panelHistory, panelCulling}

// remembered are the panels whose closing is remembered.
var remembered = append(sidePanels[:], panelAssets, panelNodes)

func (sh *Shell) splitters() map[string]*widgets.Splitter {
	return map[string]*widgets.Splitter{"side": &sh.side, "things": &sh.things, "assets": &sh.options.split, "bottom": &sh.bottom}
}

// SetStats tells what the status bar shows of the last picture.
func (sh *Shell) SetStats(st Stats) { sh.stats = st }

// Viewport is where the level is seen, in pixels of the window, as of the last
// Layout. The panels paint nothing there but pop-ups and a label in its corner.
func (sh *Shell) Viewport() image.Rectangle { return sh.viewport }

// Layout handles input and lays out the whole window.
func (sh *Shell) Layout(gtx layout.Context) {
	sh.again = false
	sh.th.Window(gtx, sh.content,
		sh.ask.layout, sh.maker.layout, sh.importd.layout, sh.exportd.layout, sh.prompt.layout, sh.form.layout, sh.help.layout, sh.welcome.layout,
		sh.options.dialogs, sh.palette.layout, sh.messages)
	// Last, as a key belongs to the first that asks for it.
	sh.keys.update(gtx)
	sh.remember()
	if sh.again || sh.culling.stale() {
		gtx.Execute(op.InvalidateCmd{})
	}
}

// run runs a line that the session knows, and shows what came of it.
func (sh *Shell) run(line string) {
	sh.s.Run(line)
	sh.again = true
}

// runAll runs lines as one step of the history.
func (sh *Shell) runAll(name string, lines ...string) {
	sh.s.RunAll(name, lines...)
	sh.again = true
}

// why is the reason why a line cannot run now, for Reason fields; empty when it
// can.
func (sh *Shell) why(line string) string {
	if err := sh.s.Why(line); err != nil {
		return sentence(err)
	}
	return ""
}

// sizes of the window's parts, in dp.
const (
	optionsWidth  = 256
	sideWidth     = 288
	sideLeast     = 240
	middleLeast   = 240
	toolbarHeight = 40
	thingsHeight  = 224
	consoleHeight = 176
	// Below these widths the right and the left column give way to the level.
	sideNeeds    = 820
	optionsNeeds = 560
)

// content lays out everything that is not over everything else.
func (sh *Shell) content(gtx layout.Context) layout.Dimensions {
	th, size := sh.th, gtx.Constraints.Max
	sh.mouse.update(gtx)
	sh.console.appeared(gtx)
	if sh.s.Tick(sh.mouse.now(gtx)) {
		gtx.Execute(op.InvalidateCmd{})
	}

	line := max(1, int(gtx.Metric.PxPerDp))
	top := gtx.Dp(th.Size.Bar)
	tools := image.Rect(0, top+line, size.X, top+line+gtx.Dp(toolbarHeight))
	status := image.Rect(0, size.Y-gtx.Dp(th.Size.Status), size.X, size.Y)
	middle := image.Rect(0, tools.Max.Y+line, size.X, status.Min.Y-line)

	// The level's place is that of the middle less the columns beside it.
	sh.viewport = image.Rectangle{}
	in(gtx, middle, func(gtx layout.Context) layout.Dimensions { return sh.middle(gtx, middle) })
	for _, y := range [...]int{top, tools.Max.Y, status.Min.Y - line} {
		fill(gtx, th.Color.Line, image.Rect(0, y, size.X, y+line))
	}
	in(gtx, status, sh.status.layout)
	in(gtx, tools, sh.tools.layout)
	in(gtx, image.Rect(0, 0, size.X, top), sh.menus.layout)
	return layout.Dimensions{Size: size}
}

// middle lays out the columns and the level between them.
func (sh *Shell) middle(gtx layout.Context, r image.Rectangle) layout.Dimensions {
	size := gtx.Constraints.Max
	line := max(1, int(gtx.Metric.PxPerDp))
	left := 0
	if size.X >= gtx.Dp(optionsNeeds) {
		left = gtx.Dp(optionsWidth)
		in(gtx, image.Rect(0, 0, left, size.Y), sh.options.layout)
		fill(gtx, sh.th.Color.Line, image.Rect(left, 0, left+line, size.Y))
		left += line
	}
	in(gtx, image.Rect(left, 0, size.X, size.Y), func(gtx layout.Context) layout.Dimensions {
		centre := func(gtx layout.Context) layout.Dimensions {
			return sh.centre(gtx, r.Min.Add(image.Pt(left, 0)))
		}
		if !sh.sideShown() || size.X < gtx.Dp(sideNeeds) {
			return centre(gtx)
		}
		sp := sh.th.Split(&sh.side, sideWidth)
		sp.Label, sp.End, sp.MinFixed, sp.MinRest = "Width of the panels", true, sideLeast, middleLeast
		return sp.Layout(gtx, centre, sh.column)
	})
	return layout.Dimensions{Size: size}
}

// centre is the level with the console below it; at is its corner in the window.
func (sh *Shell) centre(gtx layout.Context, at image.Point) layout.Dimensions {
	level := func(gtx layout.Context) layout.Dimensions {
		sh.viewport = image.Rectangle{Min: at, Max: at.Add(gtx.Constraints.Max)}
		sh.s.Resize(sh.viewport.Size(), gtx.Metric.PxPerDp)
		return sh.mouse.layout(gtx)
	}
	if !sh.s.Shown(panelConsole) {
		return level(gtx)
	}
	sp := sh.th.Split(&sh.bottom, consoleHeight)
	sp.Label, sp.Axis, sp.End, sp.MinFixed, sp.MinRest = "Height of the console", layout.Vertical, true, 80, 120
	return sp.Layout(gtx, level, sh.console.layout)
}

// section lays out a part of a column that can be folded.
func (sh *Shell) section(gtx layout.Context, title string, body layout.Widget, actions ...layout.Widget) layout.Dimensions {
	f := sh.folds[title]
	if f == nil {
		f = new(widgets.Section)
		sh.folds[title] = f
	}
	return sh.th.Section(f, title).Layout(gtx, body, actions...)
}

// messages shows what the session has to tell.
func (sh *Shell) messages(gtx layout.Context) layout.Dimensions {
	for {
		line, ok := sh.toasts.Update(gtx)
		if !ok {
			break
		}
		sh.run(line)
	}
	for _, n := range sh.s.TakeNotices() {
		if n.Text == "" {
			sh.toasts.Withdraw(n.Of)
			continue
		}
		sev := widgets.Info
		switch n.Severity {
		case session.Warning:
			sev = widgets.Warn
		case session.Error:
			sev = widgets.Error
		}
		sh.toasts.Add(widgets.Toast{Severity: sev, Text: n.Text, Action: n.Action, ID: n.Run, Of: n.Of})
	}
	// In the level's corner, where they cover no panel.
	gtx.Constraints = layout.Exact(sh.viewport.Max)
	st := sh.th.Toasts(&sh.toasts)
	st.Bottom = gtx.Dp(unit.Dp(lineHeight * len(sh.mouse.over.lines()))) // above what the corner tells
	return st.Layout(gtx)
}

// remember keeps the sizes, the closed panels and the open tabs for the next start.
func (sh *Shell) remember() {
	m := &sh.s.Memory
	for name, sp := range sh.splitters() {
		v := float64(sp.Size)
		if v == 0 {
			delete(m.Panels, name) // it has its usual size again
			continue
		}
		if m.Panels[name] != v {
			if m.Panels == nil {
				m.Panels = map[string]float64{}
			}
			m.Panels[name] = v
		}
	}
	outline := ""
	if sh.outliner.view.Selected == viewLayers {
		outline = tabByLayer
	}
	for place, tab := range map[string]string{tabsSide: sh.tabs.open, tabsOutliner: outline} {
		switch {
		case m.Tabs[place] == tab:
		case tab == "":
			delete(m.Tabs, place)
		default:
			if m.Tabs == nil {
				m.Tabs = map[string]string{}
			}
			m.Tabs[place] = tab
		}
	}
	for _, p := range remembered {
		i := slices.Index(m.Folded, p)
		switch shown := sh.s.Shown(p); {
		case shown && i >= 0:
			m.Folded = slices.Delete(m.Folded, i, i+1)
		case !shown && i < 0:
			m.Folded = append(m.Folded, p)
		}
	}
}

// unfocus gives the keyboard back to the level.
func (sh *Shell) unfocus(gtx layout.Context) {
	gtx.Execute(key.FocusCmd{Tag: &sh.mouse})
}
