package lod

import (
	"image"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
)

// View is what a scheme needs to know of a camera.
type View struct {
	Eye     geom.Vec3    // world
	Frustum geom.Frustum // world; the zero value sees everything

	// ScreenScale is the size in pixels of one metre at one metre's distance:
	// viewport height ÷ (2·tan(fovY/2)). With Ortho it is pixels per metre at any
	// distance.
	ScreenScale float64
	Ortho       bool

	// MaxError is how far, in pixels, the drawn surface may lie above or below the
	// full one. 0 draws everything that is not exactly represented by less.
	MaxError float64

	// Chunks may be drawn; nil is all of them. It does not change any level.
	Chunks Mask
}

// allowed is the error in metres that v allows at a distance from the eye.
func (v *View) allowed(distance float64) float32 {
	if v.Ortho {
		return float32(v.MaxError / v.ScreenScale)
	}
	return float32(v.MaxError * distance / v.ScreenScale)
}

// Sides of a patch, as they index Patch.Edges.
const (
	Left   = iota // −X, the patch's first column
	Top           // −Z, its first row
	Right         // +X
	Bottom        // +Z
)

// MaxLevel is the coarsest level: a chunk's corners alone.
const MaxLevel = terrain.Levels - 1

// Patch is a rectangle of cells that is drawn as one grid of at most 64×64 quads.
type Patch struct {
	// Cells of the field: a square of 16·2ⁿ cells along an edge, aligned to its size;
	// fewer at the right and lower rim.
	Cells image.Rectangle
	// Level k draws every 2ᵏth sample.
	Level uint8
	// Edges are the levels that the left, top, right and bottom vertices are
	// snapped to: at least Level, and the same as on the other side.
	Edges [4]uint8
	// Morph is how far the patch is on its way to the next coarser level, 0–1, in
	// schemes that geomorph; others leave it 0.
	Morph float32
}

// Quads is the number of quads of the patch's grid along X and Z, at most 64.
func (p *Patch) Quads() (nx, nz int) {
	step := 1 << p.Level
	return (p.Cells.Dx() + step - 1) >> p.Level, (p.Cells.Dy() + step - 1) >> p.Level
}

// Scheme decides which patches make up the ground in a view. A scheme is not
// safe for concurrent use.
type Scheme interface {
	// Update takes the field to draw from now on. tiles are those that differ from
	// the field of the last call, as [terrain.Draft.Field] names them; nil, or a
	// field of another size, spacing or origin, means all.
	Update(f *terrain.Field, tiles []image.Point)
	// AppendPatches appends the patches that may be seen in v, nearer ones first on
	// the whole. Together with those out of sight they cover every cell once. A patch
	// of several chunks is appended if any of them may be drawn.
	AppendPatches(dst []Patch, v View) []Patch
}

// Snap is the rule that makes joints watertight. Vertex i of a patch's edge, cells
// samples long, in a patch of a level, goes to the sample that Snap gives, counted
// from the edge's first: the nearest of the multiples of 2^edge and the edge's last
// sample, and of two equally near ones the first. With edge = level the vertices
// stay. In the shader:
//
//	p    = min(i << level, cells)
//	down = p & ~((1 << edge) - 1)
//	up   = min(down + (1 << edge), cells)
//	snap = p - down <= up - p ? down : up
//
// The first vertex stays, the last vertex stays, and so do all that are coarse
// samples already, so vertices never pass each other.
func Snap(i, level, edge, cells int) int {
	p := min(i<<level, cells)
	down := p &^ (1<<edge - 1)
	up := min(down+1<<edge, cells)
	if p-down <= up-p {
		return down
	}
	return up
}
