package host

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"
	"time"

	"gioui.org/f32"
	"gioui.org/io/pointer"
	"gioui.org/io/system"
	"github.com/go-gl/gl/v4.1-core/gl"

	"ridgeline/viewport/glcontext"
)

var someTime = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func newTestHost(t testing.TB, size image.Point, scale float32) (*Offscreen, *testUI, *testScene) {
	t.Helper()
	ui, scene := newTestUI(), &testScene{tint: 0.4, dirty: true}
	h, err := NewOffscreen(OffscreenOptions{Size: size, Scale: scale}, ui, scene)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h, ui, scene
}

// encode and linear are the sRGB curve of IEC 61966-2-1.
func encode(l float64) float64 {
	if l <= 0.0031308 {
		return 255 * 12.92 * l
	}
	return 255 * (1.055*math.Pow(l, 1/2.4) - 0.055)
}

func linear(b float64) float64 {
	if b /= 255; b > 0.04045 {
		return math.Pow((b+0.055)/1.055, 2.4)
	}
	return b / 12.92
}

// testPixel is what the test scene shows at a pixel of its viewport, from the
// geometry: the CPU twin of its shader.
func testPixel(size image.Point, x, y int, tint float64) (rgb [3]float64, edge bool) {
	px := 2*(float64(x)+0.5)/float64(size.X) - 1
	py := 1 - 2*(float64(y)+0.5)/float64(size.Y)
	w2 := (py + 0.8) / 1.6
	w1 := (px+0.8)/1.6 - w2/2
	w0 := 1 - w1 - w2
	slack := 3 / float64(min(size.X, size.Y))
	if lowest := min(w0, w1, w2); lowest > slack {
		return [3]float64{w0, w1, w2}, false
	} else if lowest > -slack {
		return rgb, true
	}
	groundRow := size.Y - size.Y/4
	if y >= groundRow {
		return [3]float64{0.1, 0.1, 0.1}, false
	}
	return [3]float64{tint, 0.2, 0.6}, false
}

func near(t *testing.T, what string, p image.Point, got color.NRGBA, want [3]float64, tolerance float64) {
	t.Helper()
	for i, g := range [3]uint8{got.R, got.G, got.B} {
		if diff := math.Abs(float64(g) - want[i]); !(diff <= tolerance) {
			t.Fatalf("%s at %v: %v, expected %.1f", what, p, got, want)
		}
	}
	if got.A != 0xff {
		t.Fatalf("%s at %v is not opaque: %v", what, p, got)
	}
}

// checkPicture compares every pixel with what level and interface should show.
func checkPicture(t *testing.T, m *image.NRGBA, ui *testUI, scene *testScene, labelWidth int) {
	t.Helper()
	seen := 0
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			p := image.Pt(x, y)
			got := m.NRGBAAt(x, y)
			if !p.In(ui.view) {
				if x < labelWidth && y < labelWidth/2 {
					continue // the label's letters
				}
				near(t, "interface", p, got, [3]float64{float64(barColour.R), float64(barColour.G), float64(barColour.B)}, 1)
				continue
			}
			rgb, edge := testPixel(ui.view.Size(), x-ui.view.Min.X, y-ui.view.Min.Y, float64(scene.tint))
			if edge {
				continue
			}
			seen++
			want := [3]float64{encode(rgb[0]), encode(rgb[1]), encode(rgb[2])}
			what := "level"
			if p.In(ui.panel) {
				what = "level under the panel"
				a := float64(ui.fade) / 255
				for i := range want {
					want[i] = encode(linear(math.Round(want[i]))*(1-a) + a)
				}
			}
			near(t, what, p, got, want, 2)
		}
	}
	if area := ui.view.Dx() * ui.view.Dy(); seen < area*3/4 {
		t.Fatalf("only %d of %d pixels of the level were compared", seen, area)
	}
}

func TestLevelShowsWhereInterfacePaintsNothing(t *testing.T) {
	for _, c := range []struct {
		size  image.Point
		scale float32
	}{{image.Pt(480, 320), 1}, {image.Pt(641, 403), 2}, {image.Pt(311, 97), 1.25}} {
		h, ui, scene := newTestHost(t, c.size, c.scale)
		m, err := h.Frame(someTime)
		if err != nil {
			t.Fatal(err)
		}
		if m.Rect.Size() != c.size {
			t.Fatalf("picture of %v, expected %v", m.Rect.Size(), c.size)
		}
		checkPicture(t, m, ui, scene, int(60*c.scale))
		if scene.last.Scale != c.scale || scene.last.Size != ui.view.Size() {
			t.Errorf("target %+v for scale %v and viewport %v", scene.last, c.scale, ui.view)
		}
		letters := 0
		for y := range 24 {
			for x := range int(50 * c.scale) {
				if m.NRGBAAt(x, y).R > 0xc0 {
					letters++
				}
			}
		}
		if letters < 20 {
			t.Errorf("scale %v: the label has %d bright pixels", c.scale, letters)
		}
	}
}

