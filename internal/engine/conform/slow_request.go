package conform

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// onlySlow reports whether a request timed out that the author's code serves, and the server is not lost: each session
// of the check still responds to a health check, which has its own timeout. The code may wait for the network, and a
// server that does one thing at a time responds after it. Requests that need no such code must be answered in time.
func (p *CheckContext) onlySlow(ctx context.Context, err error) bool {
	var late *mcp.TimeoutError
	if !errors.As(err, &late) || !servedByAuthor(late.Method) {
		return false
	}
	var sessions []*mcp.Session
	for _, s := range append([]*mcp.Session{p.shared, p.scratch}, p.own...) {
		if s != nil && !p.isCrowded(s) {
			sessions = append(sessions, s)
		}
	}
	errs := make([]error, len(sessions))
	var group sync.WaitGroup
	for i, s := range sessions {
		group.Go(func() { _, errs[i] = p.Alive(ctx, s) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil && !isUnmatched(err) {
			return false
		}
	}
	return len(sessions) > 0
}

// servedByAuthor reports whether the code that the author of a server wrote for one tool, resource or prompt decides how
// long a request takes. Clients cannot use a server without its lists.
func servedByAuthor(method string) bool {
	kind, what, _ := strings.Cut(method, "/")
	switch kind {
	case "tools", "resources", "prompts", "completion", "tasks":
		return what != "list" && what != "templates/list"
	}
	return false
}
