package panel

import (
	"image"

	"gioui.org/layout"
	"gioui.org/unit"

	"ridgeline/icons"
	"ridgeline/widgets"
)

// fields are the widgets of the left column, made when they are first shown and told
// apart by their titles.
type fields struct {
	sh      *Shell
	numbers map[string]*widgets.Number
	tracks  map[string]*widgets.Slider
	checks  map[string]*widgets.Check
	buttons map[string]*widgets.Button
	choices map[string]*widgets.Choice
	groups  map[string]*widgets.Choices
}

// kept gives the widget of a title.
func kept[T any](m *map[string]*T, title string) *T {
	if *m == nil {
		*m = map[string]*T{}
	}
	w := (*m)[title]
	if w == nil {
		w = new(T)
		(*m)[title] = w
	}
	return w
}

// quantity is a number that an option has.
type quantity struct {
	title, unit string
	label       string // what stands in the field, the title unless told
	min, max    float64
	step        float64
	low, high   float64 // what a slider shows of it; the whole range unless told
	log         bool
	integer     bool
	decimals    int
	value       float64
	set         func(float64)
	done        func() // when a gesture has ended; may be nil
	help        string
	keys        string
	reason      string
}

func (q *quantity) name() string {
	if q.label != "" {
		return q.label
	}
	return q.title
}

// number is a number in a field of its own.
func (f *fields) number(q quantity) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		n := kept(&f.numbers, q.title)
		n.Min, n.Max, n.Step, n.Log, n.Integer, n.Decimals = q.min, q.max, q.step, q.log, q.integer, q.decimals
		f.take(gtx, n.Update, q)
		if !n.Dragging() && !n.Editing() {
			n.Value = q.value
		}
		d := f.sh.th.Number(n, q.unit)
		d.Label, d.Reason = q.name(), q.reason
		d.Tip = widgets.Tip{Title: q.title, Help: q.help, Keys: q.keys}
		return d.Layout(gtx)
	}
}

// take hands on what the user sets.
func (f *fields) take(gtx layout.Context, update func(layout.Context) (widgets.Change, bool), q quantity) {
	for {
		c, ok := update(gtx)
		if !ok {
			return
		}
		q.set(c.Value)
		if c.Phase != widgets.Preview && q.done != nil {
			q.done()
		}
		f.sh.again = true
	}
}

// The columns of sliders left and right of the track.
const (
	trackLabel = 76
	trackValue = 80
)

// track is a number with a slider.
func (f *fields) track(q quantity) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		sl := kept(&f.tracks, q.title)
		sl.Step, sl.Log, sl.Integer, sl.Decimals = q.step, q.log, q.integer, q.decimals
		switch {
		case sl.Editing() || q.high == 0 && q.low == 0:
			sl.Min, sl.Max = q.min, q.max
		case !sl.Dragging():
			sl.Min, sl.Max = q.low, max(q.high, q.value)
			if !q.log || q.value > 0 {
				sl.Min = min(q.low, q.value)
			}
		}
		f.take(gtx, sl.Update, q)
		if !sl.Dragging() && !sl.Editing() {
			sl.Value = q.value
		}
		d := f.sh.th.Slider(sl, q.name(), q.unit)
		d.LabelWidth, d.ValueWidth, d.Reason = trackLabel, trackValue, q.reason
		d.Tip = widgets.Tip{Title: q.title, Help: q.help, Keys: q.keys}
		return d.Layout(gtx)
	}
}

// check is a switch with a line for each of its states.
func (f *fields) check(title, help, keys string, on bool, line func(on bool) string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		c := kept(&f.checks, title)
		c.Value = on
		if v, ok := c.Update(gtx); ok {
			f.sh.run(line(v))
		}
		d := f.sh.th.Check(c, title)
		d.Tip = widgets.Tip{Title: title, Help: help, Keys: keys}
		d.Reason = f.sh.why(line(!on))
		gtx.Constraints.Min = image.Point{}
		s := d.Layout(gtx).Size
		return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, s.Y)}
	}
}

// button runs a line.
func (f *fields) button(line, title, help string, icon icons.Name) layout.Widget {
	return f.act(title, help, icon, f.sh.s.Keys.Hint(line), f.sh.why(line), func() { f.sh.run(line) })
}

// act is a button that does something.
func (f *fields) act(title, help string, icon icons.Name, keys, reason string, do func()) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		b := kept(&f.buttons, title)
		if b.Clicked(gtx) {
			do()
			f.sh.again = true
		}
		d := f.sh.th.Button(b, title)
		d.Icon, d.Reason = icon, reason
		d.Tip = widgets.Tip{Title: title, Help: help, Keys: keys}
		return d.Layout(gtx)
	}
}

// segments choose one of some lines.
func (f *fields) segments(name string, titles, lines []string, now int) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		c := kept(&f.groups, name)
		if i, ok := c.Update(gtx); ok {
			f.sh.run(lines[i])
		} else {
			c.Selected = now
		}
		d := f.sh.th.Segments(c, titles...)
		if now >= 0 && now < len(lines) {
			d.Reason = f.sh.why(lines[now])
		}
		return d.Layout(gtx)
	}
}

// choice is a list to choose one of.
func (f *fields) choice(name string, titles []string, now int, set func(int)) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		c := kept(&f.choices, name)
		if i, ok := c.Update(gtx); ok && i < len(titles) {
			set(i)
			f.sh.again = true
		} else {
			c.Selected = now
		}
		return f.sh.labelled(gtx, name, f.sh.th.Choice(c, name, titles...).Layout)
	}
}

// text is a paragraph of small dim text.
func (f *fields) text(s string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		l := f.sh.th.Body(s)
		l.Color, l.Size = f.sh.th.Color.Dim, f.sh.th.Size.Small
		return l.Layout(gtx)
	}
}

// beside puts a widget of a fixed width at the right of another.
func beside(gap, width unit.Dp, left, right layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		w, r := gtx.Constraints.Max.X, gtx.Dp(width)
		g := gtx
		g.Constraints = layout.Constraints{Min: image.Pt(max(0, w-r-gtx.Dp(gap)), 0), Max: image.Pt(max(0, w-r-gtx.Dp(gap)), gtx.Constraints.Max.Y)}
		h := left(g).Size.Y
		in(gtx, image.Rect(w-r, 0, w, h), right)
		return layout.Dimensions{Size: image.Pt(w, h)}
	}
}
