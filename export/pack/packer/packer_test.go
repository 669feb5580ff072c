package packer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/export/pack/packer"
	"ridgeline/terrain"
)

// ground is painted ground with holes.
func ground(t testing.TB, cols, rows int, seed int) *terrain.Field {
	t.Helper()
	heights := make([]float32, cols*rows)
	for i := range heights {
		heights[i] = float32((i*i*7+seed)%1009)/10 - 30
	}
	f, err := terrain.FromHeights(cols, rows, 0.5, heights)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	tc, tr := f.TileGrid()
	for y := range tr {
		for x := range tc {
			for i := range d.Splats(x, y) {
				d.Splats(x, y)[i] = terrain.Splat{Base: uint8(i/3) % 2, Over: 1, Third: 2, Alpha: uint8(i * 3), Alpha2: uint8(i % 7 * 20)}
				d.Light(x, y)[i] = terrain.RGB{R: uint8(i), G: 255, B: uint8(i / 5)}
				if (i*i+seed)%11 == 0 {
					d.Flags(x, y)[i] = terrain.Hole
				}
			}
		}
	}
	f, _ = d.Field()
	return f.WithOrigin(100, -7)
}

// scene is a level with three layers and a few things that show placeholders and boxes.
func scene(t testing.TB, f *terrain.Field) glb.Scene {
	t.Helper()
	var err error
	if f == nil {
		if f, err = document.NoTerrain(); err != nil {
			t.Fatal(err)
		}
	}
	l := document.NewLevel(f)
	l.Layers = nil
	var s glb.Scene
	for i := range 3 {
		l.Layers = append(l.Layers, document.Layer{Name: fmt.Sprint("layer ", i), UVScale: float64(i + 1)})
		p := image.NewNRGBA(image.Rect(0, 0, 4, 4))
		for k := range p.Pix {
			p.Pix[k] = uint8(k*i) | 1
		}
		s.Textures = append(s.Textures, p)
	}
	l.Assets = []document.Asset{{Name: "box", File: "box.glb"}, {Name: "gone", File: "gone.glb"}}
	s.Level, err = l.WithEntities([]document.Entity{
		{ID: 1, Kind: document.KindObject, Name: "box", Data: document.Object{Asset: "box"}, Translation: mgl64.Vec3{1, 2, 3}, Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}},
		{ID: 2, Kind: document.KindObject, Name: "none", Data: document.Object{Asset: "box"}, Parent: 1, Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1e-9, 1e-9, 1}}, // as small as can be
		{ID: 3, Kind: document.KindMarker, Name: "spawn", Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}, Properties: map[string]string{"team": "red"}, Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Models = func(a *document.Asset) (*mesh.Model, error) {
		if a.Name == "box" {
			return mesh.Placeholder(), nil
		}
		return nil, errors.New("gone")
	}
	return s
}

