package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"ridgeline/document/crash"
	"ridgeline/editor/settings"
)

// crashed writes down what is known of a panic, for a report, and says where.
func (sh *shell) crashed(what any, args []string) string {
	path, err := crash.Write(settings.UserDirs().Crashes(), crash.Report{
		Time: sh.now(), Value: what, Stack: debug.Stack(),
		Commands: []string{"ridgeline " + strings.Join(args, " ")},
	})
	if err != nil {
		return fmt.Sprintf("internal error: %v (no crash file: %v)", what, err)
	}
	return fmt.Sprintf("internal error: %v; what is known of it is in %s", what, path)
}
