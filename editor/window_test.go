package editor

import (
	"image"
	"testing"
)

func TestWindowLooksLikeTwin(t *testing.T) {
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			d := newDesk(t)
			path := newLevel(t)
			level, _ := load(t, path, false)
			w := newTwin(t, level, path, windowSize)
			e := d.open(path, "--viewport="+mode)
			e.titled("pyrenees – Ridgeline")
			keepPicture(t, w.picture(), "twin.png")
			e.shows(w.picture(), w.aboveStatus())
			keepPicture(t, e.shot(), "window.png")
			for _, size := range []image.Point{{X: 960, Y: 600}, {X: 1600, Y: 1000}} {
				if err := e.x.Resize(e.window, size); err != nil {
					t.Fatal(err)
				}
				w.h.Resize(size, 1)
				e.shows(w.picture(), w.aboveStatus())
				keepPicture(t, e.shot(), "size.png")
			}
		})
	}
}
