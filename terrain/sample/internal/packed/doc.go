// Package packed keeps a small grid of whole metres in few bytes: each height less
// what its left, upper and upper left neighbours let expect, as a 16-bit number,
// compressed with zstd.
package packed
