package widgets

import (
	"image"
	"strings"

	"gioui.org/layout"

	"ridgeline/icons"
)

// Property is one key with its value.
type Property struct {
	Key, Value string
	// Mixed stands for several values that differ.
	Mixed bool
}

// PropertyEventKind says what is to be done with a property.
type PropertyEventKind uint8

const (
	// PropertyAdd: Key is new and gets Value.
	PropertyAdd PropertyEventKind = iota
	// PropertySet: Key gets Value.
	PropertySet
	// PropertyRename: Key becomes To.
	PropertyRename
	// PropertyRemove: Key goes.
	PropertyRemove
)

// PropertyEvent is one thing that the user has done.
type PropertyEvent struct {
	Kind       PropertyEventKind
	Key, Value string
	To         string
}

// Properties is the state of a table of keys and values that are edited. Keys are
// unique and not empty.
type Properties struct {
	rows    map[string]*propertyRow
	order   []*propertyRow // as they were drawn
	key     Field
	value   Field
	add     Button
	problem string
	pending []PropertyEvent
	taken   func(key string) bool // noted by Layout
	check   func(key string) string
}

type propertyRow struct {
	name       string
	key, value Entry
	remove     Button
	seen       bool
}

// Update returns the next event.
func (p *Properties) Update(gtx layout.Context) (PropertyEvent, bool) {
	p.events(gtx)
	if len(p.pending) == 0 {
		return PropertyEvent{}, false
	}
	e := p.pending[0]
	p.pending = p.pending[:copy(p.pending, p.pending[1:])]
	return e, true
}

func (p *Properties) events(gtx layout.Context) {
	if p.taken == nil {
		return
	}
	for _, r := range p.order {
		if to, ok := r.key.Update(gtx); ok {
			if to = strings.TrimSpace(to); to != r.name {
				p.pending = append(p.pending, PropertyEvent{Kind: PropertyRename, Key: r.name, To: to})
			}
			r.key.Value = r.name // until the caller has renamed it
		}
		if v, ok := r.value.Update(gtx); ok {
			p.pending = append(p.pending, PropertyEvent{Kind: PropertySet, Key: r.name, Value: v})
		}
		if r.remove.Clicked(gtx) {
			p.pending = append(p.pending, PropertyEvent{Kind: PropertyRemove, Key: r.name})
		}
	}
	for _, f := range [...]*Field{&p.key, &p.value} {
		for {
			ev, ok := f.Update(gtx)
			if !ok {
				break
			}
			switch ev.Kind {
			case FieldChanged:
				p.problem = ""
			case FieldSubmitted:
				p.append()
			}
		}
	}
	if p.add.Clicked(gtx) {
		p.append()
	}
}

// append adds what the last row holds.
func (p *Properties) append() {
	key := strings.TrimSpace(p.key.Text())
	if p.problem = p.refuse(key); p.problem != "" {
		p.key.SelectAll()
		return
	}
	p.pending = append(p.pending, PropertyEvent{Kind: PropertyAdd, Key: key, Value: p.value.Text()})
	p.key.SetText("")
	p.value.SetText("")
	p.key.Focus()
}

// refuse tells why a key cannot be given.
func (p *Properties) refuse(key string) string {
	switch {
	case key == "":
		return "A name is needed"
	case p.taken(key):
		return "“" + key + "” exists already"
	case p.check != nil:
		return p.check(key)
	}
	return ""
}

// PropertiesStyle draws Properties.
type PropertiesStyle struct {
	// Check tells why a key cannot be given, "" if it can; nil takes all.
	Check func(key string) string
	// Reason disables the table when it isn't empty.
	Reason string

	state *Properties
	th    *Theme
}

// Properties draws p.
func (th *Theme) Properties(p *Properties) PropertiesStyle {
	return PropertiesStyle{state: p, th: th}
}

// Layout draws a row for each property and one to add another, over the width of
// the constraints.
func (s PropertiesStyle) Layout(gtx layout.Context, list []Property) layout.Dimensions {
	th, p := s.th, s.state
	p.check = s.Check
	p.taken = func(key string) bool {
		for i := range list {
			if list[i].Key == key {
				return true
			}
		}
		return false
	}
	p.events(gtx)
	if p.rows == nil {
		p.rows = map[string]*propertyRow{}
	}
	for _, r := range p.rows {
		r.seen = false
	}
	p.order = p.order[:0]
	row, gap := gtx.Dp(th.Size.Row), gtx.Dp(th.Size.Gap)
	size := image.Pt(gtx.Constraints.Max.X, 0)
	for i := range list {
		r, ok := p.rows[list[i].Key]
		if !ok {
			r = &propertyRow{name: list[i].Key}
			p.rows[list[i].Key] = r
		}
		r.seen = true
		p.order = append(p.order, r)
		s.row(gtx, size.Y, r, list[i])
		size.Y += row + gap
	}
	for k, r := range p.rows {
		if !r.seen {
			delete(p.rows, k)
		}
	}
	key, value := th.Field(&p.key, "New property"), th.Field(&p.value, "Value of the new property")
	key.Hint, key.Problem, key.Reason = "Name", p.problem, s.Reason
	value.Hint, value.Reason = "Value", s.Reason
	add := th.IconButton(&p.add, icons.Plus, "Add property")
	add.Reason = s.Reason
	if add.Reason == "" && p.key.Text() == "" {
		add.Reason = "Type a name first"
	}
	s.columns(gtx, size.Y, key.Layout, value.Layout, add.Layout)
	if p.problem != "" {
		at(gtx, image.Pt(0, size.Y), func(gtx layout.Context) layout.Dimensions {
			th.showTip(gtx, Tip{}, p.problem, image.Rect(0, 0, size.X, row), sideBelow, p.key.origin, p.key.placed)
			return layout.Dimensions{}
		})
	}
	size.Y += row
	return layout.Dimensions{Size: size}
}

// row draws one property.
func (s PropertiesStyle) row(gtx layout.Context, y int, r *propertyRow, prop Property) {
	th, p := s.th, s.state
	r.key.Value, r.value.Value, r.value.Mixed = prop.Key, prop.Value, prop.Mixed
	key, value := th.Entry(&r.key, "Name of "+prop.Key), th.Entry(&r.value, prop.Key)
	key.Check = func(t string) string {
		if t = strings.TrimSpace(t); t == prop.Key {
			return ""
		}
		return p.refuse(t)
	}
	key.Reason, value.Reason = s.Reason, s.Reason
	x := th.IconButton(&r.remove, icons.Minus, "Remove "+prop.Key)
	x.Reason = s.Reason
	s.columns(gtx, y, key.Layout, value.Layout, x.Layout)
}

// columns draws a key, a value and a button in a row.
func (s PropertiesStyle) columns(gtx layout.Context, y int, key, value, button layout.Widget) {
	th := s.th
	row, gap := gtx.Dp(th.Size.Row), gtx.Dp(th.Size.Gap)
	w := gtx.Constraints.Max.X - row - 2*gap
	k := max(0, w*2/5)
	for _, c := range []struct {
		x, w int
		draw layout.Widget
	}{{0, k, key}, {k + gap, w - k, value}, {w + 2*gap, row, button}} {
		g := gtx
		g.Constraints = layout.Exact(image.Pt(max(0, c.w), row))
		at(g, image.Pt(c.x, y), c.draw)
	}
}
