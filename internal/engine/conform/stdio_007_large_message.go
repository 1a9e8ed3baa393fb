package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio007 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `1 MB message must be answered

Arguments can contain documents and images. A server that reads into a fixed buffer, or limits the line length, fails at
the first large message, and often permanently.`,
	},
	On:         OnPipe,
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		params := p.Params(`{"mcptest-large":"` + strings.Repeat("x", 1<<20) + `"}`)
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcptest-large","method":%q,"params":%s}`, p.pinged(), params)
		_, err = p.Send(ctx, s, `"mcptest-large"`, body)
		if died(err) {
			p.Report(Evidence{Subject: p.pinged()}, "1 MB request: got no response, expected a result or an error")
			return nil
		}
		return err
	},
}
