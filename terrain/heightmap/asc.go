package heightmap

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ridgeline/terrain/fault"
)

// ascKeys gives the slot of each header key. Corner and center share one, as do
// the two names of the void value.
var ascKeys = map[string]ascKey{
	"ncols": keyCols, "nrows": keyRows,
	"xllcorner": keyX, "xllcenter": keyX,
	"yllcorner": keyY, "yllcenter": keyY,
	"cellsize": keyCell, "dx": keyDX, "dy": keyDY,
	"nodata_value": keyNodata, "nodata": keyNodata,
}

type ascKey int

const (
	keyCols ascKey = iota
	keyRows
	keyX
	keyY
	keyCell
	keyDX
	keyDY
	keyNodata
	keyCount
)

// esriNodata is the void value of a grid that states none.
const esriNodata = -9999

// ascHeader is what the lines before the numbers say.
type ascHeader struct {
	seen             [keyCount]bool
	value            [keyCount]float64
	place            [keyCount]string
	centerX, centerY bool
}

// readASC reads an ESRI ASCII grid: keys and their values in any order and case,
// then rows of numbers from north to south, with any white space between.
func readASC(c *collector, o Options) error {
	lex := newLexer(c.in)
	h, first, err := readASCHeader(lex)
	if err != nil {
		return err
	}
	if err := h.apply(c, o); err != nil {
		return err
	}
	return c.ascValues(lex, first, h, o)
}

// readASCHeader reads up to the first number that follows no key, and returns
// that too.
func readASCHeader(lex *lexer) (*ascHeader, token, error) {
	h := new(ascHeader)
	for {
		t, err := lex.next()
		if err != nil {
			return nil, t, err
		}
		if len(t.text) == 0 || !isLetter(t.text[0]) || isNonFinite(t.text) {
			return h, t, h.complete(t)
		}
		name := strings.ToLower(string(t.text))
		key, ok := ascKeys[name]
		if !ok {
			return nil, t, &fault.Error{Place: t.place(), Found: quote(string(t.text)), Want: "a header key (ncols, nrows, xllcorner, yllcorner, cellsize, NODATA_value) or a number"}
		}
		if h.seen[key] {
			return nil, t, &fault.Error{Place: t.place(), Found: name + " again", Want: "each header key once, see " + h.place[key]}
		}
		h.seen[key], h.place[key] = true, t.place()
		switch name {
		case "xllcenter":
			h.centerX = true
		case "yllcenter":
			h.centerY = true
		}
		if t, err = lex.next(); err != nil {
			return nil, t, err
		}
		v, ok := parseHeaderNumber(t.text)
		if !ok || math.IsInf(v, 0) || math.IsNaN(v) && key != keyNodata {
			found := quote(string(t.text))
			if len(t.text) == 0 {
				found = "the end of the file"
			}
			return nil, t, &fault.Error{Place: t.place(), Found: found, Want: "the value of " + name}
		}
		h.value[key], h.place[key] = v, t.place()
	}
}

