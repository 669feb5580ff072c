package glb

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/terrain"
)

// Layer is one ground texture of the level.
type Layer struct {
	Name    string
	Scale   float64      // metres that the texture covers once; over 0
	Tint    mgl64.Vec3   // linear, multiplied with the texture; zero is white
	Texture *image.NRGBA // sRGB
}

func (l Layer) tint() mgl64.Vec3 {
	if l.Tint == (mgl64.Vec3{}) {
		return mgl64.Vec3{1, 1, 1}
	}
	return l.Tint
}

// Scene is what is exported.
type Scene struct {
	Name    string
	Terrain *terrain.Field
	Layers  []Layer // by layer index; every index in the terrain's splats must exist
}

// Stats says what was written.
type Stats struct {
	Bytes                              int64
	Chunks, Primitives, Vertices, Tris int
}

const (
	magic     = 0x46546C67 // "glTF"
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

// Write writes the scene to w as a .glb. progress, which may be nil, is told the
// part done, 0–1. On an error, a cancelled context included, what was written is
// no complete file.
func Write(ctx context.Context, w io.Writer, s Scene, progress func(done float64)) (Stats, error) {
	if progress == nil {
		progress = func(float64) {}
	}
	plan, err := measure(ctx, s, func(done float64) { progress(done / 2) })
	if err != nil {
		return Stats{}, err
	}
	doc, err := json.Marshal(plan.doc)
	if err != nil {
		return Stats{}, err
	}
	for len(doc)%4 != 0 {
		doc = append(doc, ' ')
	}
	total := 12 + 8 + int64(len(doc)) + 8 + plan.size
	if total > math.MaxUint32 {
		return Stats{}, fmt.Errorf("the level would take %.1f GB as .glb, expected at most 4.3 GB, the limit of the format", float64(total)/1e9)
	}
	plan.stats.Bytes = total

	out := bufio.NewWriterSize(w, 1<<20)
	var head [20]byte
	for i, v := range []uint32{magic, 2, uint32(total), uint32(len(doc)), chunkJSON} {
		binary.LittleEndian.PutUint32(head[4*i:], v)
	}
	out.Write(head[:])
	out.Write(doc)
	binary.LittleEndian.PutUint32(head[:], uint32(plan.size))
	binary.LittleEndian.PutUint32(head[4:], chunkBIN)
	out.Write(head[:8])
	for _, img := range plan.images {
		writePadded(out, img)
	}
	err = eachChunk(ctx, s, func(c, n int, prims []primitive) error {
		for i := range prims {
			writePadded(out, prims[i].vertices)
			if err := writePadded(out, prims[i].indices); err != nil {
				return err
			}
		}
		progress(0.5 + float64(c+1)/float64(2*n))
		return nil
	})
	if err != nil {
		return Stats{}, err
	}
	return plan.stats, out.Flush()
}

// writePadded writes data up to the next multiple of four bytes. A bufio.Writer
// keeps its first error, so only the last of a series needs to be looked at.
func writePadded(w *bufio.Writer, data []byte) error {
	w.Write(data)
	var zero [3]byte
	_, err := w.Write(zero[:padded(len(data))-int64(len(data))])
	return err
}

func padded(n int) int64 { return (int64(n) + 3) &^ 3 }

// plan is the result of the first pass.
type plan struct {
	doc    gltf.Document
	images [][]byte // PNG files, in the order of their buffer views
	size   int64    // of the binary chunk
	stats  Stats
}

// layerInfo is a layer in a material's extras.
type layerInfo struct {
	Name    string     `json:"name"`
	Texture int        `json:"texture"`
	Scale   float64    `json:"scale"`
	Tint    mgl64.Vec3 `json:"tint"`
}

// measure builds every chunk once to learn the sizes and bounds.
func measure(ctx context.Context, s Scene, progress func(float64)) (*plan, error) {
	p := &plan{doc: gltf.Document{
		Asset:   gltf.Asset{Version: "2.0", Generator: "Ridgeline"},
		Buffers: []*gltf.Buffer{{}},
		Scene:   gltf.Index(0),
	}}
	x, z := s.Terrain.Origin()
	root := &gltf.Node{Name: "terrain", Translation: [3]float64{x, 0, z}}
	p.doc.Nodes = []*gltf.Node{root}
	p.doc.Scenes = []*gltf.Scene{{Name: s.Name, Nodes: []int{0}}}
	if err := p.addTextures(s); err != nil {
		return nil, err
	}
	materials := map[layerSet]int{}
	cols, _ := s.Terrain.ChunkGrid()
	err := eachChunk(ctx, s, func(c, n int, prims []primitive) error {
		defer progress(float64(c+1) / float64(n))
		if len(prims) == 0 {
			return nil
		}
		cx, cy := c%cols, c/cols
		name := fmt.Sprintf("chunk_%02d_%02d", cx, cy)
		mesh := &gltf.Mesh{Name: name}
		for i := range prims {
			m, ok := materials[prims[i].set]
			if !ok {
				m = p.addMaterial(prims[i].layers, s.Layers)
				materials[prims[i].set] = m
			}
			mesh.Primitives = append(mesh.Primitives, p.addPrimitive(&prims[i], m))
		}
		p.doc.Meshes = append(p.doc.Meshes, mesh)
		spacing := s.Terrain.Spacing()
		root.Children = append(root.Children, len(p.doc.Nodes))
		p.doc.Nodes = append(p.doc.Nodes, &gltf.Node{
			Name:        name,
			Mesh:        gltf.Index(len(p.doc.Meshes) - 1),
			Translation: [3]float64{float64(cx*terrain.TileSize) * spacing, 0, float64(cy*terrain.TileSize) * spacing},
		})
		p.stats.Chunks++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if p.stats.Chunks == 0 {
		return nil, fmt.Errorf("the terrain is all holes, so there is nothing to export")
	}
	p.doc.Buffers[0].ByteLength = int(p.size)
	return p, nil
}

// addTextures encodes every layer's texture. Layers that no triangle shows are
// kept, so that layer and texture indices agree.
func (p *plan) addTextures(s Scene) error {
	p.doc.Samplers = []*gltf.Sampler{{
		MagFilter: gltf.MagLinear, MinFilter: gltf.MinLinearMipMapLinear,
		WrapS: gltf.WrapRepeat, WrapT: gltf.WrapRepeat,
	}}
	for i, l := range s.Layers {
		var b bytes.Buffer
		if err := png.Encode(&b, l.Texture); err != nil {
			return fmt.Errorf("layer %q: %w", l.Name, err)
		}
		p.images = append(p.images, b.Bytes())
		p.doc.Images = append(p.doc.Images, &gltf.Image{
			Name: l.Name, MimeType: "image/png", BufferView: gltf.Index(p.addView(b.Len(), 0, gltf.TargetNone)),
		})
		p.doc.Textures = append(p.doc.Textures, &gltf.Texture{Name: l.Name, Sampler: gltf.Index(0), Source: gltf.Index(i)})
	}
	return nil
}

func (p *plan) addView(size, stride int, target gltf.Target) int {
	p.doc.BufferViews = append(p.doc.BufferViews, &gltf.BufferView{
		ByteOffset: int(p.size), ByteLength: size, ByteStride: stride, Target: target,
	})
	p.size += padded(size)
	return len(p.doc.BufferViews) - 1
}

func (p *plan) addMaterial(layers []uint8, all []Layer) int {
	var name string
	info := make([]layerInfo, len(layers))
	for i, l := range layers {
		if i > 0 {
			name += "+"
		}
		name += all[l].Name
		info[i] = layerInfo{Name: all[l].Name, Texture: int(l), Scale: all[l].Scale, Tint: all[l].tint()}
	}
	p.doc.Materials = append(p.doc.Materials, &gltf.Material{
		Name: name,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorTexture: &gltf.TextureInfo{Index: int(layers[0])},
			BaseColorFactor:  &[4]float64{info[0].Tint[0], info[0].Tint[1], info[0].Tint[2], 1},
			MetallicFactor:   gltf.Float(0),
			RoughnessFactor:  gltf.Float(1),
		},
		Extras: map[string]any{"layers": info},
	})
	return len(p.doc.Materials) - 1
}

func (p *plan) addPrimitive(prim *primitive, material int) *gltf.Primitive {
	view := p.addView(len(prim.vertices), vertexSize(len(prim.layers)), gltf.TargetArrayBuffer)
	offset := 0
	accessor := func(c gltf.ComponentType, t gltf.AccessorType, size int) int {
		p.doc.Accessors = append(p.doc.Accessors, &gltf.Accessor{
			BufferView: gltf.Index(view), ByteOffset: offset, Count: prim.count,
			ComponentType: c, Type: t, Normalized: c == gltf.ComponentUshort,
		})
		offset += size
		return len(p.doc.Accessors) - 1
	}
	position := accessor(gltf.ComponentFloat, gltf.AccessorVec3, 12)
	p.doc.Accessors[position].Min, p.doc.Accessors[position].Max = doubles(prim.min), doubles(prim.max)
	attributes := gltf.PrimitiveAttributes{
		gltf.POSITION:   position,
		gltf.NORMAL:     accessor(gltf.ComponentFloat, gltf.AccessorVec3, 12),
		gltf.TEXCOORD_0: accessor(gltf.ComponentFloat, gltf.AccessorVec2, 8),
	}
	for k := range colorSets(len(prim.layers)) {
		attributes[fmt.Sprintf("COLOR_%d", k)] = accessor(gltf.ComponentUshort, gltf.AccessorVec4, 8)
	}
	p.doc.Accessors = append(p.doc.Accessors, &gltf.Accessor{
		BufferView:    gltf.Index(p.addView(len(prim.indices), 0, gltf.TargetElementArrayBuffer)),
		ComponentType: gltf.ComponentUshort, Type: gltf.AccessorScalar, Count: len(prim.indices) / 2,
	})
	p.stats.Primitives++
	p.stats.Vertices += prim.count
	p.stats.Tris += len(prim.indices) / 6
	return &gltf.Primitive{
		Attributes: attributes,
		Indices:    gltf.Index(len(p.doc.Accessors) - 1),
		Material:   gltf.Index(material),
	}
}

func doubles(v [3]float32) []float64 {
	return []float64{float64(v[0]), float64(v[1]), float64(v[2])}
}
