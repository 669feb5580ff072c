package session

import (
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/viewport/overlay"
)

// A picture of markers with very many points has bounded many signs, and the names
// over it are found without drawing it.
func TestMarkersOfManyPoints(t *testing.T) {
	const n = 50_000
	for _, shape := range []document.MarkerShape{document.MarkerPoint, document.MarkerLine, document.MarkerArea} {
		points := make([]mgl64.Vec3, n)
		for i := range points {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
			points[i] = mgl64.Vec3{64 + 30*cos, 1, 64 + 30*sin}
		}
		r := start(t, t.TempDir())
		l, err := flat(t).WithEntities([]document.Entity{{ID: 1, Kind: document.KindMarker, Name: "zone", Data: document.Marker{Shape: shape, Points: points}}})
		if err != nil {
			t.Fatal(err)
		}
		r.NewLevel(l, "")
		r.Resize(image.Pt(800, 600), 1)
		r.View.Place(mgl64.Vec3{64, 80, 150}, mgl64.Vec3{64, 0, 64})
		r.Run("select 1; gizmo move")
		r.Tick(1)
		f := r.View.Rig.Camera.Frustum(r.View.sizeVec())
		var shapes overlay.Shapes
		r.appendMarkers(&shapes, &f)
		if s := len(shapes.Segments); s < n || s > n+100*maxSigns || len(shapes.Facets) != 0 {
			t.Errorf("%s: %d segments and %d facets", shape, s, len(shapes.Facets))
		}
		if labels := r.Labels(); len(labels) != 1 || labels[0].Text != "zone" || len(r.labelled.Facets) > 100 || len(r.labelled.Segments) > 1000 {
			t.Errorf("%s: labels %v, beside %d segments", shape, labels, len(r.labelled.Segments))
		}
		r.quiet()
	}
}
