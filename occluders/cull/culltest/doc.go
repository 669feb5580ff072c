// Package culltest makes worlds in which things hide each other, cameras in awkward
// places, and lines of sight that tell what can be seen, to prove package cull by. It
// belongs to tests.
//
// # The truth
//
// A World knows what stands in it as solids: hulls, flat panels, walls of rooms with
// their openings cut out, doors. Nothing of it is taken from cull, portal or
// scanline. A line of sight begins on the near plane and ends at the first solid. What
// an entry's box has on it before that, inside the picture, can be seen, and an entry
// that was removed all the same is a false cull. Solids are taken for a little larger
// than they are, and openings for smaller, so that what is too close to call counts as
// hidden.
//
// A solid or a wall hides nothing along the lines of sight that begin inside of it, as only
// front faces are drawn: the near plane cuts it open. Some occluders do not fill the solid
// that they stand for.
//
// # Frames
//
// World coordinates are metres, float64, Y up. Rooms are made in a frame of their own
// and placed by a matrix, which may mirror and stretch unevenly.
package culltest
