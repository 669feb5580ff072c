package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain/fault"
)

// Object reads the known keys of a JSON object one by one; what is left over is
// kept. The first error stays and makes the rest do nothing.
type Object struct {
	place string
	rest  map[string]json.RawMessage
	err   error
}

// ParseObject reads a JSON object. place names it in errors: "entities[3]".
func ParseObject(raw json.RawMessage, place string) *Object {
	o := &Object{place: place}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		o.err = jsonFault(place, raw, err)
	} else if m == nil {
		o.err = &fault.Error{Place: place, Found: "null", Want: "an object"}
	}
	o.rest = m
	return o
}

// Place names the value of a key in errors.
func (o *Object) Place(key string) string {
	if o.place == "" {
		return key
	}
	return o.place + "." + key
}

// Raw takes the value of a key as it stands.
func (o *Object) Raw(key string) (raw json.RawMessage, ok bool) {
	if o.err != nil {
		return nil, false
	}
	raw, ok = o.rest[key]
	delete(o.rest, key)
	return raw, ok
}

// Get takes the value of a key, if it is there, and stores it in what to points
// to.
func (o *Object) Get(key string, to any) bool {
	raw, ok := o.Raw(key)
	if !ok {
		return false
	}
	if bytes.Equal(raw, []byte("null")) {
		o.Fail(key, "null", wanted(reflect.TypeOf(to).Elem()))
		return false
	}
	if err := json.Unmarshal(raw, to); err != nil {
		o.err = jsonFault(o.Place(key), raw, err)
		return false
	}
	return true
}

// Vector takes an array of exactly len(to) numbers.
func (o *Object) Vector(key string, to []float64) bool {
	var v []float64
	if !o.Get(key, &v) {
		return false
	}
	if len(v) != len(to) {
		o.Fail(key, count(len(v), "number"), strconv.Itoa(len(to)))
		return false
	}
	copy(to, v)
	return true
}

// List takes an array.
func (o *Object) List(key string) (list []json.RawMessage) {
	o.Get(key, &list)
	return list
}

// Fail records that the value of a key is wrong.
func (o *Object) Fail(key, found, want string) {
	if o.err == nil {
		o.err = &fault.Error{Place: o.Place(key), Found: found, Want: want}
	}
}

// Check records err, if there is one, as an error about the whole object.
func (o *Object) Check(err error) {
	if o.err == nil && err != nil {
		o.err = Misplaced(o.place, err)
	}
}

// Misplaced gives err a place, unless it already has one.
func Misplaced(place string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	return &fault.Error{Place: place, Err: err}
}

// End gives the keys that nobody took, in compact form, or the first error.
func (o *Object) End() (Extra, error) {
	if o.err != nil {
		return nil, o.err
	}
	if len(o.rest) == 0 {
		return nil, nil
	}
	extra := make(Extra, len(o.rest))
	for k, v := range o.rest {
		var b bytes.Buffer
		if err := json.Compact(&b, v); err != nil {
			return nil, jsonFault(o.Place(k), v, err)
		}
		extra[k] = b.Bytes()
	}
	return extra, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// jsonFault says in plain words what encoding/json found.
func jsonFault(place string, raw []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line, col := LineColumn(raw, syntax.Offset)
		at := fmt.Sprintf("line %d, column %d", line, col)
		if place != "" {
			at = place + ": " + at
		}
		return &fault.Error{Place: at, Found: "no JSON", Err: errors.New(syntax.Error())}
	case errors.As(err, &kind):
		found := kind.Value
		if len(found) > 60 {
			found = found[:60] + "…"
		}
		return &fault.Error{Place: place, Found: "a JSON " + found, Want: wanted(kind.Type)}
	}
	return &fault.Error{Place: place, Err: err}
}

// LineColumn finds the line and column, from 1, of the byte before offset.
func LineColumn(data []byte, offset int64) (line, col int) {
	before := data[:max(0, min(int(offset)-1, len(data)))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, len(before) - bytes.LastIndexByte(before, '\n')
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number of at least 0"
	case reflect.Slice, reflect.Array:
		return "an array"
	}
	return "an object"
}

// Builder writes a JSON object: keys sorted, compact, without escapes for HTML.
type Builder struct {
	keys map[string]json.RawMessage
	err  error
}

