package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// echoed sends requests with the given IDs and expects each to be returned unchanged.
func (p *CheckContext) echoed(ctx context.Context, ids ...string) error {
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		ex, err := p.sendWithID(ctx, s, id)
		if err != nil {
			return p.lostID(ctx, id, err)
		}
		if got := string(ex.Reply.ID); !sameJSON(got, id) {
			p.Report(Evidence{Exchange: ex}, "request with id %s: got a response with id %s, expected the same id", id,
				show(ex.Reply.ID))
			continue
		}
		if err := p.expectAccepted(ctx, s, id, ex); err != nil {
			return err
		}
	}
	return nil
}

// expectAccepted expects no error for an ID if the same request succeeds with another one, which is an integer: each is sent
// a second time, because an error may have another cause.
func (p *CheckContext) expectAccepted(ctx context.Context, s *mcp.Session, id string, ex *mcp.Exchange) error {
	for try := 0; ex.Reply.Error != nil; try++ {
		usual, err := p.Alive(ctx, s)
		if err != nil || usual.Reply.Error != nil {
			return err
		}
		if try == 1 {
			p.Report(Evidence{Exchange: ex}, "request with id %s: expected a result as with other ids, got error %d: %s", id,
				ex.Reply.Error.Code, errorLine(ex.Reply.Error))
			return nil
		}
		if ex, err = p.sendWithID(ctx, s, id); err != nil {
			return p.lostID(ctx, id, err)
		}
	}
	return nil
}

// sendWithID sends a ping with an ID.
func (p *CheckContext) sendWithID(ctx context.Context, s *mcp.Session, id string) (*mcp.Exchange, error) {
	return p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(), p.Params("")))
}

// echoed returns an argument whose text appears in the result of a call; empty if there is none.
func echoed(c CallResult) string {
	members, _ := schema.Members(c.Arguments)
	if c.Result() == nil || c.Failed() {
		return ""
	}
	text := textsOf(c.Result())
	for _, m := range members {
		if value, ok := schema.Text(m.Value); ok && len(value) >= 3 && strings.Contains(text, value) {
			return m.Name
		}
	}
	return ""
}
