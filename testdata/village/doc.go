// Package village holds what the Village is made of, the level that shows what
// occluders, cells and portals do: its ground, its meshes, and the script that puts
// them together. All of it is written by the program in gen, started by
// `go run ./testdata/village/gen testdata/village` in the repository's root.
//
// The ground is columns 20–212 and rows 64–256 of n42e001_257_16bit.png, which README.md
// of testdata tells of, resampled to twice as many by Catmull and Rom's spline ("A class
// of local interpolating splines", 1974). A sample of the source, 3″ in nature, is 3 m
// here. Where the script needs a way below ground, samples are 0.
package village
