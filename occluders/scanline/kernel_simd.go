//go:build goexperiment.simd && amd64

package scanline

import (
	"math/bits"
	"simd/archsimd"
	"slices"
	"unsafe"

	"ridgeline/occluders/geom"
)

// The vector twin of the test: it projects eight boxes at a time in float32, each
// number widened by a bound of its error, and so hides nothing that the scalar test
// does not. Orthographic views and what is left over go to the scalar one.
//
// An SSE instruction waits for the upper halves of the registers once they are in use,
// so the vector function works on nothing but vectors, takes its numbers from memory,
// where each stands in all lanes of a row, and clears the upper halves on the way out.

const lanes = 8

type vec = archsimd.Float32x8

type row = [lanes]float32

// batch is the scratch of AppendHidden.
type batch struct {
	eye  [2][4]float64 // as the corners of a box stand in memory
	rows [rowCount]row
	out  projected
	// The least lo of the 2×2 and of the 4×4 cells from each on right and down.
	two, four []float32
}

// Rows of numbers.
const (
	rowX      = 0 // 3: x of each axis
	rowY      = 3
	rowW      = 6
	rowSpread = 9  // 3: the greater of what x and y multiply each axis with
	rowReach  = 12 // 3: what w multiplies it with
	rowNear   = 15 + iota - 5
	rowWidth
	rowHeight
	rowColumns // a pixel
	rowFine
	rowError
	rowGrow
	rowSlack
	rowZero
	rowOne
	rowCount
)

// projected are the rectangles of eight boxes.
type projected struct {
	x0, x1, depth    row
	c0, c1, from, to [lanes]int32
}

// vectors reports whether this processor has what the vector functions use.
func vectors() bool { return archsimd.X86.AVX2() && archsimd.X86.FMA() }

func (b *Buffer) appendHidden(dst []bool, boxes []geom.Box) []bool {
	v := &b.view
	if !b.done || len(b.surfaces) == 0 || v.ortho || b.MinOccludee > 0 || !vectors() || len(boxes) < lanes {
		return b.appendScalar(dst, boxes)
	}
	k := &b.batch
	k.begin(b)
	k.windows(&b.grid)
	n := len(dst)
	dst = slices.Grow(dst, len(boxes))[:n+len(boxes)]
	for len(boxes) >= lanes {
		mask := project((*[lanes]geom.Box)(boxes), k)
		hidden := (*[lanes]bool)(dst[n:])
		*hidden = [lanes]bool{}
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros8(mask) & (lanes - 1)
			hidden[i] = b.coversLane(&k.out, i)
		}
		n += lanes
		boxes = boxes[lanes:]
	}
	dst = dst[:n]
	return b.appendScalar(dst, boxes)
}

// begin fills the rows.
func (k *batch) begin(b *Buffer) {
	v := &b.view
	e := v.eye
	k.eye = [2][4]float64{{e[0], e[1], e[2], e[0]}, {e[2], e[0], e[1], e[2]}}
	fill := func(i int, x float64) {
		for j := range k.rows[i] {
			k.rows[i][j] = float32(x)
		}
	}
	for a := range 3 {
		fill(rowX+a, v.x[a])
		fill(rowY+a, v.y[a])
		fill(rowW+a, v.w[a])
		fill(rowSpread+a, max(abs(v.x[a]), abs(v.y[a])))
		fill(rowReach+a, abs(v.w[a]))
	}
	fill(rowNear, v.near*(1+0x1p-20))
	fill(rowWidth, v.width)
	fill(rowHeight, v.height)
	fill(rowColumns, b.grid.inverse)
	fill(rowFine, fine)
	fill(rowError, 0x1p-20)
	fill(rowGrow, 1+0x1p-20)
	fill(rowSlack, b.slack*(1+0x1p-20))
	fill(rowZero, 0)
	fill(rowOne, 1)
}

func abs(x float64) float64 { return max(x, -x) }

func get(r *row) vec { return archsimd.LoadFloat32x8(r) }

// A box is six numbers in a row.
const _ = uint(unsafe.Sizeof(geom.Box{})-48) + uint(48-unsafe.Sizeof(geom.Box{}))

// half loads four numbers of two boxes, relative to the eye, one box in each half.
func half(a, b *geom.Box, from int, eye archsimd.Float64x4) vec {
	p := archsimd.LoadFloat64x4((*[4]float64)((*[6]float64)(unsafe.Pointer(a))[from:])).Sub(eye).ConvertToFloat32()
	q := archsimd.LoadFloat64x4((*[4]float64)((*[6]float64)(unsafe.Pointer(b))[from:])).Sub(eye).ConvertToFloat32()
	var v vec
	return v.SetLo(p).SetHi(q)
}

