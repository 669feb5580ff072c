// Package runtime loads an exported level into a game, and culls it as the editor does.
//
//	level, err := runtime.Open(ctx, "village.glb") // or .gltf, .pack, a folder
//	defer level.Close()
//	culler := level.Culler()
//	frame := culler.Run(runtime.View{Eye: eye, ViewProj: viewProj, Size: size})
//	for _, d := range frame.Draws {
//		// draw level.Meshes[d.Mesh] with the matrix d.World
//	}
//
// # What is in memory
//
// Open reads the structure of the file, its visibility and its heights. Vertices and
// pictures stay in the file until Geometry and Picture ask for them, so the file must
// stay as it is until Close.
//
// # Verdicts
//
// What hides what is package cull's, of the same data as in the editor: with heights as
// floats every verdict is the editor's. With 16 bits the ground hides less and none of
// it is told to face away, see package visibility; a file without visibility is culled
// against the boxes of its nodes alone.
//
// # Levels of detail
//
// A piece of ground is drawn with the coarsest level of which error·s/d is no more than
// the error that is allowed, in pixels: error is how far the level is from the full
// ground, in metres, s how many pixels a metre is at a distance of one metre, and d the
// distance from the eye to the box of the piece. That is what the horizon's slack
// counts on (package horizon, "The drawn ground"). Other meshes with levels of detail
// (RIDGELINE_lod) are drawn alike. A budget of triangles raises the
// error that is allowed until they suffice, and the slack with it.
//
// # Frames and units
//
// Everything is in the level's own frame: metres, right-handed, Y up, positions float64
// and vertices float32 in the space of their node. A root node of the file that turns or
// scales the level is left out of the matrices; Level.Root has it.
//
// # Bad input
//
// Open refuses a file in which something makes no sense with one *fault.Error: the file,
// the place, what was found and what was expected. What Geometry, Picture and Decode read
// is looked at when they read it.
//
// # Concurrency
//
// A Level may be used by any number of goroutines, each with a Culler of its own, but
// for SetPortal, which waits for none of them: a Culler takes up the doors' states with
// its next Run.
package runtime
