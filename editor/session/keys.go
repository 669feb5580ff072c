package session

import (
	"fmt"
	"slices"

	"ridgeline/editor/command"
	"ridgeline/terrain/fault"
)

// Controls are what a held key can work.
var Controls = []string{"forward", "back", "left", "right", "down", "up", "resize"}

// checkKeys tells of lines of the user's key table that no command answers to. The
// rest of the table holds.
func (s *Session) checkKeys() {
	bad := func(action string, err error) {
		s.Fail(&fault.Error{Op: "use a key", File: s.options.Dirs.KeysFile(), Place: fmt.Sprintf("%q", action), Err: err})
	}
	for _, line := range s.Keys.Actions() {
		if len(s.Keys.Chords(line)) == 0 {
			continue
		}
		calls, err := command.ParseLine(line)
		for _, c := range calls {
			if err == nil {
				_, err = s.Env.Registry.Check(c)
			}
		}
		if err != nil {
			bad(line, err)
		}
	}
	for _, control := range s.Keys.Controls() {
		if !slices.Contains(Controls, control) {
			bad(control, fmt.Errorf("no control of this name, expected one of %v", Controls))
		}
	}
}
