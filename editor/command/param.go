package command

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain/brush"
	"ridgeline/terrain/fault"
)

// Kind is what an argument holds. The comments say how it is written and which Go
// type Args gives for it.
type Kind int

// The kinds of argument.
const (
	Number  Kind = iota // a finite number, float64
	Int                 // a whole number, int
	Bool                // true false yes no on off 1 0, bool
	Text                // any text, string
	Choice              // one of Param.Choices, string
	Ground              // "x,z" or "x,y,z", Point
	Points              // points joined by ';', []Point
	Layer               // index or name of a layer of the level, int
	IDs                 // entity ids or unique names joined by ',', []document.ID
	File                // a path, string
	Color               // "#rrggbb", color.NRGBA with alpha 255
	Numbers             // numbers joined by ',', as many as one of Param.Counts, []float64
	Size                // "WxH", two whole numbers, [2]int
	Entity              // id or unique name of one entity, 0 for none, document.ID
	Asset               // name of an asset of the level, string
	Assets              // names of assets of the level joined by ',', []string
)

var kindNames = [...]string{
	Number: "number", Int: "whole number", Bool: "yes or no", Text: "text", Choice: "choice",
	Ground: "point", Points: "points", Layer: "layer", IDs: "ids", File: "file", Color: "colour",
	Numbers: "numbers", Size: "size", Entity: "id", Asset: "asset", Assets: "assets",
}

// String is the kind's name in the reference.
func (k Kind) String() string { return kindNames[k] }

// Param describes one argument of a command.
type Param struct {
	Name string
	Help string // a phrase without a full stop
	Unit string // "m", "°", … or empty
	Kind Kind

	// Min and Max bound a Number, an Int and each of Numbers and Size, both included.
	// Both zero: no bound for an Int, ±MaxNumber for a Number.
	Min, Max float64

	Counts []int // how many Numbers there may be, ascending

	// Default stands for a missing argument and is written as in a script; empty
	// for none.
	Default string

	Required   bool
	Positional bool // may stand without its key; the first argument only

	None bool // of Points: there may be none, written as none

	Choices  []string
	Reserved []string // choices that later versions will know
}

// MaxNumber bounds numbers, and every coordinate of points, that have no range of
// their own: as far as a brush stroke may reach.
const MaxNumber = brush.MaxCoordinate

// Point is a place in the world. Y is NaN when only x and z were given: the
// point lies on the ground.
type Point mgl64.Vec3

// OnGround reports whether the point came without a height.
func (p Point) OnGround() bool { return math.IsNaN(p[1]) }

// String writes the point as it stands in a script.
func (p Point) String() string {
	if p.OnGround() {
		return ftoa(p[0]) + "," + ftoa(p[2])
	}
	return ftoa(p[0]) + "," + ftoa(p[1]) + "," + ftoa(p[2])
}

// Range is the values a Number or Int, or each of Numbers and Size, may take, in
// words; empty for other kinds.
func (p *Param) Range() string {
	switch p.Kind {
	case Number, Int, Numbers, Size:
	default:
		return ""
	}
	lo, hi, ok := p.limits()
	if !ok {
		return ""
	}
	s := ftoa(lo) + " to " + ftoa(hi)
	if p.Unit != "" {
		s += " " + p.Unit
	}
	return s
}

func (p *Param) limits() (lo, hi float64, ok bool) {
	switch {
	case p.Min != 0 || p.Max != 0:
		return p.Min, p.Max, true
	case p.Kind == Int:
		return math.MinInt32, math.MaxInt32, false
	}
	return -MaxNumber, MaxNumber, false
}

// fail is the error for a value that the parameter cannot take.
func (p *Param) fail(value, want string) error {
	return &fault.Error{Place: p.Name, Found: quoteWord(value), Want: want}
}

// parse reads a value as far as it can be understood without a level. Layers and
// ids stay text.
func (p *Param) parse(value string) (any, error) {
	switch p.Kind {
	case Number:
		return p.number(value)
	case Int:
		return p.integer(value)
	case Bool:
		return p.boolean(value)
	case Choice:
		return p.choice(value)
	case Ground:
		pt, ok := ParsePoint(value)
		if !ok {
			return nil, p.fail(value, "a point as x,z or x,y,z in metres, each within ±"+ftoa(MaxNumber))
		}
		return pt, nil
	case Points:
		return p.points(value)
	case Color:
		return p.color(value)
	case Numbers:
		return p.numbers(value)
	case Size:
		return p.size(value)
	case File, Layer, Entity, Asset, Assets:
		if value == "" || strings.ContainsRune(value, 0) {
			return nil, p.fail(value, map[Kind]string{
				File: "a path", Layer: "the index or name of a layer", Entity: "an id or a name in the level, or 0",
				Asset: "the name of an asset", Assets: "names of assets joined by ,",
			}[p.Kind])
		}
	}
	return value, nil
}

// needsLevel reports whether values of the parameter are looked up in the level.
func (p *Param) needsLevel() bool {
	switch p.Kind {
	case Layer, IDs, Entity, Asset, Assets:
		return true
	}
	return false
}

