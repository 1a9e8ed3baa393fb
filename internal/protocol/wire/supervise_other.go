//go:build !linux

package wire

// superviseable is false where a process cannot adopt what its descendants leave behind. There a child that is
// orphaned sees the end of its input.
const superviseable = false

// keepFiles has nothing to do where we inherit nothing that is not meant for us.
func keepFiles() {}

// Supervise exists on Linux alone.
func Supervise([]string) int { return 2 }
