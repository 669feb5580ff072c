package runtime_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/export/runtime"
	"ridgeline/occluders/portal"
	"ridgeline/terrain/fault"
)

// object and list are what a decoded JSON is made of.
type (
	object = map[string]any
	list   = []any
)

// in goes down from a value by keys and indices.
func in(at any, keys ...any) any {
	for _, k := range keys {
		if i, ok := k.(int); ok {
			at = at.(list)[i]
		} else {
			at = at.(object)[k.(string)]
		}
	}
	return at
}

// set gives the last of some keys a value; with nothing it is left out.
func set(value any, keys ...any) func(object) {
	return func(doc object) {
		last := keys[len(keys)-1]
		switch at := in(doc, keys[:len(keys)-1]...).(type) {
		case list:
			at[last.(int)] = value
		case object:
			if at[last.(string)] = value; value == nothing {
				delete(at, last.(string))
			}
		}
	}
}

// nothing stands for a key that is left out.
var nothing = new(int)

// glbOf splits a GLB file into its JSON and its binary chunk.
func glbOf(t *testing.T, path string) (doc object, bin []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint32(data[12:]))
	if err := json.Unmarshal(data[20:20+n], &doc); err != nil {
		t.Fatal(err)
	}
	return doc, data[28+n:]
}

// glbAs writes a GLB file.
func glbAs(t *testing.T, path string, doc object, bin []byte) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, bytes.Repeat([]byte{' '}, -len(text)&3)...)
	u := binary.LittleEndian.AppendUint32
	out := u(u([]byte("glTF"), 2), uint32(28+len(text)+len(bin)))
	out = append(u(u(out, uint32(len(text))), 0x4E4F534A), text...)
	out = append(u(u(out, uint32(len(bin))), 0x004E4942), bin...)
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
}

// found gives the index of the first element of a list of the document for which is says
// yes.
func found(t *testing.T, doc object, name string, is func(object) bool) int {
	t.Helper()
	i := slices.IndexFunc(doc[name].(list), func(e any) bool { return is(e.(object)) })
	if i < 0 {
		t.Fatalf("no such element of %s", name)
	}
	return i
}

// has tells whether there is something at some keys.
func has(keys ...string) func(object) bool {
	return func(at object) bool {
		for _, k := range keys {
			next, ok := at[k]
			if !ok {
				return false
			}
			at, _ = next.(object)
		}
		return true
	}
}

