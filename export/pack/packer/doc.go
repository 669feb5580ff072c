// Package packer writes levels as packs, see package pack: a folder, or one file.
//
// It stands apart from package pack so that a game, which reads packs, does not carry the
// editor's document. Nodes, meshes, materials, pictures and visibility are package glb's;
// heights, points, weights and holes are written from the ground, row by row. Files are
// written one after another as they are made, the index last. Memory holds the index and
// what glb.Write holds. Same level, same bytes, on any number of processors.
//
// # Points
//
// A point is five bytes: height, alpha, red, green, blue. The height is rounded to one of
// 256 steps from the lowest to the highest of the level; the colour is the baked light,
// sRGB; alpha is how much is painted over the first layer, so that with two layers a
// point's colour is (texture 2 · alpha + texture 1 · (1 − alpha)) times its light.
package packer
