// Package icons holds Ridgeline's icon set as plain vector data.
//
// An icon is a list of shapes on a grid of 24 × 24 units, x to the right, y
// down. Lines are drawn about 2 units wide with round ends and joins; a few
// small parts are filled. Nothing here draws: the package knows no toolkit,
// so that the same table serves the window, a test and a document.
//
// Renderers may move shapes by less than half a pixel so that straight edges
// meet the pixel grid. The vocabulary is chosen for that: a renderer that
// knows a rectangle or a circle from an arbitrary curve can keep it sharp at
// 16 pixels, which compiled path formats no longer allow.
//
// All drawings are our own.
package icons
