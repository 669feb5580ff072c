package panel

import (
	"slices"
	"strings"
	"testing"

	"gioui.org/io/key"

	"ridgeline/document"
	"ridgeline/widgets/widgettest"
)

// row finds a row of the outliner.
func (r *rig) row(label string) widgettest.Node {
	r.T.Helper()
	return r.Find(label)
}

// steps is how many steps the history has.
func (r *rig) steps() int { return len(r.s.Document().History()) }

// one checks that a gesture made one step of the history, which undo takes back, and
// goes back to before it.
func (r *rig) one(what string, do func()) {
	r.T.Helper()
	before, was := r.s.Document().Position(), r.s.Level()
	do()
	r.noErrors()
	if n := r.s.Document().Position() - before; n != 1 {
		r.T.Fatalf("%s made %d steps, expected 1", what, n)
	}
	if r.s.Level() == was {
		r.T.Fatalf("%s changed nothing", what)
	}
}

func (r *rig) entity(id document.ID) *document.Entity {
	r.T.Helper()
	e, ok := r.s.Level().Entity(id)
	if !ok {
		r.T.Fatalf("there is no entity %d", id)
	}
	return e
}

func TestOutlinerSelects(t *testing.T) {
	r := thingsRig(t, 288, 900, 1, village...)
	selected := func(want ...document.ID) {
		t.Helper()
		if got := r.s.Selection(); !slices.Equal(got, want) {
			t.Errorf("selected %d, expected %d", got, want)
		}
	}
	r.Click("Barrel")
	selected(3)
	if !r.Find("Barrel").Selected || r.Find("Barrel 2").Selected {
		t.Error("the row is not shown as selected")
	}
	r.Hold(key.ModCtrl)
	r.Click("Road")
	selected(3, 9)
	r.Click("Barrel")
	selected(9)
	r.Hold(0)
	r.Click("Barrel")
	r.Hold(key.ModShift)
	r.Click("Village") // below the old pine
	selected(3, 4, 5, 6)
	r.Hold(0)
	r.Key(key.NameDownArrow, 0)
	selected(7)

	// What is selected elsewhere is shown: what stands above is opened.
	if r.Has("Bakery") {
		t.Fatal("the group is open at first")
	}
	r.s.Select(2)
	r.Frame()
	if !r.Has("Bakery") || !r.Find("Bakery").Selected {
		t.Error("what is selected in a closed group is not shown")
	}
	r.Click("Close Village")
	if r.Has("Bakery") {
		t.Error("the group does not close")
	}
	selected(2)
	r.DoubleClick("Road")
	if eye := r.s.View.Rig.Eye; eye.Sub(r.s.Scene().BoundsOf(9).Center()).Len() > 200 {
		t.Errorf("a double click does not frame: the eye is at %v", eye)
	}
	r.noErrors()
}

func TestOutlinerSearch(t *testing.T) {
	r := thingsRig(t, 288, 900, 1, village...)
	rows := func(want ...string) {
		t.Helper()
		var got []string
		for i := range r.shell.outliner.rows {
			got = append(got, r.shell.outliner.row(i).Label)
		}
		if !slices.Equal(got, want) {
			t.Errorf("rows %q, expected %q", got, want)
		}
	}
	search := func(text string) {
		r.Click(sSearchLevel)
		r.Key("A", key.ModShortcut)
		r.Type(text)
	}
	search("bakery")
	rows("Village", "Bakery")
	if !r.shell.outliner.row(0).Dim || r.shell.outliner.row(1).Dim {
		t.Error("what only leads to what matches is not dim")
	}
	search("pine old")
	rows("Old pine")
	search("barrel")
	rows("Barrel", "Barrel 2", "Pine wood") // by the asset, too
	search("marker")
	rows("Spawn", "Road", "Safe zone")
	search("nothing like it")
	rows()
	if !r.Has("Nothing matches “nothing like it”.") {
		t.Error("it does not say that nothing matches")
	}
	search("bakery")
	r.Click("Close Village")
	rows("Village")
	r.Click(sByLayer)
	rows("No layer", "Bakery")
	r.Key(key.NameEscape, 0)
}

