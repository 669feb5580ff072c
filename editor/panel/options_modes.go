package panel

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/editor/settings"
	"ridgeline/editor/tool"
	"ridgeline/icons"
	"ridgeline/occluders/collide"
	"ridgeline/widgets"
)

// markerShapes are the shapes of markers, in order.
var markerShapes = []document.MarkerShape{document.MarkerPoint, document.MarkerLine, document.MarkerArea}

// marking are the options of new markers.
func (o *options) marking(gtx layout.Context) layout.Dimensions {
	f, s := &o.fields, o.sh.s
	lines := make([]string, len(markerShapes))
	for i, shape := range markerShapes {
		lines[i] = "marker.shape name=" + string(shape)
	}
	rows := []layout.Widget{
		f.segments(sShape, []string{sShapePoint, sShapeLine, sShapeArea}, lines, slices.Index(markerShapes, s.Marking.Shape)),
		o.markerColour,
		o.markerLayer,
	}
	if n := s.PendingCorners(); n > 0 {
		rows = append(rows, func(gtx layout.Context) layout.Dimensions {
			return o.sh.note(gtx, cornersText(n), icons.Info)
		}, columns(6,
			f.act(sFinish, sFinishHelp, icons.Check, "Enter", o.unfinished(n), func() { o.sh.run("marker.finish") }),
			f.act(sGiveUp, sGiveUpHelp, icons.Close, "Esc", "", func() { o.sh.run("marker.giveup") }),
		))
	}
	return stack(gtx, 8, 6, rows...)
}

// unfinished tells why corners make no marker yet.
func (o *options) unfinished(n int) string {
	if why := o.sh.why("marker.finish"); why != "" {
		return why
	}
	shape := o.sh.s.Marking.Shape
	if least := tool.FewestPoints(shape); n < least {
		return fmt.Sprintf(sFewestPoints, shape, least)
	}
	return ""
}

func cornersText(n int) string {
	if n == 1 {
		return sOneCorner
	}
	return fmt.Sprintf(sCorners, n)
}

// markerColour chooses the colour of new markers.
func (o *options) markerColour(gtx layout.Context) layout.Dimensions {
	s := o.sh.s
	own := s.Marking.Color == (mgl64.Vec3{})
	for {
		c, ok := o.colour.Update(gtx)
		if !ok {
			break
		}
		s.Marking.Color = linearOf(c.Value)
		o.sh.again = true
	}
	if !o.colour.Dragging() {
		o.colour.Value = session.MarkerColour(s.Marking.Color)
	}
	return o.sh.labelled(gtx, sColour, beside(4, 24,
		func(gtx layout.Context) layout.Dimensions {
			c := o.sh.th.ColorField(&o.colour, sColour)
			c.Tip = widgets.Tip{Title: sColour, Help: sMarkerColourHelp}
			return c.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			b := kept(&o.fields.buttons, sUsualColour)
			if b.Clicked(gtx) {
				o.sh.run("marker.look color=#000000")
			}
			st := o.sh.th.IconButton(b, icons.Undo, sUsualColour)
			if own {
				st.Reason = sUsualAlready
			}
			return st.Layout(gtx)
		},
	))
}

// markerLayer chooses the layer of new markers.
func (o *options) markerLayer(gtx layout.Context) layout.Dimensions {
	s := o.sh.s
	titles := []string{sNoLayer}
	now := 0
	for _, g := range s.Level().Settings.EntityLayers {
		if g.Name == s.Marking.Layer {
			now = len(titles)
		}
		titles = append(titles, g.Name)
	}
	if now == 0 && s.Marking.Layer != "" {
		now = len(titles)
		titles = append(titles, s.Marking.Layer)
	}
	return o.fields.choice(sLayer, titles, now, func(i int) {
		name := titles[i]
		if i == 0 {
			name = ""
		}
		o.sh.run(callLine("marker.look", "layer", name))
	})(gtx)
}

func (o *options) markingHints() []hint {
	if o.sh.s.Marking.Shape == document.MarkerPoint {
		return []hint{{sClick, sMarkPoint}}
	}
	return []hint{{sClick, sAddCorner}, {"Enter", sFinishIt}, {"Esc", sGiveItUp}}
}

