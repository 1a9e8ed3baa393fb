package conform

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// Limits of watching resources that change by themselves.
const (
	maxWatched    = 3               // resources
	changePeriod  = 2 * time.Second // in which a resource changes that is worth a notification
	maxUpdateWait = 2 * time.Second // for a notification after the last change: a server may collect several
	silentChanges = 2               // without a notification, before it is a finding: one may be about to be sent
)

// measures matches the names of resources that are computed when they are read: no event tells the server of a change, and
// no client expects a notification of each. saysMeasured matches what is said about such resources.
var (
	measures = lazyregexp.New(`(?i)(?:^|[^a-z])(?:(?:date)?time|now|today|date|age|elapsed|loads?|process(?:es)?|stats|health|system|` +
		`random|usage|` + measured + `)(?:[^a-z]|$)`)
	saysMeasured = lazyregexp.New(`(?i)\b(?:(?:current|local|server|system|date and|utc|of) (?:date|time)|random|usage|` + measured + `)\b`)
)

const measured = `timestamps?|clocks?|uptime|memory|cpu|heap|metrics?|statistics|sysinfo|counters?`

// isMeasured reports whether a resource says that it is computed when it is read.
func isMeasured(item mcp.Item) bool {
	return slices.ContainsFunc([]string{item.Name, schema.TextAt(item.Raw, "/name"), schema.TextAt(item.Raw, "/title")},
		measures().MatchString) || saysMeasured().MatchString(schema.TextAt(item.Raw, "/description"))
}

// movingResources returns the URIs of listed texts that changed since they were first read, and not each time they are read.
// Most servers have none, and no session is opened to see that.
func (p *CheckContext) movingResources(ctx context.Context) ([]string, error) {
	reads, err := p.Reads(ctx)
	if err != nil {
		return nil, err
	}
	var latest time.Time
	for _, r := range reads {
		latest = later(latest, r.Exchange)
	}
	p.waitUntil(ctx, latest.Add(changePeriod))
	var moving []string
	for _, r := range reads {
		if !isText(r.Exchange) || isMeasured(r.Item) || len(moving) == maxWatched {
			continue
		}
		now, err := p.Call(ctx, "resources/read", mcp.Object("uri", r.Item.Name))
		if err != nil {
			return nil, err
		}
		if !isText(now) || sameContents(r.Exchange, now) {
			continue
		}
		again, err := p.Call(ctx, "resources/read", mcp.Object("uri", r.Item.Name))
		if err != nil {
			return nil, err
		}
		if isText(again) && valuesOf(now.Reply.Result) == valuesOf(again.Reply.Result) {
			moving = append(moving, r.Item.Name)
		}
	}
	return moving, nil
}

// later returns the later one of a time and that of a response.
func later(t time.Time, ex *mcp.Exchange) time.Time {
	if at := ex.Reply.Frame.Time; at.After(t) {
		return at
	}
	return t
}

// isText reports whether a resource could be read and consists of texts: whether two images differ only in a clock, or in
// how they were compressed, is unknown.
func isText(ex *mcp.Exchange) bool {
	all := contentsOf(ex.Reply.Result)
	return ex.Reply.Error == nil && len(all) > 0 && !slices.ContainsFunc(all, func(b block) bool {
		return At(b.raw, "/text") == nil
	})
}

// sameContents reports whether two reads returned the same, apart from what follows the time.
func sameContents(a, b *mcp.Exchange) bool {
	return volatile.SameButClocks(valuesOf(a.Reply.Result), valuesOf(b.Reply.Result), a.Reply.Frame.Time, b.Reply.Frame.Time)
}

// A watchedResource is a subscribed resource that changed in each period.
type watchedResource struct {
	uri  string
	last *mcp.Exchange // how it was read after the last change
}

// watchedResources are subscribed resources in a session of their own.
type watchedResources struct {
	p   *CheckContext
	h   *recordingSession
	all []*watchedResource
}

