package session

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/viewport/camera"
)

// Heat is how many triangles are drawn from each place of a level: from the eye of
// somebody who stands there, in the direction of the four in which it is most.
type Heat struct {
	Min, Max   mgl64.Vec2 // x and z of the corners of the ground, world metres
	Cols, Rows int        // eyes stand in the middles of so many parts
	Triangles  []int      // of each, row by row; −1 where there is no ground
	Worst      []uint8    // the direction: 0 looks along −Z, and each further one more to the right
	Least      int        // of all
	Most       int
	Level      *document.Level
}

const (
	heatEye  = 1.7  // metres above the ground
	heatView = 1024 // pixels each way of the picture that the ground's detail is chosen for

	heatUsual = 32      // parts along the longer side, unless a step is told
	maxHeat   = 1 << 16 // parts
)

var errNoGround = errors.New("the level has no ground to stand on")

// At is where the eye of a part stands, on the ground of the level.
func (h *Heat) At(i int) (eye mgl64.Vec3, ok bool) {
	x := h.Min[0] + (float64(i%h.Cols)+0.5)/float64(h.Cols)*(h.Max[0]-h.Min[0])
	z := h.Min[1] + (float64(i/h.Cols)+0.5)/float64(h.Rows)*(h.Max[1]-h.Min[1])
	y, ok := h.Level.Terrain.Height(x, z)
	return mgl64.Vec3{x, y + heatEye, z}, ok
}

// Share is a part's place between least and most, 0–1; NaN where there is no ground.
func (h *Heat) Share(i int) float32 {
	n := h.Triangles[i]
	switch {
	case n < 0:
		return float32(math.NaN())
	case h.Most == h.Least:
		return 0
	}
	return float32(float64(n-h.Least) / float64(h.Most-h.Least))
}

// heatDirections are those in which somebody looks.
var heatDirections = [...]mgl64.Vec3{{0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}}

// heatCamera is somebody at a place.
func heatCamera(eye mgl64.Vec3, direction int, bounds geom.Box) camera.Camera {
	c := camera.Look(eye, eye.Add(heatDirections[direction]))
	c.FovY = math.Pi / 2
	c.FitDepth(bounds, heatEye)
	return c
}

// newHeat divides a level's ground into parts of a size in metres; 0 is the usual one.
func newHeat(l *document.Level, step float64) (*Heat, error) {
	if !l.HasTerrain() {
		return nil, errNoGround
	}
	w, d := l.Terrain.Extent()
	ox, oz := l.Terrain.Origin()
	if step == 0 {
		step = max(w, d) / heatUsual
	}
	cols, rows := max(1, math.Ceil(w/step-1e-9)), max(1, math.Ceil(d/step-1e-9))
	if !(cols*rows <= maxHeat) {
		return nil, fmt.Errorf("step: %g m gives %.0f×%.0f places, expected %d or fewer; take %g m or more",
			step, cols, rows, maxHeat, math.Ceil(math.Sqrt(w*d/maxHeat)))
	}
	h := &Heat{Min: mgl64.Vec2{ox, oz}, Max: mgl64.Vec2{ox + w, oz + d}, Cols: int(cols), Rows: int(rows), Level: l}
	h.Triangles, h.Worst = make([]int, h.Cols*h.Rows), make([]uint8, h.Cols*h.Rows)
	return h, nil
}

// fill counts for all parts, in a scene of its own.
func (h *Heat) fill(ctx context.Context, lib scene.Library, tests cull.Tests, maxError float64, progress func(float64)) error {
	s := scene.New(lib)
	s.Update(h.Level, nil)
	s.Complete()
	bounds := s.Bounds()
	var c cull.Culler
	h.Least, h.Most = math.MaxInt, 0
	for i := range h.Triangles {
		if err := ctx.Err(); err != nil {
			return err
		}
		eye, ok := h.At(i)
		if !ok {
			h.Triangles[i] = -1
			continue
		}
		for d := range heatDirections {
			cam := heatCamera(eye, d, bounds)
			if n := trianglesFrom(s, &c, &cam, tests, maxError); n > h.Triangles[i] || d == 0 {
				h.Triangles[i], h.Worst[i] = n, uint8(d)
			}
		}
		h.Least, h.Most = min(h.Least, h.Triangles[i]), max(h.Most, h.Triangles[i])
		progress(float64(i+1) / float64(len(h.Triangles)))
	}
	h.Least = min(h.Least, h.Most) // there may be holes alone
	return nil
}

