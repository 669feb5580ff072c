// Package texture turns a layer's texture reference into pixels: a procedural
// texture of package ground for "builtin:…", a picture file in the level's assets
// folder for "asset:…". All textures of a level come in one size, since the GPU
// keeps them in one array: square, 8-bit sRGB, opaque, and tiling if the picture
// does. A picture that is missing or damaged gives a checkerboard that nobody
// takes for ground, and an error that says why; nothing in the level changes.
package texture
