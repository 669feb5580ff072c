package runtime

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
	"ridgeline/export/pack"
	"ridgeline/export/visibility"
)

// openPack opens a pack as the document of a glTF file whose buffers are the pack's files,
// so that both are read by the same code.
func openPack(path string) (*file, error) {
	p, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	f := &file{name: path, pack: p}
	b := &packReader{p: p, x: &p.Index, numbers: map[string]int{}, doc: &gltf.Document{Asset: gltf.Asset{Version: "2.0"}, Scene: gltf.Index(0), Scenes: []*gltf.Scene{{}}}}
	if err := b.read(); err != nil {
		f.close()
		return nil, err
	}
	if f.gltf, err = mesh.CheckGLTF(b.doc); err != nil {
		f.close()
		return nil, placed(pack.IndexFile, err)
	}
	f.doc, f.buffers, f.ground = f.gltf.Document(), b.buffers, b.alone
	return f, nil
}

// packReader makes the document of a pack.
type packReader struct {
	p       *pack.Pack
	x       *pack.Index
	doc     *gltf.Document
	buffers []buffer
	numbers map[string]int // of buffers, by file
	alone   []byte         // the ground of a pack without visibility, as in the extension
}

func (b *packReader) read() error {
	for _, i := range b.x.Pictures {
		view, err := b.whole(i.File)
		if err != nil {
			return err
		}
		kind := "image/png"
		if strings.HasSuffix(i.File, ".jpg") {
			kind = "image/jpeg"
		}
		b.doc.Images = append(b.doc.Images, &gltf.Image{Name: i.Name, MimeType: kind, BufferView: &view})
	}
	b.textures()
	for i := range b.x.Materials {
		b.material(&b.x.Materials[i])
	}
	for i := range b.x.Meshes {
		if err := b.mesh(&b.x.Meshes[i]); err != nil {
			return err
		}
	}
	if err := b.nodes(); err != nil {
		return err
	}
	b.lights()
	if len(b.x.Bookmarks) > 0 {
		b.doc.Scenes[0].Extras = map[string]any{"cameras": b.x.Bookmarks}
	}
	if b.x.Visibility != nil {
		return b.visibility()
	}
	if b.x.Ground == nil {
		return nil
	}
	ground, err := b.ground()
	if err != nil {
		return err
	}
	b.alone, err = json.Marshal(map[string]any{"ground": ground})
	return err
}

// buffer gives the number of a file's buffer.
func (b *packReader) buffer(name string) (int, error) {
	if n, ok := b.numbers[name]; ok {
		return n, nil
	}
	s, err := b.p.Section(name)
	if err != nil {
		return 0, err
	}
	b.numbers[name] = len(b.buffers)
	return b.add(s, s.Size()), nil
}

func (b *packReader) add(r io.ReaderAt, size int64) int {
	b.buffers = append(b.buffers, buffer{r: r, size: size})
	b.doc.Buffers = append(b.doc.Buffers, &gltf.Buffer{ByteLength: int(size)})
	return len(b.buffers) - 1
}

// view adds a view of a file.
func (b *packReader) view(r pack.Range, stride int) (int, error) {
	n, err := b.buffer(r.File)
	if err != nil {
		return 0, err
	}
	return b.viewOf(n, r.Offset, r.Size, stride), nil
}

func (b *packReader) viewOf(buffer int, offset, size int64, stride int) int {
	b.doc.BufferViews = append(b.doc.BufferViews, &gltf.BufferView{Buffer: buffer, ByteOffset: int(offset), ByteLength: int(size), ByteStride: stride})
	return len(b.doc.BufferViews) - 1
}

// whole adds a view of all of a file.
func (b *packReader) whole(name string) (int, error) {
	n, err := b.buffer(name)
	if err != nil {
		return 0, err
	}
	return b.viewOf(n, 0, b.buffers[n].size, 0), nil
}

var wraps = map[string]gltf.WrappingMode{"repeat": gltf.WrapRepeat, "clamp": gltf.WrapClampToEdge, "mirror": gltf.WrapMirroredRepeat}

func (b *packReader) textures() {
	type reading struct {
		wrap    [2]string
		nearest bool
	}
	samplers := map[reading]int{}
	for _, t := range b.x.Textures {
		s := gltf.Sampler{MagFilter: gltf.MagLinear, MinFilter: gltf.MinLinearMipMapLinear, WrapS: wraps[t.Wrap[0]], WrapT: wraps[t.Wrap[1]]}
		if t.Nearest {
			s.MagFilter = gltf.MagNearest
		}
		key := reading{t.Wrap, t.Nearest}
		n, ok := samplers[key]
		if !ok {
			n = len(b.doc.Samplers)
			samplers[key] = n
			b.doc.Samplers = append(b.doc.Samplers, &s)
		}
		b.doc.Textures = append(b.doc.Textures, &gltf.Texture{Name: t.Name, Sampler: &n, Source: gltf.Index(t.Picture)})
	}
}

