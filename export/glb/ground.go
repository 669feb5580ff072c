package glb

import (
	"context"
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/document/mesh"
)

// layerInfo is a layer in a material's extras.
type layerInfo struct {
	Name    string     `json:"name"`
	Texture int        `json:"texture"`
	Scale   float64    `json:"scale"`
	Tint    mgl64.Vec3 `json:"tint"`
}

// measureGround goes through every chunk once to learn the sizes and bounds, and makes the
// ground's nodes.
func (p *plan) measureGround(ctx context.Context, g ground, progress *meter) error {
	if g.bake == 0 {
		if err := p.addTextures(ctx, g); err != nil {
			return err
		}
	}
	if g.format.small {
		p.needs(extQuantization)
	}
	materials := map[layerSet]int{}
	p.begin("meshes/ground.bin")
	cols, _ := g.grid()
	var children []node
	err := g.eachChunk(ctx, true, func(c int, levels []level) error {
		defer progress.add(1)
		if len(levels) == 0 {
			return nil
		}
		cx, cy := c%cols, c/cols
		name := fmt.Sprintf("chunk_%02d_%02d", cx, cy)
		unit := 1.0 // of the mesh, metres
		if g.format.small {
			unit = g.small.step
		}
		info := lodInfo{Error: levels[0].off / unit}
		first := len(p.doc.Meshes)
		if g.bake > 0 {
			materials[layerSet{}] = p.addBaked(&g, c, name, levels[0].picture)
		}
		for k := range levels {
			out := &gltf.Mesh{Name: name}
			if k > 0 {
				out.Name = fmt.Sprintf("%s_lod%d", name, k)
				info.Levels = append(info.Levels, lodLevel{len(p.doc.Meshes), levels[k].off / unit})
			}
			for i := range levels[k].parts {
				part := &levels[k].parts[i]
				m, ok := materials[part.set]
				if !ok {
					m = p.addGroundMaterial(&g, part.layers)
					materials[part.set] = m
				}
				out.Primitives = append(out.Primitives, p.addChunkPart(&g, part, m))
			}
			p.doc.Meshes = append(p.doc.Meshes, out)
		}
		p.addLevels(p.doc.Meshes[first], info)
		n := newNode(name)
		n.mesh = first
		spacing := g.field.Spacing()
		n.translation = mgl64.Vec3{float64(cx*g.edge) * spacing, 0, float64(cy*g.edge) * spacing}
		if g.format.small {
			n.translation[1] = g.small.middle
			n.scale = mgl64.Vec3{unit, unit, unit}
		}
		children = append(children, n)
		p.stats.Chunks++
		return nil
	})
	if err != nil {
		return err
	}
	root := newNode("terrain")
	x, z := g.field.Origin()
	root.translation = mgl64.Vec3{x, 0, z}
	first := p.nodes.n
	for i := range children {
		root.children = append(root.children, first+1+i)
	}
	p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, first)
	p.groundNode = first
	p.nodes.add(&root)
	for i := range children {
		p.nodes.add(&children[i])
	}
	return nil
}

// addTextures encodes every layer's texture. Layers that no triangle shows are
// kept, so that layer and texture indices agree.
func (p *plan) addTextures(ctx context.Context, g ground) error {
	file := func(i int) []byte {
		if p.named {
			return g.layers[i].file
		}
		return nil
	}
	return encodeEach(ctx, len(g.layers), func(i int) *image.NRGBA {
		if file(i) != nil {
			return nil
		}
		return g.layers[i].texture
	}, func(i int, data []byte) {
		l := &g.layers[i]
		if data == nil {
			data = file(i)
		}
		at, written := p.addEncoded(l.name, data)
		if written {
			p.groundPictures = append(p.groundPictures, pictureOf{image: at, pixels: l.texture, file: file(i)})
		}
		p.doc.Textures = append(p.doc.Textures, &gltf.Texture{
			Name: l.name, Sampler: gltf.Index(p.addSampler(samplerKey{})), Source: gltf.Index(at),
		})
	})
}

func (p *plan) addGroundMaterial(g *ground, layers []uint8) int {
	all := g.layers
	var name string
	info := make([]layerInfo, len(layers))
	for i, l := range layers {
		if i > 0 {
			name += "+"
		}
		name += all[l].name
		info[i] = layerInfo{Name: all[l].name, Texture: int(l), Scale: all[l].scale, Tint: all[l].tint}
	}
	m := &gltf.Material{
		Name: name,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorTexture: &gltf.TextureInfo{Index: int(layers[0])},
			BaseColorFactor:  &[4]float64{info[0].Tint[0], info[0].Tint[1], info[0].Tint[2], 1},
			MetallicFactor:   gltf.Float(0),
			RoughnessFactor:  gltf.Float(1),
		},
		Extras: map[string]any{"layers": info},
	}
	if g.unlit {
		m.Extensions = gltf.Extensions{extUnlit: struct{}{}}
		p.uses(extUnlit)
	}
	p.doc.Materials = append(p.doc.Materials, m)
	return len(p.doc.Materials) - 1
}

// addBaked adds the texture and the material of a chunk whose layers are baked.
func (p *plan) addBaked(g *ground, chunk int, name string, picture []byte) (material int) {
	image, written := p.addEncoded(name, picture)
	if written {
		p.baked[chunk] = image
	}
	sampler := p.addSampler(samplerKey{wrapS: mesh.Clamp, wrapT: mesh.Clamp})
	m := &gltf.Material{
		Name: name,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorTexture: &gltf.TextureInfo{Index: p.addTexture(name, textureKey{image, sampler})},
			MetallicFactor:   gltf.Float(0),
			RoughnessFactor:  gltf.Float(1),
		},
	}
	if g.unlit {
		m.Extensions = gltf.Extensions{extUnlit: struct{}{}}
		p.uses(extUnlit)
	}
	p.doc.Materials = append(p.doc.Materials, m)
	return len(p.doc.Materials) - 1
}

func (p *plan) addChunkPart(g *ground, prim *primitive, material int) *gltf.Primitive {
	_, indices := prim.size(g.format)
	return p.primitive(p.attributesOf(g, prim), indices, gltf.ComponentUshort, prim.count, material)
}
