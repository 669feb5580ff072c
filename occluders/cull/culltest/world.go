package culltest

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
)

// World is what stands in a scene.
type World struct {
	Boxes   []geom.Box // the entries
	Shapes  []cull.Shape
	Cells   [][]*hull.Hull
	Portals []portal.Portal
	Box     geom.Box // around what matters

	// Ground tells at which depth a line of sight ends at the ground; nil without any.
	Ground func(s *Sight) float64

	solids []*hull.Hull
	hulls  []body // of solids
	cores  []body // of the hulls of Shapes, which may not fill their solid
	bounds []geom.Box
	panels []sheet
	walls  []wall
	doors  []sheet
	faces  []face // of walls and hulls, for cameras
	gaps   []geom.Vec3
	slits  []slit
}

// slit is a narrow way through, in a direction.
type slit struct{ at, along geom.Vec3 }

// NewWorld is an empty world.
func NewWorld() *World { return &World{Box: geom.EmptyBox()} }

// AddBox adds an entry.
func (w *World) AddBox(b geom.Box) { w.Boxes = append(w.Boxes, b) }

// AddHull adds a solid that is an occluder.
func (w *World) AddHull(h *hull.Hull) { w.AddCore(h, h) }

// AddCore adds a solid, and an occluder that lies in it, no deeper than cull.Skin.
func (w *World) AddCore(solid, occluder *hull.Hull) {
	w.Shapes = append(w.Shapes, cull.Shape{Hull: occluder})
	w.cores = append(w.cores, bodyOf(occluder))
	w.Solid(solid)
}

// Solid adds a solid that is no occluder of the scene.
func (w *World) Solid(h *hull.Hull) {
	b := bodyOf(h)
	w.solids = append(w.solids, h)
	w.hulls = append(w.hulls, b)
	w.bounds = append(w.bounds, h.Bounds())
	w.Box = w.Box.Union(h.Bounds())
	for i, f := range h.Faces {
		var points []geom.Vec3
		for _, v := range f {
			points = append(points, h.Vertices[v])
		}
		w.faces = append(w.faces, face{points, b[i].N})
	}
}

// AddPanel adds a flat polygon, which may have a hole, that is an occluder.
func (w *World) AddPanel(points, hole []geom.Vec3) {
	w.Shapes = append(w.Shapes, cull.Shape{Polygon: points, Hole: hole})
	w.Sheet(points, hole)
}

// Sheet adds a flat polygon that is no occluder of the scene.
func (w *World) Sheet(points, hole []geom.Vec3) {
	n := normal(points)
	w.panels = append(w.panels, sheet{plane: planeAt(n, points[0]), edges: points, hole: hole})
	w.Box = w.Box.Union(geom.BoxOf(points...))
	w.faces = append(w.faces, face{points, n})
	if hole != nil {
		w.gaps = append(w.gaps, hole...)
	}
}

func normal(points []geom.Vec3) (n geom.Vec3) {
	for i, p := range points {
		n = n.Add(p.Sub(points[0]).Cross(points[(i+1)%len(points)].Sub(points[0])))
	}
	return n.Normalize()
}

// AddGap notes a place at which light may pass between solids.
func (w *World) AddGap(p geom.Vec3) { w.gaps = append(w.gaps, p) }

// AddSlit notes a narrow way through between solids, along a direction.
func (w *World) AddSlit(p, along geom.Vec3) {
	w.AddGap(p)
	w.slits = append(w.slits, slit{p, along.Normalize()})
}

// AddRooms places rooms by a matrix.
func (w *World) AddRooms(rooms *Rooms, m mgl64.Mat4) error {
	first := len(w.Cells)
	for _, pieces := range rooms.Cells {
		var cell []*hull.Hull
		for _, corners := range pieces {
			h, err := hull.Of(mapped(corners, m))
			if err != nil {
				return err
			}
			cell = append(cell, h)
			w.Box = w.Box.Union(h.Bounds())
		}
		w.Cells = append(w.Cells, cell)
	}
	for _, p := range rooms.Portals {
		p.Polygon = mapped(p.Polygon, m)
		if m.Mat3().Det() < 0 {
			slices.Reverse(p.Polygon)
		}
		for _, c := range [2]*int{&p.From, &p.To} {
			if *c != portal.Outside {
				*c += first
			}
		}
		w.Portals = append(w.Portals, p)
	}
	w.Walls(rooms, m)
	return nil
}

