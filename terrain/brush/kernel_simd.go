//go:build goexperiment.simd && amd64

package brush

import (
	"simd/archsimd"

	"ridgeline/terrain"
)

// The vector twins: eight samples at a time, the same operations in the same
// order as the scalar kernels and so the same bits. What does not fill a vector,
// at the field's right rim, is left to the scalar kernels. Upper register halves
// are cleared on the way out, as the code around them uses SSE.

func raiseTile(h *terrain.Heights, runs []run, sh *shape, u0, strength float32) {
	if archsimd.X86.AVX2() {
		raiseVector(h, runs, sh, u0, strength)
	} else {
		raiseScalar(h, runs, sh, u0, strength)
	}
}

func flattenTile(h *terrain.Heights, runs []run, sh *shape, u0, strength, level float32) {
	if archsimd.X86.AVX2() {
		flattenVector(h, runs, sh, u0, strength, level)
	} else {
		flattenScalar(h, runs, sh, u0, strength, level)
	}
}

func falloffRow(dst *[side]float32, n *run, sh *shape, u0 float32) {
	if archsimd.X86.AVX2() {
		falloffVector(dst, n, sh, u0)
	} else {
		falloffScalar(dst, n, sh, u0)
	}
}

func smoothRun(row *[side]float32, n *run, a, b, c *[side + 2]float32, sh *shape, u0, strength float32) {
	if archsimd.X86.AVX2() {
		smoothVector(row, n, a, b, c, sh, u0, strength)
	} else {
		smoothScalar(row, n, a, b, c, sh, u0, strength)
	}
}

type vec = archsimd.Float32x8

// columnNumbers are the distances of a tile's columns from its first.
var columnNumbers = func() (n [side]float32) {
	for i := range n {
		n[i] = float32(i)
	}
	return n
}()

func load(row *[side]float32, i int) vec { return archsimd.LoadFloat32x8((*[lanes]float32)(row[i:])) }

func store(v vec, row *[side]float32, i int) { v.Store((*[lanes]float32)(row[i:])) }

func loadWide(row *[side + 2]float32, i int) vec {
	return archsimd.LoadFloat32x8((*[lanes]float32)(row[i:]))
}

func all(v float32) vec { return archsimd.BroadcastFloat32x8(v) }

// falloff is shape.at for eight columns from i.
func falloff(i int, start, inv, v2, edge vec) vec {
	u := start.Add(load(&columnNumbers, i)).Mul(inv)
	t := all(1).Sub(u.Mul(u).Add(v2)).Mul(edge).Max(all(0)).Min(all(1))
	return t.Mul(t).Mul(all(3).Sub(t.Add(t)))
}

func raiseVector(h *terrain.Heights, runs []run, sh *shape, u0, strength float32) {
	start, inv, edge, s := all(u0), all(sh.inv), all(sh.edge), all(strength)
	lo, hi := all(-terrain.MaxHeight), all(terrain.MaxHeight)
	for k := range runs {
		n := &runs[k]
		row := (*[side]float32)(h[n.row*side:])
		v2 := all(n.v2)
		i := n.from
		for ; i <= n.to-lanes; i += lanes {
			f := falloff(i, start, inv, v2, edge)
			store(load(row, i).Add(s.Mul(f)).Max(lo).Min(hi), row, i)
		}
		if i < n.to {
			rest := [1]run{{n.row, i, n.to, n.v2}}
			raiseScalar(h, rest[:], sh, u0, strength)
		}
	}
	archsimd.ClearAVXUpperBits()
}

func flattenVector(h *terrain.Heights, runs []run, sh *shape, u0, strength, level float32) {
	start, inv, edge, s, l := all(u0), all(sh.inv), all(sh.edge), all(strength), all(level)
	for k := range runs {
		n := &runs[k]
		row := (*[side]float32)(h[n.row*side:])
		v2 := all(n.v2)
		i := n.from
		for ; i <= n.to-lanes; i += lanes {
			w := s.Mul(falloff(i, start, inv, v2, edge))
			v := load(row, i)
			store(v.Add(l.Sub(v).Mul(w)), row, i)
		}
		if i < n.to {
			rest := [1]run{{n.row, i, n.to, n.v2}}
			flattenScalar(h, rest[:], sh, u0, strength, level)
		}
	}
	archsimd.ClearAVXUpperBits()
}

func falloffVector(dst *[side]float32, n *run, sh *shape, u0 float32) {
	start, inv, edge, v2 := all(u0), all(sh.inv), all(sh.edge), all(n.v2)
	i := n.from
	for ; i <= n.to-lanes; i += lanes {
		store(falloff(i, start, inv, v2, edge), dst, i)
	}
	archsimd.ClearAVXUpperBits()
	if i < n.to {
		rest := run{n.row, i, n.to, n.v2}
		falloffScalar(dst, &rest, sh, u0)
	}
}

func smoothVector(row *[side]float32, n *run, a, b, c *[side + 2]float32, sh *shape, u0, strength float32) {
	start, inv, edge, v2, s, ninth := all(u0), all(sh.inv), all(sh.edge), all(n.v2), all(strength), all(1.0/9)
	i := n.from
	for ; i <= n.to-lanes; i += lanes {
		h := loadWide(b, i+1)
		d := loadWide(a, i).Sub(h).Add(loadWide(a, i+2).Sub(h)).
			Add(loadWide(c, i).Sub(h).Add(loadWide(c, i+2).Sub(h)))
		d = d.Add(loadWide(b, i).Sub(h).Add(loadWide(b, i+2).Sub(h)).
			Add(loadWide(a, i+1).Sub(h).Add(loadWide(c, i+1).Sub(h))))
		w := s.Mul(falloff(i, start, inv, v2, edge))
		store(h.Add(d.Mul(ninth).Mul(w)), row, i)
	}
	archsimd.ClearAVXUpperBits()
	if i < n.to {
		rest := run{n.row, i, n.to, n.v2}
		smoothScalar(row, &rest, a, b, c, sh, u0, strength)
	}
}
