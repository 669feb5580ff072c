package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ridgeline/terrain/fault"
)

// maxLine bounds a line of a script, in bytes.
const maxLine = 4 << 20

// step is one command of a script and where it stands.
type step struct {
	call Call
	line int
}

// RunScript runs the commands of a script one after the other, each edit as a
// step of its own, and stops at the first that fails. Everything that can be
// found wrong without a level (unknown commands and arguments, values out of
// range) is found before the first command runs. name stands for the script in
// errors, which also tell the line; it may be empty.
//
// Levels that the script saves are written at its end, in order and as they were
// when it said so, and only if nothing failed. What ran before a failure stays in
// the document; whoever saves by himself must not do so after an error.
func (r *Registry) RunScript(ctx context.Context, env *Env, name string, script io.Reader) error {
	steps, err := r.readScript(name, script)
	if err != nil {
		return err
	}
	// A copy, so that the host's own operations stay as they are.
	inside := *env
	inside.Away = nil // the next line builds on this one
	type held struct {
		SaveRequest
		line int
	}
	var saves []held
	line := 0
	if env.Files.Save != nil {
		inside.Files.Save = func(_ context.Context, q SaveRequest) error {
			saves = append(saves, held{q, line})
			return nil
		}
	}
	for _, s := range steps {
		line = s.line
		if err := r.Run(ctx, &inside, s.call); err != nil {
			return at(name, s.line, err)
		}
	}
	for _, q := range saves {
		if err := env.Files.Save(ctx, q.SaveRequest); err != nil {
			return at(name, q.line, err)
		}
	}
	return nil
}

// CheckScript finds what RunScript would find before running anything.
func (r *Registry) CheckScript(name string, script io.Reader) error {
	_, err := r.readScript(name, script)
	return err
}

func (r *Registry) readScript(name string, script io.Reader) ([]step, error) {
	lines := bufio.NewScanner(script)
	lines.Buffer(nil, maxLine)
	var steps []step
	n := 0
	for lines.Scan() {
		n++
		text := lines.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // some Windows editors begin files with it
		}
		calls, err := ParseLine(text)
		if err != nil {
			return nil, at(name, n, err)
		}
		for _, c := range calls {
			if _, err := r.Check(c); err != nil {
				return nil, at(name, n, err)
			}
			steps = append(steps, step{c, n})
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, at(name, n+1, &fault.Error{Found: "a line of more than 4 MiB", Want: "one command a line"})
		}
		return nil, fault.Wrap("read the script", name, err)
	}
	return steps, nil
}

// at says in which line of a script an error arose. An error about another file
// keeps that file's name.
func at(name string, line int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *fault.Error
	place := fmt.Sprintf("line %d", line)
	if !errors.As(err, &e) || e.File != "" {
		if name != "" {
			place = name + ": " + place
		}
		return fmt.Errorf("%s: %w", place, err)
	}
	f := *e
	f.File, f.Place = name, place
	if e.Place != "" {
		f.Place += ": " + e.Place
	}
	if f.Op == "" {
		f.Op = "run the script"
	}
	return &f
}
