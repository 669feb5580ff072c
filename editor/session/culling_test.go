package session

import (
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/editor/internal/xlevel"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
)

// culled is a session in which the level for culling is seen as it is meant to be.
func culled(t testing.TB) *rig {
	t.Helper()
	r := start(t, t.TempDir())
	r.Resize(image.Pt(1280, 720), 1)
	r.NewLevel(xlevel.Culling(t), "")
	r.idle()
	r.TakeNotices() // the meshes are missing
	r.Culling.Clock = func() time.Duration { return 0 }
	r.see(xlevel.CullingEye, xlevel.CullingLook)
	return r
}

// see draws a frame of a view, as far as there is something to draw without a GPU.
func (r *rig) see(eye, look mgl64.Vec3) {
	r.t.Helper()
	r.View.Place(eye, look)
	r.Tick(0)
	r.scene.Complete()
	r.picture()
}

func (r *rig) picture() {
	c := &r.View.Rig.Camera
	r.Culling.Run(cull.ViewOf(c.Eye, c.ViewProj(r.View.sizeVec())), r.View.size)
}

// whyOf is the sentence about one thing.
func (r *rig) whyOf(id document.ID) string {
	r.t.Helper()
	r.Select(id)
	w, ok := r.Culling.Why()
	if !ok {
		return ""
	}
	return w.Text
}

func TestSentences(t *testing.T) {
	r := culled(t)
	for _, c := range []struct {
		id   document.ID
		want string
	}{
		{xlevel.Tree, "Drawn"},
		{xlevel.Chair, "Drawn"},
		{xlevel.Left, "Outside the view: beyond its left side"},
		{xlevel.Crate, "Hidden by occluder Wall"},
		{xlevel.Barrel, "Hidden by occluders Wall and Tower together"},
		{xlevel.Stove, "Its cell Kitchen is not reached: portal Door is closed"},
		{xlevel.Wall, ""}, // it is not drawn in the level
	} {
		if got := r.whyOf(c.id); got != c.want {
			t.Errorf("%d: %q, expected %q", c.id, got, c.want)
		}
	}
	// The ground says where.
	if got := r.whyOf(xlevel.Barn); !slices.Contains([]string{got[:min(len(got), 22)]}, "Hidden by terrain at (") {
		t.Errorf("behind the hill: %q", got)
	}
	ground := r.Culling.reason.because.Ground
	if h, ok := r.Level().Terrain.Height(ground[0], ground[2]); !ok || h < 5 || math.Abs(ground[2]-110) > 40 {
		t.Errorf("hidden at %v, where the ground is %g high", ground, h)
	}

	// One-way it stops one of both directions.
	r.Run("portal.set id=Door state=oneway")
	var both []string
	for range 2 {
		r.picture()
		both = append(both, r.whyOf(xlevel.Stove))
		r.Run("portal.flip id=Door")
	}
	slices.Sort(both)
	if both[0] != "Drawn" || both[1] != "Its cell Kitchen is not reached: portal Door is one-way" {
		t.Errorf("past a one-way door: %q", both)
	}
	r.Run("portal.set id=Arch state=open")
	r.Run("portal.set id=Door state=closed")
	r.see(mgl64.Vec3{128, 6, 70}, mgl64.Vec3{100, 2, 90}) // from behind nothing opens
	if got := r.whyOf(xlevel.Stove); got != "Its cell Kitchen is not reached: no portal in sight leads there" {
		t.Errorf("from behind: %q", got)
	}
	r.quiet()
}

// Names are listed as one says them.
func TestListed(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {[]string{"A"}, "A"}, {[]string{"A", "B"}, "A and B"}, {[]string{"A", "B", "C", "D"}, "A, B, C and D"},
		{[]string{"A", "B", "C", "D", "E", "F"}, "A, B, C and 3 more"},
	} {
		if got := listed(c.names); got != c.want {
			t.Errorf("%v: %q", c.names, got)
		}
	}
}

