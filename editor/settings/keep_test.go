package settings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain/fault"
)

// Keeping how one walks changes its numbers and nothing else of what the user wrote.
func TestKeepWalk(t *testing.T) {
	w := Default().Walk
	w.Speed, w.Jump = 7.5, 0
	for _, c := range []struct{ name, before, after string }{
		{"none", "", "[walk]\nspeed = 7.5\njump = 0\n"},
		{
			"commented", "# mine\n[view]\nmax_error = 2 # finer\n\n[ walk ] # on foot\n  speed = 3   # m/s\nstep_up = 0.64\n[history]\nmegabytes = 64",
			"# mine\n[view]\nmax_error = 2 # finer\n\n[ walk ] # on foot\njump = 0\n  speed = 7.5   # m/s\nstep_up = 0.64\n[history]\nmegabytes = 64",
		},
		{"other tables", "[view]\nmax_error = 2", "[view]\nmax_error = 2\n\n[walk]\nspeed = 7.5\njump = 0\n"},
		{"last line", "[walk]", "[walk]\nspeed = 7.5\njump = 0\n"},
		{"returns", "[walk]\r\nspeed = 5.0\r\njump = 4.5\r\n", "[walk]\r\nspeed = 7.5\r\njump = 0\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "sub", "settings.toml")
			if c.before != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(c.before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := KeepWalk(file, w); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil || string(got) != c.after {
				t.Errorf("wrote %q, %v\nexpected %q", got, err, c.after)
			}
			if s, err := Load(file); err != nil || s.Walk != w {
				t.Errorf("reads back %+v, %v", s.Walk, err)
			}
		})
	}
}

func TestKeepWalkLeavesWhatItCannotChange(t *testing.T) {
	w := Default().Walk
	w.Speed = 7.5
	for _, text := range []string{"walk = { speed = 3 }\n", "walk.speed = 3\n", "[walk]\n\"speed\" = 3\n", "[walk]\nspeed = 3000\n", "nonsense"} {
		file := filepath.Join(t.TempDir(), "settings.toml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := KeepWalk(file, w)
		var f *fault.Error
		if !errors.As(err, &f) || f.File != file {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	file := filepath.Join(t.TempDir(), "settings.toml")
	if err := KeepWalk(file, Default().Walk); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was made of what is usual anyway")
	}
	w.Speed = 1000
	if err := KeepWalk(file, w); err == nil {
		t.Error("a speed out of range was kept")
	}
}

func TestKeepAnyWalk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.toml")
	rapid.Check(t, func(t *rapid.T) {
		w := Walk{
			Speed: rapid.Float64Range(0.1, 100).Draw(t, "speed"), EyeHeight: rapid.Float64Range(0.2, 10).Draw(t, "eye"), StepUp: rapid.Float64Range(0, 5).Draw(t, "step"),
			Gravity: rapid.Float64Range(0.1, 100).Draw(t, "gravity"), Jump: rapid.Float64Range(0, 50).Draw(t, "jump"),
		}
		if err := KeepWalk(file, w); err != nil {
			t.Fatal(err)
		}
		if s, err := Load(file); err != nil || s.Walk != w {
			t.Fatalf("reads back %+v, %v, expected %+v", s.Walk, err, w)
		}
	})
}
