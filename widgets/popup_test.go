package widgets_test

import (
	"image"
	"slices"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

func testMenus() []widgets.Menu {
	return []widgets.Menu{
		{Title: "File", Items: []widgets.MenuItem{
			{ID: "new", Title: "New", Keys: "Ctrl+N"},
			{Separator: true},
			{ID: "save", Title: "Save", Reason: "Nothing has changed"},
			{Title: "Recent", Items: []widgets.MenuItem{{ID: "a", Title: "alps"}, {ID: "b", Title: "island"}}},
		}},
		{Title: "Edit", Items: []widgets.MenuItem{{ID: "undo", Title: "Undo"}, {ID: "redo", Title: "Redo"}}},
	}
}

func menuWindow(t *testing.T) (*widgettest.Harness, *widgets.MenuBar, *[]string, *int) {
	th := widgets.NewTheme()
	bar := new(widgets.MenuBar)
	var (
		got    []string
		under  widgets.Button
		clicks int
	)
	h := widgettest.New(t, 600, 400, 1, func(gtx layout.Context) layout.Dimensions {
		for {
			id, ok := bar.Update(gtx)
			if !ok {
				break
			}
			got = append(got, id)
		}
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
				layout.Rigid(func(gtx layout.Context) layout.Dimensions {
					gtx.Constraints.Min = image.Point{}
					return th.MenuBar(bar, testMenus()).Layout(gtx)
				}),
				layout.Rigid(func(gtx layout.Context) layout.Dimensions {
					if under.Clicked(gtx) {
						clicks++
					}
					gtx.Constraints.Min = gtx.Constraints.Max
					return th.Button(&under, "under").Layout(gtx)
				}),
			)
		})
	})
	return h, bar, &got, &clicks
}

func TestMenuBarPointer(t *testing.T) {
	h, bar, got, clicks := menuWindow(t)
	h.Click("File")
	if !bar.IsOpen() || !h.Has("New") {
		t.Fatal("the menu isn't open")
	}
	h.Hover("Edit")
	if h.Has("New") || !h.Has("Undo") {
		t.Error("the open menu must follow the pointer along the bar")
	}
	h.Click("Redo")
	h.Click("File")
	h.Click("Save")
	if !bar.IsOpen() {
		t.Error("a disabled item closed the menu")
	}
	h.Hover("Recent")
	h.Click("island")
	if want := []string{"redo", "b"}; !slices.Equal(*got, want) {
		t.Errorf("picked %q, want %q", *got, want)
	}
	h.Click("File")
	h.ClickAt(550, 40) // on the button below, beside the menu
	if bar.IsOpen() || *clicks != 0 {
		t.Errorf("a press beside the menu must only close it: open %v, clicks %d", bar.IsOpen(), *clicks)
	}
	h.ClickAt(550, 40)
	if *clicks != 1 {
		t.Error("the button below doesn't answer after the menu is gone")
	}
	// Press, drag to an item, let go.
	h.Press("File")
	b := h.Find("New").Bounds
	from := h.Find("File").Bounds
	h.DragBy(float32(b.Min.X+10-(from.Min.X+from.Max.X)/2), float32((b.Min.Y+b.Max.Y)/2-(from.Min.Y+from.Max.Y)/2))
	h.Release()
	if want := []string{"redo", "b", "new"}; !slices.Equal(*got, want) {
		t.Errorf("picked %q, want %q", *got, want)
	}
}

// A click whose press and release come between two frames, as when a frame takes
// long, opens the menu and picks nothing of it.
func TestMenuOpensByAClickWithinOneFrame(t *testing.T) {
	h, bar, got, _ := menuWindow(t)
	h.ClickAtOnce("Edit")
	if !bar.IsOpen() || !h.Has("Undo") {
		t.Error("the menu isn't open")
	}
	if len(*got) > 0 {
		t.Errorf("picked %v", *got)
	}
	h.Click("Redo")
	h.Click("File")
	h.ClickAtOnce("Recent")
	if !h.Has("alps") {
		t.Error("the submenu isn't open")
	}
	if !slices.Equal(*got, []string{"redo"}) {
		t.Errorf("picked %v", *got)
	}
}

