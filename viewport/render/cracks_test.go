package render

import (
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/lod"
)

// Fly over rough ground below a magenta sky: no magenta where a ray through the
// pixel meets the ground, two pixels inside the silhouette.
func TestNoCracks(t *testing.T) {
	const w, h = 240, 135
	fields := map[string]*terrain.Field{
		"rough":  hills(t, 321, 257, 1, 40, 0.62, 3),
		"ragged": hills(t, 200, 151, 1.5, 40, 0.62, 4),
		"pages":  hills(t, 1100, 300, 1, 50, 0.6, 5),
	}
	withGL(t, func(r *Renderer) {
		for name, f := range fields {
			update1(t, r, grass(f))
			x, z := f.Extent()
			_, top := f.MinMax()
			levels := map[uint8]bool{}
			for step := range 5 {
				a := float64(step) * 1.3
				eye := mgl64.Vec3{x/2 + x*0.45*math.Cos(a), 0, z/2 + z*0.45*math.Sin(a)}
				ground, _ := f.Height(eye[0], eye[2])
				eye[1] = ground + 2 + float64(step%3)*float64(top)*0.6
				v := look(eye, mgl64.Vec3{x / 2, 0, z / 2}, w, h, 0.1, 5000)
				v.Sky = magentaSky
				for _, e := range []float64{0, 1, 3, 8, 20} {
					v.MaxError = e
					m, s := shoot(t, r, w, h, &v)
					for i, n := range s.Levels {
						levels[uint8(i)] = levels[uint8(i)] || n > 0
					}
					if n, at := cracks(f, &v, m, e); n > 0 {
						t.Errorf("%s, step %d, error %g: %d magenta pixels on the ground, one at %v; picture %s",
							name, step, e, n, at, save(t, m, fmt.Sprint("-", name, step, "-", e)))
					}
				}
			}
			// From above there is no silhouette, however coarse the ground is.
			for step := range 4 {
				at := mgl64.Vec3{x * (0.3 + 0.1*float64(step)), 0, z * (0.3 + 0.1*float64(step))}
				v := View{Eye: at.Add(mgl64.Vec3{0, float64(top) + 5, 0}), Sky: magentaSky,
					ViewProj: mgl64.Perspective(0.5, 1, 0.1, 5000).Mul4(mgl64.LookAtV(mgl64.Vec3{}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, -1}))}
				for _, e := range []float64{0, 40, 1e3, 1e9} {
					v.MaxError = e
					m, _ := shoot(t, r, h, h, &v)
					for i := 0; i < len(m.Pix); i += 4 {
						if m.Pix[i] == 255 && m.Pix[i+1] == 0 && m.Pix[i+2] == 255 {
							t.Fatalf("%s, from above, step %d, error %g: magenta; picture %s", name, step, e, save(t, m, "-above"))
						}
					}
				}
			}
			if len(levels) < 3 {
				t.Errorf("%s was drawn with levels %v only", name, levels)
			}
		}
	})
}

// Fly low over rough ground in small steps, as a user does, with the error that the
// editor allows: no frame has a magenta pixel where a ray meets the triangles that
// were drawn in it, two pixels inside their silhouette.
func TestFlightWithoutCracks(t *testing.T) {
	const w, h, frames = 160, 90, 60
	f := hills(t, 321, 257, 1, 40, 0.68, 6)
	x, z := f.Extent()
	withGL(t, func(r *Renderer) {
		update1(t, r, grass(f))
		levels, rays := map[int]bool{}, 0
		for frame := range frames {
			a := float64(frame) / frames * 2 * math.Pi
			place := func(a float64) mgl64.Vec3 {
				return mgl64.Vec3{x/2 + x*0.42*math.Cos(a), 0, z/2 + z*0.42*math.Sin(2*a)}
			}
			eye, ahead := place(a), place(a+0.5)
			ground, _ := f.Height(eye[0], eye[2])
			eye[1] = ground + 3 + 20*(1-math.Cos(3*a))
			ahead[1], _ = f.Height(ahead[0], ahead[2])
			v := look(eye, ahead.Sub(mgl64.Vec3{0, 10, 0}), w, h, 0.1, 5000)
			v.Sky, v.MaxError = magentaSky, float64(1+frame%3)
			m, s := shoot(t, r, w, h, &v)
			for i, n := range s.Levels {
				if n > 0 {
					levels[i] = true
				}
			}
			drawn := meshOf(f, r.list)
			n, at, cast := cracksIn(&v, m, 2, 2, drawn.hit)
			rays += cast
			if n > 0 {
				t.Fatalf("frame %d: %d magenta pixels on the ground, one at %v; picture %s", frame, n, at, save(t, m, fmt.Sprint(frame)))
			}
		}
		if len(levels) < 3 || rays < 10_000 {
			t.Errorf("levels %v and %d rays are too few to prove anything", levels, rays)
		}
	})
}

