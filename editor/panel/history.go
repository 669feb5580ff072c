package panel

import (
	"fmt"
	"image"

	"gioui.org/layout"

	"ridgeline/icons"
	"ridgeline/widgets"
)

// history is the list of steps, from how the level was opened to what was undone.
// A click goes to that moment.
type history struct {
	sh   *Shell
	list widgets.List
	at   int // where the list was last scrolled to
}

func (h *history) layout(gtx layout.Context) layout.Dimensions {
	s, th := h.sh.s, h.sh.th
	doc := s.Document()
	h.list.Near = true // Home would undo everything
	for {
		ev, ok := h.list.Update(gtx)
		if !ok {
			break
		}
		if ev.Kind == widgets.ListSelect || ev.Kind == widgets.ListActivate {
			if ev.Row != doc.Position() {
				h.sh.run(fmt.Sprintf("history.goto step=%d", ev.Row))
			}
			h.at = doc.Position() // what was clicked is in view
		}
	}
	steps, at := doc.History(), doc.Position()
	if at != h.at {
		h.at = at
		h.list.ScrollTo(at)
	}
	st := th.List(&h.list, sHistory)
	st.Selected = func(i int) bool { return i == at }
	gtx.Constraints = layout.Exact(image.Pt(gtx.Constraints.Max.X, gtx.Constraints.Max.Y))
	return st.Layout(gtx, len(steps)+1, func(gtx layout.Context, r widgets.Row) layout.Dimensions {
		row := th.Row(icons.None, h.first())
		if r.Index > 0 {
			e := steps[r.Index-1]
			row.Title = e.Name
			if !e.Time.IsZero() {
				row.Detail = e.Time.Format("15:04")
			}
		}
		row.Dim = r.Index > at
		return row.Layout(gtx, nil, r)
	})
}

// first is what the first row is called.
func (h *history) first() string {
	if h.sh.s.Opened() {
		return sOpened
	}
	return sCreated
}
