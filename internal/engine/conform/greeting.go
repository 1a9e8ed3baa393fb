package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Greeting is the exchange by which the shared session was opened: initialize or server/discover, answered with a result.
func (p *Pass) Greeting(ctx context.Context) (*mcp.Exchange, error) {
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	if s.Greeting == nil || s.Greeting.Reply == nil || s.Greeting.Reply.Error != nil {
		return nil, p.Missing("the server has not answered its greeting with a result")
	}
	return s.Greeting, nil
}

// emptyResult reports whether a result says nothing: an object with nothing but _meta.
func emptyResult(raw json.RawMessage) bool {
	members, err := schema.Members(raw)
	for _, m := range members {
		if m.Name != "_meta" {
			return false
		}
	}
	return err == nil
}
