// Package take reads what hides what in a level of the editor, for its export.
//
// It stands apart from package visibility so that a game, which reads exported levels,
// does not carry the editor's document. Frames and units are those of visibility.
package take
