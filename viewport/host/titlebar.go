package host

import (
	"image"
	"image/color"

	"gioui.org/font/gofont"
	"gioui.org/io/system"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"gioui.org/widget"
	"gioui.org/widget/material"
)

// titleBar is the window's title with its buttons, for compositors that draw none:
// some Wayland ones. Gio has such a bar, but not for windows that it does not draw.
type titleBar struct {
	title string
	act   func(system.Action) // what a button asks for
	deco  widget.Decorations
	theme *material.Theme
}

// titleHeight is what Gio adds to the height of windows without decorations.
const titleHeight = unit.Dp(40)

func newTitleBar(act func(system.Action)) *titleBar {
	t := material.NewTheme()
	t.Shaper = text.NewShaper(text.NoSystemFonts(), text.WithCollection(gofont.Regular()))
	t.ContrastBg = color.NRGBA{R: 0x17, G: 0x18, B: 0x1b, A: 0xff}
	t.ContrastFg = color.NRGBA{R: 0xd0, G: 0xd2, B: 0xd6, A: 0xff}
	return &titleBar{theme: t, act: act}
}

// layout lays out the bar at the top of the window and returns its height.
func (b *titleBar) layout(gtx layout.Context) int {
	if acts := b.deco.Update(gtx); acts != 0 {
		b.act(acts)
	}
	height := min(gtx.Dp(titleHeight), gtx.Constraints.Max.Y-1)
	gtx.Constraints = layout.Exact(image.Pt(gtx.Constraints.Max.X, height))
	defer clip.Rect{Max: gtx.Constraints.Max}.Push(gtx.Ops).Pop()
	paint.Fill(gtx.Ops, b.theme.ContrastBg)
	const buttons = system.ActionMinimize | system.ActionMaximize | system.ActionUnmaximize | system.ActionClose
	style := material.Decorations(b.theme, &b.deco, buttons, b.title)
	style.Title.MaxLines = 1
	style.Layout(gtx)
	return height
}
