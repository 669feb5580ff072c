package keymap

import (
	"fmt"
	"strings"
)

// Chord is a key with modifiers. Key is an upper-case letter, a digit, a sign as
// it is printed on the key ("[", "~") or one of the names in Names.
type Chord struct {
	Ctrl, Shift, Alt bool
	Key              string
}

// Names are the keys that have a word for a name.
var Names = []string{
	"Esc", "Enter", "Tab", "Space", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown",
	"Left", "Right", "Up", "Down",
	"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
}

// ParseChord reads a chord as it is written in the table and in tooltips:
// "Ctrl+Shift+Z". The sign + itself is "Plus".
func ParseChord(s string) (Chord, error) {
	var c Chord
	parts := strings.Split(s, "+")
	for _, m := range parts[:len(parts)-1] {
		var flag *bool
		switch strings.ToLower(strings.TrimSpace(m)) {
		case "ctrl":
			flag = &c.Ctrl
		case "shift":
			flag = &c.Shift
		case "alt":
			flag = &c.Alt
		default:
			return Chord{}, fmt.Errorf("%q is not a modifier, expected Ctrl, Shift or Alt", m)
		}
		if *flag {
			return Chord{}, fmt.Errorf("%q names %s twice", s, m)
		}
		*flag = true
	}
	key := strings.TrimSpace(parts[len(parts)-1])
	for _, n := range Names {
		if strings.EqualFold(n, key) {
			c.Key = n
			return c, nil
		}
	}
	if strings.EqualFold(key, "Plus") {
		c.Key = "+"
		return c, nil
	}
	if r := []rune(key); len(r) == 1 && r[0] > ' ' {
		c.Key = strings.ToUpper(key)
		return c, nil
	}
	return Chord{}, fmt.Errorf("%q is not a key, expected a letter, a digit, a sign or one of %s", key, strings.Join(Names, ", "))
}

// String writes the chord so that ParseChord reads it back.
func (c Chord) String() string {
	var b strings.Builder
	if c.Ctrl {
		b.WriteString("Ctrl+")
	}
	if c.Shift {
		b.WriteString("Shift+")
	}
	if c.Alt {
		b.WriteString("Alt+")
	}
	if c.Key == "+" {
		b.WriteString("Plus")
	} else {
		b.WriteString(c.Key)
	}
	return b.String()
}
