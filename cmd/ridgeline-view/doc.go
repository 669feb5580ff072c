// Command ridgeline-view flies through an exported level, drawing only what culling
// leaves. It is an example of a game that uses package runtime: main.go runs it,
// draw.go is its renderer, window.go its window.
//
//	ridgeline-view LEVEL.glb [--camera NAME] [--size 1280x720]
//	ridgeline-view LEVEL.glb --frames 60 -o out_%03d.png
//
// In the window a mouse button looks around, W A S D Q E fly while it is held,
// Shift is faster, the wheel sets the speed, and C switches culling. With --frames it
// needs no display: it flies from the camera past all bookmarks of the level.
//
// For each frame it prints what is drawn and what each test removed. It exits with 0, or
// with 1 and one line on stderr.
package main
