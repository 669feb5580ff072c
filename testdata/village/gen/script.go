package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// script is the commands that make the level.
type script struct{ text strings.Builder }

func (s *script) line(format string, args ...any) { fmt.Fprintf(&s.text, format+"\n", args...) }

func (s *script) portal(name, points, state string) {
	if state != "" {
		state = " state=" + state
	}
	s.line("portal.add name=%q points=%s%s layer=rooms", name, points, state)
}

// num writes metres to the millimetre.
func num(v float64) string {
	v = math.Round(v*1000) / 1000
	if v == 0 {
		v = 0 // never -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func point(p vec) string { return num(p[0]) + "," + num(p[1]) + "," + num(p[2]) }

func points(list []vec) string {
	s := make([]string, len(list))
	for i, p := range list {
		s[i] = point(p)
	}
	return `"` + strings.Join(s, ";") + `"`
}

// yaw is the argument, or nothing.
func yaw(degrees float64) string {
	for degrees > 180 {
		degrees -= 360
	}
	if degrees == 0 {
		return ""
	}
	return " yaw=" + num(degrees)
}
