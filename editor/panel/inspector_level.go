package panel

import (
	"fmt"
	"image"
	"maps"
	"slices"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// levelPart is what the inspector tells of the level while nothing is selected.
type levelPart struct {
	counts  session.LevelCounts
	missing []string
	of      [3]int // versions that these are of
	links   []widgets.Button
}

// take counts what stands in the level, if that may have changed.
func (lv *levelPart) take(s *session.Session) {
	now := [3]int{s.Revision(), s.ThingsVersion(), s.LibraryCount()}
	if now == lv.of {
		return
	}
	lv.of = now
	lv.counts, lv.missing = s.Count(), s.MissingAssets()
	lv.links = make([]widgets.Button, len(lv.missing))
}

func (lv *levelPart) layout(gtx layout.Context, ip *inspector) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	for i := range lv.links {
		if lv.links[i].Clicked(gtx) {
			sh.run(callLine("app.relink", "name", lv.missing[i]))
			break
		}
	}
	lv.take(sh.s)
	parts := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions {
			return stack(gtx, 8, 0, func(gtx layout.Context) layout.Dimensions {
				l := th.Body(sSelectHint)
				l.Color, l.Size = th.Color.Dim, th.Size.Small
				return l.Layout(gtx)
			})
		},
		func(gtx layout.Context) layout.Dimensions { return sh.section(gtx, sInLevel, lv.facts(sh)) },
	}
	if len(lv.missing) > 0 {
		parts = append(parts, func(gtx layout.Context) layout.Dimensions {
			return sh.section(gtx, sMissingTitle, lv.lost(sh))
		})
	}
	return stack(gtx, 0, 0, parts...)
}

// facts are the counts.
func (lv *levelPart) facts(sh *Shell) layout.Widget {
	c := &lv.counts
	var rows []layout.Widget
	row := func(name, text string) {
		rows = append(rows, func(gtx layout.Context) layout.Dimensions { return sh.fact(gtx, name, text, 108) })
	}
	count := func(name string, n int) {
		if n > 0 {
			row(name, countText(n))
		}
	}
	row(sObjects, countText(c.Objects))
	count(sGeometries, c.Geometry)
	count(sGroups, c.Groups)
	if c.Scatters > 0 {
		row(sScatters, fmt.Sprintf(sScattersOf, countText(c.Scatters), countText(c.Points)))
	}
	row(sMarkers, countText(c.Markers))
	for _, k := range slices.Sorted(maps.Keys(c.Others)) {
		count(capital(kindPlural(k)), c.Others[k])
	}
	count(sHiddenCount, c.Hidden)
	count(sLockedCount, c.Locked)
	row(sAssets, countText(len(sh.s.Level().Assets)))
	if b := sh.s.Scene().Bounds(); !b.IsEmpty() {
		row(sSpan, extent(b.Size()))
	}
	return func(gtx layout.Context) layout.Dimensions { return stack(gtx, 8, 0, rows...) }
}

// lost lists the assets that are missing.
func (lv *levelPart) lost(sh *Shell) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		th := sh.th
		rows := []layout.Widget{func(gtx layout.Context) layout.Dimensions {
			l := th.Body(sMissingHelp)
			l.Color, l.Size = th.Color.Dim, th.Size.Small
			return l.Layout(gtx)
		}}
		for i, name := range lv.missing {
			used := sOneUse
			if n := sh.s.Scene().Users(name); n != 1 {
				used = fmt.Sprintf(sThings, n)
			}
			rows = append(rows, func(gtx layout.Context) layout.Dimensions {
				return sh.linkRow(gtx, &lv.links[i], "", fmt.Sprintf(sUsedBy, name, used), 0)
			})
		}
		return stack(gtx, 8, 6, rows...)
	}
}

// linkRow names an asset that has no file, with a button to link it to one.
func (sh *Shell) linkRow(gtx layout.Context, b *widgets.Button, title, text string, column int) layout.Dimensions {
	th := sh.th
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	x, w := 0, gtx.Dp(64)
	if title != "" {
		l := th.Dim(title)
		l.Size = th.Size.Small
		sh.oneLine(gtx, l, image.Rect(0, 0, gtx.Dp(labelColumn), size.Y))
	}
	if column > 0 {
		x = gtx.Dp(labelColumn)
	}
	px := gtx.Dp(th.Size.IconSize)
	ic := th.Icon(icons.Warning)
	ic.Color = th.Color.Warn
	loose(gtx, image.Pt(x, (size.Y-px)/2), size, ic.Layout)
	l := th.Label(text)
	l.Size = th.Size.Small
	sh.oneLine(gtx, l, image.Rect(x+px+gtx.Dp(6), 0, size.X-w-gtx.Dp(6), size.Y))
	in(gtx, image.Rect(size.X-w, 0, size.X, size.Y), func(gtx layout.Context) layout.Dimensions {
		st := th.Button(b, sLink)
		st.Tip.Title, st.Reason = sLinkTo, sh.why("asset.relink")
		return st.Layout(gtx)
	})
	return layout.Dimensions{Size: size}
}
