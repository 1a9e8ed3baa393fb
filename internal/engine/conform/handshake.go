package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Handshake is the exchange that opened the shared session: initialize or server/discover, with a result.
func (p *CheckContext) Handshake(ctx context.Context) (*mcp.Exchange, error) {
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	if s.Handshake == nil || s.Handshake.Reply == nil || s.Handshake.Reply.Error != nil {
		return nil, p.Missing("server did not return a result for the handshake")
	}
	return s.Handshake, nil
}

// emptyResult reports whether a result is empty: an object with no members except _meta.
func emptyResult(raw json.RawMessage) bool {
	members, err := schema.Members(raw)
	for _, m := range members {
		if m.Name != "_meta" {
			return false
		}
	}
	return err == nil
}
