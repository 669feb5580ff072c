package panel

import (
	"path/filepath"

	"gioui.org/layout"
	"gioui.org/unit"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// welcome is what the editor begins with when it was given no level: the ways to one.
type welcome struct {
	sh     *Shell
	dialog widgets.Dialog
	ways   [len(welcomeWays)]widgets.Button
	recent [welcomeRecent]widgets.Button
	always widgets.Check
}

// welcomeRecent is how many of the levels opened last are offered.
const welcomeRecent = 6

// welcomeWays are the ways to a level, and what they do.
var welcomeWays = [...]struct {
	title, line, help string
	icon              icons.Name
}{
	{sWelcomeNew, "app.new", sWelcomeNewHelp, icons.New},
	{sWelcomeOpen, "app.open", sWelcomeOpenHelp, icons.Open},
	{sWelcomeImport, "app.import", sWelcomeImportHelp, icons.Import},
	{sWelcomeVillage, "app.village", sWelcomeVillageHelp, icons.Portal},
}

// Welcome shows the ways to a level, unless the user wants to go without.
func (sh *Shell) Welcome() {
	if !sh.s.Memory.NoWelcome {
		sh.welcome.dialog.Open()
	}
}

func (w *welcome) layout(gtx layout.Context) layout.Dimensions {
	sh, th := w.sh, w.sh.th
	if sh.s.Question() != nil { // which comes first
		return layout.Dimensions{}
	}
	w.dialog.Update(gtx)
	if on, ok := w.always.Update(gtx); ok {
		sh.s.Memory.NoWelcome = !on
	}
	w.always.Value = !sh.s.Memory.NoWelcome
	recent := sh.s.Memory.Recent
	recent = recent[:min(len(recent), welcomeRecent)]
	line := ""
	for i := range w.ways {
		if w.ways[i].Clicked(gtx) {
			line = welcomeWays[i].line
		}
	}
	for i, path := range recent {
		if w.recent[i].Clicked(gtx) {
			line = openLine(path)
		}
	}
	if line != "" {
		w.dialog.Close()
		sh.run(line)
	}
	done := widgets.DialogButton{ID: sClose, Title: sClose, Default: true, Cancel: true, Importance: widgets.Primary}
	if sh.s.Path() == "" && sh.s.Title() == session.SampleName {
		done.Title = sWelcomeSample
	}
	d := th.Dialog(&w.dialog, sWelcome, "", done)
	d.Width = 520
	return d.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return w.body(gtx, recent) })
}

func (w *welcome) body(gtx layout.Context, recent []string) layout.Dimensions {
	th := w.sh.th
	var ways []layout.Widget
	for i := range w.ways {
		way := &welcomeWays[i]
		b := th.Button(&w.ways[i], way.title)
		b.Icon = way.icon
		ways = append(ways, column(2, b.Layout, th.Dim(way.help).Layout))
	}
	levels := []layout.Widget{th.Label(sWelcomeRecent).Layout}
	if len(recent) == 0 {
		levels = append(levels, th.Dim(sWelcomeNone).Layout)
	}
	for i, path := range recent {
		levels = append(levels, func(gtx layout.Context) layout.Dimensions {
			b := th.Button(&w.recent[i], clipText(filepath.Base(path), 28))
			b.Tip = widgets.Tip{Title: filepath.Base(path), Help: path}
			return b.Layout(gtx)
		})
	}
	return stack(gtx, 0, 16, columns(24, column(10, ways...), column(6, levels...)), th.Check(&w.always, sWelcomeAlways).Layout)
}

// column puts widgets below each other.
func column(gap unit.Dp, parts ...layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, gap, parts...) }
}
