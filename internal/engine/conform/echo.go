package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// echoed sends requests with the given IDs and expects each to be returned unchanged.
func (p *CheckContext) echoed(ctx context.Context, ids ...string) error {
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(),
			p.Params("")))
		if err != nil {
			return p.lostID(ctx, id, err)
		}
		if got := string(ex.Reply.ID); !sameJSON(got, id) {
			p.Report(Evidence{Exchange: ex}, "request with id %s: got a response with id %s, expected the same id", id,
				show(ex.Reply.ID))
		}
	}
	return nil
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
