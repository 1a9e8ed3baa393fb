//go:build race

package check

// raced says that the race detector is on, under which checking a hundred servers takes too long.
const raced = true
