package xcall

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/editor/command"
)

// Draw makes up a call of a command, with arguments that mostly fit the level.
func Draw(t *rapid.T, c *command.Command, l *document.Level) command.Call {
	call := command.Call{ID: c.ID}
	optional := 0
	for i := range c.Params {
		if !c.Params[i].Required {
			optional++
		}
	}
	// Of many optional arguments some exclude others, so most stay away.
	rare := max(optional/2, 1)
	for i := range c.Params {
		p := &c.Params[i]
		if p.Required && !seldom(t, "forget") || !p.Required && rapid.IntRange(0, rare).Draw(t, "optional") == 0 {
			call.Args = append(call.Args, command.Arg{Name: p.Name, Value: value(t, p, l)})
		}
	}
	return call
}

// seldom is true about once in thirty times. Small numbers are drawn far more often
// than others, so it waits for another.
func seldom(t *rapid.T, label string) bool { return rapid.IntRange(0, 19).Draw(t, label) == 13 }

// value makes up an argument: mostly one that the parameter takes.
func value(t *rapid.T, p *command.Param, l *document.Level) string {
	if seldom(t, "wild") {
		return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"nan", "inf", "-1", "1e300", "", "0", "1,1", "#"})).Draw(t, p.Name)
	}
	lo, hi := p.Min, p.Max
	if lo == 0 && hi == 0 {
		lo, hi = -command.MaxNumber, command.MaxNumber
		if p.Kind == command.Int {
			lo, hi = math.MinInt32, math.MaxInt32
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "extreme") > 0 {
		hi = max(min(hi, 20), lo) // most of the time something that fits the level
	}
	f := l.Terrain
	ex, ez := f.Extent()
	ox, oz := f.Origin()
	point := func() string {
		around := rapid.Float64Range(-0.2, 1.2)
		at := command.Point{ox + around.Draw(t, "x")*ex, math.NaN(), oz + around.Draw(t, "z")*ez}
		if rapid.Bool().Draw(t, "height") {
			at[1] = rapid.Float64Range(-50, 50).Draw(t, "y")
		}
		return at.String()
	}
	switch p.Kind {
	case command.Number:
		return strconv.FormatFloat(rapid.Float64Range(lo, hi).Draw(t, p.Name), 'g', -1, 64)
	case command.Int:
		return strconv.Itoa(rapid.IntRange(int(lo), int(max(lo, min(hi, 200)))).Draw(t, p.Name))
	case command.Bool:
		return rapid.SampledFrom([]string{"yes", "no", "true", "0"}).Draw(t, p.Name)
	case command.Choice:
		return rapid.SampledFrom(p.Choices).Draw(t, p.Name)
	case command.Ground:
		return point()
	case command.Points:
		var pts []string
		for range rapid.IntRange(1, 4).Draw(t, "points") {
			pts = append(pts, point())
		}
		return strings.Join(pts, ";")
	case command.Layer:
		return strconv.Itoa(rapid.IntRange(0, len(l.Layers)-1).Draw(t, p.Name))
	case command.IDs:
		if rapid.IntRange(0, 9).Draw(t, "rare") == 0 {
			return rapid.SampledFrom([]string{"1", "2,3", "door", ""}).Draw(t, p.Name)
		}
		var ids []string
		for range rapid.IntRange(1, 3).Draw(t, "ids") {
			ids = append(ids, entity(t, l))
		}
		return strings.Join(ids, ",")
	case command.Entity:
		if rapid.IntRange(0, 3).Draw(t, "none") == 0 {
			return "0"
		}
		return entity(t, l)
	case command.Numbers:
		var vs []string
		for range rapid.SampledFrom(p.Counts).Draw(t, "count") {
			v := rapid.Float64Range(max(lo, -hi), hi)
			if rapid.IntRange(0, 3).Draw(t, "odd") > 0 {
				v = rapid.SampledFrom([]float64{1, 2, -1, 0.5, 3})
			}
			vs = append(vs, strconv.FormatFloat(v.Draw(t, p.Name), 'g', -1, 64))
		}
		return strings.Join(vs, ",")
	case command.Size:
		side := rapid.IntRange(max(int(lo), 0), 130)
		return fmt.Sprintf("%dx%d", side.Draw(t, "width"), side.Draw(t, "height"))
	case command.Asset, command.Assets:
		return asset(t, l)
	case command.File:
		return rapid.SampledFrom([]string{"box.glb", "tree.glb", "folder/tree.glb", "none.glb"}).Draw(t, p.Name)
	case command.Color:
		return fmt.Sprintf("#%06x", rapid.IntRange(0, 0xffffff).Draw(t, p.Name))
	case command.Text:
		if p.Name == "texture" {
			return rapid.SampledFrom(document.Builtins).Draw(t, p.Name)
		}
		if rapid.Bool().Draw(t, "known") {
			return asset(t, l)
		}
		return rapid.StringMatching(`[a-z]{1,3} ?[é"']?`).Draw(t, p.Name)
	}
	t.Fatalf("no values for a %s", p.Kind)
	return ""
}

// entity makes up an id that the level has, if it has any.
func entity(t *rapid.T, l *document.Level) string {
	var ids []string
	for e := range l.Entities() {
		if ids = append(ids, strconv.FormatUint(uint64(e.ID), 10)); len(ids) == 40 {
			break
		}
	}
	if len(ids) == 0 {
		return "1"
	}
	return rapid.SampledFrom(ids).Draw(t, "id")
}

// asset makes up the name of an asset that the level has, if it has any.
func asset(t *rapid.T, l *document.Level) string {
	if len(l.Assets) == 0 {
		return "box"
	}
	return l.Assets[rapid.IntRange(0, len(l.Assets)-1).Draw(t, "asset")].Name
}
