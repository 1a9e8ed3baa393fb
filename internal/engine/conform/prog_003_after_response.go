package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var prog003 = &Check{
	Rule: finding.Rule{
		ID:       "PROG-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/progress#behavior-requirements"),
		Doc: `progress must not be sent after the response

After the response, the token is no longer valid. A client that reuses it would attribute late progress to another call.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.calls(ctx)
		if err != nil {
			return err
		}
		for _, m := range all.notified {
			if m.Method != "notifications/progress" {
				continue
			}
			for _, c := range all.done {
				token := At(c.Exchange.Request.Params, "/_meta/progressToken")
				if sameJSON(string(At(m.Params, "/progressToken")), string(token)) &&
					m.Frame.Seq > c.Exchange.Reply.Frame.Seq {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Frames: []wire.Frame{m.Frame}},
						"progress notification sent after the response")
					return nil
				}
			}
		}
		return nil
	},
}
