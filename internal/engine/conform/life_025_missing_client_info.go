package conform

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life025 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-025",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic#request-metadata"),
		Doc: `request without clientInfo must succeed

clientInfo in _meta is recommended, not required. A server that insists on it rejects conforming clients.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		meta := mcp.Object("io.modelcontextprotocol/protocolVersion", p.Revision.ID,
			"io.modelcontextprotocol/clientCapabilities", mcp.Object())
		id := strconv.FormatInt(s.ReserveID(), 10)
		ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"server/discover",`+
			`"params":{"_meta":%s}}`, id, meta))
		if err != nil {
			return err
		}
		if ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "request without clientInfo in _meta: got %v, expected a result",
				ex.Reply.Error)
		}
		return nil
	},
}
