package packer_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/terrain"
)

// example is the level of export/FORMAT.md, "Packs".
func example(t *testing.T) glb.Scene {
	f, err := terrain.FromHeights(3, 2, 2, []float32{10, 12, 20, 10, 61, 15})
	if err != nil {
		t.Fatal(err)
	}
	d := f.Draft()
	for i := range d.Splats(0, 0) {
		d.Splats(0, 0)[i] = terrain.Splat{Base: 0, Over: 1}
	}
	d.Splats(0, 0)[1].Alpha = 51
	d.Light(0, 0)[1] = terrain.RGB{R: 255, G: 128, B: 64}
	d.Flags(0, 0)[1] = terrain.Hole
	f, _ = d.Field()
	l := document.NewLevel(f)
	l.Layers = []document.Layer{{Name: "Grass", UVScale: 8}, {Name: "Rock", UVScale: 4}}
	l, err = l.WithEntities([]document.Entity{{
		ID: 7, Kind: document.KindMarker, Name: "Spawn", Properties: map[string]string{"team": "red"}, Translation: mgl64.Vec3{1, 10.5, 1},
		Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := glb.Scene{Level: l, Options: glb.Options{Heights: glb.Heights16, LODs: 1}}
	for i := range l.Layers {
		m := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		m.Pix[i], m.Pix[3] = 255, 255
		s.Textures = append(s.Textures, m)
	}
	return s
}

// What export/FORMAT.md shows of a small level is what is written.
func TestDocumentedExample(t *testing.T) {
	page, err := os.ReadFile("../../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "\n## Packs\n")
	if !ok {
		t.Fatal("the page has no part on packs")
	}
	p := open(t, write(t, example(t)))
	_, block, _ := strings.Cut(text, "```json\n{\n\"format\"")
	block, _, ok = strings.Cut(block, "```")
	if !ok {
		t.Fatal("the page has no index")
	}
	var shown, written map[string]any
	if err := json.Unmarshal([]byte("{\n\"format\""+block), &shown); err != nil {
		t.Fatal(err)
	}
	index := read(t, p, "level.json")
	if err := json.Unmarshal(index, &written); err != nil {
		t.Fatal(err)
	}
	// How a PNG is compressed is not part of the format.
	for _, doc := range []map[string]any{shown, written} {
		for _, f := range doc["files"].([]any) {
			if f := f.(map[string]any); strings.HasSuffix(f["name"].(string), ".png") {
				f["size"], f["crc32"] = nil, nil
			}
		}
	}
	if !reflect.DeepEqual(shown, written) {
		t.Errorf("level.json is\n%s", index)
	}
	var indices []string
	at := p.Index.Meshes[0].Primitives[0].Indices
	for i := range at.Count {
		indices = append(indices, fmt.Sprint(binary.LittleEndian.Uint16(read(t, p, at.File)[at.Offset+int64(2*i):])))
	}
	if !strings.Contains(text, "`"+strings.Join(indices, " ")+"`") {
		t.Errorf("the page lacks the indices %v", indices)
	}
	for _, name := range []string{"heights.r16", "points.bin", "holes.json", "occluders.json", "portals.json"} {
		data := read(t, p, name)
		want := fmt.Sprintf("| `%s` | `%s` |", name, strings.ReplaceAll(strings.TrimSuffix(string(data), "\n"), "\n", " "))
		if !strings.HasSuffix(name, ".json") {
			var words []string
			size := map[string]int{"heights.r16": 2, "points.bin": 5}[name]
			for i := 0; i < len(data); i += size {
				words = append(words, hex.EncodeToString(data[i:i+size]))
			}
			want = fmt.Sprintf("| `%s` | `%s` |", name, strings.Join(words, " "))
		}
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks the line\n%s", want)
		}
	}
}
