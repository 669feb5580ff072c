// Command ridgeline-dialog asks for a file or folder in the desktop's own dialog
// and prints the path that was chosen.
//
//	ridgeline-dialog -open|-save|-dir [-title T] [-filter "Levels|ridge"]… [-start PATH]
//
// It exits with 0 when a path was chosen, 1 when the dialog was closed without,
// and 2 with a message on stderr when there is no dialog to be had.
//
// It is a program of its own because the toolkit behind the dialog initialises
// itself when a program that links it starts, needs libraries and a display that
// the editor can do without, and must stay on one thread.
package main
