package upstream

import (
	"fmt"
	"time"
)

// A DownError says that a server cannot be reached now; nothing was sent.
type DownError struct {
	Server  string
	Err     error
	RetryIn time.Duration // when the next attempt is made
}

// Error names the server and why it is down.
func (e *DownError) Error() string {
	text := fmt.Sprintf("the server %q is down: %v", e.Server, e.Err)
	if e.RetryIn > 0 {
		text += fmt.Sprintf("; it is tried again in %v", e.RetryIn.Round(100*time.Millisecond))
	}
	return text
}

// Unwrap returns the cause.
func (e *DownError) Unwrap() error { return e.Err }

// A StartingError says that a server has not started within the time that a request could wait; nothing was sent.
type StartingError struct {
	Server     string
	Restarting bool          // it was connected before
	Elapsed    time.Duration // since it began to start
	Err        error         // why the request waited no longer
}

// Error names the server and what it is doing.
func (e *StartingError) Error() string {
	return fmt.Sprintf("server %q is %s (for %v); the request was not sent, try again later", e.Server, e.State(), e.Elapsed.Round(100*time.Millisecond))
}

// State is "starting" or "restarting".
func (e *StartingError) State() string {
	if e.Restarting {
		return "restarting"
	}
	return "starting"
}

// Unwrap returns why the request waited no longer.
func (e *StartingError) Unwrap() error { return e.Err }

// A LostError says that a server went away with a request: whether it was carried out is unknown.
type LostError struct {
	Server string
	Err    error
}

// Error names the server and what happened.
func (e *LostError) Error() string {
	return fmt.Sprintf("the server %q went away before it answered, so that the outcome is unknown: %v", e.Server, e.Err)
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// An OverloadedError says that a server has as many requests as it may have; nothing was sent.
type OverloadedError struct{ Server string }

// Error names the server.
func (e *OverloadedError) Error() string {
	return fmt.Sprintf("the server %q has too many requests under way; try again later", e.Server)
}
