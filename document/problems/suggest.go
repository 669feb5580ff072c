package problems

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// Suggestion is an occluder that would remove something.
type Suggestion struct {
	Object document.ID // that it is to belong to
	Hull   *hull.Hull  // in the world
	// Gain is how many things and tiles it removes that nothing removed before, the
	// better suggestions included, on average over the cameras.
	Gain   float64
	Script string // adds it
}

// SuggestOptions say what to suggest.
type SuggestOptions struct {
	Cameras  []document.Camera // to measure with when the level has no bookmarks
	Count    int               // at most; 0 is 10
	Faces    int               // of a hull at most; 0 is 32
	Progress func(done float64)
}

// Suggest proposes occluders for the biggest solid meshes of a scene that have none, the
// most useful first. The scene must be of no other goroutine meanwhile. The error is
// that of the context.
func Suggest(ctx context.Context, s *scene.Scene, o SuggestOptions) ([]Suggestion, error) {
	if s.Level() == nil {
		return nil, ctx.Err()
	}
	o.Count, o.Faces = cmp.Or(o.Count, 10), cmp.Or(o.Faces, 32)
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	list := candidates(ctx, s, o)
	cameras := usable(ownBookmarks(s.Level()))
	if len(cameras) == 0 {
		cameras = usable(append(slices.Clone(o.Cameras), s.Level().Settings.Camera))
	}
	if len(cameras) == 0 || len(list) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := best(ctx, s, list, cameras, o)
	return out, ctx.Err()
}

func ownBookmarks(l *document.Level) []document.Camera {
	all := ownCameras(l)
	return all[:len(all)-1]
}

// mostCandidates is how many objects are tried for each suggestion that is asked for.
const mostCandidates = 4

// candidates are hulls inside the biggest meshes that have no occluder yet.
func candidates(ctx context.Context, s *scene.Scene, o SuggestOptions) []Suggestion {
	owned := map[document.ID]bool{}
	for _, x := range s.Visibility().Occluders {
		owned[x.Owner] = true
	}
	type big struct {
		slot int32
		size float64
	}
	var order []big
	items := s.Items()
	for i := range items {
		it := &items[i]
		if it.ID == 0 || it.Point >= 0 || it.Hidden || it.Missing || it.Billboard > 0 || it.Box.IsEmpty() || owned[it.ID] {
			continue
		}
		if e, ok := s.Level().Entity(it.ID); !ok {
			continue
		} else if _, locked := s.Level().Effective(e); locked {
			continue
		}
		d := it.Box.Size()
		order = append(order, big{int32(i), d[0]*d[1] + d[1]*d[2] + d[2]*d[0]})
	}
	slices.SortStableFunc(order, func(a, b big) int { return cmp.Compare(b.size, a.size) })
	order = order[:min(len(order), mostCandidates*o.Count)]
	solids := map[*scene.Model]*hull.Hull{}
	var out []Suggestion
	for i, b := range order {
		if ctx.Err() != nil {
			return nil
		}
		it := &items[b.slot]
		h, known := solids[it.Model]
		if !known {
			h = innerHull(ctx, it.Model, o.Faces)
			solids[it.Model] = h
		}
		if h != nil {
			if world, err := h.Transform(it.World); err == nil {
				out = append(out, Suggestion{Object: it.ID, Hull: world})
			}
		}
		o.Progress(0.5 * float64(i+1) / float64(len(order)))
	}
	return out
}

