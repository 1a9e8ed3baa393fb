package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A TimeoutError says that a server stayed silent for too long.
type TimeoutError struct {
	Method string
	After  time.Duration
	Alive  string // what the process does instead, if it has never responded
	Hard   bool   // it did report progress, but may not go on for ever
	Unsent bool   // it did not even take the request
}

// Error names the method and the time.
func (e *TimeoutError) Error() string {
	after := shown(e.After)
	switch {
	case e.Unsent:
		return fmt.Sprintf("%s: the server did not read the request within %v", e.Method, after)
	case e.Hard:
		return fmt.Sprintf("%s: no answer within %v, in spite of progress", e.Method, after)
	case e.Alive != "":
		return fmt.Sprintf("%s: no answer within %v; %s", e.Method, after, e.Alive)
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

// startError is the error of a server that never responded: it says what its process does, and what to try.
func (s *Session) startError(method string, after time.Duration) error {
	cause := &TimeoutError{Method: method, After: after}
	hint := "use a longer --timeout if the server is slow; --trace shows what it sent"
	if _, isProcess := s.conn.(wire.Child); isProcess {
		cause.Alive = "the process is running"
		activity := s.activity()
		if text := activity.String(); text != "" {
			cause.Alive += ", " + text
		}
		hint = startHint(activity, timeout.Program(s.target.Command), timeout.IsLauncher(s.target.Command))
	}
	return &wire.Error{Target: s.target.String(), Doing: "start", Err: cause, Stderr: s.shownStderr(), Hint: hint}
}

// explainSilence adds to a timeout of the first request what the process does.
func (s *Session) explainSilence(err error) error {
	var late *TimeoutError
	var unmatched *UnmatchedError
	if errors.As(err, &late) && !late.Unsent && !errors.As(err, &unmatched) {
		return s.withOutput(s.startError(late.Method, late.After))
	}
	return err
}

// startHint says what to do about a process that runs but never responds.
func startHint(activity wire.Activity, program string, launcher bool) string {
	switch {
	case launcher && (activity == wire.NotReading || activity == wire.Busy):
		return program + " may still be downloading the server: use a longer --timeout, or install the server first"
	case activity == wire.NotReading, activity == wire.Busy:
		return "use a longer --timeout if the server is still starting; run the command by hand to see what it does"
	}
	return "check that the command starts an MCP server that uses stdio; run it by hand to see what it prints"
}

// shownStderr is as much of the standard error as stands in an error.
func (s *Session) shownStderr() string {
	stderr := s.Stderr()
	return stderr[max(0, len(stderr)-4096):]
}