func (b *packReader) material(m *pack.Material) {
	out := &gltf.Material{
		Name: m.Name, DoubleSided: m.DoubleSided, EmissiveFactor: m.Emissive,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{BaseColorFactor: &m.BaseColor, MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(1)},
	}
	switch m.Alpha {
	case "mask":
		out.AlphaMode, out.AlphaCutoff = gltf.AlphaMask, gltf.Float(m.Cutoff)
	case "blend":
		out.AlphaMode = gltf.AlphaBlend
	}
	if m.Unlit {
		out.Extensions = gltf.Extensions{"KHR_materials_unlit": struct{}{}}
	}
	if t := m.Texture; t != nil {
		out.PBRMetallicRoughness.BaseColorTexture = &gltf.TextureInfo{Index: t.Texture}
	}
	if m.Layers != nil {
		var list []map[string]any
		for _, i := range m.Layers {
			l := &b.x.Ground.Layers[i]
			texture := -1
			if l.Texture != nil {
				texture = *l.Texture
			}
			list = append(list, map[string]any{"name": l.Name, "texture": texture, "scale": l.Scale, "tint": l.Tint})
		}
		out.Extras = map[string]any{"layers": list}
	}
	b.doc.Materials = append(b.doc.Materials, out)
}

var componentTypes = map[string]gltf.ComponentType{
	"int8": gltf.ComponentByte, "uint8": gltf.ComponentUbyte, "int16": gltf.ComponentShort,
	"uint16": gltf.ComponentUshort, "uint32": gltf.ComponentUint, "float32": gltf.ComponentFloat,
}

var vectorTypes = [...]gltf.AccessorType{1: gltf.AccessorScalar, 2: gltf.AccessorVec2, 3: gltf.AccessorVec3, 4: gltf.AccessorVec4}

func (b *packReader) accessor(a gltf.Accessor) int {
	b.doc.Accessors = append(b.doc.Accessors, &a)
	return len(b.doc.Accessors) - 1
}

func (b *packReader) mesh(m *pack.Mesh) error {
	out := &gltf.Mesh{Name: m.Name, Primitives: []*gltf.Primitive{}}
	var last pack.Vertices // the levels of a mesh share them
	var attributes gltf.PrimitiveAttributes
	for i := range m.Primitives {
		p := &m.Primitives[i]
		if format := &b.x.Formats[p.Vertices.Format]; attributes == nil || p.Vertices != last {
			view, err := b.view(pack.Range{File: p.Vertices.File, Offset: p.Vertices.Offset, Size: int64(p.Vertices.Count) * int64(format.Stride)}, format.Stride)
			if err != nil {
				return err
			}
			attributes, last = gltf.PrimitiveAttributes{}, p.Vertices
			for _, a := range format.Attributes {
				to := gltf.Accessor{
					BufferView: &view, ByteOffset: a.Offset, Count: p.Vertices.Count, Normalized: a.Normalized,
					ComponentType: componentTypes[a.Type], Type: vectorTypes[a.Components],
				}
				if a.Name == gltf.POSITION {
					to.Min, to.Max = p.Min[:], p.Max[:]
				}
				attributes[a.Name] = b.accessor(to)
			}
		}
		size := int64(4)
		if p.Indices.Type == "uint16" {
			size = 2
		}
		view, err := b.view(pack.Range{File: p.Indices.File, Offset: p.Indices.Offset, Size: int64(p.Indices.Count) * size}, 0)
		if err != nil {
			return err
		}
		indices := b.accessor(gltf.Accessor{BufferView: &view, Count: p.Indices.Count, ComponentType: componentTypes[p.Indices.Type], Type: gltf.AccessorScalar})
		out.Primitives = append(out.Primitives, &gltf.Primitive{Attributes: attributes, Indices: &indices, Material: p.Material})
	}
	if m.LODs != nil {
		out.Extensions = gltf.Extensions{extLOD: map[string]any{"error": m.Error, "levels": m.LODs}}
	}
	b.doc.Meshes = append(b.doc.Meshes, out)
	return nil
}