func TestFreeze(t *testing.T) {
	r := culled(t)
	r.Run("cull.freeze")
	if !r.Culling.Frozen() || !r.Shown("overlay ghosts") || !r.Shown("overlay frustum") {
		t.Fatal("it is not frozen")
	}
	was := slices.Clone(r.Culling.Report().Verdicts)
	r.see(mgl64.Vec3{10, 40, 10}, mgl64.Vec3{128, 0, 128})
	if !slices.Equal(was, r.Culling.Report().Verdicts) {
		t.Error("what is culled has followed the view")
	}
	f := r.View.Rig.Camera.Frustum(r.View.sizeVec())
	ghosts := r.Culling.AppendGhosts(nil, &f)
	has := func(id document.ID, test cull.Test) bool {
		c := TestColour(test)
		c.A = ghostAlpha
		return slices.Contains(ghosts, Ghost{r.entry(id), c})
	}
	if !has(xlevel.Barn, cull.Terrain) || !has(xlevel.Barrel, cull.Occluder) || !has(xlevel.Stove, cull.Portal) {
		t.Errorf("ghosts %v", ghosts)
	}
	for _, g := range ghosts {
		if _, removed := r.Culling.Report().Verdicts[g.Entry].Test(); !removed {
			t.Errorf("a ghost of %d, which is drawn", g.Entry)
		}
	}

	// The level changes meanwhile: entries go, come, and come back.
	r.Run("object.delete id=Barn")
	if r.Culling.Fresh() || len(r.Culling.AppendGhosts(nil, &f)) != 0 {
		t.Error("it tells of entries of a level that has changed")
	}
	r.shapes()
	r.picture()
	r.shapes()
	r.Run("undo")
	r.shapes()
	r.picture()
	if !r.Culling.Frozen() || !slices.Equal(was, r.Culling.Report().Verdicts) {
		t.Error("undo has changed what is culled")
	}
	r.Run("object.duplicate ids=Tree")
	r.Run("occluder.set id=Wall off=yes")
	r.picture()
	if got := r.whyOf(xlevel.Crate); got != "Drawn" {
		t.Errorf("behind a wall that is off: %q", got)
	}

	// Another level ends it.
	r.NewLevel(flat(t), "")
	if r.Culling.Frozen() || r.Culling.Report() != nil || r.Shown("overlay ghosts") || r.Shown("overlay frustum") {
		t.Error("it is frozen in another level")
	}
	r.shapes()
	r.Run("cull.freeze") // before anything was drawn
	if !r.Culling.Frozen() {
		t.Error("a level that was not drawn yet cannot be frozen")
	}
	r.Run("cull.freeze on=no")
	if r.Culling.Frozen() {
		t.Error("it stays frozen")
	}
	r.quiet()
}

// entry is that of an entity's one item.
func (r *rig) entry(id document.ID) int32 {
	r.t.Helper()
	cols, rows := r.scene.ChunkGrid()
	slots := r.scene.Of(id)
	if len(slots) != 1 {
		r.t.Fatalf("entity %d has %d items", id, len(slots))
	}
	return int32(cols*rows) + slots[0]
}

// shapes draws all overlays.
func (r *rig) shapes() {
	for _, o := range []string{"portalview", "occludees", "nodes"} {
		r.Show("overlay "+o, true)
	}
	f := r.View.Rig.Camera.Frustum(r.View.sizeVec())
	r.AppendShapes(&r.labelled, &f)
	r.Labels()
	r.Culling.Rank()
	r.Culling.Ranks()
	r.Culling.GhostUnder(r.View.Ray(640, 360))
}

func TestTestsSwitch(t *testing.T) {
	r := culled(t)
	for _, c := range []struct {
		line string
		off  cull.Tests
	}{
		{"cull.toggle portals", cull.Only(cull.Portal)},
		{"cull.toggle occlusion", cull.Only(cull.Portal, cull.Terrain, cull.Occluder)},
		{"cull.toggle portals", cull.Only(cull.Terrain, cull.Occluder)},
		{"cull.set terrain=on", cull.Only(cull.Occluder)},
		{"cull.toggle occlusion", 0},
	} {
		r.Run(c.line)
		r.picture()
		if got := cull.All &^ r.Culling.Tests(); got != c.off {
			t.Errorf("%s: off are %v, expected %v", c.line, got, c.off)
		}
		for test, st := range r.Culling.Report().Stats {
			if c.off.Has(cull.Test(test)) && st.Tried > 0 {
				t.Errorf("%s: %v has tried %d", c.line, cull.Test(test), st.Tried)
			}
		}
	}
	r.Run("cull.boxes")
	if !r.Shown("overlay occluders") || !r.Shown("overlay occludees") {
		t.Error("boxes are not shown")
	}
	r.Run("view.overlay occluders; cull.boxes") // one of two: both
	if !r.Shown("overlay occluders") || !r.Shown("overlay occludees") {
		t.Error("boxes are not both shown")
	}
	r.Run("cull.boxes")
	if r.Shown("overlay occluders") || r.Shown("overlay occludees") {
		t.Error("boxes are still shown")
	}
	r.quiet()
}

