// Package editor is the application: it ties a session (what the editor knows and
// does), the panels (what the user sees around the level) and the renderer (the
// level itself) to a host, which is a window, or memory where there is no display.
package editor
