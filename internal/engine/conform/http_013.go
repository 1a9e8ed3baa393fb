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
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http#protocol-version-header"),
		Doc: `The revision in the header and in the body agree.

Proxies route by the header, servers serve by the body. Where the two differ, what was checked on the way is not what is done.
The request is refused with 400 and -32020.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Protocol-Version": {"2025-11-25"}})
		return p.mismatched(a, err, "MCP-Protocol-Version")
	},
}

// mismatched wants a request refused whose header does not say what its body says.
func (p *Pass) mismatched(a *Answer, err error, header string) error {
	return p.misheaded(a, err, header, "a request whose "+header+" does not match its body")
}

// lacking wants a request refused that has not a header which repeats its body.
func (p *Pass) lacking(a *Answer, err error, header string) error {
	return p.misheaded(a, err, header, "a request without "+header)
}

func (p *Pass) misheaded(a *Answer, err error, header, what string) error {
	if err != nil {
		return err
	}
	reply := a.Reply()
	switch {
	case a.Status/100 == 2:
		p.Report(Seen{Answer: a, Subject: header}, "%s was served; want HTTP 400 and error %d", what, mcp.CodeHeaderMismatch)
	case a.Status != http.StatusBadRequest || reply == nil || reply.Error == nil || reply.Error.Code != mcp.CodeHeaderMismatch:
		p.Report(Seen{Answer: a, Subject: header}, "%s was answered with HTTP %d and %s; want HTTP 400 and error %d", what, a.Status, refusalOf(a), mcp.CodeHeaderMismatch)
	}
	return nil
}

// refusalOf is the error in an answer, for a message.
func refusalOf(a *Answer) string {
	if reply := a.Reply(); reply != nil && reply.Error != nil {
		return reply.Error.Error()
	}
	return "no error"
}
