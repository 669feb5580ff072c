package gallery

import (
	"fmt"
	"image"
	"testing"

	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"

	"ridgeline/icons"
	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

var scales = []struct {
	name string
	v    float32
}{{"1x", 1}, {"2x", 2}}

// column lays widgets out below each other with gaps.
func column(gtx layout.Context, pad, gap unit.Dp, ws ...layout.Widget) layout.Dimensions {
	p := gtx.Dp(pad)
	y := p
	size := gtx.Constraints.Max
	for i, w := range ws {
		if i > 0 {
			y += gtx.Dp(gap)
		}
		g := gtx
		g.Constraints = layout.Constraints{Min: image.Pt(size.X-2*p, 0), Max: image.Pt(size.X-2*p, size.Y-y-p)}
		st := op.Offset(image.Pt(p, y)).Push(gtx.Ops)
		y += w(g).Size.Y
		st.Pop()
	}
	return layout.Dimensions{Size: size}
}

// row shares the width between widgets.
func row(gap unit.Dp, ws ...layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		n, g := len(ws), gtx.Dp(gap)
		total := gtx.Constraints.Max.X - (n-1)*g
		h := 0
		for i, w := range ws {
			x0, x1 := total*i/n+i*g, total*(i+1)/n+i*g
			c := gtx
			c.Constraints.Min.X, c.Constraints.Max.X = x1-x0, x1-x0
			st := op.Offset(image.Pt(x0, 0)).Push(gtx.Ops)
			h = max(h, w(c).Size.Y)
			st.Pop()
		}
		return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, h)}
	}
}

// tight drops the minimum, for widgets as wide as their content.
func tight(w layout.Widget) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Min = image.Point{}
		return w(gtx)
	}
}

func TestIcons(t *testing.T) {
	for _, sc := range scales {
		th := widgets.NewTheme()
		shoot(t, "icons-"+sc.name, 560, 430, sc.v, th, func(gtx layout.Context) layout.Dimensions {
			widgets.Fill(gtx, th.Color.Panel)
			for i, name := range icons.Names() {
				x, y := i%10, i/10
				g := gtx
				st := op.Offset(image.Pt(gtx.Dp(unit.Dp(12+x*54)), gtx.Dp(unit.Dp(8+y*42)))).Push(gtx.Ops)
				th.Icon(name).Layout(g)
				st2 := op.Offset(image.Pt(gtx.Dp(22), 0)).Push(gtx.Ops)
				var b widgets.Button
				th.ToolButton(&b, name, string(name)).Layout(g)
				st2.Pop()
				st.Pop()
			}
			return layout.Dimensions{Size: gtx.Constraints.Max}
		}, nil)
	}
}

// controls is a panel with every control in its states.
type controls struct {
	th         *widgets.Theme
	b          [12]widgets.Button
	n          [8]widgets.Number
	s          [4]widgets.Slider
	tools, seg widgets.Choices
	list       widgets.List
	choice     [2]widgets.Choice
	field      [4]widgets.Field
	split      widgets.Splitter
	bar        widgets.MenuBar
}

func newControls() *controls {
	c := &controls{th: widgets.NewTheme()}
	c.n[0] = widgets.Number{Value: 12.5, Min: 0.01, Max: 1000, Log: true}
	c.n[1] = widgets.Number{Value: 2, Min: 0, Max: 10}
	c.n[2] = widgets.Number{Value: -341.25}
	c.n[3] = widgets.Number{Value: 0.5, Min: 0, Max: 1}
	c.n[4] = widgets.Number{Value: 45}
	c.s[0].Number = widgets.Number{Value: 40, Min: 0.1, Max: 1000, Log: true}
	c.s[1].Number = widgets.Number{Value: 0.25, Min: 0, Max: 1, Step: 0.1}
	c.s[2].Number = widgets.Number{Value: 0.5, Min: 0, Max: 1}
	c.list.Current = 1
	c.field[1].SetText("Northern ridge")
	c.field[2].SetText("rock")
	c.tools.Selected = 1
	return c
}