func write(t testing.TB, s glb.Scene) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := packer.Write(context.Background(), &b, s, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t testing.TB, data []byte) *pack.Pack {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.pack")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func read(t testing.TB, p *pack.Pack, name string) []byte {
	t.Helper()
	data, err := p.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Heights, points, weights and holes are the ground's, as exactly as the index says.
func TestGround(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// One cell that is a hole is what a level without ground has.
		cols, rows := rapid.IntRange(3, 90).Draw(rt, "cols"), rapid.IntRange(2, 70).Draw(rt, "rows")
		f := ground(t, cols, rows, rapid.IntRange(0, 1000).Draw(rt, "seed"))
		s := scene(t, f)
		s.Options.Heights = rapid.SampledFrom([]glb.Heights{glb.HeightsFloat, glb.Heights16}).Draw(rt, "heights")
		p := open(t, write(t, s))
		g := p.Index.Ground
		heights, points := read(t, p, g.Heights.File), read(t, p, g.Points.File)
		weights := make([]*image.Gray, len(g.Layers))
		for i, l := range g.Layers {
			if l.Weights == "" {
				continue
			}
			m, err := png.Decode(bytes.NewReader(read(t, p, l.Weights)))
			if err != nil {
				rt.Fatal(err)
			}
			weights[i] = m.(*image.Gray)
		}
		bits, err := p.HoleBits()
		if err != nil {
			rt.Fatal(err)
		}
		for r := range rows {
			for c := range cols {
				i := r*cols + c
				h := float64(f.Sample(c, r))
				var got float64
				if g.Heights.Type == "float32" {
					got = float64(math.Float32frombits(binary.LittleEndian.Uint32(heights[4*i:])))
				} else {
					got = g.Heights.Offset + g.Heights.Scale*float64(binary.LittleEndian.Uint16(heights[2*i:]))
				}
				if !(math.Abs(got-h) <= g.Heights.Error*1.0001) {
					rt.Fatalf("sample %d, %d is %g, expected %g", c, r, got, h)
				}
				v, k, light := points[5*i:], f.SplatAt(c, r), f.LightAt(c, r)
				if got := g.Points.Offset + g.Points.Scale*float64(v[0]); !(math.Abs(got-h) <= g.Points.Error*1.0001) {
					rt.Fatalf("point %d, %d is at %g, expected %g", c, r, got, h)
				}
				if a := 255 * (1 - k.Weight(0)); !(math.Abs(float64(v[1])-a) <= 0.5001) || v[2] != light.R || v[3] != light.G || v[4] != light.B {
					rt.Fatalf("point %d, %d is %v, expected alpha %g and light %v", c, r, v[:5], a, light)
				}
				for l := range g.Layers {
					var got float64
					if weights[l] != nil {
						got = float64(weights[l].GrayAt(c, r).Y)
					}
					if w := 255 * k.Weight(uint8(l)); !(math.Abs(got-w) <= 0.5001) {
						rt.Fatalf("layer %d weighs %g at %d, %d, expected %g", l, got, c, r, w)
					}
				}
				if c < cols-1 && r < rows-1 {
					n := r*(cols-1) + c
					if open := bits != nil && bits[n>>3]>>(n&7)&1 != 0; open != f.IsHole(c, r) {
						rt.Fatalf("cell %d, %d: a hole %v", c, r, open)
					}
				}
			}
		}
		if err := p.Verify(context.Background()); err != nil {
			rt.Error(err)
		}
	})
}

