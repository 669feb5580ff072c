//go:build !(goexperiment.simd && amd64)

package shade

func normals(x, y, z *lane, above, here, below *window, n int, kx, kz float32) {
	normalsScalar(x, y, z, above, here, below, 0, n, kx, kz)
}

func pack8(dst []uint8, x, y, z *lane, n int) { pack8Scalar(dst, x, y, z, 0, n) }

func packXZ(dst []int16, x, z *lane, n int) { packXZScalar(dst, x, z, 0, n) }
