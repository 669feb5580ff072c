// Package keymap says which keys do what. The table is a TOML file: each line
// names an action and the chords that start it,
//
//	[keys]
//	"undo" = ["Ctrl+Z"]
//	"terrain.op op=raise" = ["Shift+R"]
//
//	[hold]
//	"forward" = ["W"]
//
// where an action of [keys] is a line that the console would run and one of [hold]
// is a control that acts as long as its key is down. The embedded table holds the
// defaults; a user's file lies on top, action by action, and an empty list unbinds.
// A chord that two actions claim belongs to the one that the user's file names.
package keymap
