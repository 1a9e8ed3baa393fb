package mcp

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A HandshakeError reports that a server rejected the start of a session.
type HandshakeError struct {
	Target  string
	Version string // the requested revision
	Refusal *RPCError
	Stderr  string // the last stderr output of a process
}

// Error returns the server's error.
func (e *HandshakeError) Error() string {
	return fmt.Sprintf("%s rejected initialize: %v", e.Target, e.Refusal)
}

// Unwrap returns the server's error.
func (e *HandshakeError) Unwrap() error { return e.Refusal }

// As lets the error be read as a *wire.Error, which has a hint and the last stderr output of the server.
func (e *HandshakeError) As(target any) bool {
	as, ok := target.(**wire.Error)
	if ok {
		*as = &wire.Error{Target: e.Target, Doing: "open a session with", Err: e, Stderr: e.Stderr,
			Hint: hint.Text("the server may require another version than " + e.Version + ": use {--protocol} " +
				otherRevision(e.Version) + "; {show messages}")}
	}
	return ok
}

// otherRevision returns the one to try after a legacy revision was rejected.
func otherRevision(refused string) string {
	if refused == spec.NewestLegacy {
		return spec.IDs()[0]
	}
	return spec.NewestLegacy
}
