package nodetree

import (
	"testing"

	"ridgeline/occluders/geom"
)

func benchBoxes(n int) []geom.Box {
	s := random(1)
	boxes := make([]geom.Box, n)
	for i := range boxes {
		p := geom.Vec3{float64(s.float()) * 4000, float64(s.float()) * 100, float64(s.float()) * 4000}
		boxes[i] = geom.BoxOf(p, p.Add(geom.Vec3{2 + 20*float64(s.float()), 3 + 20*float64(s.float()), 2 + 20*float64(s.float())}))
	}
	return boxes
}

func BenchmarkBuildBoxes(b *testing.B) {
	boxes := benchBoxes(10000)
	for _, o := range []struct {
		name string
		Options
	}{{"quad", Options{}}, {"oct", Options{Split: Oct}}, {"fine", Options{MinSize: 16, MaxItems: 8}}} {
		b.Run(o.name, func(b *testing.B) {
			b.ReportAllocs()
			var t *Tree
			for b.Loop() {
				t = Build(boxes, o.Options)
			}
			s := t.Stats()
			b.ReportMetric(float64(s.Nodes), "nodes")
			b.ReportMetric(float64(s.Listings), "listings")
			b.ReportMetric(float64(s.Bytes)/float64(len(boxes)), "bytes/item")
		})
	}
}
