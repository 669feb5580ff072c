// Package cull decides what of a level need not be drawn.
//
// The law: nothing that has a visible pixel is removed. Whatever is not certain is
// drawn.
//
// # Entries
//
// A Scene is a set of boxes, called entries, sorted by a node tree, and what may
// hide them: cells and portals, ground, occluders. A Culler runs the tests for one
// view and reports a verdict on each entry, and for each test how many it tried, how
// many it removed and how long it took. The editor and a game's runtime run the same
// code.
//
// # The tests
//
// They come in this order, each on what the ones before it left:
//
//   - frustum: entries outside the view, by walking the node tree (package nodetree);
//   - backface: pieces of ground of which every triangle faces away. The cone of
//     normals (Shirmun and Abi-Ezzi, "The cone of normals technique for fast
//     processing of curved patches", 1993) is kept as ranges of two slopes, see
//     Slopes. Holes in the ground keep only what may be seen through them
//     (Scene.Openings);
//   - portal: entries in cells of which no line of sight through open portals reaches
//     any part (package portal);
//   - terrain: entries behind hills, for which the ground implements Horizon;
//   - occluder: entries behind occluder hulls and polygons (package scanline).
//
// What each hides is measured against the full box of an entry. Ground that is drawn
// with less detail than it has may be lower than it is: View.Slack says by how much,
// and the ground hides no more than what is left of it.
//
// A test that is switched off removes nothing. Its entries go on to the next.
//
// # Attached occluders
//
// An occluder that belongs to an entry lies within its box and so never hides it: no
// part of it is nearer than all of the box. Where it reaches out of the box, the entry
// is exempt from the test (Scene.Exempt).
//
// # Frames and units
//
// World coordinates are float64 metres, right-handed, Y up. Views carry a matrix
// relative to the eye, and the eye beside it, so that a level 100 km from the origin
// culls like one on it. After the first frames nothing is allocated. A Scene may be
// used by several Cullers at once, each by one goroutine.
package cull
