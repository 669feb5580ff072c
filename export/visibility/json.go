package visibility

import (
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
)

// document is the JSON of the extension. Numbers that may be 0 and mean something have
// no omitempty.
type document struct {
	Version   int            `json:"version"`
	Root      *int           `json:"root,omitempty"`
	Tree      treeJSON       `json:"tree"`
	Entries   entriesJSON    `json:"entries"`
	Ground    *groundJSON    `json:"ground,omitempty"`
	Occluders []occluderJSON `json:"occluders,omitempty"`
	Cells     []cellJSON     `json:"cells,omitempty"`
	Portals   []portalJSON   `json:"portals,omitempty"`
}

type treeJSON struct {
	Split string  `json:"split"`
	Size  float64 `json:"size"`
	Items int     `json:"items"`
}

type entriesJSON struct {
	Count  int  `json:"count"`
	Boxes  *int `json:"boxes,omitempty"`
	Things *int `json:"things,omitempty"`
}

type groundJSON struct {
	Node    *int         `json:"node,omitempty"`
	Columns int          `json:"columns"`
	Rows    int          `json:"rows"`
	Spacing float64      `json:"spacing"`
	Origin  [2]float64   `json:"origin"`
	Off     float64      `json:"off,omitempty"`
	Heights *heightsJSON `json:"heights,omitempty"`
	Holes   *int         `json:"holes,omitempty"`
	Pyramid *int         `json:"pyramid,omitempty"`
}

type heightsJSON struct {
	View   int     `json:"view"`
	Type   string  `json:"type"`
	Scale  float64 `json:"scale,omitempty"`
	Offset float64 `json:"offset,omitempty"`
}

type occluderJSON struct {
	ID      uint64      `json:"id"`
	Name    string      `json:"name,omitempty"`
	Owner   uint64      `json:"owner,omitempty"`
	Off     bool        `json:"off,omitempty"`
	Hull    *hullJSON   `json:"hull,omitempty"`
	Polygon []geom.Vec3 `json:"polygon,omitempty"`
	Hole    []geom.Vec3 `json:"hole,omitempty"`
	Portals []int32     `json:"portals,omitempty"`
}

type cellJSON struct {
	ID     uint64     `json:"id"`
	Name   string     `json:"name,omitempty"`
	Pieces []hullJSON `json:"pieces"`
}

type portalJSON struct {
	ID      uint64      `json:"id"`
	Name    string      `json:"name,omitempty"`
	Polygon []geom.Vec3 `json:"polygon"`
	From    int         `json:"from"`
	To      int         `json:"to"`
	State   string      `json:"state"`
	Reach   float64     `json:"reach"`
}

// hullJSON has a hull as it is, so that nobody needs to build it again.
type hullJSON struct {
	Vertices []geom.Vec3  `json:"vertices"`
	Faces    [][]int32    `json:"faces"`
	Planes   [][4]float64 `json:"planes"`
}

func hullOut(h *hull.Hull) hullJSON {
	out := hullJSON{Vertices: h.Vertices, Faces: h.Faces, Planes: make([][4]float64, len(h.Planes))}
	for i, p := range h.Planes {
		out.Planes[i] = [4]float64{p.N[0], p.N[1], p.N[2], p.D}
	}
	return out
}

func hullIn(h *hullJSON) (*hull.Hull, error) {
	out := &hull.Hull{Vertices: h.Vertices, Faces: h.Faces, Planes: make([]geom.Plane, len(h.Planes))}
	for i, p := range h.Planes {
		out.Planes[i] = geom.Plane{N: geom.Vec3{p[0], p[1], p[2]}, D: p[3]}
	}
	return out, out.Validate()
}
