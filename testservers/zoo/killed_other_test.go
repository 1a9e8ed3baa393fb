//go:build !linux

package zoo

// parentMode belongs to a test that needs Linux.
const parentMode = "parent"

func beParent(string, string) int { return 1 }
