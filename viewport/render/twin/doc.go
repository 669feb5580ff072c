// Package twin computes on the CPU what the ground looks like at a place: the
// double of the shader ground.frag.glsl and the oracle of its tests. It needs no
// OpenGL.
//
// Colours are linear light; weights and 8-bit codes are n/255. Each corner of the
// triangle under the place gives
//
//	((over·α + base·(1−α))·(1−α2) + third·α2) · light
//
// and the triangle interpolates, as do the normals. It is written for clearness:
// one place at a time, in float64.
package twin
