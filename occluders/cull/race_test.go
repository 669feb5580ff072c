//go:build race

package cull_test

const raceEnabled = true
