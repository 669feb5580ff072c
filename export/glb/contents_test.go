package glb

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"
)

// oneByOne keeps files in memory, in their order, and takes one at a time.
type oneByOne struct {
	names []string
	files map[string][]byte
	open  bool
}

type oneFile struct {
	bytes.Buffer
	of   *oneByOne
	name string
}

func (o *oneByOne) Create(name string) (io.WriteCloser, error) {
	if o.open || o.files[name] != nil {
		return nil, fmt.Errorf("%s is begun while %v", name, o.names)
	}
	o.open = true
	return &oneFile{of: o, name: name}, nil
}

func (f *oneFile) Close() error {
	f.of.open = false
	f.of.names, f.of.files[f.name] = append(f.of.names, f.name), f.Bytes()
	return nil
}

// Parts hold what a .glb holds, view by view and picture by picture; they come one by one,
// and are the same when pictures have to be made again.
func TestParts(t *testing.T) {
	s := example(t)
	ground := testScene(t, 300, 200, 3)
	s.Level.Terrain, s.Level.Layers, s.Textures = ground.Level.Terrain, ground.Level.Layers, ground.Textures
	for _, bake := range []int{0, 64} {
		s.Options.Bake = bake
		data, stats := write(t, s)
		want := decode(t, data)
		parts := &oneByOne{files: map[string][]byte{}}
		c, err := WriteParts(t.Context(), parts, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		again := &oneByOne{files: map[string][]byte{}}
		if _, err := writeParts(t.Context(), again, s, nil, keep{}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(parts.names, again.names) {
			t.Errorf("%v, and with nothing kept %v", parts.names, again.names)
		}
		for name, data := range parts.files {
			if !bytes.Equal(data, again.files[name]) {
				t.Errorf("%s differs when nothing is kept", name)
			}
		}
		if len(parts.files["meshes/ground.bin"]) < 2<<20 || parts.files["visibility.bin"] == nil || c.Stats.Tris != stats.Tris || len(c.Nodes) != len(want.Nodes) {
			t.Errorf("files %v, %+v, %d nodes", parts.names, c.Stats, len(c.Nodes))
		}
		bytesOf := func(view int) []byte {
			v := c.Doc.BufferViews[view]
			return parts.files[c.Doc.Buffers[v.Buffer].URI][v.ByteOffset:][:v.ByteLength]
		}
		wanted := func(view int) []byte {
			v := want.BufferViews[view]
			return want.Buffers[0].Data[v.ByteOffset:][:v.ByteLength]
		}
		for i, a := range c.Doc.Accessors {
			if !bytes.Equal(bytesOf(*a.BufferView), wanted(*want.Accessors[i].BufferView)) {
				t.Fatalf("accessor %d differs", i)
			}
		}
		for i, image := range c.Doc.Images {
			if !bytes.Equal(parts.files[image.URI], wanted(*want.Images[i].BufferView)) {
				t.Errorf("picture %d differs", i)
			}
		}
		for i, n := range want.Nodes {
			for _, k := range n.Children {
				if c.Nodes[k].Parent != i {
					t.Errorf("node %d stands below %d, expected %d", k, c.Nodes[k].Parent, i)
				}
			}
		}
	}
}
