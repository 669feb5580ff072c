// Package horizon tells what hills hide.
//
// Boxes and eyes are in the world, in metres; inside, places are counted in cells of
// the field and heights in metres. A box is hidden when every line of sight to it
// passes below ground that is nearer than the box. The answer errs to one side only:
// what is called hidden has no point that can be seen, whatever the ground between
// its samples looks like and at whatever level of detail it is drawn.
//
// # Why it is safe
//
// Consider the lines of sight from the eye between two directions. Where they cross a
// column or a row of samples, the ground is a chain of straight edges, those of the
// triangles (a, c, b) and (b, c, d). If the lowest of its points between the two
// directions is higher than a line of sight there, the line is below the ground. It
// began above the ground, and the ground has no gaps, so it has met the ground, from
// above, before it came there. What the ground does between two columns needs no
// looking at. So for each sector of directions the greatest such elevation, over the
// columns and rows nearer than the box, is a horizon; the box is hidden when its
// upper edge, seen from the eye, stays below the horizon in all sectors that it
// touches. The upper edge is the one where lines of sight leave the box when its top is
// below the eye, else that where they enter it, the sides of the box included. A box's
// own ground never counts, as it isn't nearer.
//
// This needs the line of sight to begin above the ground that is drawn. So nothing is
// hidden when the eye is below the ground, or so near to it that the near plane may
// cut ground away; nor, in an orthographic view, unless the near plane's rectangle lies
// beside the field and the view goes towards it, or lies above all of the ground and the
// view does not rise; nor when lines of sight are upright.
//
// Holes and the rim let lines of sight in below the ground. A line of sight that
// passes over them higher than all samples around them stays above the ground. A lower
// one that has not met the ground before may be anywhere from there on. So behind a gap
// a sector keeps the horizon that it had before, and the elevation of the gap; what
// lies wholly above that can be hidden by the ground that follows, other things by
// the ground before.
//
// # The drawn ground
//
// Package lod draws a surface that differs from the full one in height. For each of its
// patches the difference is at most View.MaxError·D/ScreenScale, where D is the
// distance in three dimensions from the eye to the box around a part that holds both
// surfaces there (a chunk, a block of 16×16 cells, or the strip along a side that
// is snapped); its corners are the field's samples, so both surfaces do lie in the box.
// So D is no more than the distance to the full surface, nor than that to the drawn one.
// The slack of a view must be at least MaxError/ScreenScale, which is what
// cull.View.PixelSlack gives for MaxError pixels: metres a metre of distance from the
// eye, as it stands, not along the view; in an orthographic view plain metres. Ground at the
// elevation e = height/distance is then taken for e − slack·√(1 + e²), in the units of
// e. A slack of 1 or more hides nothing. The levels must have been chosen for the eye
// of the view: another camera may draw less.
//
// # How it is quick
//
// A view has four fans, towards ±x and ±z, as a picture on the four upright faces of a
// cube around the eye: sectors have equal widths on a column or row, there is no
// trigonometry, a box's edges stay straight. The columns and rows that are looked at are
// further apart the further away they are; where sectors are wider than a few samples,
// the least heights of runs of eight samples are taken, which a test keeps for each
// chunk together with the chunk that they were taken from. So a stroke makes those of the
// chunks alone that it changed be taken again; nothing else is kept from one field to
// the next. The horizon is computed for those directions and distances alone that are
// asked for, and what cannot raise it is left out.
//
// # Sources
//
// Horizons over a height field, from the front to the back: Downs, Möller and Séquin,
// "Occlusion Horizons for Driving through Urban Scenery", 2001; Lloyd and Egbert,
// "Horizon Occlusion Culling for Real-time Rendering of Hierarchical Terrains", 2002;
// Stewart, "Hierarchical Visibility in Terrains", 1997.
package horizon
