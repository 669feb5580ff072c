// Package problems looks for what is wrong with the visibility of a level, its
// occluders, cells and portals, and proposes what would put it right.
//
// Everything is in world metres, Y up. Find works on a scene of its own, so that it
// can run in the background: make one from a level, which is immutable, and a library
// of models, which may be shared.
//
// # Severity
//
// An Error hides what can be seen. A Warning has more drawn than need be. A Note is
// about what does nothing, or costs little.
//
// # How it is found out
//
// What shape things have and how they stand to each other is decided exactly (packages
// hull and portal). Two kinds are measured with rays, which are always the same, so
// that what is small may be missed:
//
//   - A cell leaks where a line of sight from its inside leaves it through no portal
//     and meets neither a mesh nor the ground within WallDepth behind its face. What
//     stands out there is not drawn, although it can be seen.
//   - A thing is seen from a cell that it does not touch when a line of sight from the
//     inside of the cell meets it through no portal, no farther than WallDepth from
//     the cell: a wall or a lamp in the gap between the cell and what encloses it.
//     Such a thing vanishes. What touches no cell and cannot be seen from inside of
//     any is simply outside, and no problem.
//
// # Occluders that remove nothing
//
// Whether an occluder ever removes anything is measured by culling from the level's
// bookmarks, its camera, its markers, from around the occluder and from a grid on the
// ground, with it alone and with all of them. It counts what no test before it removes.
//
// An occluder is useless if from none of these places it removes anything by itself, nor
// takes part where several hide together what none hides alone. It is not useless because
// others hide the same: of two in one place, each would be useless as long as the other
// is there, and whoever deletes all that is listed would lose both. As it is, all that
// are told of can be deleted, and nothing more is drawn from any of the places.
//
// # Suggestions
//
// Suggest proposes occluders for the biggest solid meshes: their convex hull, made
// smaller until it lies inside the mesh (package hull, CheckSolid), or the largest
// box that fits in. Boxes are found in a grid of the mesh's inside: the largest
// cuboid of cells, by the rectangles under the histograms of each slab (Vandevoorde,
// "The Maximal Rectangle Problem", 1998). Which proposals are best is
// measured: the entries that each removes besides, averaged over the cameras.
package problems
