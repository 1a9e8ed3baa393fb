package isolate

import (
	"context"
	"slices"
	"sync"
)

// caches has both users send the same new request, each of them first in turn. If the first one decides the answer, and
// the answers depend on who is first, a cache lacks the user in its key.
func (p *pair) caches(ctx context.Context) error {
	tried := false
	for _, s := range p.subjects {
		if !s.varies() || s.calls < maxCalls || !s.listed[p.owner.Name] || !s.listed[p.other.Name] {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		tried = true
		p.cache(ctx, s)
	}
	if !tried {
		p.report.skip("no request can carry a new random value", ruleCache)
	}
	return nil
}

func (p *pair) cache(ctx context.Context, s *subject) {
	answers, ok := p.takeTurns(ctx, s)
	if !ok {
		return
	}
	p.report.tested(ruleCache, s.String())
	if !firstDecides(answers) {
		return
	}
	if again, ok := p.takeTurns(ctx, s); ok && firstDecides(again) { // an answer may vary by chance
		p.report.found(ruleCache, s.String(), []int{answers[0].frame, answers[1].frame, answers[2].frame,
			answers[3].frame},
			"the second sender of a request gets the response of the first: %s that of %s, and %s that of %s",
			p.other.Name, p.owner.Name, p.owner.Name, p.other.Name)
	}
}

// takeTurns has both users send four new requests, one after the other. It returns the answers in the order in which
// they were received, and whether all requests succeeded.
func (p *pair) takeTurns(ctx context.Context, s *subject) ([]*answer, bool) {
	var all []*answer
	for i := range 4 {
		users := []*user{p.owner, p.other}
		if i%2 == 1 {
			slices.Reverse(users)
		}
		canary := p.ledger.canary("", s.String()) // both send it
		for _, u := range users {
			a := p.request(ctx, u, s, canary)
			if !a.ok {
				return nil, false
			}
			all = append(all, a)
		}
	}
	return all, true
}

// firstDecides reports whether the answers depend only on who has sent a request first.
func firstDecides(a []*answer) bool {
	return !a[0].same(a[2]) &&
		a[0].same(a[1]) && a[0].same(a[4]) && a[0].same(a[5]) &&
		a[2].same(a[3]) && a[2].same(a[6]) && a[2].same(a[7])
}

// concurrent has both users send requests at the same time, each with its own canaries.
func (p *pair) concurrent(ctx context.Context) error {
	for _, s := range p.subjects {
		if !s.varies() || s.calls < maxCalls || !s.listed[p.owner.Name] || !s.listed[p.other.Name] {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.atOnce(ctx, s)
	}
	return nil
}

// atOnce has both users send a request at the same time. If the responses depend on the user, none may get the response
// of the other.
func (p *pair) atOnce(ctx context.Context, s *subject) {
	var wg sync.WaitGroup
	answers := make([]*answer, 2*maxRounds)
	for i := range answers {
		own := *s // the number of calls is not shared
		u := []*user{p.owner, p.other}[i%2]
		wg.Go(func() { answers[i] = p.own(ctx, u, &own) })
	}
	wg.Wait()
	s.calls -= len(answers)
	if s.after == nil {
		return
	}
	for i, a := range answers {
		if wrong := []*answer{s.before, s.after}[i%2]; a.same(wrong) {
			for range 2 { // a response may vary by chance
				if !p.steady(ctx, p.other, s, s.before) || !p.steady(ctx, p.owner, s, s.after) {
					return
				}
			}
			users := []*user{p.owner, p.other}
			p.report.found(ruleOf(s.method), s.String(), []int{a.frame}, "%s received the response to %s while both sent "+
				"requests", users[i%2].Name, users[1-i%2].Name)
			return
		}
	}
}
