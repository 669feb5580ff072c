package host

import (
	"sync/atomic"
	"time"
)

// waker makes sure that a frame which another goroutine asked for is drawn. Gio
// 0.10.3 drops Window.Invalidate while its loop has not come to rest since the last
// one: a request during a frame would be lost. So the request is noted, and
// repeated at growing intervals until a frame has served it.
type waker struct {
	wanted atomic.Bool
	signal chan struct{}
	quit   chan struct{}
}

// start begins repeating requests through invalidate, until stop.
func (k *waker) start(invalidate func()) {
	k.quit = make(chan struct{})
	go k.run(invalidate, k.quit)
}

func (k *waker) run(invalidate func(), quit chan struct{}) {
	const first, longest = 4 * time.Millisecond, 250 * time.Millisecond
	timer := time.NewTimer(0)
	<-timer.C
	for {
		select {
		case <-quit:
			return
		case <-k.signal:
		}
		for wait := first; k.wanted.Load(); wait = min(2*wait, longest) {
			timer.Reset(wait)
			select {
			case <-quit:
				return
			case <-timer.C:
			}
			if k.wanted.Load() {
				invalidate()
			}
		}
	}
}

// want notes a request. It tells whether there was none yet.
func (k *waker) want() bool {
	if k.wanted.Swap(true) {
		return false
	}
	select {
	case k.signal <- struct{}{}:
	default:
	}
	return true
}

// serve forgets the requests so far: a frame that will see their cause begins.
func (k *waker) serve() { k.wanted.Store(false) }

func (k *waker) stop() { close(k.quit) }
