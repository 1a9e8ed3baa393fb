package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// cancelRequest sends a request and cancels it immediately: by closing its stream if the revision cancels that way,
// otherwise with a notification.
func (p *CheckContext) cancelRequest(ctx context.Context, s *mcp.Session, id, method string,
	params json.RawMessage) error {
	if p.Modern() && transportOf(p.Target.Transport()) == OnHTTP {
		one, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		_, _ = p.CallIn(one, s, method, params)
		return nil
	}
	for _, body := range []string{
		fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, id, method, p.Params(string(params))),
		fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q,"reason":"a test"}}`,
			id),
	} {
		if _, err := p.SendRaw(ctx, s, body); err != nil {
			return err
		}
	}
	return nil
}
