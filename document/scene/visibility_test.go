package scene

import (
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/portal"
)

// block has the corners of a box around the origin.
func block(x, y, z float64) (out []mgl64.Vec3) {
	for i := range 8 {
		out = append(out, mgl64.Vec3{x * float64(i&1*2-1), y * float64(i&2-1), z * float64(i&4/2-1)})
	}
	return out
}

func lookAt(eye, at mgl64.Vec3) cull.View {
	return cull.ViewOf(eye, mgl64.Perspective(math.Pi/3, 16.0/9, 0.1, 5000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, at.Sub(eye), mgl64.Vec3{0, 1, 0})))
}

// verdict is what becomes of the one item of an entity.
func verdict(t *testing.T, s *Scene, v cull.View, id document.ID) cull.Verdict {
	t.Helper()
	var c cull.Culler
	r := s.Cull(&c, v, image.Pt(1280, 720), cull.All)
	return r.Verdicts[s.cols*s.rows+int(s.Of(id)[0])]
}

func TestOccludersHideThings(t *testing.T) {
	for _, offset := range []float64{0, 100_000} {
		doc, lib := world(t, offset), newShelf()
		at := func(x, y, z float64) mgl64.Vec3 { return mgl64.Vec3{offset + x, y, -offset + z} }
		wall := document.Occluder{Points: block(4, 4, 0.5)}
		ids := stand(t, doc,
			document.Entity{Translation: at(100, 200, 50), Data: document.Object{Asset: "box"}},
			document.Entity{Kind: document.KindOccluder, Translation: at(100, 200, 70), Data: wall},
		)
		s := following(doc, lib)
		v := lookAt(at(100, 201, 100), at(100, 200, 0))
		if got := verdict(t, s, v, ids[0]); got != cull.ByOccluder {
			t.Errorf("behind the wall: %v", got)
		}
		set := func(change func(*document.Entity)) {
			e, _ := doc.Level().Entity(ids[1])
			c := e.Clone()
			change(&c)
			must(t, doc.Do("change", func(tx *document.Tx) error { return tx.Put(c) }))
		}
		off := wall
		off.Off = true
		set(func(e *document.Entity) { e.Data = off })
		if got := verdict(t, s, v, ids[0]); got != cull.Drawn {
			t.Errorf("behind a wall that is off: %v", got)
		}
		set(func(e *document.Entity) { e.Data, e.Hidden = wall, true })
		if got := verdict(t, s, v, ids[0]); got != cull.Drawn {
			t.Errorf("behind a hidden wall: %v", got)
		}
		// Mirrored and unevenly scaled, it is the same wall.
		set(func(e *document.Entity) { e.Data, e.Hidden, e.Scale = wall, false, mgl64.Vec3{-2, 1, 0.25} })
		if got := verdict(t, s, v, ids[0]); got != cull.ByOccluder {
			t.Errorf("behind the mirrored wall: %v", got)
		}
		set(func(e *document.Entity) {
			e.Scale = mgl64.Vec3{1, 1, 1}
			e.Data = document.Occluder{Polygon: true, Points: []mgl64.Vec3{{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}}}
		})
		if got := verdict(t, s, v, ids[0]); got != cull.ByOccluder {
			t.Errorf("behind the flat wall: %v", got)
		}
		set(func(e *document.Entity) { e.Data = document.Occluder{Points: make([]mgl64.Vec3, 4)} })
		if o := s.Visibility().Occluders[0]; o.Fault == nil || o.Hides() {
			t.Errorf("a point hides: %+v", o)
		}
	}
}

