//go:build !linux

package zoo

import "testing"

// noneLeft needs the process table of Linux.
func noneLeft(*testing.T, string) {}
