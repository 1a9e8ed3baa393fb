package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc009 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-009",
		Severity: finding.Error,
		Spec:     spec.URL(spec.March2025, "basic#batching"),
		Doc: `every request in a batch must be answered

Revision 2025-03-26 has batches: a server must accept them and respond to each request in them. If there is no response,
the client waits for all requests of the batch.`,
	},
	Since:   spec.March2025,
	Until:   spec.March2025,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		frames, err := p.batch(ctx)
		if err != nil {
			return err
		}
		ids := map[string]bool{}
		for _, f := range frames {
			m := mcp.Read(f)
			for _, one := range append([]mcp.Message{m}, m.Rest...) {
				if one.Error == nil && one.IsResponse() {
					ids[string(one.ID)] = true
				}
			}
		}
		var missing []string
		for _, id := range []string{`"mcptest-b1"`, `"mcptest-b2"`} {
			if !ids[id] {
				missing = append(missing, id)
			}
		}
		switch len(missing) {
		case 1:
			p.Report(Evidence{Subject: "batch", Frames: frames},
				"batch of 2 pings: no result for the one with id %s, expected both", missing[0])
		case 2:
			p.Report(Evidence{Subject: "batch", Frames: frames},
				"batch of 2 pings: no result for either, expected both")
		}
		return nil
	},
}
