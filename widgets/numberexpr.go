package widgets

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseEntry reads what a user types into a number: a value as ParseNumber reads
// it, or what to do to the value that stands there: "+=2", "-=2", "*1.5" or
// "*=1.5", "/3" or "/=3". The error is a sentence for the user.
func ParseEntry(s, unit string) (Op, float64, error) {
	t := strings.TrimSpace(plainSigns.Replace(s))
	op, divide, negate := OpSet, false, false
	switch {
	case strings.HasPrefix(t, "+="):
		op, t = OpAdd, t[2:]
	case strings.HasPrefix(t, "-="):
		op, negate, t = OpAdd, true, t[2:]
	case strings.HasPrefix(t, "*"):
		op, t, unit = OpMultiply, strings.TrimPrefix(t[1:], "="), ""
	case strings.HasPrefix(t, "/"):
		op, divide, t, unit = OpMultiply, true, strings.TrimPrefix(t[1:], "="), ""
	}
	v, err := evaluate(s, t, unit)
	if err != nil {
		return 0, 0, err
	}
	switch {
	case negate:
		v = -v
	case divide && v == 0:
		return 0, 0, errDivision
	case divide:
		v = 1 / v
	}
	if math.IsInf(v, 0) {
		return 0, 0, notANumber(s)
	}
	return op, v, nil
}

// ParseNumber reads a finite decimal number, or a sum of such with + - * / and
// parentheses, each with the unit behind it or not. Metres may be given in mm, cm
// and km, degrees as deg and in rad. One comma stands for a number's decimal point
// when it has no point. The error is a sentence for the user.
func ParseNumber(s, unit string) (float64, error) {
	return evaluate(s, strings.TrimSpace(plainSigns.Replace(s)), unit)
}

// plainSigns writes typographic signs as they are typed.
var plainSigns = strings.NewReplacer("−", "-", "×", "*", "·", "*", "÷", "/")

var errDivision = fmt.Errorf("nothing can be divided by 0")

func notANumber(s string) error { return fmt.Errorf("“%s” is not a number", s) }

// otherUnits are the units that are converted into a number's own one.
var otherUnits = map[string][]struct {
	name  string
	value float64
}{
	"m": {{"mm", 0.001}, {"cm", 0.01}, {"km", 1000}},
	"°": {{"deg", 1}, {"rad", 180 / math.Pi}},
}

// evaluate computes t; s is what the user has typed, for the error.
func evaluate(s, t, unit string) (float64, error) {
	if t == "" {
		return 0, fmt.Errorf("a number is expected")
	}
	p := sum{rest: t, unit: unit, depth: maxNesting}
	v, ok := p.sum()
	p.space()
	switch {
	case p.zero:
		return 0, errDivision
	case !ok || p.rest != "" || math.IsInf(v, 0) || math.IsNaN(v):
		return 0, notANumber(s)
	}
	return v, nil
}

// maxNesting bounds the parentheses inside each other.
const maxNesting = 32

// sum reads a sum by recursive descent; its methods' ok is false for what is no
// number.
type sum struct {
	rest, unit string
	depth      int
	zero       bool // something was divided by zero
}

func (p *sum) space() { p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace) }

// take reads one of some signs.
func (p *sum) take(signs string) (byte, bool) {
	p.space()
	if p.rest == "" || strings.IndexByte(signs, p.rest[0]) < 0 {
		return 0, false
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c, true
}

// sum reads terms with + and - between them.
func (p *sum) sum() (float64, bool) {
	v, ok := p.product()
	for ok {
		c, more := p.take("+-")
		if !more {
			return v, true
		}
		var w float64
		if w, ok = p.product(); c == '-' {
			w = -w
		}
		v += w
	}
	return 0, false
}

// product reads factors with * and / between them.
func (p *sum) product() (float64, bool) {
	v, ok := p.factor()
	for ok {
		c, more := p.take("*/")
		if !more {
			return v, true
		}
		var w float64
		w, ok = p.factor()
		switch {
		case c == '*':
			v *= w
		case w == 0 && ok:
			p.zero = true
		default:
			v /= w
		}
	}
	return 0, false
}

// factor reads a number or a sum in parentheses, with a sign and a unit.
func (p *sum) factor() (float64, bool) {
	sign, _ := p.take("+-")
	v, ok := 0.0, false
	if _, open := p.take("("); open && p.depth > 0 {
		p.depth--
		if v, ok = p.sum(); ok {
			_, ok = p.take(")")
		}
		p.depth++
	} else if !open {
		v, ok = p.number()
	}
	if sign == '-' {
		v = -v
	}
	return v * p.factorOfUnit(), ok
}

// number reads digits with at most one point or comma, and an exponent.
func (p *sum) number() (float64, bool) {
	digits := func(i int) int {
		for i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9' {
			i++
		}
		return i
	}
	p.space()
	n := digits(0)
	if n < len(p.rest) && (p.rest[n] == '.' || p.rest[n] == ',') {
		n = digits(n + 1)
	}
	if n < len(p.rest) && (p.rest[n] == 'e' || p.rest[n] == 'E') {
		e := n + 1
		if e < len(p.rest) && (p.rest[e] == '+' || p.rest[e] == '-') {
			e++
		}
		if end := digits(e); end > e {
			n = end
		}
	}
	v, err := strconv.ParseFloat(strings.Replace(p.rest[:n], ",", ".", 1), 64)
	p.rest = p.rest[n:]
	return v, err == nil
}

// factorOfUnit reads a unit, if there is one, and returns what to multiply by.
func (p *sum) factorOfUnit() float64 {
	p.space()
	if p.word(p.unit) {
		return 1
	}
	for _, u := range otherUnits[p.unit] {
		if p.word(u.name) {
			return u.value
		}
	}
	return 1
}

// word reads a word that doesn't go on after its end, in capitals or not.
func (p *sum) word(w string) bool {
	if w == "" || len(p.rest) < len(w) || !strings.EqualFold(p.rest[:len(w)], w) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(p.rest[len(w):]); unicode.IsLetter(r) || unicode.IsDigit(r) {
		return false
	}
	p.rest = p.rest[len(w):]
	return true
}
