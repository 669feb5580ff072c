package panel

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gioui.org/f32"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// layers is the section of ground layers: a list, and the numbers of the one that
// is chosen.
type layers struct {
	sh      *Shell
	list    widgets.List
	add     widgets.Button
	addMenu widgets.ContextMenu
	rowMenu widgets.ContextMenu
	texture widgets.Choice
	repeat  widgets.Number
	thumbs  map[*image.NRGBA]paint.ImageOp
}

// layerLine is a command on layer i, with further arguments as name and value in
// turn.
func layerLine(id string, i int, args ...string) string {
	c := command.Call{ID: id, Args: []command.Arg{{Name: "layer", Value: strconv.Itoa(i)}}}
	for k := 0; k+1 < len(args); k += 2 {
		c.Args = append(c.Args, command.Arg{Name: args[k], Value: args[k+1]})
	}
	return c.String()
}

const (
	layerRow  = 36
	layerRows = 7 // at most, before the list scrolls
)

// current is the chosen layer; ok is false when there is none.
func (l *layers) current() (i int, ok bool) {
	i = l.sh.s.Paint.Layer
	return i, i >= 0 && i < len(l.sh.s.Level().Layers)
}

func (l *layers) layout(gtx layout.Context) layout.Dimensions {
	return l.sh.section(gtx, sGroundLayers, l.body, l.addButton)
}

// addButton opens a menu of the textures that a new layer can have.
func (l *layers) addButton(gtx layout.Context) layout.Dimensions {
	th := l.sh.th
	for {
		name, ok := l.addMenu.Update(gtx)
		if !ok {
			break
		}
		if name == fromFile {
			l.sh.s.AskTexture(func(path string) {
				l.addLayer(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), path)
			})
			continue
		}
		l.addLayer(capital(name), name)
	}
	if l.add.Clicked(gtx) {
		l.addMenu.OpenAt(image.Pt(0, gtx.Dp(th.Size.Row)))
		l.sh.again = true
	}
	b := th.IconButton(&l.add, icons.Plus, sAddLayer)
	b.Reason = l.sh.why("layer.add name=x")
	b.Selected = l.addMenu.IsOpen()
	var items []widgets.MenuItem
	if b.Reason == "" {
		for _, t := range document.Builtins {
			items = append(items, widgets.MenuItem{ID: t, Title: capital(t)})
		}
		items = append(items, separator, widgets.MenuItem{ID: fromFile, Title: sFromFile, Icon: icons.Open})
	}
	return th.ContextArea(gtx, &l.addMenu, items, b.Layout)
}

// fromFile is the item that asks for a file; no built-in texture has this name.
const fromFile = "file"

// addLayer adds a layer with a texture, built-in or a file, and chooses it. Like the
// layers of a new level it repeats over a few cells.
func (l *layers) addLayer(name, texture string) {
	s := l.sh.s
	before := len(s.Level().Layers)
	l.sh.run(command.Call{ID: "layer.add", Args: []command.Arg{
		{Name: "name", Value: freeName(s.Level().Layers, name)}, {Name: "texture", Value: texture},
		{Name: "uv", Value: number(4 * max(1, s.Level().Terrain.Spacing()))},
	}}.String())
	if len(s.Level().Layers) > before {
		l.choose(before)
		l.list.ScrollTo(before)
	}
}

// freeName is a name that no layer has yet.
func freeName(list []document.Layer, base string) string {
	name := base
	for n := 2; slices.ContainsFunc(list, func(o document.Layer) bool { return o.Name == name }); n++ {
		name = fmt.Sprintf("%s %d", base, n)
	}
	return name
}

// choose makes layer i the one that is painted with and whose numbers are shown.
// Only in the mode paint is it a command: elsewhere that would change the mode.
func (l *layers) choose(i int) {
	if l.sh.s.Mode == session.ModePaint {
		l.sh.run(layerLine("brush.layer", i))
		return
	}
	l.sh.s.Paint.Layer = i
	l.sh.again = true
}

