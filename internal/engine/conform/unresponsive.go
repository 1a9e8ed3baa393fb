package conform

import (
	"context"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// unresponsive reports whether the server, after many checks lost it, is also unresponsive on a new connection: to a
// ping and to a list that it declares. Then every other check would wait until its timeout. The loss is recorded for
// the check that would have been next.
func (r *revisionRun) unresponsive(ctx context.Context, next *Check) bool {
	p := &CheckContext{Check: next, Revision: r.revision, Target: r.target, round: r}
	s, err := p.Open(ctx, nil)
	defer func() { r.sessions.release(p.own) }()
	if err == nil {
		err = p.anyResponse(ctx, s)
	}
	if err == nil || ctx.Err() != nil || !p.lost(err) {
		return false
	}
	r.lost.add(next.ID, wire.Reason(err))
	return true
}

// anyResponse sends several requests at once to see if the server responds; nil if it does.
func (p *CheckContext) anyResponse(ctx context.Context, s *mcp.Session) error {
	methods := []string{p.pinged()}
	for _, list := range []string{"tools", "resources", "prompts"} {
		if p.Declares(list) {
			methods = append(methods, list+"/list")
		}
	}
	errs := make([]error, len(methods))
	var group sync.WaitGroup
	for i, method := range methods {
		group.Go(func() { _, errs[i] = p.CallIn(ctx, s, method, nil) })
	}
	group.Wait()
	for _, err := range errs {
		if err == nil {
			return nil
		}
	}
	return errs[0]
}
