package nodetree

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel cuts 0 … n−1 into ranges of grain and calls do with each, on all
// processors. What do computes may depend on its range alone, so that the result is
// the same on any number of them.
func parallel(n, grain int, do func(part, from, to int)) {
	parts := (n + grain - 1) / grain
	workers := min(runtime.GOMAXPROCS(0), parts)
	if workers <= 1 {
		for p := range parts {
			do(p, p*grain, min(n, (p+1)*grain))
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				p := int(next.Add(1)) - 1
				if p >= parts {
					return
				}
				do(p, p*grain, min(n, (p+1)*grain))
			}
		})
	}
	wg.Wait()
}
