package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A TimeoutError reports that a server did not respond in time.
type TimeoutError struct {
	Method string
	After  time.Duration
	Alive  string // what the process does instead, if it has never responded
	Hard   bool   // it reported progress, but must not continue forever
	Unsent bool   // it did not read the request
}

// Error returns the method and the time.
func (e *TimeoutError) Error() string {
	after := roundDuration(e.After)
	switch {
	case e.Unsent:
		return fmt.Sprintf("%s: the server did not read from stdin within %v", e.Method, after)
	case e.Hard:
		return fmt.Sprintf("%s: timed out after %v despite progress notifications", e.Method, after)
	case e.Alive != "":
		return fmt.Sprintf("%s: no response within %v; %s", e.Method, after, e.Alive)
	}
	return fmt.Sprintf("%s: no response within %v", e.Method, after)
}

// roundDuration rounds a duration for display.
func roundDuration(d time.Duration) time.Duration {
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
	return &wire.Error{Target: s.target.String(), Doing: "call", Err: cause, Stderr: s.displayStderr(),
		Hint: "use a longer {--timeout} if the server is slow; {show messages}"}
}

// startError returns the error of a server that never responded: what its process does, and a hint.
func (s *Session) startError(method string, after time.Duration) error {
	cause := &TimeoutError{Method: method, After: after}
	advice := hint.Text("use a longer {--timeout} if the server is slow; {show messages}")
	if _, isProcess := s.conn.(wire.Child); isProcess {
		cause.Alive = "the process is running"
		activity := s.activity()
		if text := activity.String(); text != "" {
			cause.Alive += ", " + text
		}
		advice = startHint(activity, timeout.Program(s.target.Command), timeout.IsLauncher(s.target.Command))
	}
	return &wire.Error{Target: s.target.String(), Doing: "open a session with", Err: cause, Stderr: s.displayStderr(),
		Hint: advice}
}

// explainSilence adds what the process does to a timeout of the first request.
func (s *Session) explainSilence(err error) error {
	var late *TimeoutError
	var unmatched *UnmatchedError
	if errors.As(err, &late) && !late.Unsent && !errors.As(err, &unmatched) {
		return s.withOutput(s.startError(late.Method, late.After))
	}
	return err
}

// startHint returns what to do about a process that is running but never responds.
func startHint(activity wire.Activity, program string, launcher bool) hint.Text {
	switch {
	case launcher && (activity == wire.NotReading || activity == wire.Busy):
		return hint.Text(program) + " may still be downloading the server: use a longer {--timeout}, or install the " +
			"server first"
	case activity == wire.NotReading, activity == wire.Busy:
		return "use a longer {--timeout} if the server is still starting; run the command manually to see what it does"
	}
	return "check that the command starts an MCP server that uses stdio; run it manually to see what it prints"
}

// displayStderr returns the stderr output for an error.
func (s *Session) displayStderr() string {
	stderr := s.Stderr()
	return stderr[max(0, len(stderr)-4096):]
}
