// Package sample is the level that the editor opens when it is given none:
// mountains of the Pyrenees at their true size.
//
// # Data
//
// The heights are real. They come from tile N42E001 of the Shuttle Radar Topography
// Mission (SRTM3, version 2; NASA and USGS, public domain), columns 640–943 and
// rows 480–703 of it: eastern Andorra and the range towards the Cerdanya, 42.41° to
// 42.60° N and 1.53° to 1.79° E. Of the window's 68 096 samples 25 are voids; their
// heights were interpolated from around them. README.md tells how the embedded file
// was made.
//
// SRTM3 has a sample every 3″, there 92.57 m from north to south and 68.50 m from
// west to east. Field resamples that to square cells of 40 m by cubic convolution
// (Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981), so
// the ground is as wide and as high as in nature, and smoother than nature at
// distances below some 90 m. North is −Z.
//
// # Paint
//
// Which texture lies where was not surveyed. It follows from height and slope with
// some noise: meadows below, rock on steep ground, scree and bare soil towards the
// summits, snow on top.
package sample