func parseHeaderNumber(s []byte) (float64, bool) {
	if isNonFinite(s) {
		v, err := strconv.ParseFloat(string(s), 64)
		return v, err == nil
	}
	if _, ok := parseFloat32(s); !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(s), 64)
	return v, err == nil
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// isNonFinite reports whether s is one of the words for values that are no
// number.
func isNonFinite(s []byte) bool {
	switch strings.ToLower(strings.TrimLeft(string(s), "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

// complete names the keys that are missing where the numbers begin.
func (h *ascHeader) complete(at token) error {
	var missing []string
	for _, k := range []struct {
		key  ascKey
		name string
	}{{keyCols, "ncols"}, {keyRows, "nrows"}, {keyX, "xllcorner or xllcenter"}, {keyY, "yllcorner or yllcenter"}} {
		if !h.seen[k.key] {
			missing = append(missing, k.name)
		}
	}
	if !h.seen[keyCell] && (!h.seen[keyDX] || !h.seen[keyDY]) {
		missing = append(missing, "cellsize")
	}
	if len(missing) == 0 {
		return nil
	}
	found := "numbers"
	if len(at.text) == 0 {
		found = "the end of the file"
	}
	return &fault.Error{Place: at.place(), Found: found, Want: "the missing header key " + strings.Join(missing, ", ")}
}

// apply turns the header into the collector's description.
func (h *ascHeader) apply(c *collector, o Options) error {
	for _, k := range []struct {
		key  ascKey
		name string
		side *int
	}{{keyCols, "ncols", &c.Cols}, {keyRows, "nrows", &c.Rows}} {
		v := h.value[k.key]
		if v != math.Trunc(v) || math.Abs(v) > 1e15 {
			return &fault.Error{Place: h.place[k.key], Found: k.name + " " + number(v), Want: fmt.Sprintf("%d to %d samples", MinSide, MaxSide)}
		}
		if err := checkSide(h.place[k.key], k.name, int64(v)); err != nil {
			return err
		}
		*k.side = int(v)
	}
	c.Bits, c.Float = 32, true
	if err := o.matches(&c.Info); err != nil {
		return err
	}
	g := Geo{CellX: h.value[keyCell], CellY: h.value[keyCell], Center: h.centerX && h.centerY}
	if !h.seen[keyCell] {
		g.CellX, g.CellY = h.value[keyDX], h.value[keyDY]
	}
	for _, k := range []struct {
		key  ascKey
		name string
	}{{keyCell, "cellsize"}, {keyDX, "dx"}, {keyDY, "dy"}} {
		if v := h.value[k.key]; h.seen[k.key] && !(v > 0 && fits32(v)) {
			return &fault.Error{Place: h.place[k.key], Found: k.name + " " + number(v), Want: "a distance above 0"}
		}
	}
	g.X, g.Y = h.value[keyX], h.value[keyY]
	if !h.centerX {
		g.X += g.CellX / 2
	}
	if !h.centerY {
		g.Y += g.CellY / 2
	}
	north := g.Y + g.CellY*float64(c.Rows-1)
	g.Units = o.Units
	switch {
	case o.Units == Degrees && !onGlobe(g.Y, north):
		return &fault.Error{Place: h.place[keyY], Found: fmt.Sprintf("latitudes %s to %s", number(g.Y), number(north)), Want: "latitudes within ±90 degrees"}
	case o.Units == UnitsAuto:
		if g.Units = Metres; g.looksLikeDegrees(c.Cols, north) {
			g.Units = Degrees
		}
	}
	if g.Units == Degrees {
		c.note("cell size %s is in degrees, turned into metres at latitude %.4g", number(g.CellY), (g.Y+north)/2)
	}
	c.setGeo(g)
	return nil
}

// geographicCell is the largest cell that is taken for degrees: 0.1° is 11 km.
const geographicCell = 0.1

// looksLikeDegrees guesses the unit, which these files do not state: a cell that
// would be below 10 cm, in a grid that lies on the globe if its corner is in
// degrees. Local grids start at 0, 0 and projected ones at thousands of metres.
func (g Geo) looksLikeDegrees(cols int, north float64) bool {
	east := g.X + g.CellX*float64(cols-1)
	atZero := func(v, cell float64) bool { return math.Abs(v) <= cell*0.51 }
	return g.CellX < geographicCell && g.CellY < geographicCell &&
		!(atZero(g.X, g.CellX) && atZero(g.Y, g.CellY)) &&
		g.X >= -180 && east <= 360 && onGlobe(g.Y, north)
}

func onGlobe(south, north float64) bool { return south >= -90 && north <= 90 }

// ascValues reads the numbers, of which the first has been read already.
func (c *collector) ascValues(lex *lexer, t token, h *ascHeader, o Options) error {
	nodata, stated := h.value[keyNodata], h.seen[keyNodata]
	switch {
	case o.Nodata != nil:
		nodata, stated = *o.Nodata, true
	case !stated:
		nodata = esriNodata
	}
	void := float32(nodata)
	c.begin()
	values := make([]float32, c.Cols)
	skip := make([]bool, c.Cols)
	all := c.Cols * c.Rows
	for row := range c.Rows {
		if err := c.tick(row); err != nil {
			return err
		}
		for col := range c.Cols {
			if row+col > 0 {
				var err error
				if t, err = lex.next(); err != nil {
					return err
				}
			}
			v, ok := parseFloat32(t.text)
			// An infinity is a number that float32 cannot hold.
			if !ok || v-v != 0 {
				isVoid, err := badASCValue(t, row*c.Cols+col, all, nodata)
				if err != nil {
					return err
				}
				values[col], skip[col] = void, isVoid
				continue
			}
			values[col], skip[col] = v, v == void
		}
		c.putFloats(row, values, skip)
	}
	t, err := lex.next()
	if err != nil {
		return err
	}
	if len(t.text) > 0 {
		return &fault.Error{Place: t.place(), Found: quote(string(t.text)) + " after the last number", Want: fmt.Sprintf("%d numbers (%s)", all, sizeText(c.Cols, c.Rows))}
	}
	if stated || c.Voids > 0 {
		c.Nodata = &nodata
	}
	if !stated && c.Voids > 0 {
		c.note("the file states no NODATA_value; %s of %d count as void, as the format says", plural(c.Voids, "sample"), esriNodata)
	}
	return nil
}

// badASCValue handles what is no finite float32: it may still be the void value.
func badASCValue(t token, have, all int, nodata float64) (isVoid bool, err error) {
	if len(t.text) == 0 {
		return false, &fault.Error{Place: t.place(), Found: plural(have, "number"), Want: strconv.Itoa(all) + " (ncols × nrows)"}
	}
	v, ok := parseHeaderNumber(t.text)
	switch {
	case ok && (v == nodata || v != v && nodata != nodata):
		return true, nil
	case isNonFinite(t.text):
		return false, &fault.Error{Place: t.place(), Found: quote(string(t.text)), Want: "a finite height"}
	case ok || isOverflow(t.text):
		return false, &fault.Error{Place: t.place(), Found: quote(string(t.text)), Want: "a height that fits 32-bit floats"}
	}
	return false, &fault.Error{Place: t.place(), Found: quote(string(t.text)), Want: "a number"}
}

func isOverflow(s []byte) bool {
	_, ok := parseFloat32(s)
	return ok
}
