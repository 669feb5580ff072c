package widgets

import (
	"image"
	"time"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// Progress is the state of a running task's row.
type Progress struct{ cancel Button }

// Cancelled handles the events and reports whether the user wants the task to
// stop.
func (p *Progress) Cancelled(gtx layout.Context) bool { return p.cancel.Clicked(gtx) }

// ProgressStyle draws a Progress.
type ProgressStyle struct {
	Title string
	// Fraction is how far the task is, from 0 to 1; negative when that is not
	// known.
	Fraction float32
	// Fixed tasks cannot be cancelled.
	Fixed bool

	state *Progress
	th    *Theme
}

// Progress draws p with the task's title.
func (th *Theme) Progress(p *Progress, title string, fraction float32) ProgressStyle {
	return ProgressStyle{Title: title, Fraction: fraction, state: p, th: th}
}

// sweep is how long the bar of a task of unknown length takes for one pass.
const sweep = 1600 * time.Millisecond

// Layout draws title, bar and cancel button in one row over the width of the
// constraints.
func (s ProgressStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	defer clip.Rect(image.Rectangle{Max: size}).Push(gtx.Ops).Pop()
	semantic.LabelOp(s.Title).Add(gtx.Ops)
	right := size.X
	if !s.Fixed {
		b := th.IconButton(&s.state.cancel, icons.Close, "Cancel "+s.Title)
		b.Size, b.IconSize = th.Size.Row-4, 12
		side := gtx.Dp(b.Size)
		at(gtx, image.Pt(right-side, (size.Y-side)/2), b.Layout)
		right -= side + gtx.Dp(4)
	}
	l := th.Label(s.Title)
	barW := min(gtx.Dp(96), right/2)
	bar := image.Rect(right-barW, size.Y/2-gtx.Dp(2), right, size.Y/2+gtx.Dp(2))
	right = bar.Min.X - gtx.Dp(8)
	if s.Fraction >= 0 {
		pc := th.Dim(percent(s.Fraction))
		pc.Size = th.Size.Small
		w := pc.width(gtx)
		pc.drawIn(gtx, image.Rect(right-w, 0, right+1, size.Y))
		right -= gtx.Dp(34)
	}
	l.drawIn(gtx, image.Rect(0, 0, right, size.Y))
	radius := bar.Dy() / 2
	fillRound(gtx.Ops, th.Color.Border, bar, radius)
	done := bar
	if s.Fraction >= 0 {
		done.Max.X = bar.Min.X + int(float32(bar.Dx())*min(s.Fraction, 1))
	} else {
		t := float64(gtx.Now.UnixNano()%int64(sweep)) / float64(sweep)
		part := bar.Dx() / 3
		x := bar.Min.X - part + int(t*float64(bar.Dx()+part))
		done = image.Rect(x, bar.Min.Y, x+part, bar.Max.Y).Intersect(bar)
		gtx.Execute(op.InvalidateCmd{At: gtx.Now.Add(33 * time.Millisecond)})
	}
	fillRound(gtx.Ops, th.Color.AccentHigh, done, radius)
	return layout.Dimensions{Size: size}
}

// percents avoids making the same few strings every frame.
var percents = func() (p [101]string) {
	for i := range p {
		p[i] = FormatNumber(float64(i), 0) + " %"
	}
	return p
}()

func percent(f float32) string {
	if !(f > 0) {
		return percents[0]
	}
	return percents[int(min(f, 1)*100)]
}
