package panel

import (
	"image"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// promptDialog asks for a path: a field, and a list of what it could become.
type promptDialog struct {
	sh     *Shell
	dialog widgets.Dialog
	of     *session.PathPrompt
	field  widgets.Field
	list   widgets.List

	found   []string // what Completions said, after the folder above
	above   bool     // the first of them is the folder above
	foundOf string   // of this text
	problem string
	fresh   bool // opened since the field had the keyboard
	focus   bool // the field gets the keyboard after the dialog took it
}

func (d *promptDialog) layout(gtx layout.Context) layout.Dimensions {
	sh, p := d.sh, d.sh.s.Prompt()
	if p != d.of {
		d.of = p
		d.dialog.Close()
		if p != nil {
			d.dialog.Open()
			d.field = widgets.Field{}
			d.field.SetText(p.Text)
			d.focus, d.fresh = true, true
			d.list = widgets.List{Current: -1}
			d.look(p.Text)
		}
	}
	if p == nil {
		return layout.Dimensions{}
	}
	title := sOpen
	switch {
	case p.Does != "":
		title = p.Does
	case p.Save:
		title = sSave
	}
	d.update(gtx)
	if sh.s.Prompt() != p {
		d.of = nil
		return layout.Dimensions{}
	}
	if id, ok := d.dialog.Update(gtx); ok {
		sh.again = true
		if id == sCancel {
			d.of = nil
			sh.s.CancelPrompt()
			return layout.Dimensions{}
		}
		d.accept()
		if sh.s.Prompt() != p {
			d.of = nil
			return layout.Dimensions{}
		}
		d.dialog.Open()
		d.focus = true
	}
	w := sh.th.Dialog(&d.dialog, p.Title, "",
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: title, Title: title, Importance: widgets.Primary, Default: true})
	w.Width = 560
	dims := w.Layout(gtx, d.body)
	if d.focus {
		d.focus = false
		d.field.Focus()
		if d.fresh && p.Save { // what is typed replaces the proposed name
			folder, name := filepath.Split(p.Text)
			from := utf8.RuneCountInString(folder)
			d.field.Select(from, from+utf8.RuneCountInString(strings.TrimSuffix(name, filepath.Ext(name))))
		}
		d.fresh = false
		sh.again = true
	}
	return dims
}

// restart is how many bytes of a path to drop, as a new one begins behind them: with
// a second slash, or with ~.
func restart(path string) int {
	const sep = string(filepath.Separator)
	n := 0
	if i := strings.LastIndex(path, sep+sep); i >= 0 {
		n = i + 1
	}
	if i := strings.LastIndex(path, sep+"~"+sep); i >= n {
		n = i + 1
	}
	return n
}

// look lists what a text could become. A name to save under is new, so all of its
// folder is listed then.
func (d *promptDialog) look(text string) {
	d.foundOf = text
	if d.of.Save {
		text, _ = filepath.Split(text)
	}
	d.found, d.above = d.of.Completions(text), false
	if folder, name := filepath.Split(text); name == "" && folder != "" {
		if up := filepath.Dir(filepath.Clean(folder)); up != filepath.Clean(folder) && up != "." {
			d.above = true
			d.found = slices.Insert(d.found, 0, strings.TrimSuffix(up, string(filepath.Separator))+string(filepath.Separator))
		}
	}
	d.problem = ""
	d.list.Current = -1
}

func (d *promptDialog) update(gtx layout.Context) {
	for {
		ev, ok := d.field.Update(gtx)
		if !ok {
			break
		}
		switch ev.Kind {
		case widgets.FieldSubmitted:
			d.accept()
		case widgets.FieldCancelled:
			d.dialog.Cancel()
		}
	}
	if n := restart(d.field.Text()); n > 0 {
		d.field.CutStart(utf8.RuneCountInString(d.field.Text()[:n]))
	}
	if t := d.field.Text(); d.of.Save && t != d.foundOf {
		// Who types an extension before the proposed one means it in its place.
		if own := strings.TrimSuffix(t, filepath.Ext(t)); filepath.Ext(t) == filepath.Ext(d.of.Text) && filepath.Ext(own) != "" && d.of.Fits(own) {
			d.field.SetText(own)
		}
	}
	if t := d.field.Text(); t != d.foundOf {
		d.look(t)
	}
	for {
		ev, ok := d.list.Update(gtx)
		if !ok {
			break
		}
		if ev.Row < 0 || ev.Row >= len(d.found) {
			continue
		}
		path := d.found[ev.Row]
		folder := strings.HasSuffix(path, string(filepath.Separator))
		switch {
		case ev.Kind == widgets.ListActivate && !folder:
			d.field.SetText(path)
			d.accept()
		case ev.Kind == widgets.ListActivate || ev.Kind == widgets.ListSelect && folder:
			if d.of.Save { // the name stays
				_, name := filepath.Split(d.field.Text())
				path += name
			}
			d.field.SetText(path)
			d.focus = true
			d.look(path)
		case ev.Kind == widgets.ListSelect:
			d.field.SetText(path)
			d.foundOf, d.problem = path, "" // the list stays, so that others can be chosen
		}
		d.sh.again = true
	}
}

// accept takes the path. A folder is entered instead.
func (d *promptDialog) accept() {
	d.sh.again = true
	text := d.field.Text()
	if folder := text + string(filepath.Separator); slices.Contains(d.found, folder) {
		d.field.SetText(folder)
		d.look(folder)
		return
	}
	if err := d.sh.s.AnswerPrompt(text); err != nil {
		d.problem = sentence(err)
	}
}

func (d *promptDialog) body(gtx layout.Context) layout.Dimensions {
	th := d.sh.th
	return stack(gtx, 0, 8,
		func(gtx layout.Context) layout.Dimensions {
			f := th.Field(&d.field, sPath)
			f.Problem, f.Mono = d.problem, true
			return f.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			if d.problem == "" {
				l := th.Dim(sFolderHint)
				l.Size = th.Size.Small
				return l.Layout(gtx)
			}
			return d.sh.problem(gtx, d.problem)
		},
		func(gtx layout.Context) layout.Dimensions {
			size := image.Pt(gtx.Constraints.Max.X, min(gtx.Dp(240), max(gtx.Dp(48), gtx.Constraints.Max.Y-gtx.Dp(20))))
			fill(gtx, th.Color.Field, image.Rectangle{Max: size})
			gtx.Constraints = layout.Exact(size)
			if len(d.found) == 0 {
				d.sh.oneLine(gtx, th.Dim(sNoFiles), image.Rect(gtx.Dp(8), 0, size.X, gtx.Dp(28)))
				return layout.Dimensions{Size: size}
			}
			return th.List(&d.list, sFileLabel).Layout(gtx, len(d.found), d.row)
		},
	)
}

func (d *promptDialog) row(gtx layout.Context, r widgets.Row) layout.Dimensions {
	path := d.found[r.Index]
	icon, name := icons.File, filepath.Base(path)
	if r.Index == 0 && d.above {
		name = sAbove
	}
	if strings.HasSuffix(path, string(filepath.Separator)) {
		icon = icons.Folder
	}
	return d.sh.th.Row(icon, name).Layout(gtx, nil, r)
}
