package fault

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// Error describes one piece of bad input. Every field may be empty but Found.
type Error struct {
	Op    string // what was being done, an infinitive: "import heightmap"
	File  string // path as the user gave it
	Place string // where in the file: "line 7", "byte 12", "header", "blobs[3].name"
	Found string // what is there: "49 values"
	Want  string // what should be there: "50 values (ncols)"
	Err   error  // the cause, if another error is behind this one
}

// Error renders one line: "FILE: PLACE: found X, expected Y".
func (e *Error) Error() string {
	var b strings.Builder
	for _, part := range []string{e.File, e.Place} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	if b.Len() == 0 && e.Op != "" {
		b.WriteString("cannot ")
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	switch {
	case e.Found != "" && e.Want != "":
		b.WriteString("found " + e.Found + ", expected " + e.Want)
	case e.Found != "":
		b.WriteString(e.Found)
	case e.Want != "":
		b.WriteString("expected " + e.Want)
	}
	if e.Err != nil {
		if e.Found != "" || e.Want != "" {
			b.WriteString(": ")
		}
		b.WriteString(Cause(e.Err))
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Sentence renders the error for a toast: what could not be done, and why.
func (e *Error) Sentence() string {
	detail := e.Error()
	if e.Op == "" {
		if e.File == "" {
			detail = upper(detail)
		}
		return detail + "."
	}
	// "run sun.set" and the place "sun.set" name the same thing.
	subject := e.Op[strings.LastIndexByte(e.Op, ' ')+1:]
	detail = strings.TrimPrefix(detail, subject+": ")
	detail = strings.TrimPrefix(detail, "cannot "+e.Op+": ")
	return "Could not " + e.Op + ": " + detail + "."
}

// Sentence renders any error for people: a *Error in its own words, another
// error as its message.
func Sentence(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Sentence()
	}
	return upper(err.Error()) + "."
}

// Wrap turns an error of the file system into an Error that names op and file
// once. A nil err gives nil; an err that already is an Error keeps its own
// place and only gains op and file where it has none.
func Wrap(op, file string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		c := *e
		if c.Op == "" {
			c.Op = op
		}
		if c.File == "" {
			c.File = file
		}
		return &c
	}
	return &Error{Op: op, File: file, Err: err}
}

// Cause is the plain-words reason of an operating-system error, without the
// path and system call that its own message repeats.
func Cause(err error) string {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full"
	case errors.Is(err, syscall.EISDIR):
		return "is a folder, expected a file"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only"
	case errors.As(err, &pe):
		return pe.Err.Error()
	}
	return err.Error()
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