func TestMenuBarKeys(t *testing.T) {
	h, bar, got, _ := menuWindow(t)
	h.Click("File")
	h.Key(key.NameDownArrow, 0)
	h.Key(key.NameDownArrow, 0) // over the separator to Save
	if !h.Find("Save").Selected {
		t.Error("Save isn't highlighted")
	}
	h.Key(key.NameReturn, 0) // disabled
	h.Key(key.NameDownArrow, 0)
	h.Key(key.NameRightArrow, 0)
	h.Key(key.NameDownArrow, 0)
	h.Key(key.NameReturn, 0)
	h.Click("File")
	h.Key(key.NameRightArrow, 0) // the next menu
	h.Key(key.NameUpArrow, 0)    // round to its end
	h.Key(key.NameReturn, 0)
	if want := []string{"b", "redo"}; !slices.Equal(*got, want) {
		t.Errorf("picked %q, want %q", *got, want)
	}
	h.Click("File")
	h.Key(key.NameEscape, 0)
	if bar.IsOpen() {
		t.Error("Esc must close the menu")
	}
}

func TestContextMenuAndChoice(t *testing.T) {
	th := widgets.NewTheme()
	var (
		m      widgets.ContextMenu
		c      widgets.Choice
		picked string
	)
	h := widgettest.New(t, 300, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		if id, ok := m.Update(gtx); ok {
			picked = id
		}
		c.Update(gtx)
		return th.ContextArea(gtx, &m, []widgets.MenuItem{{ID: "del", Title: "Delete"}}, th.Choice(&c, "Mask", "None", "Slope", "Height").Layout)
	}))
	h.RightClick("Mask")
	h.Click("Delete")
	if picked != "del" || c.Selected != 0 {
		t.Errorf("picked %q, choice %d", picked, c.Selected)
	}
	h.Click("Mask")
	h.Click("Height")
	if c.Selected != 2 || h.Find("Mask").Description != "Height" {
		t.Errorf("chosen %d", c.Selected)
	}
	h.Click("Mask")
	h.Key(key.NameUpArrow, 0)
	h.Key(key.NameReturn, 0)
	if c.Selected != 1 {
		t.Errorf("chosen %d with the keyboard", c.Selected)
	}
}

func TestPalette(t *testing.T) {
	th := widgets.NewTheme()
	var (
		p   widgets.Palette
		got []string
	)
	items := []widgets.PaletteItem{
		{ID: "file.save", Title: "Save", Reason: "Nothing has changed"},
		{ID: "file.saveas", Title: "Save as…", Icon: icons.Save},
		{ID: "terrain.smooth", Title: "Smooth terrain"},
	}
	h := widgettest.New(t, 700, 500, 1, func(gtx layout.Context) layout.Dimensions {
		if id, ok := p.Update(gtx); ok {
			got = append(got, id)
		}
		return th.Window(gtx, th.Label("content").Layout, th.Palette(&p, "Find a command").Layout)
	})
	p.Show(items)
	h.Frame()
	if !th.Modal() {
		t.Error("an open palette must be modal")
	}
	h.Type("save")
	h.Key(key.NameReturn, 0) // the best that can be used
	p.Show(items)
	h.Frame()
	h.Key(key.NameDownArrow, 0)
	h.Key(key.NameReturn, 0)
	p.Show(items)
	h.Frame()
	h.Click("Smooth terrain")
	p.Show(items)
	h.Frame()
	h.Click("Save") // cannot be used
	if want := []string{"file.saveas", "terrain.smooth", "terrain.smooth"}; !slices.Equal(got, want) {
		t.Errorf("picked %q, want %q", got, want)
	}
	h.Key(key.NameEscape, 0)
	if p.IsOpen() {
		t.Error("Esc must close the palette")
	}
	p.Show(items)
	h.Frame()
	h.Type("xyzzy")
	if h.Has("Save") {
		t.Error("nothing must be found")
	}
	h.ClickAt(690, 490)
	if p.IsOpen() || th.Typing() {
		t.Error("a press beside the palette must close it")
	}
}

