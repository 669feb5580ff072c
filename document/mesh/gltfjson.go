package mesh

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/qmuntal/gltf"

	"ridgeline/terrain/fault"
)

// Limits of the JSON of a glTF file. They bound what decoding can take: an empty
// object is two bytes of text and some hundred of memory.
const (
	maxText       = 256 << 20 // bytes outside strings
	maxContainers = 4 << 20   // objects and arrays
)

// document is the JSON of a glTF file. The library turns what it doesn't know in an
// enumeration into the default, and can't tell what is absent from zero, so these
// fields are decoded a second time as they are written.
type document struct {
	*gltf.Document
	written written
	more    []string // extensions that may be required, beside those in known

	instances map[int]*instancing // by node, once they were checked
}

type written struct {
	Asset     *struct{ Version, MinVersion *string }
	Accessors []struct {
		ComponentType, Count *int
		Type                 *string
		Sparse               *struct {
			Count   *int
			Indices *struct{ BufferView, ComponentType *int }
			Values  *struct{ BufferView *int }
		}
	}
	BufferViews []struct{ Buffer, ByteLength, ByteStride, Target *int }
	Buffers     []struct{ ByteLength *int }
	Materials   []struct{ AlphaMode *string }
	Meshes      []struct {
		Primitives []struct{ Mode *int }
	}
	Nodes    []struct{ Matrix, Translation, Rotation, Scale []float64 }
	Samplers []struct{ MagFilter, MinFilter, WrapS, WrapT *int }
}

// parseDocument decodes the JSON of a glTF file and makes sure that no element of a
// list is null. Nothing else is checked.
func parseDocument(text []byte) (*document, error) {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return nil, &fault.Error{Place: "JSON", Found: "a byte order mark", Want: "none, as glTF demands"}
	}
	text, err := plainIntegers(text)
	if err != nil {
		return nil, err
	}
	d := &document{}
	if err := d.unmarshal(text); err != nil {
		return nil, jsonError(err)
	}
	return d, d.noNulls()
}

// unmarshal decodes. The library panics on some wrong types, which is bad input like
// any other.
func (d *document) unmarshal(text []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &fault.Error{Place: "JSON", Found: "a structure that can't be decoded", Err: fmt.Errorf("%v", r)}
		}
	}()
	d.Document = new(gltf.Document)
	if err := json.Unmarshal(text, d.Document); err != nil {
		return err
	}
	return json.Unmarshal(text, &d.written)
}

// jsonError says where decoding failed.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &fault.Error{Place: fmt.Sprintf("JSON, byte %d", syntax.Offset), Found: syntax.Error(), Want: "JSON"}
	case errors.As(err, &kind):
		place := "JSON"
		if kind.Field != "" {
			place += ", " + clip(kind.Field)
		}
		return &fault.Error{Place: place, Found: jsonWord(kind.Value), Want: goWord(kind.Type)}
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	return &fault.Error{Place: "JSON", Err: err}
}

// jsonWord words what stands in the file.
func jsonWord(value string) string {
	switch value {
	case "string":
		return "a text"
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "bool":
		return "true or false"
	}
	return "the " + value // "number 1e309"
}

// goWord words what should stand there.
func goWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return "a small positive integer"
	case reflect.Float64:
		return "a number that float64 can hold"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	}
	return "an object"
}

// plainIntegers writes numbers such as 3.0 and 30e-1, which glTF allows for
// integers, without fraction, since the decoder wants them so. It also counts what
// the limits are about. Text that needs no change is returned as it is.
func plainIntegers(text []byte) ([]byte, error) {
	var out []byte // the new text up to done, once something changed
	done, outside, containers := 0, 0, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
			continue
		case c == '{' || c == '[':
			containers++
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(text) && bytes.IndexByte([]byte("0123456789.eE+-"), text[end]) >= 0 {
				end++
			}
			if plain, ok := plainInteger(text[i:end]); ok {
				out = append(append(out, text[done:i]...), plain...)
				done = end
			}
			outside += end - i
			i = end
			continue
		}
		outside++
		i++
	}
	if outside > maxText || containers > maxContainers {
		return nil, &fault.Error{Place: "JSON", Found: fmt.Sprintf("%d objects and arrays in %d MiB", containers, outside>>20),
			Want: fmt.Sprintf("at most %d in %d MiB", maxContainers, maxText>>20)}
	}
	if out == nil {
		return text, nil
	}
	return append(out, text[done:]...), nil
}

// stringEnd is the position behind the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// plainInteger writes a number with fraction or exponent as an integer, if it is
// one that a float64 holds exactly.
func plainInteger(number []byte) (string, bool) {
	if len(number) > 64 || bytes.IndexAny(number, ".eE") < 0 || !json.Valid(number) {
		return "", false
	}
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return "", false
	}
	return strconv.FormatInt(int64(v), 10), true
}

// noNulls reports the first list that has null for an element.
func (d *document) noNulls() error {
	for _, err := range []error{
		noNull("accessors", d.Accessors), noNull("animations", d.Animations),
		noNull("buffers", d.Buffers), noNull("bufferViews", d.BufferViews),
		noNull("cameras", d.Cameras), noNull("images", d.Images),
		noNull("materials", d.Materials), noNull("meshes", d.Meshes),
		noNull("nodes", d.Nodes), noNull("samplers", d.Samplers),
		noNull("scenes", d.Scenes), noNull("skins", d.Skins),
		noNull("textures", d.Textures),
	} {
		if err != nil {
			return err
		}
	}
	for i, m := range d.Meshes {
		if err := noNull(fmt.Sprintf("meshes[%d].primitives", i), m.Primitives); err != nil {
			return err
		}
	}
	for i, a := range d.Animations {
		place := fmt.Sprintf("animations[%d]", i)
		if err := noNull(place+".channels", a.Channels); err != nil {
			return err
		}
		if err := noNull(place+".samplers", a.Samplers); err != nil {
			return err
		}
	}
	return d.sameLengths()
}

func noNull[T any](place string, list []*T) error {
	for i, e := range list {
		if e == nil {
			return &fault.Error{Place: fmt.Sprintf("%s[%d]", place, i), Found: "null", Want: "an object"}
		}
	}
	return nil
}

// sameLengths makes sure that both decodings saw the same lists: keys that are
// there twice, or in two spellings, could make a difference.
func (d *document) sameLengths() error {
	w := &d.written
	same := len(w.Accessors) == len(d.Accessors) && len(w.BufferViews) == len(d.BufferViews) &&
		len(w.Buffers) == len(d.Buffers) && len(w.Materials) == len(d.Materials) &&
		len(w.Meshes) == len(d.Meshes) && len(w.Nodes) == len(d.Nodes) && len(w.Samplers) == len(d.Samplers)
	for i := 0; same && i < len(d.Meshes); i++ {
		same = len(w.Meshes[i].Primitives) == len(d.Meshes[i].Primitives)
	}
	if !same {
		return &fault.Error{Place: "JSON", Found: "a list that is there twice", Want: "each key once"}
	}
	return nil
}
