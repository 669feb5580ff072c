package mesh

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"ridgeline/terrain/fault"
)

// The extensions that are understood.
const (
	extQuantization = "KHR_mesh_quantization"
	extTransform    = "KHR_texture_transform"
	extUnlit        = "KHR_materials_unlit"
	extInstancing   = "EXT_mesh_gpu_instancing"
	extMeshopt      = "EXT_meshopt_compression"
)

var known = []string{extQuantization, extTransform, extUnlit, extInstancing}

// check holds the document against the rules that reading relies on: versions,
// extensions, and that every index, offset and length lies within what it refers
// to. After it, all references are good; only lengths of buffers that were not read
// yet are still the file's word.
func (d *document) check() error {
	for _, step := range []func() error{
		d.checkAsset, d.checkExtensions, d.checkBuffers, d.checkViews, d.checkAccessors,
		d.checkImages, d.checkTextures, d.checkMaterials, d.checkMeshes, d.checkNodes,
		d.checkInstances, d.checkSkins, d.checkAnimations, d.checkScenes,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// bad makes the error for a value at a place.
func bad(place string, found any, want string, args ...any) error {
	return &fault.Error{Place: place, Found: fmt.Sprint(found), Want: fmt.Sprintf(want, args...)}
}

// ref checks an index of one of n things.
func ref(place string, i, n int, what string) error {
	if i >= 0 && i < n {
		return nil
	}
	if n == 0 {
		return bad(place, fmt.Sprintf("%s %d", what, i), "none, as the file has no %s", what)
	}
	return bad(place, fmt.Sprintf("%s %d", what, i), "0 to %d", n-1)
}

func optional(place string, i *int, n int, what string) error {
	if i == nil {
		return nil
	}
	return ref(place, *i, n, what)
}

// needed checks an index that has to be there.
func needed(place string, i *int, n int, what string) error {
	if i == nil {
		return bad(place, "nothing", "an index of a %s", what)
	}
	return ref(place, *i, n, what)
}

func (d *document) checkAsset() error {
	a := d.written.Asset
	if a == nil || a.Version == nil {
		return bad("asset.version", "nothing", `"2.0"`)
	}
	if major, _, _ := strings.Cut(*a.Version, "."); major != "2" || !isVersion(*a.Version) {
		return bad("asset.version", fmt.Sprintf("%q", clip(*a.Version)), `"2.0"`)
	}
	if a.MinVersion == nil {
		return nil
	}
	if major, _, _ := strings.Cut(*a.MinVersion, "."); major != "2" || !isVersion(*a.MinVersion) {
		return bad("asset.minVersion", fmt.Sprintf("%q", clip(*a.MinVersion)), `"2.0"`)
	}
	return nil
}

// isVersion tells "2.10" from "2.x".
func isVersion(s string) bool {
	major, minor, ok := strings.Cut(s, ".")
	return ok && major != "" && minor != "" && strings.Trim(major+minor, "0123456789") == ""
}

func (d *document) checkExtensions() error {
	for i, name := range d.ExtensionsRequired {
		if slices.Contains(known, name) || slices.Contains(d.more, name) || name == extMeshopt && d.uncompressed() {
			continue
		}
		return bad(fmt.Sprintf("extensionsRequired[%d]", i), fmt.Sprintf("the extension %q, which is not supported", clip(name)), "only %s", strings.Join(known, ", "))
	}
	return nil
}

// uncompressed reports whether what EXT_meshopt_compression packs is there unpacked
// as well: buffers without address, whose content only the extension tells, are not.
func (d *document) uncompressed() bool {
	for _, v := range d.BufferViews {
		if _, packed := v.Extensions[extMeshopt]; packed && (v.Buffer < 0 || v.Buffer >= len(d.Buffers) || d.Buffers[v.Buffer].URI == "") {
			return false
		}
	}
	return true
}

func (d *document) checkBuffers() error {
	for i, b := range d.Buffers {
		place := fmt.Sprintf("buffers[%d]", i)
		switch n := d.written.Buffers[i].ByteLength; {
		case n == nil:
			return bad(place+".byteLength", "nothing", "a number of bytes")
		case *n < 1:
			return bad(place+".byteLength", *n, "at least 1")
		}
		if err := checkURI(place+".uri", b.URI); err != nil {
			return err
		}
	}
	return nil
}

// checkURI reports addresses that can't be ones. Where others lead is looked at when
// they are followed.
func checkURI(place, uri string) error {
	switch {
	case strings.HasPrefix(uri, ":"):
		return bad(place, fmt.Sprintf("%q", clip(uri)), "an address")
	case isData(uri):
		if _, _, ok := splitDataURI(uri); !ok {
			return bad(place, fmt.Sprintf("%q", clip(uri)), "data:TYPE;base64,DATA")
		}
	}
	return nil
}

func (d *document) checkViews() error {
	for i, v := range d.BufferViews {
		place := fmt.Sprintf("bufferViews[%d]", i)
		w := d.written.BufferViews[i]
		if err := needed(place+".buffer", w.Buffer, len(d.Buffers), "buffer"); err != nil {
			return err
		}
		size := d.Buffers[v.Buffer].ByteLength
		switch {
		case v.ByteOffset < 0:
			return bad(place+".byteOffset", v.ByteOffset, "at least 0")
		case w.ByteLength == nil:
			return bad(place+".byteLength", "nothing", "a number of bytes")
		case v.ByteLength < 1:
			return bad(place+".byteLength", v.ByteLength, "at least 1")
		case v.ByteOffset > size || v.ByteLength > size-v.ByteOffset:
			return bad(place, fmt.Sprintf("%d bytes at %d", v.ByteLength, v.ByteOffset), "at most the %d of buffers[%d]", size, v.Buffer)
		case w.ByteStride != nil && (v.ByteStride < 4 || v.ByteStride > 252 || v.ByteStride%4 != 0):
			return bad(place+".byteStride", v.ByteStride, "a multiple of 4 from 4 to 252")
		case w.Target != nil && v.Target != gltf.TargetArrayBuffer && v.Target != gltf.TargetElementArrayBuffer:
			return bad(place+".target", *w.Target, "34962 or 34963")
		case w.ByteStride != nil && v.Target == gltf.TargetElementArrayBuffer:
			return bad(place+".byteStride", v.ByteStride, "none for indices")
		}
	}
	return nil
}

// componentTypes and accessorTypes have what the file may say.
var (
	componentTypes = map[int]gltf.ComponentType{
		5120: gltf.ComponentByte, 5121: gltf.ComponentUbyte, 5122: gltf.ComponentShort,
		5123: gltf.ComponentUshort, 5125: gltf.ComponentUint, 5126: gltf.ComponentFloat,
	}
	componentSize = [...]int{
		gltf.ComponentByte: 1, gltf.ComponentUbyte: 1, gltf.ComponentShort: 2,
		gltf.ComponentUshort: 2, gltf.ComponentUint: 4, gltf.ComponentFloat: 4,
	}
	components = [...]int{
		gltf.AccessorScalar: 1, gltf.AccessorVec2: 2, gltf.AccessorVec3: 3, gltf.AccessorVec4: 4,
		gltf.AccessorMat2: 4, gltf.AccessorMat3: 9, gltf.AccessorMat4: 16,
	}
)

// elementSize is the number of bytes of one element. Columns of matrices begin at
// multiples of four.
func elementSize(t gltf.AccessorType, c gltf.ComponentType) int {
	size := componentSize[c]
	switch {
	case t == gltf.AccessorMat2 && size == 1:
		return 8
	case t == gltf.AccessorMat3 && size < 4:
		return 12 * size
	}
	return components[t] * size
}

func (d *document) checkAccessors() error {
	for i, a := range d.Accessors {
		place := fmt.Sprintf("accessors[%d]", i)
		w := d.written.Accessors[i]
		switch {
		case w.ComponentType == nil:
			return bad(place+".componentType", "nothing", "5120 to 5126")
		case w.Type == nil:
			return bad(place+".type", "nothing", `"SCALAR", "VEC3" or another`)
		case w.Count == nil:
			return bad(place+".count", "nothing", "a number of elements")
		case *w.Count < 0:
			return bad(place+".count", *w.Count, "at least 1")
		}
		if _, ok := componentTypes[*w.ComponentType]; !ok {
			return bad(place+".componentType", *w.ComponentType, "5120 to 5126 without 5124")
		}
		if a.BufferView != nil {
			if err := d.checkRange(place, *a.BufferView, a.ByteOffset, a.Count, elementSize(a.Type, a.ComponentType), true); err != nil {
				return err
			}
		}
		if a.Sparse != nil {
			if err := d.checkSparse(place+".sparse", i); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRange checks that count elements of size bytes at an offset lie within a
// buffer view. Only strided ones, those of vertices, may be interleaved.
func (d *document) checkRange(place string, view, offset, count, size int, strided bool) error {
	if err := ref(place+".bufferView", view, len(d.BufferViews), "buffer view"); err != nil {
		return err
	}
	v := d.BufferViews[view]
	stride := size
	if v.ByteStride != 0 {
		if !strided {
			return bad(place+".bufferView", fmt.Sprintf("a stride of %d", v.ByteStride), "none")
		}
		stride = v.ByteStride
	}
	switch {
	case offset < 0:
		return bad(place+".byteOffset", offset, "at least 0")
	case stride < size:
		return bad(place, fmt.Sprintf("elements of %d bytes", size), "at most the stride, %d", stride)
	case count == 0:
		return nil
	case offset > v.ByteLength || size > v.ByteLength-offset || count-1 > (v.ByteLength-offset-size)/stride:
		return bad(place, fmt.Sprintf("%d elements of %d bytes at %d", count, stride, offset),
			"at most the %d bytes of bufferViews[%d]", v.ByteLength, view)
	}
	return nil
}

func (d *document) checkSparse(place string, i int) error {
	a, w := d.Accessors[i], d.written.Accessors[i].Sparse
	switch {
	case w == nil || w.Count == nil:
		return bad(place+".count", "nothing", "a number of elements")
	case *w.Count < 1 || *w.Count > a.Count:
		return bad(place+".count", *w.Count, "1 to %d, the accessor's", a.Count)
	case w.Indices == nil || w.Indices.BufferView == nil:
		return bad(place+".indices.bufferView", "nothing", "an index of a buffer view")
	case w.Values == nil || w.Values.BufferView == nil:
		return bad(place+".values.bufferView", "nothing", "an index of a buffer view")
	case w.Indices.ComponentType == nil || !isIndexType(componentTypes[*w.Indices.ComponentType]):
		return bad(place+".indices.componentType", shown(w.Indices.ComponentType), "5121, 5123 or 5125")
	}
	s := a.Sparse
	if err := d.checkRange(place+".indices", s.Indices.BufferView, s.Indices.ByteOffset, s.Count, componentSize[s.Indices.ComponentType], false); err != nil {
		return err
	}
	return d.checkRange(place+".values", s.Values.BufferView, s.Values.ByteOffset, s.Count, elementSize(a.Type, a.ComponentType), false)
}

func isIndexType(c gltf.ComponentType) bool {
	return c == gltf.ComponentUbyte || c == gltf.ComponentUshort || c == gltf.ComponentUint
}

// shown is an optional number for a message.
func shown(i *int) string {
	if i == nil {
		return "nothing"
	}
	return fmt.Sprint(*i)
}

func (d *document) checkImages() error {
	for i, img := range d.Images {
		place := fmt.Sprintf("images[%d]", i)
		switch {
		case img.URI == "" && img.BufferView == nil:
			return bad(place, "neither uri nor bufferView", "one of them")
		case img.URI != "" && img.BufferView != nil:
			return bad(place, "uri and bufferView", "one of them")
		}
		if err := optional(place+".bufferView", img.BufferView, len(d.BufferViews), "buffer view"); err != nil {
			return err
		}
		if err := checkURI(place+".uri", img.URI); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) checkTextures() error {
	for i := range d.Samplers {
		w := d.written.Samplers[i]
		for _, f := range []struct {
			name  string
			value *int
			valid []int
		}{
			{"magFilter", w.MagFilter, []int{9728, 9729}},
			{"minFilter", w.MinFilter, []int{9728, 9729, 9984, 9985, 9986, 9987}},
			{"wrapS", w.WrapS, []int{33071, 33648, 10497}},
			{"wrapT", w.WrapT, []int{33071, 33648, 10497}},
		} {
			if f.value != nil && !slices.Contains(f.valid, *f.value) {
				return bad(fmt.Sprintf("samplers[%d].%s", i, f.name), *f.value, "one of %v", f.valid)
			}
		}
	}
	for i, t := range d.Textures {
		place := fmt.Sprintf("textures[%d]", i)
		if err := optional(place+".source", t.Source, len(d.Images), "image"); err != nil {
			return err
		}
		if err := optional(place+".sampler", t.Sampler, len(d.Samplers), "sampler"); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) checkMaterials() error {
	for i, m := range d.Materials {
		place := fmt.Sprintf("materials[%d]", i)
		if mode := d.written.Materials[i].AlphaMode; mode != nil && !slices.Contains([]string{"OPAQUE", "MASK", "BLEND"}, *mode) {
			return bad(place+".alphaMode", fmt.Sprintf("%q", clip(*mode)), `"OPAQUE", "MASK" or "BLEND"`)
		}
		if m.AlphaCutoff != nil && *m.AlphaCutoff < 0 {
			return bad(place+".alphaCutoff", *m.AlphaCutoff, "at least 0")
		}
		for name, index := range materialTextures(m) {
			if err := ref(place+"."+name+".index", index, len(d.Textures), "texture"); err != nil {
				return err
			}
		}
	}
	return nil
}

// materialTextures yields the textures that a material refers to.
func materialTextures(m *gltf.Material) func(yield func(name string, index int) bool) {
	return func(yield func(string, int) bool) {
		if p := m.PBRMetallicRoughness; p != nil {
			if t := p.BaseColorTexture; t != nil && !yield("pbrMetallicRoughness.baseColorTexture", t.Index) {
				return
			}
			if t := p.MetallicRoughnessTexture; t != nil && !yield("pbrMetallicRoughness.metallicRoughnessTexture", t.Index) {
				return
			}
		}
		if t := m.NormalTexture; t != nil && t.Index != nil && !yield("normalTexture", *t.Index) {
			return
		}
		if t := m.OcclusionTexture; t != nil && t.Index != nil && !yield("occlusionTexture", *t.Index) {
			return
		}
		if t := m.EmissiveTexture; t != nil {
			yield("emissiveTexture", t.Index)
		}
	}
}

func (d *document) checkMeshes() error {
	for i, m := range d.Meshes {
		for k, p := range m.Primitives {
			place := fmt.Sprintf("meshes[%d].primitives[%d]", i, k)
			if mode := d.written.Meshes[i].Primitives[k].Mode; mode != nil && (*mode < 0 || *mode > 6) {
				return bad(place+".mode", *mode, "0 to 6")
			}
			if err := optional(place+".indices", p.Indices, len(d.Accessors), "accessor"); err != nil {
				return err
			}
			if err := optional(place+".material", p.Material, len(d.Materials), "material"); err != nil {
				return err
			}
			if err := d.checkAttributes(place+".attributes", p.Attributes, -1); err != nil {
				return err
			}
			vertices := -1
			if a, ok := p.Attributes[gltf.POSITION]; ok {
				vertices = d.Accessors[a].Count
			}
			for t, target := range p.Targets {
				if err := d.checkAttributes(fmt.Sprintf("%s.targets[%d]", place, t), target, vertices); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkAttributes checks references, and that as many elements are there as there
// are vertices; with vertices -1 that is for whoever reads the attribute.
func (d *document) checkAttributes(place string, attributes gltf.PrimitiveAttributes, vertices int) error {
	for _, name := range sortedKeys(attributes) {
		index := attributes[name]
		if err := ref(place+"."+clip(name), index, len(d.Accessors), "accessor"); err != nil {
			return err
		}
		if n := d.Accessors[index].Count; vertices >= 0 && n != vertices {
			return bad(place+"."+clip(name), fmt.Sprintf("%d elements", n), "%d, as many as positions", vertices)
		}
	}
	return nil
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (d *document) checkSkins() error {
	for i, s := range d.Skins {
		place := fmt.Sprintf("skins[%d]", i)
		if err := optional(place+".inverseBindMatrices", s.InverseBindMatrices, len(d.Accessors), "accessor"); err != nil {
			return err
		}
		if err := optional(place+".skeleton", s.Skeleton, len(d.Nodes), "node"); err != nil {
			return err
		}
		for k, j := range s.Joints {
			if err := ref(fmt.Sprintf("%s.joints[%d]", place, k), j, len(d.Nodes), "node"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) checkAnimations() error {
	for i, a := range d.Animations {
		for k, s := range a.Samplers {
			place := fmt.Sprintf("animations[%d].samplers[%d]", i, k)
			if err := ref(place+".input", s.Input, len(d.Accessors), "accessor"); err != nil {
				return err
			}
			if err := ref(place+".output", s.Output, len(d.Accessors), "accessor"); err != nil {
				return err
			}
		}
		for k, c := range a.Channels {
			place := fmt.Sprintf("animations[%d].channels[%d]", i, k)
			if err := ref(place+".sampler", c.Sampler, len(a.Samplers), "sampler"); err != nil {
				return err
			}
			if err := optional(place+".target.node", c.Target.Node, len(d.Nodes), "node"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) checkScenes() error {
	if len(d.Scenes) == 0 {
		d.Scene = nil // nothing to choose from; what has no scene has a note
	}
	if err := optional("scene", d.Scene, len(d.Scenes), "scene"); err != nil {
		return err
	}
	for i, s := range d.Scenes {
		for k, n := range s.Nodes {
			if err := ref(fmt.Sprintf("scenes[%d].nodes[%d]", i, k), n, len(d.Nodes), "node"); err != nil {
				return err
			}
		}
	}
	return nil
}
