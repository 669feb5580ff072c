package panel

import (
	"strings"

	"gioui.org/layout"

	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// palette finds a command by its name. What needs no argument, or only one out of
// a list, runs at once; the others are asked for with a form.
type palette struct {
	sh     *Shell
	view   widgets.Palette
	opened bool // the view was told to open, and the session not yet that it closed
}

// standIns are the commands that the palette leaves out, because another does the
// same as a window should: it asks for the file, or works in the background. The
// console and scripts have them.
var standIns = map[string]string{
	"file.open": "app.open", "file.save": "app.save", "file.saveas": "app.saveas", "light.bake": bakeLine,
	"asset.import": "app.assets",
	"view.palette": "", // it is open
}

// items lists the registry.
func (p *palette) items() []widgets.PaletteItem {
	s := p.sh.s
	var out []widgets.PaletteItem
	add := func(line, title, help string) {
		it := widgets.PaletteItem{ID: line, Title: title, Help: help, Keys: s.Keys.Hint(line), Icon: lineIcon(line), Reason: p.sh.why(line)}
		out = append(out, it)
	}
	for _, c := range s.Env.Registry.All() {
		if _, hidden := standIns[c.ID]; hidden {
			continue
		}
		help, _, _ := strings.Cut(plain(c.Help), "\n")
		choice, ok := onlyChoice(c)
		if !ok {
			add(c.ID, c.Title, help)
			continue
		}
		for _, v := range choice.Choices {
			add(c.ID+" "+choice.Name+"="+v, strings.TrimSuffix(c.Title, "…")+": "+v, help)
		}
	}
	return out
}

// plain is a help text without the marks that the written reference needs.
func plain(help string) string { return strings.ReplaceAll(help, "`", "") }

// onlyChoice gives the argument of a command that needs just one, from a list.
func onlyChoice(c *command.Command) (*command.Param, bool) {
	var found *command.Param
	for i := range c.Params {
		if !c.Params[i].Required {
			continue
		}
		if found != nil || c.Params[i].Kind != command.Choice {
			return nil, false
		}
		found = &c.Params[i]
	}
	return found, found != nil
}

// needs reports whether a command cannot run without being told more.
func needs(c *command.Command) bool {
	for i := range c.Params {
		if c.Params[i].Required {
			return true
		}
	}
	return false
}

// lineIcon is the icon by which the toolbar and the menus show a line.
func lineIcon(line string) icons.Name {
	for i := range toolLines {
		if toolLines[i].line == line {
			return toolLines[i].icon
		}
	}
	if mode, ok := strings.CutPrefix(line, "mode name="); ok {
		return modeIcons[session.Mode(mode)]
	}
	for op, icon := range opIcons {
		if line == "brush.op op="+op.String() {
			return icon
		}
	}
	return lineIcons[line]
}

var lineIcons = map[string]icons.Name{
	"app.new": icons.New, "app.open": icons.Open, "app.import": icons.Import, "app.export": icons.Export,
	"app.bake": icons.Sun, "sun.set": icons.Sun, "layer.add": icons.Layers, "layer.set": icons.Layers,
	"app.assets": icons.Assets, "asset.reload": icons.Reload, "asset.relink": icons.Link, "app.relink": icons.Link,
	"edit.delete": icons.Trash, "edit.duplicate": icons.Duplicate, "edit.group": icons.Group, "edit.ungroup": icons.Ungroup,
	"edit.ground": icons.Flatten, "edit.unparent": icons.Unlink, "edit.hide": icons.EyeOff, "edit.lock": icons.Lock, "edit.showall": icons.Eye,
	"object.place": icons.Object, "object.scatter": icons.Scatter, "object.array": icons.Array, "object.mirror": icons.Mirror,
	"marker.add": icons.Marker, "measure.clear": icons.Measure, "walk.set": icons.Walk, "walk.collision": icons.Collision,
	"nodes.set": icons.NodeTree, "nodes.show": icons.NodeTree, "nodes.pin": icons.NodeTree,
	"history.goto": icons.History, "camera.set": icons.Camera, "terrain.stroke": icons.Sculpt, "paint.stroke": icons.Paint,
}

// layout is a layer over the window.
func (p *palette) layout(gtx layout.Context) layout.Dimensions {
	s := p.sh.s
	for {
		line, ok := p.view.Update(gtx)
		if !ok {
			break
		}
		p.run(line)
	}
	if p.opened && !p.view.IsOpen() { // left by a key or a press beside it
		p.opened = false
		s.Show(panelPalette, false)
	}
	if shown := s.Shown(panelPalette); shown != p.opened {
		p.opened = shown
		if shown {
			p.view.Show(p.items())
		} else {
			p.view.Close()
		}
	}
	return p.sh.th.Palette(&p.view, sFind).Layout(gtx)
}

func (p *palette) run(line string) {
	call, err := command.Parse(line)
	if err != nil {
		p.sh.s.Fail(err)
		return
	}
	c, ok := p.sh.s.Env.Registry.Lookup(call.ID)
	if ok && len(call.Args) == 0 && needs(c) {
		p.sh.form.open(c)
		return
	}
	p.sh.run(line)
}
