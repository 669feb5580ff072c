package main

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"ridgeline/editor/command"
)

// sizeFlag is a number of samples, written WxH. Numbers that are too large to
// count stay too large, so that the size is refused and not the way it is written.
type sizeFlag struct {
	w, h  int
	given bool
}

func (s *sizeFlag) String() string {
	if s.w == 0 && s.h == 0 {
		return ""
	}
	return strconv.Itoa(s.w) + "x" + strconv.Itoa(s.h)
}

func (s *sizeFlag) Set(text string) error {
	w, h, ok := strings.Cut(strings.NewReplacer("X", "x", "×", "x").Replace(text), "x")
	if !ok || !number(w, &s.w) || !number(h, &s.h) {
		return errors.New("expected WIDTHxHEIGHT, such as 513x513")
	}
	s.given = true
	return nil
}

func (s *sizeFlag) Type() string { return "WxH" }

// number reads a whole number; one that is too large to count stays too large.
func number(text string, to *int) bool {
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) {
		n, err = math.MaxInt, nil
	}
	*to = n
	return err == nil
}

// pointFlag is a place on the ground, written x,z.
type pointFlag struct {
	command.Point
	given bool
}

func (p *pointFlag) String() string { return "" }

func (p *pointFlag) Set(text string) error {
	pt, ok := command.ParsePoint(text)
	if !ok || !pt.OnGround() {
		return errors.New("expected x,z in metres, each within ±1e10, such as 12.5,40")
	}
	p.Point, p.given = pt, true
	return nil
}

func (p *pointFlag) Type() string { return "x,z" }

// numberFlag is a number that may be missing. It may be not finite: what it is for
// decides.
type numberFlag struct{ value *float64 }

func (n *numberFlag) String() string {
	if n.value == nil {
		return ""
	}
	return strconv.FormatFloat(*n.value, 'g', -1, 64)
}

func (n *numberFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return errors.New("expected a number")
	}
	n.value = &v
	return nil
}

func (n *numberFlag) Type() string { return "number" }

// floatFlag is a number that is always there. It may be not finite, as with
// numberFlag.
type floatFlag float64

func (n *floatFlag) String() string { return strconv.FormatFloat(float64(*n), 'g', -1, 64) }

func (n *floatFlag) Set(text string) error {
	var v numberFlag
	err := v.Set(text)
	if err == nil {
		*n = floatFlag(*v.value)
	}
	return err
}

func (n *floatFlag) Type() string { return "number" }

// intFlag is a whole number; 0 is none.
type intFlag int

func (n *intFlag) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

func (n *intFlag) Set(text string) error {
	v := 0
	if !number(text, &v) {
		return errors.New("expected a whole number")
	}
	*n = intFlag(v)
	return nil
}

func (n *intFlag) Type() string { return "number" }

// choiceFlag is one of some words.
type choiceFlag struct {
	value   string
	choices []string
}

func (c *choiceFlag) String() string { return c.value }

func (c *choiceFlag) Set(text string) error {
	for _, w := range c.choices {
		if strings.EqualFold(w, text) {
			c.value = w
			return nil
		}
	}
	return errors.New("expected one of " + strings.Join(c.choices, ", "))
}

func (c *choiceFlag) Type() string { return strings.Join(c.choices, "|") }
