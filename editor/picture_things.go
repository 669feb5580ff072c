package editor

import (
	"image"
	"image/color"

	"ridgeline/editor/session"
	"ridgeline/viewport/host"
)

// Colours of a picture of things: the ground, and nothing. A thing has the colour
// whose red, green and blue are the three bytes of its number, the highest first.
var (
	thingGround  = color.NRGBA{255, 255, 255, 255}
	thingNothing = color.NRGBA{0, 0, 0, 255}
)

// drawThings draws what stands at each pixel, at full detail and with nothing culled.
func (p Picture) drawThings(s *session.Session) (*image.NRGBA, error) {
	gl, err := host.NewHeadlessGL()
	if err != nil {
		return nil, err
	}
	defer gl.Close()
	s.Resize(p.Size, 1)
	s.Tick(0)
	c := &scene{s: s}
	if err := gl.Do(c.Init); err != nil {
		return nil, err
	}
	defer gl.Do(func() error { c.Release(); return nil })
	var t truth
	err = gl.Do(func() error {
		if err := c.r.Update(c.world(s.Level())); err != nil {
			return err
		}
		t.begin(s)
		return t.look(c, viewOf(s, p.Size), p.Size, 0)
	})
	if err != nil {
		return nil, err
	}
	cols, rows := s.Scene().ChunkGrid()
	items := s.Scene().Items()
	m := image.NewNRGBA(image.Rectangle{Max: p.Size})
	for y := range p.Size.Y {
		for x := range p.Size.X {
			what := thingNothing
			chunk, instance := t.sight.At(x, y)
			switch {
			case chunk >= 0:
				what = thingGround
			case instance >= 0:
				id := items[int(t.entries[instance])-cols*rows].ID
				what = color.NRGBA{uint8(id >> 16), uint8(id >> 8), uint8(id), 255}
			}
			m.SetNRGBA(x, y, what)
		}
	}
	return m, nil
}
