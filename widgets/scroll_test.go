package widgets_test

import (
	"image"
	"testing"

	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

// The frame in which the content grows too high is already the one in which it
// has room for the bar, and the frame in which it shrinks gives the room back.
func TestScrollKeepsRoomForItsBarAtOnce(t *testing.T) {
	th := widgets.NewTheme()
	var s widgets.Scroll
	height := func(width int) int { return 100 }
	shown := 0 // width of the last layout in a frame
	calls := 0
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints = layout.Exact(image.Pt(200, 200))
		calls = 0
		return th.Scroll(gtx, &s, func(gtx layout.Context) layout.Dimensions {
			calls++
			shown = gtx.Constraints.Max.X
			return layout.Dimensions{Size: image.Pt(shown, height(shown))}
		})
	}))
	for _, c := range []struct {
		name   string
		height func(width int) int
		want   int // width that the content ends up with
		first  int // layouts in the frame of the change
	}{
		{"fits", func(int) int { return 200 }, 200, 1},
		{"too high", func(int) int { return 201 }, 190, 2},
		{"still too high", func(int) int { return 900 }, 190, 1},
		{"fits again", func(int) int { return 10 }, 200, 2},
		{"wraps to too high only beside the bar", func(w int) int { return 40000 / w }, 200, 1},
		{"wraps", func(w int) int { return 50000 / w }, 190, 2},
		{"a picture that fits only beside the bar", func(w int) int { return w + 5 }, 190, 3},
		{"fits at last", func(w int) int { return w }, 200, 2},
	} {
		height = c.height
		h.Frame()
		if shown != c.want || calls != c.first {
			t.Errorf("%s: width %d after %d layouts, want %d after %d", c.name, shown, calls, c.want, c.first)
		}
		for range 3 {
			h.Frame()
			if shown != c.want || calls != 1 {
				t.Errorf("%s, later: width %d after %d layouts, want %d after %d", c.name, shown, calls, c.want, 1)
			}
		}
	}
}
