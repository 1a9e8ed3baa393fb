package conform

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// listenable returns a filter for the notifications that the server declares.
func (p *CheckContext) listenable(ctx context.Context) (mcp.Filter, error) {
	f := mcp.Filter{Tools: p.Declares("tools/listChanged"), Prompts: p.Declares("prompts/listChanged"),
		Resources: p.Declares("resources/listChanged")}
	if p.Declares("resources/subscribe") {
		list, err := p.List(ctx, "resources/list")
		if err != nil {
			return f, err
		}
		if len(list.Items) > 0 && list.Items[0].Name != "" {
			f.URIs = []string{list.Items[0].Name}
		}
	}
	if !f.Tools && !f.Prompts && !f.Resources && f.URIs == nil {
		return f, p.Skip("server declares nothing to subscribe to")
	}
	return f, nil
}

// An endedSubscription is a subscription to the first resource that the client has ended.
type endedSubscription struct {
	session   *mcp.Session
	uri       string
	exchanges []*mcp.Exchange // resources/subscribe and resources/unsubscribe up to 2025-11-25
	ended     time.Time       // when the server responded to a later request
}

// maxUpdateDelay is how long updates that were on their way may arrive after a subscription has ended.
const maxUpdateDelay = 200 * time.Millisecond

// endedSubscription subscribes to the first resource in a shared session and ends the subscription at once.
func (p *CheckContext) endedSubscription(ctx context.Context) (*endedSubscription, error) {
	return remember(ctx, p, "ended subscription", func() (*endedSubscription, error) {
		list, err := p.Offered(ctx, "resources/list")
		if err != nil {
			return nil, err
		}
		s, err := p.Other(ctx)
		if err != nil {
			return nil, err
		}
		sub := &endedSubscription{session: s, uri: list.Items[0].Name}
		if p.Modern() {
			open, err := s.Listen(ctx, mcp.Filter{URIs: []string{sub.uri}})
			if err != nil {
				return nil, p.Skip("subscription did not start")
			}
			open.Close()
		} else {
			for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
				ex, err := p.CallIn(ctx, s, method, mcp.Object("uri", sub.uri))
				if err != nil {
					return nil, err
				}
				sub.exchanges = append(sub.exchanges, ex)
			}
		}
		_, err = p.Alive(ctx, s)
		sub.ended = time.Now()
		return sub, err
	})
}

// refused reports whether the server did not accept the subscription or its end.
func (sub *endedSubscription) refused() bool {
	return slices.ContainsFunc(sub.exchanges, func(ex *mcp.Exchange) bool { return ex.Reply.Error != nil })
}

// isUpdate reports whether a notification is an update of the resource on the connection of the subscription.
func (sub *endedSubscription) isUpdate(p *CheckContext, s observation) bool {
	connection, _, _ := strings.Cut(s.connection, "/")
	uri, _ := textOf(At(s.message.Params, "/uri"))
	return s.method == "notifications/resources/updated" && uri == sub.uri &&
		connection == p.round.nameOf(sub.session)
}
