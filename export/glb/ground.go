package glb

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/terrain"
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
	if err := p.addTextures(g); err != nil {
		return err
	}
	materials := map[layerSet]int{}
	cols, _ := g.field.ChunkGrid()
	var children []node
	err := g.eachChunk(ctx, true, func(c int, prims []primitive) error {
		defer progress.add(1)
		if len(prims) == 0 {
			return nil
		}
		cx, cy := c%cols, c/cols
		name := fmt.Sprintf("chunk_%02d_%02d", cx, cy)
		mesh := &gltf.Mesh{Name: name}
		for i := range prims {
			m, ok := materials[prims[i].set]
			if !ok {
				m = p.addGroundMaterial(prims[i].layers, g.layers)
				materials[prims[i].set] = m
			}
			mesh.Primitives = append(mesh.Primitives, p.addChunkPart(&prims[i], m))
		}
		p.doc.Meshes = append(p.doc.Meshes, mesh)
		spacing := g.field.Spacing()
		n := newNode(name)
		n.mesh = len(p.doc.Meshes) - 1
		n.translation = mgl64.Vec3{float64(cx*terrain.TileSize) * spacing, 0, float64(cy*terrain.TileSize) * spacing}
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
	for i := range children {
		root.children = append(root.children, i+1)
	}
	p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, p.nodes.n)
	p.nodes.add(&root)
	for i := range children {
		p.nodes.add(&children[i])
	}
	return nil
}

// addTextures encodes every layer's texture. Layers that no triangle shows are
// kept, so that layer and texture indices agree.
func (p *plan) addTextures(g ground) error {
	for _, l := range g.layers {
		image, written, err := p.addPicture(l.name, l.texture)
		if err != nil {
			return fmt.Errorf("layer %q: %w", l.name, err)
		}
		if written {
			p.groundPictures = append(p.groundPictures, pictureOf{image, l.texture})
		}
		p.doc.Textures = append(p.doc.Textures, &gltf.Texture{
			Name: l.name, Sampler: gltf.Index(p.addSampler(samplerKey{})), Source: gltf.Index(image),
		})
	}
	return nil
}

func (p *plan) addGroundMaterial(layers []uint8, all []layer) int {
	var name string
	info := make([]layerInfo, len(layers))
	for i, l := range layers {
		if i > 0 {
			name += "+"
		}
		name += all[l].name
		info[i] = layerInfo{Name: all[l].name, Texture: int(l), Scale: all[l].scale, Tint: all[l].tint}
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

func (p *plan) addChunkPart(prim *primitive, material int) *gltf.Primitive {
	vertices, indices := prim.size()
	a := p.attributes(vertices, prim.count, vertexSize(len(prim.layers)))
	position := a.add(gltf.ComponentFloat, gltf.AccessorVec3)
	p.doc.Accessors[position].Min, p.doc.Accessors[position].Max = doubles(prim.min), doubles(prim.max)
	attributes := gltf.PrimitiveAttributes{
		gltf.POSITION:   position,
		gltf.NORMAL:     a.add(gltf.ComponentFloat, gltf.AccessorVec3),
		gltf.TEXCOORD_0: a.add(gltf.ComponentFloat, gltf.AccessorVec2),
	}
	for k := range colorSets(len(prim.layers)) {
		attributes[fmt.Sprintf("COLOR_%d", k)] = a.add(gltf.ComponentUshort, gltf.AccessorVec4)
	}
	return p.primitive(attributes, indices, gltf.ComponentUshort, prim.count, material)
}
