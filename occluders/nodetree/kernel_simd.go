//go:build goexperiment.simd && amd64

package nodetree

import "simd/archsimd"

// The vector twins: eight boxes or triangles at a time. A fused product rounds once
// where the scalar ones round twice, so the two may differ on what lies within the
// margins, which both keep.
//
// An SSE instruction waits for the upper halves of the registers once they are in use,
// which makes the rest of the walk ten times slower. So the vector functions clear them
// on the way out, work on nothing but vectors and get their numbers from memory, where
// each stands in all lanes of a row.

type vec = archsimd.Float32x8

func load(r *row) vec { return archsimd.LoadFloat32x8((*[lanes]float32)(r)) }

// vectors reports whether this processor has what the vector functions use.
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

// zeros is a row of 0, which the compiler would make with SSE.
var zeros row

func meetBoxesVector(n *wideNode, a *aimed, dist *[lanes]uint32) uint8 {
	ix, iy, iz := load(&a.rows[rowInverse]), load(&a.rows[rowInverse+1]), load(&a.rows[rowInverse+2])
	nx := load(&n.bound[a.side[0]]).MulAdd(ix, load(&a.rows[rowNear]))
	ny := load(&n.bound[a.side[1]]).MulAdd(iy, load(&a.rows[rowNear+1]))
	nz := load(&n.bound[a.side[2]]).MulAdd(iz, load(&a.rows[rowNear+2]))
	fx := load(&n.bound[a.side[3]]).MulAdd(ix, load(&a.rows[rowFar]))
	fy := load(&n.bound[a.side[4]]).MulAdd(iy, load(&a.rows[rowFar+1]))
	fz := load(&n.bound[a.side[5]]).MulAdd(iz, load(&a.rows[rowFar+2]))
	near := nx.Max(ny).Max(nz.Max(load(&zeros)))
	far := fx.Min(fy).Min(fz.Min(load(&a.rows[rowBest])))
	near.AsInt32x8().AsUint32x8().Store(dist)
	hit := near.LessEqual(far).ToBits()
	archsimd.ClearAVXUpperBits()
	return hit
}

func meetTrianglesVector(l *wideLeaf, size *row, a *aimed) uint8 {
	x, y, z := a.axis[0], a.axis[1], a.axis[2]
	ox, oy, oz := load(&a.rows[rowOrigin]), load(&a.rows[rowOrigin+1]), load(&a.rows[rowOrigin+2])
	sx, sy := load(&a.rows[rowShear]), load(&a.rows[rowShear+1])
	az := load(&l.corner[z]).Sub(oz)
	bz := load(&l.corner[3+z]).Sub(oz)
	cz := load(&l.corner[6+z]).Sub(oz)
	ax := sx.MulAdd(az, load(&l.corner[x]).Sub(ox))
	bx := sx.MulAdd(bz, load(&l.corner[3+x]).Sub(ox))
	cx := sx.MulAdd(cz, load(&l.corner[6+x]).Sub(ox))
	ay := sy.MulAdd(az, load(&l.corner[y]).Sub(oy))
	by := sy.MulAdd(bz, load(&l.corner[3+y]).Sub(oy))
	cy := sy.MulAdd(cz, load(&l.corner[6+y]).Sub(oy))
	ahead := az.Max(bz).Max(cz).GreaterEqual(load(&a.rows[rowFirst]))
	within := az.Min(bz).Min(cz).LessEqual(load(&a.rows[rowLast]))
	u := cx.Mul(by).Sub(cy.Mul(bx))
	v := ax.Mul(cy).Sub(ay.Mul(cx))
	w := bx.Mul(ay).Sub(by.Mul(ax))
	edge := load(&a.rows[rowEdge]).MulAdd(load(size), load(&a.rows[rowSmall]))
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
	x := load(&n.bound[0]).LessEqual(load(&g.rows[3])).And(load(&n.bound[3]).GreaterEqual(load(&g.rows[0])))
	y := load(&n.bound[1]).LessEqual(load(&g.rows[4])).And(load(&n.bound[4]).GreaterEqual(load(&g.rows[1])))
	z := load(&n.bound[2]).LessEqual(load(&g.rows[5])).And(load(&n.bound[5]).GreaterEqual(load(&g.rows[2])))
	hit := x.And(y).And(z).ToBits()
	archsimd.ClearAVXUpperBits()
	return hit
}

// fillRows puts each number in all lanes of its row. The scalar tests do not look at
// the rows.
func fillRows(rows []row, numbers []float32) {
	if vectors() {
		fillRowsVector(rows, numbers)
	}
}

func fillRowsVector(rows []row, numbers []float32) {
	for i := range rows {
		archsimd.BroadcastFloat32x8(numbers[i]).Store((*[lanes]float32)(&rows[i]))
	}
	archsimd.ClearAVXUpperBits()
}
