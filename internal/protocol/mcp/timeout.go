package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A TimeoutError says that a server stayed silent for too long.
type TimeoutError struct {
	Method string
	After  time.Duration
	Before time.Duration // that server/discover had been waited for in vain
	Hard   bool          // it did report progress, but may not go on for ever
	Unsent bool          // it did not even take the request
}

// Error names the method and the time.
func (e *TimeoutError) Error() string {
	after := shown(e.After)
	switch {
	case e.Unsent:
		return fmt.Sprintf("%s: the server did not read the request within %v", e.Method, after)
	case e.Hard:
		return fmt.Sprintf("%s: no answer within %v, in spite of progress", e.Method, after)
	case e.Before > 0:
		return fmt.Sprintf("%s: no answer within %v, nor to server/discover in the %v before", e.Method, after, shown(e.Before))
	}
	return fmt.Sprintf("%s: no answer within %v", e.Method, after)
}

// shown is a time as precise as anyone wants to know it.
func shown(d time.Duration) time.Duration {
	switch {
	case d > 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// Is makes a TimeoutError count as an exceeded deadline.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

func (s *Session) timeoutError(cause *TimeoutError) error {
	return &wire.Error{Target: s.target.String(), Doing: "call", Err: cause, Stderr: s.shownStderr(),
		Hint: "a longer --timeout may help if the server is only slow; --trace shows what it said"}
}

// shownStderr is as much of the standard error as stands in an error.
func (s *Session) shownStderr() string {
	stderr := s.Stderr()
	return stderr[max(0, len(stderr)-4096):]
}
