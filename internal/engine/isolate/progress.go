package isolate

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// progress has both users call a tool that sends progress, at the same time and with the same token.
func (p *pair) progress(ctx context.Context) error {
	for _, s := range p.subjects {
		if s.method != "tools/call" || s.params == nil || s.calls < maxCalls || !s.listed[p.other.Name] ||
			!s.listed[p.owner.Name] {
			continue
		}
		alone := p.progressAlone(ctx, p.owner, s)
		if alone == 0 {
			continue
		}
		p.report.tested(ruleProgress, s.String())
		theirs := p.progressAlone(ctx, p.other, s)
		for range 2 { // notifications may also get lost
			mine, others := p.equalTokens(ctx, s)
			if mine == alone || mine+others != alone+theirs {
				return nil
			}
			s.calls -= 2
		}
		p.report.found(ruleProgress, s.String(), nil, "with equal progress tokens, progress of %s was sent to %s or the "+
			"other way round", p.owner.Name, p.other.Name)
		return nil
	}
	p.report.skip("no tool that may be called sends progress", ruleProgress)
	return nil
}

// equalTokens has both users call a tool at the same time with the same token, and returns how many notifications each
// of them received.
func (p *pair) equalTokens(ctx context.Context, s *subject) (mine, others int) {
	token := p.ledger.canary("", s.String())
	var wg sync.WaitGroup
	for _, u := range []*user{p.owner, p.other} {
		wg.Go(func() { p.withToken(ctx, u, s, token) })
	}
	wg.Wait()
	settle(ctx)
	return p.owner.progressOf(token), p.other.progressOf(token)
}

// progressAlone returns how many notifications a call causes.
func (p *pair) progressAlone(ctx context.Context, u *user, s *subject) int {
	token := p.ledger.canary("", s.String())
	p.withToken(ctx, u, s, token)
	return u.progressOf(token)
}

func (p *pair) withToken(ctx context.Context, u *user, s *subject, token string) {
	params := json.RawMessage(strings.ReplaceAll(string(s.params), placeholder, p.ledger.canary(u.Name, s.String())))
	params, _ = schema.Apply(params, []finding.Edit{{Pointer: "/_meta", Value: mcp.Object("progressToken", token)}})
	_, _ = u.s.Do(ctx, mcp.Request{Method: s.method, Params: params, Timeout: p.opts.Timeout})
}

// maxSubscriptions is how many resources are subscribed to.
const maxSubscriptions = 5

// subscriptions subscribes to resources as the owner, has the owner act, and expects no update for the other user.
func (p *pair) subscriptions(ctx context.Context) error {
	if value, _ := schema.Get(p.owner.s.Capabilities, "/resources/subscribe"); string(value) != "true" {
		return nil
	}
	var uris []string
	for _, s := range p.subjects {
		uri := schema.TextAt(s.params, "/uri")
		if s.method != "resources/read" || s.varies() || uri == "" || !s.listed[p.owner.Name] ||
			len(uris) == maxSubscriptions {
			continue
		}
		uris = append(uris, uri)
		if !s.listed[p.other.Name] {
			p.subscribeHidden(ctx, uri)
		}
	}
	if len(uris) == 0 {
		return nil
	}
	sub, err := p.owner.s.Listen(ctx, mcp.Filter{URIs: uris})
	if err != nil {
		return nil
	}
	defer sub.Close()
	for _, s := range p.subjects {
		if s.calls > 0 && s.params != nil && s.listed[p.owner.Name] {
			p.own(ctx, p.owner, s)
		}
	}
	settle(ctx)
	p.report.tested(ruleNotice, "resource updates")
	p.other.mu.Lock()
	defer p.other.mu.Unlock()
	for _, uri := range uris {
		if frame := p.other.updates[uri]; frame > 0 {
			p.report.found(ruleNotice, "notifications/resources/updated", []int{frame},
				"%s received an update of %s, to which only %s is subscribed", p.other.Name, uri, p.owner.Name)
		}
	}
	return nil
}

// subscribeHidden subscribes as the other user to a resource that only the owner lists.
func (p *pair) subscribeHidden(ctx context.Context, uri string) {
	p.report.tested(ruleHidden, "subscription of "+uri)
	sub, err := p.other.s.Listen(ctx, mcp.Filter{URIs: []string{uri}})
	if err == nil {
		sub.Close()
		if p.other.s.Era == spec.Modern && !strings.Contains(string(sub.Honoured), uri) {
			return // 2026-07-28: a server ignores what a user may not subscribe to
		}
		p.report.found(ruleHidden, "subscription of "+uri, nil, "not listed for %s, but %s can subscribe to it; listed for %s",
			p.other.Name, p.other.Name, p.owner.Name)
	}
}
