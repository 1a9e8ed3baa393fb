package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var prog001 = &Check{
	Rule: finding.Rule{
		ID:       "PROG-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/progress#progress-flow"),
		Doc: `progress must use the request's progressToken

A client has many calls in flight and uses progressToken to match progress to a call. A token that it did not issue
matches none.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.calls(ctx)
		if err != nil {
			return err
		}
		told := 0
		for _, m := range all.notified {
			if m.Method != "notifications/progress" {
				continue
			}
			told++
			got := string(At(m.Params, "/progressToken"))
			if !slices.ContainsFunc(all.tokens, func(token string) bool { return sameJSON(token, got) }) {
				p.Report(Evidence{Subject: m.Method, Pointer: "/params/progressToken", Frames: []wire.Frame{m.Frame}},
					"progressToken is %s, which no request used, expected that of the request",
					show(At(m.Params, "/progressToken")))
				break
			}
		}
		if told == 0 {
			return p.Skip("no called tool reported progress")
		}
		return nil
	},
}
