package scene

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// place is a level that the proof looks at, with what truly stands in it.
type place struct {
	*culltest.World
	scene  *Scene
	field  *terrain.Field
	snap   lod.Snapped
	full   *skin
	expect []portal.Portal // as the portals were drawn
	chunks int
}

// builder collects entities.
type builder struct {
	list []document.Entity
	next document.ID
}

func (b *builder) add(e document.Entity) document.ID {
	b.next++
	e.ID = b.next
	if e.Scale == (mgl64.Vec3{}) {
		e.Scale = mgl64.Vec3{1, 1, 1}
	}
	if e.Rotation == (mgl64.Quat{}) {
		e.Rotation = mgl64.QuatIdent()
	}
	b.list = append(b.list, e)
	return e.ID
}

func (b *builder) group(parent document.ID, at mgl64.Vec3, turn mgl64.Quat, scale mgl64.Vec3) document.ID {
	return b.add(document.Entity{Kind: document.KindObject, Data: document.Object{}, Parent: parent, Translation: at, Rotation: turn, Scale: scale})
}

// parents is a chain of parents that turn, mirror and stretch unevenly.
func (b *builder) parents(r *rand.Rand, at mgl64.Vec3) document.ID {
	turn := mgl64.QuatRotate(7*r.Float64(), mgl64.Vec3{0, 1, 0})
	switch r.IntN(4) {
	case 0:
		return b.group(0, at, mgl64.QuatIdent(), mgl64.Vec3{1, 1, 1})
	case 1:
		return b.group(0, at, turn, mgl64.Vec3{-1, 1, 1})
	case 2:
		return b.group(0, at, turn, mgl64.Vec3{1, 1, 1})
	}
	p := b.group(0, at, mgl64.QuatIdent(), mgl64.Vec3{0.5 + 2*r.Float64(), 0.7 + r.Float64(), -0.5 - 2*r.Float64()})
	return b.group(p, mgl64.Vec3{}, turn, mgl64.Vec3{1, 1, 1})
}

var rooms2states = map[portal.State]document.PortalState{portal.Open: document.PortalOpen, portal.Closed: document.PortalClosed, portal.OneWay: document.PortalOneWay}

// rooms adds cells and portals below a parent, in walls of some thickness.
func (b *builder) rooms(rooms *culltest.Rooms, parent document.ID, thick float64) {
	for _, pieces := range rooms.Cells {
		b.add(document.Entity{Kind: document.KindCell, Parent: parent, Data: document.Cell{Pieces: pieces}})
	}
	for _, p := range rooms.Portals {
		reach := thick*2.6 + 0.02 // parents stretch no more
		if p.From == portal.Outside || p.To == portal.Outside {
			reach = thick*1.3 + 0.02 // else it finds what is beyond a narrow yard
		}
		b.add(document.Entity{Kind: document.KindPortal, Parent: parent, Data: document.Portal{Points: p.Polygon, State: rooms2states[p.State], Reach: reach}})
	}
}

// object adds a thing of two metres, times size.
func (b *builder) object(r *rand.Rand, parent document.ID, at mgl64.Vec3, size float64) document.ID {
	e := document.Entity{Kind: document.KindObject, Parent: parent, Translation: at, Data: document.Object{Asset: "box"}}
	e.Scale = mgl64.Vec3{size * (0.1 + r.Float64()), size * (0.1 + r.Float64()), size * (0.1 + r.Float64())}
	if r.IntN(2) == 0 {
		e.Rotation = mgl64.QuatRotate(7*r.Float64(), mgl64.Vec3{0.6, 0.8, 0})
	}
	if r.IntN(4) == 0 {
		e.Scale[0] *= -1
	}
	return b.add(e)
}

func cuboid(half mgl64.Vec3) (points []mgl64.Vec3) {
	for i := range 8 {
		p := half
		for a := range p {
			if i>>a&1 == 0 {
				p[a] = -p[a]
			}
		}
		points = append(points, p)
	}
	return points
}

