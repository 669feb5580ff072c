package session

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/viewport/overlay"
)

// Ghost is an entry that was culled, and is shown all the same.
type Ghost struct {
	Entry  int32 // of the scene's tree
	Colour color.NRGBA
}

// ghostAlpha is how opaque ghosts are.
const ghostAlpha = 0x78

// AppendGhosts appends what the last run removed and can be seen in a frustum, in the
// colour of the test that removed it; in red, what it should not have removed. Without
// the overlay there are none.
func (c *Culling) AppendGhosts(dst []Ghost, f *geom.Frustum) []Ghost {
	if !c.Fresh() || !c.s.Shown("overlay ghosts") {
		return dst
	}
	c.ghostly = c.s.scene.Tree().AppendVisible(c.ghostly[:0], f)
	for _, e := range c.ghostly {
		t, removed := c.report.Verdicts[e].Test()
		if !removed || !c.frozen && t == cull.Frustum {
			continue
		}
		colour := TestColour(t)
		if c.isFalse(e) {
			colour = FalseColour
		}
		colour.A = ghostAlpha
		dst = append(dst, Ghost{e, colour})
	}
	return dst
}

// GhostUnder is the ghost that a ray meets first, whatever is drawn before it.
func (c *Culling) GhostUnder(r geom.Ray) (entry int32, ok bool) {
	if !c.Fresh() || !c.s.Shown("overlay ghosts") {
		return 0, false
	}
	s := c.s.scene
	items := s.Items()
	cols, rows := s.ChunkGrid()
	removed := func(entry int32) bool {
		t, removed := c.report.Verdicts[entry].Test()
		return removed && (c.frozen || t != cull.Frustum)
	}
	ground, hit := s.Level().Terrain.Raycast(r)
	far := 1e12
	if hit {
		if e, in := c.chunkAt(ground.Point); in && removed(e) {
			entry, ok, far = e, true, ground.T
		}
	}
	s.Tree().Walk(r, far, func(e int, _ float64) float64 {
		if e < cols*rows || !removed(int32(e)) {
			return far
		}
		if h, hit := items[e-cols*rows].Raycast(r, far); hit {
			entry, ok, far = int32(e), true, h.Distance
		}
		return far
	})
	return entry, ok
}

// chunkAt is the entry of the ground at a place of the map.
func (c *Culling) chunkAt(p mgl64.Vec3) (entry int32, ok bool) {
	f := c.s.Level().Terrain
	ox, oz := f.Origin()
	cols, rows := c.s.scene.ChunkGrid()
	w, d := f.Extent()
	x, z := p[0]-ox, p[2]-oz
	if !(x >= 0 && z >= 0 && x <= w && z <= d) || cols*rows == 0 {
		return 0, false
	}
	chunk := terrain.TileSize * f.Spacing()
	cx, cz := min(int(x/chunk), cols-1), min(int(z/chunk), rows-1)
	return int32(cz*cols + cx), true
}

// The colours of the frozen camera, and of boxes that are tested against occluders
// and were not removed.
var (
	frustumColour  = color.NRGBA{0xf4, 0xf6, 0xfa, 0xff}
	occludeeColour = color.NRGBA{0xc4, 0xd2, 0xe8, 0xc0}
)

// appendFrustum draws the camera that is culled for: its edges, its near and far face,
// and its eye.
func (c *Culling) appendFrustum(dst *overlay.Shapes) {
	v := &c.view
	if v.ViewProj.Det() == 0 {
		return
	}
	pen := overlay.Pen{Colour: frustumColour, Width: 1.5, Depth: overlay.Faint}
	dst.Frustum(v.Eye, v.ViewProj, pen)
	m := mgl64.Translate3D(v.Eye[0], v.Eye[1], v.Eye[2]).Mul4(v.ViewProj.Inv())
	for _, face := range [...]struct{ z, alpha float64 }{{-1, 0.35}, {1, 0.03}} {
		var q [4]mgl64.Vec3
		for i, at := range [...][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			q[i] = mgl64.TransformCoordinate(mgl64.Vec3{at[0], at[1], face.z}, m)
			if face.z < 0 && !v.Ortho {
				dst.Line(v.Eye, q[i], pen)
			}
		}
		dst.Quad(q[0], q[1], q[2], q[3], pen.WithAlpha(face.alpha))
	}
	dst.Sphere(v.Eye, c.s.View.metres(v.Eye, eyeSize), overlay.Pen{Colour: accentColour, Width: 2, Depth: overlay.OnTop})
}

// eyeSize is the radius of the sign for the frozen eye, in dp.
const eyeSize = 7

// maxOccludees bounds the boxes that are drawn in one picture.
const maxOccludees = 10000

// appendOccludees draws the boxes that were tested against occluders, of things and
// not of ground: those that were removed in the test's colour.
func (c *Culling) appendOccludees(dst *overlay.Shapes, f *geom.Frustum) {
	tree := c.s.scene.Tree()
	c.boxes = tree.AppendVisible(c.boxes[:0], f)
	cols, rows := c.s.scene.ChunkGrid()
	n := 0
	for _, e := range c.boxes {
		if int(e) < cols*rows {
			continue
		}
		pen := overlay.Pen{Width: 1, Depth: overlay.Faint}
		switch c.report.Verdicts[e] {
		case cull.Drawn:
			pen.Colour = occludeeColour
		case cull.ByOccluder:
			pen.Colour, pen.Depth = TestColour(cull.Occluder), overlay.OnTop
		default:
			continue
		}
		if n++; n > maxOccludees {
			return
		}
		dst.Box(tree.Box(int(e)), pen)
	}
}
