package panel

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/terrain/brush"
	"ridgeline/widgets"
)

// status is the bar at the bottom of the window.
type status struct {
	sh       *Shell
	progress widgets.Progress
	task     *session.Task // that progress belongs to
	trouble  widgets.Button
}

func (b *status) layout(gtx layout.Context) layout.Dimensions {
	th := b.sh.th
	wide := gtx.Constraints.Max.X >= gtx.Dp(1100)
	left := b.position()
	if wide {
		left = append(left, widgets.StatusSegment{Label: sUnder, Text: b.under(), Width: underWidth})
	}
	if wide || len(b.sh.s.Tasks()) == 0 {
		left = append(left, widgets.StatusSegment{Label: sModeHint, Text: b.hint()})
	}
	if wide {
		left = append(left, widgets.StatusSegment{Label: sSelected1, Text: b.selection()})
	}
	var right []widgets.StatusSegment
	if seg, ok := b.tasks(gtx, wide); ok {
		right = append(right, seg)
	}
	if seg, ok := b.problems(gtx); ok {
		right = append(right, seg)
	}
	right = append(right, b.saved())
	st := b.sh.stats
	if st.Triangles > 0 {
		right = append(right, widgets.StatusSegment{Label: sDrawn, Text: drawnText(st, gtx.Constraints.Max.X >= gtx.Dp(1100), gtx.Constraints.Max.X >= gtx.Dp(1400)), Mono: true})
	}
	if st.Frame > 0 {
		right = append(right, widgets.StatusSegment{Label: sFrameTime, Text: frameText(st.Frame), Mono: true, Width: 56})
	}
	return th.StatusBar(left, right).Layout(gtx)
}

// position tells of the ground under the pointer. The widths stay, so that the
// numbers don't make each other jump.
func (b *status) position() []widgets.StatusSegment {
	p, slope, ok := b.sh.s.Under()
	if !ok {
		return []widgets.StatusSegment{
			{Label: sPosition, Text: "x –      y –      z –", Mono: true, Width: positionWidth},
			{Label: sSlope, Text: "–", Mono: true, Width: slopeWidth},
		}
	}
	return []widgets.StatusSegment{
		{Label: sPosition, Text: fmt.Sprintf("x %-8s y %-8s z %s", short(p[0]), short(p[1]), short(p[2])), Mono: true, Width: positionWidth},
		{Label: sSlope, Text: fmt.Sprintf("%.1f°", slope*180/math.Pi), Mono: true, Width: slopeWidth},
	}
}

const (
	positionWidth = 234
	slopeWidth    = 40
	underWidth    = 104
)

// under names what is under the pointer.
func (b *status) under() string {
	s := b.sh.s
	hit, ok := s.UnderHit()
	if !ok {
		return "–"
	}
	if e, ok := s.Level().Entity(hit.ID); ok {
		return clipText(titleOf(e), 20)
	}
	return sGround
}

