package editor

import (
	"image"

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
	s := c.s.Scene()
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
	v.Instances, v.Chunks, v.Shapes, v.Rings = t.instances, nil, nil, nil
	for _, pixels := range []float64{0, v.MaxError} {
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
	}
	return nil
}

// has reports whether an entry has a pixel.
func (t *truth) has(entry int32) bool { return t.seen[entry] }
