//go:build !race

package nodetree

const raceEnabled = false
