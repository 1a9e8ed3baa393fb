//go:build race

package lint

// slowdown is what limits of time are multiplied with: the race detector makes everything slower.
const slowdown = 10
