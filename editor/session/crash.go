package session

import (
	"fmt"

	"ridgeline/document/crash"
)

// writeCrash writes what is known of a panic to a file.
func (s *Session) writeCrash(value any, stack []byte) (path string, err error) {
	if s.options.Temporary {
		return "", fmt.Errorf("this session keeps no files")
	}
	state, _ := s.SaveState()
	return crash.Write(s.options.Dirs.Crashes(), crash.Report{
		Time: s.now(), Value: value, Stack: stack, Commands: s.ran, Level: s.file.path, Autosave: state,
	})
}
