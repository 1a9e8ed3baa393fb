// Package conform judges a running server by the Model Context Protocol: any server, over any transport, in every
// revision, by what the server itself declares.
//
// A [Check] is a value in a file of its own. [Run] connects, runs the checks that apply and returns an [Outcome]. What a
// server does wrong is a finding and never a Go error; a check that could not be finished is broken and says why.
package conform

//go:generate go run ../../../tools/rulelist -dir . -type Check

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Check is one requirement that a server can be held to.
type Check struct {
	finding.Rule
	Since string // the first revision that it is for; empty for the oldest
	Until string // the last one; empty for the newest
	On    Place  // the transports that it is for; zero for all
	Needs string // what the server must declare, such as "tools" or "resources/subscribe"; empty for nothing

	// Disruptive checks send what no client sends: malformed frames, many requests at once. Against what is neither a
	// process of ours nor on this machine they need permission.
	Disruptive bool
	// Scratch checks work in a session that they may break, and hand it on to each other: they run one after the other, beside
	// the rest.
	Scratch bool
	// Slow checks wait long for the server even if nothing is wrong with it. They start first, so that the rest runs meanwhile.
	Slow bool
	// Alone checks measure something that others would disturb: they run after the rest, one by one.
	Alone bool

	// Last checks judge what the others saw: they run at the very end.
	Last bool

	// Run judges the server. It reports through the pass; an error means that it could not be finished.
	Run func(ctx context.Context, p *Pass) error
}

// A Place is a set of transports.
type Place uint8

// The places where a check can be at home.
const (
	OnPipe Place = 1 << iota // a process, or a server in this one: lines on standard streams
	OnHTTP                   // Streamable HTTP
	OnSSE                    // the older HTTP+SSE
)

// placeOf tells where a target is reached.
func placeOf(kind wire.Kind) Place {
	switch kind {
	case wire.StreamableHTTP:
		return OnHTTP
	case wire.HTTPWithSSE:
		return OnSSE
	}
	return OnPipe
}

// String names the transports for a person.
func (p Place) String() string {
	var names []string
	for _, one := range []struct {
		place Place
		name  string
	}{{OnPipe, "stdio"}, {OnHTTP, "Streamable HTTP"}, {OnSSE, "HTTP+SSE"}} {
		if p&one.place != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " and ")
}

// Find returns the check with the id, however its letters are cased.
func Find(id string) (*Check, bool) {
	for _, c := range Checks() {
		if strings.EqualFold(c.ID, id) {
			return c, true
		}
	}
	return nil, false
}