// trianglesFrom counts what is drawn in one view.
func trianglesFrom(s *scene.Scene, c *cull.Culler, cam *camera.Camera, tests cull.Tests, maxError float64) int {
	v := cull.ViewOf(cam.Eye, cam.ViewProj(mgl64.Vec2{heatView, heatView}))
	v.Slack = v.PixelSlack(maxError, heatView)
	r := s.Cull(c, v, image.Pt(heatView, heatView), tests)
	scale := cam.ScreenScale(heatView)
	n := 0
	for _, e := range r.Drawn {
		chunk, slot, isChunk := s.Entry(e)
		if isChunk {
			n += chunkTriangles(s.Level().Terrain, chunk, cam.Eye, maxError, scale)
			continue
		}
		it := &s.Items()[slot]
		if it.Billboard > 0 && it.Box.DistanceTo(cam.Eye) > it.Billboard {
			n += 2
			continue
		}
		n += len(it.Model.Indices) / 3
	}
	return n
}

// chunkTriangles is how many triangles a chunk has at the coarsest level that is right
// to within maxError pixels, with scale pixels for a metre at a metre's distance.
func chunkTriangles(f *terrain.Field, chunk image.Point, eye mgl64.Vec3, maxError, scale float64) int {
	c := f.Chunk(chunk.X, chunk.Y)
	allowed := maxError * f.ChunkBox(chunk.X, chunk.Y).DistanceTo(eye) / scale
	level := 0
	for level+1 < terrain.Levels && float64(c.Error[level+1]) <= allowed {
		level++
	}
	cells := f.ChunkRect(chunk.X, chunk.Y)
	across := func(n int) int { return (n + 1<<level - 1) >> level }
	return 2 * across(cells.Dx()) * across(cells.Dy())
}

// heatState is the heat map that is shown, and the one in the making.
type heatState struct {
	made *Heat
	task *Task
}

// snapshot gives the models that a level's assets have now. It may be used on any
// goroutine.
type snapshot map[string]*scene.Model

// Model implements scene.Library.
func (m snapshot) Model(a *document.Asset) *scene.Model { return m[a.Name] }

// Heat is the heat map that there is; nil is none.
func (c *Culling) Heat() *Heat { return c.heat.made }

// HeatShown is the heat map, if it is shown.
func (c *Culling) HeatShown() *Heat {
	if !c.s.Shown("overlay heat") {
		return nil
	}
	return c.heat.made
}

// MakeHeat makes a heat map in the background, with parts of a size in metres, 0 for
// the usual one, and shows it.
func (c *Culling) MakeHeat(step float64) error {
	s := c.s
	h, err := newHeat(s.Level(), step)
	if err != nil {
		return err
	}
	models := snapshot{}
	for i := range h.Level.Assets {
		a := &h.Level.Assets[i]
		models[a.Name] = s.library.Model(a)
	}
	if c.heat.task != nil {
		c.heat.task.Cancel()
	}
	tests, maxError := c.Tests(), s.Settings.View.MaxError
	var task *Task
	task = s.Start("Making a heat map", func(ctx context.Context, progress func(float64)) (func() error, error) {
		err := h.fill(ctx, models, tests, maxError, progress)
		return func() error {
			if ctx.Err() != nil {
				return nil // another one is wanted, or the level is gone
			}
			c.heat.made = h
			s.Show("overlay heat", true)
			s.View.touch()
			return nil
		}, err
	}, func(error) {
		if c.heat.task == task {
			c.heat.task = nil
		}
	})
	c.heat.task = task
	return nil
}

// MakingHeat reports whether a heat map is in the making.
func (c *Culling) MakingHeat() bool { return c.heat.task != nil }

// dropHeat takes the heat map away, and gives up the one in the making.
func (c *Culling) dropHeat() {
	if c.heat.task != nil {
		c.heat.task.Cancel()
	}
	c.heat = heatState{}
	c.s.Show("overlay heat", false)
	c.s.View.touch()
}

// visitHeat goes to the part of the heat map at a place, and looks where most is drawn.
func (c *Culling) visitHeat(p mgl64.Vec3) {
	h := c.HeatShown()
	if h == nil {
		return
	}
	col := int((p[0] - h.Min[0]) / (h.Max[0] - h.Min[0]) * float64(h.Cols))
	row := int((p[2] - h.Min[1]) / (h.Max[1] - h.Min[1]) * float64(h.Rows))
	i := min(max(row, 0), h.Rows-1)*h.Cols + min(max(col, 0), h.Cols-1)
	if eye, ok := h.At(i); ok && h.Triangles[i] >= 0 {
		c.s.View.leaveAxis()
		c.s.View.Place(eye, eye.Add(heatDirections[h.Worst[i]]))
	}
}