func (l *layers) body(gtx layout.Context) layout.Dimensions {
	s, th := l.sh.s, l.sh.th
	list := s.Level().Layers
	l.events(gtx, list)
	if len(list) == 0 {
		return stack(gtx, 8, 4, th.Dim(sNoLayers).Layout)
	}
	return stack(gtx, 0, 0,
		func(gtx layout.Context) layout.Dimensions {
			h := gtx.Dp(layerRow) * min(len(list), layerRows)
			gtx.Constraints = layout.Exact(image.Pt(gtx.Constraints.Max.X, h))
			items := []widgets.MenuItem{
				{ID: "paint", Title: sPaintWith, Icon: icons.Paint, Reason: l.sh.why("mode name=paint")},
				{ID: "rename", Title: sRename, Icon: icons.Pencil, Reason: l.sh.why("layer.set layer=0")},
			}
			return th.ContextArea(gtx, &l.rowMenu, items, func(gtx layout.Context) layout.Dimensions {
				st := th.List(&l.list, sLayers)
				st.RowSize = layerRow
				st.Selected = func(i int) bool { return i == s.Paint.Layer }
				return st.Layout(gtx, len(list), l.row)
			})
		},
		l.numbers,
	)
}

func (l *layers) events(gtx layout.Context, list []document.Layer) {
	for {
		ev, ok := l.list.Update(gtx)
		if !ok {
			break
		}
		if ev.Row < 0 || ev.Row >= len(list) {
			continue
		}
		switch ev.Kind {
		case widgets.ListSelect, widgets.ListContext:
			l.choose(ev.Row)
		case widgets.ListActivate:
			if l.sh.why("layer.set layer=0") == "" {
				l.list.Rename(ev.Row, list[ev.Row].Name)
			}
		case widgets.ListRename:
			if name := strings.TrimSpace(ev.Text); name != "" && name != list[ev.Row].Name {
				l.sh.run(layerLine("layer.set", ev.Row, "name", name))
			}
		}
	}
	for {
		id, ok := l.rowMenu.Update(gtx)
		if !ok {
			break
		}
		i, ok := l.current()
		if !ok {
			continue
		}
		if id == "paint" {
			l.sh.run(layerLine("brush.layer", i))
		} else {
			l.list.Rename(i, list[i].Name)
		}
		l.sh.again = true
	}
}

// row draws one layer: its texture, its name, and how large the texture is.
func (l *layers) row(gtx layout.Context, r widgets.Row) layout.Dimensions {
	th, size := l.sh.th, gtx.Constraints.Max
	layer := l.sh.s.Level().Layers[r.Index]
	side := gtx.Dp(28)
	pad := gtx.Dp(8)
	x := pad + side
	in(gtx, image.Rect(x, 0, size.X, size.Y), func(gtx layout.Context) layout.Dimensions {
		row := th.Row(icons.None, layer.Name)
		row.Detail = widgets.FormatNumber(layer.UVScale, 2) + " " + uMetre
		return row.Layout(gtx, &l.list, r)
	})
	y := (size.Y - side) / 2
	in(gtx, image.Rect(pad, y, pad+side, y+side), func(gtx layout.Context) layout.Dimensions {
		l.sh.thumbnail(gtx, layer)
		return layout.Dimensions{Size: gtx.Constraints.Max}
	})
	return layout.Dimensions{Size: size}
}

// numbers are the texture and the scale of the chosen layer.
func (l *layers) numbers(gtx layout.Context) layout.Dimensions {
	th := l.sh.th
	i, ok := l.current()
	if !ok {
		return layout.Dimensions{}
	}
	layer := l.sh.s.Level().Layers[i]
	reason := l.sh.why("layer.set layer=0")

	titles := make([]string, 0, len(document.Builtins)+1)
	for _, t := range document.Builtins {
		titles = append(titles, capital(t))
	}
	at := slices.Index(document.Builtins, strings.TrimPrefix(layer.Texture, document.BuiltinPrefix))
	if at < 0 { // a picture of the level's own
		at = len(titles)
		titles = append(titles, sOwnTexture)
	}
	titles = append(titles, sFromFile)
	l.texture.Selected = at
	switch k, ok := l.texture.Update(gtx); {
	case !ok:
	case k < len(document.Builtins):
		l.sh.run(layerLine("layer.set", i, "texture", document.Builtins[k]))
	case k == len(titles)-1:
		l.texture.Selected = at // until there is a file
		l.sh.s.AskTexture(func(path string) { l.sh.run(layerLine("layer.set", i, "texture", path)) })
	}

	l.repeat.Min, l.repeat.Max, l.repeat.Log, l.repeat.Decimals = 0.01, 1e6, true, 2
	for {
		c, ok := l.repeat.Update(gtx)
		if !ok {
			break
		}
		if c.Phase == widgets.Commit && c.Value != layer.UVScale {
			l.sh.run(layerLine("layer.set", i, "uv", number(c.Value)))
		}
	}
	if !l.repeat.Dragging() {
		l.repeat.Value = l.sh.s.Level().Layers[i].UVScale
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions {
			return l.sh.labelled(gtx, sTexture, func(gtx layout.Context) layout.Dimensions {
				c := th.Choice(&l.texture, sTexture, titles...)
				c.Reason = reason
				return c.Layout(gtx)
			})
		},
		func(gtx layout.Context) layout.Dimensions {
			n := th.Number(&l.repeat, uMetre)
			n.Label, n.Reason = sRepeat, reason
			return n.Layout(gtx)
		},
	)
}