// watch subscribes to resources.
func (p *CheckContext) watch(ctx context.Context, uris []string) (*watchedResources, error) {
	h, err := p.RecordingSession(ctx, nil)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	sub, err := h.Listen(limited, mcp.Filter{URIs: uris})
	if err != nil {
		return nil, p.Skip("subscription did not start") // SUB-001 and SUB-003 report it
	}
	w := &watchedResources{p: p, h: h}
	honored := stringsIn(At(sub.Honoured, "/resourceSubscriptions"))
	for _, uri := range uris {
		if !p.Modern() || slices.Contains(honored, uri) {
			w.all = append(w.all, &watchedResource{uri: uri})
		}
	}
	if len(w.all) == 0 {
		return nil, p.Skip("server did not acknowledge the subscription to resources")
	}
	return w, nil
}

// observe waits for changes, and goes on watching the resources that changed. One that differs in two reads with nothing
// between them depends on being read: that counts as no change.
func (w *watchedResources) observe(ctx context.Context) error {
	if len(w.all) == 0 {
		return nil
	}
	before, err := w.readAll(ctx)
	if err != nil {
		return err
	}
	again, err := w.readAll(ctx)
	if err != nil {
		return err
	}
	w.p.waitUntil(ctx, time.Now().Add(changePeriod))
	after, err := w.readAll(ctx)
	if err != nil {
		return err
	}
	var changed []*watchedResource
	for i, r := range w.all {
		if before[i] != nil && again[i] != nil && after[i] != nil &&
			valuesOf(before[i].Reply.Result) == valuesOf(again[i].Reply.Result) && !sameContents(again[i], after[i]) && !isAboutReads(r.uri, again[i], after[i]) && !w.notified(r.uri) {
			changed = append(changed, &watchedResource{r.uri, after[i]})
		}
	}
	w.all = changed
	return nil
}

// silent waits for notifications and returns the resources about which none came.
func (w *watchedResources) silent(ctx context.Context) []*watchedResource {
	for end := time.Now().Add(maxUpdateWait); ; w.p.waitUntil(ctx, time.Now().Add(maxUpdateWait/20)) {
		w.all = slices.DeleteFunc(w.all, func(r *watchedResource) bool { return w.notified(r.uri) })
		if len(w.all) == 0 || ctx.Err() != nil || time.Now().After(end) {
			return w.all
		}
	}
}

// readAll reads each resource; nil stands for one that cannot be read as text.
func (w *watchedResources) readAll(ctx context.Context) ([]*mcp.Exchange, error) {
	var all []*mcp.Exchange
	for _, r := range w.all {
		ex, err := w.p.CallIn(ctx, w.h.Session, "resources/read", mcp.Object("uri", r.uri))
		if err != nil {
			return nil, err
		}
		if !isText(ex) {
			ex = nil
		}
		all = append(all, ex)
	}
	return all, nil
}

// isAboutReads reports whether what came to a resource is about our own requests, as in a log of the server.
func isAboutReads(uri string, before, after *mcp.Exchange) bool {
	a, b := valuesOf(before.Reply.Result), valuesOf(after.Reply.Result)
	return slices.ContainsFunc([]string{uri, "resources/", "tools/call", "mcptest"}, func(ours string) bool {
		return strings.Count(b, ours) > strings.Count(a, ours)
	})
}

// notified reports whether the server sent an update of a resource, or of one above or below it. If it sent so many
// notifications that not all are stored, it may have.
func (w *watchedResources) notified(uri string) bool {
	return len(w.h.all()) >= maxFindings ||
		slices.ContainsFunc(w.h.recorded("notifications/resources/updated"), func(m mcp.Message) bool {
			other := schema.TextAt(m.Params, "/uri")
			return strings.HasPrefix(other, uri) || strings.HasPrefix(uri, other) // an invalid one may be about any
		})
}