// Walls adds the walls and doors of rooms alone.
func (w *World) Walls(rooms *Rooms, m mgl64.Mat4) {
	for _, s := range rooms.walls {
		n := wall{solid: s.solid.placed(m)}
		for _, o := range s.openings {
			n.openings = append(n.openings, o.placed(m))
		}
		w.walls = append(w.walls, n)
	}
	for _, d := range rooms.doors {
		w.doors = append(w.doors, sheet{plane: body{d.plane}.placed(m)[0], outline: d.outline.placed(m), oneWay: d.oneWay})
	}
	for _, f := range rooms.faces {
		corners := mapped(f.corners, m)
		w.faces = append(w.faces, face{corners, body{planeAt(f.normal, f.corners[0])}.placed(m)[0].N})
	}
	for _, p := range rooms.Portals {
		w.gaps = append(w.gaps, mapped(p.Polygon, m)...)
	}
}

// Scene makes the scene to be culled. The graph's faults are given too.
func (w *World) Scene() (*cull.Scene, []portal.Fault, error) {
	s := &cull.Scene{Tree: nodetree.Build(w.Boxes, nodetree.Options{Split: nodetree.Oct, MaxItems: 8}), Occluders: w.Shapes}
	if len(w.Cells) == 0 && len(w.Portals) == 0 {
		return s, nil, nil
	}
	g, err := portal.Build(w.Cells, w.Portals)
	if err != nil {
		return nil, nil, err
	}
	s.Portals = g
	for _, b := range w.Boxes {
		s.Cells = append(s.Cells, g.AppendCells(nil, b))
	}
	return s, g.Faults, nil
}

// Blockers are kinds of things that end a line of sight.
type Blockers uint8

// The kinds of blockers.
const (
	Hulls Blockers = 1 << iota
	Panels
	Walls // with their doors
	Ground
	Everything = Hulls | Panels | Walls | Ground
)

// Stop is the depth at which a line of sight ends.
func (w *World) Stop(s *Sight, by Blockers) float64 {
	end := math.Inf(1)
	if by&Hulls != 0 {
		for i := range w.hulls {
			if near(s, w.bounds[i]) {
				end = min(end, stopHull(w.hulls[i], s))
			}
		}
	}
	if by&Panels != 0 {
		for i := range w.panels {
			end = min(end, w.panels[i].stop(s))
		}
	}
	if by&Walls != 0 {
		for i := range w.walls {
			end = min(end, w.walls[i].stop(s))
		}
		for i := range w.doors {
			end = min(end, w.doors[i].stop(s))
		}
	}
	if by&Ground != 0 && w.Ground != nil {
		end = min(end, w.Ground(s))
	}
	return end
}

// near reports whether a line of sight may come within rounding of a box.
func near(s *Sight, b geom.Box) bool {
	d := geom.Vec3{2 * Pad, 2 * Pad, 2 * Pad}
	wide := *s
	wide.Near -= 2 * Pad
	t0, t1 := Within(&wide, geom.Box{Min: b.Min.Sub(d), Max: b.Max.Add(d)})
	return t0 <= t1
}

// Shadowed reports whether one hull alone certainly hides a box from a camera, whose near
// plane is clear of it: the shadow of a convex thing is convex, so its corners tell.
func (w *World) Shadowed(c *Camera, b geom.Box) bool {
	for i := range w.cores {
		all := c.clear(w.cores[i])
		for k := 0; k < 8 && all; k++ {
			p := b.Corner(k)
			d := p.Sub(c.View.Eye)
			depth := d.Dot(c.Forward)
			s := Sight{From: c.View.Eye, Dir: c.Forward}
			if c.View.Ortho {
				s.From = p.Sub(c.Forward.Mul(depth))
			} else {
				s.Dir = d.Mul(1 / depth)
			}
			t0, t1 := w.cores[i].through(&s, -Pad)
			all = depth > c.Near && t0 > max(c.Near, 0) && t0 < t1 && t0 < depth
		}
		if all {
			return true
		}
	}
	return false
}

// InRoom reports whether a box lies wholly inside one piece of a cell.
func (w *World) InRoom(b geom.Box) bool {
	for _, c := range w.Cells {
	pieces:
		for _, h := range c {
			for i := range 8 {
				if !h.Contains(b.Corner(i), 0) {
					continue pieces
				}
			}
			return true
		}
	}
	return false
}

// Seen finds a line of sight to a box past blockers, among the given number of random
// ones through it.
func (w *World) Seen(c *Camera, b geom.Box, by Blockers, points func(i int) geom.Vec3, tries int) bool {
	for i := range tries {
		s, ok := c.Toward(points(i))
		if !ok {
			continue
		}
		if t0, t1 := Within(&s, b); t0 <= t1 && t0 < w.Stop(&s, by) {
			return true
		}
	}
	return false
}
