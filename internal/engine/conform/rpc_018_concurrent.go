package conform

import (
	"context"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc018 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-018",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `concurrent requests must each get their own response

Clients send requests in parallel. Each response has the ID of its request, and no request is lost.`,
	},
	Disruptive: true,
	Alone:      true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		const most = 20
		errs := make([]error, most)
		var group sync.WaitGroup
		for i := range most {
			group.Go(func() { _, errs[i] = p.Alive(ctx, s) })
		}
		group.Wait()
		errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
		if len(errs) > 0 {
			p.Report(Evidence{Subject: p.pinged()},
				"%d concurrent requests: no response to %d of them (%s), expected a response to each", most, len(errs),
				wire.Reason(errs[0]))
		}
		return nil
	},
}
