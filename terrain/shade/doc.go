// Package shade computes normals for drawing and the baked light of a terrain.
//
// # Frame and units
//
// Angles are radians. Azimuth is the compass bearing of the sun: 0 is north,
// which is −Z, the side of row 0; π/2 is east, +X. Elevation is the angle over
// the horizon. Colours are linear, 1 being white; what is stored is 8-bit sRGB
// (IEC 61966-2-1).
//
// # Normals
//
// A normal is that of terrain.Field.Normal: central differences, one-sided at the
// rim, in float32. They are always taken at full detail.
//
// # Light
//
// A sample's light is ambient + max(0, n·s)·colour·intensity, with s the direction
// to the sun, clamped to 0–1 (Lambert, "Photometria", 1760). A sun at or below the
// horizon gives nothing.
//
// With shadows, the sun's part is taken away where the ground stands between the
// sample and the sun, which is at infinite distance. The ray is followed cell by
// cell over the full-detail triangles; as the ground is straight between two edges
// of triangles, it is enough to compare heights where the ray crosses an edge.
// Blocks of 8×8 cells and whole chunks that the ray passes above are stepped over
// (the walk is that of Amanatides and Woo, "A Fast Voxel Traversal Algorithm for
// Ray Tracing", 1987). Open cells let the sun through. Nothing stands outside the
// terrain.
package shade
