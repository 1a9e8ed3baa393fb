package matrix

import "path"

// A gap is a set of operations that fail, and why. A cell that passes where a gap is listed fails the test, so that the table
// stays true.
type gap struct {
	client, server, route, op string // patterns as in path.Match
	upstream                  string // the revision between the gateway and the server; "" is any
	got                       string // part of what the client gets
	slow                      bool   // it fails by a timeout, so that only a full run tries it
	reason                    string
}

const oneAtATime = "a client of 2026-07-28 has no session, so that the gateway takes each of its requests for a client of its " +
	"own; once a process of the handshake era has asked something, clients take turns, and the second request waits for the first"

var gaps = []gap{
	{client: "*-stateless", server: "*-stdio", route: throughHTTP, op: "progress", upstream: "2025-11-25", slow: true, reason: oneAtATime},
	{client: "*-stateless", server: "*-stdio", route: throughHTTP, op: "cancel", upstream: "2025-11-25", slow: true, reason: oneAtATime},
}

func (g gap) matches(c cell, op string) bool {
	if g.upstream != "" && g.upstream != c.upstream {
		return false
	}
	for _, p := range [][2]string{{g.client, c.client}, {g.server, c.server}, {g.route, c.route}, {g.op, op}} {
		if ok, _ := path.Match(p[0], p[1]); !ok {
			return false
		}
	}
	return true
}
