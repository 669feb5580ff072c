package fault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Only regular files are read. A pipe without a writer would hold the test up.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("text"), 0o600), os.WriteFile(at("empty"), nil, 0o600), os.Mkdir(at("folder"), 0o700),
		syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("/dev/zero", at("zero")), os.Symlink("file", at("link")), os.Symlink("loop", at("loop")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"file": "text", "link": "text", "empty": ""} {
		data, err := ReadFile("read", at(name), "a file")
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for name, want := range map[string]string{
		"folder": "found a folder, expected a file", "pipe": "found a device or pipe, expected a file",
		"zero": "found a device or pipe, expected a file", "none": "no such file or folder", "loop": "too many levels of symbolic links",
	} {
		_, err := ReadFile("read", at(name), "a file")
		var e *Error
		if !errors.As(err, &e) || e.Op != "read" || e.File != at(name) || err.Error() != at(name)+": "+want {
			t.Errorf("%s: %v, expected %q", name, err, want)
		}
		if name == "none" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v is not fs.ErrNotExist", err)
		}
	}
	// Files of the system claim to be empty and are not.
	if data, err := ReadFile("read", "/proc/self/status", "a file"); err != nil || !strings.Contains(string(data), "Name:") {
		t.Errorf("%q, %v", data, err)
	}
}
