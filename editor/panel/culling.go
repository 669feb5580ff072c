package panel

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"time"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/occluders/cull"
	"ridgeline/widgets"
)

// culling is the panel that tells what each test removes, and why.
type culling struct {
	sh     *Shell
	fields fields
	graph  cullGraph
	ranks  widgets.List
	wrong  widgets.List
	step   widgets.Number
}

// stale reports whether the picture that comes next changes what is told of it, so that
// another frame should follow.
func (p *culling) stale() bool {
	s := p.sh.s
	if p.sh.viewport.Empty() {
		return false // no picture comes
	}
	told := s.Shown("overlay efficiency") || len(s.Selection()) == 1 || p.sh.tabs.open == panelCulling && s.Shown(panelCulling)
	return s.Culling.CheckDue() || told && s.Culling.Awaits()
}

func (p *culling) layout(gtx layout.Context) layout.Dimensions {
	p.fields.sh = p.sh
	return stack(gtx, 0, 0,
		func(gtx layout.Context) layout.Dimensions { return p.sh.section(gtx, sTests, p.tests) },
		func(gtx layout.Context) layout.Dimensions { return p.sh.section(gtx, sWhy, p.why) },
		func(gtx layout.Context) layout.Dimensions { return p.sh.section(gtx, sTruth, p.truth) },
		func(gtx layout.Context) layout.Dimensions { return p.sh.section(gtx, sHiding, p.hiding) },
		func(gtx layout.Context) layout.Dimensions { return p.sh.section(gtx, sHeatMap, p.heat) },
	)
}

// The columns of the table, from the right, in dp.
const (
	msColumn      = 44
	removedColumn = 58
	triedColumn   = 52
	swatchColumn  = 16
)

// tests is the table of what each test does, and the graph.
func (p *culling) tests(gtx layout.Context) layout.Dimensions {
	s := p.sh.s
	c := &s.Culling
	rows := []layout.Widget{p.fields.check(sFreezeIt, sFreezeHelp, s.Keys.Hint("cull.freeze"), c.Frozen(), func(on bool) string {
		return "cull.freeze on=" + onOff(on)
	})}
	r := c.Report()
	if r == nil {
		return stack(gtx, 8, 6, append(rows, p.fields.text(sNothingRun))...)
	}
	table := []layout.Widget{p.head}
	for t := range cull.Test(cull.NumTests) {
		table = append(table, p.row(t, &r.Stats[t]))
	}
	count := func(n int) string { return widgets.FormatCount(float64(n)) }
	rows = append(rows,
		func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, table...) },
		p.ends(fmt.Sprintf(sDrawnOf, count(len(r.Drawn)), count(r.Entries)), fmt.Sprintf(sFrames, session.HistoryFrames)),
		p.graph.layout(p.sh),
	)
	return stack(gtx, 8, 6, rows...)
}

func onOff(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}

// line is one line of small text.
func (p *culling) line(text string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(20))
		l := p.sh.th.Label(text)
		l.Size = p.sh.th.Size.Small
		p.sh.oneLine(gtx, l, image.Rectangle{Max: size})
		return layout.Dimensions{Size: size}
	}
}

// ends is one line with a text at its beginning and a dim one at its end.
func (p *culling) ends(left, right string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		d := p.line(left)(gtx)
		l := p.sh.th.Dim(right)
		l.Size = p.sh.th.Size.Small
		size, call := sizeOf(gtx, d.Size, l.Layout)
		place(gtx, image.Pt(d.Size.X-size.X, int(math.Round(float64(d.Size.Y-size.Y)/2))), call)
		return d
	}
}

// cells puts texts into the columns of the table.
func (p *culling) cells(gtx layout.Context, h int, colour color.NRGBA, texts [3]string) (free int) {
	x := gtx.Constraints.Max.X
	for i, width := range [...]int{msColumn, removedColumn, triedColumn} {
		w := gtx.Dp(1) * width
		l := p.sh.th.Label(texts[2-i])
		l.Size, l.Color, l.Align = p.sh.th.Size.Small, colour, text.End
		r := image.Rect(x-w, 0, x, h)
		size, call := sizeOf(gtx, r.Size(), l.Layout)
		t := op.Offset(image.Pt(r.Max.X-size.X, (h-size.Y)/2)).Push(gtx.Ops)
		call.Add(gtx.Ops)
		t.Pop()
		x -= w
	}
	return x
}

