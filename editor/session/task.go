package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Task is background work that the status bar shows and the user may cancel.
type Task struct {
	Title string
	Began time.Time

	done   atomic.Uint64 // part done in millionths; over that: unknown
	cancel context.CancelFunc
	hidden bool
}

const whole = 1_000_000

// Progress is the part done, 0–1; ok is false while nothing is known.
func (t *Task) Progress() (done float64, ok bool) {
	n := t.done.Load()
	return float64(n) / whole, n <= whole
}

// Cancel asks the task to stop. It goes on until it notices.
func (t *Task) Cancel() { t.cancel() }

// Work is what a task does away from the session's goroutine. It returns what is
// to be done there with its result; a nil finish is fine.
type Work func(ctx context.Context, progress func(done float64)) (finish func() error, err error)

// Start runs work in the background under a title such as "Opening a level". What
// it or its finish returns as an error is shown to the user; a cancelled task ends
// without a word. after, which may be nil, is called last, on the session's
// goroutine, with the task's error.
func (s *Session) Start(title string, work Work, after func(error)) *Task {
	return s.start(&Task{Title: title, Began: s.now()}, work, after)
}

func (s *Session) start(t *Task, work Work, after func(error)) *Task {
	ctx, cancel := context.WithCancel(s.ctx)
	t.cancel = cancel
	t.done.Store(whole + 1)
	s.tasks = append(s.tasks, t)
	var told atomic.Int64
	progress := func(done float64) {
		t.done.Store(uint64(min(max(done, 0), 1) * whole))
		// The bar moves ten times a second at most.
		if now, last := time.Now().UnixMilli(), told.Load(); now-last >= 100 && told.CompareAndSwap(last, now) {
			s.invalidate()
		}
	}
	run := func() {
		finish, err := s.guard(t.Title, func() (func() error, error) { return work(ctx, progress) })
		s.post(func() {
			s.tasks = slices.DeleteFunc(s.tasks, func(o *Task) bool { return o == t })
			if err == nil && finish != nil {
				_, err = s.guard(t.Title, func() (func() error, error) { return nil, finish() })
			}
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				s.Fail(err)
			}
			if after != nil {
				after(err)
			}
		})
	}
	if s.late != nil {
		run()
	} else {
		go run()
	}
	return t
}

// late is what was posted to a session that has no loop.
type late struct {
	mu    sync.Mutex
	posts []func()
}

func (l *late) add(fn func()) {
	l.mu.Lock()
	l.posts = append(l.posts, fn)
	l.mu.Unlock()
}

// catchUp calls what was posted to a session that has no loop, and reports whether
// anything was.
func (s *Session) catchUp() (any bool) {
	if s.late == nil {
		return false
	}
	for {
		s.late.mu.Lock()
		posts := s.late.posts
		s.late.posts = nil
		s.late.mu.Unlock()
		if len(posts) == 0 {
			return any
		}
		for _, fn := range posts {
			fn()
		}
		any = true
	}
}

// guard calls fn and turns a panic into an error with a crash file behind it.
func (s *Session) guard(what string, fn func() (func() error, error)) (finish func() error, err error) {
	defer func() {
		if r := recover(); r != nil {
			finish, err = nil, s.Crashed(what, r, debug.Stack())
		}
	}()
	return fn()
}

// Crashed writes a crash file about a panic and gives the error that names it.
func (s *Session) Crashed(what string, reason any, stack []byte) error {
	file, err := s.writeCrash(fmt.Sprintf("%s: %v", what, reason), stack)
	if err != nil {
		return fmt.Errorf("%s failed inside the editor (%v), and no crash file could be written: %w", what, reason, err)
	}
	return fmt.Errorf("%s failed inside the editor: %v; the details are in %s", what, reason, file)
}

// Tasks lists what runs in the background, oldest first, without the autosave.
func (s *Session) Tasks() []*Task {
	return slices.DeleteFunc(slices.Clone(s.tasks), func(t *Task) bool { return t.hidden })
}

// Busy reports whether anything runs in the background.
func (s *Session) Busy() bool { return len(s.tasks) > 0 }
