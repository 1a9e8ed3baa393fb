package conform

import (
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sub003 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/subscriptions"),
		Doc: `A subscription begins with its acknowledgement.

subscriptions/listen is answered with a stream whose first message is notifications/subscriptions/acknowledged: it
says what the server will tell. A client that gets none does not know whether to ask again by itself.`,
	},
	Since: "2026-07-28",
	Run: func(ctx context.Context, p *Pass) error {
		filter, err := p.listenable(ctx)
		if err != nil {
			return err
		}
		h, err := p.Hearing(ctx, nil)
		if err != nil {
			return err
		}
		sub, err := h.Listen(ctx, filter)
		if err == nil {
			sub.Close()
		}
		var refusal *mcp.RPCError
		switch acknowledged := h.heard("notifications/subscriptions/acknowledged"); {
		case errors.As(err, &refusal):
			p.Report(Seen{Subject: "subscriptions/listen"}, "subscriptions/listen was refused with error %d: %s; want the stream that the server declares", refusal.Code, said(refusal))
		case err != nil && len(acknowledged) == 0:
			p.Report(Seen{Subject: "subscriptions/listen"}, "%s", clip(err.Error(), 200))
		}
		return nil
	},
}

// listenable is a filter for what the server declares that it tells of.
func (p *Pass) listenable(ctx context.Context) (mcp.Filter, error) {
	f := mcp.Filter{Tools: p.Declares("tools/listChanged"), Prompts: p.Declares("prompts/listChanged"), Resources: p.Declares("resources/listChanged")}
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
		return f, p.Skip("the server declares nothing that one could subscribe to")
	}
	return f, nil
}