// project projects eight boxes into k.out, and gives those that may be hidden.
func project(boxes *[lanes]geom.Box, k *batch) (mask uint8) {
	eye := archsimd.LoadFloat64x4(&k.eye[0])
	r0, r1 := half(&boxes[0], &boxes[4], 0, eye), half(&boxes[1], &boxes[5], 0, eye)
	r2, r3 := half(&boxes[2], &boxes[6], 0, eye), half(&boxes[3], &boxes[7], 0, eye)
	t0, t1 := r0.SelectFromPairGrouped(0, 1, 4, 5, r1), r2.SelectFromPairGrouped(0, 1, 4, 5, r3)
	t2, t3 := r0.SelectFromPairGrouped(2, 3, 6, 7, r1), r2.SelectFromPairGrouped(2, 3, 6, 7, r3)
	loX, loY := t0.SelectFromPairGrouped(0, 2, 4, 6, t1), t0.SelectFromPairGrouped(1, 3, 5, 7, t1)
	loZ, hiX := t2.SelectFromPairGrouped(0, 2, 4, 6, t3), t2.SelectFromPairGrouped(1, 3, 5, 7, t3)
	eye = archsimd.LoadFloat64x4(&k.eye[1])
	r0, r1 = half(&boxes[0], &boxes[4], 2, eye), half(&boxes[1], &boxes[5], 2, eye)
	r2, r3 = half(&boxes[2], &boxes[6], 2, eye), half(&boxes[3], &boxes[7], 2, eye)
	t2, t3 = r0.SelectFromPairGrouped(2, 3, 6, 7, r1), r2.SelectFromPairGrouped(2, 3, 6, 7, r3)
	hiY, hiZ := t2.SelectFromPairGrouped(0, 2, 4, 6, t3), t2.SelectFromPairGrouped(1, 3, 5, 7, t3)
	good := loX.LessEqual(hiX).And(loY.LessEqual(hiY)).And(loZ.LessEqual(hiZ))

	// Bounds of the errors.
	zero, one := get(&k.rows[rowZero]), get(&k.rows[rowOne])
	farX, farY, farZ := hiX.Max(zero.Sub(loX)), hiY.Max(zero.Sub(loY)), hiZ.Max(zero.Sub(loZ))
	spread := farX.Mul(get(&k.rows[rowSpread]))
	spread = farY.MulAdd(get(&k.rows[rowSpread+1]), spread)
	spread = farZ.MulAdd(get(&k.rows[rowSpread+2]), spread)
	reach := farX.Mul(get(&k.rows[rowReach]))
	reach = farY.MulAdd(get(&k.rows[rowReach+1]), reach)
	reach = farZ.MulAdd(get(&k.rows[rowReach+2]), reach)
	little := get(&k.rows[rowError])

	// w at the corners, the nearest.
	wx0, wx1 := loX.Mul(get(&k.rows[rowW])), hiX.Mul(get(&k.rows[rowW]))
	wy0, wy1 := loY.Mul(get(&k.rows[rowW+1])), hiY.Mul(get(&k.rows[rowW+1]))
	wz0, wz1 := loZ.Mul(get(&k.rows[rowW+2])), hiZ.Mul(get(&k.rows[rowW+2]))
	least := wx0.Min(wx1).Add(wy0.Min(wy1)).Add(wz0.Min(wz1)).Sub(reach.Mul(little))
	good = good.And(least.GreaterEqual(get(&k.rows[rowNear])))
	nearest := one.Div(least)
	nearest.Mul(get(&k.rows[rowGrow])).Store(&k.out.depth)
	err := little.Mul(spread).Mul(nearest)
	err = err.Add(err.Mul(reach).Mul(nearest)).Add(get(&k.rows[rowSlack]))

	w00, w01, w10, w11 := wx0.Add(wy0), wx0.Add(wy1), wx1.Add(wy0), wx1.Add(wy1)
	i000, i001 := one.Div(w00.Add(wz0)), one.Div(w00.Add(wz1))
	i010, i011 := one.Div(w01.Add(wz0)), one.Div(w01.Add(wz1))
	i100, i101 := one.Div(w10.Add(wz0)), one.Div(w10.Add(wz1))
	i110, i111 := one.Div(w11.Add(wz0)), one.Div(w11.Add(wz1))

	var lo, hi [2]vec
	for n := range 2 {
		r := &k.rows[rowX+3*n]
		s := &k.rows[rowX+3*n+1]
		t := &k.rows[rowX+3*n+2]
		x0, x1 := loX.Mul(get(r)), hiX.Mul(get(r))
		y0, y1 := loY.Mul(get(s)), hiY.Mul(get(s))
		z0, z1 := loZ.Mul(get(t)), hiZ.Mul(get(t))
		a := x0.Add(y0)
		p, q := a.Add(z0).Mul(i000), a.Add(z1).Mul(i001)
		l, h := p.Min(q), p.Max(q)
		a = x0.Add(y1)
		p, q = a.Add(z0).Mul(i010), a.Add(z1).Mul(i011)
		l, h = l.Min(p).Min(q), h.Max(p).Max(q)
		a = x1.Add(y0)
		p, q = a.Add(z0).Mul(i100), a.Add(z1).Mul(i101)
		l, h = l.Min(p).Min(q), h.Max(p).Max(q)
		a = x1.Add(y1)
		p, q = a.Add(z0).Mul(i110), a.Add(z1).Mul(i111)
		lo[n], hi[n] = l.Min(p).Min(q).Sub(err), h.Max(p).Max(q).Add(err)
	}
	width, height := get(&k.rows[rowWidth]), get(&k.rows[rowHeight])
	good = good.And(lo[0].LessEqual(width)).And(hi[0].GreaterEqual(zero))
	good = good.And(lo[1].LessEqual(height)).And(hi[1].GreaterEqual(zero))
	x0, x1 := lo[0].Max(zero), hi[0].Min(width)
	y0, y1 := lo[1].Max(zero), hi[1].Min(height)
	x0.Store(&k.out.x0)
	x1.Store(&k.out.x1)
	columns, quarter := get(&k.rows[rowColumns]), get(&k.rows[rowFine])
	x0.Mul(columns).ConvertToInt32().Store(&k.out.c0)
	x1.Mul(columns).ConvertToInt32().Store(&k.out.c1)
	y0.Mul(quarter).ConvertToInt32().Store(&k.out.from)
	y1.Mul(quarter).ConvertToInt32().Store(&k.out.to)
	mask = good.ToBits()
	archsimd.ClearAVXUpperBits()
	return mask
}

