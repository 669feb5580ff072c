package panel

import (
	"fmt"
	"slices"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/tool"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// scatterPart is what scatters have: what they strew, how much, and by which rules.
type scatterPart struct {
	again widgets.Button
	more  widgets.Button // to add with the brush
	links []widgets.Button
}

func (sc *scatterPart) layout(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	if sc.again.Clicked(gtx) {
		sh.run(callLine("scatter.ground", "id", idWords(p.scatters...)))
		p = ip.pick()
	}
	points := 0
	var assets []string
	var rules []command.ScatterRules
	for _, e := range p.entities {
		d, ok := e.Data.(document.Scatter)
		if !ok {
			continue
		}
		points += len(d.Points)
		for _, a := range d.Assets {
			if !slices.Contains(assets, a) {
				assets = append(assets, a)
			}
		}
		rules = append(rules, command.RulesOf(d))
	}
	slices.Sort(assets)
	facts := []layout.Widget{func(gtx layout.Context) layout.Dimensions {
		return sh.fact(gtx, sScatterCount, countText(points), labelColumn)
	}}
	for i, a := range assets {
		name := ""
		if i == 0 {
			name = sAssets
		}
		facts = append(facts, sc.asset(gtx, ip, i, name, a))
	}
	if len(rules) == 1 {
		facts = append(facts, ruleRows(sh, rules[0])...)
	}
	p = ip.billboardOf(gtx, p)
	rows := []layout.Widget{func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, facts...) }}
	if len(p.objects) == 0 { // else it stands with the mesh
		rows = append(rows, func(gtx layout.Context) layout.Dimensions { return ip.billboardRow(gtx, p, reason) })
	}
	if len(p.scatters) == 1 {
		rows = append(rows, func(gtx layout.Context) layout.Dimensions {
			if sc.more.Clicked(gtx) {
				sh.run("place.with brush; strew.set into=" + idWords(p.scatters[0]))
			}
			b := th.Button(&sc.more, sAddWithBrush)
			b.Icon, b.Reason, b.Tip.Help = icons.Scatter, reason, sAddBrushHelp
			return b.Layout(gtx)
		})
	}
	return stack(gtx, 8, 6, append(rows, func(gtx layout.Context) layout.Dimensions {
		b := th.Button(&sc.again, sAgain)
		b.Icon, b.Reason = icons.Flatten, reason
		return b.Layout(gtx)
	})...)
}

// billboardOf takes changes of the distance where no mesh has done so.
func (ip *inspector) billboardOf(gtx layout.Context, p *picked) *picked {
	if len(p.objects) > 0 {
		return p
	}
	return ip.billboard(gtx, p)
}

// asset is a row that names an asset, with a button where it has no file.
func (sc *scatterPart) asset(gtx layout.Context, ip *inspector, i int, title, name string) layout.Widget {
	for len(sc.links) <= i {
		sc.links = append(sc.links, widgets.Button{})
	}
	if sc.links[i].Clicked(gtx) {
		ip.sh.run(callLine("app.relink", "name", name))
	}
	info, ok := ip.sh.s.Asset(name)
	if ok && info.Err == nil {
		return func(gtx layout.Context) layout.Dimensions { return ip.sh.fact(gtx, title, name, labelColumn) }
	}
	return func(gtx layout.Context) layout.Dimensions {
		return ip.sh.linkRow(gtx, &sc.links[i], title, name, labelColumn)
	}
}

// ruleRows tell how the brush strews.
func ruleRows(sh *Shell, r command.ScatterRules) []layout.Widget {
	row := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions { return sh.fact(gtx, name, text, labelColumn) }
	}
	between := func(v *[2]float64, factor float64, unit string) string {
		if v == nil || *v == tool.AnySlope || *v == tool.AnyHeight {
			return sAnything
		}
		text := widgets.FormatNumber(v[0]*factor, 2)
		if v[0] != v[1] {
			text += " to " + widgets.FormatNumber(v[1]*factor, 2)
		}
		return text + unit
	}
	size := "1"
	if r.Scale != nil {
		size = between(r.Scale, 1, "")
	}
	apart := r.Spacing
	lean, turn := sUpright, sAtRandom
	if r.Align > 0 {
		lean = fmt.Sprintf(sLeanPart, widgets.FormatNumber(r.Align*100, 0))
	}
	if r.Upright {
		turn = sAlike
	}
	rows := []layout.Widget{
		row(sDensity, fmt.Sprintf(sPerArea, widgets.FormatNumber(r.Density*100, 4))),
		row(sSlopes, between(r.Slope, degreesPer, uDegree)),
		row(sHeightsOf, between(r.Height, 1, " "+uMetre)),
		row(sSizes, size),
		row(sLeaning, lean),
		row(sTurned, turn),
		row(sSeed, fmt.Sprint(r.Seed)),
	}
	if apart > 0 {
		rows = slices.Insert(rows, 1, row(sApart, fmt.Sprintf(sAtLeast, metres(apart))))
	}
	return rows
}

// degreesPer is one radian.
const degreesPer = 57.29577951308232
