// Command ridgeline edits 3D levels: in a window, and without one by its verbs.
//
//	ridgeline [edit] [LEVEL]      open the editor
//	ridgeline new LEVEL           make a flat level, or one without ground
//	ridgeline import HEIGHTMAP    make a level from a heightmap
//	ridgeline run LEVEL SCRIPT    run commands on a level
//	ridgeline export LEVEL        write a level for another program
//	ridgeline info LEVEL          facts about a level
//	ridgeline check LEVEL         look for damage
//
// "ridgeline help" lists all verbs, "ridgeline VERB --help" the flags of one.
//
// It exits with 0 when all is done; with 1 when something failed, with one line on
// stderr that begins "ridgeline:"; and with 2 when the command line itself makes
// no sense. A failed verb leaves no half-written file behind.
package main
