// Package strict reads JSON into Go values as encoding/json does, but for what that lets
// pass: it fills up lists of fixed length that are too short and drops what is too much,
// takes null for zero, and neither misses a key nor minds one that is there twice.
//
// A key without omitempty in its field's tag has to be there, null stands for nothing but
// a pointer, and an array has as many elements as its type. Unknown keys are somebody
// else's. What is kept as json.RawMessage, or has an UnmarshalJSON of its own, is not
// looked into.
package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"ridgeline/terrain/fault"
)

// Unmarshal reads JSON. Errors are *fault.Error, with a place such as nodes[3].rotation in
// the value, or the byte where it is no JSON.
func Unmarshal(data []byte, to any) error {
	err := json.Unmarshal(data, to)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return &fault.Error{Place: fmt.Sprintf("byte %d", syntax.Offset), Found: syntax.Error(), Want: "JSON"}
	}
	r := &reader{data: data, failed: err != nil, plans: map[reflect.Type]*plan{}}
	if f := r.value(reflect.TypeOf(to).Elem()); f != nil {
		f.Place = r.place()
		return f
	}
	if err != nil {
		return &fault.Error{Err: err}
	}
	return nil
}

// reader holds JSON, which is known to be some, against a type.
type reader struct {
	data   []byte
	at     int
	path   []step
	failed bool // to decode it: numbers are looked at too
	plans  map[reflect.Type]*plan
}

// step is a part of a place: a field, a key of a map, or an element of a list.
type step struct {
	name  string
	index int
	kind  reflect.Kind
}

func (r *reader) place() string {
	var b strings.Builder
	for _, s := range r.path {
		switch {
		case s.kind == reflect.Slice:
			fmt.Fprintf(&b, "[%d]", s.index)
		case s.kind == reflect.Map:
			fmt.Fprintf(&b, "[%q]", clip(s.name))
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// plan is what is known of a struct type.
type plan struct {
	fields []field
	index  map[string]int
}

type field struct {
	name   string
	of     reflect.Type
	needed bool
}

func (r *reader) planOf(t reflect.Type) *plan {
	if p := r.plans[t]; p != nil {
		return p
	}
	p := &plan{index: map[string]int{}}
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		p.index[name] = len(p.fields)
		p.fields = append(p.fields, field{name, f.Type, !strings.Contains(rest, "omitempty")})
	}
	r.plans[t] = p
	return p
}

// find gives the field of a key; less than 0 for a key that the type does not have.
func (p *plan) find(key string) int {
	if i, ok := p.index[key]; ok {
		return i
	}
	for i := range p.fields {
		if strings.EqualFold(p.fields[i].name, key) {
			return i
		}
	}
	return -1
}

var (
	rawType     = reflect.TypeFor[json.RawMessage]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
)

// value reads a value of a type. The path of a fault is left as it is then.
func (r *reader) value(t reflect.Type) *fault.Error {
	r.space()
	if t == rawType || t.Kind() == reflect.Interface || reflect.PointerTo(t).Implements(unmarshaler) {
		r.skip()
		return nil
	}
	c := r.data[r.at]
	if t.Kind() == reflect.Pointer {
		if c == 'n' {
			r.skip()
			return nil
		}
		return r.value(t.Elem())
	}
	if want := wants[t.Kind()]; strings.IndexByte(want.first, c) < 0 {
		return &fault.Error{Found: found(c), Want: want.word}
	}
	switch t.Kind() {
	case reflect.Struct:
		return r.object(t)
	case reflect.Map:
		return r.table(t)
	case reflect.Slice, reflect.Array:
		return r.list(t)
	}
	first := r.at
	r.skip()
	if r.failed && strings.IndexByte(numeric, c) >= 0 {
		return number(string(r.data[first:r.at]), t)
	}
	return nil
}

// want is how a value begins, and what it is called.
type want struct{ first, word string }

const numeric = "-0123456789"

var wants = func() map[reflect.Kind]want {
	m := map[reflect.Kind]want{
		reflect.Struct: {"{", "an object"}, reflect.Map: {"{", "an object"}, reflect.Slice: {"[", "a list"}, reflect.Array: {"[", "a list"},
		reflect.String: {`"`, "a text"}, reflect.Bool: {"tf", "true or false"}, reflect.Float32: {numeric, "a number"}, reflect.Float64: {numeric, "a number"},
	}
	for k := reflect.Int; k <= reflect.Uint64; k++ {
		m[k] = want{numeric, "an integer"}
	}
	return m
}()

func found(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't':
		return "true"
	case 'f':
		return "false"
	case 'n':
		return "null"
	}
	return "a number"
}

// number tells whether a type holds a number.
func number(text string, t reflect.Type) *fault.Error {
	var err error
	var want string
	switch k := t.Kind(); {
	case k <= reflect.Int64:
		_, err = strconv.ParseInt(text, 10, t.Bits())
		want = fmt.Sprintf("an integer of %d bits", t.Bits())
	case k <= reflect.Uint64:
		_, err = strconv.ParseUint(text, 10, t.Bits())
		want = fmt.Sprintf("an integer of %d bits, 0 or more", t.Bits())
	default:
		_, err = strconv.ParseFloat(text, t.Bits())
		want = fmt.Sprintf("a number that float%d holds", t.Bits())
	}
	if err != nil {
		return &fault.Error{Found: clip(text), Want: want}
	}
	return nil
}

func (r *reader) object(t reflect.Type) *fault.Error {
	p := r.planOf(t)
	seen := make([]bool, len(p.fields))
	for r.next('}') {
		key := r.key()
		i := p.find(key)
		if i < 0 {
			r.space()
			r.skip()
			continue
		}
		r.path = append(r.path, step{name: p.fields[i].name, kind: reflect.Struct})
		if seen[i] {
			return &fault.Error{Found: "the key a second time", Want: "each key once"}
		}
		seen[i] = true
		if f := r.value(p.fields[i].of); f != nil {
			return f
		}
		r.path = r.path[:len(r.path)-1]
	}
	for i := range seen {
		if !seen[i] && p.fields[i].needed {
			r.path = append(r.path, step{name: p.fields[i].name, kind: reflect.Struct})
			return &fault.Error{Found: "nothing", Want: nounOf(p.fields[i].of)}
		}
	}
	return nil
}

// nounOf is what a value of a type is called.
func nounOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return nounOf(t.Elem())
	}
	if w, ok := wants[t.Kind()]; ok && t != rawType {
		return w.word
	}
	return "a value"
}

