package host

import "sync"

// posted are functions that other goroutines want called on the host's.
type posted struct {
	mu  sync.Mutex
	fns []func()
}

func (p *posted) add(fn func()) {
	p.mu.Lock()
	p.fns = append(p.fns, fn)
	p.mu.Unlock()
}

// run calls what was posted so far, in order. What these post themselves waits for
// the next run.
func (p *posted) run() {
	p.mu.Lock()
	fns := p.fns
	p.fns = nil
	p.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}
