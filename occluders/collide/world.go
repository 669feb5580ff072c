package collide

import (
	"fmt"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
)

// worldTree sorts bodies finely: walking asks for what lies within a few metres.
var worldTree = nodetree.Options{Split: nodetree.Oct, MinSize: 8, MaxItems: 8}

// World is what is solid in a level. Queries may run from several goroutines at
// once; changes need the World for themselves.
type World struct {
	ground  Ground // nil: none
	bodies  []body
	tree    *nodetree.Tree
	version uint64 // counts changes
}

// NewWorld makes a world; body i of it is bodies[i]. ground may be nil. The first
// body that Validate refuses is the error.
func NewWorld(ground Ground, bodies []Body) (*World, error) {
	w := &World{ground: ground, bodies: make([]body, len(bodies))}
	boxes := make([]geom.Box, len(bodies))
	for i, b := range bodies {
		if err := b.Validate(); err != nil {
			return nil, fmt.Errorf("body %d: %w", i, err)
		}
		w.bodies[i], boxes[i] = prepare(b)
	}
	w.tree = nodetree.Build(boxes, worldTree)
	return w, nil
}

// Ground is what SetGround set; nil is none.
func (w *World) Ground() Ground { return w.ground }

// SetGround replaces the ground; nil takes it away.
func (w *World) SetGround(g Ground) {
	w.ground = g
	w.version++
}

// Add puts another body into the world and returns its index, which may be that of
// one that was removed. On an error the world is as it was.
func (w *World) Add(b Body) (int, error) {
	if err := b.Validate(); err != nil {
		return 0, err
	}
	o, box := prepare(b)
	i := w.tree.Add(box)
	for len(w.bodies) <= i {
		w.bodies = append(w.bodies, body{})
	}
	w.bodies[i] = o
	w.version++
	return i, nil
}

// Set changes body i, which must be in the world, to b: to move it, for one. On an
// error the world is as it was.
func (w *World) Set(i int, b Body) error {
	if !w.Has(i) {
		return fmt.Errorf("there is no body %d", i)
	}
	if err := b.Validate(); err != nil {
		return err
	}
	o, box := prepare(b)
	w.bodies[i] = o
	w.tree.Move(i, box)
	w.version++
	return nil
}

// Remove takes body i out of the world; false if it is not in it.
func (w *World) Remove(i int) bool {
	if !w.Has(i) {
		return false
	}
	w.bodies[i] = body{}
	w.tree.Remove(i)
	w.version++
	return true
}

// Has reports whether i is a body of the world.
func (w *World) Has(i int) bool { return i >= 0 && i < len(w.bodies) && w.bodies[i].live }

// Body gives back body i, which must be in the world.
func (w *World) Body(i int) Body { return w.bodies[i].Body }

// BallOf is the ball of body i, which must be in the world, in world coordinates.
func (w *World) BallOf(i int) geom.Sphere { return w.bodies[i].ball }

// Bounds is the box around the ground and all bodies; empty without any.
func (w *World) Bounds() geom.Box {
	b := w.tree.Bounds()
	if w.ground != nil {
		b = b.Union(w.ground.Bounds())
	}
	return b
}
