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
		var packed [side]int32
		pack8Vector(&packed, x, y, z, n)
		first = n &^ (lanes - 1)
		for i, v := range packed[:first] {
			out := (*[3]uint8)(dst[3*i:])
			out[0], out[1], out[2] = uint8(v), uint8(v>>8), uint8(v>>16)
		}
	}
	pack8Scalar(dst, x, y, z, first, n)
}

// scale turns differences of heights into slopes.
type scale struct{ x, z float32 }

// fixed are the constants 1, 127.5, 128 and 255.
var fixed = [...]float32{1, 127.5, 128, 255}

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

// pack8Vector puts the three bytes of a normal into the low bits of an int32.
func pack8Vector(dst *[side]int32, x, y, z *lane, n int) {
	half, middle, top := all(&fixed[1]), all(&fixed[2]), all(&fixed[3])
	for i := 0; i <= n-lanes; i += lanes {
		r := load(x, i).Mul(half).Add(middle).Min(top).ConvertToInt32()
		g := load(y, i).Mul(half).Add(middle).Min(top).ConvertToInt32()
		b := load(z, i).Mul(half).Add(middle).Min(top).ConvertToInt32()
		r.Or(g.ShiftAllLeft(8)).Or(b.ShiftAllLeft(16)).Store((*[lanes]int32)(dst[i:]))
	}
	archsimd.ClearAVXUpperBits()
}
