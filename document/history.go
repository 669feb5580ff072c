package document

import (
	"errors"
	"fmt"
	"time"
)

// history is the steps before and after the current level.
type history struct {
	options *Options
	steps   []step
	at      int   // steps[:at] are done, the others undone
	base    State // before the first step
	memory  int64 // of the steps that are in memory
	spill   spill
}

type step struct {
	name      string
	mergeKey  string
	mergeTime time.Time
	time      time.Time
	state     State  // after it
	swaps     *swaps // nil: it lies in file
	bytes     int64  // of swaps
	file      string
	fileBytes int64
}

func (h *history) state() State {
	if h.at == 0 {
		return h.base
	}
	return h.steps[h.at-1].state
}

// push adds a step that was just done, and that led to level. What was undone is
// forgotten.
func (h *history) push(s step, level *Level) {
	h.forgetFrom(h.at)
	if h.at > 0 {
		last := &h.steps[h.at-1]
		age := s.mergeTime.Sub(last.mergeTime)
		if s.mergeKey != "" && s.mergeKey == last.mergeKey && age >= 0 && age < mergeWindow && last.swaps != nil && s.swaps.join(last.swaps) {
			s.name, s.bytes = last.name, s.swaps.bytes(level)
			h.memory += s.bytes - last.bytes
			*last = s
			h.trim(true)
			return
		}
	}
	h.steps = append(h.steps, s)
	h.memory += s.bytes
	h.at++
	h.trim(true)
}

// moveTo undoes or redoes until i steps are done. It adds to t what that touched.
// A step that cannot be read back ends it early: the steps beyond are forgotten.
func (h *history) moveTo(i int, level *Level, t *touched) (_ *Level, ok bool) {
	for h.at != i {
		k, next := h.at, h.at+1
		if i < h.at {
			k, next = h.at-1, h.at-1
		}
		s := &h.steps[k]
		if err := h.recall(s); err != nil {
			h.options.Report(fmt.Errorf("part of the history is lost: %w", err))
			if next < h.at {
				h.forgetTo(k + 1)
			} else {
				h.forgetFrom(k)
			}
			return level, false
		}
		t.add(s.swaps.touches())
		level, s.swaps = s.swaps.apply(level)
		h.memory -= s.bytes
		s.bytes = s.swaps.bytes(level)
		h.memory += s.bytes
		s.mergeKey = "" // what was undone once is an edit of its own
		h.at = next
		h.trim(false) // on the way, nothing that lies ahead is forgotten
	}
	h.trim(true)
	return level, true
}

// recall brings a step back to memory.
func (h *history) recall(s *step) error {
	if s.swaps != nil {
		return nil
	}
	sw, err := h.spill.read(s.file)
	if err != nil {
		return err
	}
	s.swaps = sw
	h.memory += s.bytes
	h.spill.remove(s)
	return nil
}

// trim moves the steps farthest from the present out of memory until the rest
// fits, and, with forget, drops what does not fit on the disk either, the oldest
// first. Only the reach of history suffers, never what is left of it.
func (h *history) trim(forget bool) {
	first, last := 0, len(h.steps)-1
	for h.memory > h.options.HistoryBytes {
		for first < h.at && h.steps[first].swaps == nil {
			first++
		}
		for last >= h.at && h.steps[last].swaps == nil {
			last--
		}
		// The nearest of each side stays.
		back, forth := h.at-1-first, last-h.at
		if back <= 0 && forth <= 0 {
			break
		}
		k := first
		if forth > back {
			k = last
		}
		s := &h.steps[k]
		err := h.spill.write(h.options.SpillDir, s)
		if err == nil {
			h.memory -= s.bytes
			s.swaps = nil
			continue
		}
		if !forget {
			return
		}
		if !errors.Is(err, errNoSpill) {
			h.options.Report(fmt.Errorf("part of the history is lost: %w", err))
		}
		if k < h.at {
			h.forgetTo(k + 1)
			last -= k + 1
			first = 0
		} else {
			h.forgetFrom(k)
			last = k - 1
		}
	}
	for forget && h.spill.bytes > h.options.SpillBytes {
		switch {
		case h.at > 0 && h.steps[0].swaps == nil:
			h.forgetTo(1)
		case len(h.steps) > h.at && h.steps[len(h.steps)-1].swaps == nil:
			h.forgetFrom(len(h.steps) - 1)
		default: // what is on disk lies between: forget up to it
			k := 0
			for h.steps[k].swaps != nil {
				k++
			}
			if k < h.at {
				h.forgetTo(k + 1)
			} else {
				h.forgetFrom(k)
			}
		}
	}
}

// forgetTo drops the first n steps, which are done.
func (h *history) forgetTo(n int) {
	h.base = h.steps[n-1].state
	for i := range h.steps[:n] {
		h.discard(&h.steps[i])
		h.steps[i] = step{}
	}
	h.steps = h.steps[n:]
	h.at -= n
}

// forgetFrom drops the steps from index n on, which are undone.
func (h *history) forgetFrom(n int) {
	for i := n; i < len(h.steps); i++ {
		h.discard(&h.steps[i])
		h.steps[i] = step{}
	}
	h.steps = h.steps[:n]
}

func (h *history) discard(s *step) {
	if s.swaps != nil {
		h.memory -= s.bytes
	} else {
		h.spill.remove(s)
	}
}

func (h *history) close() error {
	h.forgetFrom(0)
	h.at = 0
	return h.spill.close()
}