func (c *controls) left(gtx layout.Context) layout.Dimensions {
	th := c.th
	widgets.Fill(gtx, th.Color.Panel)
	prim := th.Button(&c.b[0], "Import heightmap")
	prim.Importance = widgets.Primary
	prim.Icon = icons.Import
	dang := th.Button(&c.b[1], "Delete layer")
	dang.Importance = widgets.Danger
	dis := th.Button(&c.b[2], "Save")
	dis.Reason = "Nothing has changed"
	quiet := th.Button(&c.b[3], "Cancel")
	quiet.Importance = widgets.Quiet
	n0 := th.Number(&c.n[0], "m")
	n0.Label, n0.Bar = "Radius", true
	n1 := th.Number(&c.n[1], "m/s")
	n1.Label, n1.Bar = "Strength", true
	n2 := th.Number(&c.n[2], "m")
	n2.Label = "Height"
	n3 := th.Number(&c.n[3], "")
	n3.Label, n3.Reason = "Hardness", "Only for brushes"
	n4 := th.Number(&c.n[4], "°")
	n4.Label = "A label that is too long for the field"
	s2 := th.Slider(&c.s[2], "Disabled", "")
	s2.Reason = "No layer"
	bad := th.Field(&c.field[2], "Bad")
	bad.Problem = "A layer of that name exists"
	off := th.Field(&c.field[3], "Off")
	off.Reason, off.Hint = "Locked", "Disabled field"
	ch := th.Choice(&c.choice[0], "Falloff", "Smooth", "Linear", "Sharp")
	ch2 := th.Choice(&c.choice[1], "Mask", "None")
	ch2.Reason = "No masks"
	return column(gtx, 12, 6,
		th.Heading("Buttons").Layout,
		row(6, prim.Layout, dang.Layout),
		row(6, th.Button(&c.b[4], "Ordinary").Layout, dis.Layout, quiet.Layout),
		th.Heading("Numbers").Layout,
		row(6, n0.Layout, n1.Layout),
		row(6, n2.Layout, n3.Layout),
		n4.Layout,
		th.Slider(&c.s[0], "Radius", "m").Layout,
		th.Slider(&c.s[1], "Hardness", "").Layout,
		s2.Layout,
		th.Heading("Text and choice").Layout,
		row(6, th.SearchField(&c.field[0], "Search layers").Layout, th.Field(&c.field[1], "Name").Layout),
		row(6, bad.Layout, off.Layout),
		row(6, ch.Layout, ch2.Layout),
		th.Segments(&c.seg, "Add", "Replace", "Multiply").Layout,
		th.Body("Body text wraps over several lines. It is what dialogs and help use, and its lines stand apart far enough to read.").Layout,
		th.Dim("Secondary text, cut with an ellipsis where it does not fit into the line").Layout,
		th.MonoLabel("terrain.stroke op=raise at=10,10").Layout,
	)
}

func (c *controls) right(gtx layout.Context) layout.Dimensions {
	th := c.th
	widgets.Fill(gtx, th.Color.Panel)
	names := []string{"Grass", "Rock", "Scree", "Snow", "Sand", "Forest floor", "Gravel path", "Dry earth", "Moss", "Clay"}
	return th.List(&c.list, "Layers").Layout(gtx, len(names), func(gtx layout.Context, r widgets.Row) layout.Dimensions {
		rs := th.Row(icons.Layers, names[r.Index])
		rs.Detail = fmt.Sprint(r.Index * 7)
		rs.Dim = r.Index == 3
		eye := th.IconButton(&c.b[5], icons.Eye, "Hide "+names[r.Index])
		if rs.Dim {
			eye.Icon = icons.EyeOff
		}
		return rs.Layout(gtx, &c.list, r, eye.Layout)
	})
}

