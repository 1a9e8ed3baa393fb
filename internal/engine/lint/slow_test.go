//go:build !race

package lint

// slowdown is what limits of time are multiplied with.
const slowdown = 1