// hills is ground of one of several kinds.
func hills(r *rand.Rand, kind int, origin mgl64.Vec3) *terrain.Field {
	sizes := []int{2, 17, 64, 65, 66, 97, 100, 129, 140}
	cols, rows := sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]
	if kind > 1 {
		cols, rows = 60+r.IntN(70), 60+r.IntN(70)
	}
	h := make([]float32, cols*rows)
	tall := 2 + 14*r.Float64()
	p, q, step := 0.02+0.15*r.Float64(), 0.02+0.15*r.Float64(), 1+r.Float64()*4
	form := r.IntN(5)
	for z := range rows {
		for x := range cols {
			v := math.Sin(p*float64(x)) * math.Cos(q*float64(z))
			switch form {
			case 1:
				v = math.Floor(v*step) / step // cliffs
			case 2:
				v += 0.15 * r.Float64()
			case 3:
				v = 1 - math.Abs(math.Sin(p*float64(x)+q*float64(z)))
			case 4:
				v = 0
				if r.IntN(60) == 0 {
					v = 0.5
				}
			}
			h[z*cols+x] = float32(tall * v)
		}
	}
	f, err := terrain.FromHeights(cols, rows, []float64{0.5, 1, 2}[r.IntN(3)], h)
	if err != nil {
		panic(err)
	}
	if r.IntN(2) == 0 && kind != 2 {
		f = pierce(f, func(d *terrain.Draft) {
			for range 1 + r.IntN(4) {
				hole(d, f, r.IntN(cols), r.IntN(rows), 1+r.IntN(6), 1+r.IntN(6))
			}
		})
	}
	w, d := f.Extent()
	return f.WithOrigin(origin[0]-w/2, origin[2]-d/2)
}

func pierce(f *terrain.Field, change func(*terrain.Draft)) *terrain.Field {
	d := f.Draft()
	change(d)
	out, _ := d.Field()
	return out
}

// hole opens w by n cells of ground.
func hole(d *terrain.Draft, f *terrain.Field, col, row, w, n int) {
	cols, rows := f.Size()
	for y := max(row, 0); y < min(row+n, rows-1); y++ {
		for x := max(col, 0); x < min(col+w, cols-1); x++ {
			d.Flags(x/terrain.TileSize, y/terrain.TileSize)[y%terrain.TileSize*terrain.TileSize+x%terrain.TileSize] |= terrain.Hole
		}
	}
}

// errLink says that a portal found other cells than those it was made for, as may
// happen in the corner of a narrow yard.
var errLink = errors.New("a portal is linked otherwise")

// The kinds of places.
const (
	open    = iota // hills with things on them
	cut            // hills with holes and cliffs, occluders on them
	village        // houses on hills
	cave           // rooms below a hole
	cellar         // rooms below ground
	places
)

