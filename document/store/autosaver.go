package store

import (
	"context"
	"fmt"
	"sync"

	"ridgeline/document"
)

// Autosaver writes a level after each edit, on a goroutine of its own, and sees to
// it that saves and autosaves of one level do not meet. While it is busy, only the
// newest level waits: edits made faster than the disk is are written together.
// Its methods may be called from any goroutine.
type Autosaver struct {
	path   string
	report func(AutosaveResult)

	files sync.Mutex // held while the level's files are written
	saved *Saved     // guarded by files

	mu      sync.Mutex
	latest  *document.Level // given to Update last
	edits   int             // given to Update since the last save
	camera  document.Camera // where the view is to start; unset: where the level says
	pending bool            // latest is to be written
	idle    chan struct{}   // closed when the goroutine ends; nil while there is none
	closed  bool
}

// AutosaveResult tells of an autosave that ended.
type AutosaveResult struct {
	Level *document.Level // what was to be written
	Stats SaveStats
	Err   error
}

// NewAutosaver begins to look after the level at path, which need not exist yet.
// saved is what Save or Open returned for it, or nil. report may be nil; it is
// called from another goroutine.
func NewAutosaver(path string, saved *Saved, report func(AutosaveResult)) *Autosaver {
	if report == nil {
		report = func(AutosaveResult) {}
	}
	return &Autosaver{path: path, saved: saved, report: report}
}

// Update has a level written that an edit, an undo or a redo led to. It does not
// wait. Every committed level is to be given to Update, before it is saved.
func (a *Autosaver) Update(l *document.Level) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.latest = l
	a.edits++
	a.kick()
}

// Look has levels that are written from now on begin where a camera is that is set,
// whatever they say themselves: looking around is no edit, and by itself has nothing
// written.
func (a *Autosaver) Look(c document.Camera) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.camera = c
}

// SeenFrom is a level that begins where a camera is, if that is set. Levels that do so
// already are returned as they are.
func SeenFrom(l *document.Level, c document.Camera) *document.Level {
	if !c.IsSet() || l.Settings.Camera == c {
		return l
	}
	seen := *l
	seen.Settings.Camera = c
	return &seen
}

// kick has the goroutine write latest; mu is held.
func (a *Autosaver) kick() {
	if a.closed {
		return
	}
	a.pending = true
	if a.idle == nil {
		a.idle = make(chan struct{})
		go a.work(a.idle)
	}
}

func (a *Autosaver) work(idle chan struct{}) {
	defer close(idle)
	for {
		a.mu.Lock()
		if !a.pending {
			a.idle = nil
			a.mu.Unlock()
			return
		}
		a.mu.Unlock()
		if result, wrote := a.write(); wrote {
			a.report(result)
		}
	}
}

// write makes one autosave, unless a save has made it needless meanwhile.
func (a *Autosaver) write() (result AutosaveResult, wrote bool) {
	a.files.Lock()
	defer a.files.Unlock()
	a.mu.Lock()
	l, edits, camera, pending := a.latest, a.edits, a.camera, a.pending
	a.pending = false
	a.mu.Unlock()
	if !pending {
		return result, false
	}
	result.Level = l
	defer func() {
		if v := recover(); v != nil {
			result.Err, wrote = fmt.Errorf("internal error: %v", v), true
		}
	}()
	next, stats, err := Autosave(context.Background(), a.path, SeenFrom(l, camera), edits, a.saved, nil)
	if err == nil {
		a.saved = next
	}
	result.Stats, result.Err = stats, err
	return result, true
}

// Save writes the level itself, as the function Save does, when the autosave that
// may be under way has ended. Edits that were given to Update after l are
// autosaved again. It begins where Look said last.
func (a *Autosaver) Save(ctx context.Context, l *document.Level, progress Progress) (SaveStats, error) {
	a.files.Lock()
	defer a.files.Unlock()
	a.mu.Lock()
	seen := SeenFrom(l, a.camera)
	a.mu.Unlock()
	next, stats, err := Save(ctx, a.path, seen, a.saved, progress)
	if err != nil {
		return stats, err
	}
	a.saved = next
	a.mu.Lock()
	defer a.mu.Unlock()
	a.edits = 0
	if a.latest == nil || a.latest == l {
		a.pending = false
	} else {
		a.edits = 1
		a.kick()
	}
	return stats, nil
}

// Discard removes the autosave: the level is closed without saving. Updates that
// wait are dropped.
func (a *Autosaver) Discard() error {
	a.files.Lock()
	defer a.files.Unlock()
	a.mu.Lock()
	a.pending = false
	a.mu.Unlock()
	return Discard(a.path)
}

// Saved is what is known of the level's files, for a save under another name.
func (a *Autosaver) Saved() *Saved {
	a.files.Lock()
	defer a.files.Unlock()
	return a.saved
}

// Wait returns when everything that was given to Update before has been written,
// or has failed, or when ctx ends.
func (a *Autosaver) Wait(ctx context.Context) error {
	a.mu.Lock()
	idle := a.idle
	a.mu.Unlock()
	if idle == nil {
		return ctx.Err()
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close takes no more updates and waits as Wait does.
func (a *Autosaver) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	return a.Wait(ctx)
}
