package glb

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/terrain"
)

// fileLevel is a level of a chunk as the file has it.
type fileLevel struct {
	off       float64
	triangles [][3]mgl64.Vec3 // in the world
}

// levelsOf reads the levels of all chunks from a file, by what it says of itself.
func levelsOf(t testing.TB, data []byte) (levels [][]fileLevel) {
	t.Helper()
	doc := new(gltf.Document)
	if err := gltf.NewDecoder(bytes.NewReader(data)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	root := doc.Nodes[0]
	read := func(node *gltf.Node, mesh int, off float64) fileLevel {
		scale := mgl64.Vec3(node.ScaleOrDefault())
		l := fileLevel{off: off * scale[1]}
		for _, prim := range doc.Meshes[mesh].Primitives {
			var tri [3]mgl64.Vec3
			for k := range doc.Accessors[*prim.Indices].Count {
				v := int(vertexAt(t, doc, *prim.Indices, k)[0])
				p := positionAt(doc, prim.Attributes[gltf.POSITION], v)
				for a := range p {
					p[a] = p[a]*scale[a] + node.Translation[a] + root.Translation[a]
				}
				tri[k%3] = p
				if k%3 == 2 {
					l.triangles = append(l.triangles, tri)
				}
			}
		}
		return l
	}
	for _, n := range root.Children {
		node := doc.Nodes[n]
		info := lodInfoOf(t, doc.Meshes[*node.Mesh])
		list := []fileLevel{read(node, *node.Mesh, info.Error)}
		for _, l := range info.Levels {
			list = append(list, read(node, l.Mesh, l.Error))
		}
		levels = append(levels, list)
	}
	return levels
}

// lodInfoOf reads the levels that a mesh lists.
func lodInfoOf(t testing.TB, m *gltf.Mesh) (info lodInfo) {
	t.Helper()
	x, ok := m.Extensions[extLOD]
	if !ok {
		return info
	}
	raw, err := json.Marshal(x)
	if err == nil {
		err = json.Unmarshal(raw, &info)
	}
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func positionAt(doc *gltf.Document, accessor, i int) mgl64.Vec3 {
	a := doc.Accessors[accessor]
	v := doc.BufferViews[*a.BufferView]
	at := doc.Buffers[0].Data[v.ByteOffset+a.ByteOffset+i*v.ByteStride:]
	var p mgl64.Vec3
	for k := range p {
		if a.ComponentType == gltf.ComponentShort {
			p[k] = float64(int16(uint16(at[2*k]) | uint16(at[2*k+1])<<8))
		} else {
			bits := uint32(at[4*k]) | uint32(at[4*k+1])<<8 | uint32(at[4*k+2])<<16 | uint32(at[4*k+3])<<24
			p[k] = float64(math.Float32frombits(bits))
		}
	}
	return p
}

// ends gives the sides of triangles that only one triangle of a level has, by the grid.
func ends(l *fileLevel, place func(mgl64.Vec3) image.Point) (out [][2]image.Point) {
	count := map[[2]image.Point]int{}
	for _, t := range l.triangles {
		for i := range t {
			a, b := place(t[i]), place(t[(i+1)%3])
			if count[[2]image.Point{b, a}] > 0 {
				count[[2]image.Point{b, a}]--
			} else {
				count[[2]image.Point{a, b}]++
			}
		}
	}
	for e, n := range count {
		for range n {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b [2]image.Point) int {
		for _, d := range []int{a[0].Y - b[0].Y, a[0].X - b[0].X, a[1].Y - b[1].Y, a[1].X - b[1].X} {
			if d != 0 {
				return d
			}
		}
		return 0
	})
	return out
}

// Every level of a chunk covers the same ground with the same outline, sample by sample,
// turned upwards, and is nowhere further off than it says. Levels get simpler.
func TestLevelsOfDetail(t *testing.T) {
	simpler := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := testScene(t, rapid.IntRange(2, 150).Draw(rt, "cols"), rapid.IntRange(2, 90).Draw(rt, "rows"), rapid.Uint64().Draw(rt, "seed"))
		smooth := rapid.Bool().Draw(rt, "smooth")
		if smooth {
			s.Level.Terrain = smoothed(t, s.Level.Terrain, rapid.Bool().Draw(rt, "holes"))
		}
		s.Options = Options{
			Chunk: rapid.SampledFrom([]int{32, 64, 128}).Draw(rt, "chunk"), LODs: rapid.IntRange(2, MaxLODs).Draw(rt, "lods"),
			Quantize: rapid.Bool().Draw(rt, "quantize"),
		}
		var file bytes.Buffer
		if _, err := Write(context.Background(), &file, s, nil); err != nil {
			if strings.Contains(err.Error(), "all holes") || strings.Contains(err.Error(), "neither ground") {
				return
			}
			rt.Fatal(err)
		}
		f := s.Level.Terrain
		ox, oz := f.Origin()
		place := func(p mgl64.Vec3) image.Point {
			return image.Pt(int(math.Round((p[0]-ox)/f.Spacing())), int(math.Round((p[2]-oz)/f.Spacing())))
		}
		for _, levels := range levelsOf(t, file.Bytes()) {
			outline := ends(&levels[0], place)
			last := -1
			for k := range levels {
				l := &levels[k]
				if got := ends(l, place); !slices.Equal(got, outline) {
					rt.Fatalf("level %d has an outline of %d sides, the full one %d", k, len(got), len(outline))
				}
				area := 0.0
				for _, tri := range l.triangles {
					n := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0]))
					if !(n[1] > 0) {
						rt.Fatalf("level %d: triangle %v does not face up", k, tri)
					}
					area += n[1] / 2
				}
				cells := 0.0
				for _, tri := range levels[0].triangles {
					cells += tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0]))[1] / 2
				}
				if !(math.Abs(area-cells) <= 1e-9*cells) {
					rt.Fatalf("level %d covers %g m², expected %g", k, area, cells)
				}
				if off := offBySamples(f, l); !(off <= l.off*(1+1e-6)+1e-5) || smooth && !s.Options.Quantize && !(off >= 0.8*l.off-1e-4) {
					rt.Fatalf("level %d is %g m off, but says %g", k, off, l.off)
				}
				if last >= 0 {
					simpler++
					if len(l.triangles)*3 > last*2 {
						rt.Fatalf("level %d has %d triangles after %d", k, len(l.triangles), last)
					}
				}
				last = len(l.triangles)
			}
		}
	})
	if simpler == 0 {
		t.Error("no simpler levels were seen")
	}
}

