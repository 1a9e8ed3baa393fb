package isolate

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// sessions uses the session of the owner with the credentials of the other user.
func (p *pair) sessions(ctx context.Context) error {
	switch own := p.owner.s.ID(); {
	case p.owner.s.Era == spec.Modern:
		p.report.skip("2026-07-28 has no sessions", ruleSession, ruleActs)
		return nil
	case own == "":
		p.report.skip("the server has no session IDs", ruleSession, ruleActs)
		return nil
	}
	c, mine := p.other.channel(ctx), p.owner.channel(ctx)
	if c == nil || mine == nil {
		return nil
	}
	defer c.Close()
	defer mine.Close()
	target := mine.initialize(ctx) // a session of the owner that may be lost
	p.ids("session", p.owner.s.ID(), p.other.s.ID(), target)
	if p.owner.Key == p.other.Key {
		p.report.skip("the users have the same credentials", ruleSession, ruleActs)
		return nil
	}
	p.use(ctx, c)
	if target != "" {
		p.end(ctx, c, mine, target)
	}
	return nil
}

// use sends requests in the session of the owner.
func (p *pair) use(ctx context.Context, c *channel) {
	id := p.owner.s.ID()
	p.report.tested(ruleSession, "ping with the session ID of "+p.owner.Name)
	reply := c.request(ctx, id, "ping", nil)
	if reply == nil || reply.Result == nil {
		return
	}
	p.report.found(ruleSession, "ping", []int{reply.Frame.Seq},
		"the session of %s accepts the credentials of %s", p.owner.Name, p.other.Name)
	for _, s := range p.subjects {
		if s.params == nil || s.calls <= 0 || s.method != "tools/call" {
			continue
		}
		canary := p.ledger.canaryFor(ruleActs, p.other.Name, s.String())
		c.request(ctx, id, s.method, json.RawMessage(strings.ReplaceAll(string(s.params), placeholder, canary)))
		return
	}
}

// end sends DELETE for a session of the owner as the other user.
func (p *pair) end(ctx context.Context, c, mine *channel, id string) {
	alive := func() *mcp.Message { return mine.request(ctx, id, "ping", nil) }
	if reply := alive(); reply == nil || reply.Result == nil {
		return // the owner cannot use it either
	}
	p.report.tested(ruleActs, "DELETE with the session ID of "+p.owner.Name)
	f, _ := c.end(ctx, id)
	if reply := alive(); reply == nil || reply.Result == nil {
		p.report.found(ruleActs, http.MethodDelete, []int{f.Seq}, "%s ended a session of %s", p.other.Name, p.owner.Name)
	}
	_, _ = mine.end(ctx, id)
}

// minRandom is how many characters two IDs must differ in.
const minRandom = 8

// ids reports IDs that can be guessed from one another.
func (p *pair) ids(what string, ids ...string) {
	p.report.tested(ruleGuess, what+" IDs")
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			if a == "" || b == "" || a == b || !guessable(a, b) {
				continue
			}
			p.report.found(ruleGuess, what, nil, "two %s IDs differ in %d characters, expected at least %d: %.60q and %.60q",
				what, differing(a, b), minRandom, a, b)
			return
		}
	}
}

func guessable(a, b string) bool { return differing(a, b) < minRandom }

// differing is the length of what remains of two IDs without their common start and end.
func differing(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}
