package session

import (
	"cmp"
	"slices"
	"time"

	"ridgeline/document"
	"ridgeline/occluders/cull"
)

// Rank is how many things an occluder hides in the view, alone or with others.
type Rank struct {
	ID    document.ID // the occluder; of a hull that came with a mesh, its object
	Name  string
	Hides int
}

// MaxRanks is how many occluders are ranked.
const MaxRanks = 12

// ranks is the ranking, made little by little.
type ranks struct {
	of     runKey
	begun  bool
	done   bool
	next   int // entry to look at
	counts []int
	list   []Rank
}

// rankBudget is how long a frame may be kept waiting for the ranking.
const rankBudget = 2 * time.Millisecond

// Rank goes on ranking the occluders for the view, while it stands still, and reports
// whether there is more to do.
func (c *Culling) Rank() (more bool) {
	r := &c.ranks
	if !c.Fresh() || c.s.View.moving {
		return false
	}
	if !r.begun || r.of != c.ran {
		*r = ranks{of: c.ran, begun: true, counts: r.counts[:0], list: r.list}
		r.counts = append(r.counts, make([]int, len(c.s.scene.Visibility().Occluders))...)
	}
	if r.done {
		return false
	}
	for began, steps := time.Now(), 0; r.next < len(c.report.Verdicts); r.next++ {
		if c.report.Verdicts[r.next] != cull.ByOccluder {
			continue
		}
		if steps++; steps%8 == 0 && time.Since(began) > rankBudget {
			return true
		}
		for _, o := range c.culler.Explain(int32(r.next)).Occluders {
			r.counts[o]++
		}
	}
	c.sortRanks()
	return false
}

func (c *Culling) sortRanks() {
	r := &c.ranks
	r.done, r.list = true, r.list[:0]
	for i, n := range r.counts {
		if n > 0 {
			id := c.s.scene.Visibility().Occluders[i].ID
			r.list = append(r.list, Rank{id, nameIn(c.s.Level(), id), n})
		}
	}
	slices.SortStableFunc(r.list, func(a, b Rank) int { return cmp.Compare(b.Hides, a.Hides) })
	r.list = r.list[:min(len(r.list), MaxRanks)]
}

// Ranks are the occluders that hide most in the view where it stood still last, and
// whether that is the present one.
func (c *Culling) Ranks() (list []Rank, now bool) {
	return c.ranks.list, c.ranks.done && c.ranks.of == c.ran
}
