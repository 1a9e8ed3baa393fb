package conform

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var life014 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-014",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "server/tools#list-changed-notification"),
		Doc: `list_changed must not follow each request for a list that has not changed

Clients request the list again after notifications/tools/list_changed. If the server sends the notification after each
tools/list, although the list is the same, they request it again and again, without an end. The same applies to
resources and prompts. Typical cause: the handler of the list registers the items again. The check requests the list 3
times. A notification after the first request or the handshake is allowed.`,
	},
	Until: spec.NewestLegacy,
	On:    OnPipe, // at a URL, other clients may cause notifications
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		before := map[string]int{} // of the lists with notifications so far
		for _, list := range []string{"tools", "resources", "prompts"} {
			if !p.round.offers(list) {
				continue
			}
			first, err := p.List(ctx, list+"/list")
			if err != nil {
				return err
			}
			p.waitUntil(ctx, last(first.Pages).Reply.Frame.Time.Add(p.Quiet())) // in a run of many checks that has passed
			if count := p.notified(listChanged(list)); count > 0 {
				before[list] = count
			}
		}
		if err := p.listAgain(ctx, slices.Sorted(maps.Keys(before))); err != nil {
			return err
		}
		for list, count := range before {
			if p.notified(listChanged(list)) == count {
				continue
			}
			if err := p.unchangedList(ctx, list); err != nil {
				return err
			}
		}
		return nil
	},
}

func listChanged(list string) string { return "notifications/" + list + "/list_changed" }

// listAgain requests lists once more, in the session that there is, until notifications have arrived. Most servers send none, and
// no process has to be started to see that.
func (p *CheckContext) listAgain(ctx context.Context, lists []string) error {
	if len(lists) == 0 {
		return nil
	}
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	for range 2 { // the second response follows what the first request has caused
		for _, list := range lists {
			if _, err := s.List(ctx, list+"/list"); err != nil {
				return err
			}
		}
	}
	return nil
}

// notified returns how often the server sent a notification, in all sessions.
func (p *CheckContext) notified(method string) (count int) {
	for _, s := range p.round.validator.observations(&p.round.validator.notifications) {
		if s.method == method {
			count++
		}
	}
	return count
}

// listings is how often a list is requested to see whether a notification follows each time.
const listings = 3

// unchangedList expects that no notification follows each request for a list that stays the same. A server that sends
// it at intervals, whatever a client requests, is not meant.
func (p *CheckContext) unchangedList(ctx context.Context, list string) error {
	method := listChanged(list)
	h, err := p.RecordingSession(ctx, nil)
	if err != nil {
		return err
	}
	p.WaitIdle(ctx) // for what follows the handshake
	var before *mcp.List
	for range listings {
		count := len(h.recorded(method))
		now, err := h.List(ctx, list+"/list")
		if err != nil {
			return err
		}
		p.awaitMore(ctx, h, method, count)
		if len(h.recorded(method)) == count || before != nil && !sameItems(before, now) {
			return nil
		}
		before = now
	}
	p.WaitIdle(ctx)
	count := len(h.recorded(method))
	if p.WaitIdle(ctx); len(h.recorded(method)) > count || before.Refused != nil {
		return nil
	}
	received := h.recorded(method)
	p.Report(Evidence{Subject: list + "/list", Exchange: last(before.Pages),
		Frames: []wire.Frame{received[len(received)-1].Frame}},
		"%s followed each of %d requests for the list, which did not change: a client that requests the list again after it never ends",
		method, listings)
	return nil
}

// awaitMore waits until a session has received more than count notifications of a method, or for the quiet period.
func (p *CheckContext) awaitMore(ctx context.Context, h *recordingSession, method string, count int) {
	for end := time.Now().Add(p.Quiet()); len(h.recorded(method)) == count && time.Now().Before(end); {
		p.waitUntil(ctx, time.Now().Add(5*time.Millisecond))
	}
}

// sameItems reports whether two lists have the same items in the same order.
func sameItems(a, b *mcp.List) bool {
	return slices.EqualFunc(a.Items, b.Items, func(x, y mcp.Item) bool { return equalJSON(x.Raw, y.Raw) })
}
