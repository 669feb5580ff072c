//go:build !(goexperiment.simd && amd64)

package terrain

// kernel tests children against a ray.
type kernel struct{ line }

func (k *kernel) set(w *walker, e *extent) { k.line.of(w, e) }

func (k *kernel) turn(w *walker) { k.low, k.slope = w.lowest(w.under) }

func (k *kernel) children(x, z, size float32, high *[fan * fan]float32, below *sides) uint64 {
	return childrenScalar(&k.line, x, z, size, high, below)
}

func (k *kernel) cells(x, z float32, h *blockRows, last *blockRow) uint64 {
	return cellsScalar(&k.line, x, z, h, last)
}

func (k *kernel) seam(x, z float32, h *seamRows, last *seamRow, high float32) uint64 {
	return seamScalar(&k.line, x, z, h, last, high)
}
