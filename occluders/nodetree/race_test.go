//go:build race

package nodetree

const raceEnabled = true