func (p *culling) head(gtx layout.Context) layout.Dimensions {
	h := gtx.Dp(18)
	p.cells(gtx, h, p.sh.th.Color.Dim, [3]string{sTried, sRemoved, sMs})
	return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, h)}
}

// row is one test: its switch, its colour and its figures.
func (p *culling) row(t cull.Test, st *cull.Stat) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		s, th, h := p.sh.s, p.sh.th, gtx.Dp(24)
		on := s.Culling.Tests().Has(t)
		texts, colour := [3]string{sNoTest, sNoTest, sNoTest}, th.Color.Disabled
		if on {
			colour = th.Color.Text
			texts[0], texts[1] = widgets.FormatCount(float64(st.Tried)), widgets.FormatCount(float64(st.Removed))
			if d, ok := s.Culling.Time(t); ok {
				texts[2] = msText(d)
			}
		}
		free := p.cells(gtx, h, colour, texts)
		side := gtx.Dp(10)
		c := session.TestColour(t)
		if !on {
			c.A = 0x50
		}
		box := image.Rect(0, (h-side)/2, side, (h+side)/2)
		paint.FillShape(gtx.Ops, c, clip.UniformRRect(box, gtx.Dp(2)).Op(gtx.Ops))
		in(gtx, image.Rect(gtx.Dp(swatchColumn), 0, free, h), p.fields.check(testTitles[t], testHelp[t], testKeys(s, t), on, func(on bool) string {
			return "cull.set " + t.String() + "=" + onOff(on)
		}))
		return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, h)}
	}
}

// testKeys is the key that switches a test.
func testKeys(s *session.Session, t cull.Test) string {
	switch t {
	case cull.Portal:
		return s.Keys.Hint("cull.toggle name=portals")
	case cull.Terrain, cull.Occluder:
		return s.Keys.Hint("cull.toggle name=occlusion")
	}
	return ""
}

// msText writes a time in milliseconds, with as many decimals as leave it readable.
func msText(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms >= 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 3, 64)
}

// why says why what is selected is not drawn.
func (p *culling) why(gtx layout.Context) layout.Dimensions {
	w, ok := p.sh.s.Culling.Why()
	if !ok {
		return stack(gtx, 8, 6, p.fields.text(sWhyNothing))
	}
	colour := p.sh.th.Color.Text
	test, removed := w.Verdict.Test()
	if removed {
		colour = session.TestColour(test)
	}
	rows := []layout.Widget{p.line(w.Title)}
	if w.Parts > 1 && w.Removed > 0 {
		rows = append(rows, p.fields.text(fmt.Sprintf(sPartsCut, widgets.FormatCount(float64(w.Removed)), widgets.FormatCount(float64(w.Parts)))))
	}
	rows = append(rows, func(gtx layout.Context) layout.Dimensions {
		l := p.sh.th.Body(w.Text)
		l.Color = colour
		d, call := sizeOf(gtx, gtx.Constraints.Max, l.Layout)
		defer clip.Rect{Max: d}.Push(gtx.Ops).Pop()
		semantic.LabelOp(w.Text).Add(gtx.Ops)
		call.Add(gtx.Ops)
		return layout.Dimensions{Size: d}
	})
	return stack(gtx, 8, 4, rows...)
}

