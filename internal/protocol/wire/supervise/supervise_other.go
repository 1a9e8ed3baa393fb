//go:build !linux

package supervise

// Available is false on systems where a process cannot adopt orphaned descendants. There an orphaned child sees the
// end of its input.
const Available = false

// KeepFiles does nothing on systems where no unintended files are inherited.
func KeepFiles() {}
