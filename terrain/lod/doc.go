// Package lod chooses how finely each part of a height field is drawn.
//
// # Frame and units
//
// Views and boxes are world metres, errors are pixels on the screen, and patches
// are counted in cells and samples of the field. A patch of cells (x0, z0)–(x1, z1)
// at level k is a grid of quads whose corners stand at every 2ᵏth sample counted
// from (x0, z0), and at the last sample where 2ᵏ does not divide the patch. Its
// quads are split along the diagonal b–c, as everywhere.
//
// # Joints
//
// Two patches meet without a crack when they put the same vertices on their common
// edge. The edge has a level of its own, the coarser of the two patches' or coarser
// still, and every vertex on it moves along it to the nearest sample of that level:
// [Snap] is the whole rule, and the vertex shader must follow it to the letter. Triangles
// that lose their area this way are not drawn by anybody; the others never turn
// over. At a patch's lower right corner, where both edges are one level coarser
// than the patch, one triangle stands upright and closes the step beside it.
//
// # Scheme
//
// [Snapped] is a chunked level of detail with static errors (Ulrich, "Rendering
// Massive Terrains using Chunked Level of Detail Control", 2002) without skirts:
// the joints of de Boer's "Fast Terrain Rendering Using Geometrical MipMapping"
// (2000) made by moving vertices. Each chunk takes the coarsest level whose error
// on the screen is allowed. A chunk that would have many triangles is opened: each of
// its 4×4 blocks takes a level by its own error and distance, which leaves a third of
// the triangles on rough ground. What the blocks need is measured when a chunk is first
// opened, and remembered for a limited number of chunks. As a moved edge stretches the
// triangles beside it, that error is measured too, and a neighbour too coarse for it
// is refined: levels are the greatest that satisfy all conditions everywhere, which is
// a unique answer, independent of the frustum and of the order of work.
package lod
