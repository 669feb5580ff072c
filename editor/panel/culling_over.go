package panel

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/editor/session"
	"ridgeline/occluders/cull"
	"ridgeline/viewport/render"
	"ridgeline/widgets"
)

// legendEntry is a colour and what it stands for.
type legendEntry struct {
	colour color.NRGBA
	text   string
}

// legends explain the colours of what is shown over the level, from below; at is the
// lower left corner. It gives where the next thing may stand.
func (u *overlayUI) legends(gtx layout.Context, at image.Point) image.Point {
	s := u.sh.s
	gap := gtx.Dp(4)
	if h := s.Culling.HeatShown(); h != nil {
		at.Y -= u.heatLegend(gtx, at, h) + gap
	}
	if s.Shown("overlay portalview") && s.Scene().Visibility().Scene.Portals != nil {
		list := []legendEntry{{session.ReachColour(0), sReachHere}, {session.ReachColour(1), sReachOne}}
		for d := 2; d < session.ReachColours; d++ {
			format := sReachMany
			if d == session.ReachColours-1 {
				format = sReachMost
			}
			list = append(list, legendEntry{session.ReachColour(d), fmt.Sprintf(format, d)})
		}
		at.Y -= u.legend(gtx, at, sPortalView, append(list, legendEntry{session.UnreachedColour, sUnreached})) + gap
	}
	if s.Shown("overlay ghosts") {
		title := sGhosts
		if s.Culling.Frozen() {
			title = sFrozen
		}
		var list []legendEntry
		for t := range cull.Test(cull.NumTests) {
			if t != cull.Frustum || s.Culling.Frozen() {
				list = append(list, legendEntry{session.TestColour(t), testTitles[t]})
			}
		}
		if r, ok := s.Culling.Result(); ok && len(r.False) > 0 {
			list = append(list, legendEntry{session.FalseColour, sFalseKey})
		}
		at.Y -= u.legend(gtx, at, title, list) + gap
	}
	return at
}

// legend is a plate with colours in rows, whose lower left corner is at a place, and
// its height.
func (u *overlayUI) legend(gtx layout.Context, at image.Point, title string, list []legendEntry) (height int) {
	th := u.sh.th
	padX, padY, row, side := gtx.Dp(8), gtx.Dp(6), gtx.Dp(17), gtx.Dp(10)
	head := th.Dim(title)
	head.Size = th.Size.Small
	size, headCall := sizeOf(gtx, gtx.Constraints.Max, head.Layout)
	width := size.X
	calls := make([]op.CallOp, len(list))
	sizes := make([]image.Point, len(list))
	for i, e := range list {
		l := th.Label(e.text)
		l.Size = th.Size.Small
		sizes[i], calls[i] = sizeOf(gtx, gtx.Constraints.Max, l.Layout)
		width = max(width, side+gtx.Dp(7)+sizes[i].X)
	}
	box := image.Pt(width+2*padX, (1+len(list))*row+2*padY)
	defer op.Offset(image.Pt(at.X, at.Y-box.Y)).Push(gtx.Ops).Pop()
	u.ground(gtx, box, title)
	place(gtx, image.Pt(padX, padY+(row-size.Y)/2), headCall)
	for i, e := range list {
		y := padY + (1+i)*row
		swatch := image.Rect(padX, y+(row-side)/2, padX+side, y+(row+side)/2)
		paint.FillShape(gtx.Ops, e.colour, clip.UniformRRect(swatch, gtx.Dp(2)).Op(gtx.Ops))
		place(gtx, image.Pt(padX+side+gtx.Dp(7), y+(row-sizes[i].Y)/2), calls[i])
	}
	return box.Y
}

func place(gtx layout.Context, at image.Point, call op.CallOp) {
	defer op.Offset(at).Push(gtx.Ops).Pop()
	call.Add(gtx.Ops)
}

// ground is the dark plate under a legend.
func (u *overlayUI) ground(gtx layout.Context, size image.Point, label string) {
	c := u.sh.th.Color.Popup
	c.A = 0xf4
	paint.FillShape(gtx.Ops, c, clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(4)).Op(gtx.Ops))
	defer clip.Rect{Max: size}.Push(gtx.Ops).Pop()
	semantic.LabelOp(label).Add(gtx.Ops)
}

// heatSteps is in how many parts the bar of a heat map's colours is drawn.
const heatSteps = 64

