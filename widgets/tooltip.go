package widgets

import (
	"image"
	"slices"
	"strings"
	"time"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// Tip is what a tooltip says. A zero Tip shows nothing.
type Tip struct {
	Title string
	Keys  string // shortcut, "Ctrl+S"
	Help  string // a sentence more
}

const (
	tipDelay = 500 * time.Millisecond
	// tipLinger lets the tooltip of the next widget come at once while the
	// user is reading along a row of them.
	tipLinger = 300 * time.Millisecond
)

// tipState times the tooltip of one widget.
type tipState struct {
	since time.Time
	quiet bool // pressed: no tooltip until the pointer comes again
}

func (t *tipState) hush() { t.quiet = true }

// tooltip draws the tooltip of a widget that covers r in its own frame, once
// the pointer has come to it and rested. reason says why the widget is disabled.
func (th *Theme) tooltip(gtx layout.Context, s *sense, st *tipState, tip Tip, reason string, r image.Rectangle) {
	w := &th.win
	if !s.hovered {
		st.since, st.quiet = time.Time{}, false
		if w.tipOwner == st {
			w.tipOwner = nil
		}
		return
	}
	if w.typed { // who types looks elsewhere, and must not find it covered
		if w.tipOwner == st {
			w.tipOwner = nil
		}
		return
	}
	if st.quiet || tip == (Tip{}) && reason == "" {
		return
	}
	if w.tipOwner != st {
		w.tipOwner = st
		st.since = gtx.Now
		if gtx.Now.Sub(w.tipShown) < tipLinger {
			st.since = gtx.Now.Add(-tipDelay)
		}
	}
	if wait := st.since.Add(tipDelay); gtx.Now.Before(wait) {
		gtx.Execute(op.InvalidateCmd{At: wait})
		return
	}
	w.tipShown = gtx.Now
	th.showTip(gtx, tip, reason, r, sideBelow, s.origin, s.placed)
}

// showTip draws a tooltip by the rectangle r of the current frame, whose place
// in the window is origin.
func (th *Theme) showTip(gtx layout.Context, tip Tip, reason string, r image.Rectangle, sd side, origin image.Point, placed bool) {
	tgtx := gtx
	tgtx.Constraints = layout.Constraints{Max: image.Pt(gtx.Dp(300), 1<<16)}
	tgtx = tgtx.Disabled()
	m := op.Record(gtx.Ops)
	size := th.tipBody(tgtx, tip, reason)
	call := m.Stop()
	gap := gtx.Dp(6)
	anchor := r
	if sd == sideBelow {
		anchor.Min.Y, anchor.Max.Y = anchor.Min.Y-gap, anchor.Max.Y+gap
	} else {
		anchor.Min.X, anchor.Max.X = anchor.Min.X-gap, anchor.Max.X+gap
	}
	win := everywhere.Max
	if placed {
		win = th.win.size
	}
	pos := place(anchor.Add(origin), size, win, sd).Sub(origin)
	popup(gtx, pos, func(gtx layout.Context) layout.Dimensions {
		box := image.Rectangle{Max: size}
		th.popupBox(gtx, box)
		defer clip.Rect(box).Push(gtx.Ops).Pop()
		semantic.LabelOp("Tooltip: " + tip.Title).Add(gtx.Ops)
		if said := strings.Join(filled(tip.Keys, tip.Help, reason), "\n"); said != "" {
			semantic.DescriptionOp(said).Add(gtx.Ops)
		}
		call.Add(gtx.Ops)
		return layout.Dimensions{Size: size}
	})
}

// filled gives the lines that are not empty.
func filled(lines ...string) []string {
	return slices.DeleteFunc(lines, func(s string) bool { return s == "" })
}

func (th *Theme) tipBody(gtx layout.Context, tip Tip, reason string) image.Point {
	padX, padY := gtx.Dp(8), gtx.Dp(6)
	line := gtx.Dp(18)
	inner := gtx
	inner.Constraints = layout.Constraints{Max: image.Pt(gtx.Constraints.Max.X-2*padX, 1<<16)}
	x, y := padX, padY
	width := 0
	if tip.Title != "" {
		w := th.Label(tip.Title).drawIn(gtx, image.Rect(x, y, x+inner.Constraints.Max.X, y+line))
		if tip.Keys != "" {
			w += gtx.Dp(12)
			w += at(gtx, image.Pt(x+w, y), th.Keys(tip.Keys).Layout).Size.X
		}
		width = w
		y += line
	}
	if tip.Help != "" {
		y += gtx.Dp(2)
		l := th.Body(tip.Help)
		l.Color, l.Size = th.Color.Dim, th.Size.Small
		d := at(inner, image.Pt(x, y), l.draw)
		width = max(width, d.Size.X)
		y += d.Size.Y
	}
	if reason != "" {
		y += gtx.Dp(2)
		px := gtx.Dp(14)
		th.drawIcon(gtx, icons.Warning, th.Color.Warn, image.Pt(x, y+gtx.Dp(1)), px)
		l := th.Body(reason)
		l.Color, l.Size = th.Color.Warn, th.Size.Small
		in := px + gtx.Dp(6)
		inner.Constraints.Max.X -= in
		d := at(inner, image.Pt(x+in, y), l.draw)
		width = max(width, d.Size.X+in)
		y += d.Size.Y
	}
	return image.Pt(width+2*padX, y+padY)
}
