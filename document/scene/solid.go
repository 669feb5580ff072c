package scene

import (
	"ridgeline/document"
	"ridgeline/occluders/collide"
	"ridgeline/terrain"
)

// solid is the scene as collision knows it, of a version.
type solid struct {
	world   *collide.World
	version int
	field   *terrain.Field
}

// Solid is what is solid in the level: the ground, and the items that are shown and
// collide, but for those that stand farther away than anybody can walk. A body's ID
// is the item's slot. It is made anew when the level has changed, and must not be
// kept.
func (s *Scene) Solid() (*collide.World, error) {
	field := s.level.Terrain
	if s.solid.world != nil && s.solid.version == s.version {
		return s.solid.world, nil
	}
	var ground collide.Ground
	if s.level.HasTerrain() {
		ground = terrain.Solid{Field: field}
	}
	var bodies []collide.Body
	for slot := range s.items {
		it := &s.items[slot]
		if it.ID == 0 || it.Hidden || it.Collision == document.CollideNone || it.Box.IsEmpty() {
			continue
		}
		if b := it.body(slot); b.Validate() == nil {
			bodies = append(bodies, b)
		}
	}
	w, err := collide.NewWorld(ground, bodies)
	if err != nil {
		return nil, err
	}
	s.solid = solid{w, s.version, field}
	return w, nil
}

func (it *Item) body(slot int) collide.Body {
	b := collide.Body{ID: uint64(slot), Mesh: it.Model.Solid(), World: it.World, Kind: collide.KindMesh}
	if it.Collision == document.CollideSphere {
		b.Kind, b.Radius = collide.KindSphere, it.Radius/stretch(it.World)
	}
	return b
}
