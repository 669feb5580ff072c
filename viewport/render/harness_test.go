package render

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
	"ridgeline/viewport/host"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// context is the one OpenGL context of the tests.
var context = sync.OnceValues(host.NewHeadlessGL)

// withGL calls do with a renderer in a current context, and fails the test when an
// OpenGL error is left.
func withGL(t testing.TB, do func(r *Renderer)) {
	t.Helper()
	g, err := context()
	if err != nil {
		t.Fatal(err)
	}
	err = g.Do(func() error {
		r, err := New()
		if err != nil {
			return err
		}
		defer r.Release()
		do(r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// canvas is a framebuffer as the hosts have it.
type canvas struct {
	Target
	colour, depth uint32
	pix           []byte
}

func newCanvas(t testing.TB, w, h int) *canvas {
	t.Helper()
	c := &canvas{Target: Target{Size: image.Pt(w, h), Scale: 1}}
	gl.GenFramebuffers(1, &c.Framebuffer)
	gl.GenRenderbuffers(1, &c.colour)
	gl.GenRenderbuffers(1, &c.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, c.colour)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.SRGB8_ALPHA8, int32(w), int32(h))
	gl.BindRenderbuffer(gl.RENDERBUFFER, c.depth)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT32F, int32(w), int32(h))
	gl.BindFramebuffer(gl.FRAMEBUFFER, c.Framebuffer)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, c.colour)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, c.depth)
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		t.Fatalf("framebuffer status 0x%x", s)
	}
	return c
}

func (c *canvas) free() {
	gl.DeleteFramebuffers(1, &c.Framebuffer)
	gl.DeleteRenderbuffers(1, &c.colour)
	gl.DeleteRenderbuffers(1, &c.depth)
}

// picture reads the canvas.
func (c *canvas) picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rectangle{Max: c.Size})
	row := c.Size.X * 4
	c.pix = grow(c.pix, row*c.Size.Y)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, c.Framebuffer)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.ReadPixels(0, 0, int32(c.Size.X), int32(c.Size.Y), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(c.pix))
	for y := range c.Size.Y {
		copy(m.Pix[y*m.Stride:][:row], c.pix[(c.Size.Y-1-y)*row:])
	}
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}

// shoot draws a view of w×h pixels.
func shoot(t testing.TB, r *Renderer, w, h int, v *View) (*image.NRGBA, Stats) {
	t.Helper()
	c := newCanvas(t, w, h)
	defer c.free()
	s, err := r.Draw(c.Target, v)
	if err != nil {
		t.Fatal(err)
	}
	if e := gl.GetError(); e != gl.NO_ERROR {
		t.Fatalf("OpenGL error 0x%x", e)
	}
	return c.picture(), s
}

// look is a camera at eye that looks at a point.
func look(eye, at mgl64.Vec3, w, h int, near, far float64) View {
	up := mgl64.Vec3{0, 1, 0}
	if d := at.Sub(eye); d[0] == 0 && d[2] == 0 {
		up = mgl64.Vec3{0, 0, -1}
	}
	m := mgl64.LookAtV(mgl64.Vec3{}, at.Sub(eye), up)
	p := mgl64.Perspective(mgl64.DegToRad(60), float64(w)/float64(h), near, far)
	return View{Eye: eye, ViewProj: p.Mul4(m), MaxError: 3, Sky: DaySky}
}

// hills are fields of noise with features of all sizes.
func hills(t testing.TB, cols, rows int, spacing, height, rough float64, seed uint32) *terrain.Field {
	t.Helper()
	h := make([]float32, cols*rows)
	for r := range rows {
		for c := range cols {
			h[r*cols+c] = float32(height * fractal(float64(c)*spacing, float64(r)*spacing, rough, seed))
		}
	}
	f, err := terrain.FromHeights(cols, rows, spacing, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fractal(x, z, rough float64, seed uint32) float64 {
	sum, amp, freq := 0.0, 1.0, 1/180.0
	for o := range uint32(8) {
		sum += amp * noise(x*freq, z*freq, seed+o)
		amp *= rough
		freq *= 2
	}
	return sum
}

// noise is smooth between random values at whole numbers, −1…1.
func noise(x, z float64, seed uint32) float64 {
	xi, zi := math.Floor(x), math.Floor(z)
	u, v := x-xi, z-zi
	u, v = u*u*u*(u*(u*6-15)+10), v*v*v*(v*(v*6-15)+10)
	at := func(i, j int) float64 {
		h := uint32(int32(xi)+int32(i))*0x85ebca6b ^ uint32(int32(zi)+int32(j))*0xc2b2ae35 ^ seed*0x27d4eb2f
		h ^= h >> 15
		h *= 0x2c1b3c6d
		h ^= h >> 12
		h *= 0x297a2d39
		h ^= h >> 15
		return float64(h)/(1<<31) - 1
	}
	a, b := at(0, 0)+(at(1, 0)-at(0, 0))*u, at(0, 1)+(at(1, 1)-at(0, 1))*u
	return a + (b-a)*v
}

// paint gives every sample of a field the splat and light that do says.
func paint(f *terrain.Field, do func(c, r int) (terrain.Splat, terrain.RGB)) *terrain.Field {
	d := f.Draft()
	tc, tr := f.TileGrid()
	for y := range tr {
		for x := range tc {
			in := f.TileRect(x, y)
			s, l := d.Splats(x, y), d.Light(x, y)
			for r := in.Min.Y; r < in.Max.Y; r++ {
				for c := in.Min.X; c < in.Max.X; c++ {
					i := (r-in.Min.Y)*terrain.TileSize + c - in.Min.X
					s[i], l[i] = do(c, r)
				}
			}
		}
	}
	out, _ := d.Field()
	return out
}

// plain is a texture of one colour.
func plain(c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, 255
	}
	return m
}

// noisy is a tiling texture of 512×512 pixels around a colour.
func noisy(c color.NRGBA, seed uint32) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	for y := range 512 {
		for x := range 512 {
			v := 1 + 0.15*noise(float64(x)/9, float64(y)/9, seed) + 0.1*noise(float64(x)/2, float64(y)/2, seed+9)
			k := func(b uint8) uint8 { return uint8(min(255, float64(b)*v)) }
			m.SetNRGBA(x, y, color.NRGBA{k(c.R), k(c.G), k(c.B), 255})
		}
	}
	return m
}

// afternoon is a sun for pictures.
var afternoon = Sun{
	Direction: mgl64.Vec3{-0.6, 0.55, -0.35},
	Light:     mgl32.Vec3{1.0, 0.93, 0.8},
	Ambient:   mgl32.Vec3{0.26, 0.31, 0.4},
}

// save writes a picture for looking at and gives its path.
func save(t testing.TB, m image.Image, suffix string) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "ridgeline-render")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "_")+suffix+".png")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	return name
}

// compare gives the share of pixels that differ by more than tolerance in a
// channel, and the greatest difference.
func compare(a, b *image.NRGBA, tolerance int) (share float64, worst int, err error) {
	if a.Rect.Size() != b.Rect.Size() {
		return 1, 255, fmt.Errorf("sizes %v and %v", a.Rect.Size(), b.Rect.Size())
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		d := 0
		for c := range 3 {
			e := int(a.Pix[i+c]) - int(b.Pix[i+c])
			d = max(d, e, -e)
		}
		worst = max(worst, d)
		if d > tolerance {
			n++
		}
	}
	return float64(n) * 4 / float64(len(a.Pix)), worst, nil
}
