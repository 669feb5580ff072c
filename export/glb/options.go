package glb

import (
	"fmt"

	"ridgeline/document"
)

// Heights says how the terrain's heights stand in the file for runtimes that draw
// height fields, beside the meshes.
type Heights int

// The kinds of heights.
const (
	HeightsFloat Heights = iota // 32-bit float, as they are
	Heights16                   // 16-bit unsigned, with scale and offset
	HeightsNone
)

// Options say how a level is written. The zero value is the default.
type Options struct {
	// Chunk is the number of cells along a ground chunk's edge: 32, 64 or 128; 0 is 64.
	Chunk int
	// LODs is the number of levels of detail of ground chunks, the full one included, 1
	// to 5; 0 is 4.
	LODs int
	// Unlit gives the ground KHR_materials_unlit, so that baked light is not lit again.
	Unlit bool
	// Bake is the size in pixels of one texture a ground chunk that holds its layers
	// blended, for programs that cannot blend them: a power of two, 64 to 2048; 0 is none.
	Bake int
	// Heights is the payload for runtimes that draw height fields.
	Heights Heights
	// Quantize writes vertices in fewer bits, with KHR_mesh_quantization.
	Quantize bool
	// Instancing writes things that share a mesh with EXT_mesh_gpu_instancing.
	Instancing bool
	// MeshLODs are the parts of the triangles that further levels of detail of meshes
	// keep: falling, between 0 and 1. nil is none.
	MeshLODs []float64
	// MeshErrors are instead how far further levels may be off, in metres of the mesh:
	// rising, over 0. nil is none.
	MeshErrors []float64
	// ZUp turns the level by its root node so that Z is up.
	ZUp bool
	// Scale is how many units of the file a metre is, by the scale of its root node;
	// 0 is 1.
	Scale float64
	// Only lists the entities that are written, with what is below them; nil is
	// everything. The ground is then left out.
	Only []document.ID
	// Sun adds the level's sun as a directional light, with KHR_lights_punctual. Engines
	// light the ground by it once more where light was baked: see Unlit.
	Sun bool
	// Cameras adds the level's view and its bookmarks as cameras.
	Cameras bool
	// NoVisibility leaves out RIDGELINE_visibility.
	NoVisibility bool
	// Strict makes a missing asset an error.
	Strict bool
}

// Bounds of options.
const (
	MaxLODs  = 5
	MinBake  = 64
	MaxBake  = 2048
	MinScale = 1e-4
	MaxScale = 1e4

	MaxMeshError = 1e4 // metres
)

// Validate names the first option that is out of its range.
func (o *Options) Validate() error {
	bad := func(name string, found any, want string) error {
		return fmt.Errorf("the option %s is %v, expected %s", name, found, want)
	}
	switch {
	case o.Chunk != 0 && o.Chunk != 32 && o.Chunk != 64 && o.Chunk != 128:
		return bad("chunk", o.Chunk, "32, 64 or 128")
	case o.LODs < 0 || o.LODs > MaxLODs:
		return bad("lods", o.LODs, fmt.Sprintf("1 to %d", MaxLODs))
	case o.Bake != 0 && (o.Bake < MinBake || o.Bake > MaxBake || o.Bake&(o.Bake-1) != 0):
		return bad("bake", o.Bake, fmt.Sprintf("a power of two, %d to %d", MinBake, MaxBake))
	case o.Heights < HeightsFloat || o.Heights > HeightsNone:
		return bad("heights", o.Heights, "float, 16 or none")
	case o.Scale != 0 && !(o.Scale >= MinScale && o.Scale <= MaxScale):
		return bad("scale", o.Scale, fmt.Sprintf("%g to %g", MinScale, MaxScale))
	}
	last := 1.0
	for _, part := range o.MeshLODs {
		if !(part > 0 && part < last) {
			return bad("mesh-lods", o.MeshLODs, "falling numbers between 0 and 1")
		}
		last = part
	}
	least := 0.0
	for _, off := range o.MeshErrors {
		if !(off > least && off <= MaxMeshError) {
			return bad("mesh-errors", o.MeshErrors, fmt.Sprintf("rising numbers of metres, up to %g", float64(MaxMeshError)))
		}
		least = off
	}
	if len(o.MeshLODs) > 0 && len(o.MeshErrors) > 0 {
		return bad("mesh-errors", o.MeshErrors, "none beside mesh-lods: levels have one kind of target")
	}
	return nil
}

// chunk is the number of cells along a chunk's edge.
func (o *Options) chunk() int {
	if o.Chunk == 0 {
		return 64
	}
	return o.Chunk
}

// lods is the number of levels of detail of a chunk.
func (o *Options) lods() int {
	if o.LODs == 0 {
		return 4
	}
	return o.LODs
}
