// Package session is the running editor without its window: the document and its
// files, the commands, tools, camera, background tasks and messages. It knows
// neither Gio nor OpenGL, so that all of the editor's behaviour can be driven and
// tested without a screen; the panels show it and call it, and never keep data of
// their own that matters.
//
// A Session belongs to one goroutine, the host's. Background tasks get what they
// need, run elsewhere, and hand a function back that the host's goroutine calls
// (Options.Post).
package session