func newPlace(r *rand.Rand, kind int) (*place, error) {
	p := &place{World: culltest.NewWorld()}
	base := mgl64.Vec3{}
	if r.IntN(3) == 0 {
		base = mgl64.Vec3{1e5, 0, -1e5}
	}
	f := hills(r, kind, base)
	b := &builder{}
	lo, hi := f.MinMax()
	around := func(reach float64) mgl64.Vec3 {
		w, d := f.Extent()
		at := base.Add(mgl64.Vec3{w * reach * (r.Float64() - 0.5), 0, d * reach * (r.Float64() - 0.5)})
		if y, ok := f.Height(at[0], at[2]); ok {
			at[1] = y
		} else {
			at[1] = float64(lo) + r.Float64()*float64(hi-lo)
		}
		return at
	}
	type house struct {
		rooms  *culltest.Rooms
		parent document.ID
	}
	var houses []house
	build := func(at mgl64.Vec3, plan culltest.Plan, things int) {
		parent := b.parents(r, at)
		rooms := culltest.NewRooms(r, plan)
		b.rooms(rooms, parent, plan.Thick)
		houses = append(houses, house{rooms, parent})
		if n := len(rooms.Portals); n > 0 && r.IntN(2) == 0 { // a hull that would seal a door
			var points []mgl64.Vec3
			at := culltest.Inside(r, rooms.Portals[r.IntN(n)].Polygon)
			for _, p := range cuboid(mgl64.Vec3{1.5, 1.5, 1.5}) {
				points = append(points, at.Add(p))
			}
			b.add(document.Entity{Kind: document.KindOccluder, Parent: parent, Data: document.Occluder{Points: points}})
		}
		for range things {
			c := rooms.Cells[r.IntN(len(rooms.Cells))]
			b.object(r, parent, culltest.Inside(r, c[r.IntN(len(c))]), 0.4)
		}
	}
	plan := culltest.RandomPlan(r)
	switch kind {
	case village:
		build(around(0.3), plan, 15)
		for i := range r.IntN(3) { // and houses of one room, far enough from each other
			single := plan
			single.Kind, single.Floors = culltest.Single, 1
			build(base.Add(mgl64.Vec3{-110 - 25*float64(i), float64(hi), 0}), single, 5)
		}
	case cave, cellar:
		if plan.Kind == culltest.Rings {
			plan.Kind = culltest.Ring
		}
		at := around(0.4)
		at[1] -= 4 + 3*r.Float64()
		if kind == cave {
			plan.Out = 0.9
			cols, rows := f.Size()
			f = pierce(f, func(d *terrain.Draft) {
				ox, oz := f.Origin()
				c, n := int((at[0]-ox)/f.Spacing()), int((at[2]-oz)/f.Spacing())
				hole(d, f, min(c, cols-3), min(n, rows-3), 2+r.IntN(8), 2+r.IntN(8))
			})
		}
		build(at, plan, 15)
	}
	for range 12 {
		at := around(1.2)
		at[1] += 2 * r.NormFloat64()
		id := b.object(r, 0, at, 0.3+2*r.Float64())
		if r.IntN(4) == 0 { // with a hull of its own, which may be larger than it
			half := mgl64.Vec3{1, 1, 1}.Mul([]float64{0.9, 1.5}[r.IntN(2)])
			b.add(document.Entity{Kind: document.KindOccluder, Parent: id, Data: document.Occluder{Points: cuboid(half)}})
		}
	}
	if kind != cellar {
		for range r.IntN(8) {
			parent := b.parents(r, around(0.8))
			half := mgl64.Vec3{0.2 + 4*r.Float64(), 0.2 + 4*r.Float64(), 0.1 + r.Float64()}
			b.add(document.Entity{Kind: document.KindOccluder, Parent: parent, Data: document.Occluder{Points: cuboid(half)}})
		}
	}
	if r.IntN(2) == 0 {
		parent := b.parents(r, around(0.8))
		square := []mgl64.Vec3{{-4, -1, 0}, {4, -1, 0}, {4, 5, 0}, {-4, 5, 0}}
		small := []mgl64.Vec3{{-1, 0, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}}
		b.add(document.Entity{Kind: document.KindOccluder, Parent: parent, Data: document.Occluder{Polygon: true, Points: square, Hole: small}})
	}

	l := document.NewLevel(f)
	l.Assets = []document.Asset{{Name: "box", File: "asset:d.glb"}}
	l, err := l.WithEntities(b.list)
	if err != nil {
		return nil, err
	}
	p.scene, p.field = New(newShelf()), f
	p.scene.Update(l, nil)
	v := p.scene.Complete()
	p.chunks = p.scene.cols * p.scene.rows
	for e := range p.scene.tree.Len() {
		p.AddBox(p.scene.tree.Box(e))
	}
	for _, h := range houses {
		m, _ := l.World(h.parent)
		if err := p.AddRooms(h.rooms, m); err != nil {
			return nil, err
		}
	}
	p.expect = p.Portals
	for i := range v.Portals {
		if got, want := v.Portals[i], p.expect[i]; got.From != want.From || got.To != want.To {
			return nil, fmt.Errorf("%w: portal %d from cell %d to %d, expected %d to %d", errLink, i, got.From, got.To, want.From, want.To)
		}
	}
	if err := p.solids(r, l); err != nil {
		return nil, err
	}
	w, d := f.Extent()
	x, z := f.Origin()
	p.Box = p.Box.Union(geom.Box{Min: geom.Vec3{x, float64(lo), z}, Max: geom.Vec3{x + w, float64(hi) + 8, z + d}})
	p.snap.Update(f, nil)
	p.full = newSkin(f, wholePatches(f))
	return p, nil
}

