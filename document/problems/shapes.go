package problems

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

// shapes looks at the points of occluders and cells.
func (f *finder) shapes() {
	for i := range f.v.Occluders {
		o := &f.v.Occluders[i]
		e, ok := f.l.Entity(o.ID)
		if !ok {
			continue
		}
		d, ok := e.Data.(document.Occluder)
		if !ok {
			continue
		}
		world, _ := f.l.World(o.ID)
		f.occluderShape(o, d, transformed(d.Points, world))
	}
	for i := range f.v.Cells {
		c := &f.v.Cells[i]
		e, ok := f.l.Entity(c.ID)
		if !ok {
			continue
		}
		if d, ok := e.Data.(document.Cell); ok {
			world, _ := f.l.World(c.ID)
			f.cellShape(c, d, world)
		}
	}
}

// huge tells of what is larger than anything in a level.
func (f *finder) huge() {
	look := func(id document.ID, b geom.Box, fix func(document.ID) Fix) {
		size := b.Size()
		d := max(size[0], size[1], size[2])
		if b.IsEmpty() || !(d > document.LargestSpan) {
			return
		}
		p := Problem{
			Kind: Huge, Severity: Warning, Entities: []document.ID{id}, At: b.Center(),
			Text: fmt.Sprintf(textHuge, f.subject(id), metres(d), metres(document.LargestSpan)),
		}
		if e, ok := f.l.Entity(id); ok && e.Kind != document.KindObject {
			p.Fix = fix(id)
		}
		f.add(p)
	}
	for i := range f.v.Occluders {
		if o := &f.v.Occluders[i]; !o.Off {
			look(o.ID, o.Box, offFix)
		}
	}
	for i := range f.v.Cells {
		look(f.v.Cells[i].ID, f.v.Cells[i].Box, deleteFix)
	}
	for i := range f.v.Portals {
		look(f.v.Portals[i].ID, f.v.Portals[i].Box, deleteFix)
	}
}

func transformed(points []mgl64.Vec3, world mgl64.Mat4) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	for i, p := range points {
		out[i] = mgl64.TransformCoordinate(p, world)
	}
	return out
}

func (f *finder) occluderShape(o *scene.Occluder, d document.Occluder, points []mgl64.Vec3) {
	at := middle(points)
	switch {
	case errors.Is(o.Fault, hull.ErrBent):
		f.add(Problem{
			Kind: Bent, Severity: Warning, Entities: []document.ID{o.ID}, At: at,
			Text: fmt.Sprintf(textBent, f.subject(o.ID), metres(bent(points))), Fix: f.flatPolygon(o, points),
		})
	case o.Fault != nil:
		text := textNoHull
		if d.Polygon {
			text = textNoPolygon
		}
		f.add(Problem{
			Kind: Degenerate, Severity: Warning, Entities: []document.ID{o.ID}, At: at,
			Text: fmt.Sprintf(text, f.subject(o.ID), o.Fault), Fix: deleteFix(o.ID),
		})
	case o.Hull != nil:
		if n := inside(o.Hull, points); n > 0 {
			f.add(Problem{
				Kind: NotConvex, Severity: Warning, Entities: []document.ID{o.ID}, At: at,
				Text: fmt.Sprintf(textInsidePoints, f.subject(o.ID), strconv.Itoa(n)),
				Fix:  setPoints(fixHull, "occluder.set", o.ID, o.Hull.Vertices),
			})
		}
	}
	if o.Fault == nil && len(o.Doors) > 0 && !o.Off {
		f.crossed(o)
	}
}

// crossed tells of an occluder through which open portals go.
func (f *finder) crossed(o *scene.Occluder) {
	text := fmt.Sprintf(textDoor, f.subject(o.ID), f.object(o.Doors[0]))
	if n := len(o.Doors); n > 1 {
		more := "another"
		if n > 2 {
			more = strconv.Itoa(n-1) + " others"
		}
		text = fmt.Sprintf(textDoors, f.subject(o.ID), f.object(o.Doors[0]), more)
	}
	k, _ := f.v.Portal(o.Doors[0])
	f.add(Problem{
		Kind: CrossedByDoor, Severity: Note, Entities: append([]document.ID{o.ID}, o.Doors[:min(len(o.Doors), mostListed)]...), At: middle(f.v.Portals[k].Polygon),
		Text: text, Fix: f.withoutDoors(o),
	})
}

