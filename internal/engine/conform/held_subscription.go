package conform

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A heldSubscription is a subscription to all that the server declares, in a session of its own. It stays open while the
// other checks run, because a server sends updates whenever something changes.
type heldSubscription struct {
	h      *recordingSession
	open   *mcp.Subscription
	filter mcp.Filter
	since  time.Time
	err    error // why it did not start
}

// held is how long the subscription is open at least. In a run of many checks that time has passed at its end.
const held = 1500 * time.Millisecond

// heldSubscription opens the subscription, once for all checks.
func (p *CheckContext) heldSubscription(ctx context.Context) (*heldSubscription, error) {
	filter, err := p.listenable(ctx)
	if err != nil {
		return nil, err
	}
	return remember(ctx, p, "held subscription", func() (*heldSubscription, error) {
		sub := &heldSubscription{h: &recordingSession{}, filter: filter}
		s, err := p.round.open(ctx, "subscribed", func(o *mcp.Options) { o.OnNotification = sub.h.record })
		if err != nil {
			return nil, err
		}
		sub.h.Session = s
		sub.listen(ctx)
		if sub.err == nil && transportOf(p.Target.Transport()) == OnHTTP && !p.answersOthers(ctx) {
			sub.open.Close()
		}
		return sub, nil
	})
}

// listen starts the subscription, which outlives the check that starts it. An acknowledgement without the ID is not treated
// as the start: then there is nothing to wait for.
func (sub *heldSubscription) listen(ctx context.Context) {
	listening, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := context.AfterFunc(ctx, stop)
	done := make(chan struct{})
	go func() {
		defer close(done)
		sub.h.await(listening, "notifications/subscriptions/acknowledged")
		if len(sub.h.recorded("notifications/subscriptions/acknowledged")) > 0 && !sub.h.tagged() {
			stop()
		}
	}()
	sub.open, sub.err = sub.h.Listen(listening, sub.filter)
	ended()
	if sub.err != nil {
		stop()
	}
	<-done // the session passes an acknowledgment to its subscription first, and then to h
	sub.since = time.Now()
}

// answersOthers reports whether the server answers other clients while a subscription is open. One that handles one request
// at a time does not, and must not be kept from all other checks.
func (p *CheckContext) answersOthers(ctx context.Context) bool {
	s, err := p.Session(ctx)
	if err == nil {
		_, err = p.respondsSoon(ctx, s)
	}
	return err == nil
}

// subscriptionID is the pointer to the ID in the params of a message of a subscription.
const subscriptionID = "/_meta/io.modelcontextprotocol~1subscriptionId"

// tagged reports whether the acknowledgement has the ID of its subscription.
func (h *recordingSession) tagged() bool {
	return slices.ContainsFunc(h.recorded("notifications/subscriptions/acknowledged"), func(m mcp.Message) bool {
		return At(m.Params, subscriptionID) != nil
	})
}

// isOwn reports whether a notification is one that the subscription is for.
func (sub *heldSubscription) isOwn(m mcp.Message) bool {
	switch m.Method {
	case "notifications/subscriptions/acknowledged":
		return true
	case "notifications/tools/list_changed":
		return sub.filter.Tools
	case "notifications/prompts/list_changed":
		return sub.filter.Prompts
	case "notifications/resources/list_changed":
		return sub.filter.Resources
	case "notifications/resources/updated":
		return slices.Contains(sub.filter.URIs, schema.TextAt(m.Params, "/uri"))
	}
	return false
}
