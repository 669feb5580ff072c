package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
	"ridgeline/viewport/overlay"
)

// Why tells what became of one thing, and why.
type Why struct {
	ID      document.ID // 0 for a chunk of ground
	Title   string
	Verdict cull.Verdict
	Text    string // a sentence without its full stop
	Parts   int    // of how many things it consists, as scatters do
	Removed int    // how many of these were removed; the text is of one of them
}

// reason is what was found out of the subject last.
type reason struct {
	runs    int
	entry   int32
	ok      bool
	why     Why
	because cull.Reason
	named   *document.Level
}

// subject is the entry whose verdict the user wants to know: of the one thing that is
// selected, or the ground that was clicked.
func (c *Culling) subject() (entry int32, parts, removed int, ok bool) {
	sel := c.s.Selection()
	if len(sel) == 0 {
		if c.chunk < 0 || c.chunkRun != c.s.scene.Version() {
			return 0, 0, 0, false
		}
		if _, cut := c.report.Verdicts[c.chunk].Test(); cut {
			removed = 1
		}
		return c.chunk, 1, removed, true
	}
	slots := c.s.scene.Of(sel[0])
	if len(sel) != 1 || len(slots) == 0 {
		return 0, 0, 0, false
	}
	cols, rows := c.s.scene.ChunkGrid()
	entry = int32(cols*rows) + slots[0]
	for _, slot := range slots {
		e := int32(cols*rows) + slot
		if _, cut := c.report.Verdicts[e].Test(); cut {
			if removed++; removed == 1 {
				entry = e
			}
		}
	}
	return entry, len(slots), removed, true
}

// Why tells of the one thing that is selected, or of the ground that was clicked while
// its ghost was shown; ok is false when there is none.
func (c *Culling) Why() (w Why, ok bool) {
	r := &c.reason
	if !c.Fresh() {
		return r.why, r.ok && len(c.s.Selection()) == 1 && c.s.Selection()[0] == r.why.ID
	}
	entry, parts, removed, ok := c.subject()
	if !ok {
		r.ok = false
		return Why{}, false
	}
	if !r.ok || r.runs != c.runs || r.entry != entry || r.named != c.s.Level() {
		because := c.culler.Explain(entry)
		*r = reason{
			runs: c.runs, entry: entry, ok: true, because: because, named: c.s.Level(),
			why: Why{
				ID: c.idOf(entry), Title: c.titleOf(entry), Verdict: because.Verdict,
				Text: c.Sentence(&because), Parts: parts, Removed: removed,
			},
		}
	}
	return r.why, true
}

// viewSides are those of the view, as a frustum's planes are numbered.
var viewSides = [...]string{
	"beyond its left side", "beyond its right side", "below it", "above it", "nearer than it begins", "farther than it reaches",
}

// Sentence says why something was removed, without the full stop. The reason must be
// of the last run, and the level as it was then.
func (c *Culling) Sentence(r *cull.Reason) string {
	v := c.s.scene.Visibility()
	switch r.Verdict {
	case cull.Drawn:
		return "Drawn"
	case cull.ByFrustum:
		if r.Plane < 0 || r.Plane >= len(viewSides) {
			return "Outside the view: past a corner of it"
		}
		return "Outside the view: " + viewSides[r.Plane]
	case cull.ByBackface:
		return "Faces away"
	case cull.ByPortal:
		return c.unreached(r, v)
	case cull.ByTerrain:
		return fmt.Sprintf("Hidden by terrain at (%.1f, %.1f)", r.Ground[0], r.Ground[2])
	case cull.ByOccluder:
		return c.hidden(r, v)
	}
	return "Not looked at: it is hidden, or has no size"
}

func (c *Culling) hidden(r *cull.Reason, v *scene.Visibility) string {
	var names []string
	for _, o := range r.Occluders {
		if int(o) < len(v.Occluders) {
			names = append(names, nameIn(c.s.Level(), v.Occluders[o].ID))
		}
	}
	switch len(names) {
	case 0:
		return "Hidden by occluders"
	case 1:
		return "Hidden by occluder " + names[0]
	}
	return "Hidden by occluders " + listed(names) + " together"
}

// unreached tells of cells to which no line of sight leads.
func (c *Culling) unreached(r *cull.Reason, v *scene.Visibility) string {
	var cells []string
	for _, i := range r.Cells {
		if int(i) == portal.Outside {
			cells = append(cells, "outside")
		} else if int(i) < len(v.Cells) {
			cells = append(cells, nameIn(c.s.Level(), v.Cells[i].ID))
		}
	}
	text := "Its cell is not reached"
	switch len(cells) {
	case 0:
	case 1:
		text = "Its cell " + cells[0] + " is not reached"
	default:
		text = "Its cells " + listed(cells) + " are not reached"
	}
	var closed, oneWay []string
	for _, i := range r.Portals {
		if int(i) >= len(v.Portals) {
			continue
		}
		name := nameIn(c.s.Level(), v.Portals[i].ID)
		if v.Portals[i].State == portal.OneWay {
			oneWay = append(oneWay, name)
		} else {
			closed = append(closed, name)
		}
	}
	say := func(names []string, what string) string {
		if len(names) == 1 {
			return "portal " + names[0] + " is " + what
		}
		return "portals " + listed(names) + " are " + what
	}
	switch {
	case len(closed) > 0 && len(oneWay) > 0:
		return text + ": " + say(closed, "closed") + ", " + say(oneWay, "one-way")
	case len(closed) > 0:
		return text + ": " + say(closed, "closed")
	case len(oneWay) > 0:
		return text + ": " + say(oneWay, "one-way")
	}
	return text + ": no portal in sight leads there"
}

