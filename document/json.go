package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"ridgeline/terrain/fault"
)

// Fields reads the known keys of a JSON object one by one; what is left over is
// kept. The first error stays and makes the rest do nothing.
type Fields struct {
	place string
	rest  map[string]json.RawMessage
	err   error
}

// ParseFields reads a JSON object. place names it in errors: "entities[3]".
func ParseFields(raw json.RawMessage, place string) *Fields {
	o := &Fields{place: place}
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
func (o *Fields) Place(key string) string {
	if o.place == "" {
		return key
	}
	return o.place + "." + key
}

// Raw takes the value of a key as it stands.
func (o *Fields) Raw(key string) (raw json.RawMessage, ok bool) {
	if o.err != nil {
		return nil, false
	}
	raw, ok = o.rest[key]
	delete(o.rest, key)
	return raw, ok
}

// Get takes the value of a key, if it is there, and stores it in what to points
// to.
func (o *Fields) Get(key string, to any) bool {
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
func (o *Fields) Vector(key string, to []float64) bool {
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
func (o *Fields) List(key string) (list []json.RawMessage) {
	o.Get(key, &list)
	return list
}

// Fail records that the value of a key is wrong.
func (o *Fields) Fail(key, found, want string) {
	if o.err == nil {
		o.err = &fault.Error{Place: o.Place(key), Found: found, Want: want}
	}
}

// Check records err, if there is one, as an error about the whole object.
func (o *Fields) Check(err error) {
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
func (o *Fields) End() (Extra, error) {
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
