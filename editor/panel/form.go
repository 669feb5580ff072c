package panel

import (
	"image"
	"slices"
	"strconv"
	"strings"

	"gioui.org/layout"

	"ridgeline/editor/command"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// form asks for the arguments of a command and shows the line that they make, as a
// script would have it.
type form struct {
	sh      *Shell
	dialog  widgets.Dialog
	command *command.Command // nil: closed
	fields  []widgets.Field
	choices []widgets.Choice // index 0 leaves the argument out
	scroll  widgets.Scroll
	focus   int // field that gets the keyboard after the dialog took it, plus 1
}

// open shows the form for a command.
func (f *form) open(c *command.Command) {
	f.command = c
	f.fields = make([]widgets.Field, len(c.Params))
	f.choices = make([]widgets.Choice, len(c.Params))
	f.scroll, f.focus = widgets.Scroll{}, 0
	f.dialog.Open()
	for i := range c.Params {
		if f.titles(i) == nil {
			f.focus = i + 1
			break
		}
	}
	f.sh.again = true
}

// titles are what an argument can be chosen from, after the empty choice; nil for
// arguments that are typed.
func (f *form) titles(i int) []string {
	p := &f.command.Params[i]
	var list []string
	if p.Kind == command.Layer {
		for _, l := range f.sh.s.Level().Layers {
			list = append(list, l.Name)
		}
	} else {
		list = values(f.sh.s, p)
	}
	if list == nil {
		return nil
	}
	return append([]string{""}, list...)
}

// call is what the form makes of the command.
func (f *form) call() command.Call {
	call := command.Call{ID: f.command.ID}
	for i := range f.command.Params {
		p := &f.command.Params[i]
		value := f.fields[i].Text()
		if titles := f.titles(i); titles != nil {
			value = ""
			if k := f.choices[i].Selected; k > 0 && k < len(titles) {
				value = titles[k]
				if p.Kind == command.Layer {
					value = strconv.Itoa(k - 1)
				}
			}
		}
		if value != "" {
			call.Args = append(call.Args, command.Arg{Name: p.Name, Value: value})
		}
	}
	return call
}

// layout is a layer over the window.
func (f *form) layout(gtx layout.Context) layout.Dimensions {
	if f.command == nil {
		return layout.Dimensions{}
	}
	for i := range f.fields {
		for {
			ev, ok := f.fields[i].Update(gtx)
			if !ok {
				break
			}
			switch ev.Kind {
			case widgets.FieldSubmitted:
				f.dialog.Accept()
			case widgets.FieldCancelled:
				f.dialog.Cancel()
			}
		}
		f.choices[i].Update(gtx)
	}
	sh, call := f.sh, f.call()
	_, err := sh.s.Env.Registry.Check(call)
	if id, ok := f.dialog.Update(gtx); ok {
		f.command = nil
		if id == sRun {
			sh.run(call.String())
		}
		sh.again = true
		return layout.Dimensions{}
	}
	reason, missing := sh.why(f.command.ID), f.missing(call)
	switch {
	case missing != "":
		reason = sMissing + missing
	case err != nil:
		reason = strings.TrimPrefix(err.Error(), f.command.ID+": ")
	}
	d := sh.th.Dialog(&f.dialog, f.command.Title, plain(f.command.Help)+" "+sArguments,
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: sRun, Title: sRun, Importance: widgets.Primary, Default: true, Reason: reason})
	d.Width = 480
	dims := d.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return f.body(gtx, call, reason, missing != "") })
	if f.focus > 0 {
		f.fields[f.focus-1].Focus()
		f.focus = 0
		sh.again = true
	}
	return dims
}

// missing names the arguments that the command needs and a call has not.
func (f *form) missing(call command.Call) string {
	var names []string
	for i := range f.command.Params {
		p := &f.command.Params[i]
		if p.Required && !slices.ContainsFunc(call.Args, func(a command.Arg) bool { return a.Name == p.Name }) {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

// body is the arguments, the line, and what speaks against running it.
func (f *form) body(gtx layout.Context, call command.Call, reason string, waits bool) layout.Dimensions {
	th := f.sh.th
	var rows []layout.Widget
	for i := range f.command.Params {
		rows = append(rows, func(gtx layout.Context) layout.Dimensions { return f.row(gtx, i) })
	}
	return stack(gtx, 0, 8,
		func(gtx layout.Context) layout.Dimensions {
			// As high as its rows, and scrolled where the window is too low for them.
			gap := gtx.Dp(6)
			h := len(rows)*(gtx.Dp(th.Size.Row)+gap) - gap
			gtx.Constraints = layout.Exact(image.Pt(gtx.Constraints.Max.X, min(h, max(gtx.Dp(60), gtx.Constraints.Max.Y-gtx.Dp(48)))))
			return th.Scroll(gtx, &f.scroll, func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 6, rows...) })
		},
		func(gtx layout.Context) layout.Dimensions {
			l := th.MonoLabel(call.String())
			l.Lines, l.Color = 2, th.Color.Dim
			return l.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			switch {
			case reason == "":
				return layout.Dimensions{}
			case waits: // nothing is wrong yet
				return f.sh.note(gtx, reason, icons.Info)
			}
			return f.sh.problem(gtx, reason)
		},
	)
}

func (f *form) row(gtx layout.Context, i int) layout.Dimensions {
	th, p := f.sh.th, &f.command.Params[i]
	return f.sh.labelled(gtx, p.Name, func(gtx layout.Context) layout.Dimensions {
		tip := widgets.Tip{Title: p.Name, Help: capital(p.Help) + "."}
		if r := p.Range(); r != "" {
			tip.Help += " " + capital(r) + "."
		}
		if titles := f.titles(i); titles != nil {
			titles = slices.Clone(titles)
			titles[0] = f.empty(p)
			c := th.Choice(&f.choices[i], p.Name, titles...)
			c.Tip = tip
			return c.Layout(gtx)
		}
		fs := th.Field(&f.fields[i], p.Name)
		fs.Hint, fs.Tip = f.empty(p), tip
		return fs.Layout(gtx)
	})
}

// empty is what stands where an argument is not given.
func (f *form) empty(p *command.Param) string {
	text := p.Help
	if p.Unit != "" {
		text += ", " + p.Unit
	}
	switch {
	case p.Required:
		return text + " (" + sNeeded + ")"
	case p.Default != "":
		return text + " (" + p.Default + ")"
	}
	return text
}
