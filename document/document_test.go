package document

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

func flat(t testing.TB, cols, rows int) *Level {
	t.Helper()
	f, err := terrain.Flat(cols, rows, 1)
	if err != nil {
		t.Fatal(err)
	}
	return NewLevel(f)
}

// raise sets one sample.
func raise(col, row int, h float32) func(*Tx) error {
	return func(tx *Tx) error {
		d := tx.Level().Terrain.Draft()
		d.Heights(col/64, row/64)[row%64*64+col%64] = h
		f, _ := d.Field()
		return tx.SetTerrain(f)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUndoGivesBackTheSamePlanes(t *testing.T) {
	l := flat(t, 200, 130)
	d := New(l, Options{})
	must(t, d.Do("raise", raise(70, 5, 3)))
	after := d.Level().Terrain
	if got := after.Sample(70, 5); got != 3 {
		t.Fatalf("sample is %g", got)
	}
	if name, ok := d.Undo(); name != "raise" || !ok {
		t.Fatalf("undo gave %q, %v", name, ok)
	}
	if ch, same := terrain.AppendChanges(nil, l.Terrain, d.Level().Terrain); !same || len(ch) > 0 {
		t.Errorf("after undo %v differ", ch)
	}
	if lo, hi := d.Level().Terrain.MinMax(); lo != 0 || hi != 0 {
		t.Errorf("after undo the range is %g–%g", lo, hi)
	}
	d.Redo()
	if ch, _ := terrain.AppendChanges(nil, after, d.Level().Terrain); len(ch) > 0 {
		t.Errorf("after redo %v differ", ch)
	}
}

func TestFailureChangesNothing(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	must(t, d.Do("one", raise(1, 1, 1)))
	before := d.Level()
	told := 0
	d.Subscribe(func(*Level, Change) { told++ })
	boom := errors.New("boom")
	half := func(end func() error) func(*Tx) error {
		return func(tx *Tx) error {
			must(t, raise(2, 2, 2)(tx))
			must(t, tx.Put(Entity{ID: tx.NewID(), Kind: KindObject}))
			return end()
		}
	}
	if err := d.Do("bad", half(func() error { return boom })); !errors.Is(err, boom) {
		t.Errorf("error is %v", err)
	}
	var p *PanicError
	if err := d.Do("bad", half(func() error { panic("ouch") })); !errors.As(err, &p) || len(p.Stack) == 0 {
		t.Errorf("error is %v", err)
	}
	nan := float32(0)
	nan /= nan
	for name, fn := range map[string]func(*Tx) error{
		"NaN":    raise(3, 3, nan),
		"parent": func(tx *Tx) error { return tx.Put(Entity{ID: tx.NewID(), Kind: KindObject, Parent: 99}) },
		"layer": func(tx *Tx) error {
			dr := tx.Level().Terrain.Draft()
			dr.Splats(0, 0)[0].Over = 4
			f, _ := dr.Field()
			return tx.SetTerrain(f)
		},
		"sun":     func(tx *Tx) error { return tx.SetSun(Sun{Elevation: 9}) },
		"unknown": func(tx *Tx) error { return tx.Delete(77, TakeChildren) },
		"id":      func(tx *Tx) error { return tx.Put(Entity{ID: 77, Kind: KindObject}) },
		"cycle": func(tx *Tx) error {
			a, b := tx.NewID(), tx.NewID()
			must(t, tx.Put(Entity{ID: a, Kind: KindObject, Parent: b}))
			return tx.Put(Entity{ID: b, Kind: KindObject, Parent: a})
		},
	} {
		if err := d.Do(name, fn); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if d.Level() != before || told != 0 || len(d.History()) != 1 || d.Position() != 1 {
		t.Errorf("level changed %v, told %d times, history %v", d.Level() != before, told, d.History())
	}
}

func TestFewerLayersThanSplatsUse(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	must(t, d.Do("paint", func(tx *Tx) error {
		dr := tx.Level().Terrain.Draft()
		dr.Splats(1, 1)[0].Over = 3
		f, _ := dr.Field()
		return tx.SetTerrain(f)
	}))
	if err := d.Do("layers", func(tx *Tx) error { return tx.SetLayers(tx.Level().Layers[:3]) }); err == nil {
		t.Error("no error")
	}
}

func TestNestedEditsJoin(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	must(t, d.Do("outer", func(tx *Tx) error {
		must(t, d.Do("inner", raise(1, 1, 5)))
		if err := d.Do("bad", func(tx *Tx) error {
			must(t, raise(2, 2, 7)(tx))
			return errors.New("no")
		}); err == nil {
			t.Error("inner error lost")
		}
		return raise(3, 3, 6)(tx)
	}))
	f := d.Level().Terrain
	if f.Sample(1, 1) != 5 || f.Sample(2, 2) != 0 || f.Sample(3, 3) != 6 {
		t.Error("samples", f.Sample(1, 1), f.Sample(2, 2), f.Sample(3, 3))
	}
	if h := d.History(); len(h) != 1 || h[0].Name != "outer" {
		t.Error("history", h)
	}
}

func TestUndoCancelsADrag(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	must(t, d.Do("one", raise(1, 1, 1)))
	state := d.State()
	o := d.Begin("drag")
	must(t, o.Step(raise(5, 5, 1)))
	must(t, o.Step(raise(5, 5, 2)))
	inner := d.Begin("inner")
	must(t, inner.Step(raise(6, 6, 2)))
	if name, ok := d.Undo(); name != "drag" || !ok {
		t.Error("undo gave", name, ok)
	}
	if err := o.Step(raise(5, 5, 3)); !errors.Is(err, ErrClosed) {
		t.Error("step gave", err)
	}
	if err := inner.Commit(); !errors.Is(err, ErrClosed) {
		t.Error("inner commit gave", err)
	}
	if err := o.Commit(); !errors.Is(err, ErrClosed) {
		t.Error("commit gave", err)
	}
	if f := d.Level().Terrain; f.Sample(5, 5) != 0 || f.Sample(6, 6) != 0 || f.Sample(1, 1) != 1 || d.State() != state {
		t.Error("the drag was not taken back")
	}
}

func TestInnerDragCancelsAlone(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	o := d.Begin("drag")
	must(t, o.Step(raise(1, 1, 1)))
	in := d.Begin("inner")
	must(t, in.Step(raise(2, 2, 2)))
	in.Cancel()
	must(t, d.Do("joins", raise(3, 3, 3)))
	must(t, o.Commit())
	f := d.Level().Terrain
	if f.Sample(1, 1) != 1 || f.Sample(2, 2) != 0 || f.Sample(3, 3) != 3 || len(d.History()) != 1 {
		t.Error("samples", f.Sample(1, 1), f.Sample(2, 2), f.Sample(3, 3), d.History())
	}
}

func TestMerge(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	var id ID
	must(t, d.Do("add", func(tx *Tx) error { id = tx.NewID(); return tx.Put(Entity{ID: id, Kind: KindObject}) }))
	at := time.Unix(1000, 0)
	nudge := func(key string, after time.Duration) {
		must(t, d.DoMerge("nudge", key, at.Add(after), func(tx *Tx) error {
			e, _ := tx.Level().Entity(id)
			c := e.Clone()
			c.Translation[0]++
			return tx.Put(c)
		}))
	}
	nudge("x", 0)
	nudge("x", 900*time.Millisecond)
	nudge("x", 1800*time.Millisecond)
	nudge("x", 2900*time.Millisecond) // too late
	nudge("y", 2950*time.Millisecond)
	nudge("", 2960*time.Millisecond)
	nudge("", 2970*time.Millisecond)
	if n := len(d.History()); n != 6 {
		t.Fatalf("%d steps, expected 6", n)
	}
	d.JumpTo(1)
	if e, _ := d.Level().Entity(id); e.Translation != (mgl64.Vec3{}) {
		t.Error("undo of a merged step gave", e.Translation)
	}
	d.JumpTo(2)
	if e, _ := d.Level().Entity(id); e.Translation[0] != 3 {
		t.Error("redo of a merged step gave", e.Translation)
	}
}

func TestDirty(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	if d.Dirty() {
		t.Error("a new document is dirty")
	}
	must(t, d.Do("a", raise(1, 1, 1)))
	s := d.State()
	must(t, d.Do("b", raise(1, 1, 2)))
	d.MarkSaved(s)
	if !d.Dirty() {
		t.Error("an edit after the save is not dirty")
	}
	d.Undo()
	if d.Dirty() {
		t.Error("undo to the saved state is dirty")
	}
	o := d.Begin("drag")
	if !d.Dirty() {
		t.Error("an open drag is not dirty")
	}
	o.Cancel()
	d.Undo()
	if !d.Dirty() {
		t.Error("undo past the saved state is not dirty")
	}
}

func TestNoticesInOrder(t *testing.T) {
	d := New(flat(t, 65, 65), Options{})
	var got []float32
	d.Subscribe(func(l *Level, c Change) {
		if l.Terrain.Sample(0, 0) == 1 {
			must(t, d.Do("echo", raise(0, 0, 2)))
		}
	})
	stop := d.Subscribe(func(l *Level, c Change) {
		got = append(got, l.Terrain.Sample(0, 0))
		if len(c.Tiles) != 1 || c.Tiles[0].Planes != terrain.PlaneHeights || !c.Committed {
			t.Errorf("change is %+v", c)
		}
	})
	must(t, d.Do("a", raise(0, 0, 1)))
	stop()
	must(t, d.Do("a", raise(0, 0, 3)))
	if len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Error("second listener saw", got)
	}
}

func TestDeletePolicies(t *testing.T) {
	build := func(tx *Tx) error {
		put := func(parent ID, at mgl64.Vec3, turn float64, scale mgl64.Vec3) {
			must(t, tx.Put(Entity{
				ID: tx.NewID(), Kind: KindObject, Parent: parent, Translation: at,
				Rotation: mgl64.QuatRotate(turn, mgl64.Vec3{0, 1, 0}), Scale: scale,
			}))
		}
		put(0, mgl64.Vec3{10, 0, 0}, 1, mgl64.Vec3{2, 2, 2})
		put(1, mgl64.Vec3{0, 5, 0}, 0.5, mgl64.Vec3{-1, 1, 1})
		put(2, mgl64.Vec3{1, 2, 3}, 0.25, mgl64.Vec3{1, 3, 1})
		put(3, mgl64.Vec3{1, 2, 3}, 0.1, mgl64.Vec3{1, 1, 1})
		return nil
	}
	d := New(flat(t, 65, 65), Options{})
	must(t, d.Do("build", build))
	world, _ := d.Level().World(3)
	must(t, d.Do("lift", func(tx *Tx) error { return tx.Delete(2, LiftChildren) }))
	l := d.Level()
	if e, _ := l.Entity(3); l.Len() != 3 || e.Parent != 1 {
		t.Fatal("not lifted")
	}
	if now, _ := l.World(3); !now.ApproxEqualThreshold(world, 1e-12) {
		t.Errorf("the lifted child moved from\n%v to\n%v", world, now)
	}
	must(t, d.Do("take", func(tx *Tx) error { return tx.Delete(1, TakeChildren) }))
	if d.Level().Len() != 0 {
		t.Error("children stayed")
	}
	d.Undo()
	d.Undo()
	if n := d.Level().Len(); n != 4 {
		t.Errorf("%d entities after undo", n)
	}
	if err := d.Level().Validate(); err != nil {
		t.Error(err)
	}
	// Ids are given out once, though undo puts back the level's count.
	d.Undo()
	must(t, d.Do("again", func(tx *Tx) error {
		if id := tx.NewID(); id != 5 {
			t.Errorf("the new id is %d, expected 5", id)
		}
		return nil
	}))
}

func TestReshapingTheGroundEndsTheBake(t *testing.T) {
	f, err := terrain.Flat(70, 70, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := New(NewLevel(f), Options{})
	edit := func(change func(*terrain.Draft)) func(*Tx) error {
		return func(tx *Tx) error {
			draft := tx.Level().Terrain.Draft()
			change(draft)
			g, _ := draft.Field()
			return tx.SetTerrain(g)
		}
	}
	bake := func(tx *Tx) error {
		if err := edit(func(d *terrain.Draft) { d.Light(0, 0)[3] = terrain.RGB{R: 9} })(tx); err != nil {
			return err
		}
		s := tx.Level().Settings.Sun
		s.Baked = true
		return tx.SetSun(s)
	}
	baked := func() bool { return d.Level().Settings.Sun.Baked }
	for _, c := range []struct {
		name string
		fn   func(*Tx) error
		want bool
	}{
		{"bake", bake, true},
		{"paint", edit(func(d *terrain.Draft) { d.Splats(0, 0)[5].Over = 1 }), true},
		{"raise", edit(func(d *terrain.Draft) { d.Heights(1, 1)[0] = 4 }), false},
		{"bake again", bake, true},
		{"dig a hole", edit(func(d *terrain.Draft) { d.Flags(0, 0)[0] = terrain.Hole }), false},
	} {
		if err := d.Do(c.name, c.fn); err != nil {
			t.Fatal(err)
		}
		if baked() != c.want {
			t.Errorf("%s: baked is %v", c.name, baked())
		}
	}
	if d.Undo(); !baked() {
		t.Error("undo does not bring the bake back")
	}
}

// Chains of parents are bounded, whether they are read, made or moved: walking up from
// each of many would take minutes. Finding that out does not take long either.
func TestLongChainsOfParents(t *testing.T) {
	const n = 200_000
	list := make([]Entity, n)
	for i := range list {
		list[i] = Entity{ID: ID(i + 1), Kind: KindObject, Parent: ID(i)}
	}
	l := flat(t, 3, 3)
	if _, err := l.WithEntities(list); err == nil || !strings.Contains(err.Error(), "below more than 256 others") {
		t.Errorf("a chain of %d: %v", n, err)
	}
	list[0].Parent = n
	if _, err := l.WithEntities(list); err == nil || !strings.Contains(err.Error(), "its own ancestor") {
		t.Errorf("a ring of %d: %v", n, err)
	}
	list[0].Parent = n + 1
	if _, err := l.WithEntities(list); err == nil || !strings.Contains(err.Error(), "its parent 200001 does not exist") {
		t.Errorf("a parent that is missing: %v", err)
	}

	// Two chains, each as long as can be, and half as long.
	list = list[:MaxDepth+1+MaxDepth/2]
	list[0].Parent, list[MaxDepth+1].Parent = 0, 0
	got, err := l.WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	d := New(got, Options{})
	defer d.Close()
	put := func(e Entity) error { return d.Do("put", func(tx *Tx) error { return tx.Put(e) }) }
	before := d.Level()
	for name, parent := range map[string]ID{"at the end": MaxDepth + 1, "in the middle": MaxDepth/2 + 2} {
		e := list[MaxDepth+1]
		e.Parent = parent
		if err := put(e); err == nil || !strings.Contains(err.Error(), "below more than 256 others") {
			t.Errorf("the second chain %s of the first: %v", name, err)
		}
	}
	if err := d.Do("add", func(tx *Tx) error {
		return tx.Put(Entity{ID: tx.NewID(), Kind: KindObject, Parent: MaxDepth + 1})
	}); err == nil {
		t.Error("one more below the longest chain was taken")
	}
	if d.Level() != before {
		t.Error("what was refused changed the level")
	}
	e := list[MaxDepth+1]
	if e.Parent = MaxDepth/2 + 1; put(e) != nil {
		t.Error("the second chain does not fit where it does")
	}
	if err := d.Level().Validate(); err != nil {
		t.Error(err)
	}
}

// What no matrix can hold does not get into a level: neither places nor factors.
func TestAbsurdNumbers(t *testing.T) {
	num := func(v float64, n int) []float64 {
		out := []float64{0, 0, 0}
		out[n%3] = v
		return out
	}
	for i, v := range []float64{1.1e10, -1e300, math.Inf(1), math.NaN()} {
		p := mgl64.Vec3(num(v, i))
		for name, e := range map[string]Entity{
			"translation": {Translation: p},
			"marker":      {Kind: KindMarker, Data: Marker{Shape: MarkerPoint, Points: []mgl64.Vec3{{}, p}}},
			"scatter":     {Kind: KindScatter, Data: Scatter{Assets: []string{"a"}, Points: []ScatterPoint{{Scale: 1}, {Scale: 1, Position: p}}}},
			"occluder":    {Kind: KindOccluder, Data: Occluder{Points: []mgl64.Vec3{{}, {}, {}, p}}},
			"hole":        {Kind: KindOccluder, Data: Occluder{Polygon: true, Points: make([]mgl64.Vec3, 3), Hole: []mgl64.Vec3{{}, {}, p}}},
			"cell":        {Kind: KindCell, Data: Cell{Pieces: [][]mgl64.Vec3{{{}, {}, {}, p}}}},
			"portal":      {Kind: KindPortal, Data: Portal{Points: []mgl64.Vec3{{}, {}, p}}},
		} {
			if e.ID = 1; e.Kind == "" {
				e.Kind = KindObject
			}
			if err := e.Validate(); err == nil || !strings.Contains(err.Error(), "within ±1e+10 m") {
				t.Errorf("%s %v: %v", name, p, err)
			}
		}
	}
	for _, v := range []float64{0, 1e-10, -1e-300, 1.1e9, -1e300, math.Inf(-1), math.NaN()} {
		for name, e := range map[string]Entity{
			"scale":   {Kind: KindObject, Scale: mgl64.Vec3{1, v, 1}},
			"scatter": {Kind: KindScatter, Data: Scatter{Assets: []string{"a"}, Points: []ScatterPoint{{Scale: v}}}},
		} {
			if e.ID = 1; e.Validate() == nil {
				t.Errorf("%s %g is valid", name, v)
			}
		}
	}
	e := Entity{ID: 1, Kind: KindObject, Translation: mgl64.Vec3{MaxPlace, -MaxPlace, 0}, Scale: mgl64.Vec3{MinScale, -MaxScale, 1}}
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
}

// Things without enough corners, or with too many, are refused by themselves.
func TestCornersAreCounted(t *testing.T) {
	of := func(n int) []mgl64.Vec3 { return make([]mgl64.Vec3, n) }
	for _, c := range []struct {
		d     Data
		valid bool
	}{
		{Occluder{Points: of(3)}, false}, {Occluder{Points: of(4)}, true}, {Occluder{Points: of(MaxCorners + 1)}, false},
		{Occluder{Points: of(2), Polygon: true}, false}, {Occluder{Points: of(3), Polygon: true}, true},
		{Occluder{Points: of(4), Hole: of(3)}, false}, {Occluder{Points: of(4), Polygon: true, Hole: of(2)}, false},
		{Cell{}, false}, {Cell{Pieces: [][]mgl64.Vec3{of(4), of(3)}}, false}, {Cell{Pieces: make([][]mgl64.Vec3, MaxPieces+1)}, false},
		{Portal{Points: of(2)}, false}, {Portal{Points: of(3), State: "ajar"}, false}, {Portal{Points: of(3), Reach: -1}, false},
		{Portal{Points: of(MaxCorners), State: PortalOneWay, Reach: 2}, true},
	} {
		if err := c.d.Validate(); (err == nil) != c.valid {
			t.Errorf("%T: %v", c.d, err)
		}
	}
}

// Layers of the outliner are bounded: each thing looks for its own among them.
func TestManyEntityLayers(t *testing.T) {
	list := make([]EntityLayer, MaxEntityLayers+1)
	for i := range list {
		list[i].Name = fmt.Sprint(i)
	}
	d := New(flat(t, 3, 3), Options{})
	defer d.Close()
	set := func(list []EntityLayer) error {
		return d.Do("layers", func(tx *Tx) error { return tx.SetEntityLayers(list) })
	}
	if set(list) == nil || set(list[:MaxEntityLayers]) != nil {
		t.Error("the bound does not hold")
	}
	list[0].Name = list[MaxEntityLayers-1].Name
	if set(list[:MaxEntityLayers]) == nil {
		t.Error("two of one name were taken")
	}
}

// What no matrix can hold does not get into a level.
func TestFarOriginsAndCameras(t *testing.T) {
	f := flat(t, 3, 3).Terrain
	d := New(NewLevel(f), Options{})
	defer d.Close()
	for _, x := range []float64{1.1e10, 1e308, math.Inf(-1), math.NaN()} {
		for _, g := range []*terrain.Field{f.WithOrigin(x, 0), f.WithOrigin(0, x)} {
			if err := d.Do("far", func(tx *Tx) error { return tx.SetTerrain(g) }); err == nil || !strings.Contains(err.Error(), "origin") {
				t.Errorf("origin %g: %v", x, err)
			}
			if err := NewLevel(g).Validate(); err == nil {
				t.Errorf("origin %g is valid", x)
			}
		}
	}
	for _, c := range []Camera{{Eye: mgl64.Vec3{1e13}}, {Eye: mgl64.Vec3{1}, Look: mgl64.Vec3{0, -1e308}}} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("camera %v: %v", c, err)
		}
	}
	if err := d.Do("near", func(tx *Tx) error { return tx.SetTerrain(f.WithOrigin(-1e10, 1e10)) }); err != nil {
		t.Error(err)
	}
}
