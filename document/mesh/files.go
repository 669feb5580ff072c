package mesh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"ridgeline/terrain/fault"
)

// files is the folder of a model: the only one that it may refer to.
type files struct {
	fsys  fs.FS
	dir   string            // of the model, as package fs writes it
	cache map[string][]byte // what was read, by name within dir
	used  []string          // the keys of cache in the order of reading
	other []string          // names of files that belong to the model but aren't read
}

// noFiles is a folder without anything.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// read gives the content of a file. name is relative to the folder and has been
// checked by resolve.
func (f *files) read(ctx context.Context, name string) ([]byte, error) {
	if data, ok := f.cache[name]; ok {
		return data, nil
	}
	full := path.Join(f.dir, name)
	// A pipe would block when it is opened, so its kind is looked at before.
	info, err := fs.Stat(f.fsys, full)
	if err != nil {
		return nil, &fault.Error{Err: err}
	}
	if err := fault.Regular(op, "", "a file", info); err != nil {
		return nil, err
	}
	if info.Size() > MaxFile {
		return nil, tooLarge(info.Size())
	}
	file, err := f.fsys.Open(full)
	if err != nil {
		return nil, &fault.Error{Err: err}
	}
	defer file.Close()
	data, err := readAll(ctx, file, info.Size())
	if err != nil {
		return nil, err
	}
	if f.cache == nil {
		f.cache = map[string][]byte{}
	}
	f.cache[name] = data
	f.used = append(f.used, name)
	return data, nil
}

// readAll reads to the end. The size that the file system tells is only a hint, and
// trusted up to a few MiB: files with holes tell more than they have.
func readAll(ctx context.Context, r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, 0, min(size, 8<<20)+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):min(cap(data), len(data)+1<<20)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, &fault.Error{Err: err}
		case len(data) > MaxFile:
			return nil, tooLarge(int64(len(data)))
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

func tooLarge(size int64) error {
	return &fault.Error{Found: fmt.Sprintf("%d MiB", size>>20), Want: fmt.Sprintf("at most %d MiB", MaxFile>>20)}
}

// follow reads the file that a reference in the model's file leads to; escaped as for
// resolve.
func (f *files) follow(ctx context.Context, ref string, escaped bool) ([]byte, error) {
	name, err := resolve(ref, escaped)
	if err != nil {
		return nil, err
	}
	data, err := f.read(ctx, name)
	var e *fault.Error
	if errors.As(err, &e) {
		c := *e
		if c.Found == "" { // not there, or not to be opened
			c.Found, c.Want = fmt.Sprintf("the name %q", clip(ref)), inFolder
		} else {
			c.Found = fmt.Sprintf("%s under the name %q", c.Found, clip(ref))
		}
		return nil, &c
	}
	return data, err
}

// keep remembers that the model refers to a file that it can be shown without.
func (f *files) keep(ref string, escaped bool) {
	if name, err := resolve(ref, escaped); err == nil {
		f.other = append(f.other, name)
	}
}

// at puts a place into an error that has none yet.
func at(place string, err error) error {
	var e *fault.Error
	if errors.As(err, &e) && e.Place == "" {
		c := *e
		c.Place = place
		return &c
	}
	return err
}

// inFolder is what references to other files must be.
const inFolder = "a file in the model's folder"

// resolve turns a reference as it stands in a file into a name for read. Only names
// within the folder pass; the error says what else was found. Backslashes separate
// folders, as some programs write them. escaped tells that the name is an URI, where
// %20 is a space.
func resolve(ref string, escaped bool) (string, error) {
	name := ref
	if escaped {
		if s, err := url.PathUnescape(ref); err == nil {
			name = s
		}
	}
	slashed := strings.ReplaceAll(name, `\`, "/")
	fail := func(what string) (string, error) {
		return "", &fault.Error{Found: fmt.Sprintf("%s %q", what, clip(ref)), Want: inFolder}
	}
	switch {
	case ref == "":
		return "", &fault.Error{Found: "an empty name", Want: inFolder}
	case hasDrive(slashed) || strings.HasPrefix(slashed, "/"):
		return fail("the absolute path")
	case scheme(ref) != "" || scheme(slashed) != "":
		return fail("the address")
	}
	clean := path.Clean(slashed)
	switch {
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return fail("a path that leaves the folder,")
	case !fs.ValidPath(clean) || clean == "." || strings.ContainsRune(clean, 0):
		return fail("the unusable name")
	}
	return clean, nil
}

// hasDrive tells names such as C:/x.
func hasDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}

// scheme is what stands before the colon of an URI, if that is one: "http".
func scheme(s string) string {
	for i, c := range []byte(s) {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return s[:i]
		default:
			return ""
		}
	}
	return ""
}

// contextError finds the end of a context in err.
func contextError(err error) error {
	for _, e := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, e) {
			return e
		}
	}
	return nil
}
