package widgets

import (
	"image"
	"strings"
	"unicode/utf8"

	"gioui.org/io/key"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
)

// consoleLines is the most lines kept.
const consoleLines = 2000

// consoleHistory is the most inputs kept.
const consoleHistory = 200

// LineKind says what a line of the console is.
type LineKind uint8

const (
	// LineOutput is ordinary output.
	LineOutput LineKind = iota
	// LineInput repeats what the user typed.
	LineInput
	// LineWarn is a warning.
	LineWarn
	// LineError is an error.
	LineError
)

type consoleLine struct {
	kind LineKind
	text string
}

// Completion is what a completion hook answers: the input with as much added
// as is certain, and the candidates when there are several.
type Completion struct {
	Text       string
	Candidates []string
}

// Console is the state of a command console: lines that were printed, and an
// input with history and completion.
type Console struct {
	// Complete is asked on Tab with the input up to the caret's line end; nil
	// for no completion.
	Complete func(input string) Completion

	lines   []consoleLine
	history []string
	at      int    // place in history, len(history) for the new input
	draft   string // new input, kept while looking through history
	field   Field
	scroller
	stick   bool // the view stays at the end
	started bool
}

// Print appends text, which may have several lines.
func (c *Console) Print(kind LineKind, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		c.lines = append(c.lines, consoleLine{kind, strings.ReplaceAll(line, "\t", "    ")})
	}
	if n := len(c.lines) - consoleLines; n > 0 {
		c.lines = append(c.lines[:0], c.lines[n:]...)
	}
	c.stick = true
}

// Clear removes all lines.
func (c *Console) Clear() { c.lines = nil }

// Focus gives the keyboard to the input.
func (c *Console) Focus() { c.field.Focus() }

// Focused reports whether the input has the keyboard.
func (c *Console) Focused(gtx layout.Context) bool { return c.field.Focused(gtx) }

// Take removes a letter from the input, wherever it was typed, and reports whether there
// was one.
func (c *Console) Take(letter rune) bool {
	text := c.field.Text()
	if !strings.ContainsRune(text, letter) {
		return false
	}
	c.field.SetText(strings.ReplaceAll(text, string(letter), ""))
	return true
}

// History is the past inputs, the oldest first.
func (c *Console) History() []string { return c.history }

// SetHistory replaces the past inputs.
func (c *Console) SetHistory(h []string) {
	c.history = append([]string(nil), h...)
	c.at = len(c.history)
}

// Update returns the next input that the user has entered. It has been printed
// and put into the history.
func (c *Console) Update(gtx layout.Context) (input string, ok bool) {
	if !c.started {
		c.started = true
		c.at = len(c.history)
	}
	ed := &c.field.ed
	for {
		ev, ok := gtx.Event(
			key.Filter{Focus: ed, Name: key.NameUpArrow},
			key.Filter{Focus: ed, Name: key.NameDownArrow},
			key.Filter{Focus: ed, Name: key.NameTab},
		)
		if !ok {
			break
		}
		e, ok := ev.(key.Event)
		if !ok || e.State != key.Press {
			continue
		}
		switch e.Name {
		case key.NameUpArrow:
			c.recall(c.at - 1)
		case key.NameDownArrow:
			c.recall(c.at + 1)
		case key.NameTab:
			c.complete()
		}
	}
	for {
		ev, ok := c.field.Update(gtx)
		if !ok {
			return "", false
		}
		if ev.Kind != FieldSubmitted {
			continue
		}
		text := strings.TrimSpace(ev.Text)
		c.field.SetText("")
		if text == "" {
			continue
		}
		c.Print(LineInput, text)
		if n := len(c.history); n == 0 || c.history[n-1] != text {
			c.history = append(c.history, text)
		}
		if n := len(c.history) - consoleHistory; n > 0 {
			c.history = append(c.history[:0], c.history[n:]...)
		}
		c.at = len(c.history)
		return text, true
	}
}

// recall shows an earlier or later input.
func (c *Console) recall(i int) {
	if i < 0 || i > len(c.history) {
		return
	}
	if c.at == len(c.history) {
		c.draft = c.field.Text()
	}
	c.at = i
	if i == len(c.history) {
		c.field.SetText(c.draft)
	} else {
		c.field.SetText(c.history[i])
	}
}