// NewBuilder begins an object that has the unknown keys it was read with.
func NewBuilder(extra Extra) *Builder {
	b := &Builder{keys: make(map[string]json.RawMessage, len(extra)+8)}
	maps.Copy(b.keys, extra)
	return b
}

// Set sets a key to the JSON of v.
func (b *Builder) Set(key string, v any) {
	raw, err := Compact(v)
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("%s: %w", key, err)
	}
	b.keys[key] = raw
}

// Raw sets a key to finished JSON.
func (b *Builder) Raw(key string, raw json.RawMessage) { b.keys[key] = raw }

// Keys gives the keys in order.
func (b *Builder) Keys() []string { return slices.Sorted(maps.Keys(b.keys)) }

// Value gives the JSON of a key.
func (b *Builder) Value(key string) json.RawMessage { return b.keys[key] }

// Err is the first error of Set.
func (b *Builder) Err() error { return b.err }

// Bytes gives the object.
func (b *Builder) Bytes() ([]byte, error) {
	if b.err != nil {
		return nil, b.err
	}
	out := []byte{'{'}
	for i, k := range b.Keys() {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := Compact(k)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), b.keys[k]...)
	}
	return append(out, '}'), nil
}

// Compact is v as compact JSON without escapes for HTML.
func Compact(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// vec is v without a spare copy of the array.
func vec(v mgl64.Vec3) []float64 { return v[:] }

// ParseEntity reads an entity as AppendEntity writes it. place names it in errors.
func ParseEntity(raw json.RawMessage, place string) (Entity, error) {
	o := ParseObject(raw, place)
	e := Entity{Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}}
	if !o.Get("id", &e.ID) {
		o.Fail("id", "nothing", "the id of the entity")
	}
	if !o.Get("kind", &e.Kind) {
		o.Fail("kind", "nothing", "the kind of the entity")
	}
	o.Get("name", &e.Name)
	o.Get("parent", &e.Parent)
	o.Vector("translation", e.Translation[:])
	var q [4]float64
	if o.Vector("rotation", q[:]) {
		e.Rotation = mgl64.Quat{W: q[3], V: mgl64.Vec3{q[0], q[1], q[2]}}
		if e.Rotation == (mgl64.Quat{}) {
			o.Fail("rotation", "four zeros", "a quaternion of length 1")
		}
	}
	if o.Vector("scale", e.Scale[:]) && e.Scale == (mgl64.Vec3{}) {
		o.Fail("scale", "three zeros", "factors other than 0")
	}
	o.Get("layer", &e.Layer)
	o.Get("hidden", &e.Hidden)
	o.Get("locked", &e.Locked)
	o.Get("properties", &e.Properties)
	if data, ok := o.Raw("data"); ok {
		d, err := parseData(e.Kind, data, o.Place("data"))
		o.Check(err)
		e.Data = d
	}
	extra, err := o.End()
	if err != nil {
		return Entity{}, err
	}
	e.Extra = extra
	if err := e.Validate(); err != nil {
		return Entity{}, Misplaced(place, err)
	}
	return *e.normal(), nil
}

// EncodeEntity writes an entity as compact JSON with sorted keys. What has its
// usual value is left out.
func EncodeEntity(e *Entity) ([]byte, error) {
	e = e.normal()
	w := entityWriter{out: append(make([]byte, 0, 256), '{'), extra: slices.Sorted(maps.Keys(e.Extra)), values: e.Extra}
	if e.Data != nil {
		raw, err := e.Data.MarshalJSON()
		if err != nil {
			return nil, err
		}
		w.key("data")
		w.out = append(w.out, raw...)
	}
	if e.Hidden {
		w.key("hidden")
		w.out = append(w.out, "true"...)
	}
	w.key("id")
	w.out = strconv.AppendUint(w.out, uint64(e.ID), 10)
	w.text("kind", string(e.Kind))
	if e.Layer != "" {
		w.text("layer", e.Layer)
	}
	if e.Locked {
		w.key("locked")
		w.out = append(w.out, "true"...)
	}
	if e.Name != "" {
		w.text("name", e.Name)
	}
	if e.Parent != 0 {
		w.key("parent")
		w.out = strconv.AppendUint(w.out, uint64(e.Parent), 10)
	}
	if len(e.Properties) > 0 {
		w.key("properties")
		w.value(e.Properties)
	}
	if q := []float64{e.Rotation.V[0], e.Rotation.V[1], e.Rotation.V[2], e.Rotation.W}; e.Rotation != mgl64.QuatIdent() || negativeZero(q) {
		w.numbers("rotation", q)
	}
	if e.Scale != (mgl64.Vec3{1, 1, 1}) {
		w.numbers("scale", e.Scale[:])
	}
	if e.Translation != (mgl64.Vec3{}) || negativeZero(e.Translation[:]) {
		w.numbers("translation", e.Translation[:])
	}
	w.flush("")
	return append(w.out, '}'), w.err
}

