//go:build !goexperiment.simd || !amd64

package scanline

import "ridgeline/occluders/geom"

// batch is the scratch of AppendHidden, which needs none here.
type batch struct{}

func (b *Buffer) appendHidden(dst []bool, boxes []geom.Box) []bool {
	return b.appendScalar(dst, boxes)
}
