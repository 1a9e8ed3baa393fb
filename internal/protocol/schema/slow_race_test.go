//go:build race

package schema

// slowdown is what the race detector costs.
const slowdown = 10
