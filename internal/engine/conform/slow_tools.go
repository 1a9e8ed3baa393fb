package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// maxSlowTools is how many tools with a slow first call are called again.
const maxSlowTools = 3

// isSlow reports whether a call took so long that checks do not repeat it many times.
func (p *CheckContext) isSlow(took time.Duration) bool { return took >= p.Timeout()/10 }

// repeatSlow makes a few slow calls of tools that read again and keeps the quicker result: a first call often includes imports,
// connections and caches. Otherwise most checks would leave out the first tool of a server that loads its modules late. It returns the
// progress tokens of the responses that are not kept.
func (p *CheckContext) repeatSlow(ctx context.Context, s *mcp.Session, done []CallResult) (tokens []string) {
	repeated := 0
	for i, c := range done {
		if repeated == maxSlowTools {
			break
		}
		if c.Exchange == nil || c.Exchange.Reply == nil || !p.isSlow(c.Exchange.Elapsed) || causedRequest(c) || p.round.limited(c.Name) ||
			!safety.Reads(c.Definition) {
			continue
		}
		repeated++
		ex, _ := callWithProgress(ctx, s, c.Tool, p.Timeout())
		if ex == nil {
			break // the server was lost
		}
		again := CallResult{c.Tool, ex}
		other := again
		if ex.Reply != nil && ex.Elapsed < c.Exchange.Elapsed && again.Failed() == c.Failed() {
			done[i].Exchange, other = ex, c
		}
		tokens = append(tokens, tokensOf([]CallResult{other})...)
	}
	return tokens
}
