package main

import (
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/document/store"
	"ridgeline/export/runtime"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/camera"
)

// sceneOf is what the editor makes of a level that lies at a path.
func sceneOf(t testing.TB, path string) *scene.Scene {
	t.Helper()
	l := read(t, path)
	models := modelShelf{}
	for _, a := range l.Assets {
		data, err := store.ReadAsset(path, a.File)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mesh.LoadBytes(context.Background(), data, ".glb")
		if err != nil {
			t.Fatal(err)
		}
		models[a.File] = scene.NewModel(m)
	}
	s := scene.New(models)
	s.Update(l, nil)
	s.Complete()
	return s
}

// entryName is what reports call an entry of the editor's scene.
func entryName(s *scene.Scene, entry int) string {
	chunk, slot, isChunk := s.Entry(int32(entry))
	if isChunk {
		return fmt.Sprintf("tile:%d,%d", chunk.X, chunk.Y)
	}
	it := s.Items()[slot]
	if it.Point >= 0 {
		return fmt.Sprintf("%d#%d", it.ID, it.Point)
	}
	return fmt.Sprint(it.ID)
}

// cameras are those of the bookmarks, and a hundred others: outdoors, in rooms, under
// the ground, beside it, at doors, and orthographic ones.
func cameras(s *scene.Scene, n int) (list []camera.Camera, names []string) {
	l, v := s.Level(), s.Visibility()
	add := func(name string, c camera.Camera) {
		c.FitDepth(s.Bounds(), 0)
		list, names = append(list, c), append(names, name)
	}
	for name, b := range l.Settings.Bookmarks {
		add("bookmark "+name, camera.Look(b.Eye, b.Look))
	}
	r := rand.New(rand.NewPCG(5, 6))
	x0, z0 := l.Terrain.Origin()
	w, d := l.Terrain.Extent()
	bounds := s.Bounds()
	for i := range n {
		eye := mgl64.Vec3{x0 + w*r.Float64(), 0, z0 + d*r.Float64()}
		ground, _ := l.Terrain.Height(eye[0], eye[2])
		kind := []string{"walking", "walking", "flying", "in a room", "at a door", "under ground", "orthographic", "far"}[i%8]
		switch kind {
		case "walking", "orthographic":
			eye[1] = ground + 1.7
		case "flying":
			eye[1] = ground + 60*r.Float64()
		case "in a room":
			c := v.Cells[r.IntN(len(v.Cells))].Pieces
			eye = c[r.IntN(len(c))].Center()
		case "at a door":
			p := v.Portals[r.IntN(len(v.Portals))].Polygon
			eye = p[0].Add(p[2]).Mul(0.5).Add(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(0.3))
		case "under ground":
			eye[1] = ground - 5*r.Float64()
		case "far":
			eye = bounds.Max.Add(mgl64.Vec3{200, 50, 200 * r.Float64()})
		}
		turn := 2 * math.Pi * r.Float64()
		c := camera.Look(eye, eye.Add(mgl64.Vec3{math.Cos(turn), 0.8 * (r.Float64() - 0.6), math.Sin(turn)}))
		if kind == "far" {
			c = camera.Look(eye, bounds.Center())
		}
		if kind == "orthographic" {
			c.Ortho, c.Height = true, 5+60*r.Float64()
		}
		add(fmt.Sprintf("%s %d", kind, i), c)
	}
	return list, names
}

