package panel

import (
	"fmt"
	"image"
	"strings"

	"gioui.org/layout"
	"gioui.org/op"

	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/terrain"
	"ridgeline/widgets"
)

// askDialog puts the session's question.
type askDialog struct {
	sh     *Shell
	dialog widgets.Dialog
	of     *session.Question
}

func (a *askDialog) layout(gtx layout.Context) layout.Dimensions {
	q := a.sh.s.Question()
	if q != a.of {
		a.of = q
		a.dialog.Close()
		if q != nil {
			a.dialog.Open()
		}
	}
	if q == nil {
		return layout.Dimensions{}
	}
	if id, ok := a.dialog.Update(gtx); ok {
		for i, ans := range q.Answers {
			if ans.Title == id {
				a.of = nil
				a.sh.s.Answer(i)
				break
			}
		}
		a.sh.again = true
		return layout.Dimensions{}
	}
	var buttons []widgets.DialogButton
	// The answer that goes on stands at the right end, as in all dialogs.
	for i := len(q.Answers) - 1; i >= 0; i-- {
		ans := q.Answers[i]
		b := widgets.DialogButton{ID: ans.Title, Title: ans.Title, Default: ans.Enter, Cancel: ans.Cancel}
		switch {
		case ans.Danger:
			b.Importance = widgets.Danger
		case ans.Enter || i == 0 && !ans.Cancel:
			b.Importance = widgets.Primary
			b.Default = true // it looks like the answer of Enter, so it is
		}
		buttons = append(buttons, b)
	}
	return a.sh.th.Dialog(&a.dialog, q.Title, q.Body, buttons...).Layout(gtx, nil)
}

// makerDialog asks for the size of a new level.
type makerDialog struct {
	sh      *Shell
	dialog  widgets.Dialog
	of      *session.Maker
	ground  widgets.Check
	presets widgets.Choices
	cols    widgets.Number
	rows    widgets.Number
	spacing widgets.Number
}

// presetSides are sizes that fill their chunks.
var presetSides = [...]int{257, 513, 1025, 2049, 4097}

func (d *makerDialog) layout(gtx layout.Context) layout.Dimensions {
	sh, m := d.sh, d.sh.s.Maker()
	if m != d.of {
		d.of = m
		d.dialog.Close()
		if m != nil {
			d.dialog.Open()
			d.cols, d.rows, d.spacing = widgets.Number{}, widgets.Number{}, widgets.Number{}
		}
	}
	if m == nil {
		return layout.Dimensions{}
	}
	d.update(gtx, m)
	if id, ok := d.dialog.Update(gtx); ok {
		d.of = nil
		if id == sMake {
			sh.s.Make()
		} else {
			sh.s.CancelMaker()
		}
		sh.again = true
		return layout.Dimensions{}
	}
	reason := ""
	if err := m.Ready(); err != nil {
		reason = sentence(err)
	}
	return sh.th.Dialog(&d.dialog, sNewLevel, sNewText,
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: sMake, Title: sMake, Importance: widgets.Primary, Default: true, Reason: reason},
	).Layout(gtx, func(gtx layout.Context) layout.Dimensions { return d.body(gtx, m, reason) })
}

func (d *makerDialog) update(gtx layout.Context, m *session.Maker) {
	if on, ok := d.ground.Update(gtx); ok {
		m.Ground = on
	}
	d.ground.Value = m.Ground
	if i, ok := d.presets.Update(gtx); ok {
		m.Cols, m.Rows = presetSides[i], presetSides[i]
	}
	for _, f := range [...]struct {
		n   *widgets.Number
		set func(float64)
		get float64
	}{
		{&d.cols, func(v float64) { m.Cols = int(v) }, float64(m.Cols)},
		{&d.rows, func(v float64) { m.Rows = int(v) }, float64(m.Rows)},
		{&d.spacing, func(v float64) { m.Spacing = v }, m.Spacing},
	} {
		if f.n != &d.spacing {
			f.n.Integer, f.n.Min, f.n.Max, f.n.Step = true, 2, 16385, 64
		} else {
			f.n.Log, f.n.Min, f.n.Max, f.n.Decimals = true, terrain.MinSpacing, 1e4, 3
		}
		changed := false
		for {
			c, ok := f.n.Update(gtx)
			if !ok {
				break
			}
			f.set(c.Value)
			changed = true
		}
		if !changed && !f.n.Dragging() {
			f.n.Value = f.get
		}
	}
	d.presets.Selected = -1
	for i, side := range presetSides {
		if m.Cols == side && m.Rows == side {
			d.presets.Selected = i
		}
	}
}

