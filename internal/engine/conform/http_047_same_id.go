package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http047 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-047",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `requests of two clients with the same ID must each get their own response

Each client numbers its requests itself, so two clients often use the same ID at the same moment. A server that finds the
connection for a response only by the ID gives the result of one user to another, and the first user gets none. Keep
requests in progress by session and ID, or by connection.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Alone: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		var clients [2]*mcp.Session
		for i := range clients {
			s, err := p.Open(ctx, nil)
			if err != nil {
				return err
			}
			clients[i] = s
		}
		pair, err := p.knownPair(ctx, clients[0])
		if err != nil {
			return err
		}
		first := p.overlapping(ctx, clients, pair, true)
		if first == nil {
			return nil
		}
		if known, err := p.stillKnown(ctx, clients, pair); err != nil || !known {
			return errOr(err, p.Skip("the server does not return the same results each time"))
		}
		if p.overlapping(ctx, clients, pair, false) != nil {
			return p.Skip("the server returns wrong results to concurrent requests with different IDs, too")
		}
		second := p.overlapping(ctx, clients, pair, true)
		if second == nil {
			return nil // the first was chance
		}
		if first.foreign {
			second = first // it shows more than a missing response
		}
		seen := Evidence{Exchange: second.exchange, Subject: second.method, Led: true}
		if second.foreign {
			p.Report(seen, "request with the same ID as one of another client: expected its own response, got that of "+
				"the other client")
		} else {
			p.Report(seen, "request with the same ID as one of another client: expected a response, got none")
		}
		return nil
	},
}
