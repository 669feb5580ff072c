package editor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ridgeline/editor/internal/xlevel"
	"ridgeline/editor/session"
	"ridgeline/editor/settings"
)

// A panic in the window ends with an error that names a crash file; that tells what was
// done last, and the autosave is complete.
func TestPanicInTheWindow(t *testing.T) {
	dir := t.TempDir()
	dirs := settings.Dirs{Config: filepath.Join(dir, "config"), State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")}
	s := session.New(xlevel.Rich(t), session.Options{Dirs: dirs, Post: func(func()) {}})
	err := runGuarded(s, func() error {
		s.Run("occluder.box min=0,0,0 max=1,1,1")
		var list []int
		_ = list[len(dirs.State)]
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "crash") {
		t.Fatalf("a panic is told as %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	crashes, _ := filepath.Glob(filepath.Join(dirs.Crashes(), "*"))
	if len(crashes) != 1 {
		t.Fatalf("crash files %v", crashes)
	}
	text, err := os.ReadFile(crashes[0])
	if err != nil || !strings.Contains(string(text), "occluder.box min=0,0,0 max=1,1,1") || !strings.Contains(string(text), "run_test.go") {
		t.Errorf("the crash file says %s, %v", text, err)
	}
	unsaved := 0
	_ = filepath.WalkDir(dirs.State, func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == "autosave.json" {
			unsaved++
		}
		return nil
	})
	if unsaved != 1 {
		t.Errorf("%d autosaves", unsaved)
	}
}
