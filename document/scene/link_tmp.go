package scene

import (
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
)

func linkTmp(cells [][]*hull.Hull, polygon []geom.Vec3, reach float64) (from, to int, ok bool) {
	return portal.Outside, portal.Outside, false
}
