// Package lods makes the levels of detail of models: the same vertices with fewer and
// fewer triangles, cut from one sequence of collapses (package simplify), so that a level of
// any size can be had at once when the sequence is there. Exports write some of them, and
// the editor draws one to look at.
//
// A level keeps the materials of the model and their borders. Errors are metres in the
// model's own frame, without the scale of the objects that show it: estimates of how far
// the level is from the model (see package simplify).
package lods
