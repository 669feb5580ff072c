package pack

import "encoding/json"

// Format is what level.json names as its format, and Version the version of the layout
// that is written, and the newest that is read.
const (
	Format  = "ridgeline-pack"
	Version = 1
)

// IndexFile is the name of the index.
const IndexFile = "level.json"

// Index is what level.json holds. Lists of other things are referred to by index; what is
// left out is none, a file's name else.
type Index struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Generator string           `json:"generator,omitempty"`
	Frame     Frame            `json:"frame"`
	Ground    *Ground          `json:"ground,omitempty"` // nil in a level without
	Bookmarks map[string]Place `json:"bookmarks,omitempty"`
	// Visibility is what hides what; nil if the pack does not tell.
	Visibility *Visibility `json:"visibility,omitempty"`
	Files      []File      `json:"files"` // all but level.json
	Formats    []Vertex    `json:"formats"`
	Meshes     []Mesh      `json:"meshes"`
	Materials  []Material  `json:"materials"`
	Textures   []Texture   `json:"textures"`
	Pictures   []Picture   `json:"pictures"`
	Lights     []Light     `json:"lights"`
	Cameras    []Camera    `json:"cameras"`
	Nodes      []Node      `json:"nodes"`
}

// Frame says how numbers of the pack are to be understood.
type Frame struct {
	Up            string  `json:"up"`              // "y", or "z" if Root turns the level
	Handedness    string  `json:"handedness"`      // "right"
	UnitsPerMetre float64 `json:"units_per_metre"` // below Root; everything else is metres
	// Root is the node that turns and scales the level; nil if none does. Ground, markers
	// and visibility are in the frame before it.
	Root *int `json:"root,omitempty"`
}

// File is a file of the pack.
type File struct {
	Name  string `json:"name"` // slash-separated
	Size  int64  `json:"size"`
	CRC32 uint32 `json:"crc32"` // IEEE
}

// Range is some bytes of a file.
type Range struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
}

// Ground is the level's height field. Sample (c, r) stands at (Origin[0] + c·Spacing,
// height, Origin[1] + r·Spacing).
type Ground struct {
	Node    *int       `json:"node,omitempty"` // that its chunks stand below; nil without chunks
	Columns int        `json:"columns"`        // samples
	Rows    int        `json:"rows"`
	Spacing float64    `json:"spacing"` // metres
	Origin  [2]float64 `json:"origin"`  // x and z of sample (0, 0)
	Lowest  float64    `json:"lowest"`  // metres
	Highest float64    `json:"highest"`
	Heights *Heights   `json:"heights,omitempty"` // nil if they are left out
	Points  Points     `json:"points"`
	Holes   string     `json:"holes,omitempty"` // file; empty without holes
	Layers  []Layer    `json:"layers"`
}

// Heights are the heights of all samples, row by row.
type Heights struct {
	File string `json:"file"`
	Type string `json:"type"` // "float32" or "uint16"
	// Of uint16: height = Offset + Scale·value, off by Error at most.
	Scale  float64 `json:"scale,omitempty"`
	Offset float64 `json:"offset,omitempty"`
	Error  float64 `json:"error,omitempty"`
}

// Points are five bytes a sample, row by row: height, alpha, red, green, blue.
type Points struct {
	File string `json:"file"`
	// height = Offset + Scale·value, off by Error at most, metres.
	Scale  float64 `json:"scale"`
	Offset float64 `json:"offset"`
	Error  float64 `json:"error"`
}

// PointSize is the number of bytes of a point.
const PointSize = 5

// MaxLayers is how many layers a material of the ground has at most: three of each corner
// of a triangle.
const MaxLayers = 9

// Layer is a texture of the ground.
type Layer struct {
	Name    string     `json:"name"`
	Texture *int       `json:"texture,omitempty"` // nil where layers are baked
	Scale   float64    `json:"scale"`             // metres that the texture covers once
	Tint    [3]float64 `json:"tint"`
	Weights string     `json:"weights,omitempty"` // file; empty where it weighs nothing
}

// Vertex is how vertices lie in a buffer.
type Vertex struct {
	Stride     int         `json:"stride"` // bytes
	Attributes []Attribute `json:"attributes"`
}

// Attribute is one part of a vertex.
type Attribute struct {
	Name       string `json:"name"` // POSITION, NORMAL, TEXCOORD_0, COLOR_0 …
	Type       string `json:"type"` // float32, int8, uint8, int16, uint16
	Components int    `json:"components"`
	Normalized bool   `json:"normalized,omitempty"` // integers stand for 0–1, or −1–1 if signed
	Offset     int    `json:"offset"`               // bytes from the vertex
}

// Mesh is triangles, in the space of its nodes.
type Mesh struct {
	Name       string      `json:"name"`
	Primitives []Primitive `json:"primitives"`
	Error      float64     `json:"error,omitempty"` // how far it is off, in units of the mesh
	LODs       []LOD       `json:"lods,omitempty"`  // finest first
}

// LOD is a mesh that may be drawn instead of another where its error is too small to be
// seen.
type LOD struct {
	Mesh  int     `json:"mesh"`
	Error float64 `json:"error"`
}

