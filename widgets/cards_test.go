package widgets_test

import (
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// shelf is a set of assets under Cards, as a caller writes it.
type shelf struct {
	t        *testing.T
	h        *widgettest.Harness
	th       *widgets.Theme
	cards    widgets.Cards
	names    []string
	selected map[uint64]bool
	fixed    bool
	log      []string
	asked    int
}

// newShelf makes cards of 88 × 108 pixels, two in a row, at 56,106.
func newShelf(t *testing.T, n int) *shelf {
	s := &shelf{t: t, th: widgets.NewTheme(), selected: map[uint64]bool{}}
	for i := range n {
		s.names = append(s.names, fmt.Sprint("c", i))
	}
	s.h = widgettest.New(t, 400, 400, 1, window(s.th, func(gtx layout.Context) layout.Dimensions {
		for {
			e, ok := s.cards.Update(gtx)
			if !ok {
				break
			}
			s.event(e)
		}
		s.asked = 0
		st := s.th.Cards(&s.cards, "Assets")
		st.Drags, st.Empty = true, "Drop files here"
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		return st.Layout(gtx, len(s.names), func(i int) widgets.Card {
			s.asked++
			id := s.id(i)
			return widgets.Card{ID: id, Title: s.names[i], Icon: icons.Object, Selected: s.selected[id], Fixed: s.fixed}
		})
	}))
	return s
}

func (s *shelf) id(i int) uint64 {
	var id uint64
	fmt.Sscanf(s.names[i], "c%d", &id)
	return id + 1
}

func (s *shelf) event(e widgets.CardsEvent) {
	name := "-"
	if e.Card >= 0 {
		name = s.names[e.Card]
		if e.ID != s.id(e.Card) {
			s.t.Errorf("event %+v names the wrong ID", e)
		}
	}
	switch e.Kind {
	case widgets.CardsSelect:
		s.log = append(s.log, fmt.Sprint([...]string{"only ", "toggle ", "range ", "more "}[e.Mode], name))
		if e.Mode == widgets.SelectOnly || e.Mode == widgets.SelectRange {
			clear(s.selected)
		}
		switch {
		case e.Card < 0:
		case e.Mode == widgets.SelectToggle:
			s.selected[e.ID] = !s.selected[e.ID]
		default:
			for i := e.First; i <= e.Last; i++ {
				s.selected[s.id(i)] = true
			}
		}
	case widgets.CardsActivate:
		s.log = append(s.log, "activate "+name)
	case widgets.CardsContext:
		s.log = append(s.log, fmt.Sprint("context ", name, " ", e.Pos))
	default:
		what := [...]string{"begin ", "move ", "drop ", "cancel "}[e.Kind-widgets.CardsDragBegin]
		s.log = append(s.log, fmt.Sprint(what, name, " ", e.Window))
	}
}

func (s *shelf) want(events ...string) {
	s.t.Helper()
	if !slices.Equal(s.log, events) {
		s.t.Errorf("events %q, want %q", s.log, events)
	}
	s.log = nil
}

func TestCardsSelect(t *testing.T) {
	s := newShelf(t, 7)
	s.h.Click("c1")
	s.h.Hold(key.ModShift)
	s.h.Click("c2")
	s.h.Hold(key.ModCtrl)
	s.h.Click("c0")
	s.h.Hold(0)
	s.want("only c1", "range c2", "toggle c0")
	if !s.selected[1] || !s.selected[2] || !s.selected[3] || len(s.selected) != 3 {
		t.Errorf("selected %v", s.selected)
	}
	s.h.Click("c2")
	s.h.DoubleClick("c1")
	s.want("only c2", "only c1", "activate c1")
	s.h.RightClick("c0")
	s.want("only c0", fmt.Sprint("context c0 ", image.Pt(51, 60)))
	s.h.Key(key.NameDownArrow, 0)
	s.h.Key(key.NameRightArrow, key.ModShift)
	s.h.Key(key.NameDownArrow, 0)
	s.h.Key(key.NameReturn, 0)
	s.h.Key(key.NameEnd, 0)
	s.h.Key(key.NameRightArrow, 0)
	s.want("only c2", "range c3", "only c5", "activate c5", "only c6")
	if !s.h.Has("c6") || s.h.Has("c0") {
		t.Error("the grid hasn't followed the keyboard")
	}
	s.h.ClickAt(50+140, 100+150) // beside the last one
	s.want("only -")
	s.names = nil
	s.h.Frame()
	if !s.h.Has("Drop files here") {
		t.Error("an empty grid must say so")
	}
	s.h.Key(key.NameDownArrow, 0)
	s.h.ClickAt(100, 150)
	s.want("only -")
}

func TestCardsDrag(t *testing.T) {
	s := newShelf(t, 3)
	s.h.Press("c1")
	s.h.DragBy(2, 2) // within the slop
	s.h.Release()
	s.want("only c1")
	from := s.h.Centre("c1").Round()
	s.h.Press("c1")
	s.h.DragBy(200, 80)
	if !s.cards.Dragging() {
		t.Error("not dragging")
	}
	s.h.Release()
	at := func(n int) string { return from.Add(image.Pt(50*n, 20*n)).String() }
	s.want("begin c1 "+at(1), "move c1 "+at(2), "move c1 "+at(3), "move c1 "+at(4), "drop c1 "+at(4))
	if s.cards.Dragging() {
		t.Error("still dragging")
	}
	s.h.Press("c0")
	s.h.DragBy(40, 0)
	s.h.Key(key.NameEscape, 0)
	s.h.DragBy(40, 0)
	s.h.Release()
	if n := len(s.log); n < 3 || s.log[n-1][:6] != "cancel" {
		t.Errorf("events %q, want the drag cancelled at last", s.log)
	}
	s.log = nil
	// The card goes away under the drag.
	s.h.Press("c2")
	s.h.DragBy(40, 0)
	s.names = s.names[:2]
	s.h.Frame()
	s.h.Release()
	if n := len(s.log); n < 2 || s.log[n-1][:6] != "cancel" {
		t.Errorf("events %q, want the drag cancelled at last", s.log)
	}
	if s.cards.Dragging() {
		t.Error("still dragging what is gone")
	}
	s.log, s.fixed = nil, true
	s.h.Drag("c0", 60, 0)
	s.want("only c0")
}

func TestCardsAreVirtual(t *testing.T) {
	s := newShelf(t, 10_000)
	s.h.Frame()
	if s.asked > 16 {
		t.Errorf("%d cards were asked for, for a view of 4", s.asked)
	}
	s.cards.ScrollTo(9_999)
	s.h.Frame()
	if !s.h.Has("c9999") {
		t.Error("the last card isn't in view")
	}
	s.h.Hover("c9999")
	s.h.Wait(time.Second)
	if !s.h.Has("Tooltip: c9999") {
		t.Error("no tooltip with the whole title")
	}
}
