package session

import (
	"fmt"
	"image"
	"image/color"
	"strconv"
	"time"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/overlay"
)

// Culling decides what of the level is drawn, and keeps what is known of why. What it
// tells is of the last run; when the level has changed since, it tells nothing of
// single entries until the next.
type Culling struct {
	// Clock tells the time that tests take; nil is the machine's.
	Clock func() time.Duration

	s      *Session
	culler cull.Culler
	report *cull.Report

	// view is the one that was culled for last, and frustum what it sees.
	view    cull.View
	size    image.Point
	frustum geom.Frustum
	frozen  bool
	before  [2]bool // whether the overlays that freezing shows were shown before

	ran      runKey // of the last run
	rested   bool   // that run was for the view of the one before
	runs     int
	history  history
	reason   reason
	ranks    ranks
	check    check
	heat     heatState
	boxes    []int32
	windows  windows
	ghostly  []int32
	edges    []hull.Edge
	chunk    int32 // the chunk of ground that was clicked; −1 for none
	chunkRun int   // version of the scene that it is of
}

// runKey tells runs apart that may come out differently.
type runKey struct {
	view    cull.View
	size    image.Point
	version int // of the scene
	tests   cull.Tests
}

// verdictColours are those in which the editor shows what a test removed.
var verdictColours = [cull.NumTests]color.NRGBA{
	cull.Frustum:  {0xa4, 0xaa, 0xb6, 0xff},
	cull.Backface: {0xa9, 0x7b, 0xee, 0xff},
	cull.Portal:   {0x4e, 0x9a, 0xf7, 0xff},
	cull.Terrain:  {0x3f, 0xd0, 0x7d, 0xff},
	cull.Occluder: {0xf7, 0x96, 0x3a, 0xff},
}

// FalseColour is that of what was removed although it can be seen.
var FalseColour = color.NRGBA{0xf0, 0x3c, 0x3c, 0xff}

// TestColour is the colour in which the editor shows what a test removed.
func TestColour(t cull.Test) color.NRGBA { return verdictColours[t] }

// frozenOverlays are those that freezing shows.
var frozenOverlays = [...]string{"overlay frustum", "overlay ghosts"}

// Tests are those that are switched on.
func (c *Culling) Tests() cull.Tests { return cull.All &^ c.s.Env.View.Off }

// Frozen reports whether the culling camera stands still while the user flies on.
func (c *Culling) Frozen() bool { return c.frozen }

// Freeze has the culling camera stand still where the view is, with its frustum and
// ghosts of what it culled shown; or follow the view again.
func (c *Culling) Freeze(on bool) {
	if on == c.frozen {
		return
	}
	if on {
		c.look()
		for i, name := range frozenOverlays {
			c.before[i] = c.s.Shown(name)
			c.s.Show(name, true)
		}
	} else {
		for i, name := range frozenOverlays {
			c.s.Show(name, c.before[i])
		}
	}
	c.frozen = on
	c.s.View.touch()
}

// look culls for the camera where it is now.
func (c *Culling) look() {
	v := &c.s.View
	v.refresh(c.s)
	c.run(cull.ViewOf(v.Rig.Eye, v.Rig.ViewProj(v.sizeVec())), v.size)
}

// reset forgets everything of a level that is gone.
func (c *Culling) reset() {
	c.Freeze(false)
	c.report, c.ran, c.rested, c.chunk = nil, runKey{}, false, -1
	c.history.reset()
	c.reason, c.ranks = reason{}, ranks{counts: c.ranks.counts[:0]}
	c.check = check{idle: c.check.idle}
	c.dropHeat()
}

// Run culls for a view whose picture has size pixels, or for the frozen one, and
// gives what came of it with the frustum that it is of. Both are valid until the next
// run.
func (c *Culling) Run(v cull.View, size image.Point) (*cull.Report, *geom.Frustum) {
	c.run(v, size)
	c.history.add(c.report, c.Tests())
	return c.report, &c.frustum
}

func (c *Culling) run(v cull.View, size image.Point) {
	if !c.frozen {
		// A GPU moves what it draws by parts of a pixel, too.
		v.Slack = v.PixelSlack(c.s.Settings.View.MaxError+1.0/64, size.Y)
		c.view, c.size, c.frustum = v, size, v.Frustum()
	}
	c.culler.Clock = c.Clock
	c.report = c.s.scene.Cull(&c.culler, c.view, c.size, c.Tests())
	ran := runKey{c.view, c.size, c.s.scene.Version(), c.Tests()}
	c.rested = ran == c.ran
	c.ran = ran
	c.runs++
}

// Report is what came of the last run; nil before the first. Its entries are those of
// the scene as it was then, see Fresh.
func (c *Culling) Report() *cull.Report { return c.report }

// Fresh reports whether the last run was of the scene as it is now.
func (c *Culling) Fresh() bool {
	return c.report != nil && c.ran.version == c.s.scene.Version()
}

// Awaits reports whether the picture that comes next will be of something else than
// the last run was, so that what is told of it will change.
func (c *Culling) Awaits() bool { return c.s.View.dirty || !c.Fresh() || c.CheckDue() }

// View is the view that was culled for, and the size of its picture.
func (c *Culling) View() (cull.View, image.Point) { return c.view, c.size }

// Explain tells why an entry of the scene's tree has its verdict.
func (c *Culling) Explain(entry int32) cull.Reason { return c.culler.Explain(entry) }

// Judge compares the last run with what can be seen.
func (c *Culling) Judge(seen func(entry int32) bool) cull.Judgement { return c.culler.Judge(seen) }

// NameOf gives what is shown of an entry of the scene's tree: its id, with # and a
// number for a point of a scatter, or tile:x,y; and its name.
func (c *Culling) NameOf(entry int32) (id, name string) {
	chunk, slot, isChunk := c.s.scene.Entry(entry)
	if isChunk {
		id = fmt.Sprintf("tile:%d,%d", chunk.X, chunk.Y)
		return id, "Ground " + id[len("tile:"):]
	}
	it := &c.s.scene.Items()[slot]
	id = strconv.FormatUint(uint64(it.ID), 10)
	if it.Point >= 0 {
		id += "#" + strconv.Itoa(it.Point)
	}
	if e, ok := c.s.Level().Entity(it.ID); ok {
		name = e.Name
	}
	return id, name
}

// idOf is the entity of an entry; 0 for ground.
func (c *Culling) idOf(entry int32) document.ID {
	_, slot, isChunk := c.s.scene.Entry(entry)
	if isChunk {
		return 0
	}
	return c.s.scene.Items()[slot].ID
}

// titleOf is what an entry is called in sentences.
func (c *Culling) titleOf(entry int32) string {
	chunk, slot, isChunk := c.s.scene.Entry(entry)
	if isChunk {
		return fmt.Sprintf("Ground %d, %d", chunk.X, chunk.Y)
	}
	return nameIn(c.s.Level(), c.s.scene.Items()[slot].ID)
}

// append draws what belongs to culling over the level, as seen in a frustum.
func (c *Culling) append(dst *overlay.Shapes, f *geom.Frustum) {
	if !c.Fresh() {
		return
	}
	if c.s.Shown("overlay portalview") {
		c.appendPortals(dst)
	}
	if c.s.Shown("overlay occludees") {
		c.appendOccludees(dst, f)
	}
	if c.frozen && c.s.Shown("overlay frustum") {
		c.appendFrustum(dst)
	}
	c.appendReason(dst)
}
