package wire

import "strings"

// Closing returns the lines of a process's standard error that say why it ended, n at most: where a Go program panicked
// those from the panic on, since its last lines are only the foot of a stack; or else the last.
func Closing(stderr string, n int) []string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "panic: ") || strings.HasPrefix(lines[i], "fatal error: ") {
			return lines[i:min(len(lines), i+n)]
		}
	}
	return lines[max(0, len(lines)-n):]
}