// innerHull is a hull inside a mesh, in its own space: its convex hull if that is solid,
// perhaps shrunk a little, or else the largest box that was found; nil if there is none.
func innerHull(ctx context.Context, m *scene.Model, faces int) *hull.Hull {
	mesh := solidOf(m)
	points := make([]geom.Vec3, len(m.Positions))
	for i, p := range m.Positions {
		points[i] = geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	whole, err := hull.Of(points)
	if err != nil {
		return nil
	}
	safe := func(h *hull.Hull) bool {
		r, err := hull.CheckSolid(ctx, h, mesh)
		if err != nil || len(r.Leaks) > 0 {
			return false
		}
		if len(r.Crossing) == 0 {
			return r.Inside
		}
		_, bad := dented(h, mesh, r.Crossing)
		return !bad
	}
	size := whole.Bounds().Size()
	thin := min(size[0], size[1], size[2])
	for _, part := range [...]float64{0, 0.02, 0.08, 0.2} {
		h, err := whole.Shrink(part * thin)
		if err != nil {
			break
		}
		if h, err = h.Within(faces); err == nil && safe(h) {
			return h
		}
	}
	if b, ok := inscribed(ctx, m); ok {
		if h, err := hull.OfBox(b); err == nil && safe(h) {
			return h
		}
	}
	return nil
}

// best picks the suggestions one after the other, each the one that removes most besides
// those before it. As a gain only shrinks when others are picked, most need not be
// measured again (Minoux, "Accelerated greedy algorithms for maximizing submodular set
// functions", 1978).
func best(ctx context.Context, s *scene.Scene, list []Suggestion, cameras []document.Camera, o SuggestOptions) []Suggestion {
	sc := s.Complete().Scene
	sc.Occluders = slices.Clone(sc.Occluders)
	far := farOf(s)
	views := make([]cull.View, len(cameras))
	for i, c := range cameras {
		views[i] = viewAt(c, far)
	}
	var c cull.Culler
	drawn := func() (n int) {
		for _, v := range views {
			if ctx.Err() != nil {
				return 0
			}
			n += len(c.Run(&sc, v, pictureSize, cull.All).Drawn)
		}
		return n
	}
	now := drawn()
	// One that reaches out of its object's box, by rounding, must not hide it.
	cols, rows := s.ChunkGrid()
	add := func(g *Suggestion) {
		sc.Occluders = append(sc.Occluders, cull.Shape{Hull: g.Hull})
		out := g.Hull.Bounds()
		for _, slot := range s.Of(g.Object) {
			if b := s.Items()[slot].Box; !b.Contains(out.Min) || !b.Contains(out.Max) {
				sc.Exempt = slices.Clone(sc.Exempt)
				sc.Exempt.Add(int32(cols*rows) + slot)
			}
		}
	}
	gain := func(g *Suggestion) float64 {
		before := sc.Exempt
		add(g)
		n := drawn()
		sc.Occluders, sc.Exempt = sc.Occluders[:len(sc.Occluders)-1], before
		return float64(now-n) / float64(len(views))
	}
	for i := range list {
		list[i].Gain = gain(&list[i])
		o.Progress(0.5 + 0.4*float64(i+1)/float64(len(list)))
	}
	byGain := func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Gain, a.Gain), cmp.Compare(b.Hull.Volume(), a.Hull.Volume()), cmp.Compare(a.Object, b.Object))
	}
	slices.SortStableFunc(list, byGain)
	var out []Suggestion
	for len(out) < o.Count && len(list) > 0 && list[0].Gain > 0 && ctx.Err() == nil {
		first := list[0]
		if first.Gain = gain(&first); len(list) > 1 && first.Gain < list[1].Gain {
			list[0] = first
			slices.SortStableFunc(list, byGain)
			continue
		}
		list = list[1:]
		if first.Gain <= 0 {
			break
		}
		first.Script = fmt.Sprintf("occluder.hull %s object=%s", pointsArg("points", first.Hull.Vertices), idText(first.Object))
		out = append(out, first)
		add(&first)
		now = drawn()
		o.Progress(0.9 + 0.1*float64(len(out))/float64(o.Count))
	}
	return out
}

// Text says what a suggestion is.
func (g *Suggestion) Text(l *document.Level) string {
	f := finder{l: l}
	return fmt.Sprintf(textSuggest, f.subject(g.Object), len(g.Hull.Faces), g.Gain)
}

// gridSide is into how many parts a mesh is cut along each axis to find boxes inside it.
const gridSide = 24

// inscribed is the largest box of a grid's cells that lie inside a mesh.
func inscribed(ctx context.Context, m *scene.Model) (geom.Box, bool) {
	const n = gridSide
	mesh := solidOf(m)
	b := m.Bounds
	size := b.Size().Mul(1.0 / n)
	if !(min(size[0], size[1], size[2]) > 0) {
		return b, false
	}
	cell := func(x, y, z int) geom.Box {
		lo := b.Min.Add(geom.Vec3{float64(x) * size[0], float64(y) * size[1], float64(z) * size[2]})
		return geom.Box{Min: lo, Max: lo.Add(size)}
	}
	// A cell is solid if rays from its middle meet faces from behind all around, and no
	// triangle is in it.
	var solid [n][n][n]bool // z, y, x
	var near []int32
	for z := range n {
		if ctx.Err() != nil {
			return b, false
		}
		for y := range n {
			for x := range n {
				c := cell(x, y, z)
				inside := true
				for axis := 0; axis < 3 && inside; axis++ {
					for _, sign := range [...]float64{1, -1} {
						r := geom.Ray{Origin: c.Center()}
						r.Dir[axis] = sign
						hit, ok := mesh.Nearest(r, math.Inf(1), nil)
						if !ok {
							inside = false
							break
						}
						p := mesh.Corners(int32(hit.Triangle))
						if inside = p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Dot(r.Dir) > 0; !inside {
							break
						}
					}
				}
				if inside {
					near = mesh.AppendOverlapping(near[:0], c)
					inside = len(near) == 0 || !touches(c, mesh, near)
				}
				solid[z][y][x] = inside
			}
		}
	}
	best, volume := geom.Box{}, 0
	for z0 := range n {
		all := solid[z0]
		for z1 := z0; z1 < n; z1++ {
			var heights [n]int
			for y := range n {
				for x := range n {
					all[y][x] = all[y][x] && solid[z1][y][x]
					if all[y][x] {
						heights[x]++
					} else {
						heights[x] = 0
					}
				}
				for x0 := range n {
					h := n
					for x1 := x0; x1 < n && heights[x1] > 0; x1++ {
						h = min(h, heights[x1])
						if v := (x1 - x0 + 1) * h * (z1 - z0 + 1); v > volume {
							volume = v
							best = geom.Box{Min: cell(x0, y-h+1, z0).Min, Max: cell(x1, y, z1).Max}
						}
					}
				}
			}
		}
	}
	return best, volume > 1
}

// touches reports whether one of some triangles is in a box.
func touches(b geom.Box, mesh hull.Mesh, triangles []int32) bool {
	h, err := hull.OfBox(b)
	if err != nil {
		return true
	}
	for _, t := range triangles {
		if p := mesh.Corners(t); h.CrossesPolygon(p[:]) {
			return true
		}
	}
	return false
}
