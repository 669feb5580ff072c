// Package glb writes a level as one binary glTF 2.0 file: ground, objects, groups,
// scatters and markers.
//
// # Frame and units
//
// glTF's own: metres, right-handed, Y up, as in the editor. The scene has the ground,
// if there is any, and beside it everything that has no parent.
//
// # Ground
//
// One root node, "terrain", at the terrain's origin, with one child for every chunk
// of Options.Chunk cells that is not all holes, named "chunk_CC_RR" by its column and
// row; a chunk's vertices are relative to its first sample, so float32 keeps
// millimetres however large the level. Triangles are the terrain's own: (a, c, b) and
// (b, c, d). A level without ground, or with nothing but holes, has no such node and
// no ground textures.
//
// Simpler levels of a chunk are right-triangulated irregular networks (Evans, Kirkpatrick
// and Townsend, 2001) that keep the chunk's border and the edges of holes, see detail;
// extLOD lists them on the chunk's mesh with how far they are off, exactly. Layers may be
// baked into a texture for each chunk, see baker.
//
// # Things
//
// Every entity is a node with its own translation, rotation and scale, as float64 in
// full, below the node of its parent. Its name is the entity's; one without name is
// called after kind and id, "object_12". Parents stand before children, siblings in
// ascending order of id. The extras say what it is, under the names of the level's
// own file; keys that do not apply are left out:
//
//	{"id": 12, "kind": "object", "layer": "town", "hidden": true,
//	 "properties": {"team": "red"}, …}
//
// hidden tells of what is hidden by itself, by its layer or by anything above it; it
// is in the file all the same. By kind there is besides:
//
//	object   "asset", "geometry", "collision" (unless it is "mesh"),
//	         "collision_radius", "billboard"; without "asset" it is a group
//	scatter  "assets", "billboard"; one child for each point, in their order, after
//	         the children that are entities. They have no names and no extras.
//	marker   "shape", "points" [[x, y, z], …] relative to the node, "color" [r, g, b]
//	         linear
//	others   "data", the entity's own data as in the level's file
//
// A mirrored entity has a negative scale. glTF turns the winding of a node with a
// negative determinant by itself, so the mesh is the same.
//
// # Meshes
//
// Each asset that an object or a point of a scatter shows is one mesh of its name,
// shared by all of them; assets of one file share their data too. The triangles of a
// material are one primitive, interleaved: POSITION, NORMAL, TEXCOORD_0 and COLOR_0
// (8-bit, linear) where the model has them. Indices have 16 bits up to 65535 vertices.
// Materials keep base colour and texture, alpha mode and cutoff, sides and emission,
// with KHR_materials_unlit and KHR_texture_transform where needed; metal is 0 and
// roughness 1, as models have neither. Pictures are PNG, and equal ones stand in the
// file once.
//
// An asset that is missing, or whose model has anything that is no number, is shown by a
// box of one metre: its objects and points have "missing": its name in their extras, and
// Stats.Missing lists it. With Options.Strict it is an error, before anything is written.
//
// # Options
//
// What options change is described in export/FORMAT.md: quantized meshes, instances, a
// selection, a root node that turns and scales, the sun and cameras. WriteApart writes
// pictures and the binary part as files of their own. WriteParts gives what a level is made
// of to what writes it in another form, package pack.
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
// texture covers once and tint a linear colour that it is multiplied with. TEXCOORD_0
// is for l₀'s texture; the coordinates of lᵢ are x and z, measured from the terrain's
// root node, divided by scaleᵢ.
//
// # Visibility
//
// Unless Options say otherwise, or only a part of the level is written, the root
// extension RIDGELINE_visibility has what hides what, see package visibility and
// export/FORMAT.md. The scene's extras have the level's bookmarks under "cameras".
//
// # Size
//
// The file is written as it is made: the JSON part first, from a first pass that
// only counts, then ground textures, chunks and models in order, each built again.
// Memory holds the JSON part, two chunks a processor and the largest model; up to 192
// MiB of models and pictures are kept from the first pass to the second besides. Same
// level, same bytes, on any number of processors. A file that would pass the format's
// 4 GiB is refused before anything is written.
//
// The file format is Khronos Group, "glTF 2.0 Specification", 2021, with the
// extensions KHR_materials_unlit and KHR_texture_transform.
package glb
