// Package relief keeps what culling needs to know of a level's ground: what hills
// hide (package horizon), how steep each chunk is and the ground around it
// (cull.Slopes), where it has holes, and whether an eye stands above it.
//
// The editor follows a field that is edited, a few chunks a picture; a game's loader
// measures all of it at once. Both get the same numbers from the same field.
//
// Chunks are those of package terrain, 64×64 cells, row by row. Places are in the
// world, in metres; slopes are metres a metre.
package relief
