// Package nodetree sorts boxes, and the triangles of meshes, into a tree of nodes
// for culling, picking and collision. Positions are metres; boxes are float64,
// vertices of meshes float32 and local.
package nodetree
