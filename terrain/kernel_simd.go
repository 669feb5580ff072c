//go:build goexperiment.simd && amd64

package terrain

import (
	"math"
	"simd/archsimd"
)

// The vector kernel tests a row of eight children in one vector.
//
// An SSE instruction waits for the upper halves of the registers once they are in
// use. So the vector functions do all scalar work first, get what is the same in all
// lanes from memory, and clear the upper halves on the way out. They are written out
// row by row: in a loop, half of the instructions would be the loop's.

type vec = archsimd.Float32x8

// lanes is a number eight times.
type lanes = [fan]float32

// kernel tests children against a ray.
type kernel struct {
	line
	vector bool // the processor has what the vector functions use
	v      vectors
}

// vectors is the line, each number in all lanes, and the near and the far sides of
// children in a row and in a column, in sizes of a child from the first one's lower
// side.
type vectors struct {
	ix, iz, from, to, low, slope lanes

	nearX, farX, nearZ, farZ lanes

	rising bool
}

// numbers[k] counts from k; equal[k] is k in all lanes.
var numbers, equal = func() (numbers, equal [2]lanes) {
	for k := range numbers {
		for i := range numbers[k] {
			numbers[k][i], equal[k][i] = float32(i+k), float32(k)
		}
	}
	return numbers, equal
}()

func get(v *lanes) vec { return archsimd.LoadFloat32x8(v) }

func spread(v float32) vec { return archsimd.BroadcastFloat32x8(v) }

func row8(h []float32) vec { return archsimd.LoadFloat32x8((*lanes)(h)) }

func (k *kernel) set(w *walker, e *extent) {
	k.line.of(w, e)
	if k.vector = archsimd.X86.AVX2() && archsimd.X86.FMA() && !w.scalar; k.vector {
		k.v.set(&k.line, w.nearX, w.nearZ)
	}
}

func (v *vectors) set(l *line, nearX, nearZ int) {
	v.rising = l.slope > 0
	spread(l.ix).Store(&v.ix)
	spread(l.iz).Store(&v.iz)
	spread(l.from).Store(&v.from)
	spread(l.to).Store(&v.to)
	spread(l.low).Store(&v.low)
	spread(l.slope).Store(&v.slope)
	padX, padZ := spread(l.padX), spread(l.padZ)
	get(&numbers[nearX]).Sub(padX).Store(&v.nearX)
	get(&numbers[1-nearX]).Add(padX).Store(&v.farX)
	get(&equal[nearZ]).Sub(padZ).Store(&v.nearZ)
	get(&equal[1-nearZ]).Add(padZ).Store(&v.farZ)
	archsimd.ClearAVXUpperBits()
}

// turn takes over the height of a ray that has come to the other side of the ground.
func (k *kernel) turn(w *walker) {
	k.low, k.slope = w.lowest(w.under)
	k.v.rising = k.slope > 0
	for i := range k.v.low {
		k.v.low[i], k.v.slope[i] = k.low, k.slope
	}
}

// falling gives the children of a row that a ray going down passes lower than high:
// it is lowest where it leaves.
func falling(xn, xf, zn, zf, low, slope, high vec) uint64 {
	in, out := zn.Max(xn), zf.Min(xf)
	return uint64(in.LessEqual(out).And(out.MulAdd(slope, low).LessEqual(high)).ToBits())
}

// rising is falling for a ray going up, which is lowest where it enters.
func rising(xn, xf, zn, zf, low, slope, high vec) uint64 {
	in, out := zn.Max(xn), zf.Min(xf)
	return uint64(in.LessEqual(out).And(in.MulAdd(slope, low).LessEqual(high)).ToBits())
}

func (k *kernel) children(x, z, size float32, high *[fan * fan]float32, below *sides) (mask uint64) {
	if !k.vector {
		return childrenScalar(&k.line, x, z, size, high, below)
	}
	w, vx, vz := spread(size), spread(x), spread(z)
	sx, sz := get(&k.v.ix).Mul(w), get(&k.v.iz).Mul(w)
	xn := get(&k.v.nearX).MulAdd(sx, vx).Max(get(&k.v.from))
	xf := get(&k.v.farX).MulAdd(sx, vx).Min(get(&k.v.to))
	zn, zf := get(&k.v.nearZ).MulAdd(sz, vz), get(&k.v.farZ).MulAdd(sz, vz)
	get(&numbers[0]).MulAdd(sx, vx).Store(&below.x)
	get(&numbers[0]).MulAdd(sz, vz).Store(&below.z)
	low, slope := get(&k.v.low), get(&k.v.slope)
	if k.v.rising {
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[0:])) << 0
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[8:])) << 8
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[16:])) << 16
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[24:])) << 24
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[32:])) << 32
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[40:])) << 40
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[48:])) << 48
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= rising(xn, xf, zn, zf, low, slope, row8(high[56:])) << 56
	} else {
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[0:])) << 0
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[8:])) << 8
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[16:])) << 16
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[24:])) << 24
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[32:])) << 32
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[40:])) << 40
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[48:])) << 48
		zn, zf = zn.Add(sz), zf.Add(sz)
		mask |= falling(xn, xf, zn, zf, low, slope, row8(high[56:])) << 56
	}
	archsimd.ClearAVXUpperBits()
	return mask
}

