package render

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/cull/culltest"
	"ridgeline/occluders/geom"
)

// worlds is how many random worlds are drawn; many in soak.
func worlds() int {
	switch {
	case os.Getenv("RIDGELINE_SOAK") != "":
		return 20_000
	case testing.Short():
		return 20
	}
	return 150
}

const viewsOfDrawn = 4

// drawnWorld is a random world as instances: the things that are culled first, then what
// hides them.
type drawnWorld struct {
	*culltest.World
	scene     *cull.Scene
	instances []Instance
}

// newDrawn gives no world when it has parts that cannot be drawn.
func newDrawn(t testing.TB, r *rand.Rand, kind culltest.Kind, cube *mesh.Model) *drawnWorld {
	t.Helper()
	w, err := culltest.New(r, kind)
	if err != nil {
		t.Fatal(err)
	}
	solids, flats, whole := w.Pieces()
	if !whole {
		return nil
	}
	scene, _, err := w.Scene()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawnWorld{World: w, scene: scene}
	for _, b := range w.Boxes {
		s := b.Size()
		d.instances = append(d.instances, Instance{
			Model: cube, World: mgl64.Translate3D(b.Min[0], b.Min[1], b.Min[2]).Mul4(mgl64.Scale3D(s[0], s[1], s[2])),
		})
	}
	var faces [][]geom.Vec3
	for _, h := range solids {
		for f := range h.Faces {
			faces = append(faces, h.AppendFace(nil, f))
		}
	}
	for _, f := range flats {
		back := make([]geom.Vec3, len(f))
		for i, p := range f {
			back[len(f)-1-i] = p
		}
		faces = append(faces, f, back)
	}
	if len(faces) > 0 {
		d.add(t, faces)
	}
	return d
}

// add adds flat convex faces in the world as an instance.
func (d *drawnWorld) add(t testing.TB, faces [][]geom.Vec3) {
	at := faces[0][0]
	b := build("solid", matter(color.NRGBA{120, 120, 120, 255}))
	for _, f := range faces {
		first := uint32(len(b.m.Positions))
		for i, p := range f {
			q := p.Sub(at)
			b.m.Positions = append(b.m.Positions, mgl32.Vec3{float32(q[0]), float32(q[1]), float32(q[2])})
			b.m.Normals = append(b.m.Normals, mgl32.Vec3{0, 1, 0})
			b.m.UVs = append(b.m.UVs, mgl32.Vec2{})
			if k := first + uint32(i); i > 1 {
				b.part(0, first, k-1, k)
			}
		}
	}
	d.instances = append(d.instances, Instance{Model: b.done(t), World: mgl64.Translate3D(at[0], at[1], at[2])})
}

// TestRandomWorldsDrawn proves the law by pixels: in pictures of random worlds for which
// nothing is culled, nothing has a pixel that any set of tests removes. A pixel beside
// whose middle no line of sight reaches the thing is one where edges that meet are
// rounded apart; these are rare.
func TestRandomWorldsDrawn(t *testing.T) {
	tests := []cull.Tests{cull.Only(cull.Frustum), cull.Only(cull.Portal), cull.Only(cull.Occluder), cull.All}
	var culler cull.Culler
	sight := new(Sight)
	views, removed, seen, rounded, pixels := 0, 0, 0, 0, 0
	kinds := map[culltest.Kind]int{}
	some := func(first, last int) func(r *Renderer) {
		return func(r *Renderer) {
			cube := build("cube", matter(color.NRGBA{200, 100, 50, 255})).box(0, mgl32.Vec3{}, mgl32.Vec3{1, 1, 1}).done(t)
			for seed := first; seed < last; seed++ {
				rng := rand.New(rand.NewPCG(uint64(seed), 77))
				kind := culltest.Kind(seed % int(culltest.NumKinds))
				d := newDrawn(t, rng, kind, cube)
				if d == nil {
					continue
				}
				for view := range viewsOfDrawn {
					lens := culltest.RandomLens(rng)
					lens.Size = image.Pt(192, 108)
					c := d.RandomCamera(rng, lens)
					v := View{Eye: c.View.Eye, ViewProj: c.View.ViewProj, Instances: d.instances}
					if err := r.Identify(&v, c.Size, sight); err != nil {
						t.Fatalf("%v %d: %v", kind, seed, err)
					}
					views++
					kinds[kind]++
					pixels += len(sight.IDs)
					for _, set := range tests {
						report := culler.Run(d.scene, c.View, c.Size, set)
						for e, verdict := range report.Verdicts {
							if verdict == cull.Drawn || verdict == cull.Absent {
								continue
							}
							removed++
							if sight.Instances[e] == 0 {
								continue
							}
							n, real := d.pixelsOf(c, sight, e)
							rounded += n
							if real != "" {
								t.Fatalf("%v %d, view %d: %d (%v) was removed by %v and has a pixel: %s; camera %q, ortho %v", kind, seed, view, e, d.Boxes[e], verdict, real, c.Kind, c.View.Ortho)
							}
						}
					}
					for e := range d.Boxes {
						if sight.Instances[e] > 0 {
							seen++
						}
					}
				}
			}
		}
	}
	// A renderer keeps the models that it has shown.
	for first := 0; first < worlds(); first += 50 {
		withGL(t, some(first, min(first+50, worlds())))
	}
	t.Logf("%d views of %v; %d things removed, %d seen; %d pixels of %d are rounded", views, kinds, removed, seen, rounded, pixels)
	if views < worlds() || removed < 50*worlds() || seen < 4*worlds() {
		t.Error("too few to prove anything")
	}
	if rounded*20_000 > pixels {
		t.Errorf("%d pixels of %d show what lines of sight do not reach", rounded, pixels)
	}
}

// pixelsOf counts the pixels of a thing that no line of sight beside their middle
// confirms, and describes one that is real.
func (d *drawnWorld) pixelsOf(c *culltest.Camera, s *Sight, entry int) (rounded int, real string) {
	for y := range s.Size.Y {
		for x := range s.Size.X {
			if _, i := s.At(x, y); i != entry {
				continue
			}
			if sight, ok := d.confirm(c, x, y, entry); ok {
				return rounded, fmt.Sprintf("(%d, %d), from %v along %v", x, y, sight.From, sight.Dir)
			}
			rounded++
		}
	}
	return rounded, ""
}

// confirm looks for a line of sight to a thing within a hundredth of a pixel of a
// pixel's middle.
func (d *drawnWorld) confirm(c *culltest.Camera, x, y, entry int) (culltest.Sight, bool) {
	b := d.Boxes[entry]
	aspect := float64(c.Size.X) / float64(c.Size.Y)
	for i := range 25 {
		u := (float64(x)+0.5+0.005*float64(i%5-2))/float64(c.Size.X)*2 - 1
		v := 1 - (float64(y)+0.5+0.005*float64(i/5-2))/float64(c.Size.Y)*2
		p := c.View.Eye.Add(c.Right.Mul(u * c.Half * aspect)).Add(c.Up.Mul(v * c.Half)).Add(c.Forward)
		s, ok := c.Toward(p)
		if !ok {
			continue
		}
		enter, leave := culltest.Within(&s, b)
		if enter <= leave && enter < d.Stop(&s, culltest.Everything) {
			return s, true
		}
	}
	return culltest.Sight{}, false
}
