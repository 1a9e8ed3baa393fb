//go:build race

package change

// slowdown is what limits of time are multiplied with: the race detector makes everything slower.
const slowdown = 10
