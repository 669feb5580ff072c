// Package transfer moves terrain and meshes between levels and other programs'
// files: a heightmap becomes a level, a level becomes a heightmap or glTF file, a
// mesh file becomes an asset. The command line and the window share it. Files are
// replaced in one step; when anything fails, what was there stays.
//
// A sample without height (a void) that is to be a hole opens the four cells that
// touch it, since none of them is known whole.
package transfer
