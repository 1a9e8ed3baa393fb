package isolate

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// repeats is how often a request is repeated to see that its answer does not vary by itself.
const repeats = 4

// baseline asks as the second user alone: only a stable answer shows a change.
func (p *pair) baseline(ctx context.Context) {
	for _, s := range p.subjects {
		first := p.choose(ctx, p.other, s)
		if !first.ok || s.calls < maxCalls || ctx.Err() != nil {
			continue
		}
		if p.steady(ctx, p.other, s, first) {
			s.before = first
		} else {
			p.report.note(ruleOf(s.method), s.String()+" returns something else each time, so it was searched but not compared")
		}
	}
}

// steady reports whether a user gets the same answer again and again.
func (p *pair) steady(ctx context.Context, u *user, s *subject, as *answer) bool {
	for range repeats {
		if !p.own(ctx, u, s).same(as) {
			return false
		}
	}
	return true
}

// lists reads the lists of both users, the owner of private texts first.
func (p *pair) lists(ctx context.Context) error {
	for _, u := range []*user{p.owner, p.other} {
		if err := p.prepare(ctx, u); err != nil {
			return err
		}
	}
	if len(p.subjects) == 0 {
		p.report.skip("no tool may be called, and there are no prompts or resources", ruleResult, ruleCache,
			ruleResource, ruleHidden)
	}
	return nil
}

// results asks as the first user and then as the second one. The ledger sees canaries; this compares the answers.
func (p *pair) results(ctx context.Context) error {
	for _, s := range p.subjects {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.result(ctx, s)
	}
	return nil
}

func (p *pair) result(ctx context.Context, s *subject) {
	var mine *answer
	if s.calls <= 0 {
		return
	}
	if s.params == nil {
		mine = p.choose(ctx, p.owner, s)
	} else {
		mine = p.own(ctx, p.owner, s)
	}
	if s.calls <= 0 {
		return
	}
	if !s.listed[p.other.Name] && s.listed[p.owner.Name] {
		p.hidden(ctx, s, mine, p.owner, p.other)
		return
	}
	if !s.listed[p.owner.Name] {
		p.hidden(ctx, s, p.own(ctx, p.other, s), p.other, p.owner)
		return
	}
	theirs := p.own(ctx, p.other, s)
	p.report.tested(ruleOf(s.method), s.String())
	switch {
	case s.before != nil && mine.ok && !theirs.same(s.before) && theirs.same(mine) &&
		p.steady(ctx, p.other, s, theirs) && p.steady(ctx, p.owner, s, mine) && p.follows(ctx, s):
		p.report.found(ruleOf(s.method), s.String(), []int{s.before.frame, mine.frame, theirs.frame},
			"response to %s changed to the response to %s after %s was active", p.other.Name, p.owner.Name, p.owner.Name)
	case s.before != nil && mine.ok && theirs.same(s.before) && !mine.same(theirs) && p.steady(ctx, p.owner, s, mine):
		s.after = mine // the response depends on the user, and only on the user so far
	case mine.ok && unknown(theirs):
		p.unusable(s, mine, theirs, p.other, p.owner)
	case theirs.ok && unknown(mine):
		p.unusable(s, theirs, mine, p.owner, p.other)
	}
}

// follows reports whether the response follows the user who was active last: after a new session of the other user, the
// owner gets what the other user got at first. A response that only depends on the time, or on the number of users, does
// not change back.
func (p *pair) follows(ctx context.Context, s *subject) bool {
	again := p.user(p.other.Identity)
	if err := again.open(ctx); err != nil {
		return false
	}
	defer again.close()
	p.own(ctx, again, s)
	return p.steady(ctx, p.owner, s, s.before)
}

// unknown reports whether a server does not know what a request is about.
func unknown(a *answer) bool {
	const resourceNotFound = -32002
	return slices.Contains([]int64{resourceNotFound, mcp.CodeInvalidParams, mcp.CodeMethodNotFound}, a.code)
}

// unusable reports an entry in the list of a user who cannot use it, although another user can.
func (p *pair) unusable(s *subject, good, bad *answer, u, can *user) {
	p.report.found(ruleList, s.String(), []int{good.frame, bad.frame},
		"listed for %s, who gets error %d; %s can use it", u.Name, bad.code, can.Name)
}

// hidden uses an entry as a user whose list does not have it.
func (p *pair) hidden(ctx context.Context, s *subject, mine *answer, owner, other *user) {
	rule := ruleHidden
	if s.method == "resources/read" {
		rule = ruleResource
	}
	if !mine.ok || s.calls <= 0 {
		return
	}
	p.report.tested(rule, s.String())
	if theirs := p.own(ctx, other, s); theirs.ok {
		p.report.found(rule, s.String(), []int{mine.frame, theirs.frame},
			"not listed for %s, but the request of %s succeeds; listed for %s", other.Name, other.Name, owner.Name)
	}
}

// history reads the lists of the second user twice, has the first user act, and reads them again.
func (p *pair) history(ctx context.Context) error {
	before, err := p.other.s.Surface(ctx)
	if err != nil {
		return err
	}
	again, err := p.other.s.Surface(ctx)
	if err != nil {
		return err
	}
	for _, s := range p.subjects {
		if s.calls > 0 && s.listed[p.owner.Name] && s.params != nil {
			p.own(ctx, p.owner, s)
		}
	}
	if _, err := p.owner.s.Surface(ctx); err != nil {
		return err
	}
	after, err := p.other.s.Surface(ctx)
	if err != nil {
		return err
	}
	for _, list := range []struct {
		name                 string
		before, again, after *mcp.List
	}{
		{"tools/list", before.Tools, again.Tools, after.Tools},
		{"resources/list", before.Resources, again.Resources, after.Resources},
		{"resources/templates/list", before.Templates, again.Templates, after.Templates},
		{"prompts/list", before.Prompts, again.Prompts, after.Prompts},
	} {
		p.compare(list.name, list.before, list.again, list.after)
	}
	return nil
}

// compare reports a list that was stable until another user was active.
func (p *pair) compare(name string, before, again, after *mcp.List) {
	if before == nil || again == nil || after == nil {
		return
	}
	if added, removed := difference(before, again); len(added)+len(removed) > 0 {
		p.report.note(ruleList, name+" changes by itself, so changes by another user cannot be recognized")
		return
	}
	p.report.tested(ruleList, name)
	added, removed := difference(again, after)
	if len(added)+len(removed) == 0 {
		return
	}
	p.report.found(ruleList, name, []int{frameOf(again), frameOf(after)},
		"list of %s changed after %s was active: added %s, removed %s", p.other.Name, p.owner.Name, few(added), few(removed))
}

func frameOf(l *mcp.List) int {
	if len(l.Pages) == 0 {
		return 0
	}
	return l.Pages[0].Reply.Frame.Seq
}

// difference lists the entries that only one of two lists has, by name and definition.
func difference(a, b *mcp.List) (added, removed []string) {
	has := func(l *mcp.List, item mcp.Item) bool {
		return slices.ContainsFunc(l.Items, func(o mcp.Item) bool { return string(o.Raw) == string(item.Raw) })
	}
	for _, item := range b.Items {
		if !has(a, item) {
			added = append(added, item.Name)
		}
	}
	for _, item := range a.Items {
		if !has(b, item) {
			removed = append(removed, item.Name)
		}
	}
	return added, removed
}
