package panel

import (
	"image"
	"math"
	"strings"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/unit"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/editor/tool"
	"ridgeline/terrain/brush"
	"ridgeline/widgets"
)

// options is the left column: what the present tool can be told and what the mouse
// does, and below it, where the mode works with meshes, the assets.
type options struct {
	sh      *Shell
	ops     widgets.Choices
	sliders [5]widgets.Slider // by tool.Setting
	layers  []widgets.Button

	fields   fields
	colour   widgets.ColorField // of new markers
	scatters scatters
	array    arrayDialog
	nodes    nodeView
	assets   assets
	split    widgets.Splitter // between the options and the assets
}

func (o *options) layout(gtx layout.Context) layout.Dimensions {
	sh := o.sh
	o.fields.sh, o.array.sh, o.nodes.sh, o.assets.sh, o.assets.rename.sh = sh, sh, sh, sh, sh
	widgets.Fill(gtx, sh.th.Color.Panel)
	o.nodes.settle()
	switch size := gtx.Constraints.Max; {
	case !o.assets.stocked():
		return o.tool(gtx)
	case o.assets.fold.Closed:
		head := gtx.Dp(sh.th.Size.Bar)
		in(gtx, image.Rect(0, 0, size.X, size.Y-head), o.tool)
		in(gtx, image.Rect(0, size.Y-head, size.X, size.Y), o.assets.layout)
		return layout.Dimensions{Size: size}
	}
	high := unit.Dp(float32(gtx.Constraints.Max.Y) / gtx.Metric.PxPerDp)
	sp := sh.th.Split(&o.split, o.assets.share(high))
	sp.Label, sp.Axis, sp.End, sp.MinFixed, sp.MinRest = sAssetsHeight, layout.Vertical, true, assetsLeast, optionsLeast
	return sp.Layout(gtx, o.tool, o.assets.layout)
}

// tool are the options of the tool.
func (o *options) tool(gtx layout.Context) layout.Dimensions {
	sh := o.sh
	return sh.th.Scroll(gtx, &sh.left, func(gtx layout.Context) layout.Dimensions {
		var parts []layout.Widget
		part := func(title string, body layout.Widget) {
			parts = append(parts, func(gtx layout.Context) layout.Dimensions { return sh.section(gtx, title, body) })
		}
		if o.nodes.shown() {
			part(sNodeTree, o.nodes.layout)
		}
		switch s := sh.s; s.Mode {
		case session.ModeSculpt:
			part(sOperation, o.operation)
			part(sBrush, o.brush(tool.Radius, s.StrengthSetting(), tool.Hardness, tool.Spacing))
			part(sHandling, o.hints(o.sculptHints()))
		case session.ModePaint:
			part(sLayer, o.chooseLayer)
			part(sBrush, o.brush(tool.Radius, tool.Weight, tool.Hardness, tool.Spacing))
			part(sHandling, o.hints(o.paintHints()))
		case session.ModeObject:
			part(sPlaceTitle, o.howPlaced)
			if s.Strewing {
				part(sScatterBrush, o.strewing)
				part(sHandling, o.hints(o.strewingHints()))
			} else {
				part(sPlacedHow, o.placing)
				part(sHandling, o.hints(o.placingHints()))
			}
		case session.ModeOccluder, session.ModePortal:
			part(sDrawWhat, o.drafting)
			if s.Mode == session.ModeOccluder {
				part(sFromSelection, o.hulling)
			}
			part(sHandles, o.handles)
			part(sSnapping, o.snapping)
			part(sHandling, o.hints(o.draftHints()))
		case session.ModeMarker:
			part(sNewMarkers, o.marking)
			part(sHandling, o.hints(o.markingHints()))
		case session.ModeMeasure:
			part(sMeasured, o.measured)
			part(sHandling, o.hints(o.measureHints()))
		case session.ModeWalk:
			part(sWalking, o.walk)
			part(sHandling, o.hints(o.walkHints()))
		default:
			part(sSelection, o.actions)
			part(sHandles, o.handles)
			part(sSnapping, o.snapping)
			part(sHandling, o.hints(o.selectHints()))
		}
		if sh.s.Mode != session.ModeWalk {
			part(sCamera, o.hints(o.cameraHints()))
		}
		return stack(gtx, 0, 0, parts...)
	})
}

// dialogs is a layer over the window: what the options ask for.
func (o *options) dialogs(gtx layout.Context) layout.Dimensions {
	o.array.layout(gtx)
	return o.assets.rename.layout(gtx)
}

