package session

import (
	"image"

	"ridgeline/document"
	"ridgeline/occluders/cull"
)

// CheckResult is how a run compares with what can truly be seen.
type CheckResult struct {
	cull.Judgement
	Things []FalseCull // what was removed although it can be seen
	Full   bool        // the ground was also looked at in full detail
	Now    bool        // it is of the present view and level
}

// FalseCull is something that was removed although it can be seen.
type FalseCull struct {
	Entry   int32
	ID      document.ID // 0 for ground
	Name    string
	Verdict cull.Verdict
}

// check compares what is culled with what can be seen, a step in each frame.
type check struct {
	idle   bool // whenever the view stands still
	asked  bool // once
	at     runKey
	step   int
	result CheckResult
	of     runKey // that result is of
	has    bool
	bad    cull.Set // entries of result.False
}

// CheckStep is what a picture without culling is to be made of: the view, and the
// detail of the ground.
type CheckStep struct {
	View        cull.View
	Size        image.Point
	Full        bool // full detail; else as the picture has it
	First, Last bool
}

// bigGround is the number of chunks above which the check of a view that stands still
// leaves the ground in full detail out, as drawing it takes longer than a frame.
const bigGround = 256

// Check has the present view compared with what can be seen.
func (c *Culling) Check() {
	c.check.asked = true
	c.s.invalidate()
}

// CheckIdle has every view compared when it comes to rest.
func (c *Culling) CheckIdle(on bool) {
	c.check.idle = on
	c.s.invalidate()
}

// ChecksIdle reports whether every view is compared when it comes to rest.
func (c *Culling) ChecksIdle() bool { return c.check.idle }

// CheckDue reports whether a frame should be drawn to go on with a check.
func (c *Culling) CheckDue() bool {
	k := &c.check
	if k.asked {
		return true
	}
	v := &c.s.View
	if !k.idle || v.moving || v.gesture != gestureNone || c.s.drag != nil {
		return false
	}
	return !c.Fresh() || !k.has || k.of != c.ran
}

// NextCheck is the step that is to be made now that the level has been drawn; ok is
// false when there is none.
func (c *Culling) NextCheck() (q CheckStep, ok bool) {
	k := &c.check
	if !c.CheckDue() || !c.Fresh() {
		k.step = 0
		return q, false
	}
	if k.step == 0 || k.at != c.ran {
		k.step, k.at = 0, c.ran
	}
	full := k.asked || c.s.scene.Counts().Chunks <= bigGround
	q = CheckStep{View: c.view, Size: c.size, First: k.step == 0, Full: full && k.step == 0}
	q.Last = !full || k.step == 1
	return q, true
}

// Checked takes the outcome of a step: what has a pixel in this picture or one of those
// before. An error ends the check.
func (c *Culling) Checked(q CheckStep, seen func(entry int32) bool, err error) {
	k := &c.check
	if err != nil {
		k.asked, k.idle, k.step = false, false, 0
		c.s.Fail(err)
		return
	}
	defer c.s.invalidate()
	if !q.Last {
		k.step++
		return
	}
	k.result = CheckResult{Judgement: c.culler.Judge(seen), Full: q.Full || k.step > 0}
	k.bad.Reset()
	for _, e := range k.result.False {
		k.bad.Add(e)
		k.result.Things = append(k.result.Things, FalseCull{e, c.idOf(e), c.titleOf(e), c.report.Verdicts[e]})
	}
	k.of, k.has, k.asked, k.step = k.at, true, false, 0
	c.s.View.touch() // false culls are red
}

// Result is what the last check found; ok is false when there was none.
func (c *Culling) Result() (r CheckResult, ok bool) {
	r = c.check.result
	r.Now = c.Fresh() && c.check.of == c.ran
	return r, c.check.has
}

// isFalse reports whether an entry was found to be removed although it can be seen.
func (c *Culling) isFalse(entry int32) bool {
	return c.check.has && c.check.of == c.ran && c.check.bad.Has(entry)
}
