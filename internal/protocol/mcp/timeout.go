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
	Hard   bool // it did report progress, but may not go on for ever
	Unsent bool // it did not even take the request
}

// Error names the method and the time.
func (e *TimeoutError) Error() string {
	after := e.After.Round(time.Millisecond)
	if after > 10*time.Second {
		after = after.Round(100 * time.Millisecond)
	}
	switch {
	case e.Unsent:
		return fmt.Sprintf("%s: the server did not read the request within %v", e.Method, after)
	case e.Hard:
		return fmt.Sprintf("%s: no answer within %v, in spite of progress", e.Method, after)
	}
	return fmt.Sprintf("%s: no answer within %v", e.Method, after)
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
