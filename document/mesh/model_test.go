package mesh

import (
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/occluders/geom"
)

// volume is the signed volume of a closed mesh: positive if it looks outward.
func volume(m *Model) float64 {
	sum := 0.0
	for i := 0; i < len(m.Indices); i += 3 {
		a, b, c := vec64(m.Positions[m.Indices[i]]), vec64(m.Positions[m.Indices[i+1]]), vec64(m.Positions[m.Indices[i+2]])
		sum += a.Dot(b.Cross(c)) / 6
	}
	return sum
}

func TestPlaceholderIsAStandingBox(t *testing.T) {
	m := Placeholder()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if want := (geom.Box{Min: geom.Vec3{-0.5, 0, -0.5}, Max: geom.Vec3{0.5, 1, 0.5}}); m.Bounds != want {
		t.Errorf("bounds %v, expected %v", m.Bounds, want)
	}
	if v, want := volume(m), 12*0.04*0.04; !(v > 0.99*want && v < 1.01*want) {
		t.Errorf("volume %v, expected %v", v, want)
	}
	for i := 0; i < len(m.Indices); i += 3 {
		a, b, c := m.Positions[m.Indices[i]], m.Positions[m.Indices[i+1]], m.Positions[m.Indices[i+2]]
		if n := b.Sub(a).Cross(c.Sub(a)).Normalize(); !(n.Dot(m.Normals[m.Indices[i]]) > 0.99) {
			t.Fatalf("triangle %d looks along %v, its normal is %v", i/3, n, m.Normals[m.Indices[i]])
		}
	}
}

// masked is a square from (0, 0) to (1, 1) with the picture of a hole in the
// right half.
func masked(mat Material) *Model {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for y := range 4 {
		for x := range 2 {
			img.Pix[y*img.Stride+4*x+3] = 255
		}
	}
	mat.Alpha, mat.Image = Mask, 0
	mat.BaseColor = [4]float32{1, 1, 1, 1}
	if mat.UV == (mgl32.Mat3{}) {
		mat.UV = mgl32.Ident3()
	}
	n := mgl32.Vec3{0, 0, 1}
	return &Model{
		Positions: []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		Normals:   []mgl32.Vec3{n, n, n, n},
		UVs:       []mgl32.Vec2{{0, 1}, {1, 1}, {1, 0}, {0, 0}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
		Parts:     []Part{{Count: 6}},
		Materials: []Material{mat}, Images: []Image{{Pixels: img}},
		Nodes:  []Node{{Parent: -1}},
		Bounds: geom.Box{Max: geom.Vec3{1, 1, 0}},
	}
}

func TestOpaqueSeesHoles(t *testing.T) {
	m := masked(Material{Cutoff: 0.5, Nearest: true})
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	// Triangle 0 is (0,0) (1,0) (1,1): the point (x, y) has v = y and u = x − y.
	for _, c := range []struct {
		x, y float64
		want bool
	}{{0.3, 0.1, true}, {0.49, 0.4, true}, {0.51, 0.4, false}, {0.9, 0.8, false}} {
		if got := m.Opaque(0, c.x-c.y, c.y); got != c.want {
			t.Errorf("at (%v, %v): %v, expected %v", c.x, c.y, got, c.want)
		}
	}
	if m.Opaque(2, 0, 0) || m.Opaque(-1, 0, 0) {
		t.Error("a triangle that is not there stops a ray")
	}
	m.Materials[0].Alpha = Blend
	if !m.Opaque(0, 0.5, 0.4) {
		t.Error("a blended surface doesn't stop a ray")
	}
	// Between pixels the edge lies where the interpolated alpha meets the cutoff.
	m = masked(Material{Cutoff: 0.25, WrapS: Clamp, WrapT: Clamp})
	if !m.Opaque(0, 0.54, 0) || m.Opaque(0, 0.58, 0) {
		t.Error("the edge of the hole isn't where it is drawn")
	}
	// Moved by half, the hole is on the left.
	m = masked(Material{Cutoff: 0.5, Nearest: true, UV: mgl32.Translate2D(0.5, 0)})
	if m.Opaque(0, 0.3, 0) || !m.Opaque(0, 0.8, 0) {
		t.Error("the texture's transform is ignored")
	}
	// Vertex colours count.
	m.Colors = [][4]uint8{{3: 100}, {3: 100}, {3: 100}, {3: 100}}
	if m.Opaque(0, 0.8, 0) {
		t.Error("the alpha of the vertices is ignored")
	}
}

func TestWrapIndex(t *testing.T) {
	for _, c := range []struct {
		w    Wrap
		want [8]int // of -3 … 4 in 3 pixels
	}{
		{Repeat, [8]int{0, 1, 2, 0, 1, 2, 0, 1}},
		{Clamp, [8]int{0, 0, 0, 0, 1, 2, 2, 2}},
		{Mirror, [8]int{2, 1, 0, 0, 1, 2, 2, 1}},
	} {
		for i, want := range c.want {
			if got := c.w.index(i-3, 3); got != want {
				t.Errorf("wrap %d: pixel %d of 3 is %d, expected %d", c.w, i-3, got, want)
			}
		}
	}
}