// short writes a coordinate with as many decimals as leave it readable.
func short(v float64) string {
	decimals := 2
	switch a := math.Abs(v); {
	case a >= 10_000:
		decimals = 0
	case a >= 1000:
		decimals = 1
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if s == "-0.00" {
		return "0.00"
	}
	return s
}

// hint says what the mouse does in the present mode.
func (b *status) hint() string {
	s := b.sh.s
	switch s.Mode {
	case session.ModeSculpt:
		if s.Sculpt.Op == brush.Raise || s.Sculpt.Op == brush.Lower {
			return sHintInvert
		}
		return sHintSculpt
	case session.ModePaint:
		if i, ok := b.sh.layers.current(); ok {
			return sHintPaint + " " + s.Level().Layers[i].Name
		}
	case session.ModeObject:
		switch {
		case s.Strewing:
			return sHintStrew
		case s.Place.Asset != "":
			return sHintPlace + " " + clipText(s.Place.Asset, 24)
		}
		return sHintAsset
	case session.ModeOccluder, session.ModePortal:
		return draftHint(s.Draft())
	case session.ModeMarker:
		if s.Marking.Shape == document.MarkerPoint {
			return sHintPoint
		}
		return sHintCorners
	case session.ModeMeasure:
		return sHintMeasure
	case session.ModeWalk:
		return sHintWalk
	}
	return sHintSelect
}

// selection tells how much is selected, or what.
func (b *status) selection() string {
	list := b.sh.s.Selection()
	if len(list) == 0 {
		return sNoneSel
	}
	if e, ok := b.sh.s.Level().Entity(list[0]); ok && len(list) == 1 {
		return fmt.Sprintf(sOneSelected, clipText(titleOf(e), 20))
	}
	return fmt.Sprintf(sSelected, len(list))
}

// tasks shows the oldest task and how many more there are.
func (b *status) tasks(gtx layout.Context, wide bool) (widgets.StatusSegment, bool) {
	list := b.sh.s.Tasks()
	if b.task != nil && b.progress.Cancelled(gtx) {
		b.task.Cancel()
	}
	if len(list) == 0 {
		b.task = nil
		return widgets.StatusSegment{}, false
	}
	if b.task != list[0] {
		b.task, b.progress = list[0], widgets.Progress{}
	}
	title := b.task.Title
	if n := len(list) - 1; n > 0 {
		title += fmt.Sprintf(" (+%d)", n)
	}
	part := float32(-1)
	if done, ok := b.task.Progress(); ok {
		part = float32(done)
	}
	seg := widgets.StatusSegment{Label: sTask, Text: title, Width: 340, Widget: func(gtx layout.Context) layout.Dimensions {
		return b.sh.th.Progress(&b.progress, title, part).Layout(gtx)
	}}
	if !wide {
		seg.Width = 250
	}
	return seg, true
}

// problems tells how many problems there are; a click shows their list.
func (b *status) problems(gtx layout.Context) (widgets.StatusSegment, bool) {
	s := b.sh.s
	if b.trouble.Clicked(gtx) {
		if s.Shown(panelProblems) {
			b.sh.tabs.open = panelProblems
			b.sh.again = true
		} else {
			b.sh.run("view.panel name=" + panelProblems)
		}
	}
	list := s.Problems.List()
	if len(list) == 0 {
		return widgets.StatusSegment{}, false
	}
	seg := widgets.StatusSegment{Label: sShowProblems, Text: problemCount(len(list)), Icon: problemIcons[list[0].Severity], Button: &b.trouble}
	if list[0].Severity == problems.Error {
		seg.Color = b.sh.th.Color.Error
	}
	return seg, true
}

func (b *status) saved() widgets.StatusSegment {
	text, sev := b.sh.s.SaveState()
	c := b.sh.th.Color
	seg := widgets.StatusSegment{Label: sSaved, Text: text}
	switch sev {
	case session.Warning:
		seg.Icon, seg.Color = icons.Warning, c.Warn
	case session.Error:
		seg.Icon, seg.Color = icons.Error, c.Error
	default:
		if !b.sh.s.Document().Dirty() && b.sh.s.Path() != "" {
			seg.Icon, seg.Color = icons.Check, c.Good
		}
	}
	return seg
}

// drawnText tells how much was drawn.
func drawnText(st Stats, wide, wider bool) string {
	tris := strconv.Itoa(st.Triangles)
	switch {
	case st.Triangles >= 1_000_000:
		tris = fmt.Sprintf("%.2fM", float64(st.Triangles)/1e6)
	case st.Triangles >= 10_000:
		tris = fmt.Sprintf("%.0fk", float64(st.Triangles)/1e3)
	}
	if !wide {
		return fmt.Sprintf(sDrawnThin, tris)
	}
	var parts []string
	if st.AllObjects > 0 {
		parts = append(parts, fmt.Sprintf(sDrawnObjects, st.Objects, st.AllObjects))
	}
	if st.AllChunks > 0 {
		parts = append(parts, fmt.Sprintf(sDrawnChunks, st.Chunks, st.AllChunks))
	}
	if wider || len(parts) < 2 {
		parts = append(parts, fmt.Sprintf(sDrawnTriangles, tris))
	}
	return strings.Join(parts, ", ")
}

func frameText(d time.Duration) string {
	if d >= 100*time.Millisecond {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
}
