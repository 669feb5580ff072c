package visibility_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/export/visibility"
	"ridgeline/export/visibility/take"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/portal"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// corners are those of a box.
func corners(lo, hi geom.Vec3) (out []mgl64.Vec3) {
	b := geom.Box{Min: lo, Max: hi}
	for i := range 8 {
		out = append(out, b.Corner(i))
	}
	return out
}

// level has one of everything, on ground with a hole.
func level(t testing.TB, seed uint64) *document.Level {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	cols, rows := 2+r.IntN(200), 2+r.IntN(150)
	heights := make([]float32, cols*rows)
	for i := range heights {
		heights[i] = float32(10 * r.NormFloat64())
	}
	f, err := terrain.FromHeights(cols, rows, 0.5+r.Float64(), heights)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	for range 1 + r.IntN(9) {
		d.Flags(0, 0)[r.IntN(min(cols-1, 64))+r.IntN(min(rows-1, 64))*terrain.TileSize] = terrain.Hole
	}
	f, _ = d.Field()
	var list []document.Entity
	add := func(data document.Data, at mgl64.Vec3) *document.Entity {
		list = append(list, document.Entity{
			ID: document.ID(len(list) + 1), Kind: data.Kind(), Name: fmt.Sprint("thing ", len(list)), Data: data, Translation: at,
			Rotation: mgl64.QuatRotate(r.Float64(), mgl64.Vec3{0, 1, 0}), Scale: mgl64.Vec3{1, 1 + r.Float64(), 1},
		})
		return &list[len(list)-1]
	}
	for range 1 + r.IntN(5) {
		add(document.Object{Asset: "cube"}, mgl64.Vec3{50 * r.Float64(), 3, 50 * r.Float64()})
	}
	list[len(list)-1].Hidden = true
	add(document.Scatter{Assets: []string{"cube"}, Points: []document.ScatterPoint{
		{Scale: 1}, {Scale: 2, Position: mgl64.Vec3{5, 0, 5}}, {Scale: 1, Position: mgl64.Vec3{9, 0, 5}},
	}}, mgl64.Vec3{})
	add(document.Occluder{Points: corners(geom.Vec3{}, geom.Vec3{8, 4, 0.5})}, mgl64.Vec3{20, 0, 20}).Parent = 1
	add(document.Occluder{Points: corners(geom.Vec3{}, geom.Vec3{8, 0, 0.5})}, mgl64.Vec3{}) // flat: no hull
	add(document.Occluder{Polygon: true, Off: true, Points: []mgl64.Vec3{{}, {4, 0, 0}, {4, 3, 0}, {0, 3, 0}}, Hole: []mgl64.Vec3{{1, 1, 0}, {2, 1, 0}, {2, 2, 0}}}, mgl64.Vec3{3, 3, 3})
	list = append(list,
		document.Entity{ID: 100, Kind: document.KindCell, Name: "room", Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}, Data: document.Cell{Pieces: [][]mgl64.Vec3{corners(geom.Vec3{}, geom.Vec3{6, 3, 6})}}},
		document.Entity{ID: 101, Kind: document.KindPortal, Name: "door", Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}, Data: document.Portal{
			Points: []mgl64.Vec3{{6, 0, 1}, {6, 2, 1}, {6, 2, 2}, {6, 0, 2}}, State: document.PortalStates[r.IntN(3)],
		}},
		document.Entity{ID: 102, Kind: document.KindOccluder, Name: "wall", Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}, Data: document.Occluder{
			Points: corners(geom.Vec3{5.5, 0, 0}, geom.Vec3{6.5, 3, 6}),
		}})
	l, err := document.NewLevel(f.WithOrigin(1e5, -3)).WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func taken(t testing.TB, l *document.Level) *visibility.Data {
	s := scene.New(nil)
	s.Update(l, nil)
	return take.Scene(s, func(id document.ID, point int) (node, instance int) {
		if point >= 0 {
			return 7, point
		}
		return int(id), visibility.None
	})
}

// file is what an extension stands in.
type file struct {
	doc   []byte
	views [][]byte
}

const nodes = 200