// Primitive is the triangles of a mesh that have one material.
type Primitive struct {
	Material *int     `json:"material,omitempty"`
	Vertices Vertices `json:"vertices"`
	Indices  Indices  `json:"indices"`
	// Min and Max are the bounds of positions as they stand in the file.
	Min [3]float64 `json:"min"`
	Max [3]float64 `json:"max"`
}

// Vertices are Count vertices at Offset of a file.
type Vertices struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Count  int    `json:"count"`
	Format int    `json:"format"` // index of Index.Formats
}

// Indices are Count indices at Offset of a file, three a triangle, counter-clockwise.
type Indices struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Count  int    `json:"count"`
	Type   string `json:"type"` // uint16 or uint32
}

// Material is how triangles look.
type Material struct {
	Name        string     `json:"name"`
	BaseColor   [4]float64 `json:"base_color"`
	Texture     *Placed    `json:"texture,omitempty"`
	Alpha       string     `json:"alpha"`            // opaque, mask or blend
	Cutoff      float64    `json:"cutoff,omitempty"` // of mask
	DoubleSided bool       `json:"double_sided,omitempty"`
	Unlit       bool       `json:"unlit,omitempty"`
	Emissive    [3]float64 `json:"emissive"`
	// Layers are those of the ground whose weights the vertices have, as indices of
	// Ground.Layers, see export/FORMAT.md; nil for all else.
	Layers []int `json:"layers,omitempty"`
}

// Placed is a texture and how coordinates are changed: scaled, turned, moved.
type Placed struct {
	Texture  int         `json:"texture"`
	Offset   *[2]float64 `json:"offset,omitempty"`
	Rotation float64     `json:"rotation,omitempty"` // radians
	Scale    *[2]float64 `json:"scale,omitempty"`
}

// Texture is a picture and how it is read.
type Texture struct {
	Name    string    `json:"name,omitempty"`
	Picture int       `json:"picture"`
	Wrap    [2]string `json:"wrap"`              // u and v: repeat, clamp or mirror
	Nearest bool      `json:"nearest,omitempty"` // magnified without interpolation
}

// Picture is a PNG or JPEG, sRGB.
type Picture struct {
	Name string `json:"name,omitempty"`
	File string `json:"file"`
}

// Light is a directional light that shines along −Z of its node.
type Light struct {
	Name      string     `json:"name"`
	Type      string     `json:"type"` // "directional"
	Color     [3]float64 `json:"color"`
	Intensity float64    `json:"intensity"`
	Node      int        `json:"node"`
}

// Camera looks along −Z of its node, Y up.
type Camera struct {
	Name string  `json:"name"`
	YFov float64 `json:"yfov"` // radians
	Near float64 `json:"near"` // metres
	Node int     `json:"node"`
}

// Place is where one looks from, and what at.
type Place struct {
	Eye  [3]float64 `json:"eye"`
	Look [3]float64 `json:"look"`
}

// Node is a place in the level, and what stands there. Its matrix to its parent is
// T(Translation) · R(Rotation) · S(Scale).
type Node struct {
	Name        string      `json:"name,omitempty"`
	Parent      *int        `json:"parent,omitempty"` // nil at the top
	Mesh        *int        `json:"mesh,omitempty"`
	Translation *[3]float64 `json:"translation,omitempty"`
	Rotation    *[4]float64 `json:"rotation,omitempty"` // quaternion x, y, z, w
	Scale       *[3]float64 `json:"scale,omitempty"`
	Instances   *Instances  `json:"instances,omitempty"`
	// Extras say what the thing is: id, kind, properties and so on, see export/FORMAT.md.
	Extras json.RawMessage `json:"extras,omitempty"`
}

// Instances are places relative to their node where its mesh stands instead: float32
// translations (3), rotations (4) and scales (3), one after another.
type Instances struct {
	Count       int    `json:"count"`
	Translation *Range `json:"translation,omitempty"`
	Rotation    *Range `json:"rotation,omitempty"`
	Scale       *Range `json:"scale,omitempty"`
}

// Visibility is what hides what, as RIDGELINE_visibility has it.
type Visibility struct {
	Version   int             `json:"version"` // of RIDGELINE_visibility
	Tree      json.RawMessage `json:"tree"`
	Entries   Entries         `json:"entries"`
	Off       float64         `json:"off,omitempty"` // of the ground
	Pyramid   *Range          `json:"pyramid,omitempty"`
	Occluders string          `json:"occluders"` // files
	Portals   string          `json:"portals"`
}

// Entries are what is culled.
type Entries struct {
	Count  int    `json:"count"`
	Boxes  *Range `json:"boxes,omitempty"`
	Things *Range `json:"things,omitempty"`
}

// Hidden is what occluders.json and portals.json hold, as RIDGELINE_visibility does.
type Hidden struct {
	Occluders json.RawMessage `json:"occluders,omitempty"`
	Cells     json.RawMessage `json:"cells,omitempty"`
	Portals   json.RawMessage `json:"portals,omitempty"`
}

// Holes is what holes.json holds: runs of cells without ground.
type Holes struct {
	Columns int      `json:"columns"` // cells
	Rows    int      `json:"rows"`
	Runs    [][3]int `json:"runs"` // row, first column, number of cells
}
