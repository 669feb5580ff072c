package keymap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChordsParseBack(t *testing.T) {
	m, err := Parse("keys.toml", Defaults)
	if err != nil {
		t.Fatal(err)
	}
	// A key may both run something and be held, as W does: it flies while the camera is
	// turned. Within each kind it has one meaning.
	seen := map[Chord]string{}
	for i, action := range append(m.Actions(), m.Controls()...) {
		if i == len(m.Actions()) {
			clear(seen)
		}
		for _, c := range m.Chords(action) {
			if back, err := ParseChord(c.String()); err != nil || back != c {
				t.Errorf("%v parses back to %v, %v", c, back, err)
			}
			if other, ok := seen[c]; ok {
				t.Errorf("%v is bound to %q and to %q", c, other, action)
			}
			seen[c] = action
		}
	}
	for _, bad := range []string{"", "Ctrl+", "Hyper+A", "Ctrl+Ctrl+A", "AB", "Ctrl++"} {
		if c, err := ParseChord(bad); err == nil {
			t.Errorf("%q parsed as %v", bad, c)
		}
	}
}

func load(t *testing.T, text string) (*Map, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Load(file)
}

func TestUserFileLiesOnTop(t *testing.T) {
	m, err := load(t, "[keys]\n\"redo\" = [\"Ctrl+Z\"]\n\"view.palette\" = []\n\"sun.set elevation=10\" = [\"F9\"]\n[hold]\n\"forward\" = [\"Up\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	action := func(s string) string {
		c, err := ParseChord(s)
		if err != nil {
			t.Fatal(err)
		}
		line, _ := m.Action(c)
		return line
	}
	for chord, want := range map[string]string{
		"Ctrl+Z": "redo", "Ctrl+Shift+Z": "", "Ctrl+P": "", "F9": "sun.set elevation=10", "Ctrl+S": "app.save",
	} {
		if got := action(chord); got != want {
			t.Errorf("%s runs %q, expected %q", chord, got, want)
		}
	}
	if m.Hint("undo") != "" || m.Hint("redo") != "Ctrl+Z" {
		t.Errorf("hints %q and %q", m.Hint("undo"), m.Hint("redo"))
	}
	if c, ok := m.Held("Up"); !ok || c != "forward" {
		t.Errorf("Up holds %q", c)
	}
	if _, ok := m.Held("W"); ok {
		t.Error("W still holds")
	}
}

func TestBadFileIsNamedAndDefaultsServe(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[keys]\n\"undo\" = [\"Hyper+Z\"]", "\"Hyper\" is not a modifier"},
		{"[keys]\n\"undo\" = 3", "line 2"},
		{"[hold]\n\"up\" = [\"Ctrl+E\"]", "without modifiers"},
	} {
		m, err := load(t, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, expected %q", c.text, err, c.want)
		}
		if m.Hint("undo") != "Ctrl+Z" {
			t.Error("the defaults are gone")
		}
	}
}
