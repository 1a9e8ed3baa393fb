package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// maxSlowTools is how many tools with a slow first call are called again.
const maxSlowTools = 3

// isSlow reports whether a call took so long that checks do not repeat it many times.
func (p *CheckContext) isSlow(took time.Duration) bool { return took >= p.Timeout()/10 }

// repeatSlow makes a few slow calls again and keeps the quicker response: a first call often includes imports, connections and
// caches. Otherwise most checks would leave out the first tool of a server that loads its modules late. It returns the progress tokens
// of the responses that it replaced.
func (p *CheckContext) repeatSlow(ctx context.Context, s *mcp.Session, done []CallResult) (tokens []string) {
	repeated := 0
	for i, c := range done {
		if repeated == maxSlowTools {
			break
		}
		if c.Exchange == nil || c.Exchange.Reply == nil || !p.isSlow(c.Exchange.Elapsed) || causedRequest(c) || p.round.limited(c.Name) {
			continue
		}
		repeated++
		ex, err := callWithProgress(ctx, s, c.Tool, p.Timeout())
		if err == nil && ex.Reply != nil && ex.Elapsed < c.Exchange.Elapsed {
			tokens = append(tokens, tokensOf(done[i:i+1])...)
			done[i].Exchange = ex
		}
	}
	return tokens
}
