package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettingsRoundTrip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub", "settings.toml")
	s, err := Load(file)
	if err != nil || s != Default() {
		t.Fatalf("without a file: %+v, %v", s, err)
	}
	s.View.MaxError, s.View.InvertLook, s.History.Megabytes = 7.5, true, 99
	if err := Save(file, s); err != nil {
		t.Fatal(err)
	}
	got, err := Load(file)
	if err != nil || got != s {
		t.Errorf("got %+v, %v, expected %+v", got, err, s)
	}
}

func TestBadSettingsAreNamedAndDefaultsServe(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"range":   {"[view]\nmax_error = 99", "view.max_error: found 99, expected 0.5 to 32"},
		"nan":     {"[view]\nlook_speed = nan", "view.look_speed"},
		"unknown": {"[view]\nmax_eror = 3", "line 2, column 1: the unknown key \"view.max_eror\""},
		"syntax":  {"[view", "line 1"},
		"type":    {"[view]\nmax_error = \"big\"", "line 2"},
		"choice":  {"[window]\nviewport = \"fast\"", "window.viewport: found \"fast\", expected auto or copy"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := Load(file)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, expected %q in it", err, c.want)
			}
			if s != Default() {
				t.Errorf("settings %+v", s)
			}
		})
	}
}

func TestMemory(t *testing.T) {
	d := Dirs{State: t.TempDir()}
	m, err := LoadMemory(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"/a", "/b", "/a", "/c"} {
		m.AddRecent(p)
	}
	m.Panels = map[string]float64{"right": 280}
	m.Tabs = map[string]string{"side": "history"}
	if err := m.Save(d); err != nil {
		t.Fatal(err)
	}
	got, err := LoadMemory(d)
	if err != nil || !cmp.Equal(got, m) || !slices.Equal(got.Recent, []string{"/c", "/a", "/b"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for i := range 40 {
		got.AddRecent(string(rune('a' + i)))
	}
	got.ForgetRecent("a")
	if len(got.Recent) != MaxRecent {
		t.Errorf("%d recent levels", len(got.Recent))
	}
}
