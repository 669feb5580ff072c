//go:build !(goexperiment.simd && amd64)

package nodetree

func meetBoxes(n *wideNode, a *aimed, dist *[lanes]uint32) uint8 {
	return meetBoxesScalar(n, a, dist)
}

func meetTriangles(l *wideLeaf, size *row, a *aimed) uint8 {
	return meetTrianglesScalar(l, size, a)
}

func overlapBoxes(n *wideNode, g *region) uint8 { return overlapBoxesScalar(n, g) }

// The scalar tests do not look at the rows.
func fillRows([]row, []float32) {}
