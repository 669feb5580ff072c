// Package mesh reads models from files: glTF 2.0 (.glb, .gltf) and Wavefront OBJ
// (.obj with .mtl). Whatever the file has — a tree of nodes, strips, quantized or
// sparse data, polygons — becomes one Model: indexed triangles in one frame,
// grouped by material and node, with the pictures decoded. Bundle gathers a model
// and the files that it refers to in one file, which Load reads again.
//
// # Frame
//
// Right-handed, Y up, metres, as glTF; OBJ files are taken as they are. Positions
// are float32 and at most MaxCoordinate from the origin. Triangles are
// counter-clockwise seen from outside, also below mirrored nodes. Texture
// coordinates have their origin in the upper left corner of the picture, as glTF;
// those of OBJ are turned over. Base colours, emission and vertex colours are
// linear, pictures are sRGB; no alpha is premultiplied. Kd and Ke of MTL count as
// linear, colours behind the positions of an OBJ as sRGB, which is what the common
// programs write. Materials of OBJ files are double-sided, since the format has no
// sides. Bounds are those of the vertices, whatever a file says.
//
// # Names
//
// Model.Nodes has the nodes of the scene, parents before children, with their names
// as they stand in the file, so that conventions such as "room" can be found by
// whoever gives them a meaning. The o of an OBJ is a node and the g below it a child
// of that. Instances of a node (EXT_mesh_gpu_instancing) are nodes too, the first in the
// place of that node and the others behind all; they have its name, or that which the
// extras of an exported level have for each. Nodes whose names end in -occ have a meaning
// here: they are not drawn, and the convex hull of each becomes one of Model.Occluders.
//
// # Normals
//
// Where a file has none, glTF gets flat ones, as the specification demands, and OBJ
// gets flat ones outside smoothing groups and, inside, the mean of the faces of the
// group that meet at the position, weighted by angle (Thürmer and Wüthrich,
// "Computing Vertex Normals from Polygonal Facets", 1998). Polygons are cut by
// clipping ears (Meisters, "Polygons Have Ears", 1975) in the plane of the normal
// that Newell's sum gives (Sutherland, Sproull and Schumacker, 1974).
//
// # What is not there
//
// What a model has that is not supported becomes a sentence in Model.Notes, and the
// rest is shown: animations, skins (the mesh is shown unskinned), morph targets,
// points and lines, textures other than the base colour, and extensions that are
// used but not known. An extension that the file requires and that is not known is
// an error, but for EXT_meshopt_compression where all data is there uncompressed.
// Missing or damaged pictures are notes; missing geometry is an error.
//
// # Bad input
//
// Errors are fault.Error values with the place, such as "accessors[3].count". No
// file outside the model's folder is named to the file system, memory follows what
// the files really hold, and the limits below, which are constants, keep small files
// from becoming huge models.
package mesh
