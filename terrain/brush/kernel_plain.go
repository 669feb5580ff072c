//go:build !(goexperiment.simd && amd64)

package brush

import "ridgeline/terrain"

func raiseTile(h *terrain.Heights, runs []run, sh *shape, u0, strength float32) {
	raiseScalar(h, runs, sh, u0, strength)
}

func flattenTile(h *terrain.Heights, runs []run, sh *shape, u0, strength, level float32) {
	flattenScalar(h, runs, sh, u0, strength, level)
}

func falloffRow(dst *[side]float32, n run, sh *shape, u0 float32) {
	falloffScalar(dst, n, sh, u0)
}

func smoothRun(row *[side]float32, n run, a, b, c *[side + 2]float32, sh *shape, u0, strength float32) {
	smoothScalar(row, n, a, b, c, sh, u0, strength)
}