// The ranking is that of the culler, made in parts.
func TestRanks(t *testing.T) {
	r := culled(t)
	for r.Culling.Rank() {
	}
	list, now := r.Culling.Ranks()
	if !now || len(list) != 2 {
		t.Fatalf("ranks %v, now %v", list, now)
	}
	for _, k := range list {
		i, _ := r.scene.Visibility().Occluder(k.ID)
		if want := r.Culling.culler.Hides(nil)[i]; want != k.Hides || k.Hides == 0 {
			t.Errorf("%s hides %d, expected %d", k.Name, k.Hides, want)
		}
	}
	if list[0].Hides < list[1].Hides {
		t.Errorf("not in order: %v", list)
	}
	r.see(mgl64.Vec3{128, 6, 20}, mgl64.Vec3{128, 6, 0})
	if _, now := r.Culling.Ranks(); now {
		t.Error("the ranking of another view passes for that of this one")
	}
}

// A check is made in steps, begins anew when the view changes meanwhile, and finds what
// should not have been removed.
func TestCheck(t *testing.T) {
	r := culled(t)
	k := &r.Culling
	wrong := r.entry(xlevel.Barn)
	seen := func(e int32) bool {
		return k.Report().Verdicts[e] == cull.Drawn && e != r.entry(xlevel.Tree) || e == wrong
	}
	if k.CheckDue() {
		t.Error("a check is due that nobody wants")
	}
	r.Run("cull.oracle")
	q, ok := k.NextCheck()
	if !ok || !q.Full || !q.First || q.Last {
		t.Fatalf("first step %+v, %v", q, ok)
	}
	k.Checked(q, seen, nil)
	r.see(xlevel.CullingEye.Add(mgl64.Vec3{1, 0, 0}), xlevel.CullingLook)
	if q, _ = k.NextCheck(); !q.First {
		t.Error("it goes on with another view")
	}
	k.Checked(q, seen, nil)
	if q, _ = k.NextCheck(); q.First || q.Full || !q.Last {
		t.Errorf("second step %+v", q)
	}
	k.Checked(q, seen, nil)
	if k.CheckDue() {
		t.Error("it never ends")
	}
	res, ok := k.Result()
	if !ok || !res.Now || !res.Full || len(res.Things) != 1 || res.Things[0].ID != xlevel.Barn || res.Things[0].Name != "Barn" || res.Things[0].Verdict != cull.ByTerrain {
		t.Fatalf("result %+v", res)
	}
	r.Run("view.overlay ghosts")
	f := r.View.Rig.Camera.Frustum(r.View.sizeVec())
	red := FalseColour
	red.A = ghostAlpha
	if !slices.Contains(k.AppendGhosts(nil, &f), Ghost{wrong, red}) {
		t.Error("what was removed wrongly is not red")
	}
	// While idle: once for each view at rest.
	r.Run("cull.oracle idle=yes")
	if k.CheckDue() {
		t.Error("it checks what was checked")
	}
	r.see(xlevel.CullingEye, xlevel.CullingLook)
	if res, _ := k.Result(); res.Now {
		t.Error("the result passes for that of the present view")
	}
	r.View.moving = true
	if k.CheckDue() {
		t.Error("it checks while the view moves")
	}
	r.View.moving = false
	for n := 0; k.CheckDue(); n++ {
		if n > 2 {
			t.Fatal("it never ends")
		}
		q, _ := k.NextCheck()
		k.Checked(q, seen, nil)
	}
	r.quiet()
}