// Each thing in a file that makes no sense is refused with one error that says where, what
// was found and what was expected.
func TestBadGLB(t *testing.T) {
	l := level(t, 100, 90, 5)
	good, bin := glbOf(t, export(t, l, glb.Options{Sun: true, Instancing: true, MeshLODs: []float64{0.5}, ZUp: true}))
	path := filepath.Join(t.TempDir(), "x.glb")
	glbAs(t, path, good, bin)
	open(t, path)

	light := found(t, good, "nodes", has("extensions", "KHR_lights_punctual"))
	crowd := found(t, good, "nodes", has("extensions", "EXT_mesh_gpu_instancing"))
	ground := found(t, good, "materials", has("extras", "layers"))
	coarse := found(t, good, "meshes", has("extensions", "RIDGELINE_lod"))
	root := int(in(good, "extensions", "RIDGELINE_visibility", "root").(float64))
	spare := 0
	if spare == light || spare == root {
		t.Fatal("no node to change")
	}
	mesh := int(in(good, "nodes", crowd, "mesh").(float64))
	prim := []any{"meshes", mesh, "primitives", 0}
	of := func(attribute string) int { return int(in(good, append(prim, "attributes", attribute)...).(float64)) }
	position, normal, uv := of("POSITION"), of("NORMAL"), of("TEXCOORD_0")
	indices := int(in(good, append(prim, "indices")...).(float64))
	scale := int(in(good, "nodes", crowd, "extensions", "EXT_mesh_gpu_instancing", "attributes", "TRANSLATION").(float64))
	lights := []any{"extensions", "KHR_lights_punctual", "lights"}
	see := []any{"extensions", "RIDGELINE_visibility"}
	put := func(value any, first []any, more ...any) func(object) {
		return set(value, slices.Concat(first, more)...)
	}
	number := func(what string, i int, more string) string {
		text, _ := json.Marshal(i)
		return what + "[" + string(text) + "]" + more
	}
	crate := number("meshes", mesh, ".primitives[0]")
	layers := number("materials", ground, ".extras.layers")

	for _, c := range []struct {
		name, place string
		change      func(object)
	}{
		// Bookmarks.
		{"cameras of numbers", "scenes[0].extras.cameras", set(list{1}, "scenes", 0, "extras", "cameras")},
		{"short eye", `scenes[0].extras.cameras["gate"].eye`, set(list{1, 2}, "scenes", 0, "extras", "cameras", "gate", "eye")},
		{"long look", `scenes[0].extras.cameras["gate"].look`, set(list{1, 2, 3, 4}, "scenes", 0, "extras", "cameras", "gate", "look")},
		{"no look", `scenes[0].extras.cameras["gate"].look`, set(nothing, "scenes", 0, "extras", "cameras", "gate", "look")},
		{"null eye", `scenes[0].extras.cameras["gate"].eye`, set(nil, "scenes", 0, "extras", "cameras", "gate", "eye")},
		{"no direction", `scenes[0].extras.cameras["gate"]`, set(list{4, 5, 6}, "scenes", 0, "extras", "cameras", "gate", "eye")},
		{"far eye", `scenes[0].extras.cameras["gate"]`, set(list{4, 5e200, 6}, "scenes", 0, "extras", "cameras", "gate", "eye")},
		// The sun.
		{"lights of a number", "extensions.KHR_lights_punctual.lights", put(3, lights)},
		{"no lights", "extensions.KHR_lights_punctual.lights", put(nothing, lights)},
		{"no type", "extensions.KHR_lights_punctual.lights[0].type", put(nothing, lights, 0, "type")},
		{"other type", "extensions.KHR_lights_punctual.lights[0].type", put("area", lights, 0, "type")},
		{"short colour", "extensions.KHR_lights_punctual.lights[0].color", put(list{1, 1}, lights, 0, "color")},
		{"negative colour", "extensions.KHR_lights_punctual.lights[0].color", put(list{1, -1, 1}, lights, 0, "color")},
		{"text for intensity", "extensions.KHR_lights_punctual.lights[0].intensity", put("3", lights, 0, "intensity")},
		{"negative intensity", "extensions.KHR_lights_punctual.lights[0].intensity", put(-3, lights, 0, "intensity")},
		{"endless intensity", "extensions.KHR_lights_punctual.lights[0].intensity", put(1e300, lights, 0, "intensity")},
		{"no such light", number("nodes", light, ".extensions.KHR_lights_punctual"), set(7, "nodes", light, "extensions", "KHR_lights_punctual", "light")},
		{"no light", number("nodes", light, ".extensions.KHR_lights_punctual.light"), set(nothing, "nodes", light, "extensions", "KHR_lights_punctual", "light")},
		{"flat light", number("nodes", light, ".extensions.KHR_lights_punctual"), set(list{1, 1, 0}, "nodes", light, "scale")},
		{"no ambient", number("nodes", light, ".extras.ambient"), set(nothing, "nodes", light, "extras", "ambient")},
		{"bright ambient", number("nodes", light, ".extras.ambient"), set(2, "nodes", light, "extras", "ambient")},
		{"baked by a number", number("nodes", light, ".extras.baked"), set(1, "nodes", light, "extras", "baked")},
		// Nodes.
		{"no rotation", number("nodes", spare, ".rotation"), set(list{0, 0, 0, 0}, "nodes", spare, "rotation")},
		{"short rotation", number("nodes", spare, ".rotation"), set(list{0, 0, 1}, "nodes", spare, "rotation")},
		{"endless place", number("nodes", spare, ""), set(list{1e308, 1e308, 1e308, 0, 1e308, 1e308, 1e308, 0, 1e308, 1e308, 1e308, 0, 0, 0, 0, 1}, "nodes", spare, "matrix")},
		{"no instances", number("nodes", crowd, ".extensions.EXT_mesh_gpu_instancing.attributes"), set(object{}, "nodes", crowd, "extensions", "EXT_mesh_gpu_instancing", "attributes")},
		{"instances of no mesh", number("nodes", crowd, ""), set(nothing, "nodes", crowd, "mesh")},
		{"no attributes", number("nodes", crowd, ".extensions.EXT_mesh_gpu_instancing.attributes"), set(object{}, "nodes", crowd, "extensions", "EXT_mesh_gpu_instancing")},
		{"unequal instances", number("nodes", crowd, ".extensions.EXT_mesh_gpu_instancing.attributes.TRANSLATION"), set(1, "accessors", scale, "count")},
		{"root below", "RIDGELINE_visibility.root", put(spare, see, "root")},
		{"root of a text", "RIDGELINE_visibility.root", put("0", see, "root")},
		// Materials.
		{"layers of a number", layers, set(3, "materials", ground, "extras", "layers")},
		{"no layers", layers, set(list{}, "materials", ground, "extras", "layers")},
		{"ten layers", layers, func(doc object) {
			one := in(doc, "materials", ground, "extras", "layers", 0)
			in(doc, "materials", ground, "extras").(object)["layers"] = slices.Repeat(list{one}, runtime.MaxLayers+1)
		}},
		{"null layer", layers + "[0]", set(nil, "materials", ground, "extras", "layers", 0)},
		{"layer without scale", layers + "[0].scale", set(nothing, "materials", ground, "extras", "layers", 0, "scale")},
		{"layer of no size", layers + "[0].scale", set(0, "materials", ground, "extras", "layers", 0, "scale")},
		{"short tint", layers + "[0].tint", set(list{1}, "materials", ground, "extras", "layers", 0, "tint")},
		{"negative tint", layers + "[0].tint", set(list{1, 1, -1}, "materials", ground, "extras", "layers", 0, "tint")},
		{"layer of no texture", layers + "[0].texture", set(99, "materials", ground, "extras", "layers", 0, "texture")},
		{"bright colour", "materials[0].pbrMetallicRoughness.baseColorFactor", set(list{1, 1, 9, 1}, "materials", 0, "pbrMetallicRoughness", "baseColorFactor")},
		{"negative emission", "materials[0].emissiveFactor", set(list{1, 1, -9}, "materials", 0, "emissiveFactor")},
		{"endless cutoff", "materials[0].alphaCutoff", set(1e300, "materials", 0, "alphaCutoff")},
		// Meshes.
		{"no primitives", number("meshes", mesh, ".primitives"), set(list{}, "meshes", mesh, "primitives")},
		{"points", crate, put(0, prim, "mode")},
		{"no indices", crate, put(nothing, prim, "indices")},
		{"no bounds", crate + ".attributes.POSITION", set(nothing, "accessors", position, "min")},
		{"bounds the wrong way", crate + ".attributes.POSITION", set(list{9, 9, 9}, "accessors", position, "min")},
		{"no vertices", crate + ".attributes.POSITION", set(0, "accessors", position, "count")},
		{"fewer vertices", crate + ".attributes.NORMAL", set(1, "accessors", position, "count")},
		{"positions in a plane", crate + ".attributes.POSITION", set("VEC2", "accessors", position, "type")},
		{"normals of two", crate + ".attributes.NORMAL", set("VEC2", "accessors", normal, "type")},
		{"coordinates as a matrix", crate + ".attributes.TEXCOORD_0", put(position, prim, "attributes", "TEXCOORD_0")},
		{"colours of two", crate + ".attributes.COLOR_0", put(uv, prim, "attributes", "COLOR_0")},
		{"indices of floats", crate + ".indices", put(position, prim, "indices")},
		{"five indices", crate + ".indices", set(5, "accessors", indices, "count")},
		{"no triangle", crate + ".indices", set(0, "accessors", indices, "count")},
		{"level without error", number("meshes", coarse, ".extensions.RIDGELINE_lod.levels[0].error"), set(nothing, "meshes", coarse, "extensions", "RIDGELINE_lod", "levels", 0, "error")},
		{"level with a negative error", number("meshes", coarse, ".extensions.RIDGELINE_lod.levels[0]"), set(-1, "meshes", coarse, "extensions", "RIDGELINE_lod", "levels", 0, "error")},
		{"level of itself", number("meshes", coarse, ".extensions.RIDGELINE_lod.levels[0]"), set(coarse, "meshes", coarse, "extensions", "RIDGELINE_lod", "levels", 0, "mesh")},
		{"level of no mesh", number("meshes", coarse, ".extensions.RIDGELINE_lod.levels[0]"), set(999, "meshes", coarse, "extensions", "RIDGELINE_lod", "levels", 0, "mesh")},
		{"no levels", number("meshes", coarse, ".extensions.RIDGELINE_lod.levels"), set(nothing, "meshes", coarse, "extensions", "RIDGELINE_lod", "levels")},
		{"negative error", number("meshes", coarse, ".extensions.RIDGELINE_lod.error"), set(-1, "meshes", coarse, "extensions", "RIDGELINE_lod", "error")},
		// What hides what.
		{"visibility of a list", "RIDGELINE_visibility", put(list{}, see)},
		{"portal without cells", "RIDGELINE_visibility.portals[0].from", put(nothing, see, "portals", 0, "from")},
		{"portal of no cell", "RIDGELINE_visibility.portals[0]", put(9, see, "portals", 0, "to")},
		{"point in a plane", "RIDGELINE_visibility.portals[0].polygon[1]", put(list{1, 2}, see, "portals", 0, "polygon", 1)},
		{"long origin", "RIDGELINE_visibility.ground.origin", put(list{1, 2, 3}, see, "ground", "origin")},
		{"plane of three", "RIDGELINE_visibility.cells[0].pieces[0].planes[0]", put(list{1, 0, 0}, see, "cells", 0, "pieces", 0, "planes", 0)},
		{"null occluder", "RIDGELINE_visibility.occluders[0]", put(nil, see, "occluders", 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := json.Marshal(good)
			if err != nil {
				t.Fatal(err)
			}
			var doc object
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			c.change(doc)
			glbAs(t, path, doc, bin)
			got, err := runtime.Open(t.Context(), path)
			if err == nil {
				got.Close()
				t.Fatal("it is opened")
			}
			var e *fault.Error
			if !errors.As(err, &e) || e.File != path || e.Op == "" || e.Place != c.place || e.Found == "" || e.Want == "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v at %q, expected the place %q", err, e.Place, c.place)
			}
		})
	}
	// What others keep beside it is theirs.
	for _, extras := range []any{nil, 3, list{1}, object{"camera": 3}, "cameras"} {
		doc, bin := glbOf(t, export(t, l, glb.Options{}))
		set(extras, "scenes", 0, "extras")(doc)
		set(extras, "materials", 0, "extras")(doc)
		glbAs(t, path, doc, bin)
		if got := open(t, path); len(got.Cameras) != 0 || got.Materials[0].Layers != nil {
			t.Errorf("%v: cameras %v, layers %v", extras, got.Cameras, got.Materials[0].Layers)
		}
	}
}

