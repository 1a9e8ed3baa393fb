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
		Doc: `Nothing is told of the progress of a call that is over.

After the answer the token means nothing any more. A client that has given it out anew would take late news for that
of another call.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		all, err := p.calls(ctx)
		if err != nil {
			return err
		}
		for _, m := range all.told {
			if m.Method != "notifications/progress" {
				continue
			}
			for _, c := range all.done {
				token := At(c.Exchange.Request.Params, "/_meta/progressToken")
				if sameJSON(string(At(m.Params, "/progressToken")), string(token)) && m.Frame.Seq > c.Exchange.Reply.Frame.Seq {
					p.Report(Seen{Subject: c.Name, Exchange: c.Exchange, Frames: []wire.Frame{m.Frame}}, "progress of the call was told after its answer; want none")
					return nil
				}
			}
		}
		return nil
	},
}
