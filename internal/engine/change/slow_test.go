//go:build !race

package change

// slowdown is what limits of time are multiplied with.
const slowdown = 1
