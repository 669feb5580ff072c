package scatter

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// Append appends the points that the rules have in an area of the ground, in an order
// that depends on nothing else. Points that are nearer than the spacing to one of
// existing, which may be nil, are left out: so a place that has been sown gets no
// more. Areas beyond the field and over its holes stay empty.
//
// Numbers that are out of range are an error, as are more than MaxPoints points or
// MaxPlaces places to try; then dst is returned as it was. When ctx is cancelled its
// error is returned.
func Append(ctx context.Context, dst []Point, f *terrain.Field, area Area, rules Rules, existing *Index) ([]Point, error) {
	if err := rules.Check(); err != nil {
		return dst, err
	}
	if err := area.check(); err != nil {
		return dst, err
	}
	if rules.Density == 0 {
		return dst, nil
	}
	s := sower{field: f, rules: rules, existing: existing}
	s.density = rules.Effective()
	s.perSpacing = s.density * rules.spacing() * rules.spacing()
	s.youngest = birthFor(s.perSpacing)
	for s.level < topLevel && s.youngest <= startOf(s.level) {
		s.level++
	}
	blocks, err := s.blocks(area)
	if err != nil {
		return dst, err
	}
	found := make([][]Point, len(blocks))
	var count atomic.Int64
	err = inParallel(ctx, len(blocks), func(i int) bool {
		found[i] = s.sow(blocks[i])
		return count.Add(int64(len(found[i]))) <= MaxPoints
	})
	if err != nil {
		return dst, err
	}
	if count.Load() > MaxPoints {
		return dst, fmt.Errorf("the area has room for more than %d points, expected fewer: sow a smaller area or less densely", MaxPoints)
	}
	for _, points := range found {
		dst = append(dst, points...)
	}
	return dst, nil
}

// sower is one call of Append.
type sower struct {
	field      *terrain.Field
	rules      Rules
	existing   *Index
	density    float64 // points per square metre
	perSpacing float64 // points in a square of one spacing
	youngest   birth   // candidates that matter are older
	level      int     // of the cells that hold all of them
}

// block is a square of cells, and what of the area lies in it.
type block struct {
	from, to cell // to is excluded
	area     Area
}

// blockSide is the number of cells along a block.
const blockSide = 64

// blocks cuts the part of the area on the field into blocks, quarter by quarter.
func (s *sower) blocks(area Area) ([]block, error) {
	x, z := s.field.Origin()
	w, d := s.field.Extent()
	on := area.bounds().intersect(Rect{mgl64.Vec2{x, z}, mgl64.Vec2{x + w, z + d}})
	if on.empty() {
		return nil, nil
	}
	p := patternOf(s.rules.Seed, s.rules.spacing())
	from, to := p.at(s.level, on.Min[0], on.Min[1]), p.at(s.level, on.Max[0], on.Max[1])
	to.i++
	to.j++
	side := p.sides[s.level]
	var out []block
	places := 0
	var cut func(b block) error
	cut = func(b block) error {
		nx, nz := b.to.i-b.from.i, b.to.j-b.from.j
		if nx <= 0 || nz <= 0 {
			return nil
		}
		part := b.area.within(Rect{
			mgl64.Vec2{float64(b.from.i) * side, float64(b.from.j) * side},
			mgl64.Vec2{float64(b.to.i) * side, float64(b.to.j) * side},
		})
		if part == nil {
			return nil
		}
		b.area = part
		if nx <= blockSide && nz <= blockSide {
			if places += int(nx * nz); places > MaxPlaces {
				return fmt.Errorf("sowing the area would try more than %d places, expected fewer: sow a smaller area or less densely", MaxPlaces)
			}
			out = append(out, b)
			return nil
		}
		mi, mj := b.from.i+half(nx), b.from.j+half(nz)
		for _, q := range [4][4]int64{
			{b.from.i, b.from.j, mi, mj}, {mi, b.from.j, b.to.i, mj},
			{b.from.i, mj, mi, b.to.j}, {mi, mj, b.to.i, b.to.j},
		} {
			if err := cut(block{cell{q[0], q[1], s.level}, cell{q[2], q[3], s.level}, b.area}); err != nil {
				return err
			}
		}
		return nil
	}
	return out, cut(block{from, to, area})
}

// half is where to cut n cells: at a multiple of a block, if possible.
func half(n int64) int64 {
	if n <= blockSide {
		return n
	}
	return max(n/2/blockSide, 1) * blockSide
}

// sow finds the points of a block.
func (s *sower) sow(b block) []Point {
	var out []Point
	p := patternOf(s.rules.Seed, s.rules.spacing())
	r := s.rules.spacing()
	for j := b.from.j; j < b.to.j; j++ {
		for i := b.from.i; i < b.to.i; i++ {
			c := p.origin(cell{i, j, s.level})
			if c.age >= s.youngest {
				continue
			}
			c = p.locate(c)
			if share := b.area.cover(c.x, c.z); share < 1 && pointsBy(c.age) >= s.perSpacing*share {
				continue
			}
			g, ok := groundAt(s.field, c.x, c.z)
			if !ok || !s.rules.likes(s.field, &g) || !p.isPoint(c) || s.existing != nil && s.existing.Any(c.x, c.z, r) {
				continue
			}
			point := Point{Position: mgl64.Vec3{c.x, g.y, c.z}, Normal: g.normal}
			s.rules.deal(&point, c.hash)
			out = append(out, point)
		}
	}
	return out
}

// inParallel calls do for 0 … n−1 on all processors until one call says no or ctx
// is cancelled.
func inParallel(ctx context.Context, n int, do func(i int) (more bool)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if !do(i) {
					next.Store(int64(n))
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
