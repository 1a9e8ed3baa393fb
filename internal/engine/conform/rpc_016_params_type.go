package conform

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc016 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-016",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#requests"),
		Doc: `params that are not an object should be rejected

params is an object. A server that treats an array or a string as "no parameters" hides a client bug.`,
	},
	Slow: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		method := p.pinged()
		for _, capability := range []string{"prompts", "resources", "tools"} {
			if p.Declares(capability) {
				method = capability + "/list"
			}
		}
		id := strconv.FormatInt(s.ReserveID(), 10)
		ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":["mcptest"]}`, id,
			method))
		if died(err) {
			if _, again := p.Alive(ctx, s); again == nil {
				p.Report(Evidence{Subject: method}, "%s with an array as params: got no response, expected error %d",
					method, mcp.CodeInvalidParams)
				return nil
			}
		}
		if err != nil {
			return err
		}
		if ex.Reply.Error == nil {
			p.Report(Evidence{Exchange: ex}, "%s with an array as params was served, expected error %d", method,
				mcp.CodeInvalidParams)
		}
		return nil
	},
}
