package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A DownError means that a server cannot be reached now; nothing was sent.
type DownError struct {
	Server  string
	Err     error
	RetryIn time.Duration // when the next attempt is made
}

// Error includes the server and why it is down.
func (e *DownError) Error() string {
	text := fmt.Sprintf("server %q is down: %v", e.Server, e.Err)
	if e.RetryIn > 0 {
		text += fmt.Sprintf("; retrying in %v", e.RetryIn.Round(100*time.Millisecond))
	}
	return text
}

// Unwrap returns the cause.
func (e *DownError) Unwrap() error { return e.Err }

// A StartingError means that a server has not started within the time that a request could wait; nothing was sent.
type StartingError struct {
	Server     string
	Restarting bool          // it was connected before
	Elapsed    time.Duration // since the start of the attempt
	Err        error         // why the request stopped waiting
}

// Error includes the server and its state.
func (e *StartingError) Error() string {
	return fmt.Sprintf("server %q is %s (for %v); the request was not sent, try again later", e.Server, e.State(),
		e.Elapsed.Round(100*time.Millisecond))
}

// State is "starting" or "restarting".
func (e *StartingError) State() string {
	if e.Restarting {
		return "restarting"
	}
	return "starting"
}

// Unwrap returns why the request stopped waiting.
func (e *StartingError) Unwrap() error { return e.Err }

// A LostError means that the connection was lost while a request was in flight: whether it was executed is unknown.
type LostError struct {
	Server string
	Err    error
}

// Error includes the server and the cause.
func (e *LostError) Error() string {
	return fmt.Sprintf("connection to %q lost before the response; the outcome is unknown: %v", e.Server, e.Err)
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// An OverloadedError means that the request limit of a server is reached; nothing was sent.
type OverloadedError struct {
	Server string
	Reason string // empty means too many requests in flight
}

// Error includes the server and the limit.
func (e *OverloadedError) Error() string {
	return fmt.Sprintf("server %q is overloaded: %s; retry later", e.Server,
		cmp.Or(e.Reason, "too many in-flight requests"))
}

// turnReason is why a request to a shared process was not sent in time.
const turnReason = "it sends requests to its clients, and requests of other clients are in progress"

// An AuthorizationError means that a server requires a token that the gateway does not have for this request; nothing
// was executed.
type AuthorizationError struct {
	Server    string
	Reason    string
	Advice    string   // what to do
	Connect   string   // the page where the caller can connect an account; may be empty
	Scopes    []string // that the request requires, if the token lacks them
	Temporary bool     // trying again may help
	Err       error    // the cause; may be nil
}

// Error includes the server, the reason and what to do.
func (e *AuthorizationError) Error() string {
	return fmt.Sprintf("server %q denies access (%s); %s", e.Server, e.Reason, e.Advice)
}

// Unwrap returns the cause.
func (e *AuthorizationError) Unwrap() error { return e.Err }

// unauthorized converts the rejection of a server without an account to an error that says what to do.
func unauthorized(server string, err error) error {
	var known *AuthorizationError
	if errors.As(err, &known) {
		return known
	}
	var status *wire.StatusError
	if !errors.As(err, &status) ||
		status.Status != http.StatusUnauthorized && status.Status != http.StatusForbidden {
		return err
	}
	return &AuthorizationError{Server: server, Reason: status.Error(), Err: err,
		Advice: fmt.Sprintf("set oauth of server %q under gateway.servers in the config, or its headers in mcpServers",
			server)}
}

func isAuthorization(err error) bool {
	var e *AuthorizationError
	return errors.As(err, &e)
}
