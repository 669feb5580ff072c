package mesh

import (
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// Limits of what is imported. A file beyond one of them gives an error that names
// it, before memory is taken for what the file claims.
const (
	MaxFile       = 1 << 30  // bytes of one file
	MaxTriangles  = 1 << 24  // of the model, every instance counted
	MaxInstances  = 1 << 22  // of EXT_mesh_gpu_instancing, those of all nodes together
	MaxCoordinate = 1e7      // metres from the origin, along each axis
	MaxImageSide  = 16384    // pixels; a larger picture is left out with a note
	MaxPixels     = 64 << 20 // of one picture; likewise
	MaxAllPixels  = 1 << 27  // of all pictures of a model together; likewise
)

// Model is an imported mesh. It doesn't change once it is made, so that it may be
// shared by goroutines.
type Model struct {
	Name string // of the file, without folder and extension

	// The vertices: Normals has unit vectors and is as long as Positions; UVs and
	// Colors are as long, or nil for none. Colors are linear RGBA, straight.
	Positions, Normals []mgl32.Vec3
	UVs                []mgl32.Vec2
	Colors             [][4]uint8

	// Indices has three indices of vertices for each triangle, counter-clockwise
	// seen from outside, with the transforms of nodes applied. No triangle is
	// without area.
	Indices []uint32

	// Parts are consecutive ranges of Indices that cover it: one material and one
	// node each.
	Parts     []Part
	Materials []Material // those that parts use
	Images    []Image    // those that materials use
	Nodes     []Node     // of the scene, parents before children

	// Occluders are solids that hide what is behind them: the corners of the hull of each
	// node whose name ends in -occ, or that stands below one. Their triangles are not
	// among those above.
	Occluders [][]mgl32.Vec3

	Bounds geom.Box // of Positions; empty without any
	Notes  []string // what is not supported or was mended, a sentence each
}

// Part is a range of a model's indices.
type Part struct {
	First, Count int // of Indices: multiples of 3
	Material     int // index of Model.Materials
	Node         int // index of Model.Nodes
}

// Wrap says what a texture is outside 0 to 1.
type Wrap uint8

// The ways to wrap.
const (
	Repeat Wrap = iota
	Clamp
	Mirror
)

// AlphaMode says what the alpha of a material means.
type AlphaMode uint8

// The alpha modes of glTF.
const (
	Opaque AlphaMode = iota // alpha is ignored
	Mask                    // a hole where alpha is below the cutoff
	Blend                   // laid over what is behind
)

// Material is how triangles look.
type Material struct {
	Name      string
	BaseColor [4]float32 // linear, straight alpha; multiplied with picture and vertex colour

	// Image is the index of the base colour's picture in Model.Images, or -1. UV
	// maps the coordinates of vertices (u, v, 1) to those of the picture.
	Image        int
	UV           mgl32.Mat3
	WrapS, WrapT Wrap
	Nearest      bool // magnified without interpolation

	Alpha       AlphaMode
	Cutoff      float32 // of Mask
	DoubleSided bool
	Unlit       bool
	Emissive    [3]float32 // linear
}

// Image is a decoded picture.
type Image struct {
	Name   string
	Pixels *image.NRGBA // sRGB, straight alpha, bounds from (0, 0)
	Opaque bool         // no pixel has alpha below 255
}

// Node is a node of the file's hierarchy.
type Node struct {
	Name   string
	Parent int // index of Model.Nodes, less than the node's own; -1 at the top
}

// Triangles is the number of triangles.
func (m *Model) Triangles() int { return len(m.Indices) / 3 }

// Validate reports the first invariant of Model that m breaks.
func (m *Model) Validate() error {
	n := len(m.Positions)
	switch {
	case len(m.Normals) != n:
		return fmt.Errorf("%d normals for %d positions", len(m.Normals), n)
	case m.UVs != nil && len(m.UVs) != n:
		return fmt.Errorf("%d texture coordinates for %d positions", len(m.UVs), n)
	case m.Colors != nil && len(m.Colors) != n:
		return fmt.Errorf("%d colours for %d positions", len(m.Colors), n)
	case len(m.Indices)%3 != 0:
		return fmt.Errorf("%d indices are no whole triangles", len(m.Indices))
	}
	box := geom.EmptyBox()
	for i, p := range m.Positions {
		for a := range 3 {
			if !(p[a] >= -MaxCoordinate && p[a] <= MaxCoordinate) {
				return fmt.Errorf("position %d is %v", i, p)
			}
		}
		if l := m.Normals[i].Len(); !(l > 0.999 && l < 1.001) {
			return fmt.Errorf("normal %d is %v", i, m.Normals[i])
		}
		box = box.Add(vec64(p))
	}
	if n > 0 && box != m.Bounds || n == 0 && !m.Bounds.IsEmpty() {
		return fmt.Errorf("bounds are %v, expected %v", m.Bounds, box)
	}
	for i, v := range m.Indices {
		if int(v) >= n {
			return fmt.Errorf("index %d is %d of %d vertices", i, v, n)
		}
	}
	for i, o := range m.Occluders {
		if len(o) < 4 {
			return fmt.Errorf("occluder %d has %d corners", i, len(o))
		}
		for _, p := range o {
			for a := range 3 {
				if !(p[a] >= -MaxCoordinate && p[a] <= MaxCoordinate) {
					return fmt.Errorf("a corner of occluder %d is %v", i, p)
				}
			}
		}
	}
	return m.validateParts()
}

func (m *Model) validateParts() error {
	next := 0
	for i, p := range m.Parts {
		switch {
		case p.First != next || p.Count <= 0 || p.Count%3 != 0 || p.Count > len(m.Indices)-next:
			return fmt.Errorf("part %d is %d indices at %d, expected some at %d of %d", i, p.Count, p.First, next, len(m.Indices))
		case p.Material < 0 || p.Material >= len(m.Materials):
			return fmt.Errorf("part %d has material %d of %d", i, p.Material, len(m.Materials))
		case p.Node < 0 || p.Node >= len(m.Nodes):
			return fmt.Errorf("part %d has node %d of %d", i, p.Node, len(m.Nodes))
		}
		next += p.Count
	}
	if next != len(m.Indices) {
		return fmt.Errorf("parts cover %d of %d indices", next, len(m.Indices))
	}
	for i, mat := range m.Materials {
		if mat.Image < -1 || mat.Image >= len(m.Images) {
			return fmt.Errorf("material %d has image %d of %d", i, mat.Image, len(m.Images))
		}
	}
	for i, img := range m.Images {
		if b := img.Pixels.Bounds(); b.Min != (image.Point{}) || b.Empty() {
			return fmt.Errorf("image %d has bounds %v", i, b)
		}
	}
	for i, nd := range m.Nodes {
		if nd.Parent < -1 || nd.Parent >= i {
			return fmt.Errorf("node %d has parent %d", i, nd.Parent)
		}
	}
	return nil
}

func vec64(p mgl32.Vec3) geom.Vec3 {
	return geom.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
}