func (d *makerDialog) body(gtx layout.Context, m *session.Maker, reason string) layout.Dimensions {
	th := d.sh.th
	off := ""
	if !m.Ground {
		off = sNoGroundWhy
	}
	num := func(n *widgets.Number, label, unit string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			s := th.Number(n, unit)
			s.Label, s.Reason = label, off
			return s.Layout(gtx)
		}
	}
	titles := make([]string, len(presetSides))
	for i, side := range presetSides {
		titles[i] = fmt.Sprintf("%d²", side)
	}
	presets := th.Segments(&d.presets, titles...)
	presets.Reason = off
	return stack(gtx, 0, 8,
		func(gtx layout.Context) layout.Dimensions {
			c := th.Check(&d.ground, sWithGround)
			c.Tip = widgets.Tip{Title: sWithGround, Help: sWithGroundHelp}
			return c.Layout(gtx)
		},
		presets.Layout,
		columns(8, num(&d.cols, sColumns, ""), num(&d.rows, sRows, "")),
		num(&d.spacing, sSpacing, uMetre),
		func(gtx layout.Context) layout.Dimensions {
			if reason != "" {
				return d.sh.problem(gtx, reason)
			}
			if !m.Ground {
				return th.Dim(sMeshesAlone).Layout(gtx)
			}
			x, z := float64(m.Cols-1)*m.Spacing, float64(m.Rows-1)*m.Spacing
			l := th.Dim(distance(x) + " × " + distance(z) + ", " + fmt.Sprintf(sCount, grouped(m.Cols*m.Rows)))
			return l.Layout(gtx)
		},
	)
}

// grouped writes a whole number with its digits in groups of three.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// problem is a line that says what is wrong.
func (sh *Shell) problem(gtx layout.Context, text string) layout.Dimensions {
	return sh.note(gtx, text, icons.Error)
}

// note is a text with an icon at its left.
func (sh *Shell) note(gtx layout.Context, text string, icon icons.Name) layout.Dimensions {
	th := sh.th
	c := th.Color.Dim
	switch icon {
	case icons.Error:
		c = th.Color.Error
	case icons.Warning:
		c = th.Color.Warn
	}
	left := gtx.Dp(th.Size.IconSize) + gtx.Dp(8)
	ic := th.Icon(icon)
	ic.Color = c
	loose(gtx, image.Pt(0, gtx.Dp(1)), gtx.Constraints.Max, ic.Layout)
	l := th.Body(text)
	if icon == icons.Error {
		l.Color = c
	}
	gtx.Constraints.Min = image.Point{}
	gtx.Constraints.Max.X = max(0, gtx.Constraints.Max.X-left)
	t := op.Offset(image.Pt(left, 0)).Push(gtx.Ops)
	d := l.Layout(gtx)
	t.Pop()
	return layout.Dimensions{Size: image.Pt(d.Size.X+left, max(d.Size.Y, gtx.Dp(th.Size.IconSize)))}
}

// helpDialogs are the list of keys and what the program is.
type helpDialogs struct {
	sh     *Shell
	keys   widgets.Dialog
	about  widgets.Dialog
	scroll widgets.Scroll
}

func (h *helpDialogs) layout(gtx layout.Context) layout.Dimensions {
	th := h.sh.th
	done := widgets.DialogButton{ID: sClose, Title: sClose, Default: true, Cancel: true, Importance: widgets.Primary}
	h.keys.Update(gtx)
	h.about.Update(gtx)
	th.Dialog(&h.about, sProgram, sAbout+"\n\n"+sLicence, done).Layout(gtx, nil)
	d := th.Dialog(&h.keys, sKeyList, "", done)
	d.Width = 520
	return d.Layout(gtx, h.keyList)
}

// keyList lists all that has a key, as the user's table has it.
func (h *helpDialogs) keyList(gtx layout.Context) layout.Dimensions {
	sh, s := h.sh, h.sh.s
	type row struct{ title, keys string }
	var rows []row
	for _, line := range s.Keys.Actions() {
		var keys []string
		for _, c := range s.Keys.Chords(line) {
			keys = append(keys, c.String())
		}
		if len(keys) > 0 {
			rows = append(rows, row{lineTitle(s, line), strings.Join(keys, "  ")})
		}
	}
	for _, c := range s.Keys.Controls() {
		if k := held(s, c); k != "" {
			rows = append(rows, row{controlTitles[c], k})
		}
	}
	size := image.Pt(gtx.Constraints.Max.X, min(gtx.Dp(420), gtx.Constraints.Max.Y))
	gtx.Constraints = layout.Exact(size)
	return sh.th.Scroll(gtx, &h.scroll, func(gtx layout.Context) layout.Dimensions {
		list := make([]layout.Widget, len(rows))
		for i, r := range rows {
			list[i] = func(gtx layout.Context) layout.Dimensions {
				w, rowH := gtx.Constraints.Max.X, gtx.Dp(24)
				if i%2 == 1 {
					fill(gtx, sh.th.Color.Bar, image.Rect(0, 0, w, rowH))
				}
				keys := w - gtx.Dp(190)
				sh.oneLine(gtx, sh.th.Label(r.title), image.Rect(gtx.Dp(8), 0, keys, rowH))
				sh.oneLine(gtx, sh.th.Dim(r.keys), image.Rect(keys, 0, w, rowH))
				return layout.Dimensions{Size: image.Pt(w, rowH)}
			}
		}
		return stack(gtx, 0, 0, list...)
	})
}

// lineTitle says in words what a line does: the command's title and its arguments.
func lineTitle(s *session.Session, line string) string {
	call, err := command.Parse(line)
	if err != nil {
		return line
	}
	c, ok := s.Env.Registry.Lookup(call.ID)
	if !ok {
		return line
	}
	var args []string
	for _, a := range call.Args {
		v := a.Value
		if a.Name == "by" {
			v = map[bool]string{true: sLess, false: sMore}[strings.HasPrefix(v, "-")]
		}
		args = append(args, v)
	}
	title := strings.TrimSuffix(c.Title, "…")
	if len(args) > 0 {
		title += ": " + strings.Join(args, ", ")
	}
	return title
}
