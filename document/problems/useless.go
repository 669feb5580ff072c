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

// effort bounds what looking for useless occluders may cost.
type effort struct {
	together int // pictures with all occluders, times their number and some for the picture itself
	alone    int // pictures with one of them
}

// mostEffort takes some ten seconds.
var mostEffort = effort{together: 2_000_000, alone: 200_000}

// perPicture is what a picture costs besides its occluders, in occluders.
const perPicture = 1000

// useless tells of occluders that never remove anything.
//
// An occluder is of use from a place if it removes something there that no other test
// removes: by itself, as if there were no other occluder, or as one of those that hide
// it together, none of which can be spared (scanline.Buffer.AppendHiders). So of two
// that hide the same both are of use, and neither is told of: which of them is one too
// many is not for us to say, and to delete both would have more drawn. Of what is told
// all can be deleted at once, and nothing more is drawn from any place that was looked
// from: what is hidden there is hidden by others, none of which is told of.
//
// It looks from the cameras and places of the level and from around each occluder, with
// all occluders and with each one by itself. Those that it has no time for are told of
// as such, together.
func (f *finder) useless() {
	u := &search{f: f, far: farOf(f.s), left: map[int]bool{}, untried: map[int]bool{}, effort: f.effort, from: map[spot]bool{}}
	for i := range f.v.Occluders {
		if f.v.Occluders[i].Hides() {
			u.left[i] = true
		}
	}
	if len(u.left) == 0 {
		return
	}
	f.s.Complete()
	fixed := usable(append(ownCameras(f.l), f.options.Cameras...))
	for _, eye := range f.places() {
		for k := range 4 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 2)
			fixed = append(fixed, document.Camera{Eye: eye, Look: eye.Add(mgl64.Vec3{10 * sin, -1, 10 * cos})})
		}
	}
	for _, at := range fixed {
		u.together(at)
	}
	u.alone(fixed)
	for _, i := range slices.Sorted(maps.Keys(u.left)) {
		for _, at := range f.ring(f.v.Occluders[i].Box) {
			if u.left[i] {
				u.around(at)
			}
		}
		if u.left[i] && u.effort.together < 0 {
			u.skip(i) // one of its places was left out, or one of those of all
		}
	}
	for i := range f.v.Occluders { // from around the others, as far as that goes
		for _, at := range f.ring(f.v.Occluders[i].Box) {
			if !u.left[i] && !u.done() {
				u.around(at)
			}
		}
	}
	if f.ctx.Err() != nil {
		return
	}
	f.tellUseless(slices.Sorted(maps.Keys(u.left)), slices.Sorted(maps.Keys(u.untried)))
}

// tellUseless tells of occluders that are of no use, and of those that were not tried.
func (f *finder) tellUseless(list, untried []int) {
	if n := len(untried); n > 0 {
		p := Problem{Kind: Useless, Severity: Note, At: f.v.Occluders[untried[0]].Box.Center(), Text: fmt.Sprintf(textUntried, n)}
		for _, i := range untried {
			p.Entities = append(p.Entities, f.v.Occluders[i].ID)
		}
		if n == 1 {
			p.Text = fmt.Sprintf(textUntriedOne, f.subject(p.Entities[0]))
		}
		f.add(p)
	}
	for _, i := range list {
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

// search is a search for useless occluders.
type search struct {
	f             *finder
	far           float64
	left, untried map[int]bool // those that were of no use yet, and those of them for which there is no time
	effort        effort       // that is left
	from          map[spot]bool
	culler        cull.Culler
	counts        []int
}

func (u *search) skip(i int) {
	u.untried[i] = true
	delete(u.left, i)
}

// spot is about where a camera is and looks to.
type spot struct {
	size      int
	eye, look [3]float64
}

// spotOf is the same for cameras that are closer to each other than a tenth of how far
// they look: occluders that stand side by side are looked at from around once.
func spotOf(c document.Camera) spot {
	s := spot{size: math.Ilogb(c.Look.Sub(c.Eye).Len())}
	for a := range 3 {
		s.eye[a] = math.Round(math.Ldexp(c.Eye[a], 3-s.size))
		s.look[a] = math.Round(math.Ldexp(c.Look[a], 3-s.size))
	}
	return s
}

func (u *search) done() bool { return u.f.ctx.Err() != nil || len(u.left) == 0 }

// together culls with all occluders and notes which took part, if that is not too much.
func (u *search) together(at document.Camera) {
	if u.done() || u.effort.together < 0 {
		return
	}
	if u.effort.together -= perPicture + len(u.f.v.Occluders); u.effort.together < 0 {
		return
	}
	r := u.f.s.Cull(&u.culler, viewAt(at, u.far), pictureSize, cull.All)
	if r.Stats[cull.Occluder].Removed == 0 {
		return
	}
	u.counts = u.culler.Hides(u.counts)
	for i, n := range u.counts {
		if n > 0 {
			delete(u.left, i)
			delete(u.untried, i)
		}
	}
}

// around does so from around an occluder, unless it was done from about there.
func (u *search) around(at document.Camera) {
	if spot := spotOf(at); !u.from[spot] {
		u.from[spot] = true
		u.together(at)
	}
}

// alone culls with one occluder at a time, from around it and from fixed places where it
// is in sight.
func (u *search) alone(fixed []document.Camera) {
	s := u.f.v.Scene
	s.Occluders = make([]cull.Shape, 1)
	views := make([]cull.View, len(fixed))
	frusta := make([]geom.Frustum, len(fixed))
	for k, at := range fixed {
		views[k] = viewAt(at, u.far)
		frusta[k] = views[k].Frustum()
	}
	hides := func(v cull.View) bool {
		u.effort.alone--
		if u.culler.Run(&s, v, pictureSize, cull.Only(cull.Frustum, cull.Occluder)).Stats[cull.Occluder].Removed == 0 {
			return false
		}
		return u.culler.Run(&s, v, pictureSize, cull.All).Stats[cull.Occluder].Removed > 0
	}
	try := func(o *scene.Occluder) (useful, tried bool) {
		for _, at := range u.f.ring(o.Box) {
			if u.effort.alone <= 0 {
				return false, false
			}
			if hides(viewAt(at, u.far)) {
				return true, true
			}
		}
		for k := range views {
			if frusta[k].Box(o.Box) == geom.Outside {
				continue
			}
			if u.effort.alone <= 0 {
				return false, false
			}
			if hides(views[k]) {
				return true, true
			}
		}
		return false, true
	}
	for _, i := range slices.Sorted(maps.Keys(u.left)) {
		if u.done() {
			return
		}
		o := &u.f.v.Occluders[i]
		s.Occluders[0] = u.f.v.Scene.Occluders[i]
		switch useful, tried := try(o); {
		case useful:
			delete(u.left, i)
		case !tried:
			u.skip(i)
		}
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
