package problems

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// What is looked from.
const (
	fieldOfView = math.Pi / 3
	aspect      = 16.0 / 9
	nearPlane   = 0.1
	eyeHeight   = 1.7 // metres above the ground
	groundGrid  = 4   // places along each side of the ground, looked from all around
	ringEyes    = 8   // around an occluder, on each of two rings
	pixelSlack  = 1   // pixels by which the drawn ground may be off
)

// pictureSize is the size of the pictures for which is measured.
var pictureSize = image.Pt(1280, 720)

// viewAt is a view from one place to another.
func viewAt(c document.Camera, far float64) cull.View {
	dir := c.Look.Sub(c.Eye)
	up := mgl64.Vec3{0, 1, 0}
	if n := dir.Normalize(); math.Abs(n[1]) > 0.999 {
		up = mgl64.Vec3{0, 0, -1}
	}
	v := cull.ViewOf(c.Eye, mgl64.Perspective(fieldOfView, aspect, nearPlane, far).Mul4(mgl64.LookAtV(mgl64.Vec3{}, dir, up)))
	v.Slack = v.PixelSlack(pixelSlack, pictureSize.Y)
	return v
}

// farOf is a distance from which all of the level is seen.
func farOf(s *scene.Scene) float64 {
	b := s.Bounds()
	if b.IsEmpty() {
		return 1000
	}
	return max(1000, 4*b.Size().Len())
}

// ownCameras are the cameras of a level: its bookmarks, and where it is opened.
func ownCameras(l *document.Level) []document.Camera {
	var out []document.Camera
	for _, name := range slices.Sorted(maps.Keys(l.Settings.Bookmarks)) {
		out = append(out, l.Settings.Bookmarks[name])
	}
	return append(out, l.Settings.Camera)
}

// usable drops cameras that look nowhere.
func usable(list []document.Camera) []document.Camera {
	return slices.DeleteFunc(list, func(c document.Camera) bool {
		return !c.IsSet() || c.Validate() != nil || !document.InReach(c.Eye[:]...) || !document.InReach(c.Look[:]...)
	})
}

// mostTogether bounds what looking at occluders together may cost: pictures times the
// occluders of each and some for the picture itself.
const (
	mostTogether = 2_000_000
	perPicture   = 1000
)

// useless culls from many places and tells of occluders that never removed anything:
// from the cameras and places of the level all together, from around each occluder it
// alone, and then those that are left with all others.
func (f *finder) useless() {
	left := map[int]bool{}
	for i := range f.v.Occluders {
		if f.v.Occluders[i].Hides() {
			left[i] = true
		}
	}
	if len(left) == 0 {
		return
	}
	f.s.Complete()
	far := farOf(f.s)
	var c cull.Culler
	var counts []int
	budget := mostTogether
	look := func(at document.Camera) (tried bool) {
		if budget -= perPicture + len(f.v.Occluders); budget < 0 {
			return false
		}
		r := f.s.Cull(&c, viewAt(at, far), pictureSize, cull.All)
		if r.Stats[cull.Occluder].Removed == 0 {
			return true
		}
		counts = c.Hides(counts)
		for i := range left {
			if counts[i] > 0 {
				delete(left, i)
			}
		}
		return true
	}
	done := func() bool { return f.ctx.Err() != nil || len(left) == 0 }
	for _, at := range usable(append(ownCameras(f.l), f.options.Cameras...)) {
		if !done() {
			look(at)
		}
	}
	for _, eye := range f.places() {
		for k := range 4 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 2)
			if !done() {
				look(document.Camera{Eye: eye, Look: eye.Add(mgl64.Vec3{10 * sin, -1, 10 * cos})})
			}
		}
	}
	alone := f.alone(far)
	for _, i := range slices.Sorted(maps.Keys(left)) {
		for _, at := range f.ring(f.v.Occluders[i].Box) {
			if done() {
				break
			}
			if alone(i, at) {
				delete(left, i)
				break
			}
		}
	}
	var untried []document.ID
	for _, i := range slices.Sorted(maps.Keys(left)) {
		for _, at := range f.ring(f.v.Occluders[i].Box) {
			if left[i] && !done() && !look(at) {
				untried = append(untried, f.v.Occluders[i].ID)
				delete(left, i)
			}
		}
	}
	for i := range f.v.Occluders { // from around the others, as far as that goes
		for _, at := range f.ring(f.v.Occluders[i].Box) {
			if !left[i] && !done() && budget > 0 {
				look(at)
			}
		}
	}
	if f.ctx.Err() != nil {
		return
	}
	if n := len(untried); n > 0 {
		f.add(Problem{
			Kind: Useless, Severity: Note, Entities: untried, At: f.v.Occluders[0].Box.Center(),
			Text: fmt.Sprintf(textUntried, n),
		})
	}
	for _, i := range slices.Sorted(maps.Keys(left)) {
		o := &f.v.Occluders[i]
		p := Problem{
			Kind: Useless, Severity: Note, Entities: []document.ID{o.ID}, At: o.Box.Center(),
			Text: fmt.Sprintf(textUseless, f.subject(o.ID)),
		}
		if e, ok := f.l.Entity(o.ID); ok && e.Kind == document.KindOccluder {
			p.Fix = deleteFix(o.ID)
		}
		f.add(p)
	}
}