// offBySamples is how far a level is from the ground at many places of its triangles.
func offBySamples(f *terrain.Field, l *fileLevel) float64 {
	worst := 0.0
	s := f.Spacing()
	ox, oz := f.Origin()
	for _, t := range l.triangles {
		lo := mgl64.Vec2{min(t[0][0], t[1][0], t[2][0]), min(t[0][2], t[1][2], t[2][2])}
		hi := mgl64.Vec2{max(t[0][0], t[1][0], t[2][0]), max(t[0][2], t[1][2], t[2][2])}
		e1, e2 := t[1].Sub(t[0]), t[2].Sub(t[0])
		area := e1[0]*e2[2] - e2[0]*e1[2]
		for z := lo[1]; z <= hi[1]+1e-9; z += s / 4 {
			for x := lo[0]; x <= hi[0]+1e-9; x += s / 4 {
				dx, dz := x-t[0][0], z-t[0][2]
				u, v := (dx*e2[2]-e2[0]*dz)/area, (e1[0]*dz-dx*e1[2])/area
				if u < 0 || v < 0 || u+v > 1 {
					continue
				}
				// The cell's own surface, by its corners.
				c, r := int((x-ox)/s), int((z-oz)/s)
				cols, rows := f.Size()
				c, r = min(c, cols-2), min(r, rows-2)
				p, q := (x-ox)/s-float64(c), (z-oz)/s-float64(r)
				at := func(i, j int) float64 { return float64(f.Sample(c+i, r+j)) }
				full := at(0, 0) + (at(1, 0)-at(0, 0))*p + (at(0, 1)-at(0, 0))*q
				if p+q > 1 {
					full = at(1, 1) + (at(0, 1)-at(1, 1))*(1-p) + (at(1, 0)-at(1, 1))*(1-q)
				}
				worst = max(worst, math.Abs(full-(t[0][1]+u*e1[1]+v*e2[1])))
			}
		}
	}
	return worst
}

// smoothed is gentle ground of one layer, with or without the holes of another.
func smoothed(t testing.TB, f *terrain.Field, holes bool) *terrain.Field {
	t.Helper()
	cols, rows := f.Size()
	h := make([]float32, cols*rows)
	for i := range h {
		x, y := float64(i%cols), float64(i/cols)
		h[i] = float32(8*math.Sin(x/9)*math.Cos(y/13) + 0.3*math.Sin(x))
	}
	g, err := terrain.FromHeights(cols, rows, f.Spacing(), h)
	if err != nil {
		t.Fatal(err)
	}
	g = g.WithOrigin(f.Origin())
	if !holes {
		return g
	}
	d := g.Draft()
	for r := 5; r < rows-1; r += 17 {
		for c := r % 11; c < cols-1; c += 23 {
			d.Flags(c/terrain.TileSize, r/terrain.TileSize)[r%terrain.TileSize*terrain.TileSize+c%terrain.TileSize] = terrain.Hole
		}
	}
	g, _ = d.Field()
	return g
}

