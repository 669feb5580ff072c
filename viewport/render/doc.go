// Package render draws a level with OpenGL 4.1 core.
//
// # Frame and units
//
// World coordinates are float64 metres, right-handed, Y up. A View carries a
// matrix that takes points relative to the eye to clip space, and the eye beside it;
// everything becomes relative to the eye before it becomes float32, so a level that
// stands 100 km from the origin draws the same picture, bit for bit where the
// numbers allow. On the ground, places are whole cells counted from the cell under the
// eye: two patches compute the very same position for a vertex they share.
//
// # Data on the GPU
//
// The ground is cut into pages of 512×512 cells, a texture each, with 513×513
// samples: neighbouring pages share a border, so that no cell and no chunk needs
// two pages. A texel is one sample with everything that is known of it: height,
// normal, texture ids and weights, baked light, hole flag. Coarser levels hold the
// means of normals and light, for pixels that cover several cells. Pages that were
// never touched share one texture. A change uploads the samples that differ, those
// around them whose normals do, and the texels above them. Memory is 21 bytes a
// sample.
//
// # Two halves
//
// Triangles of a few pixels make a fragment shader work for many more pixels than
// are seen. So the mesh is drawn with a shader that does next to nothing: it leaves
// the place of the ground under each pixel, in cells from the eye's, and in the
// stencil the number of a class of patches that look alike: one page, one set of
// textures. Then each class's surface is computed once a pixel (deferred shading:
// Deering et al., "The Triangle Processor and Normal Vector Shader", 1988). More
// classes than a stencil can count are drawn in rounds.
//
// # The ground's colour
//
// Light and normals are read at full detail in the fragment, whatever mesh carries
// it, so that shading does not pop with the level of detail. The blend is that of
// package twin, its double on the CPU and the oracle of the tests: each corner of
// the triangle under the fragment gives
//
//	((over·α + base·(1−α))·(1−α2) + third·α2) · light
//
// and the triangle interpolates. All of it happens in linear light: textures and
// baked light are sRGB and are decoded before they are mixed, weights are n/255 as
// they stand, and the framebuffer encodes the sum. glTF demands the same of an
// exported COLOR_0. With ids 0 and 1 and the vertex diffuse 0x77ff0000 the result
// is (t1·0.467 + t0·0.533)·red of the linear colours. The light of the style lit is
// ambient + sun·max(0, n·l), or the baked light alone.
//
// The triangle's corners are found with the same diagonal b–c as everywhere (see
// package terrain). A class is drawn with the cheapest program that is exact for
// it: one texture read for each layer that it shows, up to six, or nine.
//
// # Objects
//
// Models stay on the GPU while the world has them. Each frame their instances are
// sorted by model and streamed, as matrices relative to the eye, and every material of
// a model is drawn once for all its instances; mirrored ones are a draw of their own
// with the other side in front. They come between the two halves of the ground: the
// ground's depth is known, so that what it hides is not shaded, and the ground that they
// hide is not shaded either. Materials that blend follow behind the sky, far instances
// first. Normals go through the cofactors of the matrix, which is right under any
// scale. The colour is
//
//	base · texture · vertex colour · (ambient + sun·max(0, n·l)) + emission
//
// in linear light, with the live sun even where the ground shows baked light.
//
// Far instances may be pictures of the model: eight from around it and one from above,
// painted when first needed, with normals, so that they take the same light. Outlines
// are found in a mask of the instances that have them, within the rectangle that these
// cover, and look up in the depth what is hidden.
//
// # What is visible
//
// Identify draws everything, culling nothing, as numbers, one for each chunk of the ground
// and each instance, through the same vertex shaders into depths of the same format: what
// can be seen in a picture has its number there (an item buffer: Weghorst, Hooper and
// Greenberg, "Improved Computational Methods for Ray Tracing", 1984). A chunk's number
// comes from the cell under the pixel, so that it does not matter which patch carries it.
// Instances that blend are asked for one by one, with occlusion queries.
//
// Ghosts, which stand for what was culled, are drawn into a picture of their own with
// depths of their own, so that the nearest one counts, whatever their order; those of few
// pixels as boxes. A heat map is the ground's mesh once more, where its depth is the
// picture's.
//
// # Passes
//
// Places of the ground, solid objects, surfaces of the ground, sky, heat map, blended
// objects, wires, ghosts, outlines, and then lines and shapes: what the level hides or makes faint, and
// what stands on top of it. Each sets all the state that it depends on, and nothing is
// remembered of the state of the context. A Renderer belongs to one context, which must
// be current in every call.
package render
