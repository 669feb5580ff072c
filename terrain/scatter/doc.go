// Package scatter sows points on the ground: places for trees, stones and tufts,
// under a brush or over whole areas.
//
// # Frame and units
//
// World metres, right-handed, Y up; angles in radians. Density and spacing are
// those of the map, seen from above: points per square metre of x and z, and
// metres between neighbours in x and z. In space neighbours are farther apart
// still.
//
// # One pattern for the whole world
//
// A seed and a spacing define one endless pattern of points. An area does not make
// points, it uncovers those of the pattern that lie in it. So what comes out
// depends neither on the order of dabs nor on how a path is cut into them, and
// sowing the same place twice adds nothing.
//
// The pattern is a quadtree of cells anchored at the world's origin. Each cell of
// each level has one candidate at a hashed place (jittered sampling: Cook,
// "Stochastic Sampling in Computer Graphics", 1986); one of a cell's four
// quarters, chosen by hash, inherits the candidate, and the other three have new
// ones, as in the progressive sets of Kopf, Cohen-Or, Deussen and Lischinski,
// "Recursive Wang Tiles for Real-Time Blue Noise", 2006. Within a level, candidates
// are born in hashed order. A candidate is a point of the pattern unless an older
// point is closer than the spacing: Poisson discs by dart throwing, where the
// order of the darts is the birth. Deciding one candidate asks only for older ones
// nearby, so any place can be computed by itself and in any order; the order as a
// dependency is after Wei, "Parallel Poisson Disk Sampling", 2008. (Bridson, "Fast
// Poisson Disk Sampling in Arbitrary Dimensions", 2007, is faster for one area but
// grows from a first point, so areas would not fit together.)
//
// Every point so has a density at which it appears; a density uncovers the points
// below it. More density keeps all points and adds some, and a soft brush is a
// density that falls off towards its rim. How many candidates a density takes,
// with the losses to spacing, is a measured table. Where spacing leaves no room
// for the density, Rules.Effective says how dense it gets.
//
// Slope, height and layers only take points away, one at a time, so editing the
// ground here moves no point there.
package scatter
