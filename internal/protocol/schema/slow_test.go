//go:build !race

package schema

const slowdown = 1
