//go:build !linux

package wire

// UsageOf is not supported on this system.
func UsageOf(int, bool) (Usage, bool) { return Usage{}, false }
