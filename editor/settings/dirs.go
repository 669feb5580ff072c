package settings

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// Dirs are the folders that belong to Ridgeline.
type Dirs struct {
	Config string // settings.toml, keys.toml
	State  string // recent levels, layout, unsaved levels, crash files
	Cache  string // undo steps that do not fit into memory
}

// UserDirs gives the folders of the XDG base directory specification.
func UserDirs() Dirs {
	return Dirs{
		Config: filepath.Join(xdg.ConfigHome, "ridgeline"),
		State:  filepath.Join(xdg.StateHome, "ridgeline"),
		Cache:  filepath.Join(xdg.CacheHome, "ridgeline"),
	}
}

// SettingsFile is the user's preferences.
func (d Dirs) SettingsFile() string { return filepath.Join(d.Config, "settings.toml") }

// KeysFile is the user's key table.
func (d Dirs) KeysFile() string { return filepath.Join(d.Config, "keys.toml") }

// Unsaved is where levels that have no file yet are autosaved.
func (d Dirs) Unsaved() string { return filepath.Join(d.State, "unsaved") }

// Crashes is where crash files go.
func (d Dirs) Crashes() string { return filepath.Join(d.State, "crashes") }

// HistorySpill is where undo steps go that do not fit into memory, one folder a
// running editor.
func (d Dirs) HistorySpill() string { return filepath.Join(d.Cache, "history") }

func makeParent(file string) error { return os.MkdirAll(filepath.Dir(file), 0o755) }