func TestDialog(t *testing.T) {
	th := widgets.NewTheme()
	var (
		d      widgets.Dialog
		n      widgets.Number
		under  widgets.Button
		got    []string
		clicks int
	)
	h := widgettest.New(t, 700, 500, 1, func(gtx layout.Context) layout.Dimensions {
		if id, ok := d.Update(gtx); ok {
			got = append(got, id)
		}
		if under.Clicked(gtx) {
			clicks++
		}
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
			return th.Button(&under, "under").Layout(gtx)
		}, func(gtx layout.Context) layout.Dimensions {
			return th.Dialog(&d, "Save changes?", "The level has changed.",
				widgets.DialogButton{ID: "no", Title: "Don't save"},
				widgets.DialogButton{ID: "cancel", Title: "Cancel", Cancel: true},
				widgets.DialogButton{ID: "yes", Title: "Save", Default: true},
			).Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				s := th.Number(&n, "m")
				s.Label = "Spacing"
				return s.Layout(gtx)
			})
		})
	})
	d.Open()
	h.Frame()
	h.ClickAt(5, 5)
	if clicks != 0 || !d.IsOpen() {
		t.Error("a press fell through the dialog, or closed it")
	}
	h.Key(key.NameReturn, 0)
	d.Open()
	h.Frame()
	h.Key(key.NameEscape, 0)
	d.Open()
	h.Frame()
	h.Click("Don't save")
	if want := []string{"yes", "cancel", "no"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
	got = nil

	d.Open()
	h.Frame()
	h.Click("Spacing")
	h.Type("7")
	h.Key(key.NameReturn, 0) // the number's, not the dialog's
	if !d.IsOpen() || n.Value != 7 {
		t.Errorf("open %v, value %v", d.IsOpen(), n.Value)
	}
	// Tab goes round: number, three buttons, and never what lies below.
	for range 4 {
		h.Key(key.NameTab, 0)
	}
	h.Key(key.NameUpArrow, 0)
	if n.Value != 8 {
		t.Errorf("four tabs don't lead back to the number, value %v", n.Value)
	}
	h.Key(key.NameTab, key.ModShift)
	h.Key(key.NameTab, key.ModShift) // Save, then Cancel
	h.Key(key.NameReturn, 0)
	if want := []string{"cancel"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
	if th.Modal() {
		t.Error("a closed dialog is still modal")
	}
	h.Click("under")
	if clicks != 1 {
		t.Error("what lies below doesn't answer any more")
	}
}

// What was typed just before Enter counts, though the button was disabled in the
// frame before; Esc in a field is the dialog's.
func TestDialogWithAField(t *testing.T) {
	th := widgets.NewTheme()
	var (
		d   widgets.Dialog
		f   widgets.Field
		n   widgets.Number
		got []string
	)
	h := widgettest.New(t, 700, 500, 1, func(gtx layout.Context) layout.Dimensions {
		for {
			ev, ok := f.Update(gtx)
			if !ok {
				break
			}
			switch ev.Kind {
			case widgets.FieldSubmitted:
				d.Accept()
			case widgets.FieldCancelled:
				d.Cancel()
			}
		}
		if id, ok := d.Update(gtx); ok {
			got = append(got, id)
		}
		reason := ""
		if f.Text() == "" {
			reason = "no name"
		}
		return th.Window(gtx, func(gtx layout.Context) layout.Dimensions { return layout.Dimensions{} },
			func(gtx layout.Context) layout.Dimensions {
				return th.Dialog(&d, "New", "",
					widgets.DialogButton{ID: "cancel", Title: "Cancel", Cancel: true},
					widgets.DialogButton{ID: "make", Title: "Make", Default: true, Reason: reason},
				).Layout(gtx, func(gtx layout.Context) layout.Dimensions {
					return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
						layout.Rigid(th.Field(&f, "Name").Layout), layout.Rigid(th.Number(&n, "m").Layout))
				})
			})
	})
	d.Open()
	h.Frame()
	h.Click("Name")
	h.Key(key.NameReturn, 0)
	if len(got) > 0 || !d.IsOpen() {
		t.Fatalf("a disabled button was pressed: %q", got)
	}
	h.Type("alps")
	d.Accept()
	h.Frame()
	f.SetText("")
	d.Open()
	h.Frame()
	h.Click("Name")
	h.Router.Queue(key.EditEvent{Range: key.Range{}, Text: "island"}, key.Event{Name: key.NameReturn, State: key.Press})
	h.Frame()
	d.Open()
	h.Frame()
	h.Click("Name")
	h.Key(key.NameEscape, 0)
	if want := []string{"make", "make", "cancel"}; !slices.Equal(got, want) || d.IsOpen() {
		t.Errorf("answers %q, want %q", got, want)
	}
	d.Open()
	h.Frame()
	h.Click("Name")
	h.Key(key.NameTab, 0)
	h.Type("5")
	h.Key(key.NameReturn, 0) // the number's
	h.Key(key.NameReturn, 0) // the dialog's
	if n.Value != 5 || got[len(got)-1] != "make" || d.IsOpen() {
		t.Errorf("number %v, answers %q", n.Value, got)
	}
}

