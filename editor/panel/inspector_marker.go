package panel

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gioui.org/layout"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// markerPart is what markers have: their shape, colour and points.
type markerPart struct {
	shape  widgets.Choices
	color  widgets.ColorField
	reset  widgets.Button
	list   widgets.List
	rows   map[int]*widgets.Vector // of the points in view
	of     document.ID             // whose points these are
	points []mgl64.Vec3            // in the world
	level  *document.Level         // … of this level
	add    widgets.Button
	remove widgets.Button
}

// shapes are the shapes in the order of their titles.
var (
	shapes      = [...]document.MarkerShape{document.MarkerPoint, document.MarkerLine, document.MarkerArea}
	shapeTitles = [...]string{sShapePoint, sShapeLine, sShapeArea}
)

const (
	pointRow  = 28
	pointRows = 8 // at most, before the list scrolls
)

func (m *markerPart) layout(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	ids := idWords(p.markers...)
	if i, ok := m.shape.Update(gtx); ok {
		sh.run(callLine("marker.set", "id", ids, "kind", string(shapes[i])))
		p = ip.pick()
	}
	m.colours(gtx, ip, p)
	if m.reset.Clicked(gtx) {
		sh.run(callLine("marker.set", "id", ids, "color", "#000000"))
	}
	p = ip.pick()
	m.shape.Selected = slices.Index(shapes[:], p.shape.value)
	if p.shape.mixed {
		m.shape.Selected = -1
	}
	if !m.color.Dragging() {
		m.color.Value, m.color.Mixed = session.MarkerColour(p.color.value), p.color.mixed
	}
	rows := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions {
			s := th.Segments(&m.shape, shapeTitles[:]...)
			s.Reason = reason
			return s.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			return sh.labelled(gtx, sColour, func(gtx layout.Context) layout.Dimensions { return m.colourRow(gtx, ip, p, reason) })
		},
	}
	if len(p.markers) != 1 {
		return stack(gtx, 8, 6, append(rows, func(gtx layout.Context) layout.Dimensions { return sh.note(gtx, sOneMarker, icons.Info) })...)
	}
	m.take(ip, p)
	m.pointEvents(gtx, ip, p)
	m.take(ip, p)
	ip.point = session.MarkerPoint{Marker: m.of, Point: m.list.Current}
	return stack(gtx, 8, 6, append(rows,
		func(gtx layout.Context) layout.Dimensions { return m.facts(gtx, ip, p) },
		func(gtx layout.Context) layout.Dimensions { return m.table(gtx, ip, reason) },
		func(gtx layout.Context) layout.Dimensions { return m.buttons(gtx, ip, p, reason) },
	)...)
}

// take finds the points of the one marker, if they may have changed.
func (m *markerPart) take(ip *inspector, p *picked) {
	l := ip.sh.s.Level()
	if m.of == p.markers[0] && m.level == l {
		return
	}
	if m.of != p.markers[0] {
		m.rows, m.list.Current = map[int]*widgets.Vector{}, 0
	}
	m.of, m.level, m.points = p.markers[0], l, session.MarkerPoints(l, p.markers[0])
	m.list.Current = max(0, min(m.list.Current, len(m.points)-1))
}

