package conform

import (
	"context"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prog005 = &Check{
	Rule: finding.Rule{
		ID:       "PROG-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/utilities/progress#progress-flow"),
		Doc: `progress of concurrent calls must be sent with the token of each call

A tool that reports progress is called several times at the same time, each call with its own progressToken. Some calls got
notifications and others none, although each gets them alone: the server keeps the token in a variable that all calls share. Hosts show
the progress of one call at another one, and extend the time limit of the wrong call. Keep the token with the call.`,
	},
	Needs:   "tools",
	Scratch: true,
	Alone:   true, // its calls are counted
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.progressed(ctx)
		if err != nil {
			return err
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, c := range done[:min(len(done), 2)] {
			if p.round.limited(c.Name) {
				continue
			}
			alone, err := p.countProgress(ctx, s, c.Tool, 1)
			if err != nil {
				return err
			}
			usual := alone[0]
			for n := 0; usual > 0 && usual == len(progressOf(c)); n++ {
				counts, err := p.countProgress(ctx, s, c.Tool, tokenCalls)
				if err != nil {
					return err
				}
				if !swapped(counts, usual) {
					break
				}
				if n > 0 { // it was seen twice
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Led: true},
						"%d concurrent calls: expected progress notifications for each token, got none for some of them",
						tokenCalls)
					break
				}
			}
		}
		return nil
	},
}

// tokenCalls is how many calls of a tool are made at the same time.
const tokenCalls = 3

// swapped reports whether some calls got all notifications, and others none. Those of a finished call are dropped, so
// that no call may have more than usual.
func swapped(counts []int, usual int) bool {
	return slices.Min(counts) == 0 && slices.Max(counts) >= usual
}

// countProgress makes calls at the same time, and returns how many notifications arrived for the token of each.
func (p *CheckContext) countProgress(ctx context.Context, s *mcp.Session, t Tool, times int) ([]int, error) {
	counts, errs := make([]int, times), make([]error, times)
	var group sync.WaitGroup
	for i := range times {
		group.Go(func() {
			_, errs[i] = s.Do(ctx, mcp.Request{Method: "tools/call", Manual: true, Timeout: p.Timeout(),
				Params:     mcp.Object("name", t.Name, "arguments", t.Arguments),
				OnProgress: func(mcp.Progress) { counts[i]++ }})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}
