// Package panel is what stands around the level in the editor's window: menus,
// toolbar, options of the tool, outliner and inspector, layers, sun, history,
// console, status bar, dialogs and messages. It also hands the viewport's mouse and the keyboard to the session.
//
// A Shell shows a session.Session and calls it. It keeps only what a window keeps:
// which section is folded, where a list is scrolled to, what is being typed. All
// that matters is in the session, so a Shell can be thrown away and made anew.
//
// Everything that changes something is a line that the console could run: menus,
// buttons and keys differ only in how the line is reached. Whether it can run now,
// and why not, is the session's to say (Session.Why).
//
// # Units
//
// Sizes are dp, the viewport's rectangle and pointer are pixels of the window.
// Angles are degrees on the screen and radians in the model, heights and distances
// metres.
package panel