func encode(t testing.TB, d *visibility.Data, h visibility.Heights) file {
	t.Helper()
	var f file
	var sizes []int64
	doc, payloads, err := d.Encode(h, func(size int64) int {
		sizes = append(sizes, size)
		return len(sizes) - 1
	})
	if err != nil {
		t.Fatal(err)
	}
	f.doc = doc
	for i, p := range payloads {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if int64(b.Len()) != p.Size || p.Size != sizes[i] {
			t.Fatalf("payload %d has %d bytes, %d were told of and %d asked for", i, b.Len(), p.Size, sizes[i])
		}
		f.views = append(f.views, b.Bytes())
	}
	return f
}

func (f *file) decode() (*visibility.Data, error) {
	return visibility.Decode(context.Background(), f.doc, nodes, func(view int) (*io.SectionReader, error) {
		if view < 0 || view >= len(f.views) {
			return nil, &fault.Error{Found: fmt.Sprint("view ", view)}
		}
		return io.NewSectionReader(bytes.NewReader(f.views[view]), 0, int64(len(f.views[view]))), nil
	})
}

// seeds is how many levels are tried: fewer where time is short.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return (n + 3) / 4
	}
	return n
}

// What is written is read again, to the bit, and written again without a difference.
func TestRoundTrip(t *testing.T) {
	for seed := range seeds(20) {
		d := taken(t, level(t, seed))
		f := encode(t, d, visibility.Float)
		got, err := f.decode()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again := encode(t, got, visibility.Float)
		if diff := cmp.Diff(f, again, cmp.AllowUnexported(file{})); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if len(got.Occluders) != 3 || len(got.Occluders[2].Portals) != 1 || got.Occluders[0].Owner != 1 {
			t.Fatalf("%+v", got.Occluders)
		}
		a, b := d.Ground, got.Ground
		if diff := cmp.Diff(a.Pyramid, b.Pyramid); diff != "" {
			t.Error(diff)
		}
		for row := range a.Rows {
			for col := range a.Columns {
				hole := row < a.Rows-1 && col < a.Columns-1 && a.Field.IsHole(col, row) != b.Field.IsHole(col, row)
				if a.Field.Sample(col, row) != b.Field.Sample(col, row) || hole {
					t.Fatalf("sample %d, %d differs", col, row)
				}
			}
		}
		if err := b.Field.Bounds(); err != a.Field.Bounds() {
			t.Error(err)
		}
	}
}

// Heights of 16 bits are right to half a step, and the ground that hides is never
// above the true one.
func TestBits16(t *testing.T) {
	for seed := range seeds(5) {
		d := taken(t, level(t, seed))
		f := encode(t, d, visibility.Bits16)
		got, err := f.decode()
		if err != nil {
			t.Fatal(err)
		}
		g := got.Ground
		for row := range g.Rows {
			for col := range g.Columns {
				want := float64(d.Ground.Field.Sample(col, row))
				if diff := math.Abs(float64(g.Field.Sample(col, row)) - want); !(diff <= 0.501*g.Step+1e-6*math.Abs(want)) {
					t.Fatalf("sample %d, %d is %g m off, a step is %g", col, row, diff, g.Step)
				}
			}
		}
		s, err := got.Scene()
		if err != nil || s.Slopes != nil {
			t.Error(err, len(s.Slopes))
		}
	}
}

func TestWithoutHeights(t *testing.T) {
	f := encode(t, taken(t, level(t, 1)), visibility.Without)
	d, err := f.decode()
	if err != nil {
		t.Fatal(err)
	}
	if d.Ground == nil || d.Ground.Field != nil || d.Ground.Pyramid == nil {
		t.Errorf("%+v", d.Ground)
	}
	if s, err := d.Scene(); err != nil || s.Horizon != nil {
		t.Error(s.Horizon, err)
	}
}

