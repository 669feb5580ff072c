package host

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"gioui.org/font/gofont"
	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"gioui.org/widget"
	"gioui.org/widget/material"
	"github.com/go-gl/gl/v4.1-core/gl"
)

// The test scene: a lit sky above, ground below, and a triangle whose colours mix
// between its corners. It leaves as much OpenGL state behind as it can.
type testScene struct {
	program, vao uint32
	tint         float32 // red of the sky, linear
	dirty        bool
	fail         error

	inits, draws, releases int
	alive                  int // releases that found the objects, so in a living context
	last                   Target
}

const testVertex = `#version 410 core
out vec3 colour;
void main() {
	vec2 at[3] = vec2[3](vec2(-0.8, -0.8), vec2(0.8, -0.8), vec2(0.0, 0.8));
	vec3 rgb[3] = vec3[3](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1));
	colour = rgb[gl_VertexID];
	gl_Position = vec4(at[gl_VertexID], 0.0, 1.0);
}
`

const testFragment = `#version 410 core
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 0.25); }
`

func (s *testScene) Init() error {
	s.inits++
	s.dirty = true
	s.program = gl.CreateProgram()
	for _, stage := range []struct {
		kind uint32
		text string
	}{{gl.VERTEX_SHADER, testVertex}, {gl.FRAGMENT_SHADER, testFragment}} {
		shader := gl.CreateShader(stage.kind)
		text, free := gl.Strs(stage.text + "\x00")
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(s.program, shader)
		gl.DeleteShader(shader)
	}
	gl.LinkProgram(s.program)
	var ok int32
	if gl.GetProgramiv(s.program, gl.LINK_STATUS, &ok); ok == 0 {
		log := strings.Repeat("\x00", 4096)
		gl.GetProgramInfoLog(s.program, 4095, nil, gl.Str(log))
		return fmt.Errorf("link: %s", log)
	}
	gl.GenVertexArrays(1, &s.vao)
	return nil
}

func (s *testScene) Dirty() bool { return s.dirty }

func (s *testScene) Draw(t Target) error {
	s.draws++
	s.last = t
	if s.fail != nil {
		return s.fail
	}
	s.dirty = false
	gl.Disable(gl.CULL_FACE)
	gl.Disable(gl.DEPTH_TEST)
	gl.ClearColor(s.tint, 0.2, 0.6, 0)
	gl.ClearDepth(1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	gl.Enable(gl.SCISSOR_TEST)
	gl.Scissor(0, 0, int32(t.Size.X), int32(t.Size.Y/4))
	gl.ClearColor(0.1, 0.1, 0.1, 0)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	gl.Scissor(0, 0, 7, 7)
	gl.Disable(gl.SCISSOR_TEST)
	gl.UseProgram(s.program)
	gl.BindVertexArray(s.vao)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	// The mess that a careless pass leaves.
	gl.Enable(gl.SCISSOR_TEST)
	gl.Enable(gl.DEPTH_TEST)
	gl.Enable(gl.CULL_FACE)
	gl.CullFace(gl.FRONT_AND_BACK)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.ZERO, gl.ZERO)
	gl.ColorMask(false, true, false, true)
	gl.DepthMask(false)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 3)
	gl.PixelStorei(gl.PACK_SKIP_ROWS, 1)
	return nil
}

func (s *testScene) Release() {
	s.releases++
	if gl.IsProgram(s.program) {
		s.alive++
	}
	gl.DeleteProgram(s.program)
	gl.DeleteVertexArrays(1, &s.vao)
}

// The test interface: an opaque bar on the left with a label, the level right of
// it, a translucent panel over the level, and an opaque strip below.
type testUI struct {
	theme   *material.Theme
	bar     unit.Dp
	strip   unit.Dp
	fade    uint8 // alpha of the panel over the level
	hide    bool  // no viewport at all
	animate bool  // ask for another frame in every frame

	view, panel    image.Rectangle
	presses, moves int
	layouts        int
	at             image.Point    // of the last press
	crash          bool           // panic in the middle of a macro, and recover
	editor         *widget.Editor // in the bar, if any
}

func newTestUI() *testUI {
	t := material.NewTheme()
	t.Shaper = text.NewShaper(text.NoSystemFonts(), text.WithCollection(gofont.Regular()))
	return &testUI{theme: t, bar: 120, strip: 30, fade: 0x80}
}

var (
	barColour   = color.NRGBA{R: 0x30, G: 0x38, B: 0x40, A: 0xff}
	panelColour = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

func (u *testUI) Layout(gtx layout.Context) {
	u.layouts++
	if u.crash {
		defer func() { _ = recover() }()
		op.Record(gtx.Ops)
		clip.Rect{Max: image.Pt(5, 5)}.Push(gtx.Ops)
		panic("in the middle")
	}
	size := gtx.Constraints.Max
	bar, strip := gtx.Dp(u.bar), gtx.Dp(u.strip)
	u.view = image.Rect(bar, 0, size.X, size.Y-strip)
	u.panel = image.Rectangle{Min: u.view.Min, Max: u.view.Min.Add(u.view.Size().Div(2))}
	for {
		e, ok := gtx.Event(pointer.Filter{Target: u, Kinds: pointer.Press | pointer.Move})
		if !ok {
			break
		}
		if e, ok := e.(pointer.Event); ok && e.Kind == pointer.Press {
			u.presses++
			u.at = e.Position.Round()
		} else if ok {
			u.moves++
		}
	}
	fill(gtx.Ops, image.Rect(0, 0, bar, size.Y), barColour)
	fill(gtx.Ops, image.Rect(bar, size.Y-strip, size.X, size.Y), barColour)
	over := panelColour
	over.A = u.fade
	fill(gtx.Ops, u.panel, over)
	area := clip.Rect(image.Rectangle{Max: size}).Push(gtx.Ops)
	semantic.LabelOp("everything").Add(gtx.Ops)
	event.Op(gtx.Ops, u)
	label := gtx
	label.Constraints = layout.Constraints{Max: image.Pt(bar, size.Y)}
	l := material.Body1(u.theme, "Ridge")
	l.Color = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	l.Layout(label)
	if u.editor != nil {
		for {
			if _, ok := u.editor.Update(gtx); !ok {
				break
			}
		}
		at := op.Offset(image.Pt(0, gtx.Dp(100))).Push(gtx.Ops)
		e := gtx
		e.Constraints = layout.Exact(image.Pt(bar, gtx.Dp(40)))
		material.Editor(u.theme, u.editor, "").Layout(e)
		at.Pop()
	}
	area.Pop()
	if u.animate {
		gtx.Execute(op.InvalidateCmd{})
	}
	if u.hide {
		u.view = image.Rectangle{}
	}
}

func (u *testUI) Viewport() image.Rectangle { return u.view }

func fill(ops *op.Ops, r image.Rectangle, c color.NRGBA) {
	defer clip.Rect(r).Push(ops).Pop()
	paint.Fill(ops, c)
}
