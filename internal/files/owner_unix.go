//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// Owner returns the user ID of a file's owner; false if the system does not report it.
func Owner(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// Trusted reports whether a file belongs to the current user or to root.
func Trusted(info fs.FileInfo) bool {
	uid, known := Owner(info)
	return !known || uid == os.Getuid() || uid == 0
}
