package conform

import (
	"bytes"
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http002 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#sending-messages-to-the-server"),
		Doc: `notification must be answered with 202 and no body

A notification has no response. The status means that it was accepted. A body would be a response to nothing, and
another status makes clients retry or abort.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":`+
			p.Params(`{"requestId":424242}`)+`}`)
		switch {
		case err != nil:
			return err
		case a.Status != http.StatusAccepted:
			p.Report(Evidence{Answer: a, Subject: "notifications/cancelled"}, "notification: got HTTP %d, expected 202",
				a.Status)
		case len(bytes.TrimSpace(a.Body)) > 0 || a.Stream:
			p.Report(Evidence{Answer: a, Subject: "notifications/cancelled"},
				"notification: got a response body, expected none")
		}
		return nil
	},
}