// entityWriter writes the keys of an entity, which come in order, and its unknown
// keys between them. Levels have many entities, so it does without a map.
type entityWriter struct {
	out    []byte
	extra  []string // unknown keys still to be written, in order
	values Extra
	err    error
}

// flush writes the unknown keys that come before key; all of them before "".
func (w *entityWriter) flush(key string) {
	for len(w.extra) > 0 && (key == "" || w.extra[0] < key) {
		k := w.extra[0]
		w.extra = w.extra[1:]
		w.comma()
		w.value(k)
		w.out = append(append(w.out, ':'), w.values[k]...)
	}
}

func (w *entityWriter) comma() {
	if len(w.out) > 1 {
		w.out = append(w.out, ',')
	}
}

// key begins a known key, which needs no escapes.
func (w *entityWriter) key(k string) {
	w.flush(k)
	if len(w.extra) > 0 && w.extra[0] == k {
		w.extra = w.extra[1:]
	}
	w.comma()
	w.out = append(append(append(w.out, '"'), k...), '"', ':')
}

func (w *entityWriter) value(v any) {
	raw, err := Compact(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.out = append(w.out, raw...)
}

func (w *entityWriter) text(key, s string) {
	w.key(key)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			w.value(s)
			return
		}
	}
	w.out = append(append(append(w.out, '"'), s...), '"')
}

// numbers writes floats as encoding/json does.
func (w *entityWriter) numbers(key string, vs []float64) {
	w.key(key)
	for i, v := range vs {
		c := byte(',')
		if i == 0 {
			c = '['
		}
		w.out = append(w.out, c)
		if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
			w.value(v)
		} else {
			w.out = strconv.AppendFloat(w.out, v, 'f', -1, 64)
		}
	}
	w.out = append(w.out, ']')
}

// parseData reads the data of an entity: into the type of its kind, or as it
// stands.
func parseData(k Kind, raw json.RawMessage, place string) (Data, error) {
	if k == KindMarker {
		return parseMarker(raw, place)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, jsonFault(place, raw, err)
	}
	return RawData{Of: k, JSON: b.Bytes()}, nil
}

func parseMarker(raw json.RawMessage, place string) (Data, error) {
	o := ParseObject(raw, place)
	var m Marker
	o.Get("shape", &m.Shape)
	for i, p := range o.List("points") {
		var v []float64
		if err := json.Unmarshal(p, &v); err != nil || len(v) != 3 {
			o.Fail(fmt.Sprintf("points[%d]", i), string(p), "three numbers")
			break
		}
		m.Points = append(m.Points, mgl64.Vec3(v))
	}
	extra, err := o.End()
	m.Extra = extra
	return m, err
}

// MarshalJSON implements Data.
func (m Marker) MarshalJSON() ([]byte, error) {
	b := NewBuilder(m.Extra)
	b.Set("shape", m.Shape)
	b.Set("points", m.Points)
	return b.Bytes()
}

func negativeZero(v []float64) bool {
	return slices.ContainsFunc(v, func(f float64) bool { return f == 0 && 1/f < 0 })
}

// ParseLayer reads a layer as EncodeLayer writes it.
func ParseLayer(raw json.RawMessage, place string) (Layer, error) {
	o := ParseObject(raw, place)
	l := Layer{Tint: white}
	o.Get("name", &l.Name)
	o.Get("texture", &l.Texture)
	o.Get("uv_scale", &l.UVScale)
	if o.Vector("tint", l.Tint[:]) && l.Tint == (mgl64.Vec3{}) {
		o.Fail("tint", "three zeros", "a colour other than black")
	}
	extra, err := o.End()
	if err != nil {
		return Layer{}, err
	}
	l.Extra = extra
	if err := l.Validate(); err != nil {
		return Layer{}, Misplaced(place, err)
	}
	return l, nil
}

