package panel

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/widgets"
)

// overlayUI is what the interface draws over the level: the name of a view along an
// axis, labels, the rectangle that selects, and what the mouse does at the moment.
// It takes no events.
type overlayUI struct{ sh *Shell }

func (u *overlayUI) layout(gtx layout.Context) {
	size := gtx.Constraints.Max
	s := u.sh.s
	for _, l := range s.Labels() {
		u.label(gtx, size, l)
	}
	if m, ok := s.Marquee(); ok {
		u.marquee(gtx, image.Rect(int(m.From[0]), int(m.From[1]), int(m.To[0]), int(m.To[1])).Canon())
	}
	pad := gtx.Dp(8)
	top := pad
	if side := viewOf(s); side != viewPerspective {
		top += u.plate(gtx, image.Pt(pad, pad), topLeft, u.sh.th.Color.Text, viewTitles[side]).Y + gtx.Dp(4)
	}
	if s.Shown("overlay efficiency") {
		u.figures(gtx, image.Pt(pad, top))
	}
	y := size.Y - pad
	for _, text := range u.lines() {
		y -= u.plate(gtx, image.Pt(pad, y), bottomLeft, u.sh.th.Color.Text, text).Y + gtx.Dp(4)
	}
	u.legends(gtx, image.Pt(pad, y))
}

// corner is the one of a plate that lies at a place.
type corner uint8

const (
	topLeft corner = iota
	bottomLeft
	bottomMiddle
)

// plate is a text on a dark ground that can be read over anything, and its size.
func (u *overlayUI) plate(gtx layout.Context, at image.Point, c corner, colour color.NRGBA, text string) image.Point {
	th := u.sh.th
	padX, padY := gtx.Dp(8), gtx.Dp(4)
	l := th.Label(text)
	l.Color = colour
	inner, call := sizeOf(gtx, image.Pt(max(0, gtx.Constraints.Max.X-4*padX), gtx.Constraints.Max.Y), l.Layout)
	size := inner.Add(image.Pt(2*padX, 2*padY))
	switch c {
	case bottomLeft:
		at.Y -= size.Y
	case bottomMiddle:
		at = at.Sub(image.Pt(size.X/2, size.Y))
		at.X = max(0, min(at.X, gtx.Constraints.Max.X-size.X)) // all of it can be read
		at.Y = max(0, at.Y)
	}
	defer op.Offset(at).Push(gtx.Ops).Pop()
	ground := th.Color.Popup
	ground.A = 0xf4
	paint.FillShape(gtx.Ops, ground, clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(4)).Op(gtx.Ops))
	defer op.Offset(image.Pt(padX, padY)).Push(gtx.Ops).Pop()
	call.Add(gtx.Ops)
	return size
}

// label writes a text of the level above its place.
func (u *overlayUI) label(gtx layout.Context, size image.Point, l session.Label) {
	at := image.Pt(int(l.At[0]), int(l.At[1])-gtx.Dp(4))
	if !at.In(image.Rectangle{Max: size}) {
		return
	}
	u.plate(gtx, at, bottomMiddle, l.Colour, l.Text)
}

// marquee is the rectangle that selects what is in it.
func (u *overlayUI) marquee(gtx layout.Context, r image.Rectangle) {
	c := u.sh.th.Color.AccentHigh
	inside := c
	inside.A = 0x28
	fill(gtx, inside, r)
	line := max(1, int(gtx.Metric.PxPerDp))
	for _, e := range [...]image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+line), image.Rect(r.Min.X, r.Max.Y-line, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, r.Min.Y, r.Min.X+line, r.Max.Y), image.Rect(r.Max.X-line, r.Min.Y, r.Max.X, r.Max.Y),
	} {
		fill(gtx, c, e)
	}
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	semantic.LabelOp(sMarquee).Add(gtx.Ops)
}

// lineHeight is that of a line in the lower left corner with the gap above it, in dp.
const lineHeight = 30

// lines are what is told in the lower left corner, from below.
func (u *overlayUI) lines() (out []string) {
	if h := u.hint(); h != "" {
		out = append(out, h)
	}
	if t := u.node(); t != "" {
		out = append(out, t)
	}
	return out
}

// hint says what can be done at the moment, in the middle of something or before
// anything can be done. At rest the status bar tells what the mouse does.
func (u *overlayUI) hint() string {
	s := u.sh.s
	switch s.Doing() {
	case session.Framing:
		return sHintFraming
	case session.Handling:
		return sHintHandling
	case session.Turning:
		return sHintTurning
	case session.Strewing:
		return sHintStrewing
	case session.Carrying:
		return sHintCarrying
	case session.Measuring:
		return s.Measure.Text()
	case session.Pressing:
		return ""
	}
	switch s.Mode {
	case session.ModeObject:
		switch {
		case s.Strewing && len(s.Strew.Assets) == 0:
			return sChooseAssets
		case !s.Strewing && s.Place.Asset == "":
			return sChooseAsset
		}
	case session.ModeOccluder, session.ModePortal:
		return draftingHint(s.Draft())
	case session.ModeMarker:
		if n := s.PendingCorners(); n > 0 {
			return cornersText(n) + " · " + u.markerHint(n)
		}
	case session.ModeWalk:
		return u.walkHint()
	}
	return ""
}

func (u *overlayUI) markerHint(n int) string {
	if n < tool.FewestPoints(u.sh.s.Marking.Shape) {
		return sHintMoreCorners
	}
	return sHintLine
}

func (u *overlayUI) walkHint() string {
	s := u.sh.s
	var parts []string
	for _, h := range u.sh.options.walkHints() {
		if h.keys != "" && h.keys != "Shift" {
			parts = append(parts, h.keys+" "+lower(h.text))
		}
	}
	if state, _, ok := s.Walking(); ok {
		return walkStates[state] + " · " + strings.Join(parts, " · ")
	}
	return strings.Join(parts, " · ")
}

// node tells of the node under the pointer while the tree is shown.
func (u *overlayUI) node() string {
	s := u.sh.s
	if !s.Shown("overlay nodes") {
		return ""
	}
	n, ok := s.Nodes.Under()
	if !ok {
		return ""
	}
	text := fmt.Sprintf(sNodePlate, n.Depth, extent(n.Box.Size()), widgets.FormatCount(float64(len(n.Items))))
	if s.Nodes.Pinned {
		text += " · " + sPinned
	}
	return text
}

// lower writes the first letter in lower case.
func lower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