// withoutDoors keeps of an occluder what no open portal goes through: the largest part
// of a hull beside them; all of a polygon but a hole for the one portal in it.
func (f *finder) withoutDoors(o *scene.Occluder) Fix {
	if o.Hull == nil {
		k, ok := f.v.Portal(o.Doors[0])
		if len(o.Doors) != 1 || o.Hole != nil || !ok {
			return Fix{}
		}
		door := f.v.Portals[k].Polygon
		plane, _ := hull.PolygonPlane(o.Polygon)
		for _, p := range door {
			if !hull.PolygonContains(o.Polygon, plane, p, 0.01) {
				return Fix{}
			}
		}
		return Fix{fixHole, "occluder.set id=" + idText(o.ID) + " " + pointsArg("hole", flattened(door, plane))}
	}
	left := o.Hull
	for _, id := range o.Doors {
		k, ok := f.v.Portal(id)
		if !ok {
			continue
		}
		door := f.v.Portals[k].Polygon
		if !left.CrossesPolygon(door) {
			continue
		}
		if left = largestBeside(left, door); left == nil {
			return Fix{}
		}
	}
	if left == o.Hull || len(left.Vertices) > document.MaxCorners {
		return Fix{}
	}
	return setPoints(fixCut, "occluder.set", o.ID, left.Vertices)
}

// largestBeside is the largest part of a hull beyond one of a polygon's edges, where it
// stands in front of the opening no more than behind it; nil when none is left.
func largestBeside(h *hull.Hull, polygon []mgl64.Vec3) *hull.Hull {
	plane, ok := hull.PolygonPlane(polygon)
	if !ok {
		return nil
	}
	var best *hull.Hull
	try := func(part *hull.Hull, err error) {
		if err == nil && part != nil && !part.CrossesPolygon(polygon) && (best == nil || part.Volume() > best.Volume()) {
			best = part
		}
	}
	for i, a := range polygon {
		out := polygon[(i+1)%len(polygon)].Sub(a).Cross(plane.N)
		if l := out.Len(); l > 0 {
			out = out.Mul(1 / l)
			_, part, err := h.Cut(geom.Plane{N: out, D: -out.Dot(a)})
			try(part, err)
		}
	}
	return best
}

func (f *finder) cellShape(c *scene.Cell, d document.Cell, world mgl64.Mat4) {
	bad, good := -1, 0
	var fault error
	dents, dented := 0, mgl64.Vec3{}
	for i, p := range d.Pieces {
		points := transformed(p, world)
		h, err := hull.Of(points)
		if err != nil {
			if bad < 0 {
				bad, fault = i, err
			}
			continue
		}
		good++
		if n := inside(h, points); n > 0 {
			if dents == 0 {
				dented = h.Center()
			}
			dents += n
		}
	}
	if dents > 0 {
		f.add(Problem{
			Kind: NotConvex, Severity: Warning, Entities: []document.ID{c.ID}, At: dented,
			Text: fmt.Sprintf(textCellInside, f.subject(c.ID), strconv.Itoa(dents)),
			Fix:  Fix{fixHull, "cell.mend id=" + idText(c.ID)},
		})
	}
	if bad < 0 {
		return
	}
	fix := deleteFix(c.ID)
	if good > 0 {
		fix = Fix{fixPiece, "cell.mend id=" + idText(c.ID)}
	}
	f.add(Problem{
		Kind: Degenerate, Severity: Warning, Entities: []document.ID{c.ID}, At: middle(transformed(d.Pieces[bad], world)),
		Text: fmt.Sprintf(textNoPiece, f.subject(c.ID), fault), Fix: fix,
	})
}

// inside counts the points that lie inside their hull by more than rounding: corners
// of a solid that is not convex.
func inside(h *hull.Hull, points []mgl64.Vec3) (n int) {
	size := h.Bounds().Size()
	depth := 1e-4 * max(size[0], size[1], size[2])
	for _, p := range points {
		if h.Distance(p) < -depth {
			n++
		}
	}
	return n
}

