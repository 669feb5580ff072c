package session

import (
	"testing"

	"ridgeline/document"
	"ridgeline/editor/tool"
	"ridgeline/terrain"
)

// A brush that suited another level is made to suit this one, and one that suits is
// left as it is.
func TestBrushFitsTheLevel(t *testing.T) {
	r := start(t, t.TempDir())
	for _, c := range [...]struct {
		side            int
		spacing         float64
		radius, want    float64
		strength, force float64
	}{
		{257, 1, 20, 20, 5, 5},
		{257, 1, 0.5, 12, 1, 24},        // too small to use
		{257, 40, 20, 480, 10, 240},     // as small, on a larger level
		{2049, 1, 480, 34.1, 240, 17.1}, // so many samples that strokes would lag
		{2049, 1, 99, 99, 5, 5},
	} {
		f, err := terrain.Flat(c.side, c.side, c.spacing)
		if err != nil {
			t.Fatal(err)
		}
		r.Brush.Set(tool.Radius, c.radius)
		r.Brush.Set(tool.Strength, c.strength)
		r.NewLevel(document.NewLevel(f), "")
		if r.Brush.Radius != c.want || r.Brush.Strength != c.force {
			t.Errorf("%d samples of %g m: %g m became %g m at %g m/s, want %g m at %g m/s",
				c.side, c.spacing, c.radius, r.Brush.Radius, r.Brush.Strength, c.want, c.force)
		}
	}
	if text, _ := r.SaveState(); text != "No changes" {
		t.Errorf("a level that was never saved is called %q", text)
	}
}
