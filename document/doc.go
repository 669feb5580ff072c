// Package document is what the editor edits: the Level, an immutable value, and
// the Document, which holds the current level, its history and those who want to
// hear of changes.
//
// # Units and frames
//
// Metres, radians, right-handed with Y up, as in package terrain. An entity's
// translation, rotation and scale are relative to its parent; of an entity without
// a parent they are the world's. Colours are linear.
//
// # Ownership
//
// A *Level and everything it refers to never changes, so any goroutine may read
// it. A Document belongs to one goroutine, the event loop: no method of Document,
// Open or Tx may be called from another. Work that takes long runs elsewhere on a
// *Level and posts its result back as an edit.
//
// # Edits and undo
//
// An edit is a set of swaps: key and the value that the key does not have now.
// Undo exchanges each value with the one in the level, and so does redo; there is
// no inverse to get wrong, and history holds exactly one value a key: what the
// level itself does not. Keys are the planes of terrain tiles, the whole terrain
// (when its size, spacing or origin changes), entities, the layers, and the
// settings. The swaps of an edit are found by comparing the level before
// with the level after, which share everything that is the same.
//
// History is bounded by bytes. The steps farthest from the present are written,
// compressed, to a folder and read back when they are needed; only when that
// folder is full too are the oldest forgotten.
//
// # The map of entities
//
// Entities lie in a persistent trie with 32 branches a node, keyed by id from the
// highest digit down, so that walking it gives ids in ascending order. The
// bitmap-compressed nodes follow Phil Bagwell, "Ideal Hash Trees", 2001, without
// the hash.
package document
