package panel

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/icons"
	"ridgeline/terrain/scatter"
)

// howPlaced chooses between one by one and the scatter brush.
func (o *options) howPlaced(gtx layout.Context) layout.Dimensions {
	s := o.sh.s
	now := 0
	if s.Strewing {
		now = 1
	}
	body := o.chosenOne
	if s.Strewing {
		body = o.chosenSome
	}
	return stack(gtx, 8, 8,
		o.fields.segments(sHowPlaced, []string{sOneByOne, sScatterIt}, []string{"place.with name=click", "place.with name=brush"}, now),
		body,
	)
}

// chosenOne is the asset that a click places.
func (o *options) chosenOne(gtx layout.Context) layout.Dimensions {
	s, th := o.sh.s, o.sh.th
	if s.Place.Asset == "" {
		return o.sh.note(gtx, sChooseAsset, icons.Info)
	}
	side, gap := gtx.Dp(48), gtx.Dp(8)
	size := image.Pt(gtx.Constraints.Max.X, side)
	in(gtx, image.Rect(0, 0, side, side), func(gtx layout.Context) layout.Dimensions { return o.assets.framed(gtx, s.Place.Asset) })
	row := gtx.Dp(19)
	y := (side - 2*row) / 2
	name, facts := th.Heading(s.Place.Asset), th.Dim(o.assets.measures(s.Place.Asset))
	facts.Size = th.Size.Small
	o.sh.oneLine(gtx, name, image.Rect(side+gap, y, size.X, y+row))
	o.sh.oneLine(gtx, facts, image.Rect(side+gap, y+row, size.X, y+2*row))
	return layout.Dimensions{Size: size}
}

// chosenSome are the assets that the brush chooses from.
func (o *options) chosenSome(gtx layout.Context) layout.Dimensions {
	s, th := o.sh.s, o.sh.th
	list := s.Strew.Assets
	if len(list) == 0 {
		return o.sh.note(gtx, sChooseAssets, icons.Info)
	}
	side, gap := gtx.Dp(36), gtx.Dp(4)
	w := gtx.Constraints.Max.X
	most := max(1, (w+gap)/(side+gap))
	shown := list
	if len(list) > most {
		shown = list[:most-1]
	}
	x := 0
	for _, name := range shown {
		in(gtx, image.Rect(x, 0, x+side, side), func(gtx layout.Context) layout.Dimensions { return o.assets.framed(gtx, name) })
		x += side + gap
	}
	if n := len(list) - len(shown); n > 0 {
		o.sh.oneLine(gtx, th.Dim(fmt.Sprintf("+%d", n)), image.Rect(x, 0, w, side))
	} else if len(list) == 1 {
		o.sh.oneLine(gtx, th.Heading(list[0]), image.Rect(x+gap, 0, w, side))
	}
	return layout.Dimensions{Size: image.Pt(w, side)}
}

// percent is a share from 0 to 1 as a slider of percent.
func (f *fields) percent(title, help string, value float64, set func(float64)) layout.Widget {
	return f.track(quantity{title: title, unit: "%", min: 0, max: 100, step: 5, decimals: 0, value: math.Round(value*1e4) / 100, set: func(v float64) { set(v / 100) }, help: help})
}

// span is two numbers, the first of which is not larger.
func (f *fields) span(least, most quantity, v [2]float64, set func([2]float64)) layout.Widget {
	one := func(i int, q quantity) layout.Widget {
		q.value = v[i]
		q.set = func(x float64) {
			v[i] = x
			if v[0] > v[1] {
				v[1-i] = x
			}
			set(v)
		}
		return f.number(q)
	}
	return columns(6, one(0, least), one(1, most))
}

// sizes are the factors between which sizes are drawn.
func (f *fields) sizes(v [2]float64, set func([2]float64)) layout.Widget {
	q := quantity{title: sSmallest, min: scatter.MinScale, max: scatter.MaxScale, step: 0.1, log: true, decimals: 2, help: sScaleHelp}
	large := q
	large.title = sLargest
	return f.span(q, large, v, set)
}

// placing are the options of what a click places.
func (o *options) placing(gtx layout.Context) layout.Dimensions {
	f, p := &o.fields, &o.sh.s.Place
	set := func(name string) func(bool) string {
		return func(on bool) string { return "place.set " + name + "=" + yesNo(on) }
	}
	yaw := quantity{title: sYaw, unit: uDegree, min: -360, max: 360, step: 15, decimals: 1, value: degrees(p.Yaw), set: func(v float64) { p.Yaw = radians(v) }, help: sYawHelp}
	if p.RandomYaw {
		yaw.reason = sYawRandom
	}
	return stack(gtx, 8, 6,
		f.percent(sLean, sLeanHelp, p.Align, func(v float64) { p.Align = v }),
		columns(6, f.number(yaw), f.check(sRandomYaw, sRandomYawHelp, "", p.RandomYaw, set("random"))),
		f.sizes([2]float64{p.ScaleMin, p.ScaleMax}, func(v [2]float64) { p.ScaleMin, p.ScaleMax = v[0], v[1] }),
		f.check(sLevelMesh, sLevelMeshTip, "", p.Geometry, set("geometry")),
	)
}

