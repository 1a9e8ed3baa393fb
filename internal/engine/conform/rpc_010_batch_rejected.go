package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc010 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-010",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.June2025, "changelog"),
		Doc: `batch should be rejected in revisions without batching

Batches were added in 2025-03-26 and removed in 2025-06-18; since then a body or a line is one message. A server that
still accepts them offers what clients of the revision must not use, and contains untested code. Some SDKs do, so this
is a warning.`,
	},
	Since:   spec.June2025,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		frames, err := p.batch(ctx)
		if err != nil {
			return err
		}
		where := "a session of " + p.Revision.ID
		if p.Modern() {
			where = p.Revision.ID
		}
		for _, f := range frames[1:] {
			m := mcp.Read(f)
			for _, one := range append([]mcp.Message{m}, m.Rest...) {
				if ofOurBatch(one) && one.Error == nil {
					p.Report(Evidence{Subject: "batch", Frames: []wire.Frame{frames[0], f}},
						"batch was served in %s, expected error %d", where, mcp.CodeInvalidRequest)
					return nil
				}
			}
		}
		return nil
	},
}