func (c *Console) complete() {
	if c.Complete == nil {
		return
	}
	got := c.Complete(c.field.Text())
	if got.Text != "" {
		c.field.SetText(got.Text)
	}
	if len(got.Candidates) > 1 {
		c.Print(LineOutput, strings.Join(got.Candidates, "  "))
	}
}

// ConsoleStyle draws a Console.
type ConsoleStyle struct {
	Hint  string
	state *Console
	th    *Theme
}

// Console draws c.
func (th *Theme) Console(c *Console) ConsoleStyle {
	return ConsoleStyle{Hint: "Type a command, Tab completes", state: c, th: th}
}

// Layout draws the console over the whole of the constraints.
func (s ConsoleStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, c := s.th, s.state
	size := gtx.Constraints.Max
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	fillRect(gtx.Ops, th.Color.Field, image.Rectangle{Max: size})
	pad := gtx.Dp(6)
	input := gtx.Dp(th.Size.Row)
	view := size.Y - input - 2*pad
	if view > 0 {
		lg := gtx
		lg.Constraints = layout.Exact(image.Pt(size.X, view))
		s.lines(lg)
	}
	y := size.Y - input - pad
	fg := gtx
	fg.Constraints = layout.Exact(image.Pt(size.X-2*pad, input))
	f := th.Field(&c.field, "Console input")
	f.Hint, f.Mono = s.Hint, true
	at(fg, image.Pt(pad, y), f.Layout)
	return layout.Dimensions{Size: size}
}

// lines draws the printed lines. The font has one width, so that the rows a
// line takes follow from its length.
func (s ConsoleStyle) lines(gtx layout.Context) {
	th, c := s.th, s.state
	size := gtx.Constraints.Max
	pad := gtx.Dp(8)
	probe := th.MonoLabel("0000000000")
	cell := float32(probe.width(gtx)) / 10
	rowH := gtx.Dp(18)
	gutter := int(2 * cell)
	cols := max(8, int(float32(size.X-2*pad-gutter-gtx.Dp(scrollbarWidth))/cell))

	total := 0
	for i := range c.lines {
		total += c.lines[i].rows(cols) * rowH
	}
	c.view = size.Y
	atEnd := c.stick || c.total <= c.view || int(c.pos+1) >= c.total-c.view
	c.total = total
	c.stick = false
	if atEnd {
		c.pos = float32(max(0, total-size.Y))
	}
	c.update(gtx)
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	c.gesture.Add(gtx.Ops)
	semantic.LabelOp("Console output").Add(gtx.Ops)
	y := -int(c.pos + 0.5)
	if total < size.Y { // few lines stand at the bottom, by the input
		y = size.Y - total
	}
	for i := range c.lines {
		ln := &c.lines[i]
		rows := ln.rows(cols)
		if y+rows*rowH > 0 && y < size.Y {
			s.line(gtx, ln, image.Rect(pad, y, size.X, y+rows*rowH), gutter, cols, rowH)
		}
		y += rows * rowH
	}
	c.drawBar(gtx, th, size.X)
}

// rows is how many rows the line takes with the given columns.
func (l *consoleLine) rows(cols int) int {
	return max(1, (utf8.RuneCountInString(l.text)+cols-1)/cols)
}

func (s ConsoleStyle) line(gtx layout.Context, ln *consoleLine, r image.Rectangle, gutter, cols, rowH int) {
	th := s.th
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	semantic.LabelOp(ln.text).Add(gtx.Ops)
	l := th.MonoLabel(ln.text)
	mark := ""
	switch ln.kind {
	case LineInput:
		mark, l.Color = "›", th.Color.AccentHigh
	case LineWarn:
		mark, l.Color = "!", th.Color.Warn
	case LineError:
		mark, l.Color = "×", th.Color.Error
	}
	if mark != "" {
		m := l
		m.Text = mark
		m.drawIn(gtx, image.Rect(r.Min.X, r.Min.Y, r.Min.X+gutter, r.Min.Y+rowH))
	}
	rest := ln.text
	for y := r.Min.Y; rest != ""; y += rowH {
		cut, n := len(rest), 0
		for i := range rest {
			if n == cols {
				cut = i
				break
			}
			n++
		}
		l.Text, rest = rest[:cut], rest[cut:]
		// One pixel of grace: the columns were rounded down.
		l.drawIn(gtx, image.Rect(r.Min.X+gutter, y, r.Max.X+gtx.Dp(8), y+rowH))
	}
}
