//go:build race

package front

// slowdown is how much longer things take under the race detector.
const slowdown = 10