// solids adds what the occluders of a level stand for. One that an open portal passes
// through is not there: it would seal the door.
func (p *place) solids(r *rand.Rand, l *document.Level) error {
	for e := range l.Entities() {
		o, ok := e.Data.(document.Occluder)
		if !ok {
			continue
		}
		m, _ := l.World(e.ID)
		at := func(list []mgl64.Vec3) (out []geom.Vec3) {
			for _, q := range list {
				out = append(out, mgl64.TransformCoordinate(q, m))
			}
			return out
		}
		if o.Polygon {
			p.Sheet(at(o.Points), at(o.Hole))
			continue
		}
		h, err := hull.Of(at(o.Points))
		if err != nil {
			return err
		}
		crossed := false
		for _, q := range p.Portals {
			for range 100 {
				crossed = crossed || q.State != portal.Closed && h.Contains(culltest.Inside(r, q.Polygon), -1e-6)
			}
		}
		if !crossed {
			p.Solid(h)
		}
	}
	return nil
}

// few says that a test should not take long, and so shows less.
func few() bool { return raceEnabled || testing.Short() }

func proofViews() int {
	switch {
	case os.Getenv("RIDGELINE_SOAK") != "":
		return 300_000
	case few():
		return 250
	}
	return 5_000
}

const viewsOfPlace = 25

// levelRuns are the sets of tests that are tried: each alone, and all.
var levelRuns = [...]cull.Tests{
	cull.Only(cull.Frustum), cull.Only(cull.Backface), cull.Only(cull.Portal), cull.Only(cull.Terrain), cull.Only(cull.Occluder), cull.All,
}

// trial is one view of a place.
type trial struct {
	*place
	culler   cull.Culler
	by       [len(levelRuns)][]cull.Verdict
	maxError float64
	removed  []int32
	turned   []int32 // chunks removed as they face away
	patches  []lod.Patch
	drawn    skin
}

// run culls and sorts out what was removed.
func (t *trial) run(c *culltest.Camera) {
	c.View.Slack = c.View.PixelSlack(t.maxError, c.Size.Y)
	for i, tests := range levelRuns {
		t.by[i] = append(t.by[i][:0], t.scene.Cull(&t.culler, c.View, c.Size, tests).Verdicts...)
	}
	t.removed, t.turned = t.removed[:0], t.turned[:0]
	for e := range t.Boxes {
		boxed, turned := false, false
		for i := range levelRuns {
			switch t.by[i][e] {
			case cull.Drawn, cull.Absent:
			case cull.ByBackface:
				turned = true
			default:
				boxed = true
			}
		}
		if boxed {
			t.removed = append(t.removed, int32(e))
		}
		if turned {
			t.turned = append(t.turned, int32(e))
		}
	}
}

// draw makes the ground as it is drawn for the camera.
func (t *trial) draw(c *culltest.Camera) {
	v := lod.View{Eye: c.View.Eye, MaxError: t.maxError, Ortho: c.View.Ortho, ScreenScale: float64(c.Size.Y) / (2 * c.Half)}
	t.patches = t.snap.AppendPatches(t.patches[:0], v)
	t.drawn.make(t.field, t.patches)
}

func (t *trial) verdicts(e int32) (list []cull.Verdict) {
	for i := range t.by {
		list = append(list, t.by[i][e])
	}
	return list
}

// prove looks for what was removed and can be seen over the given ground.
func (t *trial) prove(r *rand.Rand, c *culltest.Camera, ground *skin, rays int) error {
	t.Ground = ground.stop
	if f, found := t.Search(r, c, t.removed, rays); found {
		return fmt.Errorf("entry %d of %d+ %v was removed (%v) and can be seen from %v along %v at depth %g; camera %q, ortho %v, half %g, near %g, forward %v, error %g",
			f.Entry, t.chunks, t.Boxes[f.Entry], t.verdicts(f.Entry), f.Sight.From, f.Sight.Dir, f.Depth, c.Kind, c.View.Ortho, c.Half, c.Near, c.Forward, t.maxError)
	}
	for _, e := range t.turned {
		for range 40 {
			at, n := ground.pointOf(r, t.scene, e)
			s, ok := c.Toward(at)
			if !ok || n.Dot(s.Dir) >= 0 {
				continue
			}
			depth := at.Sub(s.From).Dot(s.Dir) / s.Dir.Dot(s.Dir)
			if depth > s.Near && depth < t.Stop(&s, culltest.Everything)-1e-6*depth {
				return fmt.Errorf("chunk %d is said to face away (%v) and shows %v to %v", e, t.verdicts(e), at, c.View.Eye)
			}
		}
	}
	return nil
}

