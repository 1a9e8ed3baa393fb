//go:build !linux

package fuzz

// held is known on Linux alone.
func held(int) (holding, bool) { return holding{}, false }
