package conform

import (
	"context"
	"errors"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// maxWatchedTools is how many tools are called while resources are watched.
const maxWatchedTools = 6

// silentAfterCalls reports resources that change each time when tools are called, without a notification.
func (p *CheckContext) silentAfterCalls(ctx context.Context, moving []string) error {
	tools, err := p.watchedTools(ctx)
	if err != nil || len(tools) == 0 {
		return err
	}
	reads, err := p.Reads(ctx)
	if err != nil {
		return err
	}
	var uris []string
	for _, r := range reads {
		if isText(r.Exchange) && !isMeasured(r.Item) && !slices.Contains(moving, r.Item.Name) && len(uris) < maxWatched {
			uris = append(uris, r.Item.Name)
		}
	}
	if uris, err = p.changedByCalls(ctx, uris, tools); err != nil || len(uris) == 0 {
		return err
	}
	w, err := p.watch(ctx, uris)
	if err != nil {
		return err
	}
	for range silentChanges {
		if err := w.observeCalls(ctx, tools); err != nil || len(w.all) == 0 {
			return err
		}
	}
	for _, r := range w.silent(ctx) {
		p.Report(Evidence{Subject: r.uri, Exchange: r.last, Led: true},
			"changed after tool calls %d times while subscribed: expected notifications/resources/updated, got none", silentChanges)
	}
	return nil
}

// changedByCalls returns the resources that differ after calls, in the session of the shared calls: for most servers there
// is none, and no session is opened to watch them.
func (p *CheckContext) changedByCalls(ctx context.Context, uris []string, tools []Tool) (changed []string, err error) {
	all, err := p.openCalls(ctx)
	if err != nil {
		return nil, err
	}
	read := func(uri string) (*mcp.Exchange, error) {
		return p.CallIn(ctx, all.session, "resources/read", mcp.Object("uri", uri))
	}
	before := map[string]*mcp.Exchange{}
	for _, uri := range uris {
		if before[uri], err = read(uri); err != nil {
			return nil, err
		}
	}
	for _, t := range tools {
		if _, err := p.CallIn(ctx, all.session, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)); err != nil {
			return nil, err
		}
	}
	for _, uri := range uris {
		after, err := read(uri)
		if err != nil {
			return nil, err
		}
		if !sameContents(before[uri], after) {
			changed = append(changed, uri)
		}
	}
	return changed, nil
}

// watchedTools returns tools that succeeded quickly and may be called again.
func (p *CheckContext) watchedTools(ctx context.Context) ([]Tool, error) {
	done, err := p.Called(ctx)
	if skip := (*errSkip)(nil); errors.As(err, &skip) {
		return nil, nil // there are no such tools
	}
	var tools []Tool
	for _, c := range done {
		if c.Result() != nil && !c.Failed() && !p.round.limited(c.Name) && !p.isSlow(c.Exchange.Elapsed) && !causedRequest(c) &&
			len(tools) < maxWatchedTools {
			tools = append(tools, c.Tool)
		}
	}
	return tools, err
}

// observeCalls calls tools, and goes on watching the resources that changed. One that differs in two reads with nothing
// between them, in numbers alone or in what it says about our requests is a counter or a log of the server.
func (w *watchedResources) observeCalls(ctx context.Context, tools []Tool) error {
	before, err := w.readAll(ctx)
	if err != nil {
		return err
	}
	again, err := w.readAll(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		if _, err := w.p.CallIn(ctx, w.h.Session, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)); err != nil {
			return err
		}
	}
	after, err := w.readAll(ctx)
	if err != nil {
		return err
	}
	var changed []*watchedResource
	for i, r := range w.all {
		if before[i] != nil && again[i] != nil && after[i] != nil &&
			valuesOf(before[i].Reply.Result) == valuesOf(again[i].Reply.Result) && !sameContents(again[i], after[i]) &&
			!sameWithoutNumbers(again[i], after[i]) && !isAboutReads(r.uri, again[i], after[i]) && !w.notified(r.uri) {
			changed = append(changed, &watchedResource{r.uri, after[i]})
		}
	}
	w.all = changed
	return nil
}

var digits = lazyregexp.New(`[0-9]+`)

// sameWithoutNumbers reports whether two reads differ only in numbers, as a counter of calls does.
func sameWithoutNumbers(a, b *mcp.Exchange) bool {
	return digits().ReplaceAllString(valuesOf(a.Reply.Result), "0") == digits().ReplaceAllString(valuesOf(b.Reply.Result), "0")
}