// labelled is a widget with a dim name at its left.
func (sh *Shell) labelled(gtx layout.Context, name string, w layout.Widget) layout.Dimensions {
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(sh.th.Size.Row))
	c := gtx.Dp(92)
	sh.oneLine(gtx, sh.th.Dim(name), image.Rect(0, 0, c-gtx.Dp(4), size.Y))
	in(gtx, image.Rect(c, 0, size.X, size.Y), w)
	return layout.Dimensions{Size: size}
}

// number writes a value so that a command reads the same value back.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// thumbnail paints a layer's texture over the constraints; a plain surface while it
// is being loaded.
func (sh *Shell) thumbnail(gtx layout.Context, layer document.Layer) {
	size := gtx.Constraints.Max
	defer clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(3)).Push(gtx.Ops).Pop()
	pix := sh.s.Texture(layer)
	if pix == nil {
		fill(gtx, sh.th.Color.Raised, image.Rectangle{Max: size})
		return
	}
	img := sh.layers.thumb(pix)
	of := img.Size()
	scale := f32.Pt(float32(size.X)/float32(of.X), float32(size.Y)/float32(of.Y))
	defer op.Affine(f32.AffineId().Scale(f32.Point{}, scale)).Push(gtx.Ops).Pop()
	img.Add(gtx.Ops)
	paint.PaintOp{}.Add(gtx.Ops)
}

// thumbSide is the side of the pictures that stand for textures, in pixels: enough
// for the largest of them on a screen of twice the usual density.
const thumbSide = 96

// thumb makes a small picture of a texture, once. The texture is minified here, as
// the interface's renderer would only pick single pixels of it.
func (l *layers) thumb(pix *image.NRGBA) paint.ImageOp {
	if t, ok := l.thumbs[pix]; ok {
		return t
	}
	if l.thumbs == nil || len(l.thumbs) > 2*document.MaxLayers {
		l.thumbs = map[*image.NRGBA]paint.ImageOp{}
	}
	t := paint.NewImageOp(shrink(pix, thumbSide))
	l.thumbs[pix] = t
	return t
}

// shrink averages a square picture down to at most side × side pixels.
func shrink(pix *image.NRGBA, side int) *image.NRGBA {
	b := pix.Bounds()
	w, h := min(side, b.Dx()), min(side, b.Dy())
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		y0, y1 := b.Min.Y+y*b.Dy()/h, b.Min.Y+(y+1)*b.Dy()/h
		for x := range w {
			x0, x1 := b.Min.X+x*b.Dx()/w, b.Min.X+(x+1)*b.Dx()/w
			var sum [3]int
			for sy := y0; sy < y1; sy++ {
				row := pix.Pix[pix.PixOffset(x0, sy):]
				for k := 0; k < 4*(x1-x0); k += 4 {
					sum[0] += int(row[k])
					sum[1] += int(row[k+1])
					sum[2] += int(row[k+2])
				}
			}
			n := (x1 - x0) * (y1 - y0)
			o := out.PixOffset(x, y)
			for c := range sum {
				out.Pix[o+c] = uint8((sum[c] + n/2) / n)
			}
			out.Pix[o+3] = 255
		}
	}
	return out
}

// picture is a layer's texture as a button.
func (sh *Shell) picture(gtx layout.Context, b *widgets.Button, layer document.Layer, selected bool) layout.Dimensions {
	size := gtx.Constraints.Max
	line := max(1, int(gtx.Metric.PxPerDp))
	sw := sh.th.Swatch(b, sh.th.Color.Raised, layer.Name)
	sw.Size, sw.Selected = 36, selected
	sw.Reason = sh.why("brush.layer layer=0")
	d := sw.Layout(gtx)
	semantic.SelectedOp(selected).Add(gtx.Ops)
	edge := 3 * line
	in(gtx, image.Rectangle{Max: size}.Inset(edge), func(gtx layout.Context) layout.Dimensions {
		sh.thumbnail(gtx, layer)
		return layout.Dimensions{Size: gtx.Constraints.Max}
	})
	return d
}
