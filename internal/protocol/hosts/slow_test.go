//go:build !race

package hosts

const slowdown = 1
