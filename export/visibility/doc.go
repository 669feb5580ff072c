// Package visibility reads and writes RIDGELINE_visibility, the part of an exported
// level that says what hides what: the boxes that are culled, the ground with its
// holes, occluders, cells and portals. Package cull makes verdicts of it, in a game as
// in the editor. The layout is described in export/FORMAT.md.
//
// # Frames and units
//
// Everything is in the level's own frame: metres, float64, right-handed, Y up, before a
// root node of the file turns or scales it. Numbers come back to the bit; heights do
// unless they were written with 16 bits.
//
// # Entries
//
// What is culled are entries, numbered from 0: first the chunks of 64×64 cells of the
// ground, row by row, then the things in the order of Data.Things. An entry with an
// empty box is one of something that is not shown.
//
// # Safety
//
// A Data that Decode gives is one that package cull can work on: counts, indices and
// numbers are checked, hulls are closed and convex, polygons flat and simple. Memory
// goes with what the file holds, not with what it claims.
package visibility
