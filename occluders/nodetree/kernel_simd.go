//go:build goexperiment.simd && amd64

package nodetree

import "simd/archsimd"

type vec = archsimd.Float32x8

func load(r *row) vec { return archsimd.LoadFloat32x8((*[lanes]float32)(r)) }

func vectors() bool { return archsimd.X86.AVX2() && archsimd.X86.FMA() }

func meetBoxes(n *wideNode, a *aimed, dist *[lanes]uint32) uint8 {
	if vectors() {
		return meetBoxesVector(n, a, dist)
	}
	return meetBoxesScalar(n, a, dist)
}

func meetTriangles(l *wideLeaf, size *row, a *aimed) uint8 {
	if vectors() {
		return meetTrianglesVector(l, size, a)
	}
	return meetTrianglesScalar(l, size, a)
}

var zeros row

func meetBoxesVector(n *wideNode, a *aimed, dist *[lanes]uint32) uint8 {
	ix, iy, iz := load(&a.inv[0]), load(&a.inv[1]), load(&a.inv[2])
	nx := load(&n.bound[a.side[0]]).MulAdd(ix, load(&a.near[0]))
	ny := load(&n.bound[a.side[1]]).MulAdd(iy, load(&a.near[1]))
	nz := load(&n.bound[a.side[2]]).MulAdd(iz, load(&a.near[2]))
	fx := load(&n.bound[a.side[3]]).MulAdd(ix, load(&a.far[0]))
	fy := load(&n.bound[a.side[4]]).MulAdd(iy, load(&a.far[1]))
	fz := load(&n.bound[a.side[5]]).MulAdd(iz, load(&a.far[2]))
	near := nx.Max(ny).Max(nz.Max(load(&zeros)))
	far := fx.Min(fy).Min(fz.Min(load(&a.best)))
	near.AsInt32x8().AsUint32x8().Store(dist)
	hit := near.LessEqual(far).ToBits()
	archsimd.ClearAVXUpperBits()
	return hit
}

func meetTrianglesVector(l *wideLeaf, size *row, a *aimed) uint8 {
	x, y, z := a.axis[0], a.axis[1], a.axis[2]
	ox, oy, oz := load(&a.origin[0]), load(&a.origin[1]), load(&a.origin[2])
	sx, sy := load(&a.shear[0]), load(&a.shear[1])
	az := load(&l.corner[z]).Sub(oz)
	bz := load(&l.corner[3+z]).Sub(oz)
	cz := load(&l.corner[6+z]).Sub(oz)
	ax := sx.MulAdd(az, load(&l.corner[x]).Sub(ox))
	bx := sx.MulAdd(bz, load(&l.corner[3+x]).Sub(ox))
	cx := sx.MulAdd(cz, load(&l.corner[6+x]).Sub(ox))
	ay := sy.MulAdd(az, load(&l.corner[y]).Sub(oy))
	by := sy.MulAdd(bz, load(&l.corner[3+y]).Sub(oy))
	cy := sy.MulAdd(cz, load(&l.corner[6+y]).Sub(oy))
	ahead := az.Max(bz).Max(cz).GreaterEqual(load(&a.first))
	within := az.Min(bz).Min(cz).LessEqual(load(&a.last))
	u := cx.Mul(by).Sub(cy.Mul(bx))
	v := ax.Mul(cy).Sub(ay.Mul(cx))
	w := bx.Mul(ay).Sub(by.Mul(ax))
	edge := load(&a.edge).MulAdd(load(size), load(&a.edge0))
	inside := u.Min(v).Min(w).Add(edge).GreaterEqual(load(&zeros))
	outside := u.Max(v).Max(w).LessEqual(edge)
	hit := inside.Or(outside).And(ahead).And(within).ToBits()
	archsimd.ClearAVXUpperBits()
	return hit
}

func overlapBoxes(n *wideNode, g *region) uint8 {
	if vectors() {
		return overlapBoxesVector(n, g)
	}
	return overlapBoxesScalar(n, g)
}

func overlapBoxesVector(n *wideNode, g *region) uint8 {
	x := load(&n.bound[0]).LessEqual(load(&g.high[0])).And(load(&n.bound[3]).GreaterEqual(load(&g.low[0])))
	y := load(&n.bound[1]).LessEqual(load(&g.high[1])).And(load(&n.bound[4]).GreaterEqual(load(&g.low[1])))
	z := load(&n.bound[2]).LessEqual(load(&g.high[2])).And(load(&n.bound[5]).GreaterEqual(load(&g.low[2])))
	hit := x.And(y).And(z).ToBits()
	archsimd.ClearAVXUpperBits()
	return hit
}
