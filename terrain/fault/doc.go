// Package fault is the one error type for input that came from outside:
// heightmaps, level files, textures, script lines. It says what was being done,
// to which file, at which place in it, what was found there and what was
// expected, so that the command line can print one line and the window can show
// one sentence. It also opens the files that such input comes from. It lives beside terrain because that is the lowest floor that
// reads foreign bytes.
package fault
