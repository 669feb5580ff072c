// Package terrain is the ground of a level: a height field with the texture
// weights, baked light and holes that stand on its samples.
//
// # Frame and units
//
// Metres, right-handed, Y up. Sample (col, row) stands at world (origin.X +
// col·spacing, height, origin.Z + row·spacing); row 0 is the first row of the
// picture it came from. Local coordinates are world minus origin. A cell has the
// corners a = (c, r), b = (c+1, r), c = (c, r+1), d = (c+1, r+1) and is the
// triangles (a, c, b) and (b, c, d), counter-clockwise seen from above: drawing,
// picking, collision and export all use this diagonal, b–c. Fields are any
// rectangle from 2×2 to 16385×16385 samples.
//
// # Storage
//
// A Field never changes. Its samples lie in tiles of 64×64, in planes (heights,
// splats, light, flags) that fields share; a Draft copies a plane when it is
// first written and makes a new Field of what it touched. So keeping an old field
// for undo costs only the planes that differ, and a reader on another goroutine
// needs no lock.
//
// # Chunks and the pyramid
//
// A chunk is 64×64 cells, so 65×65 samples from up to four tiles. For each chunk
// the field keeps the lowest and highest sample, the same for its 8×8-cell
// blocks, and a bound on the vertical error of drawing it with 2, 4 … 64 times
// fewer samples; above the chunks stands a min/max mip pyramid. Level of detail,
// picking and visibility share it. Because the coarse diagonals are unions of fine
// ones, the error between two consecutive levels is greatest at the fine level's
// new vertices, so it is found by looking at them alone; the bounds of levels are
// added cell by cell. (The min/max pyramid over height fields: Tevs, Ihrke and
// Seidel, "Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height Field
// Rendering", 2008.)
//
// Rays walk a second, wider tree over the same chunks, of 8×8 children a node, whose
// nodes fields share like planes; below it come the blocks of a chunk, 8×8 of them,
// and their cells, 8×8 again, whose bounds are taken from the samples as a ray
// passes. So what a ray needs is always as new as the chunks, and costs an edit next
// to nothing.
//
// A hole flag on sample (c, r) takes away cell (c, r).
package terrain
