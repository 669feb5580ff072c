package widgets

import (
	"image"

	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"
)

// Menu is one menu of a menu bar.
type Menu struct {
	Title string
	Items []MenuItem
}

// MenuBar is the state of a menu bar. Menus open on press, follow the pointer
// while one is open, and close on Esc or a press elsewhere. The bar takes its
// own place to be the window's top left corner until the pointer has told it
// better.
type MenuBar struct {
	sense
	tree  menuTree
	menus []Menu
	rects []image.Rectangle
	cur   int // open menu, when tree is open
	hover int
	held  bool // the press that opened the menu still lasts
}

// Update returns the ID of the next item that the user has picked.
func (b *MenuBar) Update(gtx layout.Context) (id string, ok bool) {
	b.events(gtx)
	id, _, ok = b.tree.take()
	return id, ok
}

func (b *MenuBar) events(gtx layout.Context) {
	for {
		e, ok := b.next(gtx, b)
		if !ok {
			break
		}
		b.pointer(gtx, e)
	}
	turn, pos, moved, pressed := b.tree.update(gtx)
	if turn != 0 && b.tree.isOpen() && len(b.menus) > 0 {
		b.Open(gtx, (b.cur+turn+len(b.menus))%len(b.menus))
		b.tree.step(&b.tree.levels[0], -1, 1)
	}
	if moved {
		i := b.titleAt(pos)
		switch {
		case pressed:
			b.tree.close()
		case i >= 0 && i != b.cur && b.tree.isOpen():
			b.Open(gtx, i)
		}
	}
}

func (b *MenuBar) pointer(gtx layout.Context, e pointer.Event) {
	i := b.titleAt(b.local)
	switch e.Kind {
	case pointer.Leave:
		b.hover = -1
	case pointer.Cancel:
		b.hover, b.held = -1, false
	case pointer.Press:
		if e.Buttons == pointer.ButtonPrimary && i >= 0 {
			b.Open(gtx, i)
			b.held = true
		}
	case pointer.Drag:
		if !b.tree.pointer(e) && b.tree.isOpen() && i >= 0 && i != b.cur {
			b.Open(gtx, i)
		}
	case pointer.Release:
		if b.held && b.tree.isOpen() {
			b.tree.pointer(e)
		}
		b.held = false
	default:
		b.hover = i
	}
}

func (b *MenuBar) titleAt(p image.Point) int {
	for i, r := range b.rects {
		if p.In(r) {
			return i
		}
	}
	return -1
}

// Open shows menu i, as a keyboard shortcut for the bar would.
func (b *MenuBar) Open(gtx layout.Context, i int) {
	if i < 0 || i >= len(b.menus) || i >= len(b.rects) {
		return
	}
	b.cur = i
	s := b.sense
	s.placed = true
	b.tree.open(gtx, b.menus[i].Items, b.rects[i], &s)
}

// Close closes the open menu, if any.
func (b *MenuBar) Close() { b.tree.close() }

// IsOpen reports whether a menu is open.
func (b *MenuBar) IsOpen() bool { return b.tree.isOpen() }

// MenuBarStyle draws a MenuBar.
type MenuBarStyle struct {
	Menus []Menu
	state *MenuBar
	th    *Theme
}

// MenuBar draws b with its menus. The items are read again every frame, so
// that checks and reasons may change while a menu is open.
func (th *Theme) MenuBar(b *MenuBar, menus []Menu) MenuBarStyle {
	return MenuBarStyle{menus, b, th}
}

// Layout draws the titles; it is as wide as they are.
func (s MenuBarStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, b := s.th, s.state
	if b.th == nil {
		b.hover = -1
	}
	b.th, b.menus = th, s.Menus
	h := gtx.Dp(th.Size.Bar)
	pad := gtx.Dp(9)
	b.rects = b.rects[:0]
	x := gtx.Dp(4)
	for _, m := range s.Menus {
		w := th.Label(m.Title).width(gtx) + 2*pad
		b.rects = append(b.rects, image.Rect(x, 0, x+w, h))
		x += w
	}
	b.events(gtx)
	if b.cur < len(s.Menus) {
		b.tree.refresh(s.Menus[b.cur].Items)
	}
	size := image.Pt(x+gtx.Dp(4), h)
	defer clip.Rect(image.Rectangle{Max: size}).Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, b)
	for i, m := range s.Menus {
		s.title(gtx, i, m.Title)
	}
	b.tree.layout(gtx, th)
	return layout.Dimensions{Size: size}
}

func (s MenuBarStyle) title(gtx layout.Context, i int, title string) {
	th, b := s.th, s.state
	r := b.rects[i]
	open := b.tree.isOpen() && b.cur == i
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	semantic.LabelOp(title).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	semantic.SelectedOp(open).Add(gtx.Ops)
	in := r.Inset(gtx.Dp(2))
	switch {
	case open:
		fillRound(gtx.Ops, th.Color.Accent, in, gtx.Dp(th.Size.Radius))
	case b.hovered && b.hover == i && !b.tree.isOpen():
		fillRound(gtx.Ops, th.Color.Hover, in, gtx.Dp(th.Size.Radius))
	}
	l := th.Label(title)
	if open {
		l.Color = th.Color.OnAccent
	}
	pad := gtx.Dp(9)
	l.drawIn(gtx, image.Rect(r.Min.X+pad, r.Min.Y, r.Max.X, r.Max.Y))
}

// ContextMenu is the state of a menu that a right click opens.
type ContextMenu struct {
	sense
	tree  menuTree
	items []MenuItem
	wants bool
	pos   image.Point
}

// Update returns the ID of the next item that the user has picked.
func (m *ContextMenu) Update(gtx layout.Context) (id string, ok bool) {
	m.events(gtx)
	id, _, ok = m.tree.take()
	return id, ok
}

func (m *ContextMenu) events(gtx layout.Context) {
	for {
		e, ok := m.next(gtx, m)
		if !ok {
			break
		}
		if e.Kind == pointer.Press && e.Buttons == pointer.ButtonSecondary {
			m.OpenAt(m.local)
		}
	}
	if m.wants && len(m.items) > 0 {
		m.wants = false
		m.tree.open(gtx, m.items, image.Rectangle{Min: m.pos, Max: m.pos}, &m.sense)
	}
	m.tree.run(gtx)
}

// OpenAt shows the menu at a place in the frame of the area it belongs to.
func (m *ContextMenu) OpenAt(p image.Point) { m.wants, m.pos = true, p }

// IsOpen reports whether the menu is open.
func (m *ContextMenu) IsOpen() bool { return m.tree.isOpen() }

// Position is where the menu was opened, in the frame of its area.
func (m *ContextMenu) Position() image.Point { return m.pos }

// ContextArea lays w out as an area on which a right click opens m with items. They
// are read again every frame, so that a click may decide what they are about.
func (th *Theme) ContextArea(gtx layout.Context, m *ContextMenu, items []MenuItem, w layout.Widget) layout.Dimensions {
	m.th, m.items = th, items
	m.events(gtx)
	m.tree.refresh(items)
	mac := record(gtx, w)
	defer clip.Rect{Max: mac.size}.Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, m)
	mac.call.Add(gtx.Ops)
	m.tree.layout(gtx, th)
	return layout.Dimensions{Size: mac.size}
}
