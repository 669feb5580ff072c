package widgets

import (
	"image"
	"slices"

	"gioui.org/font"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// Section is the state of a collapsible part of a panel. The zero value is
// open.
type Section struct {
	Closed bool
	pressable
}

// Update reports whether the user has opened or closed the section.
func (s *Section) Update(gtx layout.Context) bool {
	if _, ok := s.update(gtx); ok {
		s.Closed = !s.Closed
		return true
	}
	return false
}

// SectionStyle draws the header of a Section and, while it is open, its body.
type SectionStyle struct {
	Title string
	state *Section
	th    *Theme
}

// Section draws s under a title.
func (th *Theme) Section(s *Section, title string) SectionStyle {
	return SectionStyle{title, s, th}
}

// Layout draws the header over the width of the constraints, body below it,
// and actions at the header's right end, the first one outermost.
func (s SectionStyle) Layout(gtx layout.Context, body layout.Widget, actions ...layout.Widget) layout.Dimensions {
	th, st := s.th, s.state
	for st.Update(gtx) {
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Bar))
	head := image.Rectangle{Max: size}
	area := clip.Rect(head).Push(gtx.Ops)
	under := clip.Rect(head).Push(gtx.Ops)
	st.add(gtx, th, s.Title, semantic.Button, false)
	semantic.SelectedOp(!st.Closed).Add(gtx.Ops)
	under.Pop()
	lk := st.look(gtx)
	fill := th.Color.Bar
	if lk.hovered {
		fill = mix(fill, th.Color.Hover, 0.5)
	}
	fillRect(gtx.Ops, fill, head)
	px := gtx.Dp(th.Size.IconSize)
	x := gtx.Dp(6)
	icon := icons.ChevronDown
	if st.Closed {
		icon = icons.ChevronRight
	}
	th.drawIconIn(gtx, icon, th.Color.Dim, image.Rect(x, 0, x+px, size.Y), px)
	right := size.X - gtx.Dp(4)
	for _, w := range actions {
		ag := gtx
		ag.Constraints = layout.Constraints{Max: image.Pt(max(0, right), size.Y)}
		m := record(ag, w)
		right -= m.size.X
		m.add(gtx, image.Pt(right, (size.Y-m.size.Y)/2))
	}
	l := th.Heading(s.Title)
	l.drawIn(gtx, image.Rect(x+px+gtx.Dp(6), 0, right, size.Y))
	if lk.focused {
		th.focusRing(gtx, head.Inset(hairline(gtx)), 0)
	}
	area.Pop()
	if st.Closed || body == nil {
		return layout.Dimensions{Size: size}
	}
	bg := gtx
	bg.Constraints.Min.Y = 0
	bg.Constraints.Max.Y = max(0, gtx.Constraints.Max.Y-size.Y)
	d := at(bg, image.Pt(0, size.Y), body)
	size.Y += d.Size.Y
	return layout.Dimensions{Size: size}
}

// Tabs is the state of tabs of which one is shown.
type Tabs struct{ Choices }

// TabsStyle draws Tabs.
type TabsStyle struct {
	Titles []string
	state  *Tabs
	th     *Theme
}

// Tabs draws t with its titles. The caller draws the content of the selected
// one below.
func (th *Theme) Tabs(t *Tabs, titles ...string) TabsStyle {
	return TabsStyle{titles, t, th}
}

// tabs keep this much on each side of their titles, in dp, and the second where they
// stand close.
const tabPad, tabPadLeast = 12, 4

// Layout draws the tabs over the width of the constraints: in one row, or in as few
// rows of like lengths as show every title whole.
func (s TabsStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, t := s.th, s.state
	if len(t.buttons) != len(s.Titles) {
		t.buttons = make([]Button, len(s.Titles))
	}
	for {
		if _, ok := t.Update(gtx); !ok {
			break
		}
	}
	width := gtx.Constraints.Max.X
	words := make([]int, len(s.Titles))
	total := 0
	for i, title := range s.Titles {
		words[i] = th.Label(title).width(gtx)
		total += words[i]
	}
	n, pad := len(words), gtx.Dp(tabPad)
	rows := tabRows(words, width, gtx.Dp(tabPadLeast))
	height := gtx.Dp(th.Size.Bar)
	if rows > 1 {
		height = gtx.Dp(th.Size.Bar - 4)
	} else if total+2*n*pad > width {
		// Tabs that don't fit stand closer together.
		pad = max(gtx.Dp(tabPadLeast), (width-total)/max(1, 2*n))
	}
	size := image.Pt(width, rows*height)
	defer clip.Rect(image.Rectangle{Max: size}).Push(gtx.Ops).Pop()
	fillRect(gtx.Ops, th.Color.Gap, image.Rectangle{Max: size})
	even := rows > 1 && tabsEven(words, width, rows, gtx.Dp(tabPadLeast))
	for row := range rows {
		from, to := tabRow(n, rows, row)
		free := width
		for _, w := range words[from:to] {
			free -= w
		}
		x := 0
		for i := from; i < to; i++ {
			end := x + words[i] + 2*pad
			switch {
			case even: // what stands below each other is of one width
				end = width * (i + 1 - from) / (to - from)
			case rows > 1:
				end = x + words[i] + free*(i+1-from)/(to-from) - free*(i-from)/(to-from)
			}
			s.tab(gtx, i, s.Titles[i], image.Rect(x, row*height, end, (row+1)*height))
			x = end
		}
	}
	return layout.Dimensions{Size: size}
}

// tabRow is which of n tabs stand in one of several rows.
func tabRow(n, rows, row int) (from, to int) {
	each := (n + rows - 1) / rows
	return min(n, row*each), min(n, (row+1)*each)
}

// tabRows is the least number of rows in which the titles of these widths fit with pad
// on each side; at most one each.
func tabRows(words []int, width, pad int) int {
rows:
	for rows := 1; rows < len(words); rows++ {
		for row := range rows {
			from, to := tabRow(len(words), rows, row)
			need := 0
			for _, w := range words[from:to] {
				need += w + 2*pad
			}
			if need > width {
				continue rows
			}
		}
		return rows
	}
	return max(1, len(words))
}

// tabsEven reports whether all tabs of rows may be of one width.
func tabsEven(words []int, width, rows, pad int) bool {
	return slices.Max(words)+2*pad <= width/((len(words)+rows-1)/rows)
}

func (s TabsStyle) tab(gtx layout.Context, i int, title string, r image.Rectangle) {
	th, b := s.th, &s.state.buttons[i]
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	b.add(gtx, th, title, semantic.RadioButton, false)
	on := i == s.state.Selected
	semantic.SelectedOp(on).Add(gtx.Ops)
	lk := b.look(gtx)
	l := th.Dim(title)
	switch {
	case on:
		l.Color = th.Color.Text
		l.Font.Weight = font.Normal
		fillRect(gtx.Ops, th.Color.Panel, r)
		fillRect(gtx.Ops, th.Color.AccentHigh, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+gtx.Dp(2)))
	case lk.hovered:
		l.Color = th.Color.Text
		fillRect(gtx.Ops, mix(th.Color.Gap, th.Color.Hover, 0.4), r)
	}
	pad := max(0, r.Dx()-l.width(gtx)) / 2
	l.drawIn(gtx, image.Rect(r.Min.X+pad, r.Min.Y, r.Max.X-pad+1, r.Max.Y))
	if lk.focused {
		th.focusRing(gtx, r.Inset(hairline(gtx)), 0)
	}
}