func (c *controls) layout(gtx layout.Context) layout.Dimensions {
	th := c.th
	return th.Window(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				gtx.Constraints.Min = image.Point{}
				return widgets.Surface(gtx, th.Color.Bar, func(gtx layout.Context) layout.Dimensions {
					d := th.MenuBar(&c.bar, menus()).Layout(gtx)
					d.Size.X = gtx.Constraints.Max.X
					return d
				})
			}),
			layout.Rigid(th.HLine),
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				return widgets.Surface(gtx, th.Color.Bar, func(gtx layout.Context) layout.Dimensions {
					gtx.Constraints.Min = image.Point{}
					d := layout.UniformInset(4).Layout(gtx, th.ToolGroup(&c.tools, modes()).Layout)
					d.Size.X = gtx.Constraints.Max.X
					return d
				})
			}),
			layout.Rigid(th.HLine),
			layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
				sp := th.Split(&c.split, 200)
				sp.End = true
				return sp.Layout(gtx, c.left, c.right)
			}),
		)
	})
}

func modes() []widgets.ChoiceItem {
	return []widgets.ChoiceItem{
		{Icon: icons.Select, Title: "Select", Keys: "Q"},
		{Icon: icons.Sculpt, Title: "Sculpt", Keys: "Shift+S", Help: "Raise, lower and smooth the terrain with a brush."},
		{Icon: icons.Paint, Title: "Paint", Keys: "P"},
		{Icon: icons.Object, Title: "Object"},
		{Icon: icons.Occluder, Title: "Occluder"},
		{Icon: icons.Portal, Title: "Portal", Reason: "The level has no cells yet"},
		{Icon: icons.Marker, Title: "Marker"},
		{Icon: icons.Walk, Title: "Walk"},
	}
}

func menus() []widgets.Menu {
	return []widgets.Menu{
		{Title: "File", Items: []widgets.MenuItem{
			{ID: "new", Title: "New level…", Icon: icons.New, Keys: "Ctrl+N"},
			{ID: "open", Title: "Open…", Icon: icons.Open, Keys: "Ctrl+O"},
			{ID: "recent", Title: "Open recent", Items: []widgets.MenuItem{
				{ID: "r1", Title: "alps.ridge"}, {ID: "r2", Title: "island.ridge"},
			}},
			{Separator: true},
			{ID: "save", Title: "Save", Icon: icons.Save, Keys: "Ctrl+S", Reason: "Nothing has changed since the last save"},
			{ID: "saveas", Title: "Save as…", Keys: "Ctrl+Shift+S"},
			{Separator: true},
			{ID: "import", Title: "Import heightmap…", Icon: icons.Import},
			{ID: "export", Title: "Export…", Icon: icons.Export},
			{Separator: true},
			{ID: "quit", Title: "Quit", Keys: "Ctrl+Q"},
		}},
		{Title: "Edit", Items: []widgets.MenuItem{
			{ID: "undo", Title: "Undo raise", Icon: icons.Undo, Keys: "Ctrl+Z"},
			{ID: "redo", Title: "Redo", Icon: icons.Redo, Keys: "Ctrl+Shift+Z"},
		}},
		{Title: "View", Items: []widgets.MenuItem{
			{ID: "wire", Title: "Wireframe", Checked: true}, {ID: "grid", Title: "Grid"},
		}},
		{Title: "Help", Items: []widgets.MenuItem{{ID: "about", Title: "About"}}},
	}
}

func TestControls(t *testing.T) {
	for _, sc := range scales {
		c := newControls()
		shoot(t, "controls-"+sc.name, 640, 600, sc.v, c.th, c.layout, nil)
	}
}

func TestMenuOpen(t *testing.T) {
	for _, sc := range scales {
		c := newControls()
		shoot(t, "menu-"+sc.name, 480, 330, sc.v, c.th, c.layout, func(h *widgettest.Harness) {
			h.Click("File")
			h.Hover("Save")
		})
	}
}
