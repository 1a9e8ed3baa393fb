//go:build !race

package find

const slowdown = 1