func TestOutlinerRenames(t *testing.T) {
	r := thingsRig(t, 288, 900, 1, village...)
	r.one("renaming", func() {
		r.Click("Road")
		r.Key(key.NameF2, 0)
		r.Type(`Long "winding" road; north`)
		r.Key(key.NameReturn, 0)
	})
	if got := r.entity(9).Name; got != `Long "winding" road; north` {
		t.Errorf("renamed to %q", got)
	}
	before := r.steps()
	r.Click("Spawn")
	r.Key(key.NameF2, 0)
	r.Type("x")
	r.Key(key.NameEscape, 0)
	if r.steps() != before || r.entity(8).Name != "Spawn" {
		t.Error("Esc does not keep the name")
	}
}

func TestOutlinerToggles(t *testing.T) {
	r := thingsRig(t, 288, 900, 1, village...)
	r.one("hiding", func() { r.Click("Hide Barrel") })
	if !r.entity(3).Hidden {
		t.Error("not hidden")
	}
	r.one("showing", func() { r.Click("Show Barrel") })
	if r.entity(3).Hidden {
		t.Error("still hidden")
	}
	// Drawing over several toggles is one step.
	r.one("a sweep", func() {
		r.Press("Hide Barrel")
		r.DragBy(0, 3*24)
		r.Release()
	})
	for id, want := range map[document.ID]bool{3: true, 4: true, 5: true, 6: true, 7: false, 1: false} {
		if got := r.entity(id).Hidden; got != want {
			t.Errorf("%d is hidden: %v, expected %v", id, got, want)
		}
	}
	r.Click("Open Village")
	if row := r.shell.outliner.row(4); !row.Dim || row.Label != "Town hall" {
		t.Errorf("what a group hides is not dim: %+v", row)
	}
	r.one("locking", func() { r.Click("Lock Spawn") })
	if !r.entity(8).Locked {
		t.Error("not locked")
	}
	r.one("unlocking", func() { r.Click("Unlock Spawn") })
	if r.entity(8).Locked {
		t.Error("still locked")
	}
	// What is locked stays as it is, and the rest of a sweep does not mind.
	r.s.Run("undo; undo; undo")
	r.s.Run("object.set id=4 locked=yes")
	r.Frame()
	r.one("a sweep over something locked", func() {
		r.Press("Hide Barrel")
		r.DragBy(0, 2*24)
		r.Release()
	})
	if !r.entity(3).Hidden || r.entity(4).Hidden || !r.entity(5).Hidden {
		t.Error("the sweep hid the wrong things")
	}
}

func TestOutlinerDragsToParent(t *testing.T) {
	r := thingsRig(t, 288, 900, 1, village...)
	height := func(label string) float32 { return r.Centre(label).Y }
	drag := func(from, to string) {
		r.Press(from)
		r.DragBy(0, height(to)-height(from))
		r.Release()
	}
	r.Click("Barrel")
	r.Hold(key.ModCtrl)
	r.Click("Barrel 2")
	r.Hold(0)
	was, _ := r.s.Level().World(4)
	r.one("dragging two rows", func() { drag("Barrel 2", "Village") })
	if got := r.names(6); !slices.Equal(got, []string{"Town hall", "Bakery", "Barrel", "Barrel 2"}) {
		t.Errorf("the group holds %q", got)
	}
	if now, _ := r.s.Level().World(4); !now.ApproxEqualThreshold(was, 1e-9) {
		t.Error("it moved in the world")
	}
	if !r.Has("Bakery") {
		t.Error("the group that it was dropped on stays closed")
	}
	// Nothing goes below itself.
	before := r.steps()
	drag("Village", "Bakery")
	if r.steps() != before {
		t.Error("a group went into its own child")
	}
	// Beside something it becomes a part of the same; here of nothing.
	r.s.Select()
	r.Frame()
	r.one("dragging beside a row", func() {
		r.Press("Bakery")
		r.DragBy(0, float32(r.Find("Old pine").Bounds.Min.Y)+2-height("Bakery"))
		r.Release()
	})
	if got := r.entity(2).Parent; got != 0 {
		t.Errorf("it is still part of %d", got)
	}
}

