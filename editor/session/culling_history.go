package session

import (
	"time"

	"ridgeline/occluders/cull"
)

// The frames that are remembered, and those over which times are averaged.
const (
	HistoryFrames = 300
	averageFrames = 30
)

// CullSample is what one frame drew and removed.
type CullSample struct {
	Drawn   int
	Removed [cull.NumTests]int
	times   [cull.NumTests]time.Duration
	tests   cull.Tests
}

// history is a ring of the last frames.
type history struct {
	frames [HistoryFrames]CullSample
	next   int
	count  int
}

func (h *history) reset() { h.next, h.count = 0, 0 }

func (h *history) add(r *cull.Report, tests cull.Tests) {
	f := &h.frames[h.next]
	*f = CullSample{Drawn: len(r.Drawn), tests: tests}
	for t := range r.Stats {
		f.Removed[t], f.times[t] = r.Stats[t].Removed, r.Stats[t].Time
	}
	h.next = (h.next + 1) % HistoryFrames
	h.count = min(h.count+1, HistoryFrames)
}

// Frames is how many frames are remembered, HistoryFrames at most.
func (c *Culling) Frames() int { return c.history.count }

// Frame is one of the frames that are remembered, 0 for the oldest.
func (c *Culling) Frame(i int) *CullSample {
	h := &c.history
	return &h.frames[(h.next-h.count+i+HistoryFrames)%HistoryFrames]
}

// Runs counts the runs, so that views know when there is something new.
func (c *Culling) Runs() int { return c.runs }

// Time is how long a test takes, averaged over the frames before in which it was made;
// ok is false when it was in none.
func (c *Culling) Time(t cull.Test) (mean time.Duration, ok bool) {
	n := 0
	var sum time.Duration
	for i := max(0, c.history.count-averageFrames); i < c.history.count; i++ {
		if f := c.Frame(i); f.tests.Has(t) {
			sum += f.times[t]
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / time.Duration(n), true
}
