package glb

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
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
	if g.format.small {
		p.needs(extQuantization)
	}
	materials := map[layerSet]int{}
	cols, _ := g.grid()
	var chunks []chunkNodes
	err := g.eachChunk(ctx, true, func(c int, levels []level) error {
		defer progress.add(1)
		if len(levels) == 0 {
			return nil
		}
		chunk := chunkNodes{cx: c % cols, cy: c / cols}
		for k := range levels {
			l := &levels[k]
			name := fmt.Sprintf("chunk_%02d_%02d", chunk.cx, chunk.cy)
			if k > 0 {
				name = fmt.Sprintf("%s_lod%d", name, k)
			}
			mesh := &gltf.Mesh{Name: name}
			for i := range l.parts {
				part := &l.parts[i]
				m, ok := materials[part.set]
				if !ok {
					m = p.addGroundMaterial(&g, part.layers)
					materials[part.set] = m
				}
				mesh.Primitives = append(mesh.Primitives, p.addChunkPart(&g, part, m))
			}
			p.doc.Meshes = append(p.doc.Meshes, mesh)
			chunk.levels = append(chunk.levels, chunkLevel{len(p.doc.Meshes) - 1, l.off})
		}
		chunks = append(chunks, chunk)
		p.stats.Chunks++
		return nil
	})
	if err != nil {
		return err
	}
	p.addGroundNodes(&g, chunks)
	return nil
}

// chunkNodes is what the nodes of a chunk are made of.
type chunkNodes struct {
	cx, cy int
	levels []chunkLevel
}

type chunkLevel struct {
	mesh int
	off  float64
}

// addGroundNodes adds the root of the ground, the chunks at full detail below it, and
// then their other levels, which no scene has: whatever knows MSFT_lod shows them
// instead.
func (p *plan) addGroundNodes(g *ground, chunks []chunkNodes) {
	root := newNode("terrain")
	x, z := g.field.Origin()
	root.translation = mgl64.Vec3{x, 0, z}
	first := p.nodes.n
	for i := range chunks {
		root.children = append(root.children, first+1+i)
	}
	p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, first)
	p.nodes.add(&root)
	further := first + 1 + len(chunks)
	for i := range chunks {
		c := &chunks[i]
		n := g.chunkNode(p, c, 0)
		if count := len(c.levels) - 1; count > 0 {
			p.uses(extLOD)
			ids := make([]int, count)
			for k := range ids {
				ids[k] = further
				further++
			}
			o := beginObject(nil)
			l := beginObject(nil)
			l.integers("ids", ids)
			o.raw(extLOD, l.end())
			n.extensions = o.end()
			e := beginObject(nil)
			e.number("error", c.levels[0].off)
			e.numbers("MSFT_screencoverage", g.coverages(c)...)
			n.extras = e.end()
		} else if c.levels[0].off > 0 {
			n.extras = offExtras(c.levels[0].off)
		}
		p.nodes.add(&n)
	}
	for i := range chunks {
		for k := 1; k < len(chunks[i].levels); k++ {
			n := g.chunkNode(p, &chunks[i], k)
			n.extras = offExtras(chunks[i].levels[k].off)
			p.nodes.add(&n)
		}
	}
}

// offExtras are the extras of a level that is off by so many metres.
func offExtras(off float64) []byte {
	e := beginObject(nil)
	e.number("error", off)
	return e.end()
}

// chunkNode is the node of a level of a chunk.
func (g *ground) chunkNode(p *plan, c *chunkNodes, k int) node {
	l := c.levels[k]
	n := newNode(p.doc.Meshes[l.mesh].Name)
	n.mesh = l.mesh
	spacing := g.field.Spacing()
	n.translation = mgl64.Vec3{float64(c.cx*g.edge) * spacing, 0, float64(c.cy*g.edge) * spacing}
	if g.format.small {
		n.translation[1] = g.small.middle
		n.scale = mgl64.Vec3{g.small.step, g.small.step, g.small.step}
	}
	return n
}

// coverageOff is the part of the picture's height by which ground may be off that is
// shown by MSFT_screencoverage: two lines of 1080.
const coverageOff = 2. / 1080

// coverages are, for each level, the least part of the picture that a chunk covers when
// that level is shown: the next one is shown once its error is small enough. The last is
// shown however small it is.
func (g *ground) coverages(c *chunkNodes) []float64 {
	size := float64(g.edge) * g.field.Spacing()
	out := make([]float64, len(c.levels))
	last := 1.0
	for k := range c.levels[1:] {
		part := size * coverageOff / max(c.levels[k+1].off, size*coverageOff)
		last = min(last, part*part)
		out[k] = last
	}
	return out
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

func (p *plan) addChunkPart(g *ground, prim *primitive, material int) *gltf.Primitive {
	_, indices := prim.size(g.format)
	return p.primitive(p.attributesOf(g, prim), indices, gltf.ComponentUshort, prim.count, material)
}
