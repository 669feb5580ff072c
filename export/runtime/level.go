package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
	"ridgeline/export/pack"
	"ridgeline/export/visibility"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
	"ridgeline/terrain/fault"
)

// Level is an opened level. What it lists must not be changed.
type Level struct {
	Nodes     []Node
	Meshes    []Mesh
	Materials []Material
	Pictures  []PictureInfo
	Cameras   map[string]Camera // the level's bookmarks
	Sun       *Sun              // nil if the file has none

	// Root is what the file's root node does to the level, to turn or scale it: the
	// matrix from the level's frame to the file's.
	Root mgl64.Mat4
	// Visibility is what hides what; nil if the file does not tell.
	Visibility *visibility.Data
	// Ground answers questions about heights; nil without ground, or where the file
	// leaves its heights out.
	Ground *Ground

	file   *file
	scene  atomic.Pointer[cull.Scene]
	pieces []piece   // what is drawn, in the order of nodes
	shows  [][]int32 // pieces by entry
	loose  []int32   // pieces that no entry shows: drawn when they are in the view
}

// Node is one node of the file.
type Node struct {
	Name   string
	Parent int // −1 at the top
	Mesh   int // index of Level.Meshes; −1 for none
	// World is the matrix to the level's frame.
	World mgl64.Mat4
	// Instances are the matrices of EXT_mesh_gpu_instancing, relative to the node; nil
	// where the node shows its mesh once.
	Instances []mgl64.Mat4
	Extras    json.RawMessage // as in the file; nil for none
}

// LOD is a coarser level of detail of a mesh.
type LOD struct {
	Mesh  int     `json:"mesh"`  // index of Level.Meshes
	Error float64 `json:"error"` // how far it is from the full mesh, in units of the mesh
}

// Camera is a place to look from, and what at.
type Camera struct{ Eye, Look geom.Vec3 }

// readCameras reads the bookmarks from the scene's extras.
func (l *Level) readCameras() error {
	doc := l.file.doc
	if len(doc.Scenes) == 0 {
		return nil
	}
	scene := 0
	if doc.Scene != nil {
		scene = *doc.Scene
	}
	var list map[string]pack.Place
	place := fmt.Sprintf("scenes[%d].extras.cameras", scene)
	ok, err := extra(doc.Scenes[scene].Extras, "cameras", &list)
	if err != nil {
		return below(place, err)
	}
	if err := pack.CheckBookmarks(place, list); err != nil || !ok {
		return err
	}
	l.Cameras = make(map[string]Camera, len(list))
	for name, c := range list {
		l.Cameras[name] = Camera{c.Eye, c.Look}
	}
	return nil
}

// Mesh is one mesh of the file, in the space of its nodes.
type Mesh struct {
	Name       string
	Bounds     geom.Box
	Primitives []Primitive
	Triangles  int
	LODs       []LOD // finest first; nil for none
}

// Primitive is the part of a mesh that has one material.
type Primitive struct {
	Vertices, Triangles int
	Material            int // −1 for none
	source              *gltf.Primitive
}

