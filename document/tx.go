package document

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// ErrClosed is what an edit returns that was committed, cancelled or undone, or
// whose function has returned.
var ErrClosed = errors.New("the edit is closed")

// PanicError is the error of an edit whose function panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Tx changes a level within Do or Step. It is valid until the function that it
// was given to returns. What it refuses changes nothing.
type Tx struct {
	doc     *Document
	level   Level // in the making
	touched touched
	done    bool
}

// Level is the level as the edit has it so far.
func (tx *Tx) Level() *Level {
	l := tx.level
	return &l
}

// NewID gives an id that was never used, not even by an edit that was undone.
func (tx *Tx) NewID() ID {
	id := max(tx.level.NextID, tx.doc.nextID)
	tx.level.NextID = id + 1
	tx.doc.nextID = id + 1
	return id
}

// SetTerrain replaces the ground. What is shared with the ground before costs
// nothing. Where its shape changes, the baked light is no longer that of the sun,
// so Sun.Baked is cleared.
func (tx *Tx) SetTerrain(f *terrain.Field) error {
	if tx.done {
		return ErrClosed
	}
	if f == nil {
		return errors.New("no terrain is given")
	}
	old := tx.level.Terrain
	tx.level.Terrain = f
	if tx.level.Settings.Sun.Baked && reshaped(old, f) {
		return tx.settings(func(s *Settings) { s.Sun.Baked = false })
	}
	return nil
}

// reshaped reports whether the ground of b may have another shape than that of a.
func reshaped(a, b *terrain.Field) bool {
	changes, same := terrain.AppendChanges(nil, a, b)
	return !same || slices.ContainsFunc(changes, func(c terrain.TileChange) bool {
		return c.Planes&(terrain.PlaneHeights|terrain.PlaneFlags) != 0
	})
}

// SetLayers replaces the list of layers. Splats name layers by index, so an edit
// that reorders or removes layers must rewrite them too.
func (tx *Tx) SetLayers(layers []Layer) error {
	if tx.done {
		return ErrClosed
	}
	if err := checkLayers(layers); err != nil {
		return err
	}
	tx.level.Layers = normalLayers(layers)
	tx.touched.layers = true
	return nil
}

// settings changes the settings, if they stay valid.
func (tx *Tx) settings(change func(*Settings)) error {
	if tx.done {
		return ErrClosed
	}
	s := tx.level.Settings
	change(&s)
	if err := s.Validate(); err != nil {
		return err
	}
	tx.level.Settings = s
	tx.touched.settings = true
	return nil
}

// SetSun replaces the sun.
func (tx *Tx) SetSun(s Sun) error {
	if len(s.Extra) == 0 {
		s.Extra = nil
	}
	return tx.settings(func(t *Settings) { t.Sun = s })
}

// SetHeightRange replaces the range of the heightmap that was imported.
func (tx *Tx) SetHeightRange(h HeightRange) error {
	return tx.settings(func(t *Settings) { t.HeightRange = h })
}

// SetGeo sets an entry of the geographic metadata; an empty value removes it.
func (tx *Tx) SetGeo(key, value string) error {
	return tx.settings(func(t *Settings) {
		if value == "" {
			t.Geo = without(t.Geo, key)
		} else {
			t.Geo = with(t.Geo, key, value)
		}
	})
}

// SetCamera sets where the view starts.
func (tx *Tx) SetCamera(c Camera) error {
	return tx.settings(func(t *Settings) { t.Camera = c })
}

// SetBookmark sets a camera bookmark.
func (tx *Tx) SetBookmark(name string, c Camera) error {
	return tx.settings(func(t *Settings) { t.Bookmarks = with(t.Bookmarks, name, c) })
}

// DeleteBookmark removes a camera bookmark; one that does not exist is no error.
func (tx *Tx) DeleteBookmark(name string) error {
	return tx.settings(func(t *Settings) { t.Bookmarks = without(t.Bookmarks, name) })
}

