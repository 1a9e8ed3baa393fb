//go:build !unix

package wire

// findInterpreter has nothing to find where scripts do not name their interpreter.
func findInterpreter(string) error { return nil }
