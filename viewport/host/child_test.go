package host

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"strings"
	"testing"

	"gioui.org/app"
	"gioui.org/widget"

	"ridgeline/viewport/glcontext"
)

// Windows are shown by a process of their own: this test program, started again
// with childVariable set to the mode. It obeys commands on standard input, one a
// line, and answers each with one line on standard output.
const childVariable = "RIDGELINE_HOST_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childVariable); mode != "" {
		scene := &testScene{tint: 0.4}
		if err := child(mode, scene); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println("closed", scene.releases, scene.alive)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(mode string, scene *testScene) error {
	refuse := strings.HasPrefix(mode, "refuse-")
	m, err := ParseMode(strings.TrimPrefix(mode, "refuse-"))
	if err != nil {
		return err
	}
	ui := newTestUI()
	mayClose, asked := true, 0
	icon := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	icon.SetNRGBA(0, 0, color.NRGBA{R: 1, G: 2, B: 3, A: 255})
	icon.SetNRGBA(1, 0, color.NRGBA{R: 4, G: 5, B: 6, A: 7})
	w := NewWindow(Options{
		Title: "Host test", AppID: "hosttest", Width: 400, Height: 300, MinWidth: 100, MinHeight: 80,
		Mode: m, Icons: []image.Image{icon},
		Report:  func(err error) { fmt.Println("report", err) },
		Closing: func() bool { asked++; return mayClose },
	}, ui, scene)
	if refuse {
		w.opener = func(app.ViewEvent, image.Point) (*glcontext.Contexts, error) {
			return nil, errors.New("no, thank you")
		}
	}
	commands := map[string]func() string{
		"stats": func() string {
			s := w.Stats()
			return fmt.Sprintf("stats %d %d %d %d %v", s.Frames, s.Draws, scene.inits, scene.releases, w.Mode())
		},
		"fade":  func() string { ui.fade = 0x20; return "faded" },
		"tint":  func() string { scene.tint, scene.dirty = 0.9, true; return "tinted" },
		"keep":  func() string { mayClose = false; return "keeping" },
		"allow": func() string { mayClose = true; return "allowing" },
		"asked": func() string { return fmt.Sprint("asked ", asked) },
		"close": func() string { w.RequestClose(); return "closing" },
		"moves": func() string { return fmt.Sprint("moves ", ui.moves) },
		"surface": func() string {
			c := w.stage.(*direct).contexts
			return fmt.Sprint("surface ", c.SRGB(), c.Translucent())
		},
		"warp":   func() string { return fmt.Sprint("warped ", w.WarpPointer(image.Pt(150, 60))) },
		"fail":   func() string { scene.fail, scene.dirty = errors.New("boom"), true; return "failing" },
		"mend":   func() string { scene.fail = nil; return "mended" },
		"grow":   func() string { w.win.Option(app.Size(500, 333)); return "growing" },
		"rename": func() string { w.SetTitle("Renamed"); return "renamed" },
		"editor": func() string { ui.editor = new(widget.Editor); return "editing" },
		"text":   func() string { return fmt.Sprintf("text %q", ui.editor.Text()) },
		"lose": func() string {
			switch s := w.stage.(type) {
			case *direct:
				s.contexts.Lose()
			case *copying:
				s.contexts.Lose()
			}
			return "lost"
		},
		"picture": func() string {
			d, ok := w.stage.(*direct)
			if !ok {
				return "picture impossible"
			}
			d.snapshot = func(d *direct, size image.Point) error {
				d.snapshot = nil
				m := image.NewNRGBA(image.Rectangle{Max: size})
				err := d.read.read(0, size, m.Pix, m.Stride)
				fmt.Printf("pixels %d %d %x\n", size.X, size.Y, m.Pix)
				return err
			}
			return "picture follows"
		},
	}
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			command := commands[in.Text()]
			w.Post(func() { fmt.Println(command()) })
		}
	}()
	return w.Run()
}