// truth tells how what is culled compares with what can be seen.
func (p *culling) truth(gtx layout.Context) layout.Dimensions {
	s, f := p.sh.s, &p.fields
	c := &s.Culling
	rows := []layout.Widget{
		f.button("cull.oracle", sCheckNow, sCheckHelp, icons.Search),
		f.check(sCheckIdle, sCheckIdleTip, "", c.ChecksIdle(), func(on bool) string { return "cull.oracle idle=" + onOff(on) }),
	}
	r, ok := c.Result()
	if !ok {
		return stack(gtx, 8, 6, append(rows, f.text(sNotChecked))...)
	}
	fact := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions { return p.sh.fact(gtx, name, text, keyColumn) }
	}
	facts := []layout.Widget{fact(sFalseCulls, strconv.Itoa(len(r.False))), fact(sEfficiency, shareText(&r.Judgement))}
	var shares []layout.Widget
	for t := cull.Backface; t < cull.NumTests; t++ {
		if c.Tests().Has(t) && r.Hidden > 0 {
			shares = append(shares, fact(testTitles[t], percentText(r.Of(t))))
		}
	}
	if !r.Now {
		rows = append(rows, f.text(sOldCheck))
	}
	rows = append(rows, func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, facts...) })
	if len(shares) > 0 {
		rows = append(rows, f.text(sShares), func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, shares...) })
	}
	if len(r.Things) > 0 {
		rows = append(rows, p.falseCulls(r.Things))
	}
	return stack(gtx, 8, 6, rows...)
}

func percentText(share float64) string { return strconv.Itoa(int(math.Floor(share*100))) + "%" }

func shareText(j *cull.Judgement) string {
	if j.Hidden == 0 {
		return sNoneHidden
	}
	return fmt.Sprintf(sOfHidden, int(math.Floor(j.Efficiency()*100)), widgets.FormatCount(float64(j.Hidden)))
}

// The lists of the panel.
const (
	cullRow  = 22
	cullRows = 6
)

// rows is a list as high as what is in it, up to some rows.
func (p *culling) rows(gtx layout.Context, l *widgets.List, label string, n, most int, row func(i int) widgets.RowStyle) layout.Dimensions {
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(cullRow)*min(n, most))
	defer clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(3)).Push(gtx.Ops).Pop()
	fill(gtx, p.sh.th.Color.Field, image.Rectangle{Max: size})
	gtx.Constraints = layout.Exact(size)
	st := p.sh.th.List(l, label)
	st.RowSize = cullRow
	st.Selected = func(int) bool { return false }
	return st.Layout(gtx, n, func(gtx layout.Context, r widgets.Row) layout.Dimensions {
		if r.Index >= n {
			return layout.Dimensions{}
		}
		return row(r.Index).Layout(gtx, nil, r)
	})
}

// chosen gives the row of a list that was clicked.
func chosen(gtx layout.Context, l *widgets.List) (row int, ok bool) {
	for {
		ev, more := l.Update(gtx)
		if !more {
			return row, ok
		}
		if ev.Kind == widgets.ListSelect || ev.Kind == widgets.ListActivate {
			row, ok = ev.Row, true
		}
	}
}

func (p *culling) falseCulls(list []session.FalseCull) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		if i, ok := chosen(gtx, &p.wrong); ok && i >= 0 && i < len(list) && list[i].ID != 0 {
			p.sh.run("select ids=" + idWords(list[i].ID))
		}
		return p.rows(gtx, &p.wrong, sFalseCulls, len(list), cullRows, func(i int) widgets.RowStyle {
			row := p.sh.th.Row(icons.Warning, list[i].Name)
			row.Detail = list[i].Verdict.String()
			return row
		})
	}
}

// hiding ranks the occluders by how much they hide.
func (p *culling) hiding(gtx layout.Context) layout.Dimensions {
	s := p.sh.s
	if s.Culling.Rank() {
		p.sh.again = true
	}
	list, now := s.Culling.Ranks()
	switch {
	case len(list) == 0 && !now && s.Culling.Fresh():
		return stack(gtx, 8, 6, p.fields.text(sRanking))
	case len(list) == 0:
		return stack(gtx, 8, 6, p.fields.text(sNoHiding))
	}
	return stack(gtx, 8, 6, func(gtx layout.Context) layout.Dimensions {
		if i, ok := chosen(gtx, &p.ranks); ok && i >= 0 && i < len(list) {
			p.sh.run("select ids=" + idWords(list[i].ID))
		}
		sel := s.Selection()
		return p.rows(gtx, &p.ranks, sHiding, len(list), session.MaxRanks, func(i int) widgets.RowStyle {
			row := p.sh.th.Row(icons.Occluder, list[i].Name)
			row.Detail = "× " + widgets.FormatCount(float64(list[i].Hides))
			row.Dim = !now && !slices.Contains(sel, list[i].ID)
			return row
		})
	})
}