// A heat map counts what a run for each place and direction says is drawn.
func TestHeat(t *testing.T) {
	r := culled(t)
	r.Run("cull.heatmap step=40")
	if !r.Culling.MakingHeat() {
		t.Error("it is not in the making")
	}
	r.idle()
	h := r.Culling.HeatShown()
	if h == nil || h.Cols != 7 || h.Rows != 7 || r.Culling.MakingHeat() {
		t.Fatalf("heat map %+v", h)
	}
	s := scene.New(snapshot{})
	s.Update(r.Level(), nil)
	s.Complete()
	var c cull.Culler
	least, most := math.MaxInt, 0
	for i := range h.Triangles {
		eye, ok := h.At(i)
		if y, _ := r.Level().Terrain.Height(eye[0], eye[2]); !ok || math.Abs(eye[1]-y-1.7) > 1e-9 {
			t.Fatalf("place %d is at %v", i, eye)
		}
		worst := 0
		for d, dir := range []mgl64.Vec3{{0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}} {
			cam := heatCamera(eye, d, s.Bounds())
			if got := cam.Forward(); got.Sub(dir).Len() > 1e-9 {
				t.Fatalf("direction %d looks along %v", d, got)
			}
			v := cull.ViewOf(eye, cam.ViewProj(mgl64.Vec2{1, 1}))
			v.Slack = v.PixelSlack(r.Settings.View.MaxError, heatView)
			n := 0
			report := s.Cull(&c, v, image.Pt(heatView, heatView), cull.All)
			for e, verdict := range report.Verdicts {
				if verdict != cull.Drawn {
					continue
				}
				if chunk, slot, ground := s.Entry(int32(e)); ground {
					n += chunkTriangles(r.Level().Terrain, chunk, eye, r.Settings.View.MaxError, heatView/2)
				} else {
					n += len(s.Items()[slot].Model.Indices) / 3
				}
			}
			if d == int(h.Worst[i]) && n != h.Triangles[i] {
				t.Errorf("place %d: %d triangles, expected %d", i, h.Triangles[i], n)
			}
			worst = max(worst, n)
		}
		if worst != h.Triangles[i] {
			t.Errorf("place %d: %d triangles, at worst %d", i, h.Triangles[i], worst)
		}
		least, most = min(least, worst), max(most, worst)
	}
	if h.Least != least || h.Most != most || least == most {
		t.Errorf("from %d to %d, expected %d to %d", h.Least, h.Most, least, most)
	}

	// A click goes there.
	i := slices.Index(h.Triangles, h.Most)
	eye, _ := h.At(i)
	r.Select()
	r.View.Place(eye.Add(mgl64.Vec3{0, 60, 0}), eye)
	r.Tick(0)
	at := r.View.sizeVec().Mul(0.5)
	for _, kind := range []PointerKind{PointerPress, PointerRelease} {
		r.Pointer(Pointer{Kind: kind, X: at[0], Y: at[1], Button: Left})
	}
	if d := r.View.Rig.Eye.Sub(eye).Len(); d > 1e-6 {
		t.Errorf("a click went to %v, expected %v", r.View.Rig.Eye, eye)
	}
	if d := r.View.Rig.Forward().Sub(heatDirections[h.Worst[i]]).Len(); d > 1e-6 {
		t.Errorf("it looks along %v", r.View.Rig.Forward())
	}
	r.Run("cull.heatmap off")
	if r.Culling.Heat() != nil {
		t.Error("it is not taken away")
	}
	r.quiet()
	if err := r.Execute("cull.heatmap off"); err == nil {
		t.Error("there is none to take away, and no error")
	}
	if err := r.Execute("cull.heatmap step=0.5"); err == nil {
		t.Error("too many places, and no error")
	}
	// Another level ends it.
	r.Run("cull.heatmap step=4")
	r.NewLevel(flat(t), "")
	r.idle()
	if r.Culling.Heat() != nil || r.Culling.MakingHeat() {
		t.Error("the heat map of another level is shown")
	}
}

// The levels of a chunk of ground are counted as they are drawn.
func TestChunkTriangles(t *testing.T) {
	l := flat(t)
	if got := chunkTriangles(l.Terrain, image.Pt(0, 0), mgl64.Vec3{64, 10, 64}, 2, 512); got != 2 {
		t.Errorf("flat ground has %d triangles", got)
	}
	hill := xlevel.Culling(t).Terrain
	if got := chunkTriangles(hill, image.Pt(0, 1), mgl64.Vec3{32, 30, 96}, 0, 512); got != 2*64*64 {
		t.Errorf("a hill in full detail has %d triangles", got)
	}
}