// An occluder that stands below an object follows it, and never hides it.
func TestOwnOccluders(t *testing.T) {
	doc, lib := world(t, 0), newShelf()
	ids := stand(t, doc, document.Entity{Translation: mgl64.Vec3{100, 200, 50}, Data: document.Object{Asset: "box"}})
	s := following(doc, lib)
	// Larger than the object: it would hide it.
	own := stand(t, doc, document.Entity{Kind: document.KindOccluder, Parent: ids[0], Data: document.Occluder{Points: block(3, 3, 3)}})
	v := lookAt(mgl64.Vec3{100, 201, 100}, mgl64.Vec3{100, 200, 0})
	if got := verdict(t, s, v, ids[0]); got != cull.Drawn {
		t.Errorf("its own occluder hides it: %v", got)
	}
	behind := stand(t, doc, document.Entity{Translation: mgl64.Vec3{100, 200, 40}, Data: document.Object{Asset: "box"}})
	if got := verdict(t, s, v, behind[0]); got != cull.ByOccluder {
		t.Errorf("behind it: %v", got)
	}
	if o := s.Visibility().Occluders[0]; o.ID != own[0] || o.Owner != ids[0] {
		t.Errorf("it belongs to %d", o.Owner)
	}
	e, _ := doc.Level().Entity(ids[0])
	c := e.Clone()
	c.Translation[0] += 30
	must(t, doc.Do("away", func(tx *document.Tx) error { return tx.Put(c) }))
	if got := verdict(t, s, v, behind[0]); got != cull.Drawn {
		t.Errorf("after it went away: %v", got)
	}
}

// The occluders of a model hide as those that are placed do, wherever its objects
// stand, but never these.
func TestModelOccluders(t *testing.T) {
	for _, offset := range []float64{0, 100_000} {
		doc, lib := world(t, offset), newShelf()
		at := func(x, y, z float64) mgl64.Vec3 { return mgl64.Vec3{offset + x, y, -offset + z} }
		ids := stand(t, doc,
			document.Entity{Translation: at(100, 200, 50), Data: document.Object{Asset: "box"}},
			document.Entity{Translation: at(100, 200, 70), Data: document.Object{Asset: "wall"}},
		)
		s := following(doc, lib)
		v := lookAt(at(100, 201, 100), at(100, 200, 0))
		behind := func(want cull.Verdict, what string) {
			t.Helper()
			if got := verdict(t, s, v, ids[0]); got != want {
				t.Errorf("behind the wall, %s: %v", what, got)
			}
			if got := verdict(t, s, v, ids[1]); got != cull.Drawn && got != cull.Absent {
				t.Errorf("the wall itself, %s: %v", what, got)
			}
		}
		set := func(change func(*document.Entity)) {
			e, _ := doc.Level().Entity(ids[1])
			c := e.Clone()
			change(&c)
			must(t, doc.Do("change", func(tx *document.Tx) error { return tx.Put(c) }))
		}
		behind(cull.ByOccluder, "as placed")
		vis := s.Visibility()
		if i, ok := vis.Occluder(ids[1]); !ok || vis.Occluders[i].Owner != ids[1] || vis.Occluders[i].ID != ids[1] {
			t.Errorf("found %v at %d", ok, i)
		}
		set(func(e *document.Entity) { e.Hidden = true })
		behind(cull.Drawn, "hidden")
		set(func(e *document.Entity) { e.Hidden, e.Scale = false, mgl64.Vec3{-1, 1.5, 0.5} })
		behind(cull.ByOccluder, "mirrored")
		set(func(e *document.Entity) { e.Translation[0] += 30 })
		behind(cull.Drawn, "moved away")
		doc.Undo()
		behind(cull.ByOccluder, "put back")
		set(func(e *document.Entity) { e.Data = document.Object{Asset: "box"} })
		behind(cull.Drawn, "with another mesh")
		if len(s.Visibility().Occluders) != 0 {
			t.Error("its occluder is still there")
		}
		set(func(e *document.Entity) { e.Data = document.Object{Asset: "wall"} })
		must(t, doc.Do("delete", func(tx *document.Tx) error { return tx.Delete(ids[1], document.TakeChildren) }))
		if got := verdict(t, s, v, ids[0]); got != cull.Drawn {
			t.Errorf("behind a wall that is gone: %v", got)
		}
	}
}

// Occluders come when a model that is on its way arrives; the points of scatters have
// none.
func TestOccludersArrive(t *testing.T) {
	doc, lib := world(t, 0), newShelf()
	ids := stand(t, doc,
		document.Entity{Translation: mgl64.Vec3{50, 20, 50}, Data: document.Object{Asset: "late"}},
		document.Entity{Kind: document.KindScatter, Data: document.Scatter{Assets: []string{"rock"}, Points: []document.ScatterPoint{{Scale: 1}}}},
	)
	s := following(doc, lib)
	if n := len(s.Visibility().Occluders); n != 0 {
		t.Fatalf("%d occluders before it arrived", n)
	}
	lib.late = true
	s.Reload("late")
	if o := s.Visibility().Occluders; len(o) != 1 || o[0].ID != ids[0] || !o[0].Box.Contains(mgl64.Vec3{50, 20, 50}) {
		t.Errorf("%+v", o)
	}
}