// EncodeLayer writes a layer as compact JSON with sorted keys.
func EncodeLayer(l *Layer) ([]byte, error) {
	b := NewBuilder(l.Extra)
	b.Set("name", l.Name)
	b.Set("texture", l.Texture)
	b.Set("uv_scale", l.UVScale)
	if t := l.tint(); t != white {
		b.Set("tint", vec(t))
	}
	return b.Bytes()
}

// ParseSettings reads settings as EncodeSettings returns them.
func ParseSettings(raw json.RawMessage, place string) (Settings, error) {
	o := ParseObject(raw, place)
	s := Settings{Sun: DefaultSun()}
	if raw, ok := o.Raw("sun"); ok {
		sun, err := parseSun(raw, o.Place("sun"))
		o.Check(err)
		s.Sun = sun
	}
	if raw, ok := o.Raw("height_range"); ok {
		r := ParseObject(raw, o.Place("height_range"))
		r.Get("min", &s.HeightRange.Min)
		r.Get("max", &s.HeightRange.Max)
		r.Get("bits", &s.HeightRange.Bits)
		s.HeightRange.Set = true
		r.Check(s.HeightRange.Validate())
		_, err := r.End()
		o.Check(err)
	}
	o.Get("geo", &s.Geo)
	if raw, ok := o.Raw("camera"); ok {
		c, err := parseCamera(raw, o.Place("camera"))
		o.Check(err)
		s.Camera = c
	}
	var marks map[string]json.RawMessage
	if o.Get("bookmarks", &marks) && len(marks) > 0 {
		s.Bookmarks = make(map[string]Camera, len(marks))
		for _, name := range slices.Sorted(maps.Keys(marks)) {
			c, err := parseCamera(marks[name], o.Place("bookmarks")+"."+name)
			o.Check(err)
			s.Bookmarks[name] = c
		}
	}
	if len(s.Geo) == 0 {
		s.Geo = nil
	}
	o.Check(s.Validate())
	extra, err := o.End()
	s.Extra = extra
	return s, err
}

func parseSun(raw json.RawMessage, place string) (Sun, error) {
	o := ParseObject(raw, place)
	s := DefaultSun()
	o.Get("azimuth", &s.Azimuth)
	o.Get("elevation", &s.Elevation)
	o.Vector("color", s.Color[:])
	o.Get("intensity", &s.Intensity)
	o.Get("ambient", &s.Ambient)
	o.Get("baked", &s.Baked)
	o.Check(s.Validate())
	extra, err := o.End()
	s.Extra = extra
	return s, err
}

func parseCamera(raw json.RawMessage, place string) (Camera, error) {
	o := ParseObject(raw, place)
	var c Camera
	o.Vector("eye", c.Eye[:])
	o.Vector("look", c.Look[:])
	_, err := o.End()
	return c, err
}

func encodeCamera(c Camera) map[string]any {
	return map[string]any{"eye": vec(c.Eye), "look": vec(c.Look)}
}

// EncodeSettings gives the settings as a JSON object that is still open.
func EncodeSettings(s *Settings) *Builder {
	b := NewBuilder(s.Extra)
	sun := NewBuilder(s.Sun.Extra)
	sun.Set("azimuth", s.Sun.Azimuth)
	sun.Set("elevation", s.Sun.Elevation)
	sun.Set("color", vec(s.Sun.Color))
	sun.Set("intensity", s.Sun.Intensity)
	sun.Set("ambient", s.Sun.Ambient)
	sun.Set("baked", s.Sun.Baked)
	raw, err := sun.Bytes()
	b.err = err
	b.Raw("sun", raw)
	if h := s.HeightRange; h.Set {
		b.Set("height_range", map[string]any{"min": h.Min, "max": h.Max, "bits": h.Bits})
	}
	if len(s.Geo) > 0 {
		b.Set("geo", s.Geo)
	}
	if s.Camera.IsSet() {
		b.Set("camera", encodeCamera(s.Camera))
	}
	if len(s.Bookmarks) > 0 {
		marks := make(map[string]any, len(s.Bookmarks))
		for name, c := range s.Bookmarks {
			marks[name] = encodeCamera(c)
		}
		b.Set("bookmarks", marks)
	}
	return b
}
