// Package portal finds which rooms of a level the eye can see, and through which part
// of the picture. Everything is float64, in metres, in the world's frame, Y up. It
// knows of no document, no window and no GPU.
//
// # The world
//
// A level is cut into cells, rooms of one or several convex pieces; what is in no piece
// is the cell Outside. Light goes from cell to cell through portals alone: convex flat
// polygons between two cells, open, closed or open one way. Things belong to the cells
// that they touch; a thing that is not wholly inside one piece belongs to Outside too,
// and a thing in a portal's opening belongs to both cells of it.
//
// # The trace
//
// From the cells in which the picture begins, a Tracer looks through each open portal
// into the next cell with the frustum cut down to what the portal's polygon lets
// through: a convex cone with real planes, through the eye and the edges of the clipped
// polygon, not a rectangle on the screen. (Teller and Séquin, "Visibility Preprocessing
// for Interactive Walkthroughs", 1991, for cells, portals and the lines through several
// of them; Luebke and Georges, "Portals and Mirrors: Simple, Fast Evaluation of
// Potentially Visible Sets", 1995, for tracing them from the eye each frame; polygons
// are clipped as by Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974.) Each
// cone that reaches a cell is a Window. A box in a cell is visible unless it lies beyond
// a plane of each of the cell's windows.
//
// Never is something lost that has a visible pixel; what is undecided is seen:
//
//   - The picture begins on the near plane, so the trace starts in each cell that the
//     near rectangle or the eye touches, in Outside too where a part of the rectangle is
//     in no cell: an eye closer to a wall than the near plane's corners sees past it.
//     Then it starts in each cell within WallDepth of the rectangle as well: the near
//     plane may cut a wall open and show the room on its other side.
//   - With the eye within near distance of a portal's plane, and as much further as the
//     portal stands off its cell's face, that portal does not clip and lets light
//     through both ways. Else a ray can cross it only from the side on
//     which the eye is.
//   - A portal whose polygon is no polygon, or stands away from its cells, makes of its
//     two cells one open space; a portal to a cell that does not exist makes one of all.
//   - A cone that another one of its cell holds is dropped. When a cell has more than
//     MaxWindows of them they are united into a rectangle around all, and if that
//     happens again into the whole frustum. So each cell is looked through a bounded
//     number of times, in whatever ring or grid the cells are, and when a trace has
//     taken too many steps all that it may still reach is seen through the frustum.
//   - A cone with more than MaxPlanes planes gives up those of the portals before the
//     last.
//
// No portal is entered twice on one path: a straight line crosses a plane once.
//
// # Tolerances
//
// The trace computes relative to the eye, so that a level 100 km from the origin gives
// the same windows. Cones are cut 10⁻¹⁰ of the distance too wide, boxes tested with
// 10⁻⁹; what shows under a smaller angle than that has no pixel. Cells and boxes touch
// when they are closer than 10⁻⁹ m, and 10⁻¹² of the level's greatest coordinate.
package portal