func (r *reader) table(t reflect.Type) *fault.Error {
	seen := map[string]bool{}
	for r.next('}') {
		key := r.key()
		r.path = append(r.path, step{name: key, kind: reflect.Map})
		if seen[key] {
			return &fault.Error{Found: "the key a second time", Want: "each key once"}
		}
		seen[key] = true
		if f := r.value(t.Elem()); f != nil {
			return f
		}
		r.path = r.path[:len(r.path)-1]
	}
	return nil
}

func (r *reader) list(t reflect.Type) *fault.Error {
	most := -1
	if t.Kind() == reflect.Array {
		most = t.Len()
	}
	n := 0
	for ; r.next(']'); n++ {
		if n == most {
			return &fault.Error{Found: "more elements", Want: strconv.Itoa(most)}
		}
		r.path = append(r.path, step{index: n, kind: reflect.Slice})
		if f := r.value(t.Elem()); f != nil {
			return f
		}
		r.path = r.path[:len(r.path)-1]
	}
	if n < most {
		return &fault.Error{Found: elements(n), Want: strconv.Itoa(most)}
	}
	return nil
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return fmt.Sprintf("%d elements", n)
}

// next goes to the next key or element of what begins here, or of what one was read of; not
// ok behind its end.
func (r *reader) next(end byte) bool {
	r.space()
	before := r.data[r.at]
	if r.at++; before == end {
		return false
	}
	if r.space(); before != ',' && r.data[r.at] == end {
		r.at++
		return false
	}
	return true
}

// key reads a key and its colon.
func (r *reader) key() string {
	first := r.at
	r.text()
	raw := r.data[first:r.at]
	r.space()
	r.at++
	key := string(raw[1 : len(raw)-1])
	if strings.IndexByte(key, '\\') >= 0 {
		json.Unmarshal(raw, &key) // it is a text
	}
	return key
}

// text goes behind a text.
func (r *reader) text() {
	for r.at++; r.data[r.at] != '"'; r.at++ {
		if r.data[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
}

// skip goes behind a value.
func (r *reader) skip() {
	for depth := 0; ; {
		switch c := r.data[r.at]; c {
		case '"':
			r.text()
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			depth--
			r.at++
		case ',', ':', ' ', '\t', '\r', '\n':
			r.at++
			continue
		default:
			for r.at < len(r.data) && strings.IndexByte(",:]} \t\r\n", r.data[r.at]) < 0 {
				r.at++
			}
		}
		if depth == 0 {
			return
		}
	}
}

func (r *reader) space() {
	for r.at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[r.at]) >= 0 {
		r.at++
	}
}

// clip shortens text of a file for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
