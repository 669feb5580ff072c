package widgets

import (
	"image"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/icons"
)

// Card is one card of a grid as it is shown.
type Card struct {
	// ID tells cards apart when others come and go before them.
	ID      uint64
	Title   string
	Detail  string        // in the tooltip
	Picture layout.Widget // drawn over exact square constraints; nil for Icon
	Icon    icons.Name
	Badge   icons.Name
	// BadgeTip is what the badge warns of.
	BadgeTip string
	Dim      bool
	Selected bool
	Fixed    bool // cannot be dragged
}

// CardsEventKind says what happened in a grid of cards.
type CardsEventKind uint8

const (
	// CardsSelect: Mode tells what becomes of the selection, with Card, which is
	// -1 beside all cards, or with the cards from First to Last.
	CardsSelect CardsEventKind = iota
	// CardsActivate: double click or Enter.
	CardsActivate
	// CardsContext: right click at Pos on Card, which is -1 beside all cards. A
	// card that wasn't selected has been by an event before.
	CardsContext
	// CardsDragBegin: Card is being dragged. Any number of CardsDragMove follow
	// and one CardsDrop or CardsDragCancel, all with the pointer's place in the
	// window. When the card goes away, the drag is cancelled with -1 for Card.
	CardsDragBegin
	CardsDragMove
	CardsDrop
	CardsDragCancel
	// CardsDelete: the Delete key on Card.
	CardsDelete
)

// CardsEvent is one thing that happened in a grid of cards. Cards are those of the
// last Layout; IDs hold even when they have changed since.
type CardsEvent struct {
	Kind        CardsEventKind
	Card        int
	ID          uint64
	Mode        SelectMode
	First, Last int
	Modifiers   key.Modifiers
	Pos         image.Point // in the frame of the grid
	Window      image.Point // in the window
}

// Cards is the state of a grid of cards, of which only those in view are laid out.
// A card can be dragged out of it, to whatever the caller finds at the place in
// the window; Esc gives up.
type Cards struct {
	scroller
	sense
	pending []CardsEvent
	show    bool

	cur, anchor mark
	grip
	dragging bool
	dragAt   f32.Point
	tip      tipState
	tipCard  int

	// Noted by Layout.
	n            int
	card         func(int) Card
	drags        bool
	cell         image.Point
	columns      int
	width        int
	laid         bool
	pad, caption int
}

// Current is the card that the keyboard is on.
func (c *Cards) Current() int { return c.cur.at }

// ScrollTo puts the keyboard on a card and brings it into view at the next Layout.
func (c *Cards) ScrollTo(card int) {
	c.cur.at = card
	c.show, c.laid = true, false
}

// Dragging reports whether a card is being dragged.
func (c *Cards) Dragging() bool { return c.dragging }

func (c *Cards) id(i int) uint64 {
	if c.card == nil || i < 0 || i >= c.n {
		return 0
	}
	return c.card(i).ID
}

// settle takes in the cards of a frame.
func (c *Cards) settle(n int, card func(int) Card) {
	c.n, c.card = n, card
	if !c.laid {
		c.laid = true
		c.cur.put(max(0, min(c.cur.at, n-1)), c.id)
		c.anchor = c.cur
	}
	if !c.cur.follow(n, c.id) {
		c.cur.put(c.cur.at, c.id)
	}
	if !c.anchor.follow(n, c.id) {
		c.anchor = c.cur
	}
	if (c.down || c.dragging) && !c.pressed.follow(n, c.id) {
		c.pressed.at = -1
		c.letGo()
	}
}

// Update returns the next event.
func (c *Cards) Update(gtx layout.Context) (CardsEvent, bool) {
	if c.card != nil {
		c.events(gtx)
	}
	if len(c.pending) == 0 {
		return CardsEvent{}, false
	}
	e := c.pending[0]
	c.pending = c.pending[:copy(c.pending, c.pending[1:])]
	return e, true
}

func (c *Cards) emit(e CardsEvent) {
	if e.ID == 0 {
		e.ID = c.id(e.Card)
	}
	c.pending = append(c.pending, e)
}

func (c *Cards) events(gtx layout.Context) {
	filters := [...]event.Filter{
		pointer.Filter{Target: c, Kinds: pointerKinds},
		key.FocusFilter{Target: c},
		key.Filter{Focus: c, Name: key.NameUpArrow, Optional: key.ModShift},
		key.Filter{Focus: c, Name: key.NameDownArrow, Optional: key.ModShift},
		key.Filter{Focus: c, Name: key.NameLeftArrow, Optional: key.ModShift},
		key.Filter{Focus: c, Name: key.NameRightArrow, Optional: key.ModShift},
		key.Filter{Focus: c, Name: key.NameHome, Optional: key.ModShift},
		key.Filter{Focus: c, Name: key.NameEnd, Optional: key.ModShift},
		key.Filter{Focus: c, Name: key.NameReturn},
		key.Filter{Focus: c, Name: key.NameEnter},
		key.Filter{Focus: c, Name: key.NameDeleteForward},
		key.Filter{Focus: c, Name: key.NameEscape},
	}
	heard := filters[:]
	if !c.dragging { // Esc is the window's but for drags
		heard = filters[:len(filters)-1]
	}
	for {
		ev, ok := gtx.Event(heard...)
		if !ok {
			return
		}
		switch e := ev.(type) {
		case pointer.Event:
			c.note(e)
			c.pointer(gtx, e)
		case key.Event:
			if e.State == key.Press {
				c.key(e)
			}
		}
	}
}

