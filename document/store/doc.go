// Package store keeps levels in files so that nothing is ever lost: at whatever
// moment the program or the machine stops, a level opens again as it was before
// the last save or after it.
//
// A level is a manifest, NAME.ridge, which is JSON, and beside it the folder
// NAME.ridge.d with the samples of the terrain in compressed blobs of 256×256, the
// files that the level uses under assets, the autosave, and the lock. FORMAT.md
// has every byte. Blobs are named by their content and never change, so a save
// adds the blobs that are new, makes sure that they are on the disk, and then
// replaces the manifest in one step; only regions whose tiles are other memory
// than at the last save are looked at. What nothing names any more is removed
// afterwards.
//
// Readers need no lock: Open holds off the removal of blobs while it reads, and
// begins again should the manifest be replaced meanwhile. Whoever writes a level
// holds its Lock.
//
// Blobs are checked with xxHash (Yann Collet, 2012) and packed with Zstandard (RFC
// 8878). The replacement of files follows Pillai and others, "All File Systems Are
// Not Created Equal", 2014: write, sync, rename, sync the folder.
package store
