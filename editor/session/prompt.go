package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"ridgeline/terrain/fault"
)

// PathPrompt is the editor's own question for a path, for where no file dialog can
// be shown.
type PathPrompt struct {
	Title string
	Text  string // what is typed
	Save  bool   // the file may be new
	Does  string // what is done with it, for the button: "Export"; empty for Open and Save

	kind       string                  // what the files are: "Levels"
	extensions []string                // with the dot; none: all files
	added      string                  // the extension that a name without it gets
	folder     func(path string) error // takes paths that end in a slash; nil for none
	then       func(path string)
}

// askPath asks for a path. It shows the system's file dialog, or asks by itself.
func (s *Session) askPath(p PathPrompt) {
	if s.options.Dialog == "" {
		s.showPrompt(p)
		return
	}
	args := []string{"-open"}
	if p.Save {
		args[0] = "-save"
	}
	args = append(args, "-title", p.Title, "-start", p.Text)
	if len(p.extensions) > 0 {
		args = append(args, "-filter", p.kind+"|"+strings.Join(p.extensions, ","), "-filter", "All files|*")
	}
	s.Start(p.Title, func(ctx context.Context, _ func(float64)) (func() error, error) {
		out, err := exec.CommandContext(ctx, s.options.Dialog, args...).Output()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			return nil, nil // the user cancelled
		}
		path := strings.TrimRight(string(out), "\r\n")
		return func() error {
			if err != nil || path == "" {
				s.showPrompt(p) // no dialog can be shown here
				return nil
			}
			if full := p.full(path); full != path {
				s.replaceAfterAsking(p, full) // the dialog knew nothing of this name
				return nil
			}
			s.promptFolder = filepath.Dir(path)
			p.then(path)
			return nil
		}, nil
	}, nil)
}

func (s *Session) showPrompt(p PathPrompt) {
	s.prompt = &p
	s.invalidate()
}

// Prompt is the path prompt that waits for an answer, or nil.
func (s *Session) Prompt() *PathPrompt { return s.prompt }

// AnswerPrompt takes the path; it tells why it cannot be one, and keeps asking
// then.
func (s *Session) AnswerPrompt(text string) error {
	p := s.prompt
	if p == nil {
		return nil
	}
	path := expand(strings.TrimSpace(text))
	if path == "" {
		return errors.New("type the path of a file")
	}
	if p.folder != nil && os.IsPathSeparator(path[len(path)-1]) {
		if err := p.folder(path); err != nil {
			return err
		}
		s.prompt, s.promptFolder = nil, filepath.Dir(filepath.Clean(path))
		s.replaceAfterAsking(*p, path)
		s.invalidate()
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		path = p.full(path)
		info, err = os.Stat(path)
	}
	switch {
	case err == nil && info.IsDir():
		return &fault.Error{File: path, Found: "a folder", Want: "a file"}
	case err != nil && !p.Save:
		return fault.Wrap("", path, err)
	case err != nil && p.Save:
		if !errors.Is(err, fs.ErrNotExist) {
			return fault.Wrap("", path, err)
		}
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return fault.Wrap("", filepath.Dir(path), err)
		}
	}
	s.prompt, s.promptFolder = nil, filepath.Dir(path)
	if p.Save {
		s.replaceAfterAsking(*p, path)
	} else {
		p.then(path)
	}
	s.invalidate()
	return nil
}

// full is a path with the extension that files of the kind get.
func (p *PathPrompt) full(path string) string {
	if strings.EqualFold(filepath.Ext(path), p.added) {
		return path
	}
	return path + p.added
}

// replaceAfterAsking goes on with a path, after a question where there is a file.
func (s *Session) replaceAfterAsking(p PathPrompt, path string) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		p.then(path)
		return
	}
	s.Ask(Question{
		Title: "Replace “" + filepath.Base(path) + "”?",
		Body:  "A file of this name exists already. What is in it will be lost.",
		Answers: []Answer{
			{Title: "Replace", Do: func() { p.then(path) }, Danger: true},
			{Title: "Cancel", Do: func() { s.showPrompt(p) }, Cancel: true},
		},
	})
}

// CancelPrompt gives the question up.
func (s *Session) CancelPrompt() {
	s.prompt = nil
	s.invalidate()
}

// maxCompletions bounds what a prompt offers.
const maxCompletions = 200

// Completions lists folders and fitting files that the text could become, folders
// first, each as the whole text.
func (p *PathPrompt) Completions(text string) []string {
	dir, base := filepath.Split(text)
	at := expand(dir)
	if at == "" {
		at = "."
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil
	}
	var folders, files []string
	for _, e := range entries {
		n := e.Name()
		if !strings.HasPrefix(strings.ToLower(n), strings.ToLower(base)) || strings.HasPrefix(n, ".") && base == "" {
			continue
		}
		isDir := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(filepath.Join(at, n)); err == nil {
				isDir = info.IsDir()
			}
		}
		switch {
		case isDir && !strings.HasSuffix(n, Extension+".d"):
			folders = append(folders, dir+n+string(filepath.Separator))
		case !isDir && p.Fits(n):
			files = append(files, dir+n)
		}
	}
	sort.Strings(folders)
	sort.Strings(files)
	all := append(folders, files...)
	return all[:min(len(all), maxCompletions)]
}

// Fits reports whether a file of this name is of the kind that is asked for.
func (p *PathPrompt) Fits(name string) bool {
	if len(p.extensions) == 0 {
		return true
	}
	for _, e := range p.extensions {
		if strings.EqualFold(filepath.Ext(name), e) {
			return true
		}
	}
	return false
}

// expand replaces a leading ~ by the home folder.
func expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, path[1:])
		}
	}
	return path
}

// startFolder is where a prompt begins: beside the level; without a file, where the last
// answer or the level that was open last lies, if that is still there; else in the
// working folder.
func (s *Session) startFolder() string {
	folders := []string{s.promptFolder}
	if s.file.path != "" {
		folders = []string{filepath.Dir(s.file.path)}
	}
	if len(s.Memory.Recent) > 0 {
		folders = append(folders, filepath.Dir(s.Memory.Recent[0]))
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	for _, f := range folders {
		if info, err := os.Stat(f); f != "" && err == nil && info.IsDir() {
			dir = f
			break
		}
	}
	return strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
}

func (s *Session) askOpen() {
	s.askPath(PathPrompt{
		Title: "Open a level", Text: s.startFolder(), kind: "Levels", extensions: []string{Extension},
		then: func(path string) { s.Fail(s.openFile(s.ctx, path)) },
	})
}

func (s *Session) askSavePath(then func(path string)) {
	s.askPath(PathPrompt{
		Title: "Save the level as", Text: s.startFolder() + s.Title() + Extension, Save: true,
		kind: "Levels", extensions: []string{Extension}, added: Extension, then: then,
	})
}
