package widgets

import (
	"image"

	"gioui.org/io/key"
	"gioui.org/layout"
)

// Entry is the state of a text that is taken as a whole: Enter takes it and so
// does leaving the field, Esc brings back the one from before.
type Entry struct {
	Value string
	// Mixed stands for several texts that differ: the field is empty and shows a
	// dash. Typing a text for all clears it; leaving the field empty does not.
	Mixed bool

	field   Field
	check   func(string) string
	problem string
	filled  bool // the field holds what the value was, or what is being typed
	was     string
}

// Editing reports whether the user is typing.
func (e *Entry) Editing(gtx layout.Context) bool { return e.field.Focused(gtx) }

// Focus gives the keyboard to the entry and selects its text.
func (e *Entry) Focus() { e.field.SelectAll() }

// Update returns the text that the user has set, and changes Value.
func (e *Entry) Update(gtx layout.Context) (string, bool) {
	e.fill(gtx)
	for {
		ev, ok := e.field.Update(gtx)
		if !ok {
			return "", false
		}
		switch ev.Kind {
		case FieldChanged:
			e.problem = ""
			continue
		case FieldCancelled:
			e.reset()
			continue
		}
		same := ev.Text == e.was
		if !same && e.check != nil {
			e.problem = e.check(ev.Text)
		}
		if e.problem != "" {
			if ev.Kind == FieldBlurred {
				e.reset()
			}
			continue
		}
		if ev.Kind == FieldSubmitted {
			gtx.Execute(key.FocusCmd{}) // letters are shortcuts again
		}
		if same {
			continue
		}
		e.Value, e.Mixed, e.was = ev.Text, false, ev.Text
		return ev.Text, true
	}
}

func (e *Entry) text() string {
	if e.Mixed {
		return ""
	}
	return e.Value
}

// fill shows the value, unless another is being typed.
func (e *Entry) fill(gtx layout.Context) {
	if t := e.text(); !e.filled || t != e.was && !e.field.Focused(gtx) {
		e.reset()
	}
}

func (e *Entry) reset() {
	e.filled, e.problem, e.was = true, "", e.text()
	if e.field.Text() != e.was {
		e.field.SetText(e.was)
	}
}

// EntryStyle draws an Entry.
type EntryStyle struct {
	Label string // semantic label
	Hint  string // shown while the text is empty
	Mono  bool
	Tip   Tip
	// Check tells why a text cannot be taken, "" if it can; nil takes all. It is
	// asked about a text that differs from the one before.
	Check func(text string) string
	// Reason disables the entry when it isn't empty.
	Reason string

	state *Entry
	th    *Theme
}

// Entry draws e. The label is not shown.
func (th *Theme) Entry(e *Entry, label string) EntryStyle {
	return EntryStyle{Label: label, state: e, th: th}
}

// Layout draws the entry over the width of the constraints.
func (s EntryStyle) Layout(gtx layout.Context) layout.Dimensions {
	e := s.state
	e.check = s.Check
	for {
		if _, ok := e.Update(gtx); !ok {
			break
		}
	}
	f := s.th.Field(&e.field, s.Label)
	f.Hint, f.Mono, f.Tip, f.Problem, f.Reason = s.Hint, s.Mono, s.Tip, e.problem, s.Reason
	if e.Mixed {
		f.Hint = mixedText
	}
	d := f.Layout(gtx)
	if e.problem != "" {
		s.th.showTip(gtx, Tip{}, e.problem, image.Rectangle{Max: d.Size}, sideBelow, e.field.origin, e.field.placed)
	}
	return d
}