// An occluder along the faces of a thing, but for rounding, does not hide it.
func TestOccluderOnFaces(t *testing.T) {
	doc, lib := world(t, 0), newShelf()
	ids := stand(t, doc,
		document.Entity{Translation: mgl64.Vec3{100, 200, 50}, Data: document.Object{Asset: "box"}},
		document.Entity{Kind: document.KindOccluder, Translation: mgl64.Vec3{100, 200, 50}, Data: document.Occluder{Points: block(1+1e-7, 1+1e-7, 1+1e-7)}},
	)
	s := following(doc, lib)
	for _, eye := range []mgl64.Vec3{{100, 200, 60}, {107, 203, 58}, {130, 260, 100}, {100, 200.3, 4000}} {
		if got := verdict(t, s, lookAt(eye, mgl64.Vec3{100, 200, 50}), ids[0]); got != cull.Drawn {
			t.Errorf("from %v: %v", eye, got)
		}
	}
}

// A room is seen through its door, unless that is shut; a wall that a door goes
// through hides nothing while it is open.
func TestDoors(t *testing.T) {
	doc, lib := world(t, 0), newShelf()
	door := document.Portal{Points: []mgl64.Vec3{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}}
	ids := stand(t, doc,
		document.Entity{Name: "in", Translation: mgl64.Vec3{100, 200, 50}, Data: document.Object{Asset: "box"}},
		document.Entity{Kind: document.KindCell, Translation: mgl64.Vec3{100, 200, 50}, Data: document.Cell{Pieces: [][]mgl64.Vec3{block(5, 5, 5)}}},
		document.Entity{Kind: document.KindPortal, Translation: mgl64.Vec3{100, 200, 55}, Data: door},
		document.Entity{Kind: document.KindOccluder, Translation: mgl64.Vec3{100, 200, 55}, Data: document.Occluder{Points: block(5, 5, 0.2)}},
	)
	s := following(doc, lib)
	v := lookAt(mgl64.Vec3{100, 200, 100}, mgl64.Vec3{100, 200, 0})
	if got := verdict(t, s, v, ids[0]); got != cull.Drawn {
		t.Errorf("through the open door: %v", got)
	}
	vis := s.Visibility()
	if p := vis.Portals[0]; p.From != portal.Outside || p.To != 0 {
		t.Errorf("the door leads from %d to %d", p.From, p.To)
	}
	if o := vis.Occluders[0]; len(o.Doors) != 1 || o.Doors[0] != ids[2] {
		t.Errorf("doors of the wall: %v", o.Doors)
	}
	door.State = document.PortalClosed
	e, _ := doc.Level().Entity(ids[2])
	c := e.Clone()
	c.Data = door
	must(t, doc.Do("shut", func(tx *document.Tx) error { return tx.Put(c) }))
	if got := verdict(t, s, v, ids[0]); got != cull.ByPortal {
		t.Errorf("through the shut door: %v", got)
	}
	if o := s.Visibility().Occluders[0]; !o.Hides() {
		t.Error("the wall does not hide although its door is shut")
	}
	// A room that goes away, and comes back, takes its door's link along.
	room, _ := doc.Level().Entity(ids[1])
	away := room.Clone()
	away.Translation[0] += 50
	must(t, doc.Do("away", func(tx *document.Tx) error { return tx.Put(away) }))
	if p := s.Visibility().Portals[0]; p.To != portal.Outside {
		t.Errorf("the door leads to %d, which is elsewhere", p.To)
	}
	doc.Undo()
	if p := s.Visibility().Portals[0]; p.To != 0 {
		t.Errorf("the door leads to %d after the room came back", p.To)
	}
	// From aside the door is not seen through, open or not.
	doc.Undo()
	if got := verdict(t, s, lookAt(mgl64.Vec3{140, 200, 50}, mgl64.Vec3{100, 200, 50}), ids[0]); got != cull.ByPortal {
		t.Errorf("from aside: %v", got)
	}
}
