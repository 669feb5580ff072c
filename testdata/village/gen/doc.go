// Gen writes what the Village is made of: its ground, its meshes, and the script that
// puts them together. From the repository's root:
//
//	go run ./testdata/village/gen testdata/village
//
// What it writes is kept beside it, so it is needed only to change the Village.
package main
