package session

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/occluders/portal"
	"ridgeline/viewport/overlay"
)

// reachColours are those of cells by how many portals away they are, the last for all
// further ones: none that a test has.
var reachColours = [...]color.NRGBA{
	{0xff, 0xf1, 0xa8, 0xff}, {0xff, 0xbf, 0xd2, 0xff}, {0xff, 0x85, 0xb4, 0xff}, {0xe2, 0x4c, 0x9c, 0xff}, {0xa8, 0x22, 0x6c, 0xff},
}

// UnreachedColour is that of cells to which no line of sight leads.
var UnreachedColour = color.NRGBA{0x88, 0x8e, 0x99, 0xff}

// ReachColours is how many colours there are for cells that are reached.
const ReachColours = len(reachColours)

// ReachColour is the colour of cells so many portals away.
func ReachColour(depth int) color.NRGBA {
	return reachColours[min(max(depth, 0), len(reachColours)-1)]
}

// windows are the cones through which cells were seen.
type windows struct {
	list []portal.Window
	ends []mgl64.Vec3 // of one of them
}

// cellTint is how opaque the faces of cells are.
const cellTint = 0.16

// appendPortals draws the cells in the colour of how many portals away they are, and
// the cones of light that portals let into them.
func (c *Culling) appendPortals(dst *overlay.Shapes) {
	v := c.s.scene.Visibility()
	for i := range v.Cells {
		cell := &v.Cells[i]
		if cell.Hidden {
			continue
		}
		pen := overlay.Pen{Colour: UnreachedColour, Width: 1, Depth: overlay.Faint}
		if depth, ok := c.culler.Depth(i); ok {
			pen.Colour, pen.Width = ReachColour(depth), 1.5
		}
		for _, h := range cell.Pieces {
			tint := cellTint
			if h.Contains(c.s.View.Rig.Eye, c.s.View.Rig.Near) {
				tint = 0 // it would lie over all that is seen
			}
			c.appendHull(dst, h, pen, tint)
		}
	}
	c.windows.list = c.culler.Windows(c.windows.list[:0])
	for i := range c.windows.list {
		c.appendWindow(dst, &c.windows.list[i])
	}
	for i := range v.Portals {
		p := &v.Portals[i]
		if p.State != portal.Open && !p.Hidden {
			dst.Polyline(p.Polygon, true, overlay.Pen{Colour: UnreachedColour, Width: 2.5, Depth: overlay.Faint})
		}
	}
}

// appendWindow draws the cone of a window: from the eye to what of the portal shows,
// and on to where it leaves the cell.
func (c *Culling) appendWindow(dst *overlay.Shapes, w *portal.Window) {
	if len(w.Corners) < 3 {
		return
	}
	pen := overlay.Pen{Colour: ReachColour(int(w.Depth)), Width: 2, Depth: overlay.Faint}
	dst.Polyline(w.Corners, true, pen)
	if c.view.Ortho {
		return
	}
	pen.Width = 1
	ends := c.windows.ends[:0]
	for _, p := range w.Corners {
		if c.frozen {
			dst.Line(c.view.Eye, p, pen.WithAlpha(0.5))
		}
		end := c.endIn(int(w.Cell), geom.Ray{Origin: c.view.Eye, Dir: p.Sub(c.view.Eye)})
		dst.Line(p, end, pen)
		ends = append(ends, end)
	}
	c.windows.ends = ends
	dst.Polyline(ends, true, pen)
	for i := range ends {
		k := (i + 1) % len(ends)
		dst.Quad(w.Corners[i], w.Corners[k], ends[k], ends[i], pen.WithAlpha(0.08))
	}
}

// endIn is where a ray whose portal is at 1 leaves a cell; not far beyond it in the
// cell outside.
func (c *Culling) endIn(cell int, r geom.Ray) mgl64.Vec3 {
	v := c.s.scene.Visibility()
	if cell < 0 || cell >= len(v.Cells) {
		return r.At(1.5)
	}
	end := 1.0
	for _, h := range v.Cells[cell].Pieces {
		if _, leave, ok := h.Ray(r); ok {
			end = max(end, leave)
		}
	}
	return r.At(end)
}