// measured is what was measured, large.
func (o *options) measured(gtx layout.Context) layout.Dimensions {
	s, th := o.sh.s, o.sh.th
	m := &s.Measure
	if !m.On {
		return stack(gtx, 8, 6, o.fields.text(sMeasureHelp))
	}
	fact := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(22))
			v := th.MonoLabel(text)
			o.sh.oneLine(gtx, th.Dim(name), image.Rect(0, 0, gtx.Dp(keyColumn), size.Y))
			o.sh.oneLine(gtx, v, image.Rect(gtx.Dp(keyColumn), 0, size.X, size.Y))
			return layout.Dimensions{Size: size}
		}
	}
	large := th.MonoLabel(tool.Metres(m.Distance()))
	large.Size, large.Color = 26, th.Color.AccentHigh
	return stack(gtx, 8, 2,
		th.Dim(sDistance).Layout,
		large.Layout,
		fact(sFlat, tool.Metres(m.Flat())),
		fact(sHeightGain, signed(m.Height())),
		fact(sSlope1, fmt.Sprintf("%.1f° (%s %%)", m.Slope()*180/math.Pi, gradient(m.Flat(), m.Height()))),
		func(gtx layout.Context) layout.Dimensions { return layout.Dimensions{Size: image.Pt(0, gtx.Dp(4))} },
		o.fields.button("measure.clear", sClearIt, sClearHelp, icons.Close),
	)
}

func signed(v float64) string {
	text := tool.Metres(v)
	if v > 0 {
		return "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}

// gradient is the slope as it stands on road signs.
func gradient(flat, height float64) string {
	if !(flat > 0) || math.Abs(height/flat) > 99 {
		return "∞"
	}
	return strings.Replace(fmt.Sprintf("%.0f", 100*height/flat), "-", "−", 1)
}

func (o *options) measureHints() []hint {
	return []hint{{sLeftDrag, sMeasureIt}, {"Esc", sTakeBack}}
}

// walkStates are what a walker does, by collide.State.
var walkStates = map[collide.State]string{
	collide.Standing: sOnGround, collide.Falling: sFallingNow, collide.Flying: sFlyingNow, collide.Adrift: sAdriftNow,
}

// walk are the numbers of walking.
func (o *options) walk(gtx layout.Context) layout.Dimensions {
	f, s := &o.fields, o.sh.s
	state, collision, ok := s.Walking()
	text := sNotWalking
	if ok {
		text = walkStates[state]
	}
	w := s.Settings.Walk
	track := func(q quantity, change func(*settings.Walk, float64)) layout.Widget {
		q.set = func(v float64) {
			w := s.Settings.Walk
			change(&w, v)
			s.Fail(s.SetWalk(w))
		}
		q.done = s.KeepWalk
		return f.track(q)
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions { return o.sh.fact(gtx, sWalker, text, keyColumn) },
		f.check(sCollision, sCollisionHelp, s.Keys.Hint("walk.collision"), collision, func(bool) string { return "walk.collision" }),
		track(quantity{title: sSpeed, unit: "m/s", min: 0.1, max: 100, low: 0.5, high: 30, log: true, decimals: 2, value: w.Speed, help: sSpeedHelp}, func(w *settings.Walk, v float64) { w.Speed = v }),
		track(quantity{title: sStepUp, unit: uMetre, min: 0, max: 5, low: 0, high: 2, step: 0.02, decimals: 2, value: w.StepUp, help: sStepUpHelp}, func(w *settings.Walk, v float64) { w.StepUp = v }),
		track(quantity{title: sEyeHeight, unit: uMetre, min: 0.2, max: 10, low: 0.5, high: 3, step: 0.05, decimals: 2, value: w.EyeHeight, help: sEyeHelp}, func(w *settings.Walk, v float64) { w.EyeHeight = v }),
		track(quantity{title: sJump, unit: "m/s", min: 0, max: 50, low: 0, high: 15, step: 0.1, decimals: 1, value: w.Jump, help: sJumpHelp}, func(w *settings.Walk, v float64) { w.Jump = v }),
		track(quantity{title: sGravity, unit: "m/s²", min: 0.1, max: 100, low: 0.1, high: 30, step: 0.1, decimals: 2, value: w.Gravity, help: sGravityHelp}, func(w *settings.Walk, v float64) { w.Gravity = v }),
		f.text(sWalkLasts),
	)
}

func (o *options) walkHints() []hint {
	s := o.sh.s
	var keys []string
	for _, c := range [...]string{"forward", "left", "back", "right"} {
		if k := held(s, c); k != "" {
			keys = append(keys, k)
		}
	}
	return []hint{
		{strings.Join(keys, " "), sWalkIt}, {"Shift", sRunIt}, {held(s, "up"), sJumpIt}, {sLeftDrag, sLook},
		{s.Keys.Hint("walk.collision"), sCollision}, {"Esc", sLeaveWalk},
	}
}