// drawnMesh is the triangles of a frame, in boxes in boxes.
type drawnMesh struct {
	box       geom.Box
	parts     []drawnMesh
	triangles [][3]mgl64.Vec3 // of one without parts
}

// meshOf gives the triangles that were drawn of a field whose origin is zero: first
// by patch, then halved, again and again.
func meshOf(f *terrain.Field, list []lod.Patch) *drawnMesh {
	all := drawnMesh{box: emptyBox}
	for _, p := range list {
		vertices, indices := lod.AppendMesh(nil, nil, f, p)
		triangles := make([][3]mgl64.Vec3, len(indices)/3)
		for i, k := range indices {
			v := vertices[k]
			triangles[i/3][i%3] = mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
		}
		all.add(halved(triangles))
	}
	return &all
}

var emptyBox = geom.Box{
	Min: mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)},
	Max: mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)},
}

// halved splits triangles that come row by row: first by rows, then within one.
func halved(triangles [][3]mgl64.Vec3) drawnMesh {
	d := drawnMesh{box: emptyBox}
	if n := len(triangles); n > 8 {
		d.add(halved(triangles[:n/2]))
		d.add(halved(triangles[n/2:]))
		return d
	}
	d.triangles = triangles
	for _, t := range triangles {
		for _, v := range t {
			for c := range v {
				d.box.Min[c], d.box.Max[c] = min(d.box.Min[c], v[c]), max(d.box.Max[c], v[c])
			}
		}
	}
	return d
}

func (d *drawnMesh) add(part drawnMesh) {
	d.parts = append(d.parts, part)
	for c := range 3 {
		d.box.Min[c], d.box.Max[c] = min(d.box.Min[c], part.box.Min[c]), max(d.box.Max[c], part.box.Max[c])
	}
}

func (d *drawnMesh) hit(ray geom.Ray) bool {
	if _, _, ok := ray.Box(d.box); !ok {
		return false
	}
	for i := range d.parts {
		if d.parts[i].hit(ray) {
			return true
		}
	}
	for _, t := range d.triangles {
		if _, ok := ray.Triangle(t[0], t[1], t[2]); ok {
			return true
		}
	}
	return false
}

// cracks counts the magenta pixels of m at which the full ground is hit two pixels
// around as well. The drawn ground may lie lower than the full one by the error
// allowed, so that many pixels more are left off below a silhouette.
func cracks(f *terrain.Field, v *View, m *image.NRGBA, e float64) (n int, at image.Point) {
	n, at, _ = cracksIn(v, m, 2, 2+int(math.Ceil(e)), func(ray geom.Ray) bool {
		_, ok := f.Raycast(ray)
		return ok
	})
	return n, at
}

// cracksIn counts the magenta pixels of m around which rays hit as well, across
// pixels to every side and margin pixels up and down. cast is how many rays it took.
func cracksIn(v *View, m *image.NRGBA, across, margin int, hits func(geom.Ray) bool) (n int, at image.Point, cast int) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	inverse := v.ViewProj.Inv()
	// The silhouette may lie outside the picture, too.
	stride := w + 2*margin
	hit := make([]int8, stride*(h+2*margin))
	ground := func(x, y int) bool {
		i := (y+margin)*stride + x + margin
		if hit[i] == 0 {
			ndc := mgl64.Vec3{(float64(x)+0.5)/float64(w)*2 - 1, 1 - (float64(y)+0.5)/float64(h)*2, 0}
			dir := mgl64.TransformCoordinate(ndc, inverse)
			hit[i] = 1
			cast++
			if hits(geom.Ray{Origin: v.Eye, Dir: dir}) {
				hit[i] = 2
			}
		}
		return hit[i] == 2
	}
	for y := range h {
		for x := range w {
			if m.NRGBAAt(x, y) != magenta || !ground(x, y) {
				continue
			}
			if inside := func() bool {
				for dy := -margin; dy <= margin; dy++ {
					for dx := -margin; dx <= margin; dx++ {
						if max(dx, -dx) > across && dx != 0 {
							continue
						}
						if !ground(x+dx, y+dy) {
							return false
						}
					}
				}
				return true
			}(); inside {
				n++
				at = image.Pt(x, y)
			}
		}
	}
	return n, at, cast
}