// flatPolygon moves the corners of a polygon onto its plane.
func (f *finder) flatPolygon(o *scene.Occluder, points []mgl64.Vec3) Fix {
	plane, ok := hull.PolygonPlane(points)
	if !ok {
		return deleteFix(o.ID)
	}
	flat := flattened(points, plane)
	if !hull.PolygonSimple(flat) {
		return deleteFix(o.ID)
	}
	fix := setPoints(fixFlatten, "occluder.set", o.ID, flat)
	if o.Hole != nil {
		fix.Script += " " + pointsArg("hole", flattened(o.Hole, plane))
	}
	return fix
}

func flattened(points []mgl64.Vec3, plane geom.Plane) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	for i, p := range points {
		out[i] = p.Sub(plane.N.Mul(plane.Distance(p)))
	}
	return out
}

// bent is how far the corners of a polygon lie off its plane, at most.
func bent(points []mgl64.Vec3) (off float64) {
	plane, _ := hull.PolygonPlane(points)
	for _, p := range points {
		off = max(off, math.Abs(plane.Distance(p)))
	}
	return off
}

// convexOutline is the outline of the convex hull of points in a plane,
// counter-clockwise seen from its positive side (the monotone chain; Andrew, "Another
// Efficient Algorithm for Convex Hulls in Two Dimensions", 1979). nil when they have
// no area.
func convexOutline(points []mgl64.Vec3, plane geom.Plane) []mgl64.Vec3 {
	u := plane.N.Cross(mgl64.Vec3{0, 1, 0})
	if math.Abs(plane.N[1]) > 0.9 {
		u = plane.N.Cross(mgl64.Vec3{1, 0, 0})
	}
	u = u.Normalize()
	w := plane.N.Cross(u)
	type flat struct {
		x, y float64
		p    mgl64.Vec3
	}
	center := middle(points)
	list := make([]flat, 0, len(points))
	for _, p := range flattened(points, plane) {
		list = append(list, flat{u.Dot(p.Sub(center)), w.Dot(p.Sub(center)), p})
	}
	slices.SortFunc(list, func(a, b flat) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	var chain []flat
	half := func(from int, q flat) {
		for n := len(chain); n >= from+2; n = len(chain) {
			a, b := chain[n-2], chain[n-1]
			if (b.x-a.x)*(q.y-a.y)-(b.y-a.y)*(q.x-a.x) > 0 {
				break
			}
			chain = chain[:n-1]
		}
		chain = append(chain, q)
	}
	for _, q := range list {
		half(0, q)
	}
	from := len(chain) - 1
	for _, q := range slices.Backward(list[:max(0, len(list)-1)]) {
		half(from, q)
	}
	if len(chain) < 4 {
		return nil
	}
	out := make([]mgl64.Vec3, len(chain)-1)
	for i := range out {
		out[i] = chain[i].p
	}
	return out
}

// middle is the center of the box of points.
func middle(points []mgl64.Vec3) mgl64.Vec3 {
	if len(points) == 0 {
		return mgl64.Vec3{}
	}
	return geom.BoxOf(points...).Center()
}

// portals looks at each portal by itself and at those that stand in one place.
func (f *finder) portals() {
	if f.v.TooMany != nil && len(f.v.Portals) > 0 {
		f.add(Problem{
			Kind: Unlinked, Severity: Warning, Entities: []document.ID{f.v.Portals[0].ID}, At: middle(f.v.Portals[0].Polygon),
			Text: fmt.Sprintf(textTooMany, len(f.v.Cells), len(f.v.Portals), portal.MaxCount),
		})
	}
	for i := range f.v.Portals {
		if f.ctx.Err() != nil {
			return
		}
		f.portal(&f.v.Portals[i])
	}
	f.twins()
}

// How far a portal may be off the face of its cell, in metres: up to inWall it stands in
// the wall, which costs nothing to speak of. Up to farOff it costs little: whoever is
// nearer to it than that sees past its edges.
const (
	inWall = 0.2
	farOff = 0.5
)

// snapReach is how far a portal is snapped that joins nothing, in metres.
const snapReach = 10

func (f *finder) portal(p *scene.Portal) {
	one := func(kind Kind, text string, fix Fix) {
		f.add(Problem{Kind: kind, Severity: Warning, Entities: []document.ID{p.ID}, At: middle(p.Polygon), Text: text, Fix: fix})
	}
	name := f.subject(p.ID)
	plane, flat := hull.PolygonPlane(p.Polygon)
	if !flat {
		one(Degenerate, fmt.Sprintf(textThin, name), deleteFix(p.ID))
		return
	}
	outline := convexOutline(p.Polygon, plane)
	set := func(title string) Fix {
		if len(outline) < 3 {
			return deleteFix(p.ID)
		}
		return setPoints(title, "portal.set", p.ID, outline)
	}
	if !hull.PolygonPlanar(p.Polygon, hull.PolygonTolerance(p.Polygon)) {
		one(Bent, fmt.Sprintf(textBent, name, metres(bent(p.Polygon))), set(fixFlatten))
		return
	}
	if !hull.PolygonConvex(p.Polygon) {
		one(NotConvex, fmt.Sprintf(textConvex, name), set(fixHull))
	}
	if p.From == p.To {
		f.unlinked(p)
		return
	}
	r := f.check(p)
	for _, x := range r.Faults {
		switch x.Reason {
		case portal.Adrift:
			one(Unlinked, fmt.Sprintf(textAdrift, name), f.snapFix(p, snapReach))
		case portal.NotBetween:
			one(Unlinked, fmt.Sprintf(textNotBetween, name), f.snapFix(p, snapReach))
		case portal.NotConvex, portal.BadCell: // told here, or of the cell
		default:
			one(Unlinked, fmt.Sprintf(textOther, name, x.Reason), Fix{})
		}
	}
	if r.Off > inWall+crack && !math.IsInf(r.Off, 0) && len(r.Faults) == 0 {
		one(OffFace, fmt.Sprintf(textOff, name, metres(r.Off)), f.snapFix(p, r.Off+crack))
		if r.Off <= farOff+crack {
			f.out[len(f.out)-1].Severity = Note
		}
	}
}

// check looks at a portal and its two cells.
func (f *finder) check(p *scene.Portal) portal.Report {
	alone := p.Portal
	cells := make([][]*hull.Hull, 0, 2)
	for _, c := range [2]*int{&alone.From, &alone.To} {
		if *c != portal.Outside {
			cells = append(cells, f.cells[*c])
			*c = len(cells) - 1
		}
	}
	return portal.CheckPortal(cells, &alone)
}

// unlinked tells of a portal both of whose sides are one cell.
func (f *finder) unlinked(p *scene.Portal) {
	text := fmt.Sprintf(textUnlinked, f.subject(p.ID), metres(p.Reach))
	if p.From != portal.Outside {
		text = fmt.Sprintf(textSameCell, f.subject(p.ID), f.cellName(p.From))
	}
	fix := f.snapFix(p, snapReach)
	if !fix.Exists() {
		fix = deleteFix(p.ID)
	}
	f.add(Problem{Kind: Unlinked, Severity: Warning, Entities: []document.ID{p.ID}, At: middle(p.Polygon), Text: text, Fix: fix})
}

// snapFix moves a portal onto a face of a cell, if it then joins two cells.
func (f *finder) snapFix(p *scene.Portal, within float64) Fix {
	at, moved, ok := portal.SnapToFace(f.near(grown(p.Box, within+crack)), p.Polygon, within)
	if !ok || moved == 0 {
		return Fix{}
	}
	// A little farther than portal.Link looks.
	around := geom.BoxOf(at...)
	if _, _, ok := portal.Link(f.near(grown(around, 2.5*p.Reach+0.1*around.Size().Len()+1)), at, p.Reach); !ok {
		return Fix{}
	}
	return Fix{fixSnap, "portal.snap id=" + idText(p.ID) + " within=" + strconv.FormatFloat(1.001*moved+crack, 'g', 6, 64)}
}
