package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"ridgeline/terrain/fault"
)

// progress shows how far a verb is, on stderr and only where that is a terminal.
type progress struct {
	out  io.Writer // nil: nobody looks
	now  func() time.Time
	mu   sync.Mutex
	last time.Time
	open bool // a line stands on the terminal
}

func (sh *shell) progress() *progress {
	p := &progress{now: sh.now}
	if isTerminal(sh.err) {
		p.out = sh.err
	}
	p.last = p.now()
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// part gives the function that the step called what is to be told of.
func (p *progress) part(what string) func(done float64) {
	if p.out == nil {
		return nil
	}
	return func(done float64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if now := p.now(); now.Sub(p.last) >= 200*time.Millisecond {
			p.last, p.open = now, true
			fmt.Fprintf(p.out, "\r\x1b[K%s: %.0f %%", fault.Plain(what), done*100)
		}
	}
}

// steps is part for those that count.
func (p *progress) steps(what string) func(done, total int) {
	part := p.part(what)
	if part == nil {
		return nil
	}
	return func(done, total int) { part(float64(done) / float64(max(total, 1))) }
}

// done takes the line away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.open = false
	}
}
