package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc010 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-010",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-06-18", "changelog"),
		Doc: `A batch is refused where the revision has none.

Batches came with 2025-03-26 and went with 2025-06-18. A server that still serves them promises what clients of the revision
must not use, and has code that nobody tests. Some SDKs do, so this is a warning.`,
	},
	Since:   "2025-06-18",
	Until:   mcp.NewestLegacy,
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		frames, err := p.batch(ctx)
		if err != nil {
			return err
		}
		for _, f := range frames {
			m := mcp.Read(f)
			for _, one := range append([]mcp.Message{m}, m.Rest...) {
				if one.IsResponse() && one.Error == nil && strings.Contains(string(one.ID), "mcptest-b") {
					p.Report(Seen{Subject: "batch", Frames: []wire.Frame{f}}, "a batch was served in a session of %s; want error %d", p.Revision.ID, mcp.CodeInvalidRequest)
					return nil
				}
			}
		}
		return nil
	},
}