// Put adds the entity or replaces the one with its id, which comes from NewID or
// an entity that exists. Its maps and data are kept and must not be changed.
func (tx *Tx) Put(e Entity) error {
	if tx.done {
		return ErrClosed
	}
	if err := e.Validate(); err != nil {
		return err
	}
	if e.ID >= tx.level.NextID {
		return fmt.Errorf("entity %d: the id was not given out, expected one below %d", e.ID, tx.level.NextID)
	}
	n := e.normal()
	if old, ok := tx.level.entities.get(n.ID); ok && reflect.DeepEqual(old, n) {
		return nil
	}
	tx.touched.entity(n.ID)
	tx.level.put(n)
	return nil
}

// Policy says what becomes of the children of an entity that is deleted.
type Policy int

// The policies.
const (
	// TakeChildren deletes all that stands below the entity.
	TakeChildren Policy = iota
	// LiftChildren gives the children to the entity's parent and leaves them where
	// they are in the world. A shear, which an unequal scale of the parent makes of
	// a turned child, cannot be kept: the child keeps the product of both scales.
	LiftChildren
)

// Delete removes an entity.
func (tx *Tx) Delete(id ID, children Policy) error {
	if tx.done {
		return ErrClosed
	}
	e, ok := tx.level.entities.get(id)
	if !ok {
		return fmt.Errorf("entity %d does not exist", id)
	}
	for c := range tx.level.Children(id) {
		if children == LiftChildren {
			lifted := c.lifted(e)
			if err := lifted.Validate(); err != nil {
				return err
			}
			tx.touched.entity(c.ID)
			tx.level.put(lifted)
		} else if err := tx.Delete(c.ID, TakeChildren); err != nil {
			return err
		}
	}
	tx.touched.entity(id)
	tx.level.drop(id)
	return nil
}

// lifted is e as a child of its parent p's parent.
func (e *Entity) lifted(p *Entity) *Entity {
	c := *e
	c.Parent = p.Parent
	at := mgl64.Vec3{e.Translation[0] * p.Scale[0], e.Translation[1] * p.Scale[1], e.Translation[2] * p.Scale[2]}
	c.Translation = p.Translation.Add(p.Rotation.Rotate(at))
	turn := e.Rotation
	// Mirroring along one axis turns the sense of a rotation about the others.
	mirror := mgl64.Vec3{math.Copysign(1, p.Scale[0]), math.Copysign(1, p.Scale[1]), math.Copysign(1, p.Scale[2])}
	turn.V = mgl64.Vec3{turn.V[0] * mirror[1] * mirror[2], turn.V[1] * mirror[0] * mirror[2], turn.V[2] * mirror[0] * mirror[1]}
	c.Rotation = p.Rotation.Mul(turn).Normalize()
	for i := range c.Scale {
		c.Scale[i] *= p.Scale[i]
	}
	return &c
}

// call runs fn and turns a panic into an error. Either way the level of tx is
// put back when fn fails.
func (tx *Tx) call(fn func(*Tx) error) (err error) {
	was := tx.level
	ok := false
	defer func() {
		if !ok {
			tx.level = was
			if v := recover(); v != nil {
				err = &PanicError{Value: v, Stack: debug.Stack()}
			}
		}
	}()
	err = fn(tx)
	ok = err == nil
	return err
}

// check tells whether the level in the making is one that may be, given that
// before is.
func (tx *Tx) check(before *Level) error {
	l := &tx.level
	for id := range tx.touched.entities {
		e, ok := l.entities.get(id)
		if !ok {
			continue
		}
		depth, err := l.checkParent(e)
		if err != nil {
			return err
		}
		// What stands below it goes down with it, whether it was touched or not.
		if old, had := before.entities.get(id); had && old.Parent != e.Parent {
			if err := l.checkDepth(e, depth); err != nil {
				return err
			}
		}
	}
	if err := terrain.CheckOrigin(l.Terrain.Origin()); err != nil {
		return err
	}
	changes, same := terrain.AppendChanges(nil, before.Terrain, l.Terrain)
	if !same || len(l.Layers) < len(before.Layers) {
		changes = changes[:0]
		w, h := l.Terrain.TileGrid()
		for y := range h {
			for x := range w {
				changes = append(changes, terrain.TileChange{X: x, Y: y, Planes: terrain.AllPlanes &^ l.Terrain.Tile(x, y).Blank()})
			}
		}
	}
	for _, c := range changes {
		if err := checkTile(l.Terrain, c.X, c.Y, c.Planes, len(l.Layers)); err != nil {
			return err
		}
	}
	return nil
}
