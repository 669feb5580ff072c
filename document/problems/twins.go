package problems

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
	"ridgeline/occluders/portal"
)

// When two portals stand in one place.
const (
	twinOff   = 0.01 // of the size: how far the one's middle may be from the other's
	twinSize  = 0.05 // and their sizes from each other
	twinAlong = 0.98 // cosine of the angle between their normals, at least
)

// standing is a portal as it stands in its place.
type standing struct {
	center, normal geom.Vec3
	size           float64 // greatest distance of two corners; 0 for what has no plane
}

func standingOf(polygon []mgl64.Vec3) (s standing) {
	plane, ok := hull.PolygonPlane(polygon)
	if !ok {
		return s
	}
	s.center, s.normal = middle(polygon), plane.N
	s.size = geom.BoxOf(polygon...).Size().Len()
	return s
}

// by reports whether another portal stands in the same place, whichever way it faces.
func (s *standing) by(o *standing) bool {
	return s.center.Sub(o.center).Len() <= twinOff*s.size && math.Abs(s.size-o.size) <= twinSize*s.size && math.Abs(s.normal.Dot(o.normal)) >= twinAlong
}

// twins tells of portals that stand in one place: in one line of those that face the
// same way as the first of them, in another one of those that face the other way.
func (f *finder) twins() {
	list := make([]standing, len(f.v.Portals))
	boxes := make([]geom.Box, len(list))
	for i := range list {
		list[i] = standingOf(f.v.Portals[i].Polygon)
		boxes[i] = geom.EmptyBox()
		if list[i].size > 0 {
			boxes[i] = geom.Box{Min: list[i].center, Max: list[i].center}
		}
	}
	tree := nodetree.Build(boxes, nodetree.Options{Split: nodetree.Oct, MaxItems: 8})
	done := make([]bool, len(list))
	var near []int32
	for i := range list {
		if f.ctx.Err() != nil {
			return
		}
		s := &list[i]
		if done[i] || !(s.size > 0) {
			continue
		}
		near = tree.AppendOverlapping(near[:0], grown(boxes[i], twinOff*s.size))
		slices.Sort(near)
		var same, opposed []int
		for _, k := range near {
			k := int(k)
			if k <= i || done[k] || !s.by(&list[k]) || !sameCells(&f.v.Portals[i].Portal, &f.v.Portals[k].Portal) {
				continue
			}
			done[k] = true
			if s.normal.Dot(list[k].normal) > 0 {
				same = append(same, k)
			} else {
				opposed = append(opposed, k)
			}
		}
		f.tellTwins(Duplicate, i, same)
		f.tellTwins(Opposed, i, opposed)
	}
}

// sameCells reports whether two portals join the same cells, or one of them none.
func sameCells(a, b *portal.Portal) bool {
	return a.From == b.From && a.To == b.To || a.From == b.To && a.To == b.From || a.From == a.To || b.From == b.To
}

// tellTwins tells of portals that stand in the place of one before them.
func (f *finder) tellTwins(kind Kind, first int, more []int) {
	if len(more) == 0 {
		return
	}
	one, many := textTwin, textTwins
	if kind == Opposed {
		one, many = textTwinAway, textTwinsAway
	}
	p := &f.v.Portals[first]
	ids := make([]document.ID, 0, len(more)+1)
	for _, k := range more {
		ids = append(ids, f.v.Portals[k].ID)
	}
	text := fmt.Sprintf(one, f.subject(ids[0]), f.object(p.ID))
	if len(ids) > 1 {
		text = fmt.Sprintf(many, len(ids), f.object(p.ID), f.names(ids, len(ids)))
	}
	f.add(Problem{
		Kind: kind, Severity: Warning, Entities: append(ids, p.ID), At: middle(p.Polygon),
		Text: text, Fix: f.oneOf(append([]int{first}, more...)),
	})
}

// oneOf deletes all but one of portals that stand in one place. What could be seen
// through them can be seen then: the one that stays joins cells, if any does, and is
// open, if one was, or if there were some that are open one way and others the other.
func (f *finder) oneOf(list []int) Fix {
	lets := map[portal.State]int{portal.Open: 0, portal.OneWay: 1, portal.Closed: 2}
	stays := slices.MinFunc(list, func(a, b int) int {
		p, q := &f.v.Portals[a], &f.v.Portals[b]
		joins := func(p *scene.Portal) int {
			if p.From == p.To {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(joins(p), joins(q)), cmp.Compare(lets[p.State], lets[q.State]), cmp.Compare(a, b))
	})
	p := &f.v.Portals[stays]
	normal := standingOf(p.Polygon).normal
	open := false
	var rest []document.ID
	for _, k := range list {
		q := &f.v.Portals[k]
		if k == stays || q.From != q.To && !sameCells(&p.Portal, &q.Portal) {
			continue
		}
		rest = append(rest, q.ID)
		open = open || p.State == portal.OneWay && q.State == portal.OneWay && standingOf(q.Polygon).normal.Dot(normal) < 0
	}
	fix := f.deleteAll(rest)
	if open && fix.Exists() {
		if f.locked(p.ID) {
			return Fix{}
		}
		fix.Script = strings.Join([]string{"portal.set id=" + idText(p.ID) + " state=open", fix.Script}, "\n")
	}
	return fix
}
