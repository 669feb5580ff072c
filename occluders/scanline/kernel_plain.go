package scanline

import "ridgeline/occluders/geom"

type batch struct{}

func (b *Buffer) appendHidden(dst []bool, boxes []geom.Box) []bool {
	return b.appendScalar(dst, boxes)
}
