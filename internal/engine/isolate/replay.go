package isolate

import (
	"context"
	"slices"
)

// maxReplays is how many event IDs of the owner are used.
const maxReplays = 3

// replay asks for the events after those of the owner, in a new session of the other user.
func (p *pair) replay(ctx context.Context) error {
	firsts, known := p.owner.firstEvents()
	if len(firsts) == 0 {
		p.report.skip("the server sent no event IDs", ruleReplay)
		return nil
	}
	for _, e := range firsts {
		c := p.other.channel(ctx)
		if c == nil {
			return nil
		}
		session := c.initialize(ctx)
		header := c.header(session)
		header.Set("Last-Event-Id", e.id)
		p.other.replaying(c.number)
		p.resume(ctx, c, c.Listen(header), known)
		if session != "" {
			_, _ = c.end(ctx, session)
		}
		_ = c.Close()
	}
	return nil
}

// resume reads a stream. Data of the owner is seen by the ledger; an event of the owner is one without it.
func (p *pair) resume(ctx context.Context, c *channel, stream string, known []event) {
	p.report.tested(ruleReplay, "Last-Event-ID of "+p.owner.Name)
	for _, f := range c.until(ctx, stream, quiet) {
		if f.Event == nil || len(f.Body) == 0 {
			continue
		}
		same := slices.ContainsFunc(known, func(e event) bool { return e.id == f.Event.ID && e.body == string(f.Body) })
		if same && !p.other.hadEvent(f.Event.ID, stream) {
			p.report.found(ruleReplay, "GET", []int{f.Seq}, "%s received an event of a stream of %s", p.other.Name,
				p.owner.Name)
		}
	}
}

// firstEvents returns the first event with an ID of each stream, and all events.
func (u *user) firstEvents() (firsts, all []event) {
	u.mu.Lock()
	defer u.mu.Unlock()
	streams := map[string]int{}
	for _, e := range u.events {
		streams[e.stream]++
	}
	seen := map[string]bool{}
	for _, e := range u.events {
		if !seen[e.stream] && streams[e.stream] > 1 && len(firsts) < maxReplays {
			firsts = append(firsts, e)
		}
		seen[e.stream] = true
	}
	if len(firsts) == 0 && len(u.events) > 0 {
		firsts = u.events[:1]
	}
	return slices.Clone(firsts), slices.Clone(u.events)
}

// hadEvent reports whether the user got an event with an ID in another stream: the IDs are not unique.
func (u *user) hadEvent(id, stream string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := 0
	for _, e := range u.events {
		if e.id == id {
			n++
		}
	}
	return n > 1
}
