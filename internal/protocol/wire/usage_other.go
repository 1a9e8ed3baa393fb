//go:build !linux

package wire

// UsageOf sees nothing here.
func UsageOf(int, bool) (Usage, bool) { return Usage{}, false }
