package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Report is what goes into the file.
type Report struct {
	Time     time.Time
	Value    any      // what was passed to panic
	Stack    []byte   // of the goroutine, as debug.Stack gives it
	Commands []string // the last commands, oldest first, as script lines
	Level    string   // path of the level, "" when it has none
	Autosave string   // what became of the level: "saved to …"
}

// maxSame bounds how many reports of one second find a name.
const maxSame = 1000

// Write makes a new file in dir, which is made too, and gives its path.
func Write(dir string, r Report) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	base := "crash-" + r.Time.UTC().Format("20060102-150405")
	for n := range maxSame {
		name := base + ".txt"
		if n > 0 {
			name = fmt.Sprintf("%s-%d.txt", base, n)
		}
		path = filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(r.String())
		return path, errors.Join(err, f.Sync(), f.Close())
	}
	return "", fmt.Errorf("%s: too many crash files of one second", dir)
}

// String is the text of the file.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ridgeline crash report\n\ntime: %s\nerror: %v\n", r.Time.UTC().Format(time.RFC3339), r.Value)
	if r.Level != "" {
		fmt.Fprintf(&b, "level: %s\n", r.Level)
	}
	if r.Autosave != "" {
		fmt.Fprintf(&b, "autosave: %s\n", r.Autosave)
	}
	fmt.Fprintf(&b, "go: %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		fmt.Fprintf(&b, "version: %s\n", info.Main.Version)
	}
	b.WriteString("\nlast commands:\n")
	for _, c := range r.Commands {
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(c, "\n", " "))
	}
	fmt.Fprintf(&b, "\nstack:\n%s\n", r.Stack)
	return b.String()
}
