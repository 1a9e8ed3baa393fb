package mcp

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A HandshakeError says that a server refused to start a session.
type HandshakeError struct {
	Target  string
	Version string // the revision that we asked for
	Refusal *RPCError
	Stderr  string // the last that a process wrote to its standard error
}

// Error tells the server's refusal.
func (e *HandshakeError) Error() string {
	return fmt.Sprintf("%s refused initialize: %v", e.Target, e.Refusal)
}

// Unwrap returns the refusal.
func (e *HandshakeError) Unwrap() error { return e.Refusal }

// As lets the error be read as a *wire.Error, which has a hint and the server's last words.
func (e *HandshakeError) As(target any) bool {
	as, ok := target.(**wire.Error)
	if ok {
		*as = &wire.Error{Target: e.Target, Doing: "open a session with", Err: e, Stderr: e.Stderr,
			Hint: "the server may want another revision than " + e.Version + ": --protocol " + otherRevision(e.Version) + "; --trace shows what was said"}
	}
	return ok
}

// otherRevision is the one to try after a revision of the older era was refused.
func otherRevision(refused string) string {
	if refused == NewestLegacy {
		return spec.IDs()[0]
	}
	return NewestLegacy
}
