package render

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/terrain"
)

// World is what there is to draw. It is a value: give Update a new one after each
// change.
type World struct {
	Field  *terrain.Field
	Layers []LayerTexture // by the ids of terrain.Splat; at most MaxLayers
	Sun    Sun
	Models []*mesh.Model // that instances may show; they are kept on the GPU
}

// MaxLayers is how many ground textures a world may have.
const MaxLayers = 256

// LayerTexture is a tiling ground texture. Texture coordinates are the local
// position, x and z in metres from the field's first sample, divided by Scale.
// A picture that is changed must become another *image.NRGBA to be noticed.
type LayerTexture struct {
	Pixels *image.NRGBA // sRGB, alpha unused; nil is plain grey
	Scale  float64      // metres that the picture covers; not above 0 means 1
}

// Sun lights the ground and objects in the style lit. Light is linear; 1 shows a texture as it
// is.
type Sun struct {
	Direction mgl64.Vec3 // towards the sun, any length; zero is straight up
	Light     mgl32.Vec3 // at right angles to the ground
	Ambient   mgl32.Vec3 // from everywhere
	// Baked shows the light of the samples instead on the ground, and nothing else.
	// Without it that light, which may be of an older sun or ground, is not shown.
	Baked bool
}

// light gives what the shader adds up for the ground: unit direction, sun, ambient.
func (s Sun) light() (dir mgl64.Vec3, sun, ambient mgl32.Vec3) {
	dir = mgl64.Vec3{0, 1, 0}
	if l := s.Direction.Len(); l > 0 {
		dir = s.Direction.Mul(1 / l)
	}
	if s.Baked {
		return dir, mgl32.Vec3{}, mgl32.Vec3{1, 1, 1}
	}
	return dir, s.Light, s.Ambient
}
