// Package widgets is the widget set of a dense, dark desktop tool. It knows
// nothing of levels, files or GL.
//
// # State, events, style
//
// Every widget is three things. A state struct (Button, Number, List, …) that
// lives as long as the widget and whose zero value works. An Update method on
// the state that handles input and returns what the user did; call it until
// ok is false, before Layout. A style struct made by a method of Theme
// (Theme.Button, Theme.Number, …) that is made anew each frame, carries what
// to show, and draws in Layout. Layout handles events that nobody asked for,
// so that a widget without interest in its events still works.
//
// Values that are dragged report a Change with a Phase: any number of Preview,
// then exactly one Commit or Cancel. A Cancel carries the value from before.
//
// # Several values at once
//
// A number, text, checkbox, choice or colour that stands for several things is
// Mixed while they differ: it shows a dash, and what the user sets is for all of
// them. A number that is dragged or typed as "+=2" or "*1.5" changes each by as
// much; Change.Of tells what becomes of one of them.
//
// # Many items
//
// Tree and Cards ask for the items in view only, and report what the user wants
// done, never doing it: a SelectMode with an item or a range, a name, the toggles
// that were swept over, the place of a drop. Items are told apart by their ID, so
// that the keyboard, a range, a rename or a drag keeps to its item when others come
// and go.
//
// # Window
//
// Theme.Window wraps the content of a whole window. It is what lets pop-ups
// stay inside the window, text fields lose focus when the user presses
// elsewhere, and callers ask whether keys are being typed (Theme.Typing) or a
// menu or dialog is up (Theme.Modal). Pop-ups draw above everything else.
//
// # Units
//
// Sizes are device-independent pixels (unit.Dp) on a grid of 8 with halves
// (4), text sizes are unit.Sp. All drawing is a function of the state, the
// context's Now and its events: the same input gives the same picture. Fonts
// are the embedded Go fonts, never the system's.
//
// # Semantics
//
// Each widget that can be pressed, typed into or chosen carries a semantic
// label (its title), a class, and its enabled and selected state. Tests find
// widgets by them (package widgettest).
//
// A Theme and all state belong to one goroutine.
package widgets
