package terrain

// TileSize is the number of samples along a tile's edge, and of cells along a
// chunk's edge.
const TileSize = 64

const tileArea = TileSize * TileSize

// The rectangle of samples that a field may have.
const (
	MinSize = 2
	MaxSize = 16385
)

// Splat says which ground textures a sample shows. Layers are indices into the
// level's layers; colour = ((Over·Alpha + Base·(1−Alpha))·(1−Alpha2) +
// Third·Alpha2), with Alpha and Alpha2 as n/255. The zero value shows layer 0.
type Splat struct{ Base, Over, Third, Alpha, Alpha2 uint8 }

// Weight is the share of a layer, 0–1; a layer that is named twice has both shares.
func (s Splat) Weight(layer uint8) float64 {
	a, a2 := float64(s.Alpha)/255, float64(s.Alpha2)/255
	var w float64
	if s.Base == layer {
		w += (1 - a) * (1 - a2)
	}
	if s.Over == layer {
		w += a * (1 - a2)
	}
	if s.Third == layer {
		w += a2
	}
	return w
}

// RGB is baked light, 8-bit sRGB. White is unshaded.
type RGB struct{ R, G, B uint8 }

// Flags of a sample.
const (
	Hole uint8 = 1 << iota // the cell to the right of and below the sample is open
)

// The planes of a tile, row by row: index row·TileSize + col. A plane that a
// Field holds is never written again.
type (
	Heights [tileArea]float32
	Splats  [tileArea]Splat
	Light   [tileArea]RGB
	Flags   [tileArea]uint8
)

// Tile is 64×64 samples. Tiles at the right and lower rim reach past the field;
// what is stored there has no meaning and is zero.
type Tile struct {
	Heights *Heights
	Splats  *Splats
	Light   *Light
	Flags   *Flags
}

// Planes is a set of planes of a tile.
type Planes uint8

// The planes.
const (
	PlaneHeights Planes = 1 << iota
	PlaneSplats
	PlaneLight
	PlaneFlags
	AllPlanes = PlaneHeights | PlaneSplats | PlaneLight | PlaneFlags
)

// The planes that untouched tiles share, so that a flat field of any size takes
// next to no memory.
var (
	zeroHeights = new(Heights)
	zeroSplats  = new(Splats)
	zeroFlags   = new(Flags)
	whiteLight  = func() *Light {
		l := new(Light)
		for i := range l {
			l[i] = RGB{255, 255, 255}
		}
		return l
	}()
	blankTile = Tile{zeroHeights, zeroSplats, whiteLight, zeroFlags}
)

// Differ gives the planes that are not the same memory in t and o. Equal
// contents in other memory count as different.
func (t Tile) Differ(o Tile) Planes {
	var p Planes
	if t.Heights != o.Heights {
		p |= PlaneHeights
	}
	if t.Splats != o.Splats {
		p |= PlaneSplats
	}
	if t.Light != o.Light {
		p |= PlaneLight
	}
	if t.Flags != o.Flags {
		p |= PlaneFlags
	}
	return p
}

// Blank gives the planes of t that still are the shared, untouched ones: heights
// zero, layer 0 everywhere, white light, no flags.
func (t Tile) Blank() Planes { return AllPlanes &^ t.Differ(blankTile) }
