//go:build race

package hosts

// slowdown is what the race detector costs.
const slowdown = 10
