package editor

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ridgeline/editor/settings"
)

// typed fills the field that has the keyboard, in place of what it holds.
func (e *running) typed(text string) {
	e.t.Helper()
	e.do("key", "ctrl+a")
	e.rest() // what is typed replaces the selection of the frame before
	e.do("type", "--delay", 2, text)
	e.rest()
}

// Where there is no helper for file dialogs, the editor asks for paths by itself:
// a level is opened, a heightmap imported, and what became of it saved under a name,
// by the keyboard alone. A window without changes then closes without a word.
func TestFilesByTypedPaths(t *testing.T) {
	d := newDesk(t)
	path := newLevel(t)
	level, _ := load(t, path, false)
	w := newTwin(t, level, path, windowSize)
	d.remember(settings.Memory{}) // so that there is the start screen
	e := d.open()
	e.titled("Sample – Ridgeline")
	e.rest()
	e.keep("0-welcome.png")
	e.do("key", "Escape")
	e.rest()

	e.do("key", "ctrl+o")
	e.rest()
	e.typed(path + "x")
	e.do("key", "Return")
	e.rest()
	e.keep("1-no-such-file.png")
	e.typed(path)
	e.keep("2-path.png")
	e.do("key", "Return")
	e.titled("pyrenees – Ridgeline")
	e.shows(w.picture(), w.aboveStatus())

	e.do("key", "ctrl+i")
	e.rest()
	e.typed(heightmap(t))
	e.do("key", "Return")
	e.rest()
	e.keep("3-import.png")
	e.do("key", "Return")
	e.titled("• n42e001_257_16bit – Ridgeline")
	e.rest()
	e.keep("4-imported.png")
	mine := filepath.Join(t.TempDir(), "mine.ridge")
	e.do("key", "ctrl+s")
	e.rest()
	e.typed(mine)
	e.keep("5-save-as.png")
	e.do("key", "Return")
	e.titled("mine – Ridgeline")
	e.rest()
	e.keep("6-saved.png")
	var facts struct{ Width, Height int }
	if err := json.Unmarshal(cli(t, "info", mine, "--json"), &facts); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%d×%d", facts.Width, facts.Height); got != "257×257" {
		t.Errorf("the level has %s samples, expected 257×257", got)
	}

	if err := e.x.RequestClose(e.window); err != nil {
		t.Fatal(err)
	}
	if code := e.exit(); code != 0 {
		t.Errorf("exit code %d, expected 0", code)
	}
}

// The helper for file dialogs, where it lies beside the program, is asked instead.
func TestOpenWithHelper(t *testing.T) {
	d := newDesk(t)
	path := newLevel(t)
	program := filepath.Join(t.TempDir(), "ridgeline")
	if err := os.WriteFile(program, read(t, ridgeline(t)), 0o755); err != nil {
		t.Fatal(err)
	}
	helper := "#!/bin/sh\necho \"$@\" >'" + program + ".asked'\necho '" + path + "'\n"
	if err := os.WriteFile(program+"-dialog", []byte(helper), 0o755); err != nil {
		t.Fatal(err)
	}
	e := d.openAs(program)
	e.titled("Sample – Ridgeline")
	e.do("key", "ctrl+o")
	e.titled("pyrenees – Ridgeline")
	if asked := read(t, program+".asked"); len(asked) == 0 {
		t.Error("the helper was asked nothing")
	}
}
