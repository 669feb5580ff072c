package gizmo

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// name is that of an axis; none of what is no axis.
func (g *Gizmo) name(axis int) string {
	switch {
	case axis >= len(g.Names):
		return ""
	case g.Names != [3]string{}:
		return g.Names[axis]
	}
	return "XYZ"[axis : axis+1]
}

// change is the name of an axis before a difference.
func (g *Gizmo) change(axis int) string {
	if g.Names != [3]string{} {
		return g.Names[axis] + " "
	}
	return "Δ" + g.name(axis) + " "
}

// waiting stands for a number that is about to be typed.
const waiting = "…"

// Label says what the drag amounts to, such as "ΔX 2.50 m", "Δ 45.0°" or "× 1.25", or
// what is typed, such as "X 12.5 m".
func (d *Drag) Label() string {
	if d.entry.any() {
		return d.typedLabel()
	}
	t := &d.result
	switch d.gizmo.Mode {
	case Move:
		decimals := 2
		if d.start.dp < 0.005 {
			decimals = 3
		}
		var parts []string
		for i, a := range d.start.axes {
			if d.handle.moves(i) {
				parts = append(parts, d.gizmo.change(i)+number(t.Translation.Dot(a), decimals))
			}
		}
		return strings.Join(parts, "  ") + " m"
	case Rotate:
		return "Δ" + d.axisName() + " " + number(t.Angle*180/math.Pi, 1) + "°"
	}
	names, factor := "", 1.0
	for i := range t.Scale {
		if d.handle.moves(i) {
			names, factor = names+d.gizmo.name(i)+" ", t.Scale[i]
		}
	}
	if d.handle == Centre {
		names = ""
	}
	return names + "× " + number(factor, 2)
}

// axisName is the axis that a ring turns about; none for the line of sight.
func (d *Drag) axisName() string {
	if kind, axis := d.handle.axis(); kind == RingX {
		return d.gizmo.name(axis)
	}
	return ""
}

// number writes a number with a minus of the width of a digit, and no negative zero.
func number(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

func (d *Drag) typedLabel() string {
	before, after := "", " m"
	switch d.gizmo.Mode {
	case Rotate:
		after = "°"
	case Scale:
		before, after = "× ", ""
	}
	var parts []string
	for slot, text := range d.entry.text {
		if text == "" && slot != d.entry.active {
			continue
		}
		if text == "" {
			text = waiting
		}
		part := before + strings.Replace(text, "-", "−", 1)
		if name := d.gizmo.name(slot); name != "" {
			part = fmt.Sprintf("%s %s", name, part)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "  ") + after
}
