//go:build !linux

package tap

// processName returns the name of a process; it is not known on this system.
func processName(int) string { return "" }
