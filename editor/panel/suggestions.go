package panel

import (
	"fmt"
	"image"

	"gioui.org/layout"
	"gioui.org/op"

	"ridgeline/icons"
	"ridgeline/widgets"
)

// suggestions is the list of proposed occluders. A click draws one in the level, as
// does the pointer over it.
type suggestions struct {
	sh       *Shell
	fields   fields
	progress widgets.Progress
	rows     []suggestionRow
}

// suggestionRow is what a row of the list keeps.
type suggestionRow struct {
	click, accept, dismiss widgets.Button
}

func (p *suggestions) layout(gtx layout.Context) layout.Dimensions {
	p.fields.sh = p.sh
	return p.sh.section(gtx, sSuggestions, p.body)
}

func (p *suggestions) body(gtx layout.Context) layout.Dimensions {
	g := &p.sh.s.Suggestions
	list := g.List()
	for len(p.rows) < len(list) {
		p.rows = append(p.rows, suggestionRow{})
	}
	var rows []layout.Widget
	switch {
	case g.Busy():
		if p.progress.Cancelled(gtx) {
			g.Cancel()
			p.sh.again = true
		}
		part := float32(-1)
		if done, ok := g.Progress(); ok {
			part = float32(done)
		}
		rows = append(rows, p.sh.th.Progress(&p.progress, sSuggesting, part).Layout)
	default:
		rows = append(rows, p.fields.button("occluder.suggest", sSuggest, sSuggestHelp, icons.None))
		switch {
		case len(list) > 0:
		case g.None():
			rows = append(rows, p.fields.text(sNoneSuggested))
		default:
			rows = append(rows, p.fields.text(sSuggestHelp))
		}
	}
	for i := range list {
		rows = append(rows, p.row(i, list[i].Text(p.sh.s.Level())))
	}
	d := stack(gtx, 8, 6, rows...)
	over := -1 // as the rows have just found
	for i := range list {
		if p.rows[i].click.Hovered() || p.rows[i].accept.Hovered() || p.rows[i].dismiss.Hovered() {
			over = i
		}
	}
	g.Point(over)
	return d
}

// row is one proposal: its sentence, and what can be done with it.
func (p *suggestions) row(i int, text string) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		th, r, shown := p.sh.th, &p.rows[i], p.sh.s.Suggestions.Previewed() == i
		accept, dismiss := fmt.Sprintf("occluder.accept number=%d", i+1), fmt.Sprintf("occluder.dismiss number=%d", i+1)
		// One a frame: the rows below move up.
		switch {
		case r.accept.Clicked(gtx):
			p.sh.run(accept)
		case r.dismiss.Clicked(gtx):
			p.sh.run(dismiss)
		case r.click.Clicked(gtx):
			n := i + 1
			if shown {
				n = 0
			}
			p.sh.run(fmt.Sprintf("occluder.preview number=%d", n))
		}
		pad := gtx.Dp(6)
		inner := gtx
		inner.Constraints = layout.Constraints{Min: image.Pt(max(0, gtx.Constraints.Max.X-2*pad), 0), Max: image.Pt(max(0, gtx.Constraints.Max.X-2*pad), 1<<20)}
		m := op.Record(gtx.Ops)
		d := stack(inner, 0, 4,
			th.Body(text).Layout,
			func(gtx layout.Context) layout.Dimensions {
				yes, no := th.Button(&r.accept, sAccept), th.Button(&r.dismiss, sDismiss)
				yes.Reason, yes.Tip = p.sh.why(accept), widgets.Tip{Title: sAccept, Help: sAcceptHelp}
				no.Tip = widgets.Tip{Title: sDismiss, Help: sDismissHelp}
				size := loose(gtx, image.Point{}, gtx.Constraints.Max, yes.Layout)
				left := size.X + gtx.Dp(6)
				loose(gtx, image.Pt(left, 0), image.Pt(max(0, gtx.Constraints.Max.X-left), gtx.Constraints.Max.Y), no.Layout)
				return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, size.Y)}
			},
		)
		call := m.Stop()
		size := image.Pt(gtx.Constraints.Max.X, d.Size.Y+2*pad)
		th.ButtonArea(gtx, &r.click, text, shown, size)
		t := op.Offset(image.Pt(pad, pad)).Push(gtx.Ops)
		call.Add(gtx.Ops)
		t.Pop()
		return layout.Dimensions{Size: size}
	}
}
