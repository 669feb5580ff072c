package fault

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a file that came from outside to read it. Only regular files are
// opened: reading a pipe may wait for ever, and a device need not end. op and want
// are those of the Error that tells what else was found.
func Open(op, path, want string) (*os.File, fs.FileInfo, error) {
	// Stat goes first because opening a device may already do something.
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, Wrap(op, path, err)
	}
	if err := Regular(op, path, want, info); err != nil {
		return nil, nil, err
	}
	// Should the file have become a pipe meanwhile, opening it does not wait.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, Wrap(op, path, err)
	}
	info, err = f.Stat()
	if err == nil {
		err = Regular(op, path, want, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, Wrap(op, path, err)
	}
	return f, info, nil
}

// Regular tells what a file is that is no regular one.
func Regular(op, path, want string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &Error{Op: op, File: path, Found: "a folder", Want: want}
	case !info.Mode().IsRegular():
		return &Error{Op: op, File: path, Found: "a device or pipe", Want: want}
	}
	return nil
}

// ReadFile reads a file that Open would open.
func ReadFile(op, path, want string) ([]byte, error) {
	f, info, err := Open(op, path, want)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 0, info.Size()+1) // room to find the end in one read
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, Wrap(op, path, err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
