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
	for i := range c.Params {
		p := &c.Params[i]
		if p.Required && rapid.IntRange(0, 19).Draw(t, "forget") > 0 || !p.Required && rapid.Bool().Draw(t, "optional") {
			call.Args = append(call.Args, command.Arg{Name: p.Name, Value: value(t, p, l)})
		}
	}
	return call
}

// value makes up an argument: mostly one that the parameter takes.
func value(t *rapid.T, p *command.Param, l *document.Level) string {
	if rapid.IntRange(0, 19).Draw(t, "wild") == 0 {
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
		return strconv.Itoa(rapid.IntRange(int(lo), int(hi)).Draw(t, p.Name))
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
		return rapid.SampledFrom([]string{"1", "2,3", "door", ""}).Draw(t, p.Name)
	case command.Color:
		return fmt.Sprintf("#%06x", rapid.IntRange(0, 0xffffff).Draw(t, p.Name))
	case command.Text:
		if p.Name == "texture" {
			return rapid.SampledFrom(document.Builtins).Draw(t, p.Name)
		}
		return rapid.StringMatching(`[a-z]{1,3} ?[é"']?`).Draw(t, p.Name)
	}
	t.Fatalf("no values for a %s", p.Kind)
	return ""
}
