package editor

import (
	"context"
	"fmt"
	"image"
	"io"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/viewport/host"
)

// Picture says what a picture shows.
type Picture struct {
	Level *document.Level
	Path  string // of the level: its name and textures; may be empty
	Name  string // of a level without a path

	Size  image.Point // pixels
	Scale float32     // pixels per dp; 0 is 1

	// Eye and Look place the camera; nil: where the level keeps it.
	Eye, Look *mgl64.Vec3

	Overlays []string // names of session.Overlays
	UI       bool     // the whole editor, not the level alone
	Things   bool     // instead, a picture that tells by colours what stands at each pixel
	Mode     session.Mode
	Do       string    // commands that are run before
	Out      io.Writer // what the commands print; nil discards
}

// Draw draws the picture without a display.
func (p Picture) Draw(ctx context.Context) (*image.NRGBA, error) {
	if p.Scale == 0 {
		p.Scale = 1
	}
	// Without a loop to post to nothing runs beside this goroutine.
	s := session.New(p.Level, session.Options{Temporary: true, Path: p.Path, Name: p.Name, Now: func() time.Time { return pictureTime }})
	defer s.Close()
	s.Culling.Clock = func() time.Duration { return 0 }
	s.LoadTextures()
	s.LoadModels(ctx)
	var window *program
	if p.UI {
		window = newProgram(s) // which decides about panels, before commands do
	}
	if err := p.set(s); err != nil {
		return nil, err
	}
	s.LoadModels(ctx) // of a level that the commands opened or added to
	s.LoadTextures()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.UI {
		return p.drawEditor(window)
	}
	if p.Things {
		return p.drawThings(s)
	}
	return p.drawLevel(s)
}

// pictureTime is when pictures are taken, so that the same level gives the same
// picture.
var pictureTime = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// set prepares the session.
func (p Picture) set(s *session.Session) error {
	for _, o := range p.Overlays {
		if !slices.Contains(session.Overlays, o) {
			return fmt.Errorf("there is no overlay %q, expected some of %v", o, session.Overlays)
		}
		s.Show("overlay "+o, true)
	}
	s.Show("overlay markers", p.UI || slices.Contains(p.Overlays, "markers"))
	if p.Mode != "" {
		if err := s.SetMode(p.Mode); err != nil {
			return err
		}
	}
	if p.Do != "" {
		s.Resize(p.Size, p.Scale)
		if err := execute(s, p.Do, p.Out); err != nil {
			return err
		}
		s.View.Settle()
	}
	if p.Eye != nil || p.Look != nil {
		at := s.Env.View.Camera
		if p.Eye != nil {
			at.Eye = *p.Eye
		}
		if p.Look != nil {
			at.Look = *p.Look
		}
		s.View.Place(at.Eye, at.Look)
	}
	return nil
}

// execute runs commands that print to out as well as to the console.
func execute(s *session.Session, commands string, out io.Writer) error {
	if out != nil {
		defer func(was io.Writer) { s.Env.Out = was }(s.Env.Out)
		s.Env.Out = io.MultiWriter(s.Env.Out, out)
	}
	return s.Execute(commands)
}

// drawLevel draws the level alone.
func (p Picture) drawLevel(s *session.Session) (*image.NRGBA, error) {
	gl, err := host.NewHeadlessGL()
	if err != nil {
		return nil, err
	}
	defer gl.Close()
	s.Resize(p.Size, p.Scale)
	s.Tick(0)
	c := &scene{s: s}
	if err := gl.Do(c.Init); err != nil {
		return nil, err
	}
	defer gl.Do(func() error { c.Release(); return nil })
	return gl.Render(p.Size, p.Scale, c.Draw)
}

// maxSettle bounds the frames that the interface may take to come to rest.
const maxSettle = 60

// drawEditor draws the whole window.
func (p Picture) drawEditor(a *program) (*image.NRGBA, error) {
	h, err := host.NewOffscreen(host.OffscreenOptions{Size: p.Size, Scale: p.Scale, Background: a.theme.Color.Gap}, a, a.scene)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	m, err := h.Settle(pictureTime, maxSettle)
	if err == nil && a.fatal != nil {
		err = a.fatal
	}
	return m, err
}