func (k *kernel) cells(x, z float32, h *blockRows, last *blockRow) (mask uint64) {
	if !k.vector {
		return cellsScalar(&k.line, x, z, h, last)
	}
	vx, vz := spread(x), spread(z)
	ix, iz := get(&k.v.ix), get(&k.v.iz)
	xn := get(&k.v.nearX).MulAdd(ix, vx).Max(get(&k.v.from))
	xf := get(&k.v.farX).MulAdd(ix, vx).Min(get(&k.v.to))
	zn, zf := get(&k.v.nearZ).MulAdd(iz, vz), get(&k.v.farZ).MulAdd(iz, vz)
	low, slope := get(&k.v.low), get(&k.v.slope)
	top := row8(h[0*TileSize:]).Max(row8(h[0*TileSize+1:]))
	var bottom vec
	if k.v.rising {
		bottom = row8(h[1*TileSize:]).Max(row8(h[1*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 0
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[2*TileSize:]).Max(row8(h[2*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 8
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[3*TileSize:]).Max(row8(h[3*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 16
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[4*TileSize:]).Max(row8(h[4*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 24
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[5*TileSize:]).Max(row8(h[5*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 32
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[6*TileSize:]).Max(row8(h[6*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 40
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[7*TileSize:]).Max(row8(h[7*TileSize+1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 48
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(last[0:]).Max(row8(last[1:]))
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 56
	} else {
		bottom = row8(h[1*TileSize:]).Max(row8(h[1*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 0
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[2*TileSize:]).Max(row8(h[2*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 8
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[3*TileSize:]).Max(row8(h[3*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 16
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[4*TileSize:]).Max(row8(h[4*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 24
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[5*TileSize:]).Max(row8(h[5*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 32
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[6*TileSize:]).Max(row8(h[6*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 40
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(h[7*TileSize:]).Max(row8(h[7*TileSize+1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 48
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = row8(last[0:]).Max(row8(last[1:]))
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom)) << 56
	}
	archsimd.ClearAVXUpperBits()
	return mask
}

// lastLane is 0 in the last lane and next to −Inf in the others, so that adding it to
// a number leaves that in the last lane alone.
var lastLane = lanes{
	-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32,
	-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32, 0,
}

// toLeft moves each lane one to the left and keeps the last one.
var toLeft = [fan]uint32{1, 2, 3, 4, 5, 6, 7, 7}

// shifted is the maximum of each lane and the next one.
func shifted(v vec, left archsimd.Uint32x8) vec { return v.Max(v.Permute(left)) }

func (k *kernel) seam(x, z float32, h *seamRows, last *seamRow, high float32) (mask uint64) {
	if !k.vector {
		return seamScalar(&k.line, x, z, h, last, high)
	}
	vx, vz := spread(x), spread(z)
	ix, iz := get(&k.v.ix), get(&k.v.iz)
	xn := get(&k.v.nearX).MulAdd(ix, vx).Max(get(&k.v.from))
	xf := get(&k.v.farX).MulAdd(ix, vx).Min(get(&k.v.to))
	zn, zf := get(&k.v.nearZ).MulAdd(iz, vz), get(&k.v.farZ).MulAdd(iz, vz)
	low, slope := get(&k.v.low), get(&k.v.slope)
	lastHigh := spread(high).Add(get(&lastLane))
	left := archsimd.LoadUint32x8(&toLeft)
	top := shifted(row8(h[0*TileSize:]), left)
	var bottom vec
	if k.v.rising {
		bottom = shifted(row8(h[1*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 0
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[2*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 8
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[3*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 16
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[4*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 24
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[5*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 32
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[6*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 40
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[7*TileSize:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 48
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(last[:]), left)
		mask |= rising(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 56
	} else {
		bottom = shifted(row8(h[1*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 0
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[2*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 8
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[3*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 16
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[4*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 24
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[5*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 32
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[6*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 40
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(h[7*TileSize:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 48
		zn, zf, top = zn.Add(iz), zf.Add(iz), bottom
		bottom = shifted(row8(last[:]), left)
		mask |= falling(xn, xf, zn, zf, low, slope, top.Max(bottom).Max(lastHigh)) << 56
	}
	archsimd.ClearAVXUpperBits()
	return mask
}
