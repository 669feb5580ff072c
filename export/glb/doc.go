// Package glb writes a level's terrain as one binary glTF 2.0 file.
//
// # Frame and units
//
// glTF's own: metres, right-handed, Y up, as in the editor. The scene holds one
// root node, "terrain", at the terrain's origin, with one child for every chunk of
// 64×64 cells that is not all holes, named "chunk_CC_RR" by its column and row; a
// chunk's vertices are relative to its first sample, so float32 keeps millimetres
// however large the level. Triangles are the terrain's own: (a, c, b) and
// (b, c, d), at full detail.
//
// # Weights
//
// Every triangle shows the layers that weigh more than nothing at one of its
// corners. The triangles of a chunk are grouped by that set, in ascending order of
// layers l₀ < l₁ < … < lₙ, into primitives of one material each:
//
//	COLOR_0.rgb   baked light, linear
//	COLOR_0.a     weight of l₁
//	COLOR_1.rgba  weights of l₂ … l₅   (only where the set has them)
//	COLOR_2.rgb   weights of l₆ … l₈
//
// and the weight of l₀ is one minus the rest. All are 16-bit normalized. The
// colour of a point is Σ texture(lᵢ)·weightᵢ · light, with everything interpolated
// over the triangle; a triangle of two layers is the classic "texture 2 · alpha +
// texture 1 · (1 − alpha), times the diffuse colour". A triangle has at most nine
// layers, so nothing is dropped. The material shows the texture of l₀ and its
// extras name the layers:
//
//	"extras": {"layers": [{"name": "grass", "texture": 0, "scale": 8, "tint": [1, 1, 1]}, …]}
//
// where texture is an index into the file's textures, scale the metres that the
// texture covers once and tint a linear colour that it is multiplied with. TEXCOORD_0 is for l₀'s texture; the coordinates of lᵢ are x
// and z, measured from the terrain's root node, divided by scaleᵢ.
//
// # Size
//
// The file is written as it is made: the JSON part first, from a first pass that
// only counts, then the chunks in order, each built again. Same terrain, same
// bytes, on any number of processors. A file that would pass the format's 4 GiB is
// refused before anything is written.
//
// The file format is Khronos Group, "glTF 2.0 Specification", 2021.
package glb
