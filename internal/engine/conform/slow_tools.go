package conform

import (
	"context"
	"time"
)

// maxSlowTools is how many tools with a slow first call are called again.
const maxSlowTools = 3

// isSlow reports whether a call took so long that checks do not repeat it many times.
func (p *CheckContext) isSlow(took time.Duration) bool { return took >= p.Timeout()/10 }

// laterCalls returns how long a second call took, by tool, for tools whose first call was slow: a first call often
// includes imports, connections and caches.
func (p *CheckContext) laterCalls(ctx context.Context, done []CallResult) (map[string]time.Duration, error) {
	return remember(ctx, p, "later calls", func() (map[string]time.Duration, error) {
		took := map[string]time.Duration{}
		for _, c := range done {
			if len(took) == maxSlowTools {
				break
			}
			if c.Exchange.Elapsed < p.round.opts.Timeout/10 || c.Result() == nil || c.Failed() || causedRequest(c) ||
				p.round.limited(c.Name) {
				continue
			}
			all, err := p.openCalls(ctx)
			if err != nil {
				return nil, err
			}
			took[c.Name] = p.round.opts.Timeout
			ex, err := callWithProgress(ctx, all.session, c.Tool, took[c.Name])
			if err == nil && ex.Reply != nil {
				took[c.Name] = ex.Elapsed
			}
		}
		return took, nil
	})
}
