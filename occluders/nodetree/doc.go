// Package nodetree sorts boxes and the triangles of meshes into trees of nodes, on
// which culling, picking and collision stand. Positions are metres; boxes are float64
// and in the world, vertices of meshes float32 and in the mesh's own frame. A tree
// answers the same 10 000 km from the origin as on it.
//
// # The node tree
//
// A Tree, over boxes, and a Triangles, over a mesh, are quadtrees, whose nodes are cut
// in x and z, or octrees (Finkel and Bentley, "Quad Trees: A Data Structure for
// Retrieval on Composite Keys", 1974; Meagher, "Geometric Modeling Using Octree
// Encoding", 1982). The root's cell is a square or cube that bounds the items. A node
// is cut while it is larger than Options.MinSize and holds more than Options.MaxItems.
// Items are in the leaves: in each that they cross, though a query reports them once.
// Nodes without items do not exist, and each node has the true bounds of what is in it.
//
// So that no input fills the tree with copies, an item that is larger than a node
// stays in it instead of going to its children, which bounds the nodes that it is in
// to 9 or, in an octree, 27; and a node is not cut where each item would go, on
// average, to more than half of the children.
//
// Where an item lies is decided in whole numbers, the finest cells that it reaches, so
// that all nodes agree. Building hands the items of a node to its children, which is
// O(n log n), and builds subtrees at once; the arrays are the same on any number of
// processors. Editing keeps the nodes those that would be built.
//
// A frustum finds a node outside, inside, when all below it is taken without a test,
// or crossing, when only the planes that cross it are tested further down (Assarsson
// and Möller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000).
// The cells of a quadtree share corners, seen from above: for each corner and plane
// a·x + c·z + d is worked out once a query and remembered, and each node adds b·y for
// its own least or greatest height.
//
// # Rays
//
// A Triangles has a second tree for rays and small regions, a hierarchy of tight boxes
// in which a node has up to eight children and a leaf up to eight triangles, as many as
// a vector has lanes, each triangle in one leaf (Wald, Benthin and Boulos, "Getting Rid
// of Packets", 2008). It is built from the bottom and from the top: the triangles are
// sorted along a Morton curve, the order of the finest cells of an octree, and the
// curve is cut into leaves; then the leaves are sorted by the surface area heuristic
// (Pantaleoni and Luebke, "HLBVH: Hierarchical LBVH Construction for Real-Time Ray
// Tracing", 2010; Wald, "On fast Construction of SAH-based Bounding Volume
// Hierarchies", 2007).
//
// Boxes and triangles are tested eight at a time in float32, erring only towards a hit
// (Ize, "Robust BVH Ray Traversal", 2013), and what passes is tested in float64 by the
// watertight test of Woop, Benthin and Wald (2013). So the answer is that of testing
// each triangle exactly, and no ray slips through an edge.
package nodetree
