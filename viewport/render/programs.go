package render

import (
	"fmt"
	"image/color"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// frameBinding is the binding point of the uniform block Frame.
const frameBinding = 0

// Texture units.
const (
	unitSamples  = 0
	unitTextures = 1
)

// Kinds of ground program, cheapest first. One for n layers serves patches that
// show up to n.
const (
	groundOne = iota
	groundTwo
	groundThree
	groundFour
	groundSix
	groundAny
	groundHoles
	groundFlat
	groundKinds
)

// reach is the number of layers that a kind of ground program can mix.
var reach = [...]int{groundOne: 1, groundTwo: 2, groundThree: 3, groundFour: 4, groundSix: 6}

// maxPalette is the greatest of them.
const maxPalette = 6

var groundRecipes = [groundKinds]recipe{
	groundOne:   {groundVertex, groundFragment, []string{"LAYERS 1"}},
	groundTwo:   {groundVertex, groundFragment, []string{"LAYERS 2"}},
	groundThree: {groundVertex, groundFragment, []string{"LAYERS 3"}},
	groundFour:  {groundVertex, groundFragment, []string{"LAYERS 4"}},
	groundSix:   {groundVertex, groundFragment, []string{"LAYERS 6"}},
	groundAny:   {groundVertex, groundFragment, []string{"LAYERS 0"}},
	groundHoles: {groundVertex, groundFragment, []string{"LAYERS 0", "HOLES"}},
	groundFlat:  {groundVertex, groundFragment, []string{"FLAT"}},
}

const (
	groundVertex   = "ground.vert.glsl"
	groundFragment = "ground.frag.glsl"
)

var (
	skyRecipe  = recipe{"sky.vert.glsl", "sky.frag.glsl", nil}
	lineRecipe = recipe{"line.vert.glsl", "line.frag.glsl", nil}
)

type groundProgram struct {
	name                               uint32
	page, bias, missing, palette, tint int32
}

type programs struct {
	ground [groundKinds]groundProgram
	sky    struct {
		name                 uint32
		corner, across, up   int32
		zenith, horiz, below int32
	}
	line struct {
		name          uint32
		bias, opacity int32
	}
}

// build compiles all programs. After an error release frees those that were made.
func (p *programs) build() error {
	for i := range p.ground {
		g := &p.ground[i]
		var err error
		if g.name, err = ready(groundRecipes[i]); err != nil {
			return err
		}
		g.page, g.bias = uniform(g.name, "page"), uniform(g.name, "bias")
		g.missing, g.palette, g.tint = uniform(g.name, "missing"), uniform(g.name, "palette"), uniform(g.name, "tint")
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
	gl.UseProgram(0)
	return program, nil
}

func (p *programs) release() {
	for i := range p.ground {
		gl.DeleteProgram(p.ground[i].name)
	}
	gl.DeleteProgram(p.sky.name)
	gl.DeleteProgram(p.line.name)
	*p = programs{}
}

// rgb decodes a colour to linear light.
func rgb(c color.NRGBA) mgl32.Vec3 {
	return mgl32.Vec3{linearOf[c.R], linearOf[c.G], linearOf[c.B]}
}
