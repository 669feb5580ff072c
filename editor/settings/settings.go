package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/pelletier/go-toml/v2"

	"ridgeline/terrain/fault"
)

// Settings are a user's preferences. Default gives their values where the file is
// silent.
type Settings struct {
	View    View    `toml:"view" comment:"How the level is drawn."`
	History History `toml:"history" comment:"Undo."`
	Walk    Walk    `toml:"walk" comment:"Walking."`
	Window  Window  `toml:"window" comment:"The window."`
}

// View is how the level is drawn.
type View struct {
	MaxError    float64 `toml:"max_error" comment:"How many pixels the drawn ground may be off, 0.5 to 32."`
	FieldOfView float64 `toml:"field_of_view" comment:"Vertical field of view in degrees, 20 to 120."`
	InvertLook  bool    `toml:"invert_look" comment:"Moving the mouse up looks down."`
	LookSpeed   float64 `toml:"look_speed" comment:"Degrees a dp of mouse movement, 0.02 to 2."`
}

// Walk is how one walks through a level.
type Walk struct {
	Speed     float64 `toml:"speed" comment:"Metres a second, 0.1 to 100. Shift is three times as fast."`
	EyeHeight float64 `toml:"eye_height" comment:"Metres above the feet, 0.2 to 10."`
	StepUp    float64 `toml:"step_up" comment:"Highest step that is climbed in metres, 0 to 5."`
	Gravity   float64 `toml:"gravity" comment:"Metres a second squared, 0.1 to 100."`
	Jump      float64 `toml:"jump" comment:"Speed in metres a second with which a jump begins, 0 to 50."`
}

// History is how much can be undone.
type History struct {
	Megabytes int `toml:"megabytes" comment:"Memory for undo in MB, 16 to 65536. Older steps move to disk."`
	DiskMB    int `toml:"disk_megabytes" comment:"Disk for older undo steps in MB, 0 to 1048576. Beyond it they are dropped."`
}

// Window is how the window comes up.
type Window struct {
	Viewport string `toml:"viewport" comment:"How the level reaches the window: auto or copy (for drivers that refuse auto)."`
}

// Default is what holds where the user says nothing.
func Default() Settings {
	return Settings{
		View:    View{MaxError: 3, FieldOfView: 60, LookSpeed: 0.15},
		History: History{Megabytes: 1024, DiskMB: 8192},
		Walk:    Walk{Speed: 5, EyeHeight: 1.7, StepUp: 0.64, Gravity: 9.81, Jump: 4.5},
		Window:  Window{Viewport: "auto"},
	}
}

// Validate names the first value that is out of range.
func (s Settings) Validate() error {
	for _, v := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"view.max_error", s.View.MaxError, 0.5, 32},
		{"view.field_of_view", s.View.FieldOfView, 20, 120},
		{"view.look_speed", s.View.LookSpeed, 0.02, 2},
		{"walk.speed", s.Walk.Speed, 0.1, 100},
		{"walk.eye_height", s.Walk.EyeHeight, 0.2, 10},
		{"walk.step_up", s.Walk.StepUp, 0, 5},
		{"walk.gravity", s.Walk.Gravity, 0.1, 100},
		{"walk.jump", s.Walk.Jump, 0, 50},
		{"history.megabytes", float64(s.History.Megabytes), 16, 65536},
		{"history.disk_megabytes", float64(s.History.DiskMB), 0, 1 << 20},
	} {
		if !(v.value >= v.least && v.value <= v.most) {
			return &fault.Error{Place: v.name, Found: fmt.Sprint(v.value), Want: fmt.Sprintf("%g to %g", v.least, v.most)}
		}
	}
	if s.Window.Viewport != "auto" && s.Window.Viewport != "copy" {
		return &fault.Error{Place: "window.viewport", Found: fmt.Sprintf("%q", s.Window.Viewport), Want: "auto or copy"}
	}
	return nil
}

const readSettings = "read the settings"

// Load reads the file over the defaults; no file is no error. With an error the
// defaults are returned whole.
func Load(file string) (Settings, error) {
	s := Default()
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fault.Wrap(readSettings, file, err)
	}
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		e := &fault.Error{Op: readSettings, File: file, Found: err.Error()}
		var strict *toml.StrictMissingError
		var decode *toml.DecodeError
		if errors.As(err, &strict) && len(strict.Errors) > 0 {
			decode = &strict.Errors[0]
			e.Found = fmt.Sprintf("the unknown key %q", strings.Join(decode.Key(), "."))
		} else if errors.As(err, &decode) {
			e.Found = decode.Error()
		}
		if decode != nil {
			row, col := decode.Position()
			e.Place = fmt.Sprintf("line %d, column %d", row, col)
		}
		return Default(), e
	}
	if err := s.Validate(); err != nil {
		return Default(), fault.Wrap(readSettings, file, err)
	}
	return s, nil
}

// Save writes the settings with a comment on every value.
func Save(file string, s Settings) error {
	if err := s.Validate(); err != nil {
		return err
	}
	data, err := toml.Marshal(s)
	if err != nil {
		return err
	}
	return replace("write the settings", file, data)
}

func replace(op, file string, data []byte) error {
	if err := makeParent(file); err != nil {
		return fault.Wrap(op, file, err)
	}
	return fault.Wrap(op, file, renameio.WriteFile(file, data, 0o644))
}