// newLevel reads a file's structure.
func newLevel(ctx context.Context, f *file) (*Level, error) {
	l := &Level{file: f, Root: mgl64.Ident4()}
	for _, step := range []func() error{
		l.readMeshes, l.readMaterials, l.readNodes, l.readCameras, l.readSun, func() error { return l.readVisibility(ctx) }, l.prepare,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Close lets go of the file.
func (l *Level) Close() error { return l.file.close() }

func (l *Level) readMeshes() error {
	doc := l.file.doc
	for i, m := range doc.Meshes {
		if len(m.Primitives) == 0 {
			return &fault.Error{Place: fmt.Sprintf("meshes[%d].primitives", i), Found: "none", Want: "one or more"}
		}
		out := Mesh{Name: m.Name, Bounds: geom.EmptyBox()}
		for k, p := range m.Primitives {
			place := fmt.Sprintf("meshes[%d].primitives[%d]", i, k)
			position, ok := p.Attributes[gltf.POSITION]
			if !ok || p.Indices == nil || p.Mode != gltf.PrimitiveTriangles {
				return &fault.Error{Place: place, Found: "no indexed triangles", Want: "positions and indices, as in exported levels"}
			}
			if err := l.checkPrimitive(p, place); err != nil {
				return err
			}
			a := doc.Accessors[position]
			box, err := boundsOf(a)
			if err != nil {
				return placed(place+".attributes.POSITION", err)
			}
			out.Bounds = out.Bounds.Union(box)
			prim := Primitive{Vertices: a.Count, Triangles: doc.Accessors[*p.Indices].Count / 3, Material: -1, source: p}
			if p.Material != nil {
				prim.Material = *p.Material
			}
			out.Triangles += prim.Triangles
			out.Primitives = append(out.Primitives, prim)
		}
		if err := l.readLODs(&out, i); err != nil {
			return below(fmt.Sprintf("meshes[%d].extensions.%s", i, extLOD), err)
		}
		l.Meshes = append(l.Meshes, out)
	}
	return nil
}

// readLODs reads the levels of detail of a mesh.
func (l *Level) readLODs(to *Mesh, index int) error {
	var value struct {
		Error  float64 `json:"error,omitempty"`
		Levels []LOD   `json:"levels"`
	}
	meshes := l.file.doc.Meshes
	if _, err := extension(meshes[index].Extensions, extLOD, &value); err != nil {
		return err
	}
	if !(value.Error >= 0) {
		return &fault.Error{Place: "error", Found: fmt.Sprint(value.Error), Want: "0 or more"}
	}
	for i, lod := range value.Levels {
		if lod.Mesh < 0 || lod.Mesh >= len(meshes) || lod.Mesh == index || !(lod.Error >= 0) {
			return &fault.Error{Place: fmt.Sprintf("levels[%d]", i), Found: fmt.Sprintf("mesh %d with the error %g", lod.Mesh, lod.Error), Want: fmt.Sprintf("another of %d meshes and an error of 0 or more", len(meshes))}
		}
	}
	to.LODs = value.Levels
	return nil
}

// boundsOf reads the bounds of positions, which have to be there. Those of integers are
// in the units of the file, which are scaled when they are normalized.
func boundsOf(a *gltf.Accessor) (geom.Box, error) {
	if len(a.Min) != 3 || len(a.Max) != 3 {
		return geom.Box{}, &fault.Error{Found: "no bounds", Want: "min and max of three numbers"}
	}
	unit := 1.0
	if a.Normalized {
		unit = map[gltf.ComponentType]float64{gltf.ComponentByte: 127, gltf.ComponentUbyte: 255, gltf.ComponentShort: 32767, gltf.ComponentUshort: 65535}[a.ComponentType]
		if unit == 0 {
			unit = 1
		}
	}
	var b geom.Box
	for i := range 3 {
		b.Min[i], b.Max[i] = a.Min[i]/unit, a.Max[i]/unit
		if !(math.Abs(b.Min[i]) <= mesh.MaxCoordinate && math.Abs(b.Max[i]) <= mesh.MaxCoordinate && b.Min[i] <= b.Max[i]) {
			return geom.Box{}, &fault.Error{Found: fmt.Sprintf("bounds from %g to %g", a.Min[i], a.Max[i]), Want: fmt.Sprintf("a range within ±%g", float64(mesh.MaxCoordinate))}
		}
	}
	return b, nil
}

// readVisibility reads the visibility and the ground, or makes boxes of the nodes where
// the file has none.
func (l *Level) readVisibility(ctx context.Context) error {
	var value json.RawMessage
	ok, err := extension(l.file.doc.Extensions, visibility.Extension, &value)
	if err != nil {
		return below(visibility.Extension, err)
	}
	if !ok {
		return l.readGround(ctx)
	}
	l.Visibility, err = visibility.Decode(ctx, value, len(l.Nodes), l.file.section)
	if err != nil {
		return err
	}
	if g := l.Visibility.Ground; g != nil && g.Field != nil {
		l.Ground = &Ground{g.Field}
	}
	return nil
}

// readGround reads the ground of a pack without visibility.
func (l *Level) readGround(ctx context.Context) error {
	if l.file.ground == nil {
		return nil
	}
	g, err := visibility.DecodeGround(ctx, l.file.ground, len(l.Nodes), l.file.section)
	if err == nil && g != nil && g.Field != nil {
		l.Ground = &Ground{g.Field}
	}
	return err
}

// Entry names an entry of the visibility, as the editor's reports do: tile:x,y for
// ground, the id of an object, or that of a scatter with # and the number of its point.
func (l *Level) Entry(entry int) string {
	v := l.Visibility
	if v == nil {
		return l.Nodes[l.pieces[entry].node].Name
	}
	if n := v.Chunks(); entry >= n {
		return v.Things[entry-n].Name()
	}
	cols, _ := v.ChunkGrid()
	return fmt.Sprintf("tile:%d,%d", entry%cols, entry/cols)
}

// Entries is the number of entries.
func (l *Level) Entries() int { return l.scene.Load().Tree.Len() }

// Box is the box of an entry in the level's frame; empty for one that is not shown.
func (l *Level) Box(entry int) geom.Box { return l.scene.Load().Tree.Box(entry) }

// Portal finds a portal by the id of its entity.
func (l *Level) Portal(id uint64) (index int, ok bool) {
	if l.Visibility != nil {
		for i := range l.Visibility.Portals {
			if l.Visibility.Portals[i].ID == id {
				return i, true
			}
		}
	}
	return 0, false
}

// SetPortal opens or shuts a portal, as when a door moves. Occluders that open portals
// cross hide nothing. An unknown portal changes nothing.
func (l *Level) SetPortal(index int, state portal.State) {
	for {
		old := l.scene.Load()
		if old.Portals == nil || index < 0 || index >= old.Portals.Portals() {
			return
		}
		s := *old
		s.Portals = old.Portals.SetState(index, state)
		s.Occluders = make([]cull.Shape, len(old.Occluders))
		l.Visibility.Shut(&s)
		if l.scene.CompareAndSwap(old, &s) {
			return
		}
	}
}