// The same level has the same bytes, on any number of processors, and a folder has the
// same files.
func TestSameBytes(t *testing.T) {
	s := scene(t, ground(t, 150, 140, 3))
	s.Options.Sun, s.Options.Bake = true, 64
	var out bytes.Buffer
	told := 0.0
	if _, err := packer.Write(t.Context(), &out, s, func(done float64) {
		if done < told || done > 1 {
			t.Errorf("%g is done after %g", done, told)
		}
		told = done
	}); err != nil || told != 1 {
		t.Fatalf("%v, %g is done", err, told)
	}
	want := out.Bytes()
	for _, n := range []int{1, 3} {
		before := runtime.GOMAXPROCS(n)
		got := write(t, s)
		runtime.GOMAXPROCS(before)
		if !bytes.Equal(got, want) {
			t.Errorf("other bytes on %d processors", n)
		}
	}
	p := open(t, want)
	dir := folder(t.TempDir())
	if _, err := packer.WriteFiles(t.Context(), dir, s, nil); err != nil {
		t.Fatal(err)
	}
	q, err := pack.Open(string(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if !reflect.DeepEqual(p.Index, q.Index) || !pack.Is(string(dir)) || !pack.Is(p.Path()) {
		t.Error("the folder has another index")
	}
	for _, f := range p.Index.Files {
		if !bytes.Equal(read(t, p, f.Name), read(t, q, f.Name)) {
			t.Errorf("%s differs", f.Name)
		}
	}
}

// folder writes files below a folder.
type folder string

func (f folder) Create(name string) (io.WriteCloser, error) {
	path := filepath.Join(string(f), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// Things keep names, ids, properties, parents and places, however small they are.
func TestThings(t *testing.T) {
	p := open(t, write(t, scene(t, nil)))
	x := &p.Index
	if x.Ground != nil || len(x.Nodes) != 3 {
		t.Fatalf("%+v", x)
	}
	if n := x.Nodes[0]; n.Name != "box" || n.Parent != nil || *n.Translation != [3]float64{1, 2, 3} || n.Mesh == nil {
		t.Errorf("%+v", n)
	}
	if n := x.Nodes[1]; *n.Parent != 0 || n.Scale == nil || *n.Scale != [3]float64{1e-9, 1e-9, 1} {
		t.Errorf("what is as small as can be is %+v", n)
	}
	var extras struct {
		ID         int
		Kind       string
		Properties map[string]string
	}
	if err := json.Unmarshal(x.Nodes[2].Extras, &extras); err != nil || extras.ID != 3 || extras.Kind != "marker" || extras.Properties["team"] != "red" {
		t.Errorf("%s, %v", x.Nodes[2].Extras, err)
	}
	if m := x.Meshes[0]; m.Name != "box" || x.Formats[m.Primitives[0].Vertices.Format].Attributes[0].Name != "POSITION" {
		t.Errorf("%+v", m)
	}
}

// Levels with next to nothing are packs too.
func TestSmallLevels(t *testing.T) {
	flat, err := terrain.Flat(2, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := ground(t, 40, 30, 1).Draft()
	for i := range d.Flags(0, 0) {
		d.Flags(0, 0)[i] = terrain.Hole
	}
	holes, _ := d.Field()
	for name, f := range map[string]*terrain.Field{"no ground": nil, "2×2": flat, "all holes": holes} {
		s := scene(t, f)
		if s.Level, err = s.Level.WithEntities(nil); err != nil {
			t.Fatal(err)
		}
		p := open(t, write(t, s))
		if (p.Index.Ground != nil) != (f != nil) || len(p.Index.Meshes) > 0 != (f == flat) {
			t.Errorf("%s: %+v", name, p.Index)
		}
	}
}

// A missing asset is a box and is told, or an error.
func TestMissing(t *testing.T) {
	s := scene(t, nil)
	e, _ := s.Level.Entity(1)
	c := *e
	c.Data = document.Object{Asset: "gone"}
	var err error
	if s.Level, err = s.Level.WithEntities([]document.Entity{c}); err != nil {
		t.Fatal(err)
	}
	stats, err := packer.Write(t.Context(), io.Discard, s, nil)
	if err != nil || len(stats.Missing) != 1 || stats.Missing[0].Asset != "gone" {
		t.Errorf("%+v, %v", stats, err)
	}
	s.Options.Strict = true
	if _, err := packer.Write(t.Context(), io.Discard, s, nil); err == nil || !strings.Contains(err.Error(), `"gone"`) {
		t.Errorf("strict: %v", err)
	}
}

// A full disk and a cancelled context end the export wherever they come.
func TestStops(t *testing.T) {
	s := scene(t, ground(t, 100, 90, 2))
	size := len(write(t, s))
	for left := 0; left < size; left += size / 17 {
		if _, err := packer.Write(t.Context(), &full{left}, s, nil); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
	for _, at := range []float64{0, 0.2, 0.5, 0.9} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := packer.Write(ctx, io.Discard, s, func(done float64) {
			if done >= at {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %g: %v", at, err)
		}
	}
}

var errFull = errors.New("full")

type full struct{ left int }

func (f *full) Write(data []byte) (int, error) {
	if f.left -= len(data); f.left < 0 {
		return 0, errFull
	}
	return len(data), nil
}

// Pictures of layers are the files that the level has, PNG or JPEG.
func TestPicturesAreFiles(t *testing.T) {
	s := scene(t, ground(t, 20, 20, 1))
	var b bytes.Buffer
	one := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	one.SetNRGBA(0, 0, color.NRGBA{1, 2, 3, 255})
	if err := png.Encode(&b, one); err != nil {
		t.Fatal(err)
	}
	jpeg := []byte("\xff\xd8 as if it were one")
	s.TextureFiles = [][]byte{b.Bytes(), jpeg, nil}
	p := open(t, write(t, s))
	for i, want := range [][]byte{b.Bytes(), jpeg} {
		name := p.Index.Pictures[p.Index.Textures[*p.Index.Ground.Layers[i].Texture].Picture].File
		if !bytes.Equal(read(t, p, name), want) || strings.HasSuffix(name, ".jpg") != (i == 1) {
			t.Errorf("%s is not the level's file", name)
		}
	}
	if len(p.Index.Pictures) != 3 {
		t.Errorf("%d pictures", len(p.Index.Pictures))
	}
}