// windows makes two and four.
func (k *batch) windows(g *grid) {
	k.two, k.four = grown(k.two, len(g.lo)), grown(k.four, len(g.lo))
	window(k.two, g.lo, g.stride, 1)
	window(k.four, k.two, g.stride, 2)
}

// window gives the least of each number, that by columns right of it, those by bands
// below, as far as there are any.
func window(dst, src []float32, stride, by int) {
	rows := len(src) / stride
	for k := range rows {
		d, a := dst[k*stride:][:stride], src[k*stride:][:stride]
		b := src[min(k+by, rows-1)*stride:][:stride]
		for c := 0; c+lanes+gridPad <= stride; c += lanes {
			v := get((*row)(a[c:])).Min(get((*row)(a[c+by:])))
			v.Min(get((*row)(b[c:]))).Min(get((*row)(b[c+by:]))).Store((*row)(d[c:]))
		}
		get((*row)(a[stride-lanes:])).Store((*row)(d[stride-lanes:]))
	}
	archsimd.ClearAVXUpperBits()
}

// coversLane is covers for a rectangle of the vector test.
func (b *Buffer) coversLane(p *projected, i int) bool {
	g := &b.grid
	from, to := int(b.bands.first[p.from[i]]), int(b.bands.last[p.to[i]])
	if from < g.first || to >= g.last {
		return false
	}
	c0 := int(p.c0[i])
	depth := p.depth[i]
	at := (from-g.first)*g.stride + c0
	width, height := min(int(p.c1[i]), g.columns-1)-c0+1, to-from+1
	if width <= 4 && height <= 4 {
		least := b.batch.four
		if width <= 2 && height <= 2 {
			least = b.batch.two
		}
		if least[at] >= depth {
			return true
		}
	} else if b.behindWindows(at, width, height, depth) {
		return true
	}
	if g.hi[at] < depth {
		return false
	}
	for k := from; k <= to; k++ {
		lo, hi := g.lo[at:][:width], g.hi[at:][:width]
		at += g.stride
		for c := range lo {
			if lo[c] >= depth {
				continue
			}
			// A column that is not the first or last is wholly asked for.
			if hi[c] < depth || c > 0 && c < width-1 {
				return false
			}
			if !rowHides(b.main.rows[k], float64(p.x0[i]), float64(p.x1[i]), float64(depth)) {
				return false
			}
			break
		}
	}
	return true
}

// behindWindows reports whether windows of 4×4 cells tell that a larger part of the grid
// is hidden.
func (b *Buffer) behindWindows(at, width, height int, depth float32) bool {
	for k := 0; k < height; k += 4 {
		for c := 0; c < width; c += 4 {
			if !(b.batch.four[at+k*b.grid.stride+c] >= depth) {
				return false
			}
		}
	}
	return true
}
