//go:build race

package frontend

// slowdown is how much longer things take under the race detector.
const slowdown = 10
