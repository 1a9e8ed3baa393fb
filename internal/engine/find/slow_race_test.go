//go:build race

package find

// slowdown is what the race detector costs.
const slowdown = 10
