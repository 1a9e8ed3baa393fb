package conform

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// listed are the capabilities that have a list.
var listed = []string{"tools", "resources", "prompts"}

// findServed requests the lists that the server does not declare. A list that is served is checked like any other; a
// single check reports that it is not declared.
func (r *revisionRun) findServed(ctx context.Context) {
	r.served = map[string]bool{}
	if r.locked {
		return
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, capability := range listed {
		if r.declares(capability) {
			continue
		}
		group.Go(func() {
			p := &CheckContext{Check: &Check{}, Revision: r.revision, Target: r.target, round: r}
			ex, err := p.undeclared(ctx, capability)
			mu.Lock()
			defer mu.Unlock()
			r.served[capability] = err == nil && len(entries(ex, capability)) > 0
		})
	}
	group.Wait()
}

// undeclared requests a list that the server does not declare, once for all checks.
func (p *CheckContext) undeclared(ctx context.Context, capability string) (*mcp.Exchange, error) {
	return remember(ctx, p, "undeclared "+capability,
		func() (*mcp.Exchange, error) { return p.Call(ctx, capability+"/list", nil) })
}

// entries returns the items of the first page of a list.
func entries(ex *mcp.Exchange, key string) []json.RawMessage {
	items, _ := schema.Elements(At(ex.Reply.Result, "/"+key))
	return items
}

// offers reports whether the server declares a capability, or serves its list without declaring it.
func (r *revisionRun) offers(path string) bool { return r.declares(path) || r.served[path] }
