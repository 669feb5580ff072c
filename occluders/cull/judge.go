package cull

import "ridgeline/occluders/geom"

// Judgement is how a report compares with what can truly be seen.
type Judgement struct {
	False   []int32 // entries that were removed although they can be seen
	Hidden  int     // entries inside the view that cannot be seen
	Removed [NumTests]int
	// Removed counts, for each test, those of the hidden that it removed. What the
	// frustum removes is not inside the view and does not count.
}

// Judge compares the last run with the truth: whether each entry has a pixel in a
// picture for which nothing was removed.
func (c *Culler) Judge(seen func(entry int32) bool) Judgement {
	var j Judgement
	for i, v := range c.report.Verdicts {
		e := int32(i)
		if v == Absent {
			continue
		}
		t, removed := v.Test()
		if seen(e) {
			if removed {
				j.False = append(j.False, e)
			}
			continue
		}
		if v == ByFrustum || c.frustum.Box(c.scene.Tree.Box(i)) == geom.Outside {
			continue
		}
		j.Hidden++
		if removed {
			j.Removed[t]++
		}
	}
	return j
}

// Efficiency is the share of what is hidden that was removed, 0–1; 1 if nothing is
// hidden.
func (j *Judgement) Efficiency() float64 {
	n := 0
	for _, r := range j.Removed {
		n += r
	}
	return j.share(n)
}

// Of is the share of what is hidden that one test removed.
func (j *Judgement) Of(t Test) float64 { return j.share(j.Removed[t]) }

func (j *Judgement) share(n int) float64 {
	if j.Hidden == 0 {
		return 1
	}
	return float64(n) / float64(j.Hidden)
}
