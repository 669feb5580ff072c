package panel

import (
	"fmt"

	"gioui.org/layout"

	"ridgeline/widgets"
)

// levelInfo is the section of facts about the level.
type levelInfo struct{ sh *Shell }

func (l *levelInfo) layout(gtx layout.Context) layout.Dimensions {
	return l.sh.section(gtx, sLevel, l.body)
}

// factColumn is the width of the names of facts.
const factColumn = 92

func (l *levelInfo) body(gtx layout.Context) layout.Dimensions {
	s := l.sh.s
	f := s.Level().Terrain
	cols, rows := f.Size()
	x, z := f.Extent()
	lo, hi := f.MinMax()
	row := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions { return l.sh.fact(gtx, name, text, factColumn) }
	}
	return stack(gtx, 8, 0,
		row(sSamples, fmt.Sprintf("%d × %d", cols, rows)),
		row(sSampleGap, metres(f.Spacing())),
		row(sExtent, distance(x)+" × "+distance(z)),
		row(sHeights, widgets.FormatNumber(float64(lo), 2)+" to "+metres(float64(hi))),
		row(sUndoMemory, bytesText(s.Document().HistoryBytes())),
	)
}

func metres(v float64) string { return widgets.FormatNumber(v, 2) + " " + uMetre }

// distance writes metres, from ten kilometres on as kilometres.
func distance(v float64) string {
	if v >= 10_000 {
		return widgets.FormatNumber(v/1000, 2) + " km"
	}
	return metres(v)
}

func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}
