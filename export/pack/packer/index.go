package packer

import (
	"bufio"
	"encoding/json"
	"fmt"

	"maps"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/export/glb"
	"ridgeline/export/pack"
	"ridgeline/export/visibility"
)

// fill takes into the index what glb wrote, and writes occluders and portals.
func (o *output) fill(x *pack.Index, c *glb.Contents, s *glb.Scene) error {
	x.Frame = pack.Frame{Up: "y", Handedness: "right", UnitsPerMetre: 1, Root: index(c.Root)}
	if s.Options.ZUp {
		x.Frame.Up = "z"
	}
	if s.Options.Scale != 0 {
		x.Frame.UnitsPerMetre = s.Options.Scale
	}
	f := &filler{x: x, doc: c.Doc, formats: map[string]int{}}
	x.Meshes, x.Materials, x.Textures, x.Pictures = []pack.Mesh{}, []pack.Material{}, []pack.Texture{}, []pack.Picture{}
	x.Formats, x.Lights, x.Cameras, x.Nodes = []pack.Vertex{}, []pack.Light{}, []pack.Camera{}, []pack.Node{}
	for _, i := range c.Doc.Images {
		x.Pictures = append(x.Pictures, pack.Picture{Name: i.Name, File: i.URI})
	}
	for _, t := range c.Doc.Textures {
		x.Textures = append(x.Textures, f.texture(t))
	}
	if x.Ground != nil {
		x.Ground.Node = index(c.Ground)
		for i := range x.Ground.Layers {
			if s.Options.Bake == 0 {
				x.Ground.Layers[i].Texture = &i // textures of the ground come first, one a layer
			}
		}
	}
	for _, m := range c.Doc.Materials {
		out, err := f.material(m)
		if err != nil {
			return err
		}
		x.Materials = append(x.Materials, out)
	}
	for _, m := range c.Doc.Meshes {
		out, err := f.mesh(m)
		if err != nil {
			return err
		}
		x.Meshes = append(x.Meshes, out)
	}
	for i := range c.Nodes {
		f.node(i, &c.Nodes[i])
	}
	if err := f.lights(); err != nil {
		return err
	}
	if len(s.Level.Settings.Bookmarks) > 0 {
		x.Bookmarks = map[string]pack.Place{}
		for name, b := range s.Level.Settings.Bookmarks {
			x.Bookmarks[name] = pack.Place{Eye: b.Eye, Look: b.Look}
		}
	}
	if c.Visibility == nil {
		return nil
	}
	return o.visibility(f, c.Visibility)
}

// index is a reference; nil for none.
func index(i int) *int {
	if i == visibility.None {
		return nil
	}
	return &i
}

// filler turns what is of glTF into what is of packs.
type filler struct {
	x       *pack.Index
	doc     *gltf.Document
	formats map[string]int
}

// view tells where a view lies.
func (f *filler) view(i int) pack.Range {
	v := f.doc.BufferViews[i]
	return pack.Range{File: f.doc.Buffers[v.Buffer].URI, Offset: int64(v.ByteOffset), Size: int64(v.ByteLength)}
}

func (f *filler) texture(t *gltf.Texture) pack.Texture {
	s := f.doc.Samplers[*t.Sampler]
	words := map[gltf.WrappingMode]string{gltf.WrapRepeat: "repeat", gltf.WrapClampToEdge: "clamp", gltf.WrapMirroredRepeat: "mirror"}
	return pack.Texture{Name: t.Name, Picture: *t.Source, Wrap: [2]string{words[s.WrapS], words[s.WrapT]}, Nearest: s.MagFilter == gltf.MagNearest}
}

