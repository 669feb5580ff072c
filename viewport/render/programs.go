package render

import (
	"fmt"
	"image/color"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/document/mesh"
	"ridgeline/terrain"
)

// frameBinding is the binding point of the uniform block Frame.
const frameBinding = 0

// Texture units.
const (
	unitSamples  = 0
	unitTextures = 1
	unitPlaces   = 2
	unitPicture  = 3
	unitNormals  = 4
	unitDepths   = 5
	unitMask     = 6
	unitGhosts   = 7
	unitHeat     = 8
)

// Kinds of surface, cheapest first. One for n layers serves patches that show up
// to n.
const (
	surfaceOne = iota
	surfaceTwo
	surfaceThree
	surfaceFour
	surfaceSix
	surfaceAny
	surfaceKinds
)

// reach is the number of layers that a kind of surface can mix.
var reach = [...]int{surfaceOne: 1, surfaceTwo: 2, surfaceThree: 3, surfaceFour: 4, surfaceSix: 6}

// maxPalette is the greatest of them.
const maxPalette = 6

const (
	groundVertex  = "ground.vert.glsl"
	screenVertex  = "screen.vert.glsl"
	groundSurface = "ground.frag.glsl"
)

// Flags of a surface, the second index of its programs.
const (
	surfaceBaked = 1 << iota // light is baked
	surfaceFar               // pixels may be as big as cells
	surfaceFlags
)

var surfaceRecipes = func() (all [surfaceKinds][surfaceFlags]recipe) {
	for k := range all {
		layers := "LAYERS 0"
		if k < len(reach) {
			layers = fmt.Sprint("LAYERS ", reach[k])
		}
		for flags := range all[k] {
			defines := []string{layers}
			if flags&surfaceBaked == 0 {
				defines = append(defines, "WHITE")
			}
			if flags&surfaceFar != 0 {
				defines = append(defines, "FAR")
			}
			all[k][flags] = recipe{screenVertex, groundSurface, defines}
		}
	}
	return all
}()

// Kinds of mesh: what the patches are drawn for.
const (
	meshPlace = iota // the place of the ground under each pixel
	meshHoles        // the same, of patches with holes
	meshWire         // the edges of the triangles
	meshID           // the chunk of the ground under each pixel
	meshIDHoles
	meshGhost // a flat tint over the picture
	meshGhostHoles
	meshHeat // a map of colours
	meshKinds
)

var meshRecipes = [meshKinds]recipe{
	meshPlace: {groundVertex, "place.frag.glsl", nil},
	meshHoles: {groundVertex, "place.frag.glsl", []string{"HOLES"}},
	meshWire:  {groundVertex, "flat.frag.glsl", nil},

	meshID:      {groundVertex, "chunk.frag.glsl", []string{chunkDefine}},
	meshIDHoles: {groundVertex, "chunk.frag.glsl", []string{chunkDefine, "HOLES"}},

	meshGhost:      {groundVertex, "shade.frag.glsl", nil},
	meshGhostHoles: {groundVertex, "shade.frag.glsl", []string{"HOLES"}},
	meshHeat:       {groundVertex, "heat.frag.glsl", nil},
}

// chunkDefine tells shaders how many cells a chunk has along an edge.
var chunkDefine = fmt.Sprint("CHUNK ", terrain.TileSize)

var (
	skyRecipe  = recipe{"sky.vert.glsl", "sky.frag.glsl", nil}
	lineRecipe = recipe{"line.vert.glsl", "line.frag.glsl", nil}

	facetRecipe = recipe{"facet.vert.glsl", "facet.frag.glsl", nil}
	edgeRecipe  = recipe{screenVertex, "edge.frag.glsl", nil}
	ghostRecipe = recipe{screenVertex, "ghosts.frag.glsl", nil}
)

// objectUse is what objects are drawn for.
type objectUse uint8

const (
	useLit    objectUse = iota // the picture
	useTinted                  // the same, of instances that are tinted
	useMask                    // outlines
	useAtlas                   // pictures that stand in for models
	useID                      // which instance a pixel shows
	useGhost                   // a flat tint over the picture
	objectUses
)

