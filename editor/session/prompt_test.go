package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ridgeline/document/store"
)

// A level that is there is replaced only after a question, also when the name that
// was typed or chosen gets its extension first.
func TestShortNamesReplaceNothingUnasked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "there.ridge")
	if _, _, err := store.Save(t.Context(), path, flat(t), nil, nil); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dialog := filepath.Join(dir, "dialog")
	short := filepath.Join(dir, "there")
	if err := os.WriteFile(dialog, fmt.Appendf(nil, "#!/bin/sh\necho '%s'\n", short), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"prompt", "dialog"} {
		r := start(t, t.TempDir())
		if name == "dialog" {
			r.options.Dialog = dialog
		}
		r.Run("layer.add name=Mud; app.saveas")
		if name == "prompt" {
			if err := r.AnswerPrompt(short); err != nil {
				t.Fatal(err)
			}
		}
		r.idle()
		if q := r.Question(); q == nil || q.Title != "Replace “there.ridge”?" {
			t.Fatalf("%s: the question is %+v", name, q)
		}
		r.answer("Cancel")
		if now, err := os.ReadFile(path); err != nil || string(now) != string(was) || r.Prompt() == nil {
			t.Fatalf("%s: the level was replaced, or no other name is asked for (%v)", name, err)
		}
		if err := r.AnswerPrompt(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		r.idle()
		if want := filepath.Join(dir, name+Extension); r.Path() != want {
			t.Errorf("saved as %s, expected %s", r.Path(), want)
		}
		r.quiet()
	}
}
