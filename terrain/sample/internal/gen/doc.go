// Command gen cuts the window of the sample level out of an SRTM3 tile, fills its
// few voids and writes the file that package sample embeds. From the repository's
// root:
//
//	go run ./terrain/sample/internal/gen path/to/N42E001.hgt
package main