// operation chooses what sculpting does.
func (o *options) operation(gtx layout.Context) layout.Dimensions {
	s, th := o.sh.s, o.sh.th
	if i, ok := o.ops.Update(gtx); ok {
		o.sh.run("brush.op op=" + session.SculptOps[i].String())
	}
	items := make([]widgets.ChoiceItem, len(session.SculptOps))
	for i, op := range session.SculptOps {
		line := "brush.op op=" + op.String()
		items[i] = widgets.ChoiceItem{Icon: opIcons[op], Title: opTitle(op), Keys: s.Keys.Hint(line), Help: opHelp[op], Reason: o.sh.why(line)}
		if op == s.Sculpt.Op {
			o.ops.Selected = i
		}
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions {
			gtx.Constraints.Min = image.Point{}
			return th.ToolGroup(&o.ops, items).Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			l := th.Body(opTitle(s.Sculpt.Op) + ". " + opHelp[s.Sculpt.Op])
			l.Color, l.Size = th.Color.Dim, th.Size.Small
			return l.Layout(gtx)
		},
	)
}

// chooseLayer is the layers as pictures to choose the one to paint with from.
func (o *options) chooseLayer(gtx layout.Context) layout.Dimensions {
	s, th := o.sh.s, o.sh.th
	layers := s.Level().Layers
	if len(layers) == 0 {
		return stack(gtx, 8, 6, th.Dim(sNoLayers).Layout)
	}
	if len(o.layers) != len(layers) {
		o.layers = make([]widgets.Button, len(layers))
	}
	for i := range o.layers {
		if o.layers[i].Clicked(gtx) {
			o.sh.run(layerLine("brush.layer", i))
		}
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions { return o.pictures(gtx, layers) },
		func(gtx layout.Context) layout.Dimensions {
			if i := s.Paint.Layer; i >= 0 && i < len(layers) {
				return th.Heading(layers[i].Name).Layout(gtx)
			}
			return layout.Dimensions{}
		},
		func(gtx layout.Context) layout.Dimensions {
			l := th.Body(sPaintHelp)
			l.Color, l.Size = th.Color.Dim, th.Size.Small
			return l.Layout(gtx)
		},
	)
}

// pictures draws the layers' textures in rows as wide as the column.
func (o *options) pictures(gtx layout.Context, layers []document.Layer) layout.Dimensions {
	side, gap := gtx.Dp(36), gtx.Dp(5)
	w := gtx.Constraints.Max.X
	perRow := max(1, (w+gap)/(side+gap))
	for i := range layers {
		p := image.Pt(i%perRow, i/perRow).Mul(side + gap)
		in(gtx, image.Rectangle{Min: p, Max: p.Add(image.Pt(side, side))}, func(gtx layout.Context) layout.Dimensions {
			return o.sh.picture(gtx, &o.layers[i], layers[i], i == o.sh.s.Paint.Layer)
		})
	}
	rows := (len(layers) + perRow - 1) / perRow
	return layout.Dimensions{Size: image.Pt(w, rows*(side+gap)-gap)}
}

// brush lays out the sliders of the brush's numbers.
func (o *options) brush(settings ...tool.Setting) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		rows := make([]layout.Widget, len(settings))
		for i, st := range settings {
			rows[i] = func(gtx layout.Context) layout.Dimensions { return o.slider(gtx, st) }
		}
		return stack(gtx, 8, 6, rows...)
	}
}

// settingKeys are the commands whose keys change a setting, by -1 and 1.
var settingKeys = map[tool.Setting]string{
	tool.Radius: "brush.size", tool.Strength: "brush.strength", tool.Weight: "brush.strength", tool.Hardness: "brush.hardness",
}

var settingTitles = map[tool.Setting]string{
	tool.Radius: sRadius, tool.Strength: sStrength, tool.Weight: sStrength, tool.Hardness: sHardness, tool.Spacing: sSpacing,
}

func (o *options) slider(gtx layout.Context, st tool.Setting) layout.Dimensions {
	s, sl, r := o.sh.s, &o.sliders[st], st.Range()
	sl.Log, sl.Decimals = r.Log, 3
	if !r.Log {
		sl.Step = 0.1
	}
	value := s.Brush.Get(st)
	switch {
	case sl.Editing():
		sl.Min, sl.Max = r.Min, r.Max // what can be typed
	case !sl.Dragging():
		low, high := s.SliderRange(st)
		sl.Min, sl.Max = low, max(high, value)
		if !r.Log || value > 0 {
			sl.Min = min(low, value)
		}
	}
	for {
		c, ok := sl.Update(gtx)
		if !ok {
			break
		}
		s.Brush.Set(st, c.Value)
		o.sh.again = true
	}
	if !sl.Dragging() {
		sl.Value = s.Brush.Get(st)
	}
	d := o.sh.th.Slider(sl, settingTitles[st], r.Unit)
	d.LabelWidth, d.ValueWidth = trackLabel, trackValue
	if id := settingKeys[st]; id != "" {
		d.Tip = widgets.Tip{Title: settingTitles[st], Keys: pair(s, id)}
	}
	return d.Layout(gtx)
}