func (b *packReader) nodes() error {
	for i := range b.x.Nodes {
		n := &b.x.Nodes[i]
		out := &gltf.Node{Name: n.Name, Mesh: n.Mesh, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
		if n.Translation != nil {
			out.Translation = *n.Translation
		}
		if n.Rotation != nil {
			out.Rotation = *n.Rotation
		}
		if n.Scale != nil {
			out.Scale = *n.Scale
		}
		if n.Extras != nil {
			out.Extras = n.Extras
		}
		if s := n.Instances; s != nil {
			attributes := map[string]int{}
			for k, r := range [3]*pack.Range{s.Translation, s.Rotation, s.Scale} {
				if r == nil {
					continue
				}
				view, err := b.view(*r, 0)
				if err != nil {
					return err
				}
				kind := [3]gltf.AccessorType{gltf.AccessorVec3, gltf.AccessorVec4, gltf.AccessorVec3}[k]
				attributes[[3]string{"TRANSLATION", "ROTATION", "SCALE"}[k]] = b.accessor(gltf.Accessor{BufferView: &view, Count: s.Count, ComponentType: gltf.ComponentFloat, Type: kind})
			}
			out.Extensions = gltf.Extensions{extInstancing: map[string]any{"attributes": attributes}}
		}
		b.doc.Nodes = append(b.doc.Nodes, out)
	}
	for i := range b.x.Nodes {
		if parent := b.x.Nodes[i].Parent; parent != nil {
			b.doc.Nodes[*parent].Children = append(b.doc.Nodes[*parent].Children, i)
		} else {
			b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, i)
		}
	}
	return nil
}

// lights puts the lights into the document and to their nodes.
func (b *packReader) lights() {
	var list []any
	for i, l := range b.x.Lights {
		list = append(list, map[string]any{"name": l.Name, "type": l.Type, "color": l.Color, "intensity": l.Intensity})
		n := b.doc.Nodes[l.Node]
		if n.Extensions == nil {
			n.Extensions = gltf.Extensions{}
		}
		n.Extensions[extLights] = map[string]int{"light": i}
	}
	if list != nil {
		b.extend(extLights, map[string]any{"lights": list})
	}
}

// extend gives the document an extension.
func (b *packReader) extend(name string, value any) {
	if b.doc.Extensions == nil {
		b.doc.Extensions = gltf.Extensions{}
	}
	b.doc.Extensions[name] = value
}

// visibility puts the value of the extension together again.
func (b *packReader) visibility() error {
	v := b.x.Visibility
	hidden, err := b.p.Hidden()
	if err != nil {
		return err
	}
	value := map[string]any{"version": v.Version, "tree": v.Tree}
	if b.x.Frame.Root != nil {
		value["root"] = *b.x.Frame.Root
	}
	for key, list := range map[string]json.RawMessage{"occluders": hidden.Occluders, "cells": hidden.Cells, "portals": hidden.Portals} {
		if list != nil {
			value[key] = list
		}
	}
	add := func(to map[string]any, key string, r *pack.Range) error {
		if r == nil {
			return nil
		}
		view, err := b.view(*r, 0)
		to[key] = view
		return err
	}
	entries := map[string]any{"count": v.Entries.Count}
	value["entries"] = entries
	if err := add(entries, "boxes", v.Entries.Boxes); err != nil {
		return err
	}
	if err := add(entries, "things", v.Entries.Things); err != nil {
		return err
	}
	if b.x.Ground != nil {
		ground, err := b.ground()
		if err != nil {
			return err
		}
		ground["off"] = v.Off
		if err := add(ground, "pyramid", v.Pyramid); err != nil {
			return err
		}
		value["ground"] = ground
	}
	text, err := json.Marshal(value)
	b.extend(visibility.Extension, json.RawMessage(text))
	return err
}

// ground tells of the ground as the extension does.
func (b *packReader) ground() (map[string]any, error) {
	g := b.x.Ground
	out := map[string]any{"columns": g.Columns, "rows": g.Rows, "spacing": g.Spacing, "origin": g.Origin}
	if g.Node != nil {
		out["node"] = *g.Node
	}
	return out, b.heights(out, g)
}

// heights adds heights and holes, where there are heights.
func (b *packReader) heights(to map[string]any, g *pack.Ground) error {
	if g.Heights == nil {
		return nil
	}
	view, err := b.whole(g.Heights.File)
	if err != nil {
		return err
	}
	heights := map[string]any{"view": view, "type": g.Heights.Type}
	if g.Heights.Type == "uint16" {
		heights["scale"], heights["offset"] = g.Heights.Scale, g.Heights.Offset
	}
	to["heights"] = heights
	bits, err := b.p.HoleBits()
	if err != nil || bits == nil {
		return err
	}
	to["holes"] = b.viewOf(b.add(bytes.NewReader(bits), int64(len(bits))), 0, int64(len(bits)), 0)
	return nil
}