func (o *options) placingHints() []hint {
	return []hint{
		{sClick, sPlaceIt}, {sLeftDrag, sTurnIt}, {o.sh.s.Keys.Hint("snap.toggle"), sSnapIt}, {"Esc", sTakeBack},
	}
}

// strewing are the options of the scatter brush.
func (o *options) strewing(gtx layout.Context) layout.Dimensions {
	f, w := &o.fields, &o.sh.s.Strew
	set := func(name string) func(bool) string {
		return func(on bool) string { return "strew.set " + name + "=" + yesNo(on) }
	}
	rows := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions { return o.slider(gtx, tool.Radius) },
		func(gtx layout.Context) layout.Dimensions { return o.slider(gtx, tool.Hardness) },
		f.track(quantity{
			title: sPer100, min: 1e-4, max: 100 * scatter.MaxDensity, low: 0.01, high: 100, log: true, decimals: 3, value: tidy(w.Density * 100),
			set: func(v float64) { w.Density = v / 100 }, help: sPer100Help,
		}),
		f.track(quantity{
			title: sApartBy, unit: uMetre, min: 0, max: scatter.MaxSpacing, low: 0, high: 20, step: 0.1, decimals: 2, value: w.Spacing,
			set: func(v float64) { w.Spacing = v }, help: sApartHelp,
		}),
		f.percent(sLean, sLeanHelp, w.Align, func(v float64) { w.Align = v }),
		f.sizes(w.Scale, func(v [2]float64) { w.Scale = v }),
		f.check(sLimitSlope, sLimitSlopeHelp, "", w.Limits.Slope, set("steepness")),
	}
	if w.Limits.Slope {
		rows = append(rows, f.span(
			quantity{title: sFlattest, unit: uDegree, min: 0, max: 90, step: 5, decimals: 1},
			quantity{title: sSteepest, unit: uDegree, min: 0, max: 90, step: 5, decimals: 1},
			[2]float64{degrees(w.Slope[0]), degrees(w.Slope[1])},
			func(v [2]float64) { w.Slope = [2]float64{radians(v[0]), radians(v[1])} },
		))
	}
	rows = append(rows, f.check(sLimitHeight, sLimitHeightHelp, "", w.Limits.Height, set("heights")))
	if w.Limits.Height {
		rows = append(rows, f.span(
			quantity{title: sLowest, unit: uMetre, min: -1e6, max: 1e6, decimals: 2},
			quantity{title: sHighest, unit: uMetre, min: -1e6, max: 1e6, decimals: 2},
			w.Height, func(v [2]float64) { w.Height = v },
		))
	}
	return stack(gtx, 8, 6, append(rows,
		f.check(sTurnEach, sTurnEachHelp, "", w.Turn, set("turn")),
		beside(6, 24,
			f.number(quantity{title: sSeed, min: 0, max: math.MaxInt32, integer: true, value: float64(w.Seed), set: func(v float64) { w.Seed = int(v) }, help: sSeedHelp}),
			o.dice,
		),
		f.number(quantity{title: sBillboard, unit: uMetre, min: 0, max: document.MaxDistance, step: 10, decimals: 1, value: w.Billboard, set: func(v float64) { w.Billboard = v }, help: sBillboardTip}),
		o.addTo,
	)...)
}

// tidy drops the noise of a conversion.
func tidy(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// dice draws another seed.
func (o *options) dice(gtx layout.Context) layout.Dimensions {
	b := kept(&o.fields.buttons, sNewSeed)
	if b.Clicked(gtx) {
		o.sh.run(fmt.Sprintf("strew.set seed=%d", rand.IntN(10_000)))
	}
	return o.sh.th.IconButton(b, icons.Random, sNewSeed).Layout(gtx)
}

// scatters are the scatters of a level that can be added to.
type scatters struct {
	of, version int
	titles      []string
	ids         []document.ID
}

// take lists the scatters of the level, if it may have others than before.
func (l *scatters) take(s *session.Session) {
	if l.titles != nil && l.of == s.Revision() && l.version == s.ThingsVersion() {
		return
	}
	*l = scatters{of: s.Revision(), version: s.ThingsVersion(), titles: []string{sNewScatter}, ids: []document.ID{0}}
	level := s.Level()
	for e := range level.Entities() {
		if _, locked := level.Effective(e); e.Kind == document.KindScatter && !locked {
			l.titles, l.ids = append(l.titles, titleOf(e)), append(l.ids, e.ID)
		}
	}
}

// addTo chooses the scatter that strokes are added to.
func (o *options) addTo(gtx layout.Context) layout.Dimensions {
	s, l := o.sh.s, &o.scatters
	l.take(s)
	now := max(0, slices.Index(l.ids, s.Strew.Into))
	choose := o.fields.choice(sAddTo, l.titles, now, func(i int) { o.sh.run("strew.set into=" + idWords(l.ids[i])) })
	if now == 0 {
		return choose(gtx)
	}
	return stack(gtx, 0, 6, choose, o.fields.text(sAddToRules))
}

func (o *options) strewingHints() []hint {
	return []hint{
		{sDrag, sStrewIt}, {"Ctrl", sEraseIt}, {pair(o.sh.s, "brush.size"), sSize}, {pair(o.sh.s, "brush.hardness"), sHardness},
		{held(o.sh.s, "resize"), sResize}, {"Esc", sTakeBack},
	}
}
