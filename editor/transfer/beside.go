package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"ridgeline/export/glb"
)

// beside is the files beside a .gltf. Their names end in a hash of what is in them:
//
//	village.0f3c55b2a1d94e77.bin
//
// so that an older .gltf of the same name finds its own files until it is replaced, in
// one step, by the one that names the new ones. Files that only the older one named are
// removed then. It is a glb.Files.
type beside struct {
	dir, stem string
	open      []*besideFile // not finished
	done      map[string]bool
	placed    []string // that were not there before
}

// besideHash is the number of hexadecimal digits in a name.
const besideHash = 16

func newBeside(path string) *beside {
	base := filepath.Base(path)
	b := &beside{dir: filepath.Dir(path), stem: strings.TrimSuffix(base, filepath.Ext(base)), done: map[string]bool{}}
	for _, ext := range besideExtensions {
		sweep(b.pattern(ext))
	}
	return b
}

// besideExtensions are those of the files beside a .gltf.
var besideExtensions = []string{".bin", ".png"}

// pattern is the path after which unfinished files are named.
func (b *beside) pattern(ext string) string { return filepath.Join(b.dir, b.stem+ext) }

type besideFile struct {
	*renameio.PendingFile
	of        *beside
	extension string
	hash      hash.Hash
	finished  bool
}

// Create implements glb.Files.
func (b *beside) Create(extension string) (glb.File, error) {
	p, err := pending(b.pattern(extension))
	if err != nil {
		return nil, err
	}
	f := &besideFile{PendingFile: p, of: b, extension: extension, hash: sha256.New()}
	b.open = append(b.open, f)
	return f, nil
}

// Write implements glb.File.
func (f *besideFile) Write(data []byte) (int, error) {
	n, err := f.PendingFile.Write(data)
	f.hash.Write(data[:n])
	return n, err
}

// Finish implements glb.File. The file stays where it is until place.
func (f *besideFile) Finish() (string, error) {
	f.finished = true
	name := f.of.stem + "." + hex.EncodeToString(f.hash.Sum(nil))[:besideHash] + f.extension
	return name, f.Sync()
}

// place gives the finished files their names. What was there under such a name has the
// same bytes.
func (b *beside) place() error {
	for _, f := range b.open {
		if !f.finished {
			return errors.New("a file was not finished")
		}
		name, err := f.Finish()
		if err != nil {
			return err
		}
		path := filepath.Join(b.dir, name)
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			b.placed = append(b.placed, path)
		case err != nil:
			return err
		case info.IsDir():
			return &fs.PathError{Op: "replace", Path: path, Err: fs.ErrExist}
		}
		if err := os.Rename(f.Name(), path); err != nil {
			return err
		}
		b.done[name] = true
		f.PendingFile.Close()
	}
	return nil
}

// cleanup removes what is not finished.
func (b *beside) cleanup() {
	for _, f := range b.open {
		// One that was renamed is not there any more.
		_ = f.Cleanup()
	}
}

// withdraw removes files that were placed for a .gltf that could not be.
func (b *beside) withdraw() {
	for _, path := range b.placed {
		_ = os.Remove(path)
	}
}

// forget removes the files of an earlier .gltf that the present one does not name.
func (b *beside) forget() {
	list, err := os.ReadDir(b.dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if name := e.Name(); b.owns(name) && !b.done[name] && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(b.dir, name))
		}
	}
}

// owns reports whether a file's name is that of one beside the .gltf.
func (b *beside) owns(name string) bool {
	rest, ok := strings.CutPrefix(name, b.stem+".")
	if !ok {
		return false
	}
	for _, ext := range besideExtensions {
		if digits, ok := strings.CutSuffix(rest, ext); ok && len(digits) == besideHash && strings.Trim(digits, "0123456789abcdef") == "" {
			return true
		}
	}
	return false
}