// heatLegend explains the colours of a heat map, and gives the plate's height.
func (u *overlayUI) heatLegend(gtx layout.Context, at image.Point, h *session.Heat) (height int) {
	th := u.sh.th
	small := func(text string) (image.Point, op.CallOp) {
		l := th.Label(text)
		l.Size = th.Size.Small
		return sizeOf(gtx, gtx.Constraints.Max, l.Layout)
	}
	title := sHeatLegend
	if h.Level != u.sh.s.Level() {
		title += ", " + sHeatOld
	}
	titleSize, titleCall := small(title)
	lowSize, low := small(widgets.FormatCount(float64(h.Least)))
	highSize, high := small(widgets.FormatCount(float64(h.Most)))
	padX, padY, row, bar := gtx.Dp(8), gtx.Dp(6), gtx.Dp(17), gtx.Dp(10)
	width := max(gtx.Dp(176), titleSize.X, lowSize.X+highSize.X+gtx.Dp(16))
	box := image.Pt(width+2*padX, 2*row+bar+gtx.Dp(2)+2*padY)
	defer op.Offset(image.Pt(at.X, at.Y-box.Y)).Push(gtx.Ops).Pop()
	u.ground(gtx, box, sHeatMap)
	place(gtx, image.Pt(padX, padY+(row-titleSize.Y)/2), titleCall)
	y := padY + row + gtx.Dp(1)
	for i := range heatSteps {
		r := image.Rect(padX+width*i/heatSteps, y, padX+width*(i+1)/heatSteps, y+bar)
		fill(gtx, render.HeatColour(float32(i)/(heatSteps-1)), r)
	}
	y += bar + gtx.Dp(1)
	place(gtx, image.Pt(padX, y+(row-lowSize.Y)/2), low)
	place(gtx, image.Pt(padX+width-highSize.X, y+(row-highSize.Y)/2), high)
	return box.Y
}

// figures are the efficiency figures, and their height.
func (u *overlayUI) figures(gtx layout.Context, at image.Point) int {
	s, th := u.sh.s, u.sh.th
	c := &s.Culling
	r := c.Report()
	if r == nil {
		return 0
	}
	count := func(n int) string { return widgets.FormatCount(float64(n)) }
	type figure struct {
		colour color.NRGBA
		cells  [4]string
	}
	list := []figure{{th.Color.Dim, [4]string{"", sTried, sRemoved, sMs}}}
	for t := range cull.Test(cull.NumTests) {
		f := figure{session.TestColour(t), [4]string{testTitles[t], sNoTest, sNoTest, sNoTest}}
		if c.Tests().Has(t) {
			f.cells[1], f.cells[2] = count(r.Stats[t].Tried), count(r.Stats[t].Removed)
			if d, ok := c.Time(t); ok {
				f.cells[3] = msText(d)
			}
		} else {
			f.colour = th.Color.Disabled
		}
		list = append(list, f)
	}
	lines := []string{fmt.Sprintf(sDrawnOf, count(len(r.Drawn)), count(r.Entries))}
	if n := u.sh.stats.Triangles; n > 0 {
		lines[0] += " · " + fmt.Sprintf(sTriangleHUD, count(n))
	}
	if res, ok := c.Result(); ok && res.Now {
		lines = append(lines, sFalseCulls+" "+strconv.Itoa(len(res.False))+" · "+sEfficiency+" "+percentText(math.Min(res.Efficiency(), 1)))
	}
	padX, padY, row := gtx.Dp(8), gtx.Dp(6), gtx.Dp(17)
	columns := [...]int{gtx.Dp(92), gtx.Dp(52), gtx.Dp(62), gtx.Dp(52)}
	width := 0
	for _, w := range columns {
		width += w
	}
	box := image.Pt(width+2*padX, (len(list)+len(lines))*row+gtx.Dp(4)+2*padY)
	defer op.Offset(at).Push(gtx.Ops).Pop()
	u.ground(gtx, box, sEffFigures)
	write := func(text string, colour color.NRGBA, r image.Rectangle, right bool) {
		l := th.Label(text)
		l.Size, l.Color = th.Size.Small, colour
		size, call := sizeOf(gtx, r.Size(), l.Layout)
		p := image.Pt(r.Min.X, r.Min.Y+(r.Dy()-size.Y)/2)
		if right {
			p.X = r.Max.X - size.X
		}
		place(gtx, p, call)
	}
	for i, f := range list {
		x := padX
		for k, text := range f.cells {
			colour := th.Color.Text
			if k == 0 || i == 0 || f.colour == th.Color.Disabled {
				colour = f.colour
			}
			write(text, colour, image.Rect(x, padY+i*row, x+columns[k], padY+(i+1)*row), k > 0)
			x += columns[k]
		}
	}
	for i, text := range lines {
		y := padY + len(list)*row + gtx.Dp(4) + i*row
		write(text, th.Color.Text, image.Rect(padX, y, padX+width, y+row), false)
	}
	return box.Y
}