// cardAt is the card at a place of the grid's frame.
func (c *Cards) cardAt(p image.Point) (int, bool) {
	if c.cell.X == 0 || p.X < 0 || p.X >= c.width || p.Y < 0 || p.Y >= c.view {
		return 0, false
	}
	p = p.Add(image.Pt(-c.pad, int(c.pos+0.5)-c.pad))
	col, row := p.X/c.cell.X, p.Y/c.cell.Y
	i := row*c.columns + col
	return i, p.X >= 0 && p.Y >= 0 && col < c.columns && i < c.n
}

func (c *Cards) pointer(gtx layout.Context, e pointer.Event) {
	switch e.Kind {
	case pointer.Press:
		c.press(gtx, e)
	case pointer.Drag:
		if e.PointerID == c.by {
			c.move(gtx, e)
		}
	case pointer.Release:
		if e.PointerID != c.by {
			break
		}
		if i, ok := c.cardAt(c.local); c.late && !c.dragging && ok && i == c.pressed.at {
			c.selectCard(i, SelectOnly, e.Modifiers)
		}
		if c.dragging {
			c.report(CardsDrop, e.Modifiers)
			c.dragging = false
		}
		c.letGo()
	case pointer.Cancel:
		c.letGo()
	}
}

func (c *Cards) press(gtx layout.Context, e pointer.Event) {
	if c.dragging {
		return // another button
	}
	c.tip.hush()
	gtx.Execute(key.FocusCmd{Tag: c})
	if c.sense.th != nil {
		c.sense.th.win.claimed = true
	}
	i, ok := c.cardAt(e.Position.Round())
	if e.Buttons == pointer.ButtonSecondary {
		if !ok {
			i = -1
		} else if !c.card(i).Selected {
			c.selectCard(i, SelectOnly, e.Modifiers)
		}
		c.emit(CardsEvent{Kind: CardsContext, Card: i, Modifiers: e.Modifiers, Pos: e.Position.Round()})
		return
	}
	if e.Source == pointer.Mouse && e.Buttons != pointer.ButtonPrimary {
		return
	}
	if !ok {
		if selectMode(e.Modifiers) == SelectOnly {
			c.emit(CardsEvent{Kind: CardsSelect, Card: -1, First: -1, Last: -1})
		}
		return
	}
	m := mark{i, c.id(i)}
	switch mode, now, double := c.grip.press(e, m, c.card(i).Selected); {
	case double:
		c.emit(CardsEvent{Kind: CardsActivate, Card: i, Modifiers: e.Modifiers})
	case now:
		c.selectCard(i, mode, e.Modifiers)
	default:
		c.cur, c.anchor = m, m
	}
}

func (c *Cards) move(gtx layout.Context, e pointer.Event) {
	switch {
	case c.dragging:
		c.dragAt = e.Position
		c.report(CardsDragMove, e.Modifiers)
	case c.far(gtx, e) && c.drags && !c.card(c.pressed.at).Fixed:
		c.dragging, c.dragAt = true, e.Position
		gtx.Execute(pointer.GrabCmd{Tag: c, ID: e.PointerID})
		c.report(CardsDragBegin, e.Modifiers)
	}
}

// report tells of the card that is being dragged.
func (c *Cards) report(k CardsEventKind, m key.Modifiers) {
	p := c.dragAt.Round()
	c.emit(CardsEvent{Kind: k, Card: c.pressed.at, ID: c.pressed.id, Modifiers: m, Pos: p, Window: p.Add(c.origin)})
}

// letGo ends a press, and cancels a drag.
func (c *Cards) letGo() {
	if c.dragging {
		c.report(CardsDragCancel, 0)
	}
	c.let()
	c.dragging = false
}

func (c *Cards) selectCard(i int, mode SelectMode, m key.Modifiers) {
	c.cur.put(i, c.id)
	if mode != SelectRange && mode != SelectMore {
		c.anchor = c.cur
	}
	c.emit(CardsEvent{
		Kind: CardsSelect, Card: i, Mode: mode, Modifiers: m,
		First: min(c.anchor.at, i), Last: max(c.anchor.at, i),
	})
}

func (c *Cards) key(e key.Event) {
	if e.Name == key.NameEscape {
		c.letGo()
		return
	}
	if c.n == 0 {
		return
	}
	i := c.cur.at
	switch e.Name {
	case key.NameUpArrow:
		i -= c.columns
	case key.NameDownArrow:
		i += c.columns
	case key.NameLeftArrow:
		i--
	case key.NameRightArrow:
		i++
	case key.NameHome:
		i = 0
	case key.NameEnd:
		i = c.n - 1
	case key.NameDeleteForward:
		c.emit(CardsEvent{Kind: CardsDelete, Card: i, Modifiers: e.Modifiers})
		return
	default:
		c.emit(CardsEvent{Kind: CardsActivate, Card: i, Modifiers: e.Modifiers})
		return
	}
	if i = max(0, min(i, c.n-1)); i == c.cur.at {
		return
	}
	c.show = true
	mode := SelectOnly
	if e.Modifiers.Contain(key.ModShift) {
		mode = SelectRange
	}
	c.selectCard(i, mode, e.Modifiers)
}

// Picture draws an image as large as it fits into the middle of the constraints.
func Picture(img paint.ImageOp) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		size, of := gtx.Constraints.Max, img.Size()
		if of.X == 0 || of.Y == 0 {
			return layout.Dimensions{Size: size}
		}
		k := min(float32(size.X)/float32(of.X), float32(size.Y)/float32(of.Y))
		off := f32.Pt((float32(size.X)-k*float32(of.X))/2, (float32(size.Y)-k*float32(of.Y))/2)
		defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
		defer op.Affine(f32.AffineId().Scale(f32.Point{}, f32.Pt(k, k)).Offset(off)).Push(gtx.Ops).Pop()
		img.Add(gtx.Ops)
		paint.PaintOp{}.Add(gtx.Ops)
		return layout.Dimensions{Size: size}
	}
}
