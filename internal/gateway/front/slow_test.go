//go:build !race

package front

const slowdown = 1