func TestNoStateLeaksBetweenContexts(t *testing.T) {
	h, ui, scene := newTestHost(t, image.Pt(400, 300), 1)
	first, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	checkPicture(t, first, ui, scene, 60)
	for i := range 100 {
		// Alternate all that may change: the level, the interface, the size.
		scene.dirty = i%3 == 0
		ui.fade = uint8(40 + i)
		if i%10 == 0 {
			h.Resize(image.Pt(400+i, 300-i), 1)
		}
		if err := h.Draw(someTime); err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
	}
	scene.dirty, ui.fade = false, 0x80
	h.Resize(image.Pt(400, 300), 1)
	last, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	checkPicture(t, last, ui, scene, 60)
	for i := range first.Pix {
		if first.Pix[i] != last.Pix[i] {
			t.Fatalf("byte %d of the picture differs after 100 frames: %d, was %d", i, last.Pix[i], first.Pix[i])
		}
	}
	if err := h.Do(func() error { return glError("after 100 frames") }); err != nil {
		t.Error(err)
	}
}

func TestSceneIsDrawnOnlyWhenNeeded(t *testing.T) {
	h, ui, scene := newTestHost(t, image.Pt(300, 200), 1)
	frame := func(what string, wantDraws int) {
		t.Helper()
		m, err := h.Frame(someTime)
		if err != nil {
			t.Fatal(err)
		}
		if scene.draws != wantDraws {
			t.Fatalf("%s: the scene was drawn %d times in all, expected %d", what, scene.draws, wantDraws)
		}
		if !ui.hide {
			checkPicture(t, m, ui, scene, 60)
		}
	}
	frame("first frame", 1)
	ui.fade = 0x40
	frame("a panel fades", 1)
	scene.tint, scene.dirty = 0.9, true
	frame("the level changes", 2)
	frame("nothing changes", 2)
	ui.bar = 140
	frame("the viewport shrinks", 3)
	ui.hide = true
	frame("the viewport is hidden", 3)
	ui.hide = false
	frame("and is back", 3)
	h.Resize(image.Pt(320, 200), 1)
	frame("the window grows", 4)
	if s := h.Stats(); s.Frames != 8 || s.Draws != 4 {
		t.Errorf("stats count %d frames and %d draws, expected 8 and 4", s.Frames, s.Draws)
	}
}

func TestViewportIsCutToWindow(t *testing.T) {
	h, ui, scene := newTestHost(t, image.Pt(200, 100), 1)
	ui.bar, ui.strip = 0, -50
	if _, err := h.Frame(someTime); err != nil {
		t.Fatal(err)
	}
	if want := image.Pt(200, 100); scene.last.Size != want {
		t.Errorf("the scene drew %v, expected %v", scene.last.Size, want)
	}
}

func TestBackgroundIsOpaque(t *testing.T) {
	h, ui, _ := newTestHost(t, image.Pt(200, 100), 1)
	ui.hide, ui.fade, ui.bar, ui.strip = true, 0, 0, 0
	m, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.NRGBAAt(150, 90), (color.NRGBA{R: 0x1e, G: 0x1f, B: 0x22, A: 0xff}); got != want {
		t.Errorf("background %v, expected %v", got, want)
	}
}

