// Package settings keeps what a user sets once: preferences in a TOML file that
// people edit (under the XDG configuration folder), and what the program remembers
// by itself, such as recent levels and the widths of panels (under the XDG state
// folder). Files are replaced atomically. A file that cannot be used is reported
// and left as it is; the defaults serve meanwhile.
package settings
