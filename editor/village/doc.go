// Package village makes the Village, a level that comes with the editor: it imports
// the ground and runs the script of testdata/village, as ridgeline import and ridgeline
// run do.
package village
