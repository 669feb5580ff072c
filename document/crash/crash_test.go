package crash

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "crashes")
	r := Report{
		Time: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC), Value: "index out of range", Stack: debug.Stack(),
		Commands: []string{"terrain.stroke op=raise at=1,2", "undo"}, Level: "a.ridge", Autosave: "saved",
	}
	first, err := Write(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Write(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	if first == second || filepath.Base(first) != "crash-20240203-040506.txt" {
		t.Error("paths", first, second)
	}
	data, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2024-02-03T04:05:06Z", "index out of range", "  undo\n", "TestWrite", "level: a.ridge"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in\n%s", want, data)
		}
	}
	if _, err := Write(first, r); err == nil {
		t.Error("wrote below a file")
	}
}
