//go:build !race

package frontend

const slowdown = 1
