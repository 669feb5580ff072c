// Package scene is what a level becomes for looking, picking, culling and
// walking: the meshes that stand in it, where they stand in the world, and the
// tree that sorts them.
//
// # Items
//
// An item is one thing with a mesh: an object, or one point of a scatter. It has a
// model, which many share, a matrix from the model's space to the world and a box
// in the world. Items stand in slots whose numbers stay the same while the item
// does. An object whose asset is missing is an item too: it shows a placeholder.
//
// # One tree
//
// The chunks of the terrain and all items that are shown stand in one
// nodetree.Tree, and whatever is drawn, picked or walked against comes out of it.
// Entries below the number of chunks are chunks, row by row; the others are slots.
// Each model has a tree of its own over its triangles, in its own space, which rays
// use, and which leaves of the level's own geometry only the triangles in sight.
//
// A Scene follows a document: Update takes the level and what changed, and touches
// no more than that. Positions are float64 metres in the world; models are float32
// in their own space.
//
// Markers have no mesh. They stand in a quadtree of their own, each in the
// smallest node that wholly contains it (see marks.go).
//
// A Scene belongs to one goroutine.
package scene
