package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var prog001 = &Check{
	Rule: finding.Rule{
		ID:       "PROG-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/progress#progress-flow"),
		Doc: `Progress is told with the token of the request.

A client has many calls under way and knows by progressToken which of them goes on. A token that it has not given out
belongs to none.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		all, err := p.calls(ctx)
		if err != nil {
			return err
		}
		told := 0
		for _, m := range all.told {
			if m.Method != "notifications/progress" {
				continue
			}
			told++
			got := string(At(m.Params, "/progressToken"))
			if !slices.ContainsFunc(all.tokens, func(token string) bool { return sameJSON(token, got) }) {
				p.Report(Seen{Subject: m.Method, Pointer: "/params/progressToken", Frames: []wire.Frame{m.Frame}}, "progressToken is %s, which no request had; want that of the request", show(At(m.Params, "/progressToken")))
				break
			}
		}
		if told == 0 {
			return p.Skip("no tool that was called told of its progress")
		}
		return nil
	},
}

// progressed lists the calls that told of their progress.
func (p *Pass) progressed(ctx context.Context) ([]Called, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var some []Called
	for _, c := range done {
		if len(progressOf(c)) > 0 {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no tool that was called told of its progress")
	}
	return some, nil
}

// progressOf lists what was told of the progress of a call.
func progressOf(c Called) []mcp.Message {
	var some []mcp.Message
	for _, m := range c.Exchange.Between {
		if m.Method == "notifications/progress" {
			some = append(some, m)
		}
	}
	return some
}