// pair is the keys that make a setting smaller and larger.
func pair(s *session.Session, id string) string {
	less, more := s.Keys.Hint(id+" by=-1"), s.Keys.Hint(id+" by=1")
	if less == "" || more == "" {
		return less + more
	}
	return less + " " + more
}

// hint is a line of help: what to press and what it does. An empty key leaves the
// line out.
type hint struct{ keys, text string }

func (o *options) sculptHints() []hint {
	s := o.sh.s
	opposite := hint{}
	if op := s.Sculpt.Op; op == brush.Raise || op == brush.Lower {
		opposite = hint{"Ctrl", sOpposite}
	}
	return append([]hint{{sDrag, sApply}, opposite, {"Shift", sSmoothIt}}, o.brushHints()...)
}

func (o *options) paintHints() []hint { return append([]hint{{sDrag, sApply}}, o.brushHints()...) }

func (o *options) selectHints() []hint {
	return []hint{{sClick, sSelectIt}, {sLeftDrag, sSelectBox}, {"Shift", sSelectMore}, {"Ctrl", sSelectLess}, {held(o.sh.s, "resize"), sFrameIt}}
}

func (o *options) brushHints() []hint {
	s := o.sh.s
	return []hint{
		{pair(s, "brush.size"), sSize},
		{pair(s, "brush.strength"), sStrength},
		{pair(s, "brush.hardness"), sHardness},
		{held(s, "resize"), sResize},
		{"Esc", sCancelIt},
	}
}

func (o *options) cameraHints() []hint {
	s := o.sh.s
	var fly []string
	for _, c := range [...]string{"forward", "left", "back", "right", "down", "up"} {
		if k := held(s, c); k != "" {
			fly = append(fly, k)
		}
	}
	return []hint{
		{sRight, sLook}, {strings.Join(fly, " "), sFly}, {sMiddle, sPan}, {sAltDrag, sOrbit}, {sWheel, sDolly},
		{s.Keys.Hint("view.frame"), sFrame},
	}
}

// held is the first key of a control that is held.
func held(s *session.Session, control string) string {
	if c := s.Keys.Chords(control); len(c) > 0 {
		return c[0].String()
	}
	return ""
}

// keyColumn is the width of the left part of a hint.
const keyColumn = 96

func (o *options) hints(list []hint) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		var rows []layout.Widget
		for _, h := range list {
			if h.keys != "" {
				rows = append(rows, func(gtx layout.Context) layout.Dimensions { return o.sh.fact(gtx, h.keys, h.text, keyColumn) })
			}
		}
		return stack(gtx, 8, 0, rows...)
	}
}

// fact is a row of small text: a dim name and what belongs to it.
func (sh *Shell) fact(gtx layout.Context, name, text string, column unit.Dp) layout.Dimensions {
	th, w, h := sh.th, gtx.Constraints.Max.X, gtx.Dp(19)
	defer clip.Rect{Max: image.Pt(w, h)}.Push(gtx.Ops).Pop()
	semantic.LabelOp(name).Add(gtx.Ops)
	semantic.DescriptionOp(text).Add(gtx.Ops)
	c := gtx.Dp(column)
	a, b := th.Dim(name), th.Label(text)
	a.Size, b.Size = th.Size.Small, th.Size.Small
	sh.oneLine(gtx, a, image.Rect(0, 0, c-gtx.Dp(4), h))
	sh.oneLine(gtx, b, image.Rect(c, 0, w, h))
	return layout.Dimensions{Size: image.Pt(w, h)}
}

// oneLine draws a label in the vertical middle of r.
func (sh *Shell) oneLine(gtx layout.Context, l widgets.LabelStyle, r image.Rectangle) {
	size, call := sizeOf(gtx, r.Size(), l.Layout)
	y := r.Min.Y + int(math.Round(float64(r.Dy()-size.Y)/2))
	defer op.Offset(image.Pt(r.Min.X, y)).Push(gtx.Ops).Pop()
	call.Add(gtx.Ops)
}
