package widgets

import (
	"image"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// MenuItem is one row of a menu.
type MenuItem struct {
	// ID is what Update returns when the item is picked.
	ID      string
	Title   string
	Keys    string // shortcut, shown at the right
	Icon    icons.Name
	Checked bool
	// Reason disables the item when it isn't empty, and is shown beside it.
	Reason string
	// Items makes the item open a submenu.
	Items []MenuItem
	// Separator makes the row a line; everything else is ignored.
	Separator bool
}

// menuLevel is one open menu of a chain of submenus.
type menuLevel struct {
	items  []MenuItem
	rect   image.Rectangle // in the frame of the tree's owner; until fit, of the anchor
	hot    int             // highlighted row, -1 for none
	scroll int             // pixels scrolled, when higher than the window
	height int             // of all rows; 0 until fit
}

// menuTree is a menu with its open submenus. All of it lives in the frame of
// the widget that opened it, and one handler over everything follows the
// pointer, so that moving between menus needs no hand-over.
type menuTree struct {
	th      *Theme
	levels  []menuLevel
	focused bool
	fresh   bool // opened since the last Layout

	origin image.Point
	placed bool

	picked string
	index  int
	got    bool

	menuH, sepH int     // row heights, noted by Layout
	wheel       float32 // what scrolling is multiplied by
}

func (t *menuTree) isOpen() bool { return len(t.levels) > 0 }

func (t *menuTree) close() { t.levels = t.levels[:0] }

// open shows items at an anchor, in the owner's frame.
func (t *menuTree) open(gtx layout.Context, items []MenuItem, anchor image.Rectangle, s *sense) {
	t.origin, t.placed = s.origin, s.placed
	t.levels = append(t.levels[:0], menuLevel{items: items, rect: anchor, hot: -1})
	t.fresh, t.focused = true, false
	gtx.Execute(key.FocusCmd{Tag: t})
}

// refresh takes in the items of a frame while the menu is open.
func (t *menuTree) refresh(items []MenuItem) {
	for i := range t.levels {
		if i > 0 {
			up := &t.levels[i-1]
			if up.hot < 0 || up.hot >= len(up.items) {
				t.levels = t.levels[:i]
				return
			}
			items = up.items[up.hot].Items
		}
		t.levels[i].items = items
	}
}

// take returns the item that was picked since the last call.
func (t *menuTree) take() (id string, index int, ok bool) {
	id, index, ok = t.picked, t.index, t.got
	t.picked, t.index, t.got = "", 0, false
	return id, index, ok
}

// menuKeys are the keys a menu answers.
var menuKeys = [...]key.Name{
	key.NameUpArrow, key.NameDownArrow, key.NameLeftArrow, key.NameRightArrow,
	key.NameReturn, key.NameEnter, key.NameSpace, key.NameEscape, key.NameHome, key.NameEnd,
}

// update handles the events of the open menus. turn is -1 or 1 when the left
// or right key wants a neighbouring menu. pos and moved tell a pointer
// position that is on no level.
func (t *menuTree) update(gtx layout.Context) (turn int, pos image.Point, moved, pressed bool) {
	var filters [len(menuKeys) + 2]event.Filter
	filters[0] = key.FocusFilter{Target: t}
	filters[1] = pointer.Filter{
		Target:  t,
		Kinds:   pointerKinds | pointer.Scroll,
		ScrollX: pointer.ScrollRange{Min: -1e6, Max: 1e6},
		ScrollY: pointer.ScrollRange{Min: -1e6, Max: 1e6},
	}
	for i, k := range menuKeys {
		filters[i+2] = key.Filter{Focus: t, Name: k}
	}
	for {
		ev, ok := gtx.Event(filters[:]...)
		if !ok {
			break
		}
		if !t.isOpen() {
			continue
		}
		switch e := ev.(type) {
		case key.Event:
			if e.State == key.Press {
				turn = t.key(e)
			}
		case pointer.Event:
			if t.pointer(e) {
				continue
			}
			switch e.Kind {
			case pointer.Move, pointer.Drag, pointer.Press:
				pos, moved = e.Position.Round(), true
				pressed = pressed || e.Kind == pointer.Press
			}
		}
	}
	if t.isOpen() {
		is := gtx.Focused(t)
		if t.focused && !is {
			t.close()
		}
		t.focused = t.focused || is
	}
	return turn, pos, moved, pressed
}

// run is update for a menu without neighbours: a press beside it closes it.
func (t *menuTree) run(gtx layout.Context) {
	if _, _, _, pressed := t.update(gtx); pressed {
		t.close()
	}
}

// pointer follows one pointer event and reports whether it was on a menu.
func (t *menuTree) pointer(e pointer.Event) bool {
	p := e.Position.Round()
	for i := len(t.levels) - 1; i >= 0; i-- {
		l := &t.levels[i]
		// Before it is laid out, a level's rect is that of what opens it.
		if l.height == 0 || !p.In(l.rect) {
			continue
		}
		switch e.Kind {
		case pointer.Scroll:
			l.scroll = max(0, min(l.scroll+int(e.Scroll.Y*t.wheel), l.height-l.rect.Dy()))
		case pointer.Move, pointer.Drag, pointer.Press:
			if row := t.rowAt(l, p.Y); row != l.hot || i != len(t.levels)-1 {
				l.hot = row
				t.levels = t.levels[:i+1]
				t.openSub(i)
			}
		case pointer.Release:
			if row := t.rowAt(l, p.Y); row >= 0 {
				l.hot = row
				t.pick(i)
			}
		}
		return true
	}
	if e.Kind == pointer.Move && len(t.levels) > 0 {
		if l := &t.levels[len(t.levels)-1]; l.hot >= 0 {
			l.hot = -1
		}
	}
	return false
}

func (t *menuTree) rowHeight(it *MenuItem) int {
	if it.Separator {
		return t.sepH
	}
	return t.menuH
}

func (t *menuTree) rowAt(l *menuLevel, y int) int {
	top := l.rect.Min.Y - l.scroll + t.pad()
	for i := range l.items {
		h := t.rowHeight(&l.items[i])
		if y >= top && y < top+h {
			if l.items[i].Separator {
				return -1
			}
			return i
		}
		top += h
	}
	return -1
}

// pad is the space above the first and below the last row.
func (t *menuTree) pad() int { return t.menuH / 6 }

// rowRect is where a row is, in the owner's frame.
func (t *menuTree) rowRect(l *menuLevel, row int) image.Rectangle {
	top := l.rect.Min.Y - l.scroll + t.pad()
	for i := range row {
		top += t.rowHeight(&l.items[i])
	}
	return image.Rect(l.rect.Min.X, top, l.rect.Max.X, top+t.rowHeight(&l.items[row]))
}

// openSub opens the submenu of the highlighted row of level i, if it has one.
func (t *menuTree) openSub(i int) bool {
	l := &t.levels[i]
	if l.hot < 0 || len(l.items[l.hot].Items) == 0 || l.items[l.hot].Reason != "" {
		return false
	}
	t.levels = append(t.levels[:i+1], menuLevel{
		items: l.items[l.hot].Items, rect: t.rowRect(l, l.hot), hot: -1,
	})
	t.fresh = true
	return true
}

// pick chooses the highlighted row of level i.
func (t *menuTree) pick(i int) {
	l := &t.levels[i]
	if l.hot < 0 {
		return
	}
	it := &l.items[l.hot]
	if it.Reason != "" {
		return
	}
	if len(it.Items) > 0 {
		if i == len(t.levels)-1 {
			t.openSub(i)
		}
		return
	}
	t.picked, t.index, t.got = it.ID, l.hot, true
	t.close()
}

func (t *menuTree) key(e key.Event) (turn int) {
	i := len(t.levels) - 1
	l := &t.levels[i]
	switch e.Name {
	case key.NameDownArrow:
		t.step(l, l.hot, 1)
	case key.NameUpArrow:
		if l.hot < 0 {
			l.hot = len(l.items)
		}
		t.step(l, l.hot, -1)
	case key.NameHome:
		t.step(l, -1, 1)
	case key.NameEnd:
		t.step(l, len(l.items), -1)
	case key.NameRightArrow:
		if i > 0 && l.hot < 0 { // a submenu that the pointer has opened
			t.step(l, -1, 1)
			return 0
		}
		if !t.openSub(i) {
			return 1
		}
		t.step(&t.levels[i+1], -1, 1)
	case key.NameLeftArrow:
		if i == 0 {
			return -1
		}
		t.levels = t.levels[:i]
	case key.NameEscape:
		t.levels = t.levels[:i]
	case key.NameReturn, key.NameEnter, key.NameSpace:
		if t.openSub(i) {
			t.step(&t.levels[i+1], -1, 1)
			break
		}
		t.pick(i)
	}
	return 0
}

// step moves the highlight from a row to the next one that is no separator.
func (t *menuTree) step(l *menuLevel, from, dir int) {
	n := len(l.items)
	for k := 1; k <= n; k++ {
		row := from + k*dir
		row = ((row % n) + n) % n
		if from < 0 && dir > 0 {
			row = k - 1
		}
		if !l.items[row].Separator {
			l.hot = row
			break
		}
	}
	if l.hot >= 0 && l.hot < n && l.height > 0 {
		r := t.rowRect(l, l.hot)
		if d := r.Max.Y + t.pad() - l.rect.Max.Y; d > 0 {
			l.scroll += d
		}
		if d := l.rect.Min.Y + t.pad() - r.Min.Y; d > 0 {
			l.scroll -= d
		}
	}
}

// layout draws the open menus above everything. before, when not nil, is drawn
// between the blocking area and the menus.
func (t *menuTree) layout(gtx layout.Context, th *Theme) {
	t.th = th
	t.menuH, t.sepH, t.wheel = gtx.Dp(th.Size.Menu), gtx.Dp(9), th.wheelFactor(gtx)
	if !t.isOpen() {
		return
	}
	th.win.modalNow = true
	win := everywhere.Max
	if t.placed {
		win = th.win.size
	}
	if t.fresh {
		t.fresh = false
		for i := range t.levels {
			t.fit(gtx, i, win)
		}
	}
	popup(gtx, image.Point{}, func(gtx layout.Context) layout.Dimensions {
		block(gtx, t)
		for i := range t.levels {
			t.drawLevel(gtx, i)
		}
		return layout.Dimensions{}
	})
	last := &t.levels[len(t.levels)-1]
	if last.hot >= 0 && last.items[last.hot].Reason != "" {
		th.showTip(gtx, Tip{}, last.items[last.hot].Reason, t.rowRect(last, last.hot), sideRight, t.origin, t.placed)
	}
}

// columns are the widths inside a menu.
func (t *menuTree) columns(gtx layout.Context, items []MenuItem) (lead, title, keys int) {
	th := t.th
	for i := range items {
		it := &items[i]
		if it.Separator {
			continue
		}
		if it.Icon != icons.None || it.Checked {
			lead = gtx.Dp(th.Size.IconSize) + gtx.Dp(8)
		}
		title = max(title, th.Label(it.Title).width(gtx))
		k := t.keyLabel(it).width(gtx)
		if len(it.Items) > 0 {
			k = gtx.Dp(th.Size.IconSize)
		}
		keys = max(keys, k)
	}
	return lead, title, keys
}

func (t *menuTree) keyLabel(it *MenuItem) LabelStyle {
	l := t.th.Dim(it.Keys)
	l.Size = t.th.Size.Small
	return l
}

// fit computes the size and place of level i, whose rect holds the anchor.
func (t *menuTree) fit(gtx layout.Context, i int, win image.Point) {
	l := &t.levels[i]
	if l.height > 0 {
		return
	}
	lead, title, keys := t.columns(gtx, l.items)
	w := lead + title + 2*gtx.Dp(12)
	if keys > 0 {
		w += keys + gtx.Dp(28)
	}
	anchor := l.rect
	sd := sideBelow
	if i > 0 {
		sd = sideRight
		anchor = anchor.Add(image.Pt(0, -t.pad()))
	} else {
		w = max(w, anchor.Dx())
	}
	w = max(w, gtx.Dp(96))
	h := 2 * t.pad()
	for k := range l.items {
		h += t.rowHeight(&l.items[k])
	}
	l.height = h
	size := image.Pt(min(w, win.X), min(h, win.Y-gtx.Dp(8)))
	p := place(anchor.Add(t.origin), size, win, sd).Sub(t.origin)
	l.rect = image.Rectangle{Min: p, Max: p.Add(size)}
}

func (t *menuTree) drawLevel(gtx layout.Context, i int) {
	th, l := t.th, &t.levels[i]
	th.popupBox(gtx, l.rect)
	defer clip.Rect(l.rect).Push(gtx.Ops).Pop()
	lead, _, keys := t.columns(gtx, l.items)
	for k := range l.items {
		r := t.rowRect(l, k)
		if r.Overlaps(l.rect) {
			t.drawRow(gtx, &l.items[k], r, k == l.hot, lead, keys)
		}
	}
}

func (t *menuTree) drawRow(gtx layout.Context, it *MenuItem, r image.Rectangle, hot bool, lead, keys int) {
	th := t.th
	if it.Separator {
		y := (r.Min.Y + r.Max.Y) / 2
		fillRect(gtx.Ops, th.Color.Border, image.Rect(r.Min.X+gtx.Dp(8), y, r.Max.X-gtx.Dp(8), y+hairline(gtx)))
		return
	}
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	semantic.LabelOp(it.Title).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	semantic.SelectedOp(hot || it.Checked).Add(gtx.Ops)
	semantic.EnabledOp(it.Reason == "").Add(gtx.Ops)
	if it.Reason != "" {
		semantic.DescriptionOp(it.Reason).Add(gtx.Ops)
	}
	title, key, icon := th.Label(it.Title), t.keyLabel(it), th.Color.Dim
	switch {
	case it.Reason != "":
		title.Color, key.Color, icon = th.Color.Disabled, th.Color.Disabled, th.Color.Disabled
		if hot {
			fillRound(gtx.Ops, th.Color.Raised, r.Inset(hairline(gtx)*2), gtx.Dp(3))
		}
	case hot:
		title.Color, key.Color, icon = th.Color.OnAccent, th.Color.OnAccent, th.Color.OnAccent
		in := image.Rect(r.Min.X+gtx.Dp(4), r.Min.Y, r.Max.X-gtx.Dp(4), r.Max.Y)
		fillRound(gtx.Ops, th.Color.Accent, in, gtx.Dp(3))
	}
	px := gtx.Dp(th.Size.IconSize)
	x := r.Min.X + gtx.Dp(12)
	name := it.Icon
	if it.Checked {
		name = icons.Check
	}
	if name != icons.None {
		th.drawIconIn(gtx, name, icon, image.Rect(x, r.Min.Y, x+px, r.Max.Y), px)
	}
	x += lead
	end := r.Max.X - gtx.Dp(12)
	if len(it.Items) > 0 {
		th.drawIconIn(gtx, icons.ChevronRight, icon, image.Rect(end-px+gtx.Dp(3), r.Min.Y, end+gtx.Dp(3), r.Max.Y), px)
	} else if it.Keys != "" {
		w := key.width(gtx)
		key.drawIn(gtx, image.Rect(end-w, r.Min.Y, end+1, r.Max.Y))
	}
	if keys > 0 {
		end -= keys + gtx.Dp(8)
	}
	title.drawIn(gtx, image.Rect(x, r.Min.Y, end+1, r.Max.Y))
}
