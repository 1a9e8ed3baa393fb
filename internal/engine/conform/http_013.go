package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http013 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-013",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http#protocol-version-header"),
		Doc: `protocol version in header and body must match

Proxies route by the header, servers act on the body. If they differ, the proxy checks something other than what the
server executes. The request must be rejected with 400 and -32020.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Protocol-Version": {spec.November2025}})
		return p.mismatched(a, err, "MCP-Protocol-Version")
	},
}

// mismatched expects a request to be rejected because its header does not match its body.
func (p *Pass) mismatched(a *Answer, err error, header string) error {
	return p.misheaded(a, err, header, "request whose "+header+" does not match its body")
}

// lacking expects a request to be rejected because a header that repeats its body is missing.
func (p *Pass) lacking(a *Answer, err error, header string) error {
	return p.misheaded(a, err, header, "request without "+header)
}

func (p *Pass) misheaded(a *Answer, err error, header, what string) error {
	if err != nil {
		return err
	}
	reply := a.Reply()
	switch {
	case a.Status/100 == 2:
		p.Report(Seen{Answer: a, Subject: header}, "%s: expected HTTP 400 and error %d, got success", what, mcp.CodeHeaderMismatch)
	case a.Status != http.StatusBadRequest || reply == nil || reply.Error == nil || reply.Error.Code != mcp.CodeHeaderMismatch:
		p.Report(Seen{Answer: a, Subject: header}, "%s: got HTTP %d and %s, expected HTTP 400 and error %d", what, a.Status, refusalOf(a), mcp.CodeHeaderMismatch)
	}
	return nil
}

// refusalOf returns the error in a response, for a message.
func refusalOf(a *Answer) string {
	if reply := a.Reply(); reply != nil && reply.Error != nil {
		return reply.Error.Error()
	}
	return "no error"
}
