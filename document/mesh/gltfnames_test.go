package mesh

import (
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// What would be shown wrongly is an error that names its place; what is not shown at
// all is at most noted.
func TestAttributeNames(t *testing.T) {
	for _, c := range []struct{ name, fails, note string }{
		{"TEXCOORD_0", "", ""},
		{"TEXCOORD_1", "", ""},
		{"TEXCOORD_12", "", ""},
		{"TEXCOORD_00", `meshes[0].primitives[0].attributes: found "TEXCOORD_00", expected TEXCOORD_ and a number without zeros before it`, ""},
		{"TEXCOORD_01", `found "TEXCOORD_01"`, ""},
		{"TEXCOORD_", `found "TEXCOORD_"`, ""},
		{"TEXCOORD", `found "TEXCOORD"`, ""},
		{"TEXCOORD_0_1", `found "TEXCOORD_0_1"`, ""},
		{"TEXCOORD_+1", `found "TEXCOORD_+1"`, ""},
		{"COLOR_D", `found "COLOR_D", expected COLOR_ and a number`, ""},
		{"COLOR_99999999999999999999", `found "COLOR_99999999999999999999"`, ""},
		{"JOINTS_01", "", ""},
		{"_CUSTOM", "", ""},
		{"_", "", ""},
		{"UNKNOWN", "", `The attribute "UNKNOWN" in meshes[0].primitives[0] is none that glTF knows; it is not shown.`},
		{"POSITION_0", "", `The attribute "POSITION_0" in`},
		{"", "", `The attribute "" in`},
	} {
		doc := cubeDoc(true)
		p := doc.Meshes[0].Primitives[0]
		p.Attributes[c.name] = modeler.WriteTextureCoord(doc, make([][2]float32, 8))
		m, err := LoadBytes(t.Context(), encode(t, doc), ".glb")
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: error %v, expected %s", c.name, err, c.fails)
			}
			// Points are not shown, so it does not matter what they are called.
			p.Mode = gltf.PrimitivePoints
			if _, err := LoadBytes(t.Context(), encode(t, doc), ".glb"); err != nil {
				t.Errorf("%q: points: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		if noted := slices.ContainsFunc(m.Notes, func(n string) bool { return c.note != "" && strings.HasPrefix(n, c.note) }); noted != (c.note != "") || len(m.Notes) > 1 {
			t.Errorf("%q: notes %q", c.name, m.Notes)
		}
	}
}

func TestTextureWithoutCoordinates(t *testing.T) {
	doc := texturedDoc(t, "a.png")
	doc.Materials[0].PBRMetallicRoughness.BaseColorTexture.TexCoord = 1
	_, err := LoadBytes(t.Context(), encode(t, doc), ".glb")
	const want = "meshes[0].primitives[0].attributes: found no TEXCOORD_1, expected one, which the base colour texture of materials[0] is laid out by"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, expected %s", err, want)
	}
	doc.Meshes[0].Primitives[0].Mode = gltf.PrimitiveLines
	if _, err := LoadBytes(t.Context(), encode(t, doc), ".glb"); err != nil {
		t.Errorf("lines: %v", err)
	}
}

// Positions count as they are, whatever their accessor claims of them.
func TestPositionsBeyondTheirClaim(t *testing.T) {
	for _, c := range []struct {
		max   []float64
		noted bool
	}{{[]float64{1, 1, 1}, false}, {[]float64{1, 0.99999, 1}, false}, {[]float64{2, 2, 2}, false}, {[]float64{1, 0.9, 1}, true}, {nil, false}} {
		doc := cubeDoc(true)
		a := doc.Accessors[doc.Meshes[0].Primitives[0].Attributes[gltf.POSITION]]
		a.Min, a.Max = []float64{-1, -1, -1}, c.max
		m := decoded(t, doc)
		if m.Triangles() != 12 || m.Bounds.Max[1] != 1 {
			t.Errorf("%v: %d triangles within %v", c.max, m.Triangles(), m.Bounds)
		}
		noted := len(m.Notes) == 1 && strings.HasPrefix(m.Notes[0], "Some positions in meshes[0].primitives[0] lie beyond the min and max")
		if noted != c.noted || len(m.Notes) > 1 {
			t.Errorf("%v: notes %q", c.max, m.Notes)
		}
	}
}