// A game that loads the exported Village culls as the editor does, verdict by verdict.
func TestExportedVillageCullsAlike(t *testing.T) {
	inDir(t)
	newVillage(t, "v.ridge")
	ok(t, "export", "v.ridge", "-o", "v.glb")
	s := sceneOf(t, "v.ridge")
	level, err := runtime.Open(context.Background(), "v.glb")
	if err != nil {
		t.Fatal(err)
	}
	defer level.Close()
	game := level.Culler()
	index := map[string]int{}
	for e := range level.Entries() {
		index[level.Entry(e)] = e
	}
	list, names := cameras(s, 100)
	if len(list) < 109 {
		t.Errorf("%d cameras", len(list))
	}
	size := image.Pt(1280, 720)
	var c cull.Culler
	seen := map[cull.Verdict]int{}
	for i, cam := range list {
		vp := cam.ViewProj(mgl64.Vec2{float64(size.X), float64(size.Y)})
		view := cull.ViewOf(cam.Eye, vp)
		view.Slack = view.PixelSlack(runtime.DefaultMaxError+1.0/64, size.Y)
		want := s.Cull(&c, view, size, cull.All)
		got := game.Run(runtime.View{Eye: cam.Eye, ViewProj: vp, Size: size})
		if got.Entries != want.Entries || len(got.Drawn) != len(want.Drawn) {
			t.Errorf("%s: %d of %d drawn, the editor draws %d of %d", names[i], len(got.Drawn), got.Entries, len(want.Drawn), want.Entries)
		}
		for test, st := range want.Stats {
			if g := got.Stats[test]; g.Tried != st.Tried || g.Removed != st.Removed {
				t.Errorf("%s, %v: tried %d and removed %d, the editor %d and %d", names[i], cull.Test(test), g.Tried, g.Removed, st.Tried, st.Removed)
			}
		}
		for e, v := range want.Verdicts {
			if v == cull.Absent {
				continue
			}
			seen[v]++
			k, ok := index[entryName(s, e)]
			if !ok || got.Verdicts[k] != v || level.Box(k) != s.Tree().Box(e) {
				t.Fatalf("%s: %s is %v, in the game %v", names[i], entryName(s, e), v, got.Verdicts[k])
			}
		}
		if len(got.Draws) == 0 && len(got.Drawn) > 0 {
			t.Errorf("%s: there is nothing to draw", names[i])
		}
	}
	for _, v := range []cull.Verdict{cull.Drawn, cull.ByFrustum, cull.ByPortal, cull.ByTerrain, cull.ByOccluder} {
		if seen[v] == 0 {
			t.Errorf("no verdict was %v", v)
		}
	}
	shows(t, s, level)
}

// shows makes sure that everything that the editor shows is drawn by an entry, and
// lies in its box.
func shows(t *testing.T, s *scene.Scene, level *runtime.Level) {
	t.Helper()
	c := level.Culler()
	c.Off = cull.All
	cam := camera.Look(mgl64.Vec3{0, 500, 0}, mgl64.Vec3{0, 0, 1})
	f := c.Run(runtime.View{Eye: cam.Eye, ViewProj: cam.ViewProj(mgl64.Vec2{800, 600}), Size: image.Pt(800, 600)})
	boxes := map[string]geom.Box{}
	for e := range level.Entries() {
		boxes[level.Entry(e)] = level.Box(e)
	}
	want := 0
	for _, it := range s.Items() {
		if it.ID != 0 && !it.Box.IsEmpty() && !it.Hidden {
			want++
		}
	}
	cols, rows := s.ChunkGrid()
	if len(f.Draws) < want || len(f.Draws) > want+cols*rows {
		t.Errorf("%d draws for %d things and %d chunks", len(f.Draws), want, cols*rows)
	}
	for _, d := range f.Draws {
		box := level.Meshes[d.Mesh].Bounds.Transform(d.World)
		n := level.Nodes[d.Node]
		found := false
		for _, b := range boxes {
			grown := geom.Box{Min: b.Min.Sub(mgl64.Vec3{1e-3, 1e-3, 1e-3}), Max: b.Max.Add(mgl64.Vec3{1e-3, 1e-3, 1e-3})}
			found = found || grown.Contains(box.Min) && grown.Contains(box.Max)
		}
		if !found {
			t.Fatalf("what node %q shows is in no box: %v", n.Name, box)
		}
	}
	l := s.Level()
	x0, z0 := l.Terrain.Origin()
	for i := range 50 {
		x, z := x0+float64(i)*7.3, z0+float64(i)*5.1
		a, ok1 := l.Terrain.Height(x, z)
		b, ok2 := level.Ground.Height(x, z)
		if a != b || ok1 != ok2 {
			t.Errorf("the ground at %g, %g is at %g, in the game at %g", x, z, a, b)
		}
	}
}
