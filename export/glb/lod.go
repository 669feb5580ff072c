package glb

import "github.com/qmuntal/gltf"

// extLOD lists the levels of detail of a mesh. MSFT_lod, which lists nodes, is not used:
// programs that don't know it import nodes that are in no scene too, and show all levels
// at once.
const extLOD = "RIDGELINE_lod"

// lodInfo is the value of extLOD.
type lodInfo struct {
	Error  float64    `json:"error,omitempty"` // of the mesh itself
	Levels []lodLevel `json:"levels"`          // simpler ones, each more than the one before
}

// lodLevel is a mesh that stands for another where its error, in units of the meshes'
// own space, is too small to be seen.
type lodLevel struct {
	Mesh  int     `json:"mesh"`
	Error float64 `json:"error"`
}

// addLevels lists the levels of a mesh.
func (p *plan) addLevels(m *gltf.Mesh, info lodInfo) {
	if len(info.Levels) == 0 && info.Error == 0 {
		return
	}
	if info.Levels == nil {
		info.Levels = []lodLevel{}
	}
	p.uses(extLOD)
	m.Extensions = gltf.Extensions{extLOD: info}
}
