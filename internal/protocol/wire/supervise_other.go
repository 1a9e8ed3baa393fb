//go:build !linux

package wire

import "os"

// superviseable is false where a process cannot adopt what its descendants leave behind. There a child that is
// orphaned sees the end of its input.
const superviseable = false

// keepFiles has nothing to do where we inherit nothing that is not meant for us.
func keepFiles() {}

func reopenOutput(*pipes) (stdout, stderr *os.File, err error) { return nil, nil, nil }

// Supervise exists on Linux alone.
func Supervise([]string) int { return 2 }
