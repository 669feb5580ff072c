package nodetree

import "ridgeline/occluders/geom"

// Split says along which axes a node is cut into children.
type Split uint8

// The two kinds of tree.
const (
	Quad Split = iota // four children, cut in x and z: for flat worlds
	Oct               // eight children, cut in x, y and z: for many storeys
)

// The defaults of Options.
const (
	DefaultMinSize  = 256.0 // m
	DefaultMaxItems = 32
)

// Options say how finely a tree sorts. The zero value is a quadtree with the
// defaults.
type Options struct {
	Split    Split
	MinSize  float64 // a node of at most this size is not cut, m; 0 is DefaultMinSize
	MaxItems int     // a node with at most this many items is not cut; 0 is DefaultMaxItems

	// Materials has the material of each triangle of the mesh, or is nil; only
	// BuildTriangles uses it. A triangle with a negative one is met by rays but never
	// visible.
	Materials []int32
}

// Node is one node of a tree, for looking at.
type Node struct {
	Index  int
	Parent int      // -1 at the root
	Depth  int      // 0 at the root
	Box    geom.Box // true bounds of what lies in the node and below, as far as it is in the cell
	Cell   geom.Box // the square, between the node's true heights, or cube that it covers
	Items  []int32  // listed in the node itself; valid until the tree changes
	Leaf   bool
}

// Stats counts a tree.
type Stats struct {
	Nodes, Leaves int
	Slots         int   // indices of nodes, used or not
	Items         int   // in the tree
	Listings      int   // of items in nodes; more than Items where some cross nodes
	Depths        []int // nodes at each depth
	Bytes         int   // held by the tree itself
}
