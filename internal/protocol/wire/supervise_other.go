//go:build !linux

package wire

import "os"

// superviseable is false on systems where a process cannot adopt orphaned descendants. There an orphaned child
// sees the end of its input.
const superviseable = false

// keepFiles does nothing on systems where no unintended files are inherited.
func keepFiles() {}

func reopenOutput(*pipes) (stdout, stderr *os.File, err error) { return nil, nil, nil }

// Supervise exists only on Linux.
func Supervise([]string) int { return 2 }