// Records of things, and vertices, are looked at as well.
func TestBadData(t *testing.T) {
	l := level(t, 20, 20, 3)
	good, bin := glbOf(t, export(t, l, glb.Options{Instancing: true}))
	path := filepath.Join(t.TempDir(), "x.glb")
	crowd := found(t, good, "nodes", has("extensions", "EXT_mesh_gpu_instancing", "attributes", "ROTATION"))
	mesh := int(in(good, "nodes", crowd, "mesh").(float64))
	view := func(i float64) (first, stride int) {
		v := in(good, "bufferViews", int(i)).(object)
		offset, _ := v["byteOffset"].(float64)
		step, _ := v["byteStride"].(float64)
		return int(offset), int(step)
	}
	attribute := func(name string, vertex, component int) int {
		a := in(good, "accessors", int(in(good, "meshes", mesh, "primitives", 0, "attributes", name).(float64))).(object)
		first, stride := view(a["bufferView"].(float64))
		offset, _ := a["byteOffset"].(float64)
		return first + int(offset) + vertex*stride + 4*component
	}
	things, _ := view(in(good, "extensions", "RIDGELINE_visibility", "entries", "things").(float64))
	rotations, _ := view(in(good, "accessors", int(in(good, "nodes", crowd, "extensions", "EXT_mesh_gpu_instancing", "attributes", "ROTATION").(float64)), "bufferView").(float64))
	word := func(at int, v uint32) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[at:], v) }
	}
	float := func(at int, v float64) func([]byte) { return word(at, math.Float32bits(float32(v))) }
	things += 20 // the first has something below it
	first := binary.LittleEndian.Uint32(bin[things+16:])
	if node := binary.LittleEndian.Uint32(bin[things+12:]); int(node) != crowd || first != 0 {
		t.Fatalf("the second thing is instance %d of node %d", first, node)
	}
	for name, c := range map[string]struct {
		place, found string
		change       func(b []byte)
	}{
		"no such instance":   {"RIDGELINE_visibility.entries.things[1]", "instance 77", word(things+16, 77)},
		"instance of none":   {"RIDGELINE_visibility.entries.things[1]", "of no node", word(things+12, math.MaxUint32)},
		"instance twice":     {"RIDGELINE_visibility.entries.things[2]", "which another thing has", word(things+36, first)},
		"thing twice":        {"RIDGELINE_visibility.entries.things[2]", "a second time", func(b []byte) { copy(b[things+20:things+32], b[things:]) }},
		"no such node":       {"RIDGELINE_visibility.entries.things[3]", "node 9999", word(things+40+12, 9999)},
		"no rotation":        {"nodes[?].extensions.EXT_mesh_gpu_instancing.attributes.ROTATION", "[0 0 0 0] for instance 0", func(b []byte) { clear(b[rotations : rotations+16]) }},
		"rotation no number": {"nodes[?].extensions.EXT_mesh_gpu_instancing.attributes.ROTATION", "NaN", float(rotations, math.NaN())},
		"position away":      {"meshes[?].primitives[0].attributes.POSITION", "for vertex 2", float(attribute("POSITION", 2, 1), 17)},
		"position no number": {"meshes[?].primitives[0].attributes.POSITION", "for vertex 3", float(attribute("POSITION", 3, 0), math.NaN())},
		"endless normal":     {"meshes[?].primitives[0].attributes.NORMAL", "for vertex 1", float(attribute("NORMAL", 1, 2), math.Inf(1))},
		"no coordinate":      {"meshes[?].primitives[0].attributes.TEXCOORD_0", "for vertex 0", float(attribute("TEXCOORD_0", 0, 0), math.NaN())},
	} {
		data := slices.Clone(bin)
		c.change(data)
		glbAs(t, path, good, data)
		game, err := runtime.Open(t.Context(), path)
		if err == nil {
			_, err = game.Geometry(mesh, 0)
			game.Close()
		}
		text, _ := json.Marshal(map[bool]int{true: crowd, false: mesh}[strings.HasPrefix(c.place, "nodes")])
		place := strings.Replace(c.place, "?", string(text), 1)
		var e *fault.Error
		if !errors.As(err, &e) || e.File != path || e.Place != place || !strings.Contains(e.Found, c.found) || e.Want == "" {
			t.Errorf("%s: %v, expected %q at %q", name, err, c.found, place)
		}
	}
}

// A portal that stands in one cell, or outside alone, is none between cells but still a door
// in the walls that it crosses: such files are no nonsense, the editor writes them.
func TestPortalWithinACell(t *testing.T) {
	l := level(t, 100, 90, 1)
	var list []document.Entity
	for e := range l.Entities() {
		if e.Kind != document.KindCell {
			list = append(list, *e)
		}
	}
	l, err := l.WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{export(t, l, glb.Options{}), exportPack(t, l, glb.Options{})} {
		game := open(t, path)
		p := &game.Visibility.Portals[0]
		if p.From != portal.Outside || p.To != portal.Outside {
			t.Fatalf("the portal leads from %d to %d", p.From, p.To)
		}
		walls := 0
		for i := range game.Visibility.Occluders {
			o := &game.Visibility.Occluders[i]
			open := o.Hides(func(int) portal.State { return portal.Open })
			if shut := o.Hides(func(int) portal.State { return portal.Closed }); shut && !open {
				walls++
			}
		}
		if walls != 1 {
			t.Errorf("%d walls have a door", walls)
		}
	}
}
