package runtime

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/qmuntal/gltf"

	"ridgeline/export/strict"
	"ridgeline/terrain/fault"
)

// extension reads one of some extensions, whoever made them; not ok without it. Errors have
// places in its value.
func extension(all gltf.Extensions, name string, into any) (ok bool, err error) {
	value, ok := all[name]
	if !ok {
		return false, nil
	}
	raw, is := value.(json.RawMessage)
	if !is {
		if raw, err = json.Marshal(value); err != nil {
			return true, err
		}
	}
	return true, strict.Unmarshal(raw, into)
}

// extra reads a key of extras. It is not there in those that are no object.
func extra(extras any, key string, into any) (ok bool, err error) {
	raw, is := extras.(json.RawMessage)
	if !is {
		if raw, err = json.Marshal(extras); err != nil {
			return false, err
		}
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object[key] == nil {
		return false, nil
	}
	return true, strict.Unmarshal(object[key], into)
}

// below puts a place before that of an error; nil without one.
func below(place string, err error) error {
	if err == nil {
		return nil
	}
	var e *fault.Error
	if !errors.As(err, &e) {
		return placed(place, err)
	}
	c := *e
	if c.Place != "" && !strings.HasPrefix(c.Place, "[") {
		place += "."
	}
	c.Place = place + c.Place
	return &c
}
