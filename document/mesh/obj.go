package mesh

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain/fault"
)

// objReader turns the statements of an OBJ file into a model.
type objReader struct {
	ctx   context.Context
	files *files
	notes *notes
	build *builder
	line  int // of the statement, from 1

	positions []mgl32.Vec3
	colors    [][4]uint8 // nil until one has a colour
	uvs       []mgl32.Vec2
	normals   []mgl32.Vec3

	object, group string // of the faces that follow
	smooth        int32  // smoothing group, 0 for none
	material      string

	faces     faces
	materials map[string]*mtl // of the libraries that were read
	libraries []string        // that were looked for
	used      map[string]int  // material to the model's
	images    map[string]int  // picture file to the model's
	pictures  pictures

	statements int            // that were understood
	skipped    map[string]int // kinds of statements that weren't
	badUVs     bool
}

// readOBJ reads a Wavefront OBJ file.
func readOBJ(ctx context.Context, data []byte, f *files) (*Model, error) {
	n := &notes{}
	r := &objReader{
		ctx: ctx, files: f, notes: n, build: newBuilder(n),
		materials: map[string]*mtl{}, used: map[string]int{}, images: map[string]int{}, skipped: map[string]int{},
	}
	r.faces.start()
	for s := newStatements(data); s.next(); {
		r.line = s.line
		if s.line%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := r.statement(s.text); err != nil {
			return nil, at(fmt.Sprintf("line %d", s.line), err)
		}
	}
	if r.statements == 0 && len(r.skipped) > 0 {
		return nil, bad("", "no statement of the OBJ format", "v, f and others")
	}
	r.noteSkipped()
	return r.finish()
}

// statements goes through a file line by line: lines that end in a backslash go on in
// the next one.
type statements struct {
	rest []byte
	sep  byte
	line int // where text begins
	last int // lines read
	text []byte
	long []byte // what lines were joined in
}

func newStatements(data []byte) *statements {
	s := &statements{rest: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), sep: '\n'}
	if bytes.IndexByte(data, '\n') < 0 {
		s.sep = '\r'
	}
	return s
}

// next moves on to the next line that isn't empty or a comment.
func (s *statements) next() bool {
	for len(s.rest) > 0 {
		s.line = s.last + 1
		line, more := s.physical()
		if more {
			s.long = append(s.long[:0], line...)
			for more && len(s.rest) > 0 {
				line, more = s.physical()
				s.long = append(append(s.long, ' '), line...)
			}
			line = s.long
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			s.text = line
			return true
		}
	}
	return false
}

// physical takes a line off the rest; more if it ends in a backslash, which is cut.
func (s *statements) physical() (line []byte, more bool) {
	line = s.rest
	if i := bytes.IndexByte(s.rest, s.sep); i >= 0 {
		line, s.rest = s.rest[:i], s.rest[i+1:]
	} else {
		s.rest = nil
	}
	s.last++
	line = bytes.TrimSuffix(line, []byte("\r"))
	if n := len(line); n > 0 && line[n-1] == '\\' {
		return line[:n-1], true
	}
	return line, false
}

// word takes the first word off a statement.
func word(text []byte) (first, rest []byte) {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	k := i
	for k < len(text) && text[k] != ' ' && text[k] != '\t' {
		k++
	}
	return text[i:k], text[k:]
}

func (r *objReader) statement(text []byte) error {
	key, rest := word(text)
	switch string(key) {
	case "v":
		return r.vertex(rest)
	case "vt":
		return r.texture(rest)
	case "vn":
		return r.normal(rest)
	case "f", "fo":
		return r.face(rest)
	case "o":
		r.object, r.group = string(bytes.TrimSpace(rest)), ""
	case "g":
		r.group = string(bytes.TrimSpace(rest))
	case "s":
		return r.smoothing(rest)
	case "usemtl":
		r.material = string(bytes.TrimSpace(rest))
	case "mtllib":
		return r.library(string(bytes.TrimSpace(rest)))
	default:
		name := clip(string(key))
		if len(r.skipped) < maxNotes || r.skipped[name] > 0 {
			r.skipped[name]++
		}
		return nil
	}
	r.statements++
	return nil
}

// noteSkipped names the statements that were not understood.
func (r *objReader) noteSkipped() {
	lines := 0
	var others []string
	for _, name := range sortedKeys(r.skipped) {
		if name == "p" || name == "l" {
			lines += r.skipped[name]
		} else {
			others = append(others, strconv.Quote(name))
		}
	}
	if lines > 0 {
		r.notes.add("Points and lines are not supported; they are not shown.")
	}
	if len(others) > 0 {
		r.notes.add("Statements that are not supported were skipped: %s.", clip(strings.Join(others, ", ")))
	}
}

// numbers reads up to len(into) numbers; what stands behind a # is a comment.
func numbers(rest []byte, into []float64) (int, error) {
	for n := range into {
		var w []byte
		if w, rest = word(rest); len(w) == 0 || w[0] == '#' {
			return n, nil
		}
		v, ok := parseFloat(w)
		if !ok {
			return n, bad("", fmt.Sprintf("%q", clip(string(w))), "a number")
		}
		into[n] = v
	}
	return len(into), nil
}