// What is painted on level ground stays to be seen: a level keeps the vertices where
// weights change most.
func TestLevelsKeepPaint(t *testing.T) {
	flat, err := terrain.Flat(65, 65, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := flat.Draft()
	splats := d.Splats(0, 0)
	for y := 20; y < 40; y++ {
		splats[y*terrain.TileSize+30] = terrain.Splat{Base: 0, Over: 1, Alpha: 255}
	}
	s := testScene(t, 3, 3, 1)
	s.Level.Terrain, _ = d.Field()
	data, _ := write(t, s)
	doc := new(gltf.Document)
	if err := gltf.NewDecoder(bytes.NewReader(data)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	for _, m := range doc.Meshes {
		for y := 20; y < 40; y++ {
			if w := weightAt(t, doc, m, 30, float64(y)); !(w > 0.5) {
				t.Errorf("%s: the painted layer weighs %g at sample (30, %d)", m.Name, w, y)
			}
		}
	}
	if len(doc.Meshes) < 2 {
		t.Errorf("%d levels of level ground", len(doc.Meshes))
	}
}

// Though its heights are the same, a level that lost paint is not for near by.
func TestLostPaintIsOff(t *testing.T) {
	flat, err := terrain.Flat(65, 65, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, alpha := range []uint8{0, 20} {
		d := flat.Draft()
		d.Splats(0, 0)[33*terrain.TileSize+31] = terrain.Splat{Base: 0, Over: 1, Alpha: alpha}
		s := testScene(t, 3, 3, 1)
		s.Level.Terrain, _ = d.Field()
		data, _ := write(t, s)
		doc := new(gltf.Document)
		if err := gltf.NewDecoder(bytes.NewReader(data)).Decode(doc); err != nil {
			t.Fatal(err)
		}
		levels := lodInfoOf(t, doc.Meshes[0]).Levels
		if len(levels) == 0 {
			t.Fatal("there are no levels")
		}
		for i, l := range levels {
			if alpha == 0 && l.Error != 0 || alpha > 0 && !(l.Error >= 2*heightOff[i+1]) {
				t.Errorf("with %d of paint level %d says it is %g off", alpha, i+1, l.Error)
			}
		}
	}
}

// weightAt is the weight of the second layer at a place of a mesh, in samples of a metre.
func weightAt(t testing.TB, doc *gltf.Document, m *gltf.Mesh, x, y float64) float64 {
	for _, prim := range m.Primitives {
		layers := doc.Materials[*prim.Material].Extras.(map[string]any)["layers"].([]any)
		var p [3]mgl64.Vec3
		var w [3]float64
		for k := range doc.Accessors[*prim.Indices].Count {
			v := int(vertexAt(t, doc, *prim.Indices, k)[0])
			p[k%3] = positionAt(doc, prim.Attributes[gltf.POSITION], v)
			if len(layers) == 2 {
				w[k%3] = vertexAt(t, doc, prim.Attributes[gltf.COLOR_0], v)[3]
			}
			if k%3 < 2 {
				continue
			}
			e1, e2 := p[1].Sub(p[0]), p[2].Sub(p[0])
			area := e1[0]*e2[2] - e2[0]*e1[2]
			dx, dz := x-p[0][0], y-p[0][2]
			u, v1 := (dx*e2[2]-e2[0]*dz)/area, (e1[0]*dz-dx*e1[2])/area
			if u >= 0 && v1 >= 0 && u+v1 <= 1 && len(layers) == 2 {
				return w[0] + u*(w[1]-w[0]) + v1*(w[2]-w[0])
			}
		}
	}
	return 0
}

func TestOptionsThatAreWrong(t *testing.T) {
	for want, o := range map[string]Options{
		"chunk is 48, expected 32, 64 or 128":      {Chunk: 48},
		"lods is 9, expected 1 to 5":               {LODs: 9},
		"bake is 100, expected a power of two":     {Bake: 100},
		"heights is 7":                             {Heights: 7},
		"scale is -1, expected":                    {Scale: -1},
		"scale is NaN, expected":                   {Scale: math.NaN()},
		"mesh-lods is [0.5 0.5], expected falling": {MeshLODs: []float64{0.5, 0.5}},
		"mesh-lods is [0.5 NaN], expected falling": {MeshLODs: []float64{0.5, math.NaN()}},
	} {
		s := testScene(t, 5, 5, 1)
		s.Options = o
		var out bytes.Buffer
		if _, err := Write(context.Background(), &out, s, nil); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%+v: %v, expected %q", o, err, want)
		}
	}
	// Heights that 16 bits cannot reach.
	f, err := terrain.FromHeights(2, 2, 0.001, []float32{0, 0, 0, 1000})
	if err != nil {
		t.Fatal(err)
	}
	s := testScene(t, 3, 3, 1)
	s.Level.Terrain, s.Options.Quantize = f, true
	if _, err := Write(context.Background(), &bytes.Buffer{}, s, nil); err == nil || !strings.Contains(err.Error(), "too far apart") {
		t.Errorf("%v", err)
	}
}

// Where a level cuts a cell along its other diagonal the middle of the cell is off, and
// no sample is.
func TestOtherDiagonalIsOff(t *testing.T) {
	d := newDetail(2)
	heights := []float32{0, 0, 0, 0, 4, 0, 0, 0, 0}
	d.need(func(_, _, _ int32) uint8 { return 1 })
	all := d.appendTriangles(nil, 1)
	if len(all) != 24 {
		t.Fatalf("%d triangles, expected 8", len(all)/3)
	}
	if off := d.off(heights, all); off != 2 {
		t.Errorf("the level is %g off, expected 2", off)
	}
}