func TestOutlinerLayers(t *testing.T) {
	r := thingsRig(t, 288, 1300, 1, village...)
	r.Drag("Height of the outliner", 0, 300)
	r.Click(sByLayer)
	layers := func() (out []string) {
		for _, g := range r.s.Level().Settings.EntityLayers {
			out = append(out, g.Name)
		}
		return out
	}
	r.one("adding a layer", func() { r.Click(sNewLayer) })
	if got := layers(); len(got) != 4 || got[3] != "Layer 4" {
		t.Fatalf("layers %q", got)
	}
	r.one("naming it", func() {
		r.Type("Lights")
		r.Key(key.NameReturn, 0)
	})
	if got := layers(); got[3] != "Lights" {
		t.Errorf("layers %q", got)
	}
	r.one("hiding a layer", func() { r.Click("Hide Props") })
	if !r.s.Level().Settings.EntityLayers[0].Hidden {
		t.Error("not hidden")
	}
	r.one("locking a layer", func() { r.Click("Lock Lights") })
	if !r.s.Level().Settings.EntityLayers[3].Locked {
		t.Error("not locked")
	}
	r.s.Run("undo")
	r.Frame()
	r.one("dragging things onto a layer", func() {
		r.Click("Road")
		r.Hold(key.ModCtrl)
		r.Click("Spawn")
		r.Hold(0)
		r.Press("Road")
		r.DragBy(0, r.Centre("Lights").Y-r.Centre("Road").Y)
		r.Release()
	})
	if r.entity(8).Layer != "Lights" || r.entity(9).Layer != "Lights" {
		t.Errorf("on %q and %q", r.entity(8).Layer, r.entity(9).Layer)
	}
	r.one("dragging one off", func() {
		r.s.Select()
		r.Frame()
		r.Press("Road")
		r.DragBy(0, r.Centre(sNoLayer).Y-r.Centre("Road").Y)
		r.Release()
	})
	if r.entity(9).Layer != "" {
		t.Errorf("still on %q", r.entity(9).Layer)
	}
	// Deleting a layer keeps what lies on it, whatever was selected before.
	r.one("deleting a layer", func() {
		r.Click("Lights")
		r.Key(key.NameDeleteForward, 0)
	})
	if r.entity(8).Layer != "" || slices.Contains(layers(), "Lights") {
		t.Error("the layer is still there")
	}
	r.RightClick("Props")
	r.Click(sSelectLayer)
	if got := r.s.Selection(); !slices.Equal(got, []document.ID{3, 4}) {
		t.Errorf("selected %d", got)
	}
}

