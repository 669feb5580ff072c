package widgets

import (
	"image"
	"slices"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// PaletteItem is one entry of a command palette.
type PaletteItem struct {
	ID    string // what Update returns; it is searched, too
	Title string
	Help  string
	Keys  string
	Icon  icons.Name
	// Reason tells why the entry cannot be used now; it is shown in place of
	// Help and the entry cannot be picked.
	Reason string
}

// Palette is the state of a command palette: a field that filters a list of
// entries, over the whole window.
type Palette struct {
	open   bool
	items  []PaletteItem
	found  []paletteHit
	field  Field
	hot    int
	scroll scroller
	box    image.Rectangle // of the results, noted by Layout
	rowH   int
	picked string
	got    bool
	block  int // its address is the tag of the area around
}

type paletteHit struct {
	item, score int
}

// Show opens the palette with the given entries. They are kept until it
// closes.
func (p *Palette) Show(items []PaletteItem) {
	p.open, p.items = true, items
	p.field.SetText("")
	p.field.Focus()
	p.filter("")
}

// Close closes the palette.
func (p *Palette) Close() { p.open, p.items = false, nil }

// IsOpen reports whether the palette is open.
func (p *Palette) IsOpen() bool { return p.open }

// filter finds and orders the entries that answer a query. Entries that cannot
// be used come after all others.
func (p *Palette) filter(query string) {
	p.found = p.found[:0]
	for i := range p.items {
		it := &p.items[i]
		s, ok := FuzzyScore(query, it.Title)
		if id, okID := FuzzyScore(query, it.ID); okID && (!ok || id > s) {
			s, ok = id, true
		}
		if !ok {
			continue
		}
		if it.Reason != "" {
			s -= 10000
		}
		p.found = append(p.found, paletteHit{i, s})
	}
	slices.SortStableFunc(p.found, func(a, b paletteHit) int { return b.score - a.score })
	p.hot, p.scroll.pos = 0, 0
}

// Update returns the ID of the entry that the user has picked.
func (p *Palette) Update(gtx layout.Context) (id string, ok bool) {
	p.events(gtx)
	id, ok = p.picked, p.got
	p.picked, p.got = "", false
	return id, ok
}

func (p *Palette) events(gtx layout.Context) {
	if !p.open {
		return
	}
	ed := &p.field.ed
	for {
		ev, ok := gtx.Event(
			key.Filter{Focus: ed, Name: key.NameUpArrow}, key.Filter{Focus: ed, Name: key.NameDownArrow},
			key.Filter{Focus: ed, Name: key.NamePageUp}, key.Filter{Focus: ed, Name: key.NamePageDown},
			key.Filter{Focus: ed, Name: key.NameTab}, key.Filter{Focus: ed, Name: key.NameTab, Required: key.ModShift},
		)
		if !ok {
			break
		}
		if e, ok := ev.(key.Event); ok && e.State == key.Press {
			p.key(e)
		}
	}
	for {
		ev, ok := p.field.Update(gtx)
		if !ok {
			break
		}
		switch ev.Kind {
		case FieldChanged:
			p.filter(ev.Text)
		case FieldSubmitted:
			p.pick()
		case FieldCancelled:
			p.leave(gtx)
			return
		}
	}
	for {
		ev, ok := gtx.Event(pointer.Filter{Target: p, Kinds: pointerKinds})
		if !ok {
			break
		}
		e, ok := ev.(pointer.Event)
		if !ok || p.rowH == 0 {
			continue
		}
		row := (e.Position.Round().Y + int(p.scroll.pos)) / p.rowH
		if row < 0 || row >= len(p.found) {
			continue
		}
		switch e.Kind {
		case pointer.Move, pointer.Drag, pointer.Press:
			p.hot = row
		case pointer.Release:
			p.hot = row
			p.pick()
		}
	}
	if pressedOn(gtx, &p.block) || !p.open {
		p.leave(gtx)
	}
}

func (p *Palette) leave(gtx layout.Context) {
	p.Close()
	gtx.Execute(key.FocusCmd{})
}

func (p *Palette) key(e key.Event) {
	page := max(1, p.scroll.view/max(1, p.rowH)-1)
	n := len(p.found)
	if n == 0 {
		return
	}
	switch e.Name {
	case key.NameUpArrow:
		p.hot = (p.hot - 1 + n) % n
	case key.NameDownArrow:
		p.hot = (p.hot + 1) % n
	case key.NamePageUp:
		p.hot = max(0, p.hot-page)
	case key.NamePageDown:
		p.hot = min(n-1, p.hot+page)
	}
	p.scroll.reveal(p.hot*p.rowH, (p.hot+1)*p.rowH)
}

func (p *Palette) pick() {
	if p.hot < 0 || p.hot >= len(p.found) {
		return
	}
	it := &p.items[p.found[p.hot].item]
	if it.Reason != "" {
		return
	}
	p.picked, p.got = it.ID, true
	p.open = false
}

// PaletteStyle draws a Palette.
type PaletteStyle struct {
	Hint  string
	state *Palette
	th    *Theme
}

// Palette draws p while it is open. It is a layer of Theme.Window.
func (th *Theme) Palette(p *Palette, hint string) PaletteStyle {
	return PaletteStyle{hint, p, th}
}

// paletteRows is the most rows shown at once.
const paletteRows = 9

// Layout draws the palette near the top of the window.
func (s PaletteStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, p := s.th, s.state
	p.events(gtx)
	win := gtx.Constraints.Max
	if !p.open {
		return layout.Dimensions{}
	}
	th.win.modalNow = true
	th.win.claimed = true // a press anywhere leaves the keyboard with the field
	block(gtx, &p.block)

	p.rowH = gtx.Dp(40)
	pad := gtx.Dp(8)
	head := gtx.Dp(th.Size.Row) + 2*pad
	w := min(gtx.Dp(560), win.X-2*pad)
	rows := max(1, min(len(p.found), paletteRows))
	top := min(gtx.Dp(72), win.Y/8)
	view := min(rows*p.rowH, max(p.rowH, win.Y-top-head-2*pad))
	box := image.Rectangle{Max: image.Pt(w, head+view+pad/2)}
	at(gtx, image.Pt((win.X-w)/2, top), func(gtx layout.Context) layout.Dimensions {
		th.popupBox(gtx, box)
		shield := clip.Rect(box).Push(gtx.Ops)
		event.Op(gtx.Ops, &p.box)
		semantic.LabelOp("Palette").Add(gtx.Ops)
		shield.Pop()
		swallow(gtx, &p.box)
		fg := gtx
		fg.Constraints = layout.Exact(image.Pt(w-2*pad, gtx.Dp(th.Size.Row)))
		f := th.SearchField(&p.field, s.Hint)
		at(fg, image.Pt(pad, pad), f.Layout)
		fillRect(gtx.Ops, th.Color.Line, image.Rect(0, head-hairline(gtx), w, head))
		rg := gtx
		rg.Constraints = layout.Exact(image.Pt(w, view))
		return at(rg, image.Pt(0, head), s.results)
	})
	return layout.Dimensions{Size: win}
}

func (s PaletteStyle) results(gtx layout.Context) layout.Dimensions {
	th, p := s.th, s.state
	size := gtx.Constraints.Max
	p.scroll.view, p.scroll.total = size.Y, len(p.found)*p.rowH
	p.scroll.update(gtx)
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	p.scroll.gesture.Add(gtx.Ops)
	event.Op(gtx.Ops, p)
	if len(p.found) == 0 {
		th.Dim("Nothing found").drawIn(gtx, image.Rect(gtx.Dp(16), 0, size.X, size.Y))
		return layout.Dimensions{Size: size}
	}
	off := int(p.scroll.pos)
	for i := off / p.rowH; i < len(p.found) && i*p.rowH-off < size.Y; i++ {
		s.row(gtx, &p.items[p.found[i].item], image.Rect(0, i*p.rowH-off, size.X, (i+1)*p.rowH-off), i == p.hot)
	}
	p.scroll.drawBar(gtx, th, size.X)
	return layout.Dimensions{Size: size}
}

func (s PaletteStyle) row(gtx layout.Context, it *PaletteItem, r image.Rectangle, hot bool) {
	th := s.th
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	semantic.LabelOp(it.Title).Add(gtx.Ops)
	semantic.Button.Add(gtx.Ops)
	semantic.SelectedOp(hot).Add(gtx.Ops)
	semantic.EnabledOp(it.Reason == "").Add(gtx.Ops)
	semantic.DescriptionOp(firstOf(it.Reason, it.Help)).Add(gtx.Ops)
	if hot {
		fill := th.Color.AccentLow
		if it.Reason != "" {
			fill = th.Color.Raised
		}
		in := image.Rect(r.Min.X+gtx.Dp(4), r.Min.Y, r.Max.X-gtx.Dp(4), r.Max.Y)
		fillRound(gtx.Ops, fill, in, gtx.Dp(th.Size.Radius))
	}
	title, help, icon := th.Label(it.Title), th.Dim(it.Help), th.Color.Dim
	help.Size = th.Size.Small
	if hot {
		help.Color, icon = th.Color.Text, th.Color.Text
	}
	if it.Reason != "" {
		title.Color, icon = th.Color.Disabled, th.Color.Disabled
		help.Text, help.Color = it.Reason, th.Color.Warn
	}
	px := gtx.Dp(th.Size.IconSize)
	x := r.Min.X + gtx.Dp(14)
	if it.Icon != icons.None {
		th.drawIconIn(gtx, it.Icon, icon, image.Rect(x, r.Min.Y, x+px, r.Max.Y), px)
	}
	x += px + gtx.Dp(10)
	end := r.Max.X - gtx.Dp(16)
	if it.Keys != "" {
		m := record(gtx, th.Keys(it.Keys).Layout)
		end -= m.size.X
		m.add(gtx, image.Pt(end, r.Min.Y+(r.Dy()-m.size.Y)/2))
		end -= gtx.Dp(12)
	}
	if help.Text == "" {
		title.drawIn(gtx, image.Rect(x, r.Min.Y, end, r.Max.Y))
		return
	}
	mid := r.Min.Y + r.Dy()/2
	title.drawIn(gtx, image.Rect(x, r.Min.Y+gtx.Dp(4), end, mid+gtx.Dp(1)))
	help.drawIn(gtx, image.Rect(x, mid, end, r.Max.Y-gtx.Dp(3)))
}

// swallow drops all pointer events of a tag, so that the area it covers is
// dead rather than transparent.
func swallow(gtx layout.Context, tag event.Tag) { pressedOn(gtx, tag) }
