package editor

import (
	"image"

	"ridgeline/editor/session"
	"ridgeline/viewport/render"
)

// truth asks the renderer what of the level has a pixel in a picture for which
// nothing is culled: at full detail, or as the picture of the view draws it.
type truth struct {
	sight     render.Sight
	instances []render.Instance
	entries   []int32 // what the instances are
	seen      []bool  // by entry
}

// find fills seen for the level that is drawn.
func (t *truth) find(c *scene, v render.View, size image.Point) error {
	t.begin(c.s)
	for _, pixels := range []float64{0, v.MaxError} {
		if err := t.look(c, v, size, pixels); err != nil {
			return err
		}
	}
	return nil
}

// begin lists what there is, none of it seen so far.
func (t *truth) begin(session *session.Session) {
	s := session.Scene()
	cols, rows := s.ChunkGrid()
	tree := s.Tree()
	t.instances, t.entries = t.instances[:0], t.entries[:0]
	for slot := range s.Items() {
		it := &s.Items()[slot]
		entry := cols*rows + slot
		if it.ID == 0 || it.Hidden || tree.Box(entry).IsEmpty() {
			continue
		}
		t.instances = append(t.instances, render.Instance{Model: it.Model.Model, World: it.World})
		t.entries = append(t.entries, int32(entry))
	}
	t.seen = append(t.seen[:0], make([]bool, tree.Len())...)
}

// look adds what has a pixel in a view in which the ground is right to within some
// pixels.
func (t *truth) look(c *scene, v render.View, size image.Point, pixels float64) error {
	v.Instances, v.Chunks, v.Shapes, v.Rings = t.instances, nil, nil, nil
	v.Ghosts, v.GhostChunks, v.HeatMap = nil, nil, nil
	v.MaxError = pixels
	if err := c.r.Identify(&v, size, &t.sight); err != nil {
		return err
	}
	for i, n := range t.sight.Chunks {
		t.seen[i] = t.seen[i] || n > 0
	}
	for i, n := range t.sight.Instances {
		e := t.entries[i]
		t.seen[e] = t.seen[e] || n > 0
	}
	return nil
}

// check goes on comparing what is culled with what can be seen, if that is wanted: a
// picture in each frame.
func (c *scene) check() {
	q, ok := c.s.Culling.NextCheck()
	if !ok {
		return
	}
	if q.First {
		c.truth.begin(c.s)
	}
	v := render.View{Eye: q.View.Eye, ViewProj: q.View.ViewProj}
	pixels := c.s.Settings.View.MaxError
	if q.Full {
		pixels = 0
	}
	c.s.Culling.Checked(q, c.truth.has, c.truth.look(c, v, q.Size, pixels))
}

// has reports whether an entry has a pixel.
func (t *truth) has(entry int32) bool { return t.seen[entry] }
