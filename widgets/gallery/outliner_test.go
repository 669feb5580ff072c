package gallery

import (
	"image/color"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// outliner is a tree of a level's things with a search field above it.
type outliner struct {
	th     *widgets.Theme
	tree   widgets.Tree
	search widgets.Field
	rows   []widgets.TreeRow
}

func newOutliner() *outliner {
	o := &outliner{th: widgets.NewTheme()}
	row := func(depth int, icon icons.Name, label string) *widgets.TreeRow {
		r := widgets.TreeRow{ID: uint64(len(o.rows) + 1), Depth: depth, Icon: icon, Label: label}
		r.Toggles[0], r.Toggles[1] = widgets.ToggleOff, widgets.ToggleOff
		o.rows = append(o.rows, r)
		return &o.rows[len(o.rows)-1]
	}
	open := func(depth int, icon icons.Name, label string) *widgets.TreeRow {
		r := row(depth, icon, label)
		r.Expandable, r.Expanded = true, true
		return r
	}
	open(0, icons.Group, "Village")
	open(1, icons.Group, "Church").Detail = "4"
	row(2, icons.Object, "Tower")
	row(2, icons.Object, "Nave with a name that is far too long for the panel").Selected = true
	r := row(2, icons.Object, "Clock")
	r.Badge, r.BadgeTip, r.Selected = icons.Warning, "The file clock.glb is missing", true
	row(2, icons.Occluder, "Tower hull").Toggles[1] = widgets.ToggleOn
	r = open(1, icons.Group, "Houses")
	r.Dim, r.Toggles[0] = true, widgets.ToggleOn
	r = row(2, icons.Object, "House 1")
	r.Dim, r.Toggles[0], r.Toggles[1] = true, widgets.ToggleInherited, widgets.ToggleOn
	r = row(2, icons.Object, "House 2")
	r.Dim, r.Toggles[0] = true, widgets.ToggleInherited
	row(1, icons.Scatter, "Trees around").Detail = "1 204"
	row(0, icons.MarkerPoint, "Spawn").IconColor = color.NRGBA{R: 0x7c, G: 0xcb, B: 0x8a, A: 255}
	row(0, icons.MarkerLine, "Road")
	row(0, icons.MarkerArea, "Safe zone")
	row(0, icons.Cell, "Crypt")
	row(0, icons.Portal, "Crypt door").Expandable = true
	row(0, icons.Light, "Lamp")
	row(0, icons.Camera, "View from the ridge")
	r = row(0, icons.Sky, "Sky")
	r.Fixed, r.Toggles[1] = true, widgets.ToggleAbsent
	row(0, icons.Water, "Lake")
	return o
}

func (o *outliner) layout(gtx layout.Context) layout.Dimensions {
	th := o.th
	return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, th.Color.Panel)
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return layout.UniformInset(6).Layout(gtx, th.SearchField(&o.search, "Search the level").Layout)
			}),
			layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
				s := th.Tree(&o.tree, "Outliner")
				s.Toggles = []widgets.TreeToggle{
					{Title: "Hide", TitleOn: "Show", Off: icons.Eye, On: icons.EyeOff},
					{Title: "Lock", TitleOn: "Unlock", Off: icons.Unlock, On: icons.Lock, Quiet: true},
				}
				s.Renames, s.Dragged = true, "2 objects"
				s.Drop = func(int, widgets.DropWhere) bool { return true }
				return s.Layout(gtx, len(o.rows), func(i int) widgets.TreeRow { return o.rows[i] })
			}),
		)
	})
}

func TestOutliner(t *testing.T) {
	for _, sc := range scales {
		o := newOutliner()
		shoot(t, "outliner-"+sc.name, 280, 500, sc.v, o.th, o.layout, func(h *widgettest.Harness) { h.Hover("Tower") })
	}
	for _, c := range []struct {
		name  string
		drive func(o *outliner, h *widgettest.Harness)
	}{
		{"rename", func(o *outliner, h *widgettest.Harness) {
			h.Click("Road")
			h.Key(key.NameF2, 0)
		}},
		{"into", func(o *outliner, h *widgettest.Harness) {
			h.Press("Clock")
			h.DragBy(0, 4*24)
		}},
		{"between", func(o *outliner, h *widgettest.Harness) {
			h.Press("Clock")
			h.DragBy(0, -2*24-10)
		}},
		{"badge", func(o *outliner, h *widgettest.Harness) {
			b := h.Find("Clock").Bounds
			h.MoveTo(float32(b.Max.X-55), float32(b.Min.Y+12))
			h.Wait(time.Second)
		}},
	} {
		o := newOutliner()
		shoot(t, "outliner-"+c.name, 280, 420, 1, o.th, o.layout, func(h *widgettest.Harness) { c.drive(o, h) })
	}
}
