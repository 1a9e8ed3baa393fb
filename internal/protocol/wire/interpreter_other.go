//go:build !unix

package wire

// findInterpreter does nothing on systems without interpreter lines in scripts.
func findInterpreter(string) error { return nil }
