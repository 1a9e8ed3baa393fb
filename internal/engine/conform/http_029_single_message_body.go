package conform

import (
	"bytes"
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http029 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-029",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `JSON response body must be a single message

If the response is JSON, its body is a single object with the ID of the request.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if a.Type() == "application/json" && !a.Stream && len(bytes.TrimSpace(a.Body)) > 0 &&
			bytes.TrimSpace(a.Body)[0] != '{' {
			p.Report(Evidence{Answer: a, Subject: p.pinged()}, "response to a single request is %s, expected an object",
				clip.Text(string(a.Body), 80))
		}
		return nil
	},
}