// objectLook is what is seen of a material by the choice of its program.
type objectLook struct {
	picture, colours bool // there is one, vertices have some
	alpha            mesh.AlphaMode
}

// index is the look's place among the programs of a use.
func (l objectLook) index() int {
	i := int(l.alpha)
	if l.picture {
		i += 3
	}
	if l.colours {
		i += 6
	}
	return i
}

const objectLooks = 12

// objectRecipes are by use and look. Where it is not for the picture nothing is
// blended, and all vertices count as coloured.
var objectRecipes = func() (all [objectUses][objectLooks]recipe) {
	for use := range all {
		for i := range all[use] {
			l := objectLook{i/3%2 == 1, i/6 == 1, mesh.AlphaMode(i % 3)}
			if use >= int(useMask) && (l.alpha == mesh.Blend || !l.colours) {
				continue
			}
			defines := [][]string{{}, {"TINT"}, {"MASK"}, {"ATLAS"}, {"ID"}, {"GHOST"}}[use]
			if l.picture {
				defines = append(defines, "TEXTURE")
			}
			if l.colours {
				defines = append(defines, "COLOURS")
			}
			defines = append(defines, [][]string{{}, {"CUT"}, {"BLEND"}}[l.alpha]...)
			all[use][i] = recipe{"object.vert.glsl", "object.frag.glsl", defines}
		}
	}
	return all
}()

// impostorRecipes are for the picture and for outlines.
var impostorRecipes = [2]recipe{
	{"impostor.vert.glsl", "impostor.frag.glsl", nil},
	{"impostor.vert.glsl", "impostor.frag.glsl", []string{"MASK"}},
}

type objectProgram struct {
	name                             uint32
	base, glow, cutoff, uvRows, kind int32
	shown                            int32
}

type impostorProgram struct {
	name                uint32
	centre, reach, kind int32
}

type meshProgram struct {
	name             uint32
	page, bias, tint int32
	numbers, shown   int32
	spread, density  int32
}

type surfaceProgram struct {
	name                                        uint32
	page, coarsest, missing, palette, paletteUV int32
}

type programs struct {
	mesh    [meshKinds]meshProgram
	surface [surfaceKinds][surfaceFlags]surfaceProgram
	sky     struct {
		name                 uint32
		corner, across, up   int32
		zenith, horiz, below int32
	}
	line, facet struct {
		name          uint32
		bias, opacity int32
	}
	object   [objectUses][objectLooks]objectProgram
	impostor [len(impostorRecipes)]impostorProgram
	edge     struct {
		name        uint32
		width, tint int32
	}
	ghosts uint32
}

// build compiles all programs. After an error release frees those that were made.
func (p *programs) build() error {
	for i := range p.mesh {
		m := &p.mesh[i]
		var err error
		if m.name, err = ready(meshRecipes[i]); err != nil {
			return err
		}
		m.page, m.bias, m.tint = uniform(m.name, "page"), uniform(m.name, "bias"), uniform(m.name, "tint")
		m.numbers, m.shown = uniform(m.name, "numbers"), uniform(m.name, "shown")
		m.spread, m.density = uniform(m.name, "spread"), uniform(m.name, "density")
	}
	for i := range p.surface {
		for j := range p.surface[i] {
			s := &p.surface[i][j]
			var err error
			if s.name, err = ready(surfaceRecipes[i][j]); err != nil {
				return err
			}
			s.page, s.coarsest, s.missing = uniform(s.name, "page"), uniform(s.name, "coarsest"), uniform(s.name, "missing")
			s.palette, s.paletteUV = uniform(s.name, "palette"), uniform(s.name, "paletteUV")
		}
	}
	var err error
	if p.sky.name, err = ready(skyRecipe); err != nil {
		return err
	}
	s := &p.sky
	s.corner, s.across, s.up = uniform(s.name, "corner"), uniform(s.name, "across"), uniform(s.name, "up")
	s.zenith, s.horiz, s.below = uniform(s.name, "zenith"), uniform(s.name, "horizon"), uniform(s.name, "below")
	if p.line.name, err = ready(lineRecipe); err != nil {
		return err
	}
	p.line.bias, p.line.opacity = uniform(p.line.name, "bias"), uniform(p.line.name, "opacity")
	if p.facet.name, err = ready(facetRecipe); err != nil {
		return err
	}
	p.facet.bias, p.facet.opacity = uniform(p.facet.name, "bias"), uniform(p.facet.name, "opacity")
	if p.edge.name, err = ready(edgeRecipe); err != nil {
		return err
	}
	if p.ghosts, err = ready(ghostRecipe); err != nil {
		return err
	}
	p.edge.width, p.edge.tint = uniform(p.edge.name, "width"), uniform(p.edge.name, "tint")
	return p.buildObjects()
}

