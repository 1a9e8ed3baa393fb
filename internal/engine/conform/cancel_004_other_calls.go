package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var cancel004 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `cancellation must end only the call that it names

Two calls are in progress, and one of them is cancelled. The other one must still get its response. Servers that end
everything when a cancellation arrives leave the other calls of the host without a result until they time out. The tools
that take longest are tried: their calls are still in progress when the cancellation arrives.`,
	},
	Needs:   "tools",
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.slowest(ctx)
		if err != nil {
			return err
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			for n := range 2 {
				cancelled, other := fmt.Sprintf("mcptest-one-%s-%d", t.Name, n), fmt.Sprintf("mcptest-two-%s-%d", t.Name, n)
				call := func(id string) string {
					return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":%s}`, id,
						p.Params(fmt.Sprintf(`{"name":%q,"arguments":%s}`, t.Name, t.Arguments)))
				}
				body := call(cancelled) + "\n" + call(other) + "\n" + fmt.Sprintf(`{"jsonrpc":"2.0",`+
					`"method":"notifications/cancelled","params":{"requestId":%q,"reason":"a test"}}`, cancelled)
				if _, err := p.Send(ctx, s, fmt.Sprintf("%q", other), body); err != nil {
					if _, alive := p.Alive(ctx, s); alive != nil {
						return alive
					}
					p.Report(Evidence{Subject: t.Name, Led: true},
						"1 of 2 calls was cancelled: expected a response to the other one, got none: %s",
						clip.Text(err.Error(), 160))
					return nil
				}
			}
		}
		return nil
	},
}

// slowest lists the tools whose sample call took longest and returned a result.
func (p *CheckContext) slowest(ctx context.Context) ([]Tool, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	done = slices.DeleteFunc(slices.Clone(done), func(c CallResult) bool {
		return c.Result() == nil || c.Failed() || causedRequest(c) || p.round.limited(c.Name) ||
			c.Exchange.Elapsed > p.Timeout()/3
	})
	if len(done) == 0 {
		return nil, p.Skip("no callable tool returned a result in time")
	}
	slices.SortStableFunc(done, func(a, b CallResult) int { return cmp.Compare(b.Exchange.Elapsed, a.Exchange.Elapsed) })
	var tools []Tool
	for _, c := range done[:min(len(done), maxOddTools)] {
		tools = append(tools, c.Tool)
	}
	return tools, nil
}