// parseFloat reads a decimal number. Those of up to 15 digits and a small exponent,
// which are nearly all, are exact in float64 and done without strconv.
func parseFloat(w []byte) (float64, bool) {
	i, negative := 0, false
	if i < len(w) && (w[i] == '-' || w[i] == '+') {
		negative = w[i] == '-'
		i++
	}
	mantissa, digits, fraction, point := uint64(0), 0, 0, false
	for ; i < len(w); i++ {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			mantissa = mantissa*10 + uint64(c-'0')
			digits++
			if point {
				fraction++
			}
		case c == '.' && !point:
			point = true
		default:
			digits = 99
		}
		if digits > 15 {
			v, err := strconv.ParseFloat(string(w), 64)
			if err != nil && !math.IsInf(v, 0) {
				return 0, false
			}
			return v, true
		}
	}
	if digits == 0 {
		return 0, false
	}
	v := float64(mantissa) / powers[fraction]
	if negative {
		v = -v
	}
	return v, true
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

func (r *objReader) vertex(rest []byte) error {
	var v [7]float64
	n, err := numbers(rest, v[:])
	if err != nil {
		return err
	}
	if n < 3 {
		return bad("", count(n, "coordinate"), "3")
	}
	for _, x := range v[:3] {
		if !(x >= -MaxCoordinate && x <= MaxCoordinate) {
			return bad("", fmt.Sprintf("the coordinate %g", x), "at most %g m from the origin", float64(MaxCoordinate))
		}
	}
	if len(r.positions) == math.MaxInt32 {
		return bad("", "too many positions", "at most %d", math.MaxInt32)
	}
	if n >= 6 && r.colors == nil {
		r.colors = make([][4]uint8, len(r.positions), cap(r.positions))
		for i := range r.colors {
			r.colors[i] = [4]uint8{255, 255, 255, 255}
		}
	}
	r.positions = append(r.positions, mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])})
	if r.colors != nil {
		c := [4]uint8{255, 255, 255, 255}
		if n >= 6 {
			c, err = r.color(v[3:], n == 7)
		}
		r.colors = append(r.colors, c)
	}
	return err
}

// color takes three or four numbers behind a position for sRGB and alpha.
func (r *objReader) color(v []float64, alpha bool) ([4]uint8, error) {
	var c [4]float32
	for k, x := range v[:3] {
		if x > 0.04045 {
			x = math.Pow((x+0.055)/1.055, 2.4)
		} else {
			x /= 12.92
		}
		c[k] = float32(x)
	}
	c[3] = 1
	if alpha {
		c[3] = float32(v[3])
	}
	out, clamped := color8(c)
	if clamped {
		r.notes.add("Some colours of vertices are outside 0 to 1; they were limited.")
	}
	return out, nil
}

func (r *objReader) texture(rest []byte) error {
	var v [3]float64
	n, err := numbers(rest, v[:])
	if err != nil {
		return err
	}
	if n < 1 {
		return bad("", "no texture coordinate", "one to three")
	}
	// The third is for solid textures.
	uv := mgl32.Vec2{float32(v[0]), float32(1 - v[1])}
	if !isFinite(uv[0]) || !isFinite(uv[1]) {
		r.badUVs = true
		uv = mgl32.Vec2{}
	}
	r.uvs = append(r.uvs, uv)
	return nil
}

func (r *objReader) normal(rest []byte) error {
	var v [3]float64
	n, err := numbers(rest, v[:])
	if err != nil {
		return err
	}
	if n < 3 {
		return bad("", count(n, "component")+" of a normal", "3")
	}
	u := mgl64.Vec3(v)
	if l := u.Len(); l > 0 && l < math.MaxFloat64 {
		u = u.Mul(1 / l)
	} else {
		u = mgl64.Vec3{} // made anew where it is used
	}
	r.normals = append(r.normals, mgl32.Vec3{float32(u[0]), float32(u[1]), float32(u[2])})
	return nil
}

func (r *objReader) smoothing(rest []byte) error {
	w, _ := word(rest)
	switch string(w) {
	case "off", "":
		r.smooth = 0
	case "on":
		r.smooth = 1
	default:
		n, err := strconv.ParseInt(string(w), 10, 32)
		if err != nil || n < 0 {
			return bad("", fmt.Sprintf("the smoothing group %q", clip(string(w))), "a number or off")
		}
		r.smooth = int32(n)
	}
	return nil
}

// library reads a material library. The names of several may stand in one line, and
// a name may have spaces.
func (r *objReader) library(names string) error {
	if names == "" {
		return bad("", "no name", "a material file")
	}
	err := r.readLibrary(names)
	if err == nil || contextError(err) != nil {
		return contextError(err)
	}
	list := strings.Fields(names)
	if len(list) == 1 {
		r.notes.add("The material file %q was not read: %s.", clip(names), reason(err))
		return nil
	}
	for _, name := range list {
		if err := r.readLibrary(name); contextError(err) != nil {
			return contextError(err)
		} else if err != nil {
			r.notes.add("The material file %q was not read: %s.", clip(name), reason(err))
		}
	}
	return nil
}

func (r *objReader) readLibrary(name string) error {
	clean, err := resolve(name, false)
	if err != nil {
		return err
	}
	if slices.Contains(r.libraries, clean) {
		return nil
	}
	data, err := r.files.follow(r.ctx, name, false)
	if err != nil {
		return err
	}
	if len(r.libraries) == maxLibraries {
		return &fault.Error{Found: fmt.Sprintf("more than %d material files", maxLibraries)}
	}
	r.libraries = append(r.libraries, clean)
	return readMTL(r.ctx, data, name, r.materials, r.notes)
}

// maxLibraries bounds how many material files one model may have.
const maxLibraries = 256
