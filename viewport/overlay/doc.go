// Package overlay holds plain shapes to draw over a level: lines of a width on the
// screen, filled triangles and labels. Tools, gizmos and views of data structures
// append to a Shapes value, and package render draws it, so that none of them needs
// a GL context.
//
// # Frame and units
//
// Positions are world metres in float64, right-handed, Y up; whoever draws them makes
// them relative to the eye before they become float32. Widths are dp of the screen.
// Colours are sRGB with straight alpha, as color.NRGBA has them.
//
// # Polygons
//
// Polygons are cut into triangles by clipping ears (Meisters, "Polygons have ears",
// 1975), looking only at reflex corners for what may lie in an ear (Toussaint,
// "Efficient triangulation of simple polygons", 1991), in the coordinate plane that
// they face most.
package overlay
