// Package simplify makes meshes simpler by collapsing edges, one after another, and keeps
// the whole sequence: any number of triangles can be had from it without computing again.
//
// # What is collapsed
//
// A collapse moves a point u onto a neighbour v along the edge between them: the
// triangles at the edge vanish, the others at u go to v. No new vertices are made, so
// that all levels share the vertices of the mesh, and a vertex's place in a coarser
// level is that of the vertex that it went to: a map for geomorphs.
//
// Vertices with the same position are one point; those of one point are its wedges,
// which differ in normals, texture coordinates or the like. An edge where the wedges of
// its two triangles differ is a seam, one where their materials differ a border of
// materials, one with a single triangle a border of the mesh. All three are kept: a point
// on such a line only moves along it, with all wedges, and a point where lines
// end or cross stays. So does what more than two triangles share, or two that are turned
// against each other, and what the caller locks.
//
// A collapse is refused when it would join what was apart (u and v have neighbours in
// common beside those of the edge's triangles; Dey, Edelsbrunner, Guha and Nekhayev,
// "Topology Preserving Edge Contraction", 1999), turn a triangle by more than 75°, or
// leave one without area.
//
// # Costs
//
// Quadric (Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics",
// 1997): each point has the sum of the squared distances to the planes of its triangles,
// weighted by their areas, and to planes at right angles to them through lines that are
// kept; the sums of u and v are added. The cost of u → v is the sum at v.
//
// Melax (Stan Melax, "A Simple, Fast, and Effective Polygon Reduction Algorithm", 1998):
//
//	cost(u, v) = |uv| · max over triangles f at u of min over triangles n at uv of (1 − f·n)/2
//
// with unit normals f and n; along a line that is kept also the line's bend, (1 − cos)/2.
//
// Cheap collapses come first, in passes: each visits the points in the mesh's order and
// makes the collapses that cost no more than the limit of the pass, which is the cost that
// a sixth of the points are below. Costs are those at the moment of the visit. So the order
// is that of the costs but within a pass, and what lies together is worked on together,
// which is faster than a heap of all points. Points without triangles are in no
// level.
//
// # Error
//
// Every point keeps how far what was collapsed into it may lie from the surface: the sum
// of the distances from each u to the triangles that replace its own. The error of a
// level is the greatest of these, in the mesh's own unit. It is an estimate, in tests
// never less than half of the distance measured from the original to the level.
//
// Positions are float32 in the mesh's own frame; sums are float64.
package simplify
