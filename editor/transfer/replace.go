package transfer

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"ridgeline/terrain/fault"
)

// Replace puts a file in place in one step: when anything fails, what was there
// stays and nothing is left. op is what an error says could not be done.
func Replace(op, path string, write func(io.Writer) error) error {
	real := path
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return &fault.Error{Op: op, File: path, Found: "a folder", Want: "the name of a file"}
	case err == nil && !info.Mode().IsRegular():
		return &fault.Error{Op: op, File: path, Found: "a device or pipe", Want: "the name of a file"}
	case err == nil:
		// Renaming over it would succeed although it is write-protected.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fault.Wrap(op, path, err)
		}
		f.Close()
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return fault.Wrap(op, path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(op, path, err)
	}
	f, err := renameio.NewPendingFile(real, renameio.WithTempDir(filepath.Dir(real)), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err != nil {
		return fault.Wrap(op, path, err)
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return fault.Wrap(op, path, err)
	}
	return fault.Wrap(op, path, f.CloseAtomicallyReplace())
}