// maxListed is how many names a sentence has.
const maxListed = 4

// listed joins names: A, B and C. Of many the first are named and the others counted.
func listed(names []string) string {
	if n := len(names); n > maxListed {
		names = append(slices.Clone(names[:maxListed-1]), fmt.Sprintf("%d more", n-maxListed+1))
	}
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
}

// appendReason draws why the subject was removed: the line of sight to it and what it
// ends at.
func (c *Culling) appendReason(dst *overlay.Shapes) {
	w, ok := c.Why()
	test, removed := w.Verdict.Test()
	if !ok || !removed {
		return
	}
	r := &c.reason.because
	colour := TestColour(test)
	pen := overlay.Pen{Colour: colour, Width: 2, Depth: overlay.OnTop}
	box := c.s.scene.Tree().Box(int(c.reason.entry))
	dst.Box(box, overlay.Pen{Colour: colour, Width: 1.5, Depth: overlay.OnTop})
	if c.frozen && !c.view.Ortho {
		dst.Line(c.view.Eye, box.Center(), overlay.Pen{Colour: colour, Width: 1.5, Depth: overlay.Faint})
	}
	v := c.s.scene.Visibility()
	switch w.Verdict {
	case cull.ByTerrain:
		size := c.s.View.metres(r.Ground, markerSize)
		dst.Cross(r.Ground, size, pen)
		dst.Circle(r.Ground, mgl64.Vec3{0, 1, 0}, size, pen)
	case cull.ByOccluder:
		for _, o := range r.Occluders {
			if int(o) < len(v.Occluders) {
				c.appendShape(dst, &v.Occluders[o].Shape, pen, 0.14)
			}
		}
	case cull.ByPortal:
		for _, p := range r.Portals {
			if int(p) < len(v.Portals) {
				dst.Polyline(v.Portals[p].Polygon, true, pen)
				dst.Polygon(v.Portals[p].Polygon, pen.WithAlpha(0.25))
			}
		}
	}
}

// appendShape draws a hull or a polygon, its faces with some of the pen's opacity.
func (c *Culling) appendShape(dst *overlay.Shapes, s *cull.Shape, pen overlay.Pen, faces float64) {
	if s.Hull != nil {
		c.appendHull(dst, s.Hull, pen, faces)
		return
	}
	dst.Polyline(s.Polygon, true, pen)
	dst.Polyline(s.Hole, true, pen)
	if s.Hole == nil {
		dst.Polygon(s.Polygon, pen.WithAlpha(faces))
	}
}

func (c *Culling) appendHull(dst *overlay.Shapes, h *hull.Hull, pen overlay.Pen, faces float64) {
	c.edges = h.AppendEdges(c.edges[:0])
	for _, e := range c.edges {
		dst.Line(h.Vertices[e.From], h.Vertices[e.To], pen)
	}
	if pen = pen.WithAlpha(faces); faces == 0 {
		return
	}
	for _, f := range h.Faces {
		for i := 2; i < len(f); i++ {
			dst.Triangle(h.Vertices[f[0]], h.Vertices[f[i-1]], h.Vertices[f[i]], pen)
		}
	}
}

// appendLabels writes why the subject was removed above it.
func (c *Culling) appendLabels(dst *overlay.Shapes) {
	if !c.Fresh() {
		return
	}
	w, ok := c.Why()
	test, removed := w.Verdict.Test()
	if !ok || !removed {
		return
	}
	b := c.s.scene.Tree().Box(int(c.reason.entry))
	at := b.Center()
	at[1] = b.Max[1]
	dst.Label(at, w.Text, TestColour(test))
}

// ghostAt is the thing whose ghost a ray meets first; 0 where there is none.
func (c *Culling) ghostAt(ray geom.Ray) document.ID {
	if e, ok := c.GhostUnder(ray); ok {
		return c.idOf(e)
	}
	return 0
}

// clicked takes a click that selected nothing: it chooses the ghost under the pointer,
// whatever is drawn before it, or, unless the camera is frozen, goes to the spot of the
// heat map that was clicked. A
// second click on a thing, which left the selection as it was, chooses the ghost behind
// it.
func (c *Culling) clicked(ray geom.Ray, again bool) {
	c.chunk = -1
	if len(c.s.Selection()) > 0 {
		if id := c.ghostAt(ray); again && id != 0 {
			c.s.Run("select ids=" + idList([]document.ID{id}))
		}
		return
	}
	if e, ok := c.GhostUnder(ray); ok {
		if id := c.idOf(e); id != 0 {
			c.s.Run("select ids=" + idList([]document.ID{id}))
			return
		}
		c.chunk, c.chunkRun = e, c.s.scene.Version()
		c.s.View.touch()
		return
	}
	if c.Frozen() {
		return // clicks are for ghosts; one that missed must not take the view away
	}
	if hit, ok := c.s.scene.Pick(ray, nil); ok && hit.ID == 0 {
		c.visitHeat(hit.Point)
	}
}