func TestOutlinerMenu(t *testing.T) {
	for _, c := range []struct {
		path  []string
		check func(r *rig) bool
	}{
		{[]string{sDuplicate}, func(r *rig) bool { return r.s.Level().Len() == 12 }},
		{[]string{sGroup}, func(r *rig) bool { return r.entity(3).Parent != 0 }},
		{[]string{sMirror, "Along X"}, func(r *rig) bool { return r.entity(3).Scale[0] < 0 }},
		{[]string{sDrop}, func(r *rig) bool { return r.entity(3).Translation[1] < 50 }},
		{[]string{sHide}, func(r *rig) bool { return r.entity(3).Hidden }},
		{[]string{sLock}, func(r *rig) bool { return r.entity(3).Locked }},
		{[]string{sGeometry}, func(r *rig) bool { return r.entity(3).Data.(document.Object).Geometry }},
		{[]string{sShow}, func(r *rig) bool { return !r.entity(3).Hidden }},
		{[]string{sUnlock}, func(r *rig) bool { return !r.entity(3).Locked }},
		{[]string{sNoGeometry}, func(r *rig) bool { return !r.entity(3).Data.(document.Object).Geometry }},
		{[]string{sToLayer, "Walls"}, func(r *rig) bool { return r.entity(3).Layer == "Walls" }},
		{[]string{sToLayer, sNoLayer}, func(r *rig) bool { return r.entity(3).Layer == "" }},
		{[]string{sToLayer, sNewLayerDot}, func(r *rig) bool {
			return r.entity(3).Layer == "Layer 4" && len(r.s.Level().Settings.EntityLayers) == 4
		}},
		{[]string{sDelete}, func(r *rig) bool { _, ok := r.s.Level().Entity(3); return !ok }},
	} {
		t.Run(strings.Join(c.path, "/"), func(t *testing.T) {
			r := thingsRig(t, 288, 900, 1, village...)
			r.s.Run("object.move ids=3 by=0,100,0")
			r.s.Run(map[string]string{
				sShow: "object.set id=3 hidden=yes", sUnlock: "object.set id=3 locked=yes", sNoGeometry: "object.set id=3 geometry=yes",
			}[c.path[0]])
			r.Frame()
			r.one("it", func() {
				r.RightClick("Barrel")
				for i, item := range c.path {
					if i+1 < len(c.path) {
						r.Hover(item)
					} else {
						r.Click(item)
					}
				}
			})
			if !c.check(r) {
				t.Errorf("not done: %+v", r.s.Level())
			}
		})
	}
	r := thingsRig(t, 288, 900, 1, village...)
	r.RightClick("Barrel")
	r.Click(sSimilar)
	if got := r.s.Selection(); !slices.Equal(got, []document.ID{3, 4}) {
		t.Errorf("select similar selects %d", got)
	}
	r.one("renaming", func() {
		r.RightClick("Spawn")
		r.Click(sRename)
		r.Type("Start")
		r.Key(key.NameReturn, 0)
	})
	if r.entity(8).Name != "Start" {
		t.Errorf("renamed to %q", r.entity(8).Name)
	}
	r.one("ungrouping", func() {
		r.RightClick("Village")
		r.Click(sUngroup)
	})
	if r.entity(1).Parent != 0 {
		t.Error("still grouped")
	}
}

func TestOutlinerTellsWhatIsMissing(t *testing.T) {
	r := thingsRig(t, 288, 900, 1, village...)
	if n := r.Find("Old pine"); !strings.Contains(n.Description, "The asset Pine is missing") {
		t.Errorf("the row says %q", n.Description)
	}
	if n := r.Find("Barrel"); n.Description != "" {
		t.Errorf("the row of what is not missing says %q", n.Description)
	}
	r = newThings(t)
	r.column(288, 900, 1)
	if !r.Has("Nothing stands in this level yet. Press O to place meshes, M to place markers.") {
		t.Errorf("an empty level says %q", r.Labels())
	}
}

// The rows of 100 000 things are made once, and a frame costs what is in view.
func BenchmarkOutliner(b *testing.B) {
	r := newThings(b)
	list := make([]document.Entity, 100_000)
	for i := range list {
		list[i] = document.Entity{ID: document.ID(i + 1), Kind: document.KindObject, Name: "Thing", Data: document.Object{Asset: "House"}}
		if i%10 != 0 {
			list[i].Parent = document.ID(i/10*10 + 1)
		}
	}
	if err := r.s.Document().Do("Fill", func(tx *document.Tx) error {
		for range list {
			tx.NewID()
		}
		for _, e := range list {
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	r.column(288, 900, 1)
	b.Run("frame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Frame()
		}
	})
	r.s.Run("select.all")
	r.Frame()
	b.Run("all selected", func(b *testing.B) {
		for b.Loop() {
			r.Frame()
		}
	})
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			r.shell.outliner.folds++
			r.shell.outliner.rebuild()
		}
	})
	r.shell.outliner.search.SetText("ing")
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			r.shell.outliner.folds++
			r.shell.outliner.rebuild()
		}
	})
}