// colours takes changes of the colour.
func (m *markerPart) colours(gtx layout.Context, ip *inspector, p *picked) {
	for {
		c, ok := m.color.Update(gtx)
		if !ok {
			return
		}
		ip.sh.again = true
		switch {
		case c.Phase == widgets.Cancel:
			ip.cancel()
			continue
		case c.Phase == widgets.Commit && ip.gesture.open == nil:
			ip.sh.run(callLine("marker.set", "id", idWords(p.markers...), "color", widgets.FormatColor(c.Value)))
			continue
		case ip.gesture.open == nil:
			l := ip.sh.s.Level()
			ip.gesture = gesture{open: ip.sh.s.Document().Begin(stepName("Change", l, p.markers)), start: l, dragging: m.color.Dragging}
		}
		ok = ip.step(func(tx *document.Tx) error {
			for _, id := range p.markers {
				e, _ := tx.Level().Entity(id)
				if d, ok := e.Data.(document.Marker); ok {
					next := *e
					d.Color = linearOf(c.Value)
					next.Data = d
					if err := tx.Put(next); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if ok && c.Phase == widgets.Commit {
			ip.commit()
		}
	}
}

// linearOf is a colour of the screen as levels have it.
func linearOf(c color.NRGBA) (v mgl64.Vec3) {
	for i, b := range [3]uint8{c.R, c.G, c.B} {
		if s := float64(b) / 255; s <= 0.04045 {
			v[i] = s / 12.92
		} else {
			v[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return v
}

func (m *markerPart) colourRow(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	th, size := ip.sh.th, gtx.Constraints.Max
	right := size.X
	if p.color.mixed || p.color.value != (mgl64.Vec3{}) {
		right -= size.Y
		in(gtx, image.Rect(right, 0, size.X, size.Y), func(gtx layout.Context) layout.Dimensions {
			b := th.IconButton(&m.reset, icons.Reload, sOwnColour)
			b.Reason = reason
			return b.Layout(gtx)
		})
		right -= gtx.Dp(4)
	}
	in(gtx, image.Rect(0, 0, right, size.Y), func(gtx layout.Context) layout.Dimensions {
		c := th.ColorField(&m.color, sColour)
		c.Reason, c.Tip.Help = reason, sColourTip
		return c.Layout(gtx)
	})
	return layout.Dimensions{Size: size}
}

// facts are how long the marker is and how much it covers.
func (m *markerPart) facts(gtx layout.Context, ip *inspector, p *picked) layout.Dimensions {
	sh, shape := ip.sh, p.shape.value
	length, area := session.MarkerSize(shape, m.points)
	row := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions { return sh.fact(gtx, name, text, labelColumn) }
	}
	rows := []layout.Widget{row(sPoints, countText(len(m.points)))}
	switch shape {
	case document.MarkerLine:
		rows = append(rows, row(sLength, distance(length)))
	case document.MarkerArea:
		rows = append(rows, row(sOutline, distance(length)), row(sArea, surface(area)))
	}
	return stack(gtx, 0, 0, rows...)
}

// surface writes square metres, from a square kilometre on as such.
func surface(v float64) string {
	if v >= 1e6 {
		return widgets.FormatNumber(v/1e6, 3) + " km²"
	}
	return widgets.FormatNumber(v, 2) + " m²"
}

// table is a row of three numbers for each point.
func (m *markerPart) table(gtx layout.Context, ip *inspector, reason string) layout.Dimensions {
	th := ip.sh.th
	h := gtx.Dp(pointRow) * min(len(m.points), pointRows)
	gtx.Constraints = layout.Exact(image.Pt(gtx.Constraints.Max.X, h))
	st := th.List(&m.list, sPoints)
	st.RowSize = pointRow
	seen := map[int]bool{}
	d := st.Layout(gtx, len(m.points), func(gtx layout.Context, r widgets.Row) layout.Dimensions {
		seen[r.Index] = true
		return m.pointRow(gtx, ip, r.Index, reason)
	})
	for i, v := range m.rows {
		if !seen[i] && !v.Dragging() {
			delete(m.rows, i)
		}
	}
	return d
}

func (m *markerPart) pointRow(gtx layout.Context, ip *inspector, i int, reason string) layout.Dimensions {
	th, size := ip.sh.th, gtx.Constraints.Max
	v := m.rows[i]
	if v == nil {
		v = new(widgets.Vector)
		m.rows[i] = v
	}
	v.Show([3]float64(m.points[i]), [3]bool{})
	left, gap := gtx.Dp(28), gtx.Dp(4)
	name := fmt.Sprintf(sPointName, i+1)
	l := th.Dim(fmt.Sprint(i + 1))
	l.Size = th.Size.Small
	ip.sh.oneLine(gtx, l, image.Rect(gtx.Dp(6), 0, left, size.Y))
	colors := [...]color.NRGBA{th.Color.AxisX, th.Color.AxisY, th.Color.AxisZ}
	total, row := size.X-left-2*gap, gtx.Dp(th.Size.Row)
	y := (size.Y - row) / 2
	for a := range 3 {
		x0, x1 := left+total*a/3+a*gap, left+total*(a+1)/3+a*gap
		in(gtx, image.Rect(x0, y, x1, y+row), func(gtx layout.Context) layout.Dimensions {
			n := th.Number(&v.Axes[a], uMetre)
			axis := [...]string{"X", "Y", "Z"}[a]
			n.Label, n.Letter, n.LetterColor, n.Reason = name+" "+axis, axis, colors[a], reason
			return n.Layout(gtx)
		})
	}
	return layout.Dimensions{Size: size}
}

// pointEvents does what the user did in the table.
func (m *markerPart) pointEvents(gtx layout.Context, ip *inspector, p *picked) {
	id := m.of
	for {
		ev, ok := m.list.Update(gtx)
		if !ok {
			break
		}
		if ev.Kind == widgets.ListDelete && m.whyNoRemoval(p) == "" && ip.sh.why("marker.set") == "" {
			m.removePoint(ip)
			m.take(ip, p)
		}
	}
	for i, v := range m.rows {
		for {
			c, ok := v.Update(gtx)
			if !ok || i >= len(m.points) {
				break
			}
			ip.change(c.Change, edit{
				verb: "Change", ids: []document.ID{id}, dragging: v.Dragging,
				line: func(at float64) string {
					points := slices.Clone(m.points)
					points[i][c.Axis] = at
					return m.line(points)
				},
				to: func(now, start *document.Level, id document.ID, change widgets.Change) (document.Entity, bool) {
					was := session.MarkerPoints(start, id)
					if i >= len(was) {
						return document.Entity{}, false
					}
					return session.MovedPoint(now, id, i, c.Axis, change.Of(was[i][c.Axis]))
				},
			})
			m.take(ip, p)
		}
	}
	if m.add.Clicked(gtx) {
		m.addPoint(ip, p)
	}
	if m.remove.Clicked(gtx) {
		m.removePoint(ip)
	}
}

// line is the command that gives the marker other points.
func (m *markerPart) line(points []mgl64.Vec3) string {
	words := make([]string, len(points))
	for i, v := range points {
		words[i] = number(v[0]) + "," + number(v[1]) + "," + number(v[2])
	}
	return callLine("marker.set", "id", idWords(m.of), "points", strings.Join(words, ";"))
}

// addPoint puts a point behind the chosen one: half way to the next, or beyond the
// end.
func (m *markerPart) addPoint(ip *inspector, p *picked) {
	i := m.list.Current
	if i < 0 || i >= len(m.points) {
		return
	}
	at := m.points[i]
	switch next := (i + 1) % len(m.points); {
	case next > 0 && p.shape.value != document.MarkerPoint, p.shape.value == document.MarkerArea:
		at = at.Add(m.points[next]).Mul(0.5)
	case i > 0:
		at = at.Add(at.Sub(m.points[i-1]))
	default:
		at[0]++
	}
	ip.sh.run(m.line(slices.Insert(slices.Clone(m.points), i+1, at)))
	m.list.ScrollTo(i + 1)
}

func (m *markerPart) removePoint(ip *inspector) {
	i := m.list.Current
	if i < 0 || i >= len(m.points) {
		return
	}
	ip.sh.run(m.line(slices.Delete(slices.Clone(m.points), i, i+1)))
}

// whyNoRemoval tells why no point can be removed.
func (m *markerPart) whyNoRemoval(p *picked) string {
	if n := tool.FewestPoints(p.shape.value); len(m.points) <= n {
		if n == 1 {
			return sLastPoint
		}
		return fmt.Sprintf(sFewestPoints, string(p.shape.value), n)
	}
	return ""
}

func (m *markerPart) buttons(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	th := ip.sh.th
	return columns(6,
		func(gtx layout.Context) layout.Dimensions {
			b := th.Button(&m.add, sAddPoint)
			b.Icon, b.Reason = icons.Plus, reason
			return b.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			b := th.Button(&m.remove, sRemovePoint)
			b.Icon, b.Reason = icons.Minus, reason
			if b.Reason == "" {
				b.Reason = m.whyNoRemoval(p)
			}
			return b.Layout(gtx)
		},
	)(gtx)
}
