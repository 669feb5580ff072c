package terrain

import (
	"math"
	"slices"

	"ridgeline/occluders/geom"
)

// AppendHits appends what Raycast says of each of the rays, in their order; a ray
// that meets nothing has T = +Inf and Col = Row = −1. Rays that follow one another
// closely, such as those through neighbouring pixels, take a third of the time that
// Raycast takes.
func (f *Field) AppendHits(dst []Hit, rays []geom.Ray) []Hit {
	dst = slices.Grow(dst, len(rays))
	var p pack
	for len(rays) >= packSize {
		dst = p.appendHits(dst, f, (*[packSize]geom.Ray)(rays))
		rays = rays[packSize:]
	}
	for i := range rays {
		hit, ok := f.Raycast(rays[i])
		if !ok {
			hit = missed
		}
		dst = append(dst, hit)
	}
	return dst
}

// missed is the hit of a ray that meets nothing.
var missed = Hit{T: math.Inf(1), Col: -1, Row: -1}

// packSize is the number of rays that go together.
const packSize = 8

// pack takes eight rays down the tree at once. While they stay close together, they
// pass the same nodes; so a node is asked what a wide line that holds them all
// passes, and a cell, which of the rays. Those look at it as every ray does, so that
// a pack finds what Raycast finds.
type pack struct {
	trips [packSize]trip
	live  uint8 // the rays that may still hit something
	hits  uint8
	order
	wide
}

// appendHits appends the hits of eight rays to dst, which has room for them.
func (p *pack) appendHits(dst []Hit, f *Field, rays *[packSize]geom.Ray) []Hit {
	p.live, p.hits = 0, 0
	odd := uint8(0) // what trips cannot begin
	for i := range rays {
		r := &rays[i]
		dx, dy, dz := math.Abs(r.Dir[0]), math.Abs(r.Dir[1]), math.Abs(r.Dir[2])
		p.trips[i] = trip{}
		switch sum := dx + dy + dz; {
		case !(sum >= 1e-100 && sum <= 1e100) || max(dx, dz) <= leastSlant*dy:
			odd |= 1 << i
		case p.trips[i].begin(f, r, math.Inf(1)):
			p.live |= 1 << i
		}
	}
	if p.live != 0 {
		p.walk(f)
	}
	at := len(dst)
	dst = dst[:at+packSize]
	for i := range rays {
		hit := &dst[at+i]
		switch bit := uint8(1) << i; {
		case p.hits&bit != 0:
			p.trips[i].report(hit, &rays[i])
		case odd&bit != 0:
			var ok bool
			if *hit, ok = f.Raycast(rays[i]); !ok {
				*hit = missed
			}
		default:
			*hit = missed
		}
	}
	return dst
}

// walk looks for the hits of the live rays, together where they can.
func (p *pack) walk(f *Field) {
	if p.live&(p.live-1) != 0 && p.join(f) {
		p.node(f.root, f.depth, 0, 0)
		return
	}
	for i := range p.trips {
		if p.live>>i&1 == 0 {
			continue
		}
		w := walker{trip: p.trips[i]}
		if w.walk(f) {
			p.trips[i] = w.trip
			p.hits |= 1 << i
		}
	}
}
