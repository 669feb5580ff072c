package settings

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ridgeline/terrain/fault"
)

// MaxRecent is how many recent levels are remembered.
const MaxRecent = 12

// Memory is what the program remembers from one run to the next.
type Memory struct {
	Recent []string           `json:"recent,omitempty"` // absolute paths, the latest first
	Panels map[string]float64 `json:"panels,omitempty"` // sizes in dp, by name
	Folded []string           `json:"folded,omitempty"` // panels that are closed
	Tabs   map[string]string  `json:"tabs,omitempty"`   // the open ones, by the place that has them
	Window [2]int             `json:"window"`           // size in dp, zero when never shown
	// NoWelcome is set when the editor is to begin without its start screen.
	NoWelcome bool `json:"no_welcome,omitempty"`
	// Export is how a level was last exported, as the session knows it.
	Export json.RawMessage `json:"export,omitempty"`
}

func memoryFile(d Dirs) string { return filepath.Join(d.State, "memory.json") }

// LoadMemory reads what was remembered; nothing yet is no error.
func LoadMemory(d Dirs) (Memory, error) {
	var m Memory
	file := memoryFile(d)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return Memory{}, fault.Wrap("read the recent levels", file, err)
	}
	return m, nil
}

// Save writes what is remembered.
func (m Memory) Save(d Dirs) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return replace("remember the recent levels", memoryFile(d), append(data, '\n'))
}

// AddRecent puts a level first in the list.
func (m *Memory) AddRecent(path string) {
	m.Recent = slices.DeleteFunc(m.Recent, func(p string) bool { return p == path })
	m.Recent = slices.Insert(m.Recent, 0, path)
	m.Recent = m.Recent[:min(len(m.Recent), MaxRecent)]
}

// ForgetRecent takes a level out of the list.
func (m *Memory) ForgetRecent(path string) {
	m.Recent = slices.DeleteFunc(m.Recent, func(p string) bool { return p == path })
}