// An occluder with a door in it hides while the door is shut.
func TestDoors(t *testing.T) {
	o := visibility.Occluder{Portals: []int32{0, 1}}
	for _, c := range []struct {
		a, b portal.State
		off  bool
		want bool
	}{
		{portal.Closed, portal.Closed, false, true}, {portal.Closed, portal.Open, false, false},
		{portal.OneWay, portal.Closed, false, false}, {portal.Closed, portal.Closed, true, false},
	} {
		o.Off = c.off
		if got := o.Hides(func(p int) portal.State { return [2]portal.State{c.a, c.b}[p] }); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Whatever is wrong in the value gives one error that says where.
func TestBadValues(t *testing.T) {
	f := encode(t, taken(t, level(t, 3)), visibility.Float)
	for _, c := range []struct {
		name   string
		change func(m map[string]any)
		want   string
	}{
		{"version", func(m map[string]any) { m["version"] = 2 }, "version"},
		{"split", func(m map[string]any) { m["tree"].(map[string]any)["split"] = "hex" }, "tree.split"},
		{"size", func(m map[string]any) { m["tree"].(map[string]any)["size"] = 0 }, "tree.size"},
		{"items", func(m map[string]any) { m["tree"].(map[string]any)["items"] = -1 }, "tree.items"},
		{"count", func(m map[string]any) { m["entries"].(map[string]any)["count"] = 1 << 30 }, "entries.boxes"},
		{"few", func(m map[string]any) { m["entries"].(map[string]any)["count"] = 0 }, "entries.count"},
		{"view", func(m map[string]any) { m["entries"].(map[string]any)["boxes"] = 99 }, "entries.boxes"},
		{"columns", func(m map[string]any) { m["ground"].(map[string]any)["columns"] = 16000 }, "ground"},
		{"rows", func(m map[string]any) { m["ground"].(map[string]any)["rows"] = -1 }, "ground"},
		{"spacing", func(m map[string]any) { m["ground"].(map[string]any)["spacing"] = 0 }, "ground.spacing"},
		{"origin", func(m map[string]any) { m["ground"].(map[string]any)["origin"] = []float64{1e300, 0} }, "ground.origin"},
		{"type", func(m map[string]any) {
			m["ground"].(map[string]any)["heights"].(map[string]any)["type"] = "int8"
		}, "ground.heights.type"},
		{"scale", func(m map[string]any) {
			h := m["ground"].(map[string]any)["heights"].(map[string]any)
			h["type"], h["scale"], h["offset"] = "uint16", 1e30, 0
		}, "ground.heights"},
		{"off", func(m map[string]any) { m["ground"].(map[string]any)["off"] = -1 }, "ground.off"},
		{"node", func(m map[string]any) { m["ground"].(map[string]any)["node"] = nodes }, "ground.node"},
		{"root", func(m map[string]any) { m["root"] = -1 }, "root"},
		{"from", func(m map[string]any) { m["portals"].([]any)[0].(map[string]any)["from"] = 1 }, "portals[0]"},
		{"no from", func(m map[string]any) { delete(m["portals"].([]any)[0].(map[string]any), "from") }, "portals[0].from"},
		{"no tree", func(m map[string]any) { delete(m, "tree") }, "tree"},
		{"origin of three", func(m map[string]any) { m["ground"].(map[string]any)["origin"] = []float64{1, 2, 3} }, "ground.origin"},
		{"point of two", func(m map[string]any) {
			m["portals"].([]any)[0].(map[string]any)["polygon"].([]any)[2] = []float64{1, 2}
		}, "portals[0].polygon[2]"},
		{"state", func(m map[string]any) { m["portals"].([]any)[0].(map[string]any)["state"] = "ajar" }, "portals[0].state"},
		{"portal", func(m map[string]any) { m["portals"].([]any)[0].(map[string]any)["polygon"] = []any{} }, "portals[0].polygon"},
		{"far", func(m map[string]any) {
			m["portals"].([]any)[0].(map[string]any)["polygon"].([]any)[0] = []float64{1e200, 0, 0}
		}, "portals[0].polygon"},
		{"crossing", func(m map[string]any) { m["occluders"].([]any)[2].(map[string]any)["portals"] = []int{1} }, "occluders[2].portals"},
		{"neither", func(m map[string]any) { delete(m["occluders"].([]any)[0].(map[string]any), "hull") }, "occluders[0]"},
		{"thin", func(m map[string]any) {
			m["occluders"].([]any)[1].(map[string]any)["polygon"] = [][3]float64{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}
		}, "occluders[1].polygon"},
		{"face", func(m map[string]any) {
			m["occluders"].([]any)[0].(map[string]any)["hull"].(map[string]any)["faces"].([]any)[0] = []int{0, 1, 99}
		}, "occluders[0].hull"},
		{"plane", func(m map[string]any) {
			m["occluders"].([]any)[0].(map[string]any)["hull"].(map[string]any)["planes"].([]any)[0] = [4]float64{1, 0, 0, 5}
		}, "occluders[0].hull"},
		{"inside out", func(m map[string]any) {
			h := m["cells"].([]any)[0].(map[string]any)["pieces"].([]any)[0].(map[string]any)
			h["planes"] = []any{}
		}, "cells[0].pieces[0]"},
	} {
		var m map[string]any
		if err := json.Unmarshal(f.doc, &m); err != nil {
			t.Fatal(err)
		}
		c.change(m)
		bad := f
		bad.doc, _ = json.Marshal(m)
		_, err := bad.decode()
		var e *fault.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Place, "RIDGELINE_visibility."+c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for view := range f.views {
		if len(f.views[view]) == 0 {
			continue
		}
		bad := f
		bad.views = append([][]byte(nil), f.views...)
		bad.views[view] = f.views[view][:len(f.views[view])-1]
		if _, err := bad.decode(); err == nil {
			t.Errorf("view %d may be too short", view)
		}
	}
	nan := f
	nan.views = append([][]byte(nil), f.views...)
	nan.views[0] = bytes.Repeat([]byte{0xff}, len(f.views[0]))
	if _, err := nan.decode(); err == nil {
		t.Error("boxes may be no numbers")
	}
}

// Any data that holds together comes back.
func TestHullsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []geom.Vec3
		for range rapid.IntRange(4, 30).Draw(t, "points") {
			var p geom.Vec3
			for a := range p {
				p[a] = rapid.Float64Range(-1e4, 1e4).Draw(t, "x")
			}
			points = append(points, p)
		}
		h, err := hull.Of(points)
		if err != nil {
			t.Skip()
		}
		d := &visibility.Data{Root: visibility.None, Cells: []visibility.Cell{{ID: 1, Pieces: []*hull.Hull{h}}}}
		doc, _, err := d.Encode(visibility.Float, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := file{doc: doc}
		got, err := f.decode()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(h, got.Cells[0].Pieces[0], cmpopts.IgnoreUnexported(hull.Hull{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzDecode feeds any value, over payloads of a real level.
func FuzzDecode(f *testing.F) {
	for _, h := range []visibility.Heights{visibility.Float, visibility.Bits16, visibility.Without} {
		x := encode(f, taken(f, level(f, 3)), h)
		f.Add(x.doc, []byte{})
	}
	base := encode(f, taken(f, level(f, 3)), visibility.Float)
	f.Fuzz(func(t *testing.T, doc, extra []byte) {
		x := file{doc: doc, views: append(append([][]byte(nil), base.views...), extra)}
		d, err := x.decode()
		if err != nil {
			return
		}
		if _, err := d.Scene(); err != nil {
			t.Fatal(err)
		}
		again := encode(t, d, visibility.Float)
		if _, err := again.decode(); err != nil {
			t.Fatal(err)
		}
	})
}

// The example of the format's description is one, and does what is said of it.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## RIDGELINE_visibility\n")
	_, value, ok := strings.Cut(part, "```json\n")
	value, _, ok2 := strings.Cut(value, "```")
	if !ok || !ok2 {
		t.Fatal("there is no example")
	}
	views := make([][]byte, 9)
	for _, v := range []float64{0, 0, 0, 4, 5, 4} {
		views[6] = binary.LittleEndian.AppendUint64(views[6], math.Float64bits(v))
	}
	for view, list := range map[int][]float32{7: {0, 5}, 8: {0, 0, 0, 0, 5, 0, 0, 0, 0}} {
		for _, v := range list {
			views[view] = binary.LittleEndian.AppendUint32(views[view], math.Float32bits(v))
		}
	}
	f := file{doc: []byte(value), views: views}
	d, err := f.decode()
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Scene()
	if err != nil {
		t.Fatal(err)
	}
	if s.Occluders[0].Hull != nil {
		t.Error("the wall hides something although its door is open")
	}
	if cell, ok := s.Portals.Cell(geom.Vec3{1, 1, 1}); !ok || cell != 0 {
		t.Error("the hut is not where it is")
	}
	s.Portals = s.Portals.SetState(0, portal.Closed)
	if d.Shut(s); s.Occluders[0].Hull == nil {
		t.Error("the wall hides nothing although its door is shut")
	}
	if h, ok := d.Ground.Field.Height(2, 2); !ok || h != 5 || d.Ground.Pyramid[0].Ranges[0].Max != 5 {
		t.Error("the ground is another")
	}
}