// howMany says how many numbers there may be: "1 or 3 numbers".
func (p *Param) howMany() string {
	words := make([]string, len(p.Counts))
	for i, n := range p.Counts {
		words[i] = itoa(n)
	}
	return strings.Join(words, " or ") + " numbers"
}

func (p *Param) numbers(value string) (any, error) {
	lo, hi, _ := p.limits()
	parts := strings.Split(value, ",")
	if !slices.Contains(p.Counts, len(parts)) {
		return nil, p.fail(value, p.howMany()+" joined by commas")
	}
	vs := make([]float64, len(parts))
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v >= lo && v <= hi) {
			return nil, p.fail(value, p.howMany()+" from "+span(lo, hi, p.Unit))
		}
		vs[i] = v
	}
	return vs, nil
}

func (p *Param) size(value string) (any, error) {
	lo, hi, _ := p.limits()
	w, h, _ := strings.Cut(strings.NewReplacer("X", "x", "×", "x").Replace(value), "x")
	var size [2]int
	for i, text := range [2]string{w, h} {
		v, err := strconv.Atoi(text)
		if err != nil || !(float64(v) >= lo && float64(v) <= hi) {
			return nil, p.fail(value, "a size as WIDTHxHEIGHT, each from "+span(lo, hi, p.Unit))
		}
		size[i] = v
	}
	return size, nil
}

func (p *Param) number(value string) (any, error) {
	lo, hi, _ := p.limits()
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= lo && v <= hi) {
		return nil, p.fail(value, "a number from "+span(lo, hi, p.Unit))
	}
	return v, nil
}

func (p *Param) integer(value string) (any, error) {
	lo, hi, _ := p.limits()
	v, err := strconv.Atoi(value)
	if err != nil || !(float64(v) >= lo && float64(v) <= hi) {
		return nil, p.fail(value, "a whole number from "+span(lo, hi, p.Unit))
	}
	return v, nil
}

func (p *Param) boolean(value string) (any, error) {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return nil, p.fail(value, "yes or no")
}

func (p *Param) choice(value string) (any, error) {
	for _, c := range p.Choices {
		if strings.EqualFold(c, value) {
			return c, nil
		}
	}
	for _, c := range p.Reserved {
		if strings.EqualFold(c, value) {
			return nil, &fault.Error{
				Place: p.Name, Found: fmt.Sprintf("%q, which comes with a later version", c),
				Want: "one of " + strings.Join(p.Choices, ", "),
			}
		}
	}
	return nil, p.fail(value, "one of "+strings.Join(p.Choices, ", "))
}

// maxPoints bounds a list of points, so that a script line cannot claim more
// work than a level could use.
const maxPoints = 100_000

func (p *Param) points(value string) (any, error) {
	var pts []Point
	if p.None && strings.EqualFold(strings.TrimSpace(value), "none") {
		return pts, nil
	}
	for part := range strings.SplitSeq(value, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		pt, ok := ParsePoint(part)
		if !ok {
			part = strings.TrimSpace(part)
			return nil, p.fail(part, PointWanted(part, "points as x,z or x,y,z joined by ;"))
		}
		if pts = append(pts, pt); len(pts) > maxPoints {
			return nil, &fault.Error{Place: p.Name, Found: "more than " + itoa(maxPoints) + " points", Want: "fewer"}
		}
	}
	if len(pts) == 0 {
		return nil, p.fail(value, "points as x,z or x,y,z joined by ;")
	}
	return pts, nil
}

func (p *Param) color(value string) (any, error) {
	hex := strings.TrimPrefix(value, "#")
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		return nil, p.fail(value, "a colour as #rrggbb")
	}
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, nil
}

// ParsePoint reads a point as it stands in a script: "x,z" or "x,y,z", metres.
func ParsePoint(s string) (Point, bool) { return pointWithin(s, MaxNumber) }

// PointWanted says what was expected of a text that is no point: its form, or
// coordinates that are not so far away.
func PointWanted(s, form string) string {
	if _, ok := pointWithin(s, math.MaxFloat64); ok {
		return "coordinates from " + span(-MaxNumber, MaxNumber, "m")
	}
	return form
}

func pointWithin(s string, limit float64) (Point, bool) {
	fields := strings.Split(s, ",")
	if len(fields) != 2 && len(fields) != 3 {
		return Point{}, false
	}
	var v [3]float64
	for i, f := range fields {
		n, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || !(n >= -limit && n <= limit) {
			return Point{}, false
		}
		v[i] = n
	}
	if len(fields) == 2 {
		return Point{v[0], math.NaN(), v[1]}, true
	}
	return Point(v), true
}

func span(lo, hi float64, unit string) string {
	s := ftoa(lo) + " to " + ftoa(hi)
	if unit != "" {
		s += " " + unit
	}
	return s
}

// ftoa writes a number in the fewest digits that read back to it, with an
// exponent only where plain digits would be long.
func ftoa(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e10) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func itoa(i int) string { return strconv.Itoa(i) }

// quoteWord quotes what a user wrote, cut short, for one line of message.
func quoteWord(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
