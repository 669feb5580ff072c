// Package heightmap reads and writes heightmap files: grey PNG of 8 and 16
// bits, headerless raw of 8, 16 and 32 bits, SRTM .hgt and ESRI ASCII grids.
//
// # Frames and units
//
// A raster is a rectangle of samples from 2×2 to 16385×16385. Row 0 is the first
// row of the file, which is the north edge where a file is georeferenced;
// column 0 is west. Heights and spacings are metres. Samples are what the file
// holds, before any mapping: 0..255 or 0..65535 for unsigned integers, metres
// for signed integers and floats.
//
// # Reading
//
// Inspect streams through a file and reports what a person wants to know before
// loading it; Read does the same and keeps the samples; Raster.Heights turns them
// into metres and fills or punches the voids. Every reader checks a header's
// claims against the length of the file before it allocates, and refuses NaN and
// infinite values by name of the place. What cannot be read is a *fault.Error.
//
// # Writing
//
// The writers stream rows out of a Source. WritePNG16 and WriteR16 invert a
// Mapping, so that a height comes back within half a step; WriteR32 and WriteASC
// keep every bit of a float32. The same heights always give the same bytes.
//
// # Sources
//
//   - PNG: Portable Network Graphics (PNG) Specification, W3C, 2nd ed., 2003.
//   - .hgt: SRTM Topography, documentation of the SRTM data version 2.1,
//     NASA JPL and USGS, 2009.
//   - .asc: Esri ASCII raster format, ArcGIS Desktop help, Esri.
//   - decimal to float: W. D. Clinger, How to read floating point numbers
//     accurately, PLDI 1990 (the fast path; the rest is strconv).
//   - metres per degree: NIMA TR8350.2, World Geodetic System 1984, 3rd ed., 2000.
//   - void filling: the discrete Laplace equation by multigrid, after A. Brandt,
//     Multi-level adaptive solutions to boundary-value problems, Mathematics of
//     Computation 31, 1977.
package heightmap
