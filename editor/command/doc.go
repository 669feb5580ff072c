// Package command is the one registry of everything the editor can do. Menus,
// toolbar, shortcuts, palette, console, scripts and the command line name the
// same commands, so that whatever the mouse can do can be written down, repeated
// and tested without a screen.
//
// # A script line
//
//	terrain.stroke op=raise at=10,10 to=200,200 radius=20 strength=2  # a ridge
//
// One command a line; ';' separates commands on one line, outside quotes. A word
// is the command's id, then come key=value words; the first argument of a few
// commands may stand without its key ("help terrain.stroke"). A value that holds
// spaces, quotes or ';' stands in double quotes, where \" \\ \n \r and \t mean what
// they say, or in single quotes, where every character stands for itself. '#'
// where a word would begin starts a comment.
//
// Units: metres and, on screen as in scripts, degrees. Points are "x,z" on the
// ground or "x,y,z"; lists of points are joined by ';', and so stand in quotes.
//
// # Kinds
//
// An edit changes the level and is one step of the history; a view command does
// not change it; a file command reads or writes files. A command whose arguments
// are wrong changes nothing.
//
// The package knows no window and no graphics: what belongs to the host (where
// files are opened and saved, the camera) comes in through Env.
package command
