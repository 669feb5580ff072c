package mesh

import (
	"testing"

	"github.com/qmuntal/gltf"

	"ridgeline/terrain/fault"
)

// made is a document of a triangle, as a program makes it.
func made() *gltf.Document {
	return &gltf.Document{
		Asset: gltf.Asset{Version: "2.0"}, Scene: gltf.Index(0), Scenes: []*gltf.Scene{{Nodes: []int{0}}},
		Buffers:     []*gltf.Buffer{{ByteLength: 44}},
		BufferViews: []*gltf.BufferView{{ByteLength: 36, ByteStride: 12}, {ByteOffset: 36, ByteLength: 6}},
		Accessors: []*gltf.Accessor{
			{BufferView: gltf.Index(0), Count: 3, ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3},
			{BufferView: gltf.Index(1), Count: 3, ComponentType: gltf.ComponentUshort, Type: gltf.AccessorScalar},
		},
		Meshes:    []*gltf.Mesh{{Primitives: []*gltf.Primitive{{Attributes: gltf.PrimitiveAttributes{gltf.POSITION: 0}, Indices: gltf.Index(1), Material: gltf.Index(0)}}}},
		Materials: []*gltf.Material{{}},
		Samplers:  []*gltf.Sampler{{}},
		Nodes: []*gltf.Node{
			{Mesh: gltf.Index(0), Children: []int{1}, Translation: [3]float64{1, 2, 3}, Rotation: gltf.DefaultRotation, Scale: [3]float64{0, 2, 0}},
			{Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale},
		},
	}
}

// A document that a program made is held against the same rules as one that was read.
func TestCheckGLTF(t *testing.T) {
	g, err := CheckGLTF(made())
	if err != nil {
		t.Fatal(err)
	}
	if m := g.Local(0); m[0] != 0 || m[5] != 2 || m[12] != 1 || g.Local(1)[0] != 1 {
		t.Errorf("the node stands at %v", m)
	}
	e, err := g.Elements(0, func(int) ([]byte, error) { return make([]byte, 36), nil })
	if err != nil || e.Len() != 3 || e.Components() != 3 {
		t.Errorf("%d elements, %v", e.Len(), err)
	}
	for place, change := range map[string]func(*gltf.Document){
		"asset.version":                      func(d *gltf.Document) { d.Asset.Version = "3.0" },
		"buffers[0].byteLength":              func(d *gltf.Document) { d.Buffers[0].ByteLength = 0 },
		"bufferViews[1]":                     func(d *gltf.Document) { d.BufferViews[1].ByteOffset = 40 },
		"bufferViews[0].buffer":              func(d *gltf.Document) { d.BufferViews[0].Buffer = 1 },
		"bufferViews[0].byteStride":          func(d *gltf.Document) { d.BufferViews[0].ByteStride = 6 },
		"accessors[0]":                       func(d *gltf.Document) { d.Accessors[0].Count = 4 },
		"accessors[1].count":                 func(d *gltf.Document) { d.Accessors[1].Count = -1 },
		"meshes[0].primitives[0].indices":    func(d *gltf.Document) { d.Meshes[0].Primitives[0].Indices = gltf.Index(2) },
		"meshes[0].primitives[0].material":   func(d *gltf.Document) { d.Meshes[0].Primitives[0].Material = gltf.Index(1) },
		"nodes[0].mesh":                      func(d *gltf.Document) { d.Nodes[0].Mesh = gltf.Index(1) },
		"nodes[1]":                           func(d *gltf.Document) { d.Nodes[1].Children, d.Nodes[0].Children = []int{1}, nil },
		"materials[0].emissiveTexture.index": func(d *gltf.Document) { d.Materials[0].EmissiveTexture = &gltf.TextureInfo{} },
		"scenes[0].nodes[0]":                 func(d *gltf.Document) { d.Scenes[0].Nodes[0] = 2 },
		"extensionsRequired[0]":              func(d *gltf.Document) { d.ExtensionsRequired = []string{"EXT_more"} },
	} {
		d := made()
		change(d)
		_, err := CheckGLTF(d)
		if e, ok := err.(*fault.Error); !ok || e.Place != place {
			t.Errorf("%s: %v", place, err)
		}
	}
}
