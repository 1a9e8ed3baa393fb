package wire

import (
	"regexp"
	"slices"
	"strings"
)

// StderrSummary returns the stderr lines that explain why a process exited, n at most: those from the panic of a Go
// program on, or from the error above a stack trace of Node or Java, since the last lines are only the end of a
// stack trace; or else the last ones.
func StderrSummary(stderr string, n int) []string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "panic: ") || strings.HasPrefix(lines[i], "fatal error: ") {
			return lines[i:min(len(lines), i+n)]
		}
	}
	start := max(0, len(lines)-n)
	if first := slices.IndexFunc(lines[start:], stackLine.MatchString); first >= 0 {
		start = min(start, stackTop(lines, start+first))
	}
	return lines[start:min(len(lines), start+n)]
}

var (
	stackLine = regexp.MustCompile(`^\s+at \S`)
	stackHead = regexp.MustCompile(`^(Exception in thread |(Uncaught )?[\w.$]*(Error|Exception|Rejection)( ` +
		`\[\w+\])?(:|\s*$))`)
)

// maxHead is the maximum number of lines of an error above its stack trace.
const maxHead = 5

// stackTop returns the line of the error above the stack trace that contains line i; i if there is none.
func stackTop(lines []string, i int) int {
	top := i
	for top > 0 && stackLine.MatchString(lines[top-1]) {
		top--
	}
	for head := top - 1; head >= max(0, top-maxHead); head-- {
		if stackHead.MatchString(lines[head]) {
			return head
		}
	}
	return i
}
