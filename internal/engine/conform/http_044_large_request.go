package conform

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// largeRequest is the size of a request that a server should accept: a document or a small image as an argument.
const largeRequest = 256 << 10

var http044 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-044",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports#sending-messages-to-the-server"),
		Doc: `request of 256 KB should be accepted

Arguments can contain documents and images. Many web frameworks reject large bodies by default, Express above 100 KB, and
the model only learns that the call failed. Set a limit of some megabytes, such as express.json({ limit: "4mb" }), and check
the limits of proxies.`,
	},
	On:      OnHTTP,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		params := p.Params(`{"mcptest-large":"` + strings.Repeat("x", largeRequest) + `"}`)
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcptest-large","method":%q,"params":%s}`, p.pinged(), params)
		ex, err := p.Send(ctx, s, `"mcptest-large"`, body)
		const size = "request of 256 KB: expected a response, got "
		switch {
		case died(err):
			p.Report(Evidence{Subject: p.pinged()}, size+"none: %s", wire.Reason(err))
			return nil
		case err == nil && (ex.Status == http.StatusRequestEntityTooLarge ||
			ex.Status/100 == 4 && (ex.Reply.Error == nil || ex.Reply.Error.Code == 0)):
			p.Report(Evidence{Subject: p.pinged()}, size+"HTTP %d", ex.Status)
		}
		return err
	},
}
