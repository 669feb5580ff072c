//go:build race

package collide

const raceEnabled = true
