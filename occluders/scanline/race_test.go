//go:build race

package scanline

const raceEnabled = true
