package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOneLineAndOneSentence(t *testing.T) {
	cause := errors.New("unexpected EOF")
	for _, c := range []struct {
		err            *Error
		line, sentence string
	}{
		{&Error{Op: "import the heightmap", File: "a.asc", Place: "line 7", Found: "49 values", Want: "50"},
			"a.asc: line 7: found 49 values, expected 50",
			"Could not import the heightmap: a.asc: line 7: found 49 values, expected 50."},
		{&Error{Op: "open level", Found: "a folder", Want: "a file"},
			"cannot open level: found a folder, expected a file",
			"Could not open level: found a folder, expected a file."},
		{&Error{File: "x", Found: "nothing", Err: cause}, "x: nothing: unexpected EOF", "x: nothing: unexpected EOF."},
		{&Error{File: "x", Err: cause}, "x: unexpected EOF", "x: unexpected EOF."},
		{&Error{Place: "radius", Want: "a number"}, "radius: expected a number", "Radius: expected a number."},
		{&Error{Op: "run sun.set", Place: "sun.set: elevation", Found: "99", Want: "-90 to 90"},
			"sun.set: elevation: found 99, expected -90 to 90",
			"Could not run sun.set: elevation: found 99, expected -90 to 90."},
	} {
		if got := c.err.Error(); got != c.line {
			t.Errorf("line %q, expected %q", got, c.line)
		}
		if got := Sentence(fmt.Errorf("outer: %w", c.err)); got != c.sentence {
			t.Errorf("sentence %q, expected %q", got, c.sentence)
		}
	}
	if got := Sentence(errors.New("it broke")); got != "It broke." {
		t.Errorf("sentence %q", got)
	}
}

func TestWrapNamesOpAndFileOnce(t *testing.T) {
	if Wrap("open", "f", nil) != nil {
		t.Error("nothing became an error")
	}
	missing := filepath.Join(t.TempDir(), "none")
	_, err := os.ReadFile(missing)
	wrapped := Wrap("open level", missing, err)
	if want := missing + ": no such file or folder"; wrapped.Error() != want || !errors.Is(wrapped, fs.ErrNotExist) {
		t.Errorf("%q, expected %q", wrapped, want)
	}
	inner := &Error{Place: "header", Found: "junk"}
	outer := Wrap("open level", "a.ridge", Wrap("read", "b.zst", inner))
	var e *Error
	if !errors.As(outer, &e) || e.File != "b.zst" || e.Op != "read" || e.Place != "header" || inner.File != "" {
		t.Errorf("%+v", e)
	}
}
