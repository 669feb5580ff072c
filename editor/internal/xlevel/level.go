package xlevel

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
)

// Rich is a small level with some ground and one of everything: markers, groups,
// objects that are hidden, locked, mirrored and without their asset, a scatter, and
// keys that this version does not know.
func Rich(t testing.TB) *document.Level {
	t.Helper()
	const n = 97
	h := make([]float32, n*n)
	for i := range h {
		h[i] = float32(i%n)/8 + float32(i/n*7%13)
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	l := document.NewLevel(f.WithOrigin(-20, 10))
	l.Assets = []document.Asset{
		{Name: "Box", File: "asset:00000000000000000000000000000001.glb", Source: "box.glb"},
		{Name: "Tree", File: "asset:00000000000000000000000000000002.glb"},
	}
	l.Settings.EntityLayers = []document.EntityLayer{{Name: "vault", Locked: true}, {Name: "attic", Hidden: true}}
	l, err = l.WithEntities([]document.Entity{
		{ID: 1, Kind: document.KindMarker, Name: "door", Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}}},
		{ID: 2, Kind: document.KindObject, Name: "tree", Extra: document.Extra{"later": []byte(`{"a":[1,2]}`)}},
		{ID: 3, Kind: document.KindObject, Name: "tree"},
		{ID: 4, Kind: document.KindObject, Name: "crate", Parent: 2, Translation: mgl64.Vec3{5, 2, 20}, Rotation: mgl64.QuatRotate(1, mgl64.Vec3{0, 1, 0}), Data: document.Object{Asset: "Box"}},
		{ID: 5, Kind: document.KindObject, Name: "lid", Parent: 4, Translation: mgl64.Vec3{0, 1, 0}, Scale: mgl64.Vec3{1, -0.5, 1}, Layer: "attic", Data: document.Object{Asset: "Box", Geometry: true}},
		{ID: 6, Kind: document.KindObject, Name: "safe", Translation: mgl64.Vec3{30, 0, 30}, Locked: true, Data: document.Object{Asset: "Lost"}},
		{ID: 7, Kind: document.KindObject, Name: "gold", Layer: "vault", Data: document.Object{Asset: "Box"}},
		{ID: 8, Kind: document.KindScatter, Name: "wood", Data: document.Scatter{
			Assets: []string{"Tree", "Box"}, Points: []document.ScatterPoint{{Position: mgl64.Vec3{1, 2, 30}, Scale: 1}, {Asset: 1, Position: mgl64.Vec3{4, 2, 33}, Yaw: 1, Scale: 2}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	later := document.Extra{"later": []byte(`[1,"two"]`)}
	l.Extra, l.TerrainExtra, l.Settings.Extra, l.Settings.Sun.Extra, l.Layers[0].Extra = later, later, later, later, later
	return l
}
