package glb

import (
	"fmt"
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/terrain"
)

// Library gives the model of an asset. It is asked for an asset more than once when
// the models of a level are too large to be kept, and must give the same one then.
// An error means that the asset is missing, unless the context has ended.
type Library func(asset *document.Asset) (*mesh.Model, error)

// Scene is what is exported.
type Scene struct {
	Level *document.Level
	// Textures are the pictures of the level's layers, in their order, sRGB. They are
	// not looked at without ground.
	Textures []*image.NRGBA
	// TextureFiles are the files that they come from, PNG or JPEG, nil where there is
	// none; WriteParts writes these as they are. It may be nil.
	TextureFiles [][]byte
	Models       Library // may be nil where nothing shows an asset
	Options      Options
}

// Stats says what was written.
type Stats struct {
	Bytes                              int64
	Chunks, Primitives, Vertices, Tris int // what the file has; a mesh that stands in many places counts once
	Entities, Points, Meshes           int
	Missing                            []Missing // ascending by name
	// Stiff are the assets that have fewer levels of detail than were asked for, as they
	// cannot be made much simpler; ascending.
	Stiff []string
}

// Missing is an asset that things show and that could not be written.
type Missing struct {
	Asset           string
	Objects, Points int   // that stand in the file without a mesh
	Err             error // nil when the level has no asset of this name
}

// ground is the part of a scene that chunks are made of.
type ground struct {
	field  *terrain.Field
	layers []layer

	edge  int // cells along a chunk's edge
	lods  int // levels of detail, the full one included
	bake  int // pixels of a chunk's texture; 0 for none
	baker *baker
	// repaint tells whether the second pass needs the texture of a chunk again.
	repaint func(chunk int) bool
	unlit   bool
	format  vertexFormat
	small   smallScale // with format.small
}

// layer is one ground texture of the level.
type layer struct {
	name    string
	scale   float64      // metres that the texture covers once; over 0
	tint    mgl64.Vec3   // linear, multiplied with the texture
	texture *image.NRGBA // sRGB
	file    []byte       // that it comes from; nil for none
}

// ground makes sure that every layer that the terrain shows exists.
func (s *Scene) ground() (ground, error) {
	o := &s.Options
	g := ground{field: s.Level.Terrain, edge: o.chunk(), lods: o.lods(), bake: o.Bake, unlit: o.Unlit, format: vertexFormat{small: o.Quantize}}
	if g.format.small {
		lo, hi := g.field.MinMax()
		var ok bool
		if g.small, ok = smallScaleOf(g.field.Spacing(), g.edge, lo, hi); !ok {
			return g, fmt.Errorf("heights from %g to %g m are too far apart to quantize on a grid of %g m: 16 bits reach %.0f m",
				lo, hi, g.field.Spacing(), math.MaxUint16*g.field.Spacing())
		}
	}
	if len(s.Textures) != len(s.Level.Layers) {
		return g, fmt.Errorf("there are %d textures for %d layers", len(s.Textures), len(s.Level.Layers))
	}
	for i, l := range s.Level.Layers {
		if !(l.UVScale > 0) || s.Textures[i] == nil {
			return g, fmt.Errorf("layer %d (%q) has scale %g and no usable texture", i, l.Name, l.UVScale)
		}
		tint := l.Tint
		if tint == (mgl64.Vec3{}) {
			tint = mgl64.Vec3{1, 1, 1}
		}
		var file []byte
		if i < len(s.TextureFiles) {
			file = s.TextureFiles[i]
		}
		g.layers = append(g.layers, layer{l.Name, l.UVScale, tint, s.Textures[i], file})
	}
	tc, tr := g.field.TileGrid()
	for ty := range tr {
		for tx := range tc {
			for _, v := range g.field.Tile(tx, ty).Splats {
				for _, l := range [3]uint8{v.Base, v.Over, v.Third} {
					if int(l) >= len(g.layers) {
						return g, fmt.Errorf("the terrain shows layer %d, expected one of the level's %d layers", l, len(g.layers))
					}
				}
			}
		}
	}
	if g.bake > 0 {
		of := g
		g.baker = newBaker(&of)
	}
	return g, nil
}
