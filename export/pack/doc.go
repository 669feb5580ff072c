// Package pack reads exported levels for engines that know no glTF: plain files, in a
// folder or in one file with a table of contents. Package packer writes them. The layout
// is described in export/FORMAT.md.
//
//	p, err := pack.Open("village.pack")
//	defer p.Close()
//	heights, err := p.ReadFile(p.Index.Ground.Heights.File)
//
// # Files
//
//	level.json          the index of everything: Index
//	heights.r16, .r32   heights, row by row
//	points.bin          five bytes a sample: height, alpha, red, green, blue
//	weights/NNN.png     the weight of a layer, 8-bit grey, a pixel a sample
//	holes.json          cells without ground
//	occluders.json      what hides
//	portals.json        cells and portals
//	visibility.bin      boxes, things and ranges of heights
//	instances.bin       places of instances
//	meshes/ground.bin   vertices and indices of the ground's chunks
//	meshes/NNNN.bin     vertices and indices of an asset
//	textures/NNNN.png   pictures, .jpg where the level has a JPEG
//
// Those that a level has no use for are not there. All integers and floats are
// little-endian.
//
// # Frame and units
//
// Metres, right-handed, Y up, as in the editor; a node may turn and scale everything, see
// Frame. Angles are radians, colours linear unless told.
//
// # One file
//
// A header of 16 bytes, the files, each from a multiple of 16 bytes on, the table of
// contents and a footer of 32 bytes, see Writer. Since the table comes last, the file is
// written from front to back.
//
// # Safety
//
// What Open gives is whole: every file that the index names is there and as long as it
// says, and every offset, count and index lies within what it refers to. Names lead to
// nothing outside the pack. Memory goes with the size of level.json. The contents of other
// files are not looked at: Verify holds them against their checksums.
package pack