func TestNoSceneShowsInterfaceOnly(t *testing.T) {
	h, err := NewOffscreen(OffscreenOptions{Size: image.Pt(200, 100)}, newTestUI(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	m, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "bar", image.Pt(100, 90), m.NRGBAAt(100, 90), [3]float64{0x30, 0x38, 0x40}, 1)
}

func TestInputReachesInterface(t *testing.T) {
	h, ui, _ := newTestHost(t, image.Pt(300, 200), 1)
	if _, err := h.Settle(someTime, 5); err != nil {
		t.Fatal(err)
	}
	h.Queue(pointer.Event{Kind: pointer.Press, Source: pointer.Mouse, Buttons: pointer.ButtonPrimary, Position: f32.Pt(150, 60)})
	if _, err := h.Settle(someTime, 5); err != nil {
		t.Fatal(err)
	}
	if ui.presses != 1 || ui.at != image.Pt(150, 60) {
		t.Errorf("%d presses, the last at %v; expected one at (150,60)", ui.presses, ui.at)
	}
	if r, ok := h.Find("everything"); !ok || r != image.Rect(0, 0, 300, 200) {
		t.Errorf("the labelled area is %v, %v", r, ok)
	}
	if _, ok := h.Find("nothing"); ok {
		t.Error("found a label that is not there")
	}
	ui.animate = true
	if _, err := h.Settle(someTime, 5); err == nil {
		t.Error("an interface that always wants a frame settled")
	}
}

func TestSceneErrorIsToldAndTriedAgain(t *testing.T) {
	h, ui, scene := newTestHost(t, image.Pt(300, 200), 1)
	if _, err := h.Frame(someTime); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	scene.fail, scene.dirty = boom, true
	if _, err := h.Frame(someTime); !errors.Is(err, boom) {
		t.Fatalf("error %v, expected boom", err)
	}
	scene.fail = nil
	m, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	checkPicture(t, m, ui, scene, 60)
}

func TestOpenGLErrorOfSceneIsReported(t *testing.T) {
	g := newTestGL(t)
	_, err := g.Render(image.Pt(8, 8), 1, func(Target) error { gl.Enable(0x1234); return nil })
	if err == nil || err.Error() != "the scene left the OpenGL error 0x0500 GL_INVALID_ENUM" {
		t.Errorf("error: %v", err)
	}
	if err := g.Do(func() error { return nil }); err != nil {
		t.Errorf("the error was not taken away: %v", err)
	}
}

func TestBadSizes(t *testing.T) {
	for _, size := range []image.Point{{}, {X: -1, Y: 5}, {X: 1 << 24, Y: 1}} {
		if h, err := NewOffscreen(OffscreenOptions{Size: size}, newTestUI(), nil); err == nil {
			_, err = h.Frame(someTime)
			h.Close()
			if err == nil {
				t.Errorf("size %v was accepted", size)
			}
		}
		if _, err := newTestGL(t).Render(size, 1, func(Target) error { return nil }); err == nil {
			t.Errorf("headless size %v was accepted", size)
		}
	}
}

func TestLostContextIsRebuilt(t *testing.T) {
	h, ui, scene := newTestHost(t, image.Pt(300, 100), 1)
	if _, err := h.Frame(someTime); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 3; n++ {
		h.stage.contexts.Lose()
		m, err := h.Frame(someTime)
		if err != nil {
			t.Fatal(err)
		}
		checkPicture(t, m, ui, scene, 60)
		if scene.releases != n || scene.inits != n+1 {
			t.Fatalf("after loss %d: %d releases and %d inits", n, scene.releases, scene.inits)
		}
	}
	lost := h.stage.contexts
	lost.Lose()
	if err := h.Do(func() error { return nil }); !errors.Is(err, glcontext.ErrLost) {
		t.Errorf("a lost context was used: %v", err)
	}
	h.Close()
	if scene.releases != 4 {
		t.Errorf("the scene was released %d times, expected 4", scene.releases)
	}
	if err := h.Draw(someTime); err == nil {
		t.Error("a closed host drew")
	}
}

func newTestGL(t testing.TB) *GL {
	t.Helper()
	g, err := NewHeadlessGL()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func TestHeadlessRender(t *testing.T) {
	g := newTestGL(t)
	scene := &testScene{tint: 0.4}
	if err := g.Do(scene.Init); err != nil {
		t.Fatal(err)
	}
	for _, size := range []image.Point{{X: 200, Y: 100}, {X: 64, Y: 64}, {X: 64, Y: 64}} {
		m, err := g.Render(size, 1, scene.Draw)
		if err != nil {
			t.Fatal(err)
		}
		for y := range size.Y {
			for x := range size.X {
				if rgb, edge := testPixel(size, x, y, 0.4); !edge {
					near(t, "level", image.Pt(x, y), m.NRGBAAt(x, y), [3]float64{encode(rgb[0]), encode(rgb[1]), encode(rgb[2])}, 2)
				}
			}
		}
	}
}

func TestManyHostsAtOnce(t *testing.T) {
	for range 4 {
		t.Run("host", func(t *testing.T) {
			t.Parallel()
			h, ui, scene := newTestHost(t, image.Pt(200, 120), 1)
			for range 10 {
				m, err := h.Frame(someTime)
				if err != nil {
					t.Fatal(err)
				}
				checkPicture(t, m, ui, scene, 60)
			}
		})
	}
}

func TestPostedFunctionsRunBeforeTheNextFrame(t *testing.T) {
	h, ui, _ := newTestHost(t, image.Pt(200, 120), 1)
	var ran []int
	done := make(chan bool)
	go func() {
		h.Post(func() {
			ran = append(ran, ui.layouts)
			if len(ran) == 1 {
				h.Post(func() { ran = append(ran, ui.layouts) })
			}
		})
		close(done)
	}()
	<-done
	if _, err := h.Settle(someTime, 5); err != nil {
		t.Fatal(err)
	}
	if len(ran) != 2 || ran[0] != 0 || ran[1] != 1 {
		t.Errorf("posted functions ran after %v layouts, expected [0 1]", ran)
	}
}

func TestTitleBar(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		px := func(n int) int { return n * int(scale) }
		h, ui, scene := newTestHost(t, image.Pt(px(300), px(200)), scale)
		plain, err := h.Frame(someTime)
		if err != nil {
			t.Fatal(err)
		}
		var acts system.Action
		bar := newTitleBar(func(a system.Action) { acts |= a })
		bar.title = "Some level"
		h.frame.bar = bar
		h.Resize(image.Pt(px(300), px(240)), scale)
		m, err := h.Frame(someTime)
		if err != nil {
			t.Fatal(err)
		}
		if err := differ(belowTitle(m, int(scale)), plain, 2); err != nil {
			t.Fatal("below the title bar: ", err)
		}
		if want := ui.view.Size(); scene.last.Size != want {
			t.Errorf("the scene drew %v, expected %v", scene.last.Size, want)
		}
		letters := 0
		for y := range px(40) {
			for x := range px(150) {
				if m.NRGBAAt(x, y).R > 0x80 {
					letters++
				}
			}
		}
		if letters < 50 {
			t.Errorf("the title has %d bright pixels", letters)
		}
		click := func(x, y int) {
			at := f32.Pt(float32(px(x)), float32(px(y)))
			h.Queue(pointer.Event{Kind: pointer.Press, Source: pointer.Mouse, Buttons: pointer.ButtonPrimary, Position: at},
				pointer.Event{Kind: pointer.Release, Source: pointer.Mouse, Position: at})
			for range 3 { // the button's ripple would never settle at a fixed time
				if err := h.Draw(someTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		click(280, 20)
		if acts != system.ActionClose {
			t.Errorf("the rightmost button asks for %v, expected close", acts)
		}
		click(150, 100)
		if want := image.Pt(px(150), px(60)); ui.presses != 1 || ui.at != want {
			t.Errorf("%d presses, the last at %v; expected %v", ui.presses, ui.at, want)
		}
	}
}

func TestMakeOpaque(t *testing.T) {
	g := newTestGL(t)
	err := g.Do(func() error {
		var p picture
		if err := p.resize(image.Pt(3, 2)); err != nil {
			return err
		}
		defer p.release()
		err := p.paint(func(Target) error {
			gl.ClearColor(0.4, 0.2, 0.6, 0.25)
			gl.Clear(gl.COLOR_BUFFER_BIT)
			gl.Enable(gl.SCISSOR_TEST)
			gl.Scissor(0, 0, 1, 1)
			return nil
		}, true)
		if err != nil {
			return err
		}
		p.makeOpaque()
		pix := make([]byte, 24)
		gl.ReadPixels(0, 0, 3, 2, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(pix))
		for i := 0; i < len(pix); i += 4 {
			if got := [4]byte(pix[i:]); got != [4]byte{170, 124, 203, 255} {
				t.Errorf("pixel %d is %v", i/4, got)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestInterfaceMayRecoverFromItsPanic(t *testing.T) {
	h, ui, scene := newTestHost(t, image.Pt(300, 200), 1)
	want, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	ui.crash = true
	m, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	if got, bg := m.NRGBAAt(60, 150), (color.NRGBA{R: 0x1e, G: 0x1f, B: 0x22, A: 0xff}); got != bg {
		t.Errorf("in place of the bar is %v, expected %v", got, bg)
	}
	rgb, _ := testPixel(ui.view.Size(), 5, 5, float64(scene.tint))
	near(t, "level", image.Pt(125, 5), m.NRGBAAt(125, 5), [3]float64{encode(rgb[0]), encode(rgb[1]), encode(rgb[2])}, 1)
	ui.crash = false
	if m, err = h.Frame(someTime); err != nil {
		t.Fatal(err)
	}
	if err := differ(m, want, 2); err != nil {
		t.Error("after the crash: ", err)
	}
}
