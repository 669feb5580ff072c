package gallery

import (
	"flag"
	"testing"

	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// shoot drives a scene of w × h dp and compares its picture with the golden one.
func shoot(t *testing.T, name string, w, h int, scale float32, th *widgets.Theme, root layout.Widget, drive func(*widgettest.Harness)) {
	t.Helper()
	w, h = int(float32(w)*scale), int(float32(h)*scale)
	hs := widgettest.New(t, w, h, scale, func(gtx layout.Context) layout.Dimensions {
		widgets.Fill(gtx, th.Color.Gap)
		return root(gtx)
	})
	if drive != nil {
		drive(hs)
	}
	cam, err := NewCamera(w, h)
	if err != nil {
		t.Fatal(err)
	}
	defer cam.Release()
	hs.Golden(cam, name, *update)
}