func (p *programs) buildObjects() error {
	var err error
	for use := range p.object {
		for i := range p.object[use] {
			from := objectRecipes[use][i]
			if from.vertex == "" {
				continue
			}
			o := &p.object[use][i]
			if o.name, err = ready(from); err != nil {
				return err
			}
			o.base, o.glow, o.cutoff = uniform(o.name, "base"), uniform(o.name, "glow"), uniform(o.name, "cutoff")
			o.uvRows, o.kind = uniform(o.name, "uvRows"), uniform(o.name, "kind")
			o.shown = uniform(o.name, "shown")
		}
	}
	for i := range p.impostor {
		o := &p.impostor[i]
		if o.name, err = ready(impostorRecipes[i]); err != nil {
			return err
		}
		o.centre, o.reach, o.kind = uniform(o.name, "centre"), uniform(o.name, "reach"), uniform(o.name, "kind")
	}
	return nil
}

// ready builds a program and binds its blocks and texture units.
func ready(r recipe) (uint32, error) {
	program, err := r.build()
	if err != nil {
		return 0, err
	}
	if i := gl.GetUniformBlockIndex(program, gl.Str("Frame\x00")); i != gl.INVALID_INDEX {
		gl.UniformBlockBinding(program, i, frameBinding)
		var size int32
		if gl.GetActiveUniformBlockiv(program, i, gl.UNIFORM_BLOCK_DATA_SIZE, &size); size > frameBytes {
			gl.DeleteProgram(program)
			return 0, fmt.Errorf("shader program %v: the block Frame has %d bytes, expected %d", r, size, frameBytes)
		}
	}
	gl.UseProgram(program)
	gl.Uniform1i(uniform(program, "samples"), unitSamples)
	gl.Uniform1i(uniform(program, "textures"), unitTextures)
	gl.Uniform1i(uniform(program, "places"), unitPlaces)
	gl.Uniform1i(uniform(program, "picture"), unitPicture)
	gl.Uniform1i(uniform(program, "normals"), unitNormals)
	gl.Uniform1i(uniform(program, "depths"), unitDepths)
	gl.Uniform1i(uniform(program, "marks"), unitMask)
	gl.Uniform1i(uniform(program, "ghosts"), unitGhosts)
	gl.Uniform1i(uniform(program, "heat"), unitHeat)
	gl.UseProgram(0)
	return program, nil
}

func (p *programs) release() {
	for i := range p.mesh {
		gl.DeleteProgram(p.mesh[i].name)
	}
	for i := range p.surface {
		for j := range p.surface[i] {
			gl.DeleteProgram(p.surface[i][j].name)
		}
	}
	gl.DeleteProgram(p.sky.name)
	gl.DeleteProgram(p.line.name)
	gl.DeleteProgram(p.facet.name)
	gl.DeleteProgram(p.edge.name)
	gl.DeleteProgram(p.ghosts)
	for use := range p.object {
		for i := range p.object[use] {
			gl.DeleteProgram(p.object[use][i].name)
		}
	}
	for i := range p.impostor {
		gl.DeleteProgram(p.impostor[i].name)
	}
	*p = programs{}
}

// rgb decodes a colour to linear light.
func rgb(c color.NRGBA) mgl32.Vec3 {
	return mgl32.Vec3{linearOf[c.R], linearOf[c.G], linearOf[c.B]}
}
