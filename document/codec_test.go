package document

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

// entities draws valid entities with all that they can have.
func entities(t *rapid.T) Entity {
	number := rapid.OneOf(rapid.Float64Range(-1e7, 1e7), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1e-7, 1e-300, -MaxPlace}))
	factor := rapid.SampledFrom([]float64{1, -1, 0.1, MinScale, MaxScale})
	angle := rapid.OneOf(number, rapid.SampledFrom([]float64{1e21, -1e300}))
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\"\\", "<&>", "\u2028\x00é"}))
	vector := func(g *rapid.Generator[float64], label string) (v mgl64.Vec3) {
		for i := range v {
			v[i] = g.Draw(t, label)
		}
		return v
	}
	e := Entity{
		ID: ID(rapid.Uint64Range(1, uint64(MaxID)).Draw(t, "id")), Kind: rapid.SampledFrom(append(Kinds, "hologram")).Draw(t, "kind"),
		Name: text.Draw(t, "name"), Layer: text.Draw(t, "layer"), Hidden: rapid.Bool().Draw(t, "hidden"), Locked: rapid.Bool().Draw(t, "locked"),
		Translation: vector(number, "translation"), Scale: vector(factor, "scale"),
		Rotation:   mgl64.QuatRotate(rapid.Float64Range(-4, 4).Draw(t, "turn"), mgl64.Vec3{0.6, 0, -0.8}),
		Properties: rapid.MapOfN(text, text, 0, 3).Draw(t, "properties"),
	}
	for k, v := range rapid.MapOfN(rapid.StringMatching(`x[a-z"é]*`), rapid.SampledFrom([]string{`1.0`, `{"a":[null]}`, `"<"`}), 0, 3).Draw(t, "extra") {
		if e.Extra == nil {
			e.Extra = Extra{}
		}
		e.Extra[k] = json.RawMessage(v)
	}
	switch {
	case e.Kind == KindMarker:
		e.Data = Marker{Shape: MarkerPoint, Points: []mgl64.Vec3{vector(number, "point")}, Extra: e.Extra}
	case e.Kind == KindObject:
		e.Data = Object{
			Asset: text.Draw(t, "asset"), Geometry: rapid.Bool().Draw(t, "geometry"), Collision: rapid.SampledFrom(Collisions).Draw(t, "collision"),
			CollisionRadius: math.Abs(number.Draw(t, "radius")), Billboard: rapid.Float64Range(0, MaxDistance).Draw(t, "billboard"), Extra: e.Extra,
		}
		if e.Data.Validate() != nil {
			e.Data = Object{Extra: e.Extra}
		}
	case e.Kind == KindScatter:
		e.Data = Scatter{
			Assets: []string{"a", text.Draw(t, "asset")}, Rules: json.RawMessage(`{"seed":1}`), Extra: e.Extra,
			Points: []ScatterPoint{
				{Asset: 1, Position: vector(number, "point"), Yaw: angle.Draw(t, "yaw"), Scale: math.Abs(factor.Draw(t, "size"))},
				{Position: vector(number, "point"), Scale: 1, Up: mgl64.Vec3{0.6, 0.8, 0}},
			},
		}
	case e.Kind == KindOccluder:
		o := Occluder{Points: corners(t, vector, number, 4), Off: rapid.Bool().Draw(t, "off"), Extra: e.Extra}
		if rapid.Bool().Draw(t, "polygon") {
			o.Polygon, o.Hole = true, rapid.SampledFrom([][]mgl64.Vec3{nil, corners(t, vector, number, 3)}).Draw(t, "hole")
		}
		e.Data = o
	case e.Kind == KindCell:
		e.Data = Cell{Pieces: [][]mgl64.Vec3{corners(t, vector, number, 4), corners(t, vector, number, 5)}, Extra: e.Extra}
	case e.Kind == KindPortal:
		e.Data = Portal{
			Points: corners(t, vector, number, 3), State: rapid.SampledFrom(PortalStates).Draw(t, "state"),
			Reach: rapid.Float64Range(0, MaxDistance).Draw(t, "reach"), Extra: e.Extra,
		}
	case rapid.Bool().Draw(t, "data"):
		e.Data = RawData{Of: e.Kind, JSON: json.RawMessage(`{"deep":[1.50,{"x":"<"}]}`)}
	}
	return *e.normal()
}

func corners(t *rapid.T, vector func(*rapid.Generator[float64], string) mgl64.Vec3, number *rapid.Generator[float64], n int) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, n)
	for i := range out {
		out[i] = vector(number, "corner")
	}
	return out
}

func TestEntityComesBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := entities(t)
		raw, err := EncodeEntity(&e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseEntity(raw, "entity")
		if err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
		if !reflect.DeepEqual(got, e) || math.Signbit(got.Translation[0]) != math.Signbit(e.Translation[0]) {
			t.Fatalf("%s gives\n%+v, expected\n%+v", raw, got, e)
		}
		// The keys are in order, and the text is what encoding/json makes of it.
		var m map[string]json.RawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		b := NewBuilder(nil)
		for k, v := range m {
			b.Raw(k, v)
		}
		if want, err := b.Bytes(); err != nil || string(want) != string(raw) {
			t.Fatalf("%s, expected %s", raw, want)
		}
		if v := e.Translation; v != (mgl64.Vec3{}) {
			if want, _ := Compact(v); string(want) != string(m["translation"]) {
				t.Fatalf("translation %s, expected %s", m["translation"], want)
			}
		}
		if want, _ := Compact(e.Name); e.Name != "" && string(want) != string(m["name"]) {
			t.Fatalf("name %s, expected %s", m["name"], want)
		}
	})
}
