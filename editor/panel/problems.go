package panel

import (
	"fmt"
	"image"
	"strings"

	"gioui.org/layout"
	"gioui.org/op"

	"ridgeline/document/problems"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// troubles is the panel of what is wrong with the visibility of the level. A click
// selects what a problem is about; a button does what is proposed against it.
type troubles struct {
	sh     *Shell
	fields fields
	rows   []problemRow
	marked string // the text of the row that was clicked last
}

// problemRow is what a row of the list keeps.
type problemRow struct {
	click, fix widgets.Button
}

// mostProblems is how many problems are listed: who has more begins with these.
const mostProblems = 200

func (p *troubles) layout(gtx layout.Context) layout.Dimensions {
	p.fields.sh = p.sh
	return p.sh.section(gtx, sProblems, p.body)
}

func (p *troubles) body(gtx layout.Context) layout.Dimensions {
	s := &p.sh.s.Problems
	list := s.List()
	head := sNoProblems
	switch {
	case s.Busy() && len(list) == 0:
		head = sLooking
	case s.Busy():
		head = problemCount(len(list)) + sLookingAgain
	case len(list) > 0:
		head = problemCount(len(list))
	}
	rows := []layout.Widget{p.fields.text(head)}
	for len(p.rows) < min(len(list), mostProblems) {
		p.rows = append(p.rows, problemRow{})
	}
	for i := range list[:min(len(list), mostProblems)] {
		rows = append(rows, p.row(i, &list[i]))
	}
	if n := len(list) - mostProblems; n > 0 {
		rows = append(rows, p.fields.text(fmt.Sprintf(sMoreProblems, n)))
	}
	return stack(gtx, 8, 6, rows...)
}

func problemCount(n int) string {
	if n == 1 {
		return sOneProblem
	}
	return fmt.Sprintf(sProblemCount, n)
}

// problemIcons are those of the severities.
var problemIcons = map[problems.Severity]icons.Name{problems.Error: icons.Error, problems.Warning: icons.Warning, problems.Note: icons.Info}

// row is one problem: its icon, its sentence, and a button with the fix.
func (p *troubles) row(i int, q *problems.Problem) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		th, r := p.sh.th, &p.rows[i]
		if r.click.Clicked(gtx) {
			p.marked = q.Text
			p.sh.run(fmt.Sprintf("problem.show number=%d", i+1))
		}
		if r.fix.Clicked(gtx) {
			p.sh.run(fmt.Sprintf("problem.fix number=%d", i+1))
		}
		pad := gtx.Dp(6)
		inner := gtx
		inner.Constraints = layout.Constraints{Min: image.Pt(max(0, gtx.Constraints.Max.X-2*pad), 0), Max: image.Pt(max(0, gtx.Constraints.Max.X-2*pad), 1<<20)}
		m := op.Record(gtx.Ops)
		d := stack(inner, 0, 4,
			func(gtx layout.Context) layout.Dimensions { return p.sentence(gtx, q) },
			func(gtx layout.Context) layout.Dimensions {
				if !q.Fix.Exists() {
					return layout.Dimensions{}
				}
				left := gtx.Dp(th.Size.IconSize) + gtx.Dp(8)
				b := th.Button(&r.fix, q.Fix.Title)
				b.Reason = p.sh.why("problem.fix number=1")
				b.Tip = widgets.Tip{Title: q.Fix.Title, Help: fmt.Sprintf(sFixHelp, firstLine(q.Fix.Script))}
				size := loose(gtx, image.Pt(left, 0), gtx.Constraints.Max, b.Layout)
				return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, size.Y)}
			},
		)
		call := m.Stop()
		size := image.Pt(gtx.Constraints.Max.X, d.Size.Y+2*pad)
		th.ButtonArea(gtx, &r.click, q.Text, p.marked == q.Text, size)
		t := op.Offset(image.Pt(pad, pad)).Push(gtx.Ops)
		call.Add(gtx.Ops)
		t.Pop()
		return layout.Dimensions{Size: size}
	}
}

// sentence is the icon and the text of a problem.
func (p *troubles) sentence(gtx layout.Context, q *problems.Problem) layout.Dimensions {
	th := p.sh.th
	ic := th.Icon(problemIcons[q.Severity])
	switch ic.Color = th.Color.Dim; q.Severity {
	case problems.Error:
		ic.Color = th.Color.Error
	case problems.Warning:
		ic.Color = th.Color.Warn
	}
	left := gtx.Dp(th.Size.IconSize) + gtx.Dp(8)
	loose(gtx, image.Pt(0, gtx.Dp(1)), gtx.Constraints.Max, ic.Layout)
	t := op.Offset(image.Pt(left, 0)).Push(gtx.Ops)
	g := gtx
	g.Constraints = layout.Constraints{Max: image.Pt(max(0, gtx.Constraints.Max.X-left), gtx.Constraints.Max.Y)}
	d := th.Body(q.Text).Layout(g)
	t.Pop()
	return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, max(d.Size.Y, gtx.Dp(th.Size.IconSize)))}
}

// firstLine is the first line of a script, as far as there is room for it.
func firstLine(script string) string {
	line, _, _ := strings.Cut(script, "\n")
	return clipText(line, 80)
}