// decoded takes a value that glb made to the form that it has in a file.
func decoded(value, into any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

func (f *filler) material(m *gltf.Material) (pack.Material, error) {
	out := pack.Material{Name: m.Name, DoubleSided: m.DoubleSided, Emissive: m.EmissiveFactor, Alpha: "opaque"}
	switch m.AlphaMode {
	case gltf.AlphaMask:
		out.Alpha, out.Cutoff = "mask", m.AlphaCutoffOrDefault()
	case gltf.AlphaBlend:
		out.Alpha = "blend"
	}
	_, out.Unlit = m.Extensions["KHR_materials_unlit"]
	out.BaseColor = m.PBRMetallicRoughness.BaseColorFactorOrDefault()
	if t := m.PBRMetallicRoughness.BaseColorTexture; t != nil {
		out.Texture = &pack.Placed{Texture: t.Index}
		if value, ok := t.Extensions["KHR_texture_transform"]; ok {
			if err := decoded(value, out.Texture); err != nil {
				return out, err
			}
		}
	}
	if m.Extras != nil {
		var value struct{ Layers []struct{ Texture int } }
		if err := decoded(m.Extras, &value); err != nil {
			return out, err
		}
		for _, l := range value.Layers {
			out.Layers = append(out.Layers, l.Texture)
		}
	}
	return out, nil
}

var typeNames = map[gltf.ComponentType]string{
	gltf.ComponentByte: "int8", gltf.ComponentUbyte: "uint8", gltf.ComponentShort: "int16",
	gltf.ComponentUshort: "uint16", gltf.ComponentUint: "uint32", gltf.ComponentFloat: "float32",
}

func (f *filler) mesh(m *gltf.Mesh) (pack.Mesh, error) {
	out := pack.Mesh{Name: m.Name, Primitives: []pack.Primitive{}}
	if value, ok := m.Extensions["RIDGELINE_lod"]; ok {
		var lod struct {
			Error  float64
			Levels []pack.LOD
		}
		if err := decoded(value, &lod); err != nil {
			return out, err
		}
		out.Error, out.LODs = lod.Error, lod.Levels
	}
	for _, p := range m.Primitives {
		position := f.doc.Accessors[p.Attributes[gltf.POSITION]]
		vertices := f.view(*position.BufferView)
		indices := f.doc.Accessors[*p.Indices]
		at := f.view(*indices.BufferView)
		prim := pack.Primitive{
			Material: p.Material,
			Vertices: pack.Vertices{File: vertices.File, Offset: vertices.Offset, Count: position.Count, Format: f.format(p)},
			Indices:  pack.Indices{File: at.File, Offset: at.Offset, Count: indices.Count, Type: typeNames[indices.ComponentType]},
		}
		copy(prim.Min[:], position.Min)
		copy(prim.Max[:], position.Max)
		out.Primitives = append(out.Primitives, prim)
	}
	return out, nil
}

// format gives the number of the format that the vertices of a primitive have.
func (f *filler) format(p *gltf.Primitive) int {
	names := slices.SortedFunc(maps.Keys(p.Attributes), func(a, b string) int {
		return f.doc.Accessors[p.Attributes[a]].ByteOffset - f.doc.Accessors[p.Attributes[b]].ByteOffset
	})
	position := f.doc.Accessors[p.Attributes[gltf.POSITION]]
	out := pack.Vertex{Stride: f.doc.BufferViews[*position.BufferView].ByteStride}
	for _, n := range names {
		a := f.doc.Accessors[p.Attributes[n]]
		out.Attributes = append(out.Attributes, pack.Attribute{
			Name: n, Type: typeNames[a.ComponentType], Components: int(a.Type.Components()), Normalized: a.Normalized, Offset: a.ByteOffset,
		})
	}
	key := fmt.Sprint(out)
	n, ok := f.formats[key]
	if !ok {
		n = len(f.x.Formats)
		f.formats[key] = n
		f.x.Formats = append(f.x.Formats, out)
	}
	return n
}

func (f *filler) node(i int, n *glb.Node) {
	out := pack.Node{Name: n.Name, Parent: index(n.Parent), Mesh: index(n.Mesh), Extras: n.Extras}
	if n.Translation != (mgl64.Vec3{}) {
		out.Translation = (*[3]float64)(&n.Translation)
	}
	if n.Rotation != mgl64.QuatIdent() {
		out.Rotation = &[4]float64{n.Rotation.V[0], n.Rotation.V[1], n.Rotation.V[2], n.Rotation.W}
	}
	if n.Scale != (mgl64.Vec3{1, 1, 1}) {
		out.Scale = (*[3]float64)(&n.Scale)
	}
	if n.Instances != nil {
		out.Instances = &pack.Instances{}
		for name, to := range map[string]**pack.Range{"TRANSLATION": &out.Instances.Translation, "ROTATION": &out.Instances.Rotation, "SCALE": &out.Instances.Scale} {
			if a, ok := n.Instances[name]; ok {
				r := f.view(*f.doc.Accessors[a].BufferView)
				*to, out.Instances.Count = &r, f.doc.Accessors[a].Count
			}
		}
	}
	if n.Light {
		f.x.Lights = append(f.x.Lights, pack.Light{Node: i})
	}
	if n.Camera != visibility.None {
		c := f.doc.Cameras[n.Camera]
		f.x.Cameras = append(f.x.Cameras, pack.Camera{Name: c.Name, YFov: c.Perspective.Yfov, Near: c.Perspective.Znear, Node: i})
	}
	f.x.Nodes = append(f.x.Nodes, out)
}

// lights fills in the lights, of which nodes have told where they are: there is but the
// sun.
func (f *filler) lights() error {
	if len(f.x.Lights) == 0 {
		return nil
	}
	var value struct{ Lights []pack.Light }
	if err := decoded(f.doc.Extensions["KHR_lights_punctual"], &value); err != nil {
		return err
	}
	for i := range f.x.Lights {
		node := f.x.Lights[i].Node
		f.x.Lights[i] = value.Lights[0]
		f.x.Lights[i].Node = node
	}
	return nil
}

// visibility spreads the value of RIDGELINE_visibility over index and files.
func (o *output) visibility(f *filler, value json.RawMessage) error {
	var in struct {
		Version int
		Tree    json.RawMessage
		Entries struct {
			Count         int
			Boxes, Things *int
		}
		Ground *struct {
			Off     float64
			Pyramid *int
		}
		pack.Hidden
	}
	if err := json.Unmarshal(value, &in); err != nil {
		return err
	}
	v := &pack.Visibility{Version: in.Version, Tree: in.Tree, Occluders: "occluders.json", Portals: "portals.json"}
	view := func(i *int) *pack.Range {
		if i == nil {
			return nil
		}
		r := f.view(*i)
		return &r
	}
	v.Entries = pack.Entries{Count: in.Entries.Count, Boxes: view(in.Entries.Boxes), Things: view(in.Entries.Things)}
	if in.Ground != nil {
		v.Off, v.Pyramid = in.Ground.Off, view(in.Ground.Pyramid)
	}
	f.x.Visibility = v
	if err := o.json(v.Occluders, pack.Hidden{Occluders: list(in.Occluders)}); err != nil {
		return err
	}
	return o.json(v.Portals, pack.Hidden{Cells: list(in.Cells), Portals: list(in.Portals)})
}

// list is a list, which is empty if it was left out.
func list(v json.RawMessage) json.RawMessage {
	if v == nil {
		return json.RawMessage("[]")
	}
	return v
}

// index writes level.json: a key a line, and the elements of lists a line each.
func (o *output) index(x *pack.Index) error {
	w, err := o.Create(pack.IndexFile)
	if err != nil {
		return err
	}
	t := &text{w: bufio.NewWriterSize(w, 1<<16)}
	t.key("format", x.Format)
	t.key("version", x.Version)
	t.key("generator", x.Generator)
	t.key("frame", &x.Frame)
	if x.Ground != nil {
		t.key("ground", x.Ground)
	}
	if len(x.Bookmarks) > 0 {
		t.key("bookmarks", x.Bookmarks)
	}
	if x.Visibility != nil {
		t.key("visibility", x.Visibility)
	}
	addList(t, "files", x.Files)
	addList(t, "formats", x.Formats)
	addList(t, "meshes", x.Meshes)
	addList(t, "materials", x.Materials)
	addList(t, "textures", x.Textures)
	addList(t, "pictures", x.Pictures)
	addList(t, "lights", x.Lights)
	addList(t, "cameras", x.Cameras)
	addList(t, "nodes", x.Nodes)
	t.put("\n}\n")
	if t.err == nil {
		t.err = t.w.Flush()
	}
	if t.err != nil {
		w.Close()
		return t.err
	}
	return w.Close()
}

// text writes a JSON object and keeps the first error.
type text struct {
	w   *bufio.Writer
	n   int // keys
	err error
}

func (t *text) put(s string) {
	if t.err == nil {
		_, t.err = t.w.WriteString(s)
	}
}

func (t *text) value(v any) {
	data, err := json.Marshal(v) // what is no number is an error
	if t.err == nil {
		t.err = err
	}
	t.put(string(data))
}

func (t *text) begin(k string) {
	t.put([2]string{"{\n", ",\n"}[min(t.n, 1)] + `"` + k + `": `)
	t.n++
}

func (t *text) key(k string, v any) {
	t.begin(k)
	t.value(v)
}

func addList[T any](t *text, k string, list []T) {
	t.begin(k)
	t.put("[")
	for i := range list {
		t.put([2]string{"\n", ",\n"}[min(i, 1)])
		t.value(&list[i])
	}
	t.put("]")
}