func TestToasts(t *testing.T) {
	th := widgets.NewTheme()
	var (
		ts  widgets.Toasts
		got []string
	)
	h := widgettest.New(t, 700, 500, 1, func(gtx layout.Context) layout.Dimensions {
		for {
			id, ok := ts.Update(gtx)
			if !ok {
				break
			}
			got = append(got, id)
		}
		return th.Window(gtx, th.Label("content").Layout, th.Toasts(&ts).Layout)
	})
	ts.Add(widgets.Toast{Text: "Exported."})
	ts.Add(widgets.Toast{Severity: widgets.Error, Text: "The disk is full.", Action: "Show", ID: "show"})
	ts.Add(widgets.Toast{Text: "Exported."})
	h.Frame()
	if ts.Len() != 2 {
		t.Errorf("%d toasts, want 2: the same message comes once", ts.Len())
	}
	h.Hover("Exported.")
	h.Wait(time.Minute)
	if !h.Has("Exported.") {
		t.Error("a message was taken away under the pointer")
	}
	h.MoveTo(5, 5)
	h.Wait(time.Second)
	if h.Has("Exported.") || !h.Has("The disk is full.") {
		t.Error("the message must go, the error must stay")
	}
	h.Click("Show")
	if !slices.Equal(got, []string{"show"}) || ts.Len() != 0 {
		t.Errorf("actions %q, %d toasts left", got, ts.Len())
	}
	ts.Add(widgets.Toast{Severity: widgets.Error, Text: "Again."})
	h.Frame()
	h.Click("Dismiss")
	if ts.Len() != 0 {
		t.Error("the error wasn't dismissed")
	}
	for i := range 20 {
		ts.Add(widgets.Toast{Text: string(rune('a' + i))})
	}
	if ts.Len() > 6 {
		t.Errorf("%d toasts at once", ts.Len())
	}
}

func TestConsole(t *testing.T) {
	th := widgets.NewTheme()
	var (
		c   widgets.Console
		got []string
	)
	c.Complete = func(in string) widgets.Completion {
		return widgets.Completion{Text: in + "aise", Candidates: []string{"raise", "raisin"}}
	}
	h := widgettest.New(t, 500, 200, 1, func(gtx layout.Context) layout.Dimensions {
		for {
			s, ok := c.Update(gtx)
			if !ok {
				break
			}
			got = append(got, s)
		}
		return th.Window(gtx, th.Console(&c).Layout)
	})
	h.Click("Console input")
	h.Type("one")
	h.Key(key.NameReturn, 0)
	h.Type("two")
	h.Key(key.NameReturn, 0)
	h.Type("dr")
	h.Key(key.NameUpArrow, 0)
	h.Key(key.NameUpArrow, 0)
	h.Key(key.NameReturn, 0) // "one" again
	h.Type("r")
	h.Key(key.NameUpArrow, 0)
	h.Key(key.NameDownArrow, 0) // back to the draft
	h.Key(key.NameTab, 0)
	h.Key(key.NameReturn, 0)
	if want := []string{"one", "two", "one", "raise"}; !slices.Equal(got, want) {
		t.Errorf("inputs %q, want %q", got, want)
	}
	if !h.Has("raise  raisin") {
		t.Error("the candidates weren't printed")
	}
	for range 3000 {
		c.Print(widgets.LineOutput, "noise")
	}
	c.Print(widgets.LineError, "last")
	h.Frame()
	if !h.Has("last") {
		t.Error("the console doesn't follow its end")
	}
	h.Scroll("Console output", -500)
	if h.Has("last") {
		t.Error("the console doesn't scroll")
	}
	h.Frame()
	if h.Has("last") {
		t.Error("the console jumped back to its end")
	}
}

func TestProgressCancel(t *testing.T) {
	th := widgets.NewTheme()
	var (
		p widgets.Progress
		n int
	)
	h := widgettest.New(t, 500, 200, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		if p.Cancelled(gtx) {
			n++
		}
		return th.Progress(&p, "Import", 0.5).Layout(gtx)
	}))
	h.Hover("Cancel Import")
	if h.Cursor() != pointer.CursorPointer {
		t.Errorf("cursor %v", h.Cursor())
	}
	h.Click("Cancel Import")
	if n != 1 {
		t.Error("the task wasn't cancelled")
	}
}
