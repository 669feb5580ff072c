package keymap

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"ridgeline/terrain/fault"
)

// Defaults is the embedded table.
//
//go:embed keys.toml
var Defaults []byte

// Map is a table of keys. The zero value binds nothing.
type Map struct {
	keys, hold map[string][]Chord
	byChord    map[Chord]string // actions of keys
	byHeld     map[string]string
}

// table is the file.
type table struct {
	Keys map[string][]string `toml:"keys"`
	Hold map[string][]string `toml:"hold"`
}

// Load gives the embedded table with the user's file on top, where there is one.
// A file that cannot be used is an error beside a usable map of the defaults.
func Load(userFile string) (*Map, error) {
	m, err := Parse("keys.toml", Defaults)
	if err != nil {
		return new(Map), err
	}
	data, err := os.ReadFile(userFile)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fault.Wrap("read the keys", userFile, err)
	}
	user, err := Parse(userFile, data)
	if err != nil {
		return m, err
	}
	return m.with(user), nil
}

// Parse reads one table. file is named in errors.
func Parse(file string, data []byte) (*Map, error) {
	var t table
	bad := func(place, found, want string, err error) error {
		return &fault.Error{Op: "read the keys", File: file, Place: place, Found: found, Want: want, Err: err}
	}
	if err := toml.Unmarshal(data, &t); err != nil {
		var d *toml.DecodeError
		if errors.As(err, &d) {
			row, col := d.Position()
			return nil, bad(fmt.Sprintf("line %d, column %d", row, col), d.Error(), "", nil)
		}
		return nil, bad("", "", "", err)
	}
	m := new(Map)
	for _, part := range []struct {
		from map[string][]string
		to   *map[string][]Chord
		hold bool
	}{{t.Keys, &m.keys, false}, {t.Hold, &m.hold, true}} {
		*part.to = map[string][]Chord{}
		for action, chords := range part.from {
			list := make([]Chord, 0, len(chords))
			for _, s := range chords {
				c, err := ParseChord(s)
				if err != nil {
					return nil, bad(fmt.Sprintf("%q", action), err.Error(), "", nil)
				}
				if part.hold && (c.Ctrl || c.Shift || c.Alt) {
					return nil, bad(fmt.Sprintf("%q", action), "the chord "+s, "a key without modifiers, as it is held down", nil)
				}
				list = append(list, c)
			}
			(*part.to)[action] = list
		}
	}
	return m.index(), nil
}

// with lays over on top of m.
func (m *Map) with(over *Map) *Map {
	out := &Map{keys: maps.Clone(m.keys), hold: maps.Clone(m.hold)}
	take := func(to, from map[string][]Chord) {
		for action, chords := range from {
			for other, list := range to {
				if other == action {
					continue
				}
				kept := slices.DeleteFunc(slices.Clone(list), func(c Chord) bool { return slices.Contains(chords, c) })
				to[other] = kept
			}
			to[action] = chords
		}
	}
	take(out.keys, over.keys)
	take(out.hold, over.hold)
	return out.index()
}

func (m *Map) index() *Map {
	m.byChord, m.byHeld = map[Chord]string{}, map[string]string{}
	// In sorted order, so that a chord listed twice means the same every time.
	for _, action := range slices.Sorted(maps.Keys(m.keys)) {
		for _, c := range m.keys[action] {
			m.byChord[c] = action
		}
	}
	for _, action := range slices.Sorted(maps.Keys(m.hold)) {
		for _, c := range m.hold[action] {
			m.byHeld[c.Key] = action
		}
	}
	return m
}

// Action gives the line that a chord runs.
func (m *Map) Action(c Chord) (line string, ok bool) {
	line, ok = m.byChord[c]
	return line, ok
}

// Held gives the control that a key works while it is down, whatever modifiers.
func (m *Map) Held(key string) (control string, ok bool) {
	control, ok = m.byHeld[key]
	return control, ok
}

// Hint is the first chord bound to a line, as text for menus and tooltips; empty
// when it has none.
func (m *Map) Hint(line string) string {
	if l := m.keys[line]; len(l) > 0 {
		return l[0].String()
	}
	return ""
}

// Actions lists all lines of [keys] in alphabetical order, bound or not.
func (m *Map) Actions() []string { return slices.Sorted(maps.Keys(m.keys)) }

// Controls lists all controls of [hold] in alphabetical order.
func (m *Map) Controls() []string { return slices.Sorted(maps.Keys(m.hold)) }

// Chords gives what is bound to a line of [keys] or a control of [hold].
func (m *Map) Chords(action string) []Chord {
	return append(slices.Clone(m.keys[action]), m.hold[action]...)
}
