//go:build race

package portal

const raceEnabled = true
