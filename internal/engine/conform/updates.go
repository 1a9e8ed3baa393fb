package conform

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of the search for changes of subscribed resources.
const (
	maxSubscribed = 10              // resources
	maxUpdateWait = 2 * time.Second // for notifications, which a server may collect
)

// An updatedRun is what happened to subscribed resources while tools were called that may change them.
type updatedRun struct {
	notified []mcp.Message     // notifications/resources/updated
	silent   []changeInSilence // changes without a notification
}

// A changeInSilence is a change of a subscribed resource without a notification.
type changeInSilence struct {
	uri, tool string
	after     *mcp.Exchange // the resource after the change
}

// updates subscribes to the first resources that do not change by themselves, and calls the tools that write and may be
// called, once for all checks.
func (p *CheckContext) updates(ctx context.Context) (*updatedRun, error) {
	return remember(ctx, p, "updates", func() (*updatedRun, error) {
		if !p.Declares("resources/subscribe") || !p.round.offers("tools") {
			return nil, p.Skip("server does not declare tools and subscriptions to resources")
		}
		tools, err := p.working(ctx)
		if err != nil {
			return nil, err
		}
		tools = slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
			return string(At(t.Definition, "/annotations/readOnlyHint")) == "true"
		})
		if len(tools) == 0 {
			return nil, p.Skip("no tool that writes may be called and returned a result immediately")
		}
		list, err := p.Offered(ctx, "resources/list")
		if err != nil {
			return nil, err
		}
		h, err := p.RecordingSession(ctx, nil)
		if err != nil {
			return nil, err
		}
		w := &watchedResources{p: p, h: h, content: map[string]*mcp.Exchange{}}
		if err := w.subscribe(ctx, list.Items); err != nil {
			return nil, err
		}
		run := &updatedRun{}
		for _, t := range tools[:min(len(tools), maxConcurrentTools)] {
			calls := []Tool{t}
			if other, ok := t.other(); ok {
				calls = append(calls, other) // the first call may set what is set already
			}
			for _, call := range calls {
				silent, err := w.call(ctx, call)
				if err != nil {
					return nil, err
				}
				run.silent = append(run.silent, silent...)
			}
		}
		p.WaitIdle(ctx) // for late notifications
		run.notified = h.recorded("notifications/resources/updated")
		return run, nil
	})
}

// watchedResources are subscribed resources with their last content.
type watchedResources struct {
	p       *CheckContext
	h       *recordingSession
	uris    []string
	content map[string]*mcp.Exchange
}

// subscribe subscribes to resources that can be read and stay the same.
func (w *watchedResources) subscribe(ctx context.Context, items []mcp.Item) error {
	for _, item := range items[:min(len(items), maxSubscribed)] {
		if item.Name == "" {
			continue
		}
		ex, err := w.read(ctx, item.Name)
		if err != nil {
			return err
		}
		again, err := w.read(ctx, item.Name)
		if err != nil {
			return err
		}
		if ex.Reply.Error == nil && sameView(ex, again) {
			w.uris = append(w.uris, item.Name)
			w.content[item.Name] = again
		}
	}
	if len(w.uris) == 0 {
		return w.p.Skip("no listed resource can be read and stays the same")
	}
	limited, cancel := context.WithTimeout(ctx, w.p.Timeout())
	defer cancel()
	sub, err := w.h.Listen(limited, mcp.Filter{URIs: w.uris})
	if err != nil {
		return w.p.Skip("subscription did not start")
	}
	if honored := At(sub.Honoured, "/resourceSubscriptions"); w.p.Modern() && schema.Kind(honored) == '[' {
		w.uris = slices.DeleteFunc(w.uris, func(uri string) bool { return !slices.Contains(stringsIn(honored), uri) })
	}
	return nil
}

func (w *watchedResources) read(ctx context.Context, uri string) (*mcp.Exchange, error) {
	return w.p.CallIn(ctx, w.h.Session, "resources/read", mcp.Object("uri", uri))
}

// call calls a tool and returns the resources that it changed without a notification.
func (w *watchedResources) call(ctx context.Context, t Tool) ([]changeInSilence, error) {
	before := len(w.h.recorded("notifications/resources/updated"))
	if _, err := w.p.CallIn(ctx, w.h.Session, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)); err != nil {
		return nil, err
	}
	var all []changeInSilence
	for _, uri := range w.uris {
		after, err := w.read(ctx, uri)
		if err != nil {
			return nil, err
		}
		if after.Reply.Error != nil || sameView(w.content[uri], after) {
			continue
		}
		w.content[uri] = after
		if !w.awaitUpdate(ctx, uri, before) && w.stays(ctx, uri) {
			all = append(all, changeInSilence{uri, t.Name, after})
		}
	}
	return all, nil
}

// awaitUpdate waits for a notification about a resource or a part of it, and reports whether there is one.
func (w *watchedResources) awaitUpdate(ctx context.Context, uri string, before int) bool {
	ends := time.Now().Add(min(maxUpdateWait, w.p.Timeout()))
	for {
		for _, m := range w.h.recorded("notifications/resources/updated")[before:] {
			if strings.HasPrefix(schema.TextAt(m.Params, "/uri"), uri) {
				return true
			}
		}
		if time.Now().After(ends) || ctx.Err() != nil {
			return false
		}
		w.p.waitUntil(ctx, time.Now().Add(20*time.Millisecond))
	}
}

// stays reports whether a resource that a tool changed does not change any more: one that changes by itself would be
// no evidence.
func (w *watchedResources) stays(ctx context.Context, uri string) bool {
	for range 2 {
		again, err := w.read(ctx, uri)
		if err != nil || !sameView(w.content[uri], again) {
			return false
		}
	}
	return true
}
