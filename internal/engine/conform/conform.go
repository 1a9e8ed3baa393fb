// Package conform tests a running server for conformance with the Model Context Protocol: any server, over any
// transport, in every revision, based on what the server itself declares.
//
// Each [Check] is a value in its own file. [Run] connects, runs the checks that apply and returns an [Outcome]. A fault
// of the server is a finding and never a Go error; a check that could not be finished is broken and gives the reason.
package conform

//go:generate go run ../../../tools/rulelist -dir . -type Check

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Check is one requirement for a server.
type Check struct {
	finding.Rule
	Since string     // the first revision that it applies to; empty for the oldest
	Until string     // the last one; empty for the newest
	On    Transports // the transports that it applies to; zero for all
	// the capability that the server must declare, such as "tools" or "resources/subscribe"; empty for none
	Needs string

	// Disruptive checks send traffic that no client sends: malformed frames, many requests at once, attacks. They need
	// permission if the target is neither a local server nor a process that mcptest started.
	Disruptive bool
	// Scratch checks use a session that they may break, and pass it on to each other: they run one after the other, in
	// parallel with the rest.
	Scratch bool
	// Slow checks wait long for the server even if it is correct. They start first, so that the rest runs meanwhile.
	Slow bool
	// Alone checks measure something that other checks would disturb: they run after the rest, one by one.
	Alone bool

	// Last checks evaluate what the other checks recorded: they run at the very end.
	Last bool

	// Auth is not zero for checks that run only with [Options.Auth].
	Auth AuthClass

	// Run tests the server. It reports through the pass; an error means that the check could not be finished.
	Run func(ctx context.Context, p *CheckContext) error
}

// A Transports is a set of transports.
type Transports uint8

// The transports that a check can apply to.
const (
	OnPipe Transports = 1 << iota // a process, or an in-process server: lines on stdin and stdout
	OnHTTP                        // Streamable HTTP
	OnSSE                         // the deprecated HTTP+SSE transport
)

// transportOf returns the set that contains only the transport of a connection.
func transportOf(kind wire.Kind) Transports {
	switch kind {
	case wire.StreamableHTTP:
		return OnHTTP
	case wire.HTTPWithSSE:
		return OnSSE
	}
	return OnPipe
}

// String returns the names of the transports for display.
func (p Transports) String() string {
	var names []string
	for _, one := range []struct {
		place Transports
		name  string
	}{{OnPipe, "stdio"}, {OnHTTP, "Streamable HTTP"}, {OnSSE, "HTTP+SSE"}} {
		if p&one.place != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " and ")
}

// Find returns the check with the ID, ignoring case.
func Find(id string) (*Check, bool) {
	for _, c := range Checks() {
		if strings.EqualFold(c.ID, id) {
			return c, true
		}
	}
	return nil, false
}
