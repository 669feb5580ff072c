package scanline

import (
	"cmp"
	"iter"
	"slices"

	"ridgeline/occluders/geom"
)

// hiders is the scratch of AppendHiders.
type hiders struct {
	profile profile
	owners  []hider
}

// hider is an occluder that may hide a box.
type hider struct {
	owner int32
	area  float64 // on the picture
	off   bool
}

// AppendHiders appends the occluders that together hide the box: without any one of
// them it is not hidden. It appends nothing when the box is not Hidden. It takes a
// small build, for a click, not for a frame.
func (b *Buffer) AppendHiders(dst []int32, box geom.Box) []int32 {
	r, ok := b.rectOf(&box)
	if !ok || !b.main.hides(&r) {
		return dst
	}
	h := &b.hiders
	h.owners = h.owners[:0]
	for k := r.from; k <= r.to; k++ {
		row := b.main.rows[k]
		for i := search(row, r.x0); i < len(row) && row[i].x0 <= r.x1; i++ {
			h.hold(b, row[i].surface)
			if row[i].with >= 0 {
				h.hold(b, row[i].with)
			}
		}
	}
	// The smallest are tried first, so that the large ones stay.
	slices.SortFunc(h.owners, func(a, b hider) int {
		return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.owner, b.owner))
	})
	for i := range h.owners {
		h.owners[i].off = true
		if !b.hideTogether(&r) {
			h.owners[i].off = false
		}
	}
	for _, o := range h.owners {
		if !o.off {
			dst = append(dst, o.owner)
		}
	}
	return dst
}

// hold adds the owner of a surface.
func (h *hiders) hold(b *Buffer, surface int32) {
	owner := b.surfaces[surface].owner
	for i := range h.owners {
		if h.owners[i].owner == owner {
			return
		}
	}
	o := hider{owner: owner}
	for i := range b.surfaces {
		if s := &b.surfaces[i]; s.owner == owner {
			o.area += (s.x1 - s.x0) * (s.y1 - s.y0)
		}
	}
	h.owners = append(h.owners, o)
}

// hideTogether reports whether the owners that are not off hide the rectangle.
func (b *Buffer) hideTogether(r *rect) bool {
	h := &b.hiders
	h.profile.begin(len(b.main.rows))
	for i := range b.surfaces {
		for _, o := range h.owners {
			if !o.off && o.owner == b.surfaces[i].owner {
				b.insert(&h.profile, i, r.from, r.to+1)
				break
			}
		}
	}
	if h.profile.hides(r) {
		return true
	}
	b.join(&h.profile, r.from, r.to+1)
	return h.profile.hides(r)
}

// Span is an interval of a row of the picture, for display.
type Span struct {
	X0, X1   float64 // pixels
	Occluder int32
	With     int32   // the other occluder where two meet, else −1
	W0, W1   float64 // distance along the view at both ends, metres, at most this far
}

// Row gives the intervals of the band that holds the middle of row y of the picture,
// 0 at the top, from left to right.
func (b *Buffer) Row(y int) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		if !b.done || y < 0 || float64(y) >= b.view.height {
			return
		}
		for _, s := range b.main.rows[b.bands.band(float64(y)+0.5)] {
			out := Span{X0: s.x0, X1: s.x1, Occluder: b.surfaces[s.surface].owner, With: -1,
				W0: b.view.metres(s.d0), W1: b.view.metres(s.d1)}
			if s.with >= 0 {
				out.With = b.surfaces[s.with].owner
			}
			if !yield(out) {
				return
			}
		}
	}
}