// heat makes heat maps.
func (p *culling) heat(gtx layout.Context) layout.Dimensions {
	s, f := p.sh.s, &p.fields
	w, d := s.Level().Terrain.Extent()
	n := &p.step
	n.Min, n.Max, n.Log, n.Decimals = max(0.01, math.Sqrt(w*d)/256), max(1, max(w, d)), true, 2
	for {
		if _, ok := n.Update(gtx); !ok {
			break
		}
	}
	if n.Value == 0 || n.Value < n.Min || n.Value > n.Max {
		n.Value = max(w, d) / 32
	}
	line := "cull.heatmap step=" + number(n.Value)
	rows := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions {
			st := p.sh.th.Number(n, uMetre)
			st.Label, st.Tip = sHeatStep, widgets.Tip{Title: sHeatStep, Help: sHeatStepTip}
			return st.Layout(gtx)
		},
		f.button(line, sMakeHeat, sHeatHelp, icons.None),
	}
	if h := s.Culling.Heat(); h != nil {
		rows = append(rows,
			p.line(fmt.Sprintf(sHeatRange, widgets.FormatCount(float64(h.Least)), widgets.FormatCount(float64(h.Most)))),
			f.check(sHeatItem, "", "", s.Shown("overlay heat"), func(bool) string { return "view.overlay name=heat" }),
			f.button("cull.heatmap off", sDropHeat, "", icons.None),
		)
	}
	return stack(gtx, 8, 6, rows...)
}

// cullGraph is the graph of the last frames.
type cullGraph struct {
	ops  op.Ops
	call op.CallOp
	runs int
	size image.Point
}

const graphHeight = 72

// layout draws what was drawn and removed in the last frames, stacked, the newest at
// the right. It is made anew when there is another frame.
func (g *cullGraph) layout(sh *Shell) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(graphHeight))
		defer clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(3)).Push(gtx.Ops).Pop()
		fill(gtx, sh.th.Color.Field, image.Rectangle{Max: size})
		semantic.LabelOp(sFramesGraph).Add(gtx.Ops)
		c := &sh.s.Culling
		if g.size != size || g.runs != c.Runs() {
			g.size, g.runs = size, c.Runs()
			g.ops.Reset()
			m := op.Record(&g.ops)
			g.draw(sh, size)
			g.call = m.Stop()
		}
		g.call.Add(gtx.Ops)
		return layout.Dimensions{Size: size}
	}
}

// drawnColour is that of what is drawn, in the graph and the legends.
var drawnColour = color.NRGBA{0xdf, 0xe5, 0xee, 0xff}

func (g *cullGraph) draw(sh *Shell, size image.Point) {
	c := &sh.s.Culling
	n := c.Frames()
	most := 1
	for i := range n {
		f := c.Frame(i)
		sum := f.Drawn
		for _, r := range f.Removed {
			sum += r
		}
		most = max(most, sum)
	}
	// A frame is as wide as a 300th of the graph. What it drew lies at the bottom.
	step := float32(size.X) / session.HistoryFrames
	left := float32(size.X) - float32(n)*step
	scale := 0.94 * float32(size.Y) / float32(most)
	below := make([]float32, n)
	for layer := range 1 + cull.NumTests {
		colour := drawnColour
		if layer > 0 {
			colour = session.TestColour(cull.Test(cull.NumTests - layer))
		}
		colour.A = 0xd8
		value := func(i int) int {
			if layer == 0 {
				return c.Frame(i).Drawn
			}
			return c.Frame(i).Removed[cull.NumTests-layer]
		}
		// Frames that are alike are one rectangle.
		for i := 0; i < n; {
			k := i + 1
			for k < n && value(k) == value(i) && below[k] == below[i] {
				k++
			}
			h := float32(value(i)) * scale
			r := image.Rect(
				int(left+float32(i)*step+0.5), int(float32(size.Y)-below[i]-h+0.5),
				int(left+float32(k)*step+0.5), int(float32(size.Y)-below[i]+0.5),
			)
			for ; i < k; i++ {
				below[i] += h
			}
			if !r.Empty() {
				paint.FillShape(&g.ops, colour, clip.Rect(r).Op())
			}
		}
	}
}