// A click chooses the ghost under the pointer though something drawn is before it, and
// ground too.
func TestClickGhosts(t *testing.T) {
	r := culled(t)
	r.Run("view.overlay ghosts")
	click := func(p mgl64.Vec3) {
		t.Helper()
		r.Select()
		at, _, ok := r.View.Rig.Camera.Project(p, r.View.sizeVec())
		if !ok {
			t.Fatalf("%v is not in the picture", p)
		}
		for _, kind := range []PointerKind{PointerPress, PointerRelease} {
			r.Pointer(Pointer{Kind: kind, X: at[0], Y: at[1], Button: Left})
		}
	}
	click(mgl64.Vec3{20, 2, 60})
	if sel := r.Selection(); len(sel) != 1 || sel[0] != xlevel.Barn {
		t.Errorf("behind the hill: %v", sel)
	}
	if w, ok := r.Culling.Why(); !ok || w.Title != "Barn" || w.Verdict != cull.ByTerrain {
		t.Errorf("why: %+v", w)
	}
	labels := r.Labels()
	if !slices.ContainsFunc(labels, func(l Label) bool { return l.Text == r.whyOf(xlevel.Barn) && l.Colour == TestColour(cull.Terrain) }) {
		t.Errorf("labels %v", labels)
	}
	// Ground that is removed, seen from above while frozen.
	r.Run("cull.freeze")
	r.see(mgl64.Vec3{128, 200, 10}, mgl64.Vec3{128, 0, 10.01})
	removed := -1
	for e, v := range r.Culling.Report().Verdicts[:16] {
		if _, cut := v.Test(); cut {
			removed = e
		}
	}
	if removed < 0 {
		t.Fatal("no ground is removed in this view")
	}
	entry, ok := r.Culling.GhostUnder(geom.Ray{Origin: r.scene.Tree().Box(removed).Center().Add(mgl64.Vec3{0, 300, 0}), Dir: mgl64.Vec3{0, -1, 0}})
	if !ok || entry != int32(removed) {
		t.Errorf("under the pointer is %d, %v; expected the ground %d", entry, ok, removed)
	}
}

// Where a ghost is seen through a thing that is drawn, a click that has just chosen the
// thing leaves it chosen, and a second one chooses the ghost.
func TestClickGhostBehindThing(t *testing.T) {
	r := culled(t)
	r.Run("cull.freeze")
	barn := mgl64.Vec3{20, 2, 60}
	r.see(mgl64.Vec3{165.6, 5.9, 177}, barn)
	at, _, _ := r.View.Rig.Camera.Project(barn, r.View.sizeVec())
	r.Select(xlevel.Tree)
	for _, click := range []struct {
		again bool
		want  document.ID
	}{{false, xlevel.Tree}, {true, xlevel.Barn}} {
		r.Culling.clicked(r.View.Ray(at[0], at[1]), click.again)
		if sel := r.Selection(); len(sel) != 1 || sel[0] != click.want {
			t.Errorf("again %v: %v, expected %d", click.again, sel, click.want)
		}
	}
}

// The handle of the thing that is chosen does not keep a click from the ghost behind it.
// One that moves something is no click.
func TestClickGhostBehindHandle(t *testing.T) {
	r := culled(t)
	r.Run("cull.freeze; gizmo move")
	barn, _ := r.Level().World(xlevel.Barn)
	behind := barn.Col(3).Vec3().Add(mgl64.Vec3{0, 2, 0})
	pivot := command.Pivot(r.Level(), []document.ID{xlevel.Tree})
	eye := pivot.Add(pivot.Sub(behind).Normalize().Mul(20))
	r.see(eye, behind)
	at, _, _ := r.View.Rig.Camera.Project(pivot, r.View.sizeVec())
	p := Pointer{X: at[0], Y: at[1], Button: Left}
	ghost, ok := r.Culling.GhostUnder(r.View.Ray(p.X, p.Y))
	want := r.Culling.idOf(ghost)
	send := func(kinds ...PointerKind) {
		for _, p.Kind = range kinds {
			r.Pointer(p)
		}
	}
	r.Select(xlevel.Tree)
	if !ok || want == 0 || !r.onHandle(p) {
		t.Fatalf("ghost %d, handle %v", want, r.onHandle(p))
	}
	send(PointerPress)
	p.X += 2
	send(PointerMove, PointerRelease)
	if sel := r.Selection(); len(sel) != 1 || sel[0] != xlevel.Tree || !r.Document().CanUndo() {
		t.Fatalf("dragging the handle chose %v", sel)
	}
	r.Run("undo")
	r.see(eye, behind)
	p.X = at[0]
	send(PointerPress, PointerRelease)
	if sel := r.Selection(); len(sel) != 1 || sel[0] != want {
		t.Errorf("chosen are %v, expected %d", sel, want)
		t.Errorf("chosen are %v, expected %d", sel, want)
	}
}

// Nothing is allocated for a picture once it was drawn.
func TestCullingAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	r := culled(t)
	r.Run("cull.freeze; view.overlay occludees")
	r.Select()
	f := r.View.Rig.Camera.Frustum(r.View.sizeVec())
	var ghosts []Ghost
	draw := func() {
		r.picture()
		ghosts = r.Culling.AppendGhosts(ghosts[:0], &f)
		r.labelled.Reset()
		r.Culling.append(&r.labelled, &f)
	}
	draw()
	if n := testing.AllocsPerRun(20, draw); n > 0 {
		t.Errorf("%g allocations for a picture", n)
	}
}
