//go:build goexperiment.simd && amd64

package brush

import (
	"simd/archsimd"

	"ridgeline/terrain"
)

// The vector twins: eight samples at a time, the same operations in the same
// order as the scalar kernels and so the same bits. What does not fill a vector is
// left to the scalar kernels.
//
// An SSE instruction waits for the upper halves of the registers once they are in
// use, which costs more than the vectors gain. So the vector functions clear them
// on the way out, work on nothing but vectors, and get their constants from
// memory: the compiler makes scalars, and zero, with SSE.

func raiseTile(h *terrain.Heights, runs []run, sh *shape, u0, strength float32) {
	if archsimd.X86.AVX2() {
		raiseVector(h, runs, &constants{u0, sh.inv, sh.edge, strength, 0})
		runs = tails(runs)
	}
	raiseScalar(h, runs, sh, u0, strength)
}

func flattenTile(h *terrain.Heights, runs []run, sh *shape, u0, strength, level float32) {
	if archsimd.X86.AVX2() {
		flattenVector(h, runs, &constants{u0, sh.inv, sh.edge, strength, level})
		runs = tails(runs)
	}
	flattenScalar(h, runs, sh, u0, strength, level)
}

func falloffRow(dst *[side]float32, n run, sh *shape, u0 float32) {
	if archsimd.X86.AVX2() {
		falloffVector(dst, &n, &constants{u0, sh.inv, sh.edge, 0, 0})
		n = n.tail()
	}
	falloffScalar(dst, n, sh, u0)
}

func smoothRun(row *[side]float32, n run, a, b, c *[side + 2]float32, sh *shape, u0, strength float32) {
	if archsimd.X86.AVX2() {
		smoothVector(row, &n, a, b, c, &constants{u0, sh.inv, sh.edge, strength, 0})
		n = n.tail()
	}
	smoothScalar(row, n, a, b, c, sh, u0, strength)
}

// tail is what a vector kernel leaves of a run.
func (n run) tail() run {
	n.from += (n.to - n.from) &^ (lanes - 1)
	return n
}

// tails cuts the runs to what a vector kernel leaves.
func tails(runs []run) []run {
	left := runs[:0]
	for _, n := range runs {
		if n = n.tail(); n.from < n.to {
			left = append(left, n)
		}
	}
	return left
}

type vec = archsimd.Float32x8

// constants are the scalars of a kernel.
type constants struct{ start, inv, edge, strength, level float32 }

// columnNumbers are the distances of a tile's columns from its first.
var columnNumbers = func() (n [side]float32) {
	for i := range n {
		n[i] = float32(i)
	}
	return n
}()

// fixed are the constants 0, 1, 3, 1/9 and the range of heights.
var fixed = [...]float32{0, 1, 3, 1.0 / 9, -terrain.MaxHeight, terrain.MaxHeight}

func load(row *[side]float32, i int) vec { return archsimd.LoadFloat32x8((*[lanes]float32)(row[i:])) }

func store(v vec, row *[side]float32, i int) { v.Store((*[lanes]float32)(row[i:])) }

func loadWide(row *[side + 2]float32, i int) vec {
	return archsimd.LoadFloat32x8((*[lanes]float32)(row[i:]))
}

func all(v *float32) vec { return archsimd.BroadcastFloat32x8(*v) }

// falloff is shape.at for eight columns from i.
func falloff(i int, start, inv, v2, edge, zero, one, three vec) vec {
	u := start.Add(load(&columnNumbers, i)).Mul(inv)
	t := one.Sub(u.Mul(u).Add(v2)).Mul(edge).Max(zero).Min(one)
	return t.Mul(t).Mul(three.Sub(t.Add(t)))
}

func raiseVector(h *terrain.Heights, runs []run, k *constants) {
	zero, one, three, lo, hi := all(&fixed[0]), all(&fixed[1]), all(&fixed[2]), all(&fixed[4]), all(&fixed[5])
	start, inv, edge, s := all(&k.start), all(&k.inv), all(&k.edge), all(&k.strength)
	for j := range runs {
		n := &runs[j]
		row := (*[side]float32)(h[n.row*side:])
		v2 := all(&n.v2)
		for i := n.from; i <= n.to-lanes; i += lanes {
			f := falloff(i, start, inv, v2, edge, zero, one, three)
			store(load(row, i).Add(s.Mul(f)).Max(lo).Min(hi), row, i)
		}
	}
	archsimd.ClearAVXUpperBits()
}

func flattenVector(h *terrain.Heights, runs []run, k *constants) {
	zero, one, three := all(&fixed[0]), all(&fixed[1]), all(&fixed[2])
	start, inv, edge, s, l := all(&k.start), all(&k.inv), all(&k.edge), all(&k.strength), all(&k.level)
	for j := range runs {
		n := &runs[j]
		row := (*[side]float32)(h[n.row*side:])
		v2 := all(&n.v2)
		for i := n.from; i <= n.to-lanes; i += lanes {
			w := s.Mul(falloff(i, start, inv, v2, edge, zero, one, three))
			v := load(row, i)
			store(v.Add(l.Sub(v).Mul(w)), row, i)
		}
	}
	archsimd.ClearAVXUpperBits()
}

func falloffVector(dst *[side]float32, n *run, k *constants) {
	zero, one, three := all(&fixed[0]), all(&fixed[1]), all(&fixed[2])
	start, inv, edge, v2 := all(&k.start), all(&k.inv), all(&k.edge), all(&n.v2)
	for i := n.from; i <= n.to-lanes; i += lanes {
		store(falloff(i, start, inv, v2, edge, zero, one, three), dst, i)
	}
	archsimd.ClearAVXUpperBits()
}

func smoothVector(row *[side]float32, n *run, a, b, c *[side + 2]float32, k *constants) {
	zero, one, three, ninth := all(&fixed[0]), all(&fixed[1]), all(&fixed[2]), all(&fixed[3])
	start, inv, edge, v2, s := all(&k.start), all(&k.inv), all(&k.edge), all(&n.v2), all(&k.strength)
	for i := n.from; i <= n.to-lanes; i += lanes {
		h := loadWide(b, i+1)
		d := loadWide(a, i).Sub(h).Add(loadWide(a, i+2).Sub(h)).
			Add(loadWide(c, i).Sub(h).Add(loadWide(c, i+2).Sub(h)))
		d = d.Add(loadWide(b, i).Sub(h).Add(loadWide(b, i+2).Sub(h)).
			Add(loadWide(a, i+1).Sub(h).Add(loadWide(c, i+1).Sub(h))))
		w := s.Mul(falloff(i, start, inv, v2, edge, zero, one, three))
		store(h.Add(d.Mul(ninth).Mul(w)), row, i)
	}
	archsimd.ClearAVXUpperBits()
}