// stand makes a camera; some look over the ground.
func (t *trial) stand(r *rand.Rand) *culltest.Camera {
	l := culltest.RandomLens(r)
	if r.IntN(3) > 0 {
		return t.RandomCamera(r, l)
	}
	x, z := t.field.Origin()
	w, d := t.field.Extent()
	eye := geom.Vec3{x + w*r.Float64(), 0, z + d*r.Float64()}
	eye[1], _ = t.field.Height(eye[0], eye[2])
	eye[1] += []float64{1e-6, 0.2, 1.7, 1.7, 6, -0.5, -3}[r.IntN(7)]
	c := l.Look(eye, geom.Vec3{r.NormFloat64(), 0.3*r.NormFloat64() - 0.1, r.NormFloat64()}, geom.Vec3{0, 1, 0})
	c.Kind = "ground"
	return c
}

// TestNothingSeenIsRemoved proves the law for whole levels: what any set of tests
// removes has no line of sight past the ground, full or as it is drawn, past solids
// and walls.
func TestNothingSeenIsRemoved(t *testing.T) {
	type tally struct{ hidden, removed int }
	var byGround, all tally
	failures, linked := 0, 0
	for seed := range proofViews() / viewsOfPlace {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		kind := seed % places
		p, err := newPlace(r, kind)
		if errors.Is(err, errLink) {
			linked++
			t.Logf("place %d %d is left out: %v", kind, seed, err)
			continue
		}
		if err != nil {
			t.Fatalf("place %d %d: %v", kind, seed, err)
		}
		tr := &trial{place: p}
		for view := range viewsOfPlace {
			tr.maxError = []float64{0, 1, 3, 30}[r.IntN(4)]
			c := tr.stand(r)
			tr.run(c)
			ground := p.full
			if view%2 == 0 {
				tr.draw(c)
				ground = &tr.drawn
			}
			if err := tr.prove(r, c, ground, 150); err != nil {
				t.Errorf("place %d %d, view %d: %v", kind, seed, view, err)
				if failures++; failures > 10 {
					t.FailNow()
				}
				continue
			}
			if view%5 > 0 || tr.maxError > 1 || c.View.Ortho {
				continue
			}
			for e, b := range p.Boxes {
				if b.IsEmpty() || e < p.chunks || !c.Sees(b) {
					continue
				}
				points := func(int) geom.Vec3 { return culltest.PointOf(r, b) }
				if !p.Seen(c, b, culltest.Ground, points, 40) && !tr.in(c.View.Eye) {
					byGround.hidden++
					if tr.by[3][e] == cull.ByTerrain {
						byGround.removed++
					}
				}
				if !p.Seen(c, b, culltest.Everything, points, 40) {
					all.hidden++
					if tr.by[5][e] != cull.Drawn {
						all.removed++
					}
				}
			}
		}
	}
	if linked*100 > proofViews()/viewsOfPlace {
		t.Errorf("%d places are left out", linked)
	}
	for _, c := range []struct {
		name string
		tally
		want float64
	}{{"ground", byGround, 0.4}, {"all", all, 0.4}} {
		share := float64(c.removed) / float64(max(c.hidden, 1))
		t.Logf("%s: %d of %d hidden are removed, %.1f %%", c.name, c.removed, c.hidden, 100*share)
		if share < c.want && !few() || c.removed == 0 {
			t.Errorf("%s removes %.1f %% of what is hidden, expected %.0f %%", c.name, 100*share, 100*c.want)
		}
	}
}

// in reports whether a point is below the ground, or hardly above.
func (p *place) in(at geom.Vec3) bool {
	y, ok := p.field.Height(at[0], at[2])
	return ok && at[1] < y+0.6
}
