package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sqweek/dialog"
)

// Exit codes, which the editor relies on.
const (
	chosen    = 0
	cancelled = 1
	failed    = 2
)

// The toolkit was initialised on the main thread, before main, and may be used
// from no other; only an init function can keep the main goroutine there.
func init() { runtime.LockOSThread() }

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, ask))
}

// request is what the command line asks for.
type request struct {
	open, save, dir bool
	title, start    string
	filters         []dialog.FileFilter
}

// run does it all but the dialog itself, which show opens.
func run(args []string, out, errs io.Writer, show func(request) (string, error)) int {
	r, err := parse(args)
	if err == nil {
		var path string
		switch path, err = show(r); {
		case errors.Is(err, dialog.ErrCancelled):
			return cancelled
		case err == nil && path == "":
			err = errors.New("the dialog gave a place that is not in the file system")
		case err == nil:
			if _, err = fmt.Fprintln(out, path); err == nil {
				return chosen
			}
		}
	}
	fmt.Fprintf(errs, "ridgeline-dialog: %v\n", err)
	return failed
}

func parse(args []string) (request, error) {
	var r request
	f := flag.NewFlagSet("ridgeline-dialog", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.BoolVar(&r.open, "open", false, "ask for a file that exists")
	f.BoolVar(&r.save, "save", false, "ask for a file to write")
	f.BoolVar(&r.dir, "dir", false, "ask for a folder")
	f.StringVar(&r.title, "title", "", "title of the dialog")
	f.StringVar(&r.start, "start", "", "folder to begin in, or file to suggest")
	f.Func("filter", `kind of file as "Name|ext,ext"; may be repeated`, func(s string) error {
		name, list, ok := strings.Cut(s, "|")
		if !ok || name == "" || list == "" {
			return errors.New(`expected "Name|ext,ext"`)
		}
		var exts []string
		for e := range strings.SplitSeq(list, ",") {
			exts = append(exts, strings.TrimPrefix(strings.TrimSpace(e), "."))
		}
		r.filters = append(r.filters, dialog.FileFilter{Desc: name, Extensions: exts})
		return nil
	})
	if err := f.Parse(args); err != nil {
		return r, err
	}
	modes := 0
	for _, on := range []bool{r.open, r.save, r.dir} {
		if on {
			modes++
		}
	}
	if modes != 1 || f.NArg() != 0 {
		return r, errors.New("expected one of -open, -save and -dir, and no other words")
	}
	return r, nil
}

// ask opens the dialog. The library panics where there is no display, which
// becomes an error here.
func ask(r request) (path string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no dialog: %v", p)
		}
	}()
	folder, file := r.start, ""
	if st, err := os.Stat(folder); folder != "" && (err != nil || !st.IsDir()) {
		folder, file = filepath.Split(folder)
	}
	if r.dir {
		return dialog.Directory().Title(r.title).SetStartDir(folder).Browse()
	}
	d := dialog.File().Title(r.title).SetStartDir(folder).SetStartFile(file)
	d.Filters = r.filters
	if r.save {
		return d.Save()
	}
	return d.Load()
}