// alone gives a function that reports whether one occluder without the others removes
// anything from a place that no other test removes.
func (f *finder) alone(far float64) func(i int, at document.Camera) bool {
	var c cull.Culler
	s := f.v.Scene
	s.Occluders = make([]cull.Shape, 1)
	return func(i int, at document.Camera) bool {
		s.Occluders[0] = f.v.Scene.Occluders[i]
		v := viewAt(at, far)
		if c.Run(&s, v, pictureSize, cull.Only(cull.Frustum, cull.Occluder)).Stats[cull.Occluder].Removed == 0 {
			return false
		}
		return c.Run(&s, v, pictureSize, cull.All).Stats[cull.Occluder].Removed > 0
	}
}

// ring looks at a box from around it, near by and farther away, from the ground where
// there is one.
func (f *finder) ring(b geom.Box) []document.Camera {
	size := b.Size()
	center := b.Center()
	var out []document.Camera
	for _, far := range [...]float64{1, 4} {
		radius := far * max(size[0], size[1], size[2], 2)
		for k := range ringEyes {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / ringEyes)
			eye := center.Add(mgl64.Vec3{radius * cos, 0, radius * sin})
			if y, ok := f.l.Terrain.Height(eye[0], eye[2]); ok {
				eye[1] = y + eyeHeight
			}
			out = append(out, document.Camera{Eye: eye, Look: center})
		}
	}
	return usable(out)
}

// places are the markers of the level and a grid on the ground.
func (f *finder) places() []mgl64.Vec3 {
	var out []mgl64.Vec3
	for e := range f.l.Entities() {
		if d, ok := e.Data.(document.Marker); ok && len(d.Points) > 0 && len(out) < maxMarkers {
			world, _ := f.l.World(e.ID)
			p := mgl64.TransformCoordinate(d.Points[0], world)
			if document.InReach(p[:]...) {
				out = append(out, p.Add(mgl64.Vec3{0, eyeHeight, 0}))
			}
		}
	}
	if !f.l.HasTerrain() {
		return out
	}
	b := f.s.Bounds()
	for z := range groundGrid {
		for x := range groundGrid {
			p := b.Min
			p[0] += b.Size()[0] * (float64(x) + 0.5) / groundGrid
			p[2] += b.Size()[2] * (float64(z) + 0.5) / groundGrid
			if y, ok := f.l.Terrain.Height(p[0], p[2]); ok {
				p[1] = y + eyeHeight
				out = append(out, p)
			}
		}
	}
	return out
}

// maxMarkers bounds the markers that are looked from.
const maxMarkers = 64
