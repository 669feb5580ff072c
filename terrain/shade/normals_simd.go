//go:build goexperiment.simd && amd64

package shade

import "simd/archsimd"

// The vector twins: eight samples at a time, the same operations in the same order
// as the scalar kernels and so the same bits. The vector functions do nothing but
// vectors, have their constants from memory, and clear the registers' upper halves
// on the way out, because an SSE instruction in between would wait for these.

const lanes = 8

type vec = archsimd.Float32x8

func normals(x, y, z *lane, above, here, below *window, n int, kx, kz float32) {
	first := 0
	if archsimd.X86.AVX2() {
		normalsVector(x, y, z, above, here, below, n, &scale{kx, kz})
		first = n &^ (lanes - 1)
	}
	normalsScalar(x, y, z, above, here, below, first, n, kx, kz)
}

func pack8(dst []uint8, x, y, z *lane, n int) {
	first := 0
	if archsimd.X86.AVX2() {
		first = pack8Vector(dst, x, y, z, n)
	}
	pack8Scalar(dst, x, y, z, first, n)
}

func packXZ(dst []int16, x, z *lane, n int) {
	first := 0
	if archsimd.X86.AVX2() {
		packXZVector(dst, x, z, n)
		first = n &^ (lanes - 1)
	}
	packXZScalar(dst, x, z, first, n)
}

// scale turns differences of heights into slopes.
type scale struct{ x, z float32 }

// fixed are the constants of normals, pack8 and packXZ.
var fixed = [...]float32{1, 127.5, 128, 255, 32767, 32768.5}

// signs has the sign bit of float32 alone.
var signs = [lanes]int32{-1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31, -1 << 31}

func all(v *float32) vec { return archsimd.BroadcastFloat32x8(*v) }

func load(l *lane, i int) vec { return archsimd.LoadFloat32x8((*[lanes]float32)(l[i:])) }

func store(v vec, l *lane, i int) { v.Store((*[lanes]float32)(l[i:])) }

func loadWide(w *window, i int) vec { return archsimd.LoadFloat32x8((*[lanes]float32)(w[i:])) }

func normalsVector(x, y, z *lane, above, here, below *window, n int, k *scale) {
	one, kx, kz := all(&fixed[0]), all(&k.x), all(&k.z)
	minus := archsimd.LoadInt32x8(&signs)
	for i := 0; i <= n-lanes; i += lanes {
		dx := loadWide(here, i+2).Sub(loadWide(here, i)).Mul(kx)
		dz := loadWide(below, i+1).Sub(loadWide(above, i+1)).Mul(kz)
		s := one.Div(dx.Mul(dx).Add(dz.Mul(dz)).Add(one).Sqrt())
		store(dx.AsInt32x8().Xor(minus).AsFloat32x8().Mul(s), x, i)
		store(s, y, i)
		store(dz.AsInt32x8().Xor(minus).AsFloat32x8().Mul(s), z, i)
	}
	archsimd.ClearAVXUpperBits()
}

// pack8Vector packs what it can, and gives how much. The bytes of four normals are
// moved together in each half of the register, and the halves are written with four
// bytes too many, which the next ones overwrite; so it stops before the end.
func pack8Vector(dst []uint8, x, y, z *lane, n int) (first int) {
	half, middle, top := all(&fixed[1]), all(&fixed[2]), all(&fixed[3])
	order := archsimd.LoadInt8x32(&together)
	i := 0
	for ; i <= n-lanes && 3*i+28 <= len(dst); i += lanes {
		r := load(x, i).Mul(half).Add(middle).Min(top).ConvertToInt32()
		g := load(y, i).Mul(half).Add(middle).Min(top).ConvertToInt32()
		b := load(z, i).Mul(half).Add(middle).Min(top).ConvertToInt32()
		v := r.Or(g.ShiftAllLeft(8)).Or(b.ShiftAllLeft(16)).AsUint8x32().PermuteOrZeroGrouped(order)
		v.GetLo().Store((*[16]uint8)(dst[3*i:]))
		v.GetHi().Store((*[16]uint8)(dst[3*i+12:]))
	}
	archsimd.ClearAVXUpperBits()
	return i
}

// together takes the lower three bytes of each four; −1 gives zero.
var together = [32]int8{
	0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
	0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
}

func packXZVector(dst []int16, x, z *lane, n int) {
	// Truncation rounds, because the numbers are made positive; the 16 low bits of
	// the difference are the signed value.
	size, middle := all(&fixed[4]), all(&fixed[5])
	shift, low := archsimd.BroadcastInt32x8(snormShift[0]), archsimd.BroadcastInt32x8(snormShift[1])
	for i := 0; i <= n-lanes; i += lanes {
		a := load(x, i).Mul(size).Add(middle).ConvertToInt32().Sub(shift).And(low)
		b := load(z, i).Mul(size).Add(middle).ConvertToInt32().Sub(shift).ShiftAllLeft(16)
		a.Or(b).AsInt16x16().Store((*[2 * lanes]int16)(dst[2*i:]))
	}
	archsimd.ClearAVXUpperBits()
}

// snormShift is the offset of positive numbers, and the mask of 16 bits.
var snormShift = [2]int32{32768, 0xffff}
